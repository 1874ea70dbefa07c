"""Hidden information, and facts that are stated only in an auction."""

from __future__ import annotations

from tikal.play import Game
from tikal.play.view import hidden
from tikal.rules.facts import Facts
from tikal.rules.options import Options


def test_the_dice_to_come_are_hidden_and_belong_to_games_that_roll() -> None:
    boulders = Game.new(Options.parse({"players": "2", "boulders": "2d6"}), seed="1")
    dice = hidden(boulders.state)["dice"]
    assert dice and all(2 <= roll <= 12 for roll in dice)
    assert hidden(Game.new(Options(), seed="1").state)["dice"] == []


def test_nobody_may_bid_outside_of_an_auction() -> None:
    assert Facts(Game.new(Options(), seed="1").state).most_bids() == {}
    auction = Game.new(Options.parse({"players": "3", "auction": "true"}), seed="1")
    assert Facts(auction.state).most_bids() == {0: 20, 1: 20, 2: 20}

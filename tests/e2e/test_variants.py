"""The auction and each variant have their own controls: all of them are used, by clicks, at one screen."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.positions import Story
from tests.e2e.table import Table
from tests.e2e.visitor import Visitor
from tests.kit.amounts import amounts

pytestmark = pytest.mark.slow

# The options, and the actions to look for: those that only they have, or that they change. Rare ones
# (a gun, a taker's decision) are in test_moments.
CONTROLS = {
    "auction": ({"auction": "true"}, [r"B:\d", "B:-", "K:"]),
    "exchange": ({}, ["S:"]),
    "instant_scoring": ({"instant_scoring": "true"}, ["D@"]),
    "boulders": ({"boulders": "3d6"}, ["X@"]),
    "obstacles": ({"obstacles": "true"}, ["O:"]),
    "sudden_death": ({"auction": "true", "sudden_death": "true", "double_volcano": "taker_decides"}, ["K:"]),
    "leaps": ({"auction": "true", "leaps": "true"}, ["J:[1-9]", "J:0"]),
}


@pytest.mark.parametrize("name", CONTROLS)
def test_controls(visitor: Visitor, name: str) -> None:
    options, forms = CONTROLS[name]
    visitor.become("Ada")
    story = Story.begin("3", 2, **options)
    for form in forms:
        action = story.wander_to(form)
        table = story.at_table(visitor)
        table.uncover()
        table.click_action(action)
        visitor.shot(f"control-{name}")
        told = [event["action"] for event in table.events() if event["kind"] == "play"]
        assert told[-1] in (action, "J:?")  # a secret, even from others at the screen
        if name == "boulders":
            expect(table.page.get_by_text(re.compile(r"beats? level \d"))).to_be_visible()
            last = visitor.ask("GET", f"/tables/{table.id}/replay/0")["of"]
            visitor.open(f"/replay/{table.id}?at={last}", ".revealed svg")  # every viewer sees the dice
            visitor.shot("dice")


def test_secret_choices_at_one_screen_are_covered(visitor: Visitor) -> None:
    visitor.become("Ada")
    story = Story.begin("3", auction="true", leaps="true")
    story.wander_to("J:[1-9]")
    table = story.at_table(visitor)
    cover = table.page.get_by_role("alertdialog")
    expect(cover).to_be_visible()
    assert table.visible() == set(), "what is covered can't be used"
    visitor.shot("cover")
    cover.get_by_role("button").click()
    expect(cover).to_be_hidden()
    assert any(action.startswith("J:") for action in table.visible())


def click_on(table: Table, most: int) -> bool:
    """Plays some decisions by clicks; whether the game is over."""
    for _ in range(most):
        if not table.wait_for_turn():
            return True
        table.click_action(table.choose())
    return False


@pytest.mark.parametrize("first", amounts(8, long=100))
def test_an_auction_game_at_one_screen(visitor: Visitor, first: int) -> None:
    """Decisions of three people by clicks, for a while; then another game from the last tile to the end."""
    visitor.become("Ada")
    story = Story.begin("5", players=3, auction="true")
    assert not click_on(story.at_table(visitor), first)
    while story.game.status()["deck_left"]:
        story.wander(1)
    table = story.at_table(visitor)
    assert click_on(table, 400)
    update = table.update()
    assert update["info"]["state"] == "over"
    assert update["view"]["winners"]

"""Scores by source agree with the scores, in whole random games of every kind."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from tests.kit.amounts import sampled
from tests.kit.positions import Position, play
from tikal.play import Game
from tikal.play.scores import Points, Tie, Tied, balance, course, payments, scorings, tie
from tikal.rules.options import Options

LAST_BUDGET = Position(seat=2, scoring="final", order=(1, 2), place=1, deck_left=0, scores={1: 30, 2: 30})
VOLCANOES = ("K:B6", "K:D5", "K:F5")
KINDS: dict[str, dict[str, Any]] = {
    "basic": {},
    "four": {"players": 4},
    "auction": {"auction": True, "players": 3},
    "instant": {"instant_scoring": True},
    "instant auction": {"instant_scoring": True, "auction": True, "players": 3},
    "sudden death": {"sudden_death": True, "auction": True},
    "sudden death, instant": {
        "sudden_death": True,
        "auction": True,
        "instant_scoring": True,
        "double_volcano": "taker_decides",
    },
    "leaps": {"leaps": True, "auction": True, "players": 3},
    "boulders and guns": {"boulders": "2d6", "machine_gun": True, "obstacles": True},
}


def random_game(options: Options, seed: int) -> Game:
    """A game at random in which members get to temples: few ends of turns, low bids."""
    rng = random.Random(seed)
    game = Game.new(options, seed=str(seed))
    while not game.over:
        legal = game.legal()
        if game.phase == "bid":
            legal = ["B:-", *[action for action in legal if action != "B:-"][:2]]
        if game.phase == "act" and len(legal) > 1 and rng.random() < 0.9:
            legal.remove(".")
        game.play(rng.choice(legal))
    return game


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", sampled(range(3), 0))
def test_the_sources_add_up_to_the_score_after_every_action(kind: str, seed: int) -> None:
    game = random_game(Options(**KINDS[kind]), seed)
    scores = game.status()["scores"]
    assert [points.total for points in balance(game)] == scores
    assert [curve[-1] for curve in course(game)] == scores
    changes = {(row.actions, row.seat): row.total for row in scorings(game)}
    changes |= {(actions, seat): -paid for actions, seat, paid in payments(game)}
    while game.history:
        after, actions = game.status()["scores"], len(game.history)
        game.undo()
        change = [new - old for new, old in zip(after, game.status()["scores"], strict=True)]
        assert change == [changes.get((actions, seat), 0) for seat in range(1, len(change) + 1)]


@pytest.mark.parametrize(
    ("kind", "rounds"),
    [("basic", 4), ("four", 4), ("auction", 4), ("instant", 4), ("instant auction", 4), ("sudden death", 3)],
)
def test_every_seat_scores_once_in_every_round(kind: str, rounds: int) -> None:
    game = random_game(Options(**KINDS[kind]), seed=5)
    seats = range(1, game.options.players + 1)
    found = scorings(game)
    assert sorted((row.round, row.seat) for row in found) == [(n + 1, seat) for n in range(rounds) for seat in seats]
    assert {row.round for row in found if row.final} == ({4} if rounds == 4 else set())
    assert any(row.temples for row in found) and any(row.treasures for row in found)


def test_in_leaps_all_score_after_a_round_with_a_volcano_and_at_the_end() -> None:
    game = random_game(Options(players=3, auction=True, leaps=True), seed=1)
    found = scorings(game)
    takes = [step.action for step in game.history if step.action.startswith("K:")]
    erupted = {number // 3 for number, action in enumerate(takes) if action in VOLCANOES}
    assert len({row.round for row in found}) == len(erupted) + 1
    assert [row.seat for row in found if row.final] == [1, 2, 3]
    assert found[-1].actions == len(game.history)


def test_a_volcano_that_its_taker_declines_scores_for_nobody() -> None:
    options = Options(auction=True, sudden_death=True, instant_scoring=True, double_volcano="taker_decides")
    games = (random_game(options, seed) for seed in range(200))
    game = next(game for game in games if {"V:+", "V:-"} <= {step.action for step in game.history})
    rounds = {row.round for row in scorings(game)}
    volcanoes = sum(step.action in VOLCANOES for step in game.history)
    resting = sum(step.action == "V:-" for step in game.history)
    assert len(rounds) == volcanoes - resting


def test_the_winner_pays_the_bid() -> None:
    game = Game.new(Options(players=3, auction=True), seed="7")
    game.play("B:2", "B:5", "B:-", "B:-")
    assert list(payments(game)) == [(4, 2, 5)]
    assert balance(game)[1] == Points(start=20, temples=0, treasures=0, bids=5)
    assert course(game)[1] == [20, 20, 20] + [15] * 34


def test_the_last_bidder_left_pays_their_own_bid() -> None:
    game = Game.new(Options(players=3, auction=True), seed="7")
    game.play("B:-", "B:-", "B:4")
    assert list(payments(game)) == [(3, 3, 4)]


def test_when_all_pass_nothing_is_paid() -> None:
    game = Game.new(Options(players=3, auction=True), seed="7")
    game.play("B:-", "B:-", "B:-")
    assert (game.phase, game.seat) == ("take", 1)
    assert list(payments(game)) == []


@pytest.mark.parametrize(
    ("by", "more"),
    [
        ("guard", {"guards": {"a2": 1, "b1": 2}, "levels": {"b1": 4}, "scores": {1: 30, 2: 26}}),
        ("treasures", {"treasures": {2: {1: 1, 2: 1, 3: 1}}, "scores": {1: 30, 2: 27}}),
        ("shared", {}),
    ],
)
def test_a_tie_says_what_decided_it(by: str, more: dict[str, Any]) -> None:
    compared = {"guard": [(1, 0), (4, 0)], "treasures": [(0, 0), (0, 3)], "shared": [(0, 0), (0, 0)]}[by]
    seats = [Tied(seat, guard, treasures) for seat, (guard, treasures) in enumerate(compared, 1)]
    for tie_break, expected in (("guard_then_treasures", by), ("shared", "rule")):
        options = Options(tie_break=tie_break)
        state = replace(LAST_BUDGET, options=options, **more).state()
        assert tie(state, options) is None  # the game is not over yet
        assert tie(play(state, "."), options) == Tie(expected, seats)


def test_without_equal_scores_there_is_no_tie() -> None:
    state = replace(LAST_BUDGET, scores={1: 30, 2: 31}).state()
    assert tie(play(state, "."), Options()) is None

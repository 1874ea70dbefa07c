"""The levels: legal in all games, fair, reproducible, interruptible, and never stuck."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from typing import Any

import pytest

from tests.bots.samples import FAST, PHASES, by_phase, decisions, fault
from tests.kit.amounts import amounts, sampled
from tests.kit.deals import random_options
from tests.kit.games import KINDS, copy, exact_game, options_of
from tests.kit.hidden import lookalike
from tikal.bots import LEVELS, Bot, BotError, make
from tikal.bots.bot import table
from tikal.bots.levels import Level
from tikal.bots.planner import Planner, Turn
from tikal.bots.thinkers import ROUNDS, Trial, judged
from tikal.play import Game
from tikal.play.position import position
from tikal.rules.core import State
from tikal.rules.options import Options


@pytest.mark.parametrize("phase", PHASES)
def test_there_are_positions_of_every_phase(phase: str) -> None:
    assert by_phase(phase)
    assert all(game.phase == phase for game in by_phase(phase))


@pytest.mark.parametrize("spec", FAST)
@pytest.mark.parametrize("kind", KINDS)
def test_every_plan_is_legal_and_ends_where_it_should(kind: str, spec: str) -> None:
    bot = make(spec)
    for number, game in enumerate(decisions(kind, 8)):
        assert fault(game, bot.plan(game.view(game.seat), number)) == ""


@pytest.mark.parametrize("spec", FAST)
@pytest.mark.parametrize("phase", PHASES)
def test_every_phase_is_answered(phase: str, spec: str) -> None:
    bot = make(spec)
    for number, game in enumerate(by_phase(phase)):
        assert fault(game, bot.plan(game.view(game.seat), number)) == ""


@pytest.mark.parametrize("games", amounts(8, long=24))
def test_any_combination_of_options_is_played(games: int) -> None:
    rng = random.Random(4)
    bots = [make(spec) for spec in FAST]
    for number in range(games):
        game = exact_game(random_options(rng), rng)
        while not game.over and len(game.history) < 150:
            bot = bots[number % len(bots)] if rng.random() < 0.05 else bots[0]
            plan = bot.plan(game.view(game.seat), number)
            assert fault(game, plan) == "", (game.options, bot.name)
            game.play(*plan)


@pytest.mark.parametrize("spec", FAST)
def test_a_decision_does_not_depend_on_hidden_information(spec: str) -> None:
    swapped = 0
    for kind in KINDS:
        rng = random.Random(f"{kind}/{spec}")
        for game in decisions(kind, 4):
            twin = lookalike(game, game.seat, rng)
            swapped += twin.to_json() != game.to_json()
            seat = game.seat
            assert make(spec).plan(twin.view(seat), 5) == make(spec).plan(game.view(seat), 5)
    assert swapped >= 2 * len(KINDS)


QUESTIONS = [
    (spec, phase, number)
    for phase in PHASES
    for number in (0, -1)
    for spec in ("tourist", "digger", "surveyor:nodes=2000", "professor:width=4,candidates=3,nodes=3000")
]
ANSWER = """
import json, sys
from tikal.bots import make
print(json.dumps([make(spec).plan(view, 7) for spec, view in json.load(sys.stdin)]))
"""


def asked() -> list[tuple[str, Any]]:
    """Each question with its view."""
    games = {(phase, number): by_phase(phase)[number] for _, phase, number in QUESTIONS}
    return [(spec, games[phase, number].view(games[phase, number].seat)) for spec, phase, number in QUESTIONS]


def in_a_fresh_process(questions: list[tuple[str, Any]], **environment: str) -> list[list[str]]:
    """The plans that another process makes."""
    run = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", ANSWER],
        input=json.dumps(questions),
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, **environment},
    )
    plans: list[list[str]] = json.loads(run.stdout)
    return plans


def test_the_same_seed_gives_the_same_plan_in_every_process() -> None:
    questions = asked()
    plans = in_a_fresh_process(questions, PYTHONHASHSEED="1")
    assert in_a_fresh_process(questions[::-1], PYTHONHASHSEED="2")[::-1] == plans
    kept: dict[str, Bot] = {spec: make(spec) for spec, _ in questions}
    assert [kept[spec].plan(view, 7) for spec, view in questions] == plans  # whatever was asked before
    assert [kept[spec].plan(view, 7) for spec, view in questions] == plans


def test_another_seed_gives_another_walk() -> None:
    view = by_phase("act")[0].view(by_phase("act")[0].seat)
    assert len({tuple(make("tourist").plan(view, seed)) for seed in range(10)}) > 5


def test_uncompiled_code_makes_the_same_plans() -> None:
    questions = [
        (spec, game.view(game.seat))
        for phase in PHASES
        for game in by_phase(phase)[:1]
        for spec in ("digger:nodes=9", "surveyor:width=2,nodes=100", "professor:width=2,candidates=2,nodes=100")
    ]
    assert in_a_fresh_process(questions, TIKAL_PURE="1") == [make(spec).plan(view, 7) for spec, view in questions]


def nodes_of(level: Level) -> int:
    """How many positions a level has valued for its last answer."""
    return next(iter(level._thinkers.values())).planner.nodes


@pytest.mark.parametrize("spec", ["surveyor:nodes=100000", "professor:nodes=100000", "professor:time=600000"])
def test_an_interrupted_level_answers_with_the_best_so_far(spec: str) -> None:
    game = by_phase("place")[0]
    view = game.view(game.seat)
    name, _, parameters = spec.partition(":")
    counts = []
    for patience in (0, 40):
        level = Level(name, dict([parameters.split("=")]))
        asked_so_far = iter(range(10**9))
        plan = level.plan_until(view, 1, lambda: next(asked_so_far) >= patience)  # noqa: B023
        assert fault(game, plan) == ""
        counts.append(nodes_of(level))
    assert counts[0] < counts[1] < 100000


@pytest.mark.parametrize("spec", FAST)
@pytest.mark.parametrize("phase", PHASES)
def test_interrupted_at_once_every_level_answers(phase: str, spec: str) -> None:
    game = by_phase(phase)[0]
    bot = make(spec)
    assert isinstance(bot, Level)
    assert fault(game, bot.plan_until(game.view(game.seat), 1, lambda: True)) == ""
    assert bot.plan(game.view(game.seat), 1) == make(spec).plan(game.view(game.seat), 1)  # and then as before


def test_more_nodes_are_more_thinking() -> None:
    game = by_phase("place")[0]
    counts = []
    for nodes in ("1", "20000", "60000"):
        level = Level("professor", {"nodes": nodes})
        level.plan(game.view(game.seat), 1)
        counts.append(nodes_of(level))
    assert counts[0] < counts[1] < counts[2]
    assert counts[1] >= 20000


@pytest.mark.parametrize("name", LEVELS)
def test_a_moment_is_enough(name: str) -> None:
    for game in (by_phase("place")[0], by_phase("bid")[0]):
        assert fault(game, make(f"{name}:time=1").plan(game.view(game.seat), 1)) == ""


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        (
            "archaeologist",
            "archaeologist: no such bot; there are tourist, digger, mason, adventurer, surveyor, professor",
        ),
        ("", "no such bot"),
        ("Digger", "Digger: no such bot"),
        ("digger:nodes", "give parameters as key=value"),
        ("digger:nodes=1,nodes=2", "give parameters as key=value"),
        ("digger:depth=3", "digger: no parameter depth; there are nodes, time"),
        ("surveyor:width=0", "surveyor: width=0 must be a number from 1 to 512"),
        ("surveyor:width=9999", "must be a number from 1 to 512"),
        ("surveyor:width=wide", "must be a number from 1 to 512"),
        ("professor:nodes=0", "professor: nodes=0 must be a number from 1 to"),
        ("professor:nodes=-5", "must be a number"),
        ("professor:nodes=1e6", "must be a number"),
        ("professor:nodes=²", "must be a number"),
        ("professor:time=0", "professor: time=0 must be a number from 1 to"),
        ("professor:time=99999999999999", "must be a number"),
        ("professor:time=5,nodes=5", "nodes and time exclude each other; give one of them"),
    ],
)
def test_impossible_specs_are_refused(spec: str, said: str) -> None:
    with pytest.raises(BotError) as caught:
        make(spec)
    assert caught.value.code == "option"
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_every_level_has_a_sentence() -> None:
    for row in table().values():
        assert row["sentence"].endswith(".")


def game_of(kind: str, specs: list[str]) -> Game:
    """A whole game of bots."""
    bots = [make(spec) for spec in specs]
    game = Game.new(options_of(kind), seed=f"whole-{kind.replace(' ', '-')}")
    for number in range(3000):
        if game.seat is None:
            return game
        game.play(*bots[game.seat - 1].plan(game.view(game.seat), number))
    raise AssertionError("the game does not end")


@pytest.mark.slow
@pytest.mark.parametrize("kind", sampled(KINDS, "basic", "boulders", "taker decides", "leaps with all"))
def test_whole_games_come_to_an_end(kind: str) -> None:
    """Every level plays in every kind of game, and nobody is stuck."""
    players = options_of(kind).players
    for first in range(0, len(FAST), players):
        seats = [FAST[(first + seat) % len(FAST)] for seat in range(players)]
        assert game_of(kind, seats).over


def wins(one: str, other: str, options: Options, deals: int) -> float:
    """How many games the first bot wins, each deal played from both seats; a shared win counts half."""
    won = 0.0
    for deal in range(deals):
        for seats in ((one, other), (other, one)):
            bots = [make(spec) for spec in seats]
            game = Game.new(options, seed=f"strength-{deal}")
            while game.seat is not None:
                game.play(*bots[game.seat - 1].plan(game.view(game.seat), len(game.history)))
            winners = game.status()["winners"]
            won += (seats.index(one) + 1 in winners) / len(winners)
    return won


@pytest.mark.slow
def test_levels_that_plan_beat_a_level_that_does_not() -> None:
    assert wins("surveyor:width=4", "tourist", Options(), 5) == 10
    assert wins("adventurer", "tourist", Options(), 5) >= 8


VARIANTS: dict[str, dict[str, Any]] = {
    "auction": {"auction": True},
    "instant scoring": {"instant_scoring": True},
    "boulders": {"boulders": "3d6"},
    "obstacles and guns": {"obstacles": True, "machine_gun": True},
    "sudden death": {"auction": True, "sudden_death": True},
    "leaps": {"auction": True, "leaps": True},
}


@pytest.mark.slow
@pytest.mark.parametrize("variant", sampled(VARIANTS, "obstacles and guns", "leaps"))
def test_variants_are_played_better_than_at_random(variant: str) -> None:
    assert wins("surveyor:width=4", "tourist", Options(**VARIANTS[variant]), 2) >= 3


def test_a_view_is_left_as_it_was() -> None:
    for phase in PHASES:
        game = copy(by_phase(phase)[0])
        view = game.view(game.seat)
        before = json.dumps(view)
        for spec in FAST:
            make(spec).plan(view, 1)
        assert json.dumps(view) == before


def test_a_state_is_left_as_it_was() -> None:
    for phase in PHASES:
        game = by_phase(phase)[0]
        state = position(game.view(game.seat)).state
        before = state.export()
        for spec in FAST:
            bot = make(spec)
            assert isinstance(bot, Level)
            bot.actions(state, 1)
        assert state.export() == before


def test_a_turn_that_was_dropped_after_lucky_deals_is_not_listed_above_better_ones() -> None:
    best, second = (Trial(Turn(10.0, (at,)), values) for at, values in enumerate([[30.0, 0.0, 0.0], [29.0, 0.0, -3.0]]))
    lucky = Trial(Turn(10.0, (2,)), [28.0])
    assert lucky.mean() > best.mean()
    listed = judged([lucky, second, best], best)
    assert [turn.actions for turn in listed] == [(0,), (2,), (1,)]
    assert listed[0].value == best.mean()
    assert [turn.value for turn in listed] == sorted((turn.value for turn in listed), reverse=True)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_professor_sees_its_own_next_turn_and_the_replies_to_it(
    monkeypatch: pytest.MonkeyPatch, players: int
) -> None:
    """Every seat draws a tile in each round, so the tiles drawn tell how far the professor has looked."""
    reached: list[int] = []
    outcome = Planner.outcome

    def watched(self: Planner, state: State, seat: int) -> float:
        assert state.seat == seat
        reached.append(state.deck_next)
        return outcome(self, state, seat)

    monkeypatch.setattr(Planner, "outcome", watched)
    game = Game.new(Options(players=players), seed="3")
    bot = make("professor:width=2,candidates=2,nodes=1")
    bot.plan(game.view(1), 1)
    assert reached
    assert set(reached) == {game.state.deck_next + ROUNDS * players}

"""Bots that explain themselves: turns that can be played, values that add up, chances that make sense."""

from __future__ import annotations

import json
import random

import pytest

from tests.bots.samples import PHASES, by_phase, decisions, fault
from tests.play.games import KINDS
from tests.play.hidden import lookalike
from tikal.bots import BotError, make
from tikal.bots.analyse import PARTS, analyse, chances_to_win, part_of
from tikal.bots.bot import Budget
from tikal.bots.search import NAMES
from tikal.play import Game
from tikal.play.view import Json
from tikal.rules.options import Options

FAST = "surveyor:width=4"


def sound(game: Game, told: Json) -> None:
    """All that holds for every analysis."""
    assert json.loads(json.dumps(told)) == told
    assert (told["seat"], told["phase"]) == (game.seat, game.phase)
    assert 1 <= len(told["turns"]) <= 5
    for turn in told["turns"]:
        assert fault(game, turn["actions"][: turn["sure"]]) == ""
        assert list(turn["parts"]) == list(PARTS)
        assert sum(turn["parts"].values()) == pytest.approx(turn["value"])
        assert 0 <= turn["chance"] <= 1
        if game.phase == "act" or (game.phase == "place" and not game.options.leaps):
            assert turn["actions"][-1] == "."
    assert len({tuple(turn["actions"]) for turn in told["turns"]}) == len(told["turns"])
    assert [row["seat"] for row in told["seats"]] == list(range(1, game.options.players + 1))
    assert [row["score"] for row in told["seats"]] == game.status()["scores"]
    assert sum(row["chance"] for row in told["seats"]) == pytest.approx(1)
    assert told["seats"][told["seat"] - 1]["chance"] == told["turns"][0]["chance"]


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_game_can_be_analysed(kind: str) -> None:
    for game in decisions(kind, 5):
        sound(game, analyse(game.view(game.seat), FAST))


@pytest.mark.parametrize("spec", ["digger", FAST, "professor:width=2,candidates=3,nodes=300"])
@pytest.mark.parametrize("phase", PHASES)
def test_every_phase_can_be_analysed(phase: str, spec: str) -> None:
    for game in by_phase(phase)[:4]:
        sound(game, analyse(game.view(game.seat), spec))


@pytest.mark.parametrize("phase", PHASES)
def test_the_first_turn_is_what_the_level_would_play(phase: str) -> None:
    for game in by_phase(phase)[:4]:
        view = game.view(game.seat)
        turn = analyse(view, FAST, seed=3)["turns"][0]
        plan = make(FAST).plan(view, 3)
        count = len(plan) if phase in ("place", "act") else 1  # of a tile to take, the turn with it is a sketch
        assert turn["actions"][: turn["sure"]][:count] == plan[:count]


def test_turns_stand_in_the_order_of_their_values() -> None:
    for phase in ("place", "act"):
        for game in by_phase(phase):
            values = [turn["value"] for turn in analyse(game.view(game.seat), FAST)["turns"]]
            assert values == sorted(values, reverse=True)


def test_a_turn_without_chance_leaves_nothing_unexplained() -> None:
    met = 0
    for phase in ("place", "act"):
        for game in by_phase(phase):
            for turn in analyse(game.view(game.seat), FAST)["turns"]:
                if turn["sure"] == len(turn["actions"]):
                    met += 1
                    assert turn["parts"]["outlook"] == pytest.approx(0, abs=0.01)
    assert met > 20


def test_every_feature_belongs_to_one_part() -> None:
    starts = [start for _, starts in PARTS.values() for start in starts]
    for name in NAMES:
        assert sum(name.startswith(start) for start in starts) == 1, name
        assert part_of(name) not in ("score", "outlook")
    assert {part_of(name) for name in NAMES} == set(PARTS) - {"score", "outlook"}
    assert all(sentence for sentence, _ in PARTS.values())


def test_more_temples_are_told_as_temples() -> None:
    """Two workers in the base camp; the turn that takes a temple is worth more for the temples' sake."""
    game = Game.new(Options(), seed="42")
    game.play(*make("tourist").plan(game.view(1), 1)[:1], "+W@a1", "W:a1-a2")
    told = analyse(game.view(1), FAST)
    still = analyse(game.view(1), FAST)["turns"][0]
    assert still == told["turns"][0]  # the same question, the same answer
    assert told["turns"][0]["parts"]["temples"] > 0


def test_the_same_seed_tells_the_same() -> None:
    for phase in PHASES:
        game = by_phase(phase)[0]
        for spec in (FAST, "professor:width=2,candidates=3,nodes=300"):
            assert analyse(game.view(game.seat), spec, 9) == analyse(game.view(game.seat), spec, 9)


def test_what_is_hidden_changes_nothing() -> None:
    rng = random.Random(1)
    for phase in PHASES:
        for game in by_phase(phase)[:3]:
            twin = lookalike(game, game.seat, rng)
            assert analyse(twin.view(game.seat), FAST) == analyse(game.view(game.seat), FAST)


def test_a_budget_is_for_the_professor() -> None:
    game = by_phase("act")[0]
    told = analyse(game.view(game.seat), Budget(nodes=500))
    sound(game, told)
    assert told["level"] == "professor"
    assert analyse(game.view(game.seat), Budget(nodes=60000))["nodes"] > told["nodes"]


@pytest.mark.parametrize("phase", PHASES)
def test_it_can_be_interrupted(phase: str) -> None:
    game = by_phase(phase)[0]
    view = game.view(game.seat)
    sound(game, analyse(view, "professor:nodes=100000000", stop=lambda: True))
    sound(game, analyse(view, Budget(stop=lambda: True)))


def test_fewer_turns_on_request() -> None:
    game = by_phase("act")[0]
    assert len(analyse(game.view(game.seat), FAST, most=1)["turns"]) == 1
    assert len(analyse(game.view(game.seat), FAST, most=3)["turns"]) == 3


def test_who_is_not_to_move_is_refused() -> None:
    game = Game.new(Options(), seed="1")
    for viewer, who in ((2, "seat 2"), (None, "a spectator")):
        with pytest.raises(BotError, match=f"seat 1 is to move, but this is what {who} sees") as caught:
            analyse(game.view(viewer), FAST)
        assert caught.value.code == "usage"


def test_a_game_that_is_over_is_refused() -> None:
    game = Game.new(Options(), seed="1")
    bot = make("tourist")
    while not game.over:
        game.play(*bot.plan(game.view(game.seat), 1))
    with pytest.raises(BotError, match="the game is over"):
        analyse(game.view(1), FAST)


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("tourist", "tourist can't explain itself; there are digger, surveyor, professor"),
        ("program:tikal engine", "program can't explain itself"),
        ("wizard", "wizard can't explain itself"),
        ("surveyor:width=0", "width=0 must be a number"),
        ("surveyor:nodes=1,time=1", "exclude each other"),
    ],
)
def test_who_can_not_explain_is_refused(spec: str, said: str) -> None:
    with pytest.raises(BotError) as caught:
        analyse(Game.new(Options()).view(1), spec)
    assert said in str(caught.value)
    assert caught.value.code == "option"


def test_the_last_turn_decides() -> None:
    """Before the last `.` of a game all is known: the chances say who will have won."""
    checked = 0
    for seed in range(12):
        game = Game.new(Options(players=2 + seed % 3), seed=f"end-{seed}")
        bots = [make("digger"), make("tourist"), make("tourist"), make("tourist")]
        while not game.over:
            game.play(*bots[(game.seat or 1) - 1].plan(game.view(game.seat), 1))
        winners, scores = game.status()["winners"], sorted(game.status()["scores"])
        game.undo(1)
        if len(winners) == 1 and scores[-1] - scores[-2] > 3 and game.legal() == ["."]:
            checked += 1
            chances = [row["chance"] for row in analyse(game.view(game.seat), FAST)["seats"]]
            assert chances[winners[0] - 1] > 0.99
    assert checked >= 3


def test_chances() -> None:
    assert chances_to_win([60, 60], [9, 9]) == pytest.approx([0.5, 0.5])
    assert chances_to_win([60] * 4, [9] * 4) == pytest.approx([0.25] * 4)
    assert chances_to_win([60, 50], [0, 0]) == pytest.approx([1, 0], abs=1e-6)
    # The difference of two normals is one: 10 points apart, 10 wide each, is Phi(10 / (10 sqrt 2)).
    assert chances_to_win([60, 50], [10, 10])[0] == pytest.approx(0.7602, abs=0.002)
    ahead = [chances_to_win([60 + lead, 60, 55], [12, 12, 12])[0] for lead in range(-20, 30, 5)]
    assert ahead == sorted(ahead)
    assert sum(chances_to_win([71, 64, 80, 3], [16, 9, 0, 5])) == pytest.approx(1)

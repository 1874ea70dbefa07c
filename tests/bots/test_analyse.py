"""Analyses: their turns can be played, their values add up, and their chances make sense."""

from __future__ import annotations

import json
import random

import pytest

from tests.bots.samples import PHASES, by_phase, decisions, fault
from tests.kit.games import KINDS
from tests.kit.hidden import lookalike
from tikal.bots import BotError, make
from tikal.bots.analyse import PARTS, analyse, chances_to_win
from tikal.bots.bot import Budget
from tikal.bots.evaluation import PART_NAMES
from tikal.bots.planner import Turn
from tikal.bots.thinkers import Professor
from tikal.play import Game, notation
from tikal.play.view import Json
from tikal.rules.codes import TURN_AP
from tikal.rules.core import State
from tikal.rules.options import Options
from tikal.rules.tables import TILES

FAST = "surveyor:width=4"


def sound(game: Game, told: Json) -> None:
    """Checks what every analysis must satisfy."""
    assert json.loads(json.dumps(told)) == told
    assert (told["seat"], told["phase"]) == (game.seat, game.phase)
    assert 1 <= len(told["turns"]) <= 5
    for turn in told["turns"]:
        assert fault(game, turn["actions"][: turn["sure"]]) == ""
        assert list(turn["parts"]) == list(PARTS)
        assert sum(turn["parts"].values()) == pytest.approx(turn["value"])
        assert 0 <= turn["chance"] <= 1
        assert all(change["before"] != change["after"] for change in turn["changes"])
        assert all(fear["seat"] != game.seat and 0 < fear["cost"] <= TURN_AP for fear in turn["fears"])
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
def test_the_first_turn_is_the_level_s_choice(phase: str) -> None:
    for game in by_phase(phase)[:4]:
        view = game.view(game.seat)
        turn = analyse(view, FAST, seed=3)["turns"][0]
        plan = make(FAST).plan(view, 3)
        count = len(plan) if phase in ("place", "act") else 1  # after taking a tile, the rest is only a sketch
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


def test_the_parts_are_those_of_the_evaluation_and_the_outlook() -> None:
    assert list(PARTS) == [*PART_NAMES, "outlook"]
    assert all(PARTS.values())


def test_a_gain_at_temples_is_explained_by_temples() -> None:
    """A worker is at a temple, so the turn gains by temples."""
    game = Game.new(Options(), seed="42")
    game.play(game.legal()[0], "+W@a1", "W:a1-a2")
    told = analyse(game.view(1), FAST)
    still = analyse(game.view(1), FAST)["turns"][0]
    assert still == told["turns"][0]  # the same question, the same answer
    assert told["turns"][0]["parts"]["temples"] > 0


def test_the_same_seed_gives_the_same_analysis() -> None:
    for phase in PHASES:
        game = by_phase(phase)[0]
        for spec in (FAST, "professor:width=2,candidates=3,nodes=300"):
            assert analyse(game.view(game.seat), spec, 9) == analyse(game.view(game.seat), spec, 9)


def test_hidden_information_changes_nothing() -> None:
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


def test_a_seat_that_is_not_to_move_is_refused() -> None:
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
        ("program:tikal engine", "program can't explain itself"),
        ("wizard", "wizard can't explain itself"),
        ("surveyor:width=0", "width=0 must be a number"),
        ("surveyor:nodes=1,time=1", "exclude each other"),
    ],
)
def test_a_bot_that_can_not_explain_itself_is_refused(spec: str, said: str) -> None:
    with pytest.raises(BotError) as caught:
        analyse(Game.new(Options()).view(1), spec)
    assert said in str(caught.value)
    assert caught.value.code == "option"


def test_the_last_turn_decides() -> None:
    """Before the last `.` of a game everything is known, so the winner's chance is nearly 1."""
    checked = 0
    for seed in range(12):
        game = Game.new(Options(players=2 + seed % 3), seed=f"end-{seed}")
        bots = [make("digger:mood=0,whims=0"), *(make("tourist:mood=0,whims=0") for _ in range(3))]
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


def test_a_level_that_looks_ahead_lists_only_turns_whose_replies_it_has_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    played: set[tuple[str, ...]] = set()
    ahead = Professor._ahead

    def watched(self: Professor, deal: State, turn: Turn, seed: int) -> float:
        played.add(tuple(map(notation.text, turn.actions)))
        return ahead(self, deal, turn, seed)

    monkeypatch.setattr(Professor, "_ahead", watched)
    for game in by_phase("act")[:4]:
        told = analyse(game.view(game.seat), "professor:width=8,candidates=2,nodes=2000")
        assert {tuple(turn["actions"]) for turn in told["turns"]} <= played or len(told["turns"]) == 1


def deal() -> Game:
    """A game in which everything comes in its order."""
    treasures = [kind for kind in range(1, 9) for _ in range(3)]
    return Game.new(Options(), deck=[tile.name for tile in TILES], treasures=treasures)


def test_the_parts_before_and_after_a_turn_show_its_gain() -> None:
    """Two workers are alone at a temple: levels that they uncover are a gain at temples."""
    game = deal()
    game.play(game.legal()[0], *["+W@a1", "+W@a1", "W:a1-a2", "W:a1-a2", "."])
    game.play(game.legal()[0], ".")
    game.play(game.legal()[0])
    told = analyse(game.view(1), "surveyor:width=20")
    assert told["now"].keys() == told["turns"][0]["parts"].keys() == PARTS.keys()
    digging = [turn for turn in told["turns"] if turn["actions"].count("X@a2") == 2]
    assert digging, "the best turns uncover what they can"
    gained = {part: points - told["now"][part] for part, points in digging[0]["parts"].items()}
    assert gained["temples"] + gained["guards"] > 0  # a guard makes one of the other


def held(game: Game, seat: int) -> set[str]:
    """The temples that would pay a seat now."""
    return set(game.forecast()[seat - 1]["temples"])


def test_changes_match_the_forecast_after_the_turn() -> None:
    """Turn by turn, temples change hands exactly as the forecasts before and after say."""
    met = 0
    for game in by_phase("act"):
        before = [held(game, seat + 1) for seat in range(game.options.players)]
        for turn in analyse(game.view(game.seat), FAST)["turns"]:
            if turn["sure"] < len(turn["actions"]):
                continue
            twin = Game(game.options, game.chance)
            twin.play(*(step.action for step in game.history), *turn["actions"][:-1])
            for seat in range(game.options.players):
                won = {change["hex"] for change in turn["changes"] if change["after"] == seat + 1}
                lost = {change["hex"] for change in turn["changes"] if change["before"] == seat + 1}
                now = held(twin, seat + 1)
                assert (won, lost) == (now - before[seat], before[seat] - now)
                met += len(won) + len(lost)
    assert met > 5


def test_fears_name_the_rival_and_its_cost() -> None:
    """Red controls a2 with one worker. Blue's leader can enter for 1 and walk there for 2."""
    game = deal()
    game.play(game.legal()[0], "+W@a1", "W:a1-a2", ".")
    game.play(game.legal()[0], "+W@a1", "+W@a1", ".")
    game.play(game.legal()[0])
    assert held(game, 1) == {"a2"}
    (fear,) = analyse(game.view(1), FAST)["fears"]
    assert fear == {"hex": "a2", "level": 1, "seat": 2, "cost": 3}

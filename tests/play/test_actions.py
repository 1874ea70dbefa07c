"""Checked actions: illegal ones are refused with the reason, lists are played as a whole or not at all."""

from __future__ import annotations

import pickle
import random
import re

import pytest

from tests.kit.actions import all_actions
from tests.kit.games import choose, copy, exact_game, finished, kinds, moments, options_of
from tikal.play import Game, IllegalAction, TikalError
from tikal.play.game import DiceError
from tikal.play.notation import NotationError
from tikal.rules.options import Options

DECK = ["A5", "A6", "A1", "A2", "A3", "A4"] + [f"B{n}" for n in range(1, 7)] + [f"C{n}" for n in range(1, 6)]
DECK += [f"D{n}" for n in range(1, 6)] + [f"E{n}" for n in range(1, 6)] + [f"F{n}" for n in range(1, 6)]
DECK += [f"G{n}" for n in range(1, 5)]
TREASURES = [3, 1, 2, 4, 5, 6, 7, 8] * 3


def example(**options: object) -> Game:
    """Worked example 1 of the rules, as far as the first dig."""
    dice = [11] * 48 if options.get("boulders") else None
    game = Game.new(Options(**options), deck=DECK, treasures=TREASURES, dice=dice)  # type: ignore[arg-type]
    game.play("A5@b3^0", "+L@a1", "L:a1-b2", "L:b2-b3")
    return game


def fingerprint(game: Game) -> tuple[object, ...]:
    """Everything that could change."""
    return game.state.key(), game.legal(), list(game.history), game.status(), game.record(reveal=True)


@pytest.mark.parametrize(
    ("action", "code", "rule", "reason"),
    [
        ("A6@b3^0", "phase", "3", "the seat must spend action points, or end the turn (.)"),
        ("D@b2", "terrain", "4", "b2 is not a treasure tile"),
        ("X@a2", "members", "R5", "a member must be on a2 to take a level"),
        ("L:b3-a3", "unexplored", "4", "a3 is not explored"),
        ("W:a1-b2", "absent", "4", "the seat has no worker on a1"),
        ("C@b2", "members", "8", "a member of the seat must be on b2"),
        ("S:2:1/1", "same", "R12", "a kind can't be exchanged for the same kind"),
        ("O:a1-b2", "variant", "10.3", "obstacles belong to the variant obstacles, which is off"),
        ("B:5", "phase", "3", "the seat must spend action points, or end the turn (.)"),
    ],
)
def test_a_refusal_names_the_action_the_reason_and_the_rule(action: str, code: str, rule: str, reason: str) -> None:
    game = example()
    with pytest.raises(IllegalAction) as caught:
        game.play(action)
    error = caught.value
    assert (error.action, error.code, error.rule) == (action, code, rule)
    assert str(error) == error.text == f"{action}: {reason} [{rule if rule[0] == 'R' else 'rules ' + rule}]"


@pytest.mark.parametrize("kind", kinds(3))
def test_whatever_is_not_legal_is_refused_and_changes_nothing(kind: str) -> None:
    rng = random.Random(kind)
    every = all_actions()
    refused = 0
    for game in moments(exact_game(options_of(kind), rng), rng, share=0.05):
        before = fingerprint(game)
        legal = set(game.legal())
        for action in rng.sample(every, 60):
            if action in legal:
                continue
            with pytest.raises(IllegalAction, match=rf"^{re.escape(action)}: .+ \[(rules )?R?\d[\d.]*\]$"):
                game.play(action)
            refused += 1
        assert fingerprint(game) == before
    assert refused > 200


def test_the_message_of_a_high_bid_is_about_the_score() -> None:
    game = Game.new(Options(auction=True), seed="1")
    with pytest.raises(IllegalAction, match=r"B:123456789: can't be more than the bidder's score, 20 \[R4\]"):
        game.play("B:123456789")


@pytest.mark.parametrize("at", range(4))
def test_a_list_is_played_as_a_whole_or_not_at_all(at: int) -> None:
    game = example()
    good = ["D@b3", "+W@a1", "+W@a1", "W:a1-a2"]
    before = fingerprint(game)
    for bad, error in (("X@b3", IllegalAction), ("nonsense", NotationError), ("D@b3(8)", IllegalAction)):
        with pytest.raises(error, match=re.escape(bad.partition("(")[0])):
            game.play(*good[:at], bad, *good[at:])
        assert fingerprint(game) == before
    game.play(*good)
    assert [step.text for step in game.history[-4:]] == ["D@b3(3)", *good[1:]]


def test_playing_nothing_changes_nothing() -> None:
    game = example()
    before = fingerprint(game)
    game.play()
    assert fingerprint(game) == before


def test_foreseeing_changes_nothing() -> None:
    game = example()
    before = fingerprint(game)
    states, steps = game.foresee(["D@b3", "."])
    assert fingerprint(game) == before
    game.play("D@b3", ".")
    assert states[-1].key() == game.state.key()
    assert steps == list(game.history[-2:])


def test_a_value_in_brackets_that_agrees_is_the_same_as_none() -> None:
    one, other = example(boulders="3d6"), example(boulders="3d6")
    more = ["+W@a1", "W:a1-a2", "X@a2"]
    one.play("D@b3", "+W@a1", "W:a1-a2")
    other.play("D@b3(3)", "+W@a1", "W:a1-a2")
    assert fingerprint(one) == fingerprint(other)
    one = Game.new(Options(boulders="3d6"), deck=DECK, treasures=TREASURES, dice=[11] * 48)
    other = copy(one)
    one.play("A5@b3^0", *more)
    other.play("A5@b3^0", *more[:-1], "X@a2(11)")
    assert fingerprint(one) == fingerprint(other)


def test_a_wrong_value_in_brackets_is_illegal_and_reveals_nothing() -> None:
    dig, roll = example(), Game.new(Options(boulders="3d6"), deck=DECK, treasures=TREASURES, dice=[11] * 48)
    roll.play("A5@b3^0", "+W@a1", "W:a1-a2")
    for game, action, right, values in ((dig, "D@b3", 3, range(1, 21)), (roll, "X@a2", 11, range(1, 21))):
        before = fingerprint(game)
        texts = set()
        for value in values:
            if value != right:
                with pytest.raises(IllegalAction) as caught:
                    game.play(f"{action}({value})")
                texts.add(str(caught.value).replace(f"({value})", "(n)"))
                assert caught.value.code == "chance"
        assert texts == {f"{action}(n): the value in brackets is not what chance gives here"}
        assert fingerprint(game) == before


def test_a_value_in_brackets_where_nothing_is_rolled_is_illegal() -> None:
    game = example()
    game.play("+W@a1", "W:a1-a2")
    with pytest.raises(IllegalAction, match=r"X@a2\(11\): the value in brackets is not what chance gives here"):
        game.play("X@a2(11)")


def test_an_illegal_action_is_refused_for_its_reason_whatever_its_brackets_say() -> None:
    game = example()
    for value in range(1, 9):
        with pytest.raises(IllegalAction, match=r"^D@a2: a2 is not a treasure tile \[rules 4\]$"):
            game.play(f"D@a2({value})")


def test_dice_that_ran_out_have_their_own_error() -> None:
    game = Game.new(Options(boulders="2d6"), deck=DECK, treasures=TREASURES, dice=[12])
    game.play("A5@b3^0", "+W@a1", "+W@a1", "W:a1-a2", "W:a1-a2", "X@a2")
    assert "X@a2" in game.legal()
    before = fingerprint(game)
    for actions in (["X@a2"], ["X@a2", "."], ["X@a2(12)"]):
        with pytest.raises(DiceError, match=r"^dice: all 1 given sums are used up$") as caught:
            game.play(*actions)
        assert caught.value.code == "dice"
    assert fingerprint(game) == before


def test_a_finished_game_takes_no_action() -> None:
    game = copy(finished("basic"))
    assert (game.phase, game.seat, game.over, game.legal()) == ("over", None, True, [])
    for action in (".", "+W@a1", "B:-", "A5@b3^0"):
        with pytest.raises(IllegalAction, match=r": the game is over \[rules 3\]$"):
            game.play(action)


def test_errors_travel_between_processes() -> None:
    with pytest.raises(IllegalAction) as caught:
        example().play("X@a2")
    again = pickle.loads(pickle.dumps(caught.value))
    assert (again.code, again.text, again.action, again.rule) == ("members", str(caught.value), "X@a2", "R5")
    assert isinstance(again, TikalError)
    with pytest.raises(NotationError) as refused:
        example().play("hello")
    again = pickle.loads(pickle.dumps(refused.value))
    assert (again.code, again.text, again.values["text"]) == ("illegal", str(refused.value), "hello")


def test_actions_are_checked_before_the_core_sees_them() -> None:
    """Every played action was legal just before: the lists of legal actions are complete."""
    rng = random.Random(5)
    game = exact_game(options_of("leaps with all"), rng)
    while not game.over:
        legal = game.legal()
        assert legal == sorted(set(legal))
        action = choose(game, rng)
        assert action in legal
        game.play(action)

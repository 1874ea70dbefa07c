"""`Action`: every form of the notation taken apart once, and put together again."""

from __future__ import annotations

import pytest

from tests.kit.actions import all_actions
from tests.kit.games import idle_until
from tikal.play import Action, Game
from tikal.play.action import KINDS
from tikal.play.notation import NotationError
from tikal.rules.options import Options

ROWS: list[tuple[str, dict[str, object]]] = [
    ("A5@b3^2", {"kind": "place", "tile": "A5", "hexes": ("b3",), "rotation": 2}),
    ("+W@a1", {"kind": "enter", "member": "W", "hexes": ("a1",)}),
    ("L:a1-b2", {"kind": "move", "member": "L", "hexes": ("a1", "b2")}),
    ("W:a1=d3", {"kind": "camp_move", "member": "W", "hexes": ("a1", "d3")}),
    ("X@a2", {"kind": "excavate", "hexes": ("a2",)}),
    ("D@b3", {"kind": "dig", "hexes": ("b3",)}),
    ("S:2:3/5", {"kind": "exchange", "seat": 2, "give": 3, "take": 5}),
    ("C@b2", {"kind": "camp", "hexes": ("b2",)}),
    ("GL@c3", {"kind": "guard", "member": "L", "hexes": ("c3",)}),
    (".", {"kind": "end"}),
    ("B:150", {"kind": "bid", "number": 150}),
    ("B:-", {"kind": "pass", "number": 0}),
    ("K:A5", {"kind": "take", "tile": "A5"}),
    ("O:a1-a2", {"kind": "obstacle", "hexes": ("a1", "a2")}),
    ("M@c3", {"kind": "gun", "hexes": ("c3",)}),
    ("R:2@c3", {"kind": "shoot", "seat": 2, "hexes": ("c3",)}),
    ("V:+", {"kind": "score_volcano"}),
    ("V:-", {"kind": "skip_volcano"}),
    ("J:3", {"kind": "leap", "number": 3}),
]


@pytest.mark.parametrize(("text", "parts"), ROWS, ids=[text for text, _ in ROWS])
def test_the_parts_of_an_action(text: str, parts: dict[str, object]) -> None:
    action = Action.parse(text)
    assert action == Action(text=text, code=action.code, **parts)  # type: ignore[arg-type]


def test_every_kind_is_taken_apart_here() -> None:
    assert [parts["kind"] for _text, parts in ROWS] == list(KINDS)


def test_every_action_becomes_the_same_text_again() -> None:
    for text in all_actions():
        action = Action.parse(text)
        assert (action.text, Action.of(action.code)) == (text, action)
        assert action.kind in KINDS


def test_other_text_is_not_an_action() -> None:
    with pytest.raises(NotationError, match="a1-b2: no action is written like that"):
        Action.parse("a1-b2")


def test_a_cost_is_that_of_the_offer() -> None:
    game = Game.new(Options(), seed=1)
    game.play(game.legal()[0], "+W@a1")
    costs = {row["action"]: row["cost"] for row in game.offer()["actions"]}
    assert costs == {text: Action.parse(text).cost(game.state) for text in game.legal()}


def test_what_each_seat_may_know_of_the_steps() -> None:
    game = Game.new(Options(players=3, auction=True, leaps=True), seed=1)
    idle_until(game, lambda game: game.phase == "leap")
    asked = [seat for seat in [game.seat] if seat]
    assert (game.secret, game.just_shown()) == (0, {})
    game.play("J:2")
    asked.append(game.seat or 0)
    game.play("J:3")
    at = len(game.history)
    assert game.secret == 2
    assert game.public_history == game.history[: at - 2]
    assert [game.step_for(at, seat).action for seat in (*asked, None)] == ["J:?", "J:3", "J:?"]
    assert [game.step_for(at - 1, seat).action for seat in (*asked, None)] == ["J:2", "J:?", "J:?"]
    assert game.step_for(1, None) == game.history[0]
    last = game.seat or 0
    game.play("J:1")
    assert (game.secret, game.public_history) == (0, game.history)
    assert game.just_shown() == {asked[0]: 2, asked[1]: 3, last: 1}
    assert game.step_for(at, None).action == "J:3"
    game.play(".")
    assert game.just_shown() == {}

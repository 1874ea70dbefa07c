"""Whole games as JSON and back, with their history; and other JSON."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.games import choose, copy, exact_game, finished, kinds, moments, options_of, scaled, sealed_game, seats
from tests.kit.spoil import JSON, spoil
from tikal.play import Game
from tikal.play.game import Gone, LoadError
from tikal.rules import RULES_VERSION
from tikal.rules.options import Options


def same(one: Game, other: Game) -> None:
    """Two games are equal in everything observable."""
    assert one.to_json() == other.to_json()
    assert (one.state.key(), list(one.history), one.legal()) == (other.state.key(), list(other.history), other.legal())
    assert (one.options, one.chance, one.seed, one.nonces) == (other.options, other.chance, other.seed, other.nonces)
    assert one.record(reveal=True) == other.record(reveal=True)
    assert [one.view(viewer) for viewer in seats(one)] == [other.view(viewer) for viewer in seats(one)]
    assert (one.can_take_back(), one.commitment) == (other.can_take_back(), other.commitment)


@pytest.mark.parametrize("kind", kinds(3))
@pytest.mark.parametrize("by_seed", [True, False])
def test_a_game_is_the_same_after_json_and_back(kind: str, by_seed: bool) -> None:
    rng = random.Random(f"{kind}{by_seed}")
    options = options_of(kind)
    game = Game.new(options, seed="there", nonces=("and", "back")) if by_seed else exact_game(options, rng)
    for each in moments(game, rng, share=0.02):
        same(each, Game.from_json(json.loads(json.dumps(each.to_json()))))


@pytest.mark.parametrize("kind", kinds(0))
def test_a_loaded_game_can_be_played_and_undone_as_before(kind: str) -> None:
    rng = random.Random(f"on {kind}")
    half = len(finished(kind).history) // 2
    game = copy(finished(kind), half)
    again = Game.from_json(game.to_json())
    for _ in range(20):
        action = choose(game, rng)
        game.play(action)
        again.play(action)
    same(game, again)
    game.undo(20 + half // 2)
    again.undo(20 + half // 2)
    same(game, again)


def test_a_game_whose_tiles_left_it_is_the_same_after_json_and_back() -> None:
    game = sealed_game(players=4, auction=True, leaps=True)
    assert game.history[-1].gone == (Gone(1, "G3"), Gone(2, "G4"))
    same(game, Game.from_json(game.to_json()))


def stored() -> Any:
    game = Game.new(Options(boulders="2d6"), seed="42", nonces=("ann", "bob"))
    game.play(game.legal()[0], "+W@a1")
    return game.to_json()


def test_a_stored_game_holds_these() -> None:
    made = stored()
    assert list(made) == [
        "format", "rules", "options", "deck", "treasures", "dice", "seed", "nonces", "actions", "status",
    ]  # fmt: skip
    assert (made["format"], made["rules"]) == (1, RULES_VERSION)
    assert (made["seed"], made["nonces"], made["actions"][1]) == ("42", ["ann", "bob"], "+W@a1")
    assert json.loads(json.dumps(made)) == made


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"format": 2}, "only format 1 of rules 1 can be loaded"),
        ({"rules": 0}, "only format 1 of rules 1 can be loaded"),
        ({"options": {"players": 7}}, "players=7: must be one of 2, 3, 4"),
        ({"options": {"colour": 1}}, "unexpected keyword argument 'colour'"),
        ({"options": None}, "not an output of `state`"),
        ({"options": {}}, "dice: only the variant boulders rolls dice"),
        ({"deck": ["A1"]}, "35 tiles are missing"),
        ({"deck": "A1"}, "deck must be a list of str"),
        ({"deck": [1]}, "deck must be a list of str"),
        ({"treasures": [1] * 24}, "must be 24 kinds, 3 of each"),
        ({"treasures": [True] * 24}, "treasures must be a list of int"),
        ({"treasures": [1.0] * 24}, "treasures must be a list of int"),
        ({"dice": [99] * 48}, "every sum of 2d6 is from 2 to 12"),
        ({"dice": None}, "dice must be a list of int"),
        ({"seed": "43"}, "the seed does not give this deck, treasures and dice"),
        ({"seed": ""}, "seed: must be 1 to 200 printable"),
        ({"seed": 42}, "seed must be a str"),
        ({"nonces": ["bob", "ann"]}, "the seed does not give this deck"),
        ({"nonces": ["a/b"]}, "nonce: must be"),
        ({"seed": None, "nonces": ["two words"]}, "nonce: must be"),
        ({"nonces": "ann"}, "nonces must be a list of str"),
        ({"actions": ["X@a2"]}, "X@a2: a tile must be placed first"),
        ({"actions": "..."}, "actions must be a list of str"),
        ({"actions": [["."]]}, "actions must be a list of str"),
        ({"actions": []}, "the actions do not lead to this status"),
        ({"status": {}}, "the actions do not lead to this status"),
    ],
)
def test_an_impossible_stored_game_is_refused(changes: dict[str, Any], reason: str) -> None:
    made = stored() | changes
    with pytest.raises(LoadError, match=f"^state: .*({reason})") as caught:
        Game.from_json(made)
    assert caught.value.code == "load"
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("key", list(stored()))
def test_every_part_of_a_stored_game_is_needed(key: str) -> None:
    made = stored()
    del made[key]
    with pytest.raises(LoadError, match=rf"^state: not an output of `state` \(KeyError: '{key}'\)$"):
        Game.from_json(made)


@pytest.mark.parametrize("made", [None, 5, "game", [], {}, [{}], True])
def test_other_json_is_refused_as_a_stored_game(made: Any) -> None:
    with pytest.raises(LoadError, match=r"^state: not an output of `state`"):
        Game.from_json(made)


def test_deep_nesting_is_refused() -> None:
    deep: Any = []
    for _ in range(5000):
        deep = [deep]
    for name in stored():
        with pytest.raises(LoadError, match=r"^state: "):
            Game.from_json(stored() | {name: deep})


def test_a_corrupted_game_is_refused_or_is_another_game() -> None:
    for seed in range(scaled(400)):
        rng = random.Random(seed)
        made = json.loads(json.dumps(stored()))
        for _ in range(rng.choice((1, 1, 2))):
            spoil(made, rng)
        try:
            game = Game.from_json(made)
        except LoadError:
            continue
        same(game, Game.from_json(json.loads(json.dumps(game.to_json()))))


@given(JSON, st.sampled_from(list(stored())))
def test_any_json_in_any_place_is_refused(value: Any, key: str) -> None:
    with pytest.raises(LoadError):
        Game.from_json(value)
    harmless = [stored()[key], []] + [None] * (key == "seed")  # without a seed the chance is exact
    if value not in harmless and key != "options":
        with pytest.raises(LoadError):
            Game.from_json(stored() | {key: value})

"""States and games can be copied and pickled: small, versioned, and readable whether the core is compiled or not."""

from __future__ import annotations

import copy
import os
import pickle
import subprocess
import sys
from typing import Any

import pytest

from tests.kit.games import finished, kinds
from tikal.play import Game
from tikal.play.game import LoadError
from tikal.rules.core import Moves
from tikal.rules.errors import TikalError
from tikal.rules.options import Options
from tikal.rules.pickling import packed, unpacked

SMALL = 3000  # bytes of a pickled state; the state itself has some 1,500

# Reads a pickle, prints its mode, plays every game to its end, and pickles it again.
OTHER_MODE = """
import pickle, sys
from tikal.rules import core
games = pickle.loads(sys.stdin.buffer.read())
states = [game.state for game in games]
assert [pickle.loads(pickle.dumps(state)).export() for state in states] == [state.export() for state in states]
sys.stdout.buffer.write(pickle.dumps((str(core.__file__).endswith(".py"), games, states)))
"""


@pytest.mark.parametrize("kind", kinds(1))
def test_a_state_is_the_same_after_pickling_and_copying(kind: str) -> None:
    game = finished(kind)
    for at in range(0, len(game.history), 40):
        state = game.state_at(at)
        dumped = pickle.dumps(state)
        assert len(dumped) < SMALL
        for twin in (pickle.loads(dumped), copy.copy(state), copy.deepcopy(state)):
            assert (type(twin), twin.key(), twin.settings()) == (type(state), state.key(), state.settings())
            assert twin.export() == state.export()


def test_a_copy_of_a_state_is_a_state_of_its_own() -> None:
    state = Game.new(Options(), seed=1).state
    twin = copy.deepcopy({"state": state})["state"]
    before = state.export()
    moves = Moves()
    twin.legal(moves)
    twin.apply(moves[0])
    assert state.export() == before != twin.export()


@pytest.mark.parametrize("kind", kinds(2))
def test_a_game_is_the_same_after_pickling_and_copying(kind: str) -> None:
    game = finished(kind)
    for twin in (pickle.loads(pickle.dumps(game)), copy.copy(game), copy.deepcopy(game)):
        assert (twin.to_json(), twin.history) == (game.to_json(), game.history)
        twin.undo(3)
        assert len(twin.history) == len(game.history) - 3
        assert twin.status() == Game.from_json(twin.to_json()).status()


def test_pickles_are_read_in_the_other_mode_and_back() -> None:
    games = [finished(kind) for kind in ("basic", "boulders", "leaps with all")]
    pure = not os.environ.get("TIKAL_PURE")
    environment = {name: value for name, value in os.environ.items() if name != "TIKAL_PURE"}
    environment |= {"TIKAL_PURE": "1"} if pure else {}
    done = subprocess.run(
        [sys.executable, "-c", OTHER_MODE], input=pickle.dumps(games), capture_output=True, env=environment, check=True
    )
    uncompiled, again, states = pickle.loads(done.stdout)
    assert uncompiled == pure
    assert [game.to_json() for game in again] == [game.to_json() for game in games]
    assert [state.export() for state in states] == [game.state.export() for game in games]


def test_another_format_is_refused() -> None:
    state = Game.new(Options(), seed="1").state
    form, varied, settings, fields = packed(state)
    with pytest.raises(TikalError, match="a state of format 2 can't be read; this version reads format 1"):
        unpacked(form + 1, varied, settings, fields)
    make, (form, *parts) = Game.new(Options(), seed="1").__reduce__()
    with pytest.raises(LoadError, match="a game pickled in format 2 can't be read; this version reads 1"):
        make(form + 1, *parts)


@pytest.mark.parametrize("action", [-1, 0, 31, 1 << 22, 10**30, "X@a2", None])
def test_apply_refuses_illegal_actions_and_changes_nothing(action: Any) -> None:
    state = Game.new(Options(), seed="1").state.clone()
    before = state.export()
    with pytest.raises(TikalError, match="is not a legal action here; `legal` lists those that are"):
        state.apply(action)
    assert state.export() == before


def test_a_number_is_a_seed_and_anything_else_is_refused() -> None:
    assert Game.new(Options(), seed=42).to_json() == Game.new(Options(), seed="42").to_json()
    for wrong in (4.2, True, b"42", ["42"]):
        with pytest.raises(TikalError, match="seed: must be 1 to 200 printable ASCII characters"):
            Game.new(Options(), seed=wrong)  # type: ignore[arg-type]

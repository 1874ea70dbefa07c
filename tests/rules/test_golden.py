"""The golden games of `tests/golden` replay to the same end, in the core and in the oracle."""

from __future__ import annotations

import json
import re
from collections import Counter

import pytest

from tests.golden.make import EXACT, FOLDER, GAMES, path, written
from tests.oracle import Oracle
from tests.rules.second_reading import kind
from tikal.play import Game
from tikal.play.notation import parse
from tikal.play.records import verify
from tikal.rules.core import Moves

EVERY_GAME = pytest.mark.parametrize("name", GAMES)


def test_the_files_are_the_games_of_the_list() -> None:
    assert {file.stem for file in FOLDER.glob("*.tikal")} == set(GAMES)


@EVERY_GAME
def test_a_golden_game_replays_to_the_same_end(name: str) -> None:
    text = path(name).read_text("utf-8")
    game = Game.from_record(text)
    assert game.over
    position = dict(re.findall(r"^# (\w+): (.*)$", text, re.MULTILINE))
    assert {key: json.loads(value) for key, value in position.items()} == game.status()
    assert written(name, game) == text
    assert verify(text).ok
    assert ("[Deck " in text) == (name in EXACT)


@pytest.mark.once  # the core reaches the end that is in the file, in both modes
@EVERY_GAME
def test_the_oracle_reaches_the_same_end(name: str) -> None:
    game = Game.from_record(path(name).read_text("utf-8"))
    chance = game.chance
    oracle = Oracle(game.options.as_dict(), list(chance.deck), list(chance.treasures), list(chance.dice))
    for step in game.history:
        assert oracle.seat == step.seat
        oracle.play(step.action)
    assert oracle.status() == game.status()


@EVERY_GAME
def test_every_action_of_a_golden_game_is_legal_in_the_core(name: str) -> None:
    game = Game.from_record(path(name).read_text("utf-8"))
    state, moves = game.state_at(0).clone(), Moves()
    for step in game.history:
        state.legal(moves)
        assert parse(step.action) in list(moves)
        state.apply(parse(step.action))
    assert state.key() == game.state.key()


def test_the_golden_games_show_every_action() -> None:
    seen: Counter[str] = Counter()
    for name in GAMES:
        text = path(name).read_text("utf-8")
        seen.update(kind(step.action) for step in Game.from_record(text).history)
        seen["@-"] += text.count("@-")
    every = "place +W +L W- W= L- L= X D S C GW GL . B B- K O M R V J @-"
    assert sorted(seen) == sorted(every.split(" "))

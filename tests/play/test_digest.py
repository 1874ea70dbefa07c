"""Digests of positions: equal for the same game, in all stored formats, and different for any other."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tikal.play import Game
from tikal.play.digest import digest
from tikal.rules.options import Options

STORED = json.loads((Path(__file__).parent / "stored-games.json").read_text("utf-8"))
FORMATS = ("3:", "2:", "")


def digest_of(game: Game, like: str) -> str:
    return digest(game.state, game.view(None), like)


@pytest.mark.parametrize("stored", STORED, ids=[stored["kind"] for stored in STORED])
def test_games_stored_by_version_0_1_come_to_the_same_positions(stored: dict[str, Any]) -> None:
    game = Game.new(Options.parse(stored["options"]), seed=stored["seed"])
    for action, kept in stored["events"]:
        game.play(action)
        assert digest_of(game, kept) == kept
    assert (game.over, game.status()["scores"]) == (True, stored["scores"])
    assert digest_of(game, "") == stored["digest_1"]


@pytest.mark.parametrize("like", FORMATS)
def test_a_digest_notices_another_seed_and_another_action(like: str) -> None:
    game, other = Game.new(Options(), seed="42"), Game.new(Options(), seed="43")
    before = digest_of(game, like)
    assert before != digest_of(other, like)
    game.play(game.legal()[0])
    assert before != digest_of(game, like)


def test_empty_values_are_left_out_of_a_digest() -> None:
    game = Game.new(Options(), seed="42")
    seen = game.view(None)
    assert digest(game.state, seen | {"added_later": [{}, {}], "also": None}) == digest_of(game, "3:")
    assert digest(game.state, seen | {"added_later": [{}, {"a2": 1}]}) != digest_of(game, "3:")


def test_the_viewer_makes_no_difference() -> None:
    game = Game.new(Options(), seed="42")
    assert digest(game.state, game.view(2)) == digest_of(game, "3:")

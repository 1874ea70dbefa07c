"""Digests of positions: equal for the same game, in all stored formats, and different for any other."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tikal.play import Game
from tikal.play.digest import FORMAT, digest, digest_like
from tikal.play.view import hidden
from tikal.rules.options import Options

STORED = json.loads((Path(__file__).parent / "stored-games.json").read_text("utf-8"))
FORMATS = (FORMAT, "3:", "2:", "")


@pytest.mark.parametrize("stored", STORED, ids=[stored["kind"] for stored in STORED])
def test_games_stored_by_version_0_1_come_to_the_same_positions(stored: dict[str, Any]) -> None:
    game = Game.new(Options.parse(stored["options"]), seed=stored["seed"])
    for action, kept in stored["events"]:
        game.play(action)
        assert digest_like(kept, game.state) == kept
    assert (game.over, game.status()["scores"]) == (True, stored["scores"])
    for kept in (stored["digest_1"], stored["digest_3"]):
        assert digest_like(kept, game.state) == kept


@pytest.mark.parametrize("like", FORMATS)
def test_a_digest_notices_another_seed_and_another_action(like: str) -> None:
    game, other = Game.new(Options(), seed="42"), Game.new(Options(), seed="43")
    before = digest_like(like, game.state)
    assert before != digest_like(like, other.state)
    game.play(game.legal()[0])
    assert before != digest_like(like, game.state)


def test_a_digest_is_that_of_the_spectator_s_view_and_the_chance() -> None:
    game = Game.new(Options(), seed="42")
    seen = {name: value for name, value in game.view(2).items() if name not in ("viewer", "options")}
    parts = [json.dumps(part, separators=(",", ":")).encode() for part in (seen, hidden(game.state))]
    assert digest(*parts) == digest_like(FORMAT, game.state)

"""What goes out has exactly the shapes of the OpenAPI document. (Every other test here checks its answers, too.)"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from tikal.bots.analyse import analyse
from tikal.play import Game
from tikal.play.offer import offer
from tikal.play.view import view
from tikal.rules.options import VARIANTS, Options
from tikal.server import answers, openapi, projection
from tikal.server.openapi import TABLE
from tikal.server.projection import Entry, Viewer, entry_of_play
from tikal.server.room import check
from tikal.server.thinking import fallback

GAMES: list[dict[str, str]] = [
    {"players": "4"},
    {"auction": "true", "edition": "rio-grande"},
    {"instant_scoring": "true", "players": "3", "edition": "classic"},
    {"boulders": "1d20", "obstacles": "true", "machine_gun": "true"},
    {"auction": "true", "sudden_death": "true", "double_volcano": "taker_decides", "players": "3"},
    {"auction": "true", "leaps": "true", "players": "3"},
]


def fits(shape: type[BaseModel], value: Any) -> None:
    shape.model_validate_json(projection.text(value), strict=True)


def test_every_variant_is_among_the_games() -> None:
    assert {name for game in GAMES for name in game} >= set(VARIANTS)


@pytest.mark.parametrize("options", GAMES, ids=str)
def test_whole_games_for_every_viewer(options: dict[str, str]) -> None:
    game = Game.new(Options.parse(options), seed="shapes")
    rng = random.Random(str(options))
    entries: list[Entry] = []
    viewers = [Viewer(frozenset({seat})) for seat in range(1, game.options.players + 1)] + [Viewer()]
    while not game.over:
        useful = [action for action in game.legal() if action[0] in "XDCGSOMRJV"] or game.legal()
        game.play(rng.choice(useful if rng.random() < 0.6 else game.legal()))
        entries.append(entry_of_play(len(entries) + 1, game, 1))
        for viewer in viewers:
            fits(answers.Update, projection.update(TABLE, game, len(entries), entries[-1:], viewer, None, 1))
    for at in range(0, len(game.history) + 1, 7):
        fits(answers.ReplayBody, projection.replay(game, at, rng.choice([None, 1, 2])))
    fits(answers.Scores, projection.scores(game))
    for viewer in viewers:
        fits(answers.EventList, {"seq": len(entries), "events": projection.events(entries, game, viewer)})


@pytest.mark.parametrize("options", GAMES, ids=str)
def test_analyses(options: dict[str, str]) -> None:
    game = Game.new(Options.parse(options), seed="shapes")
    rng = random.Random(0)
    phases = set()
    for _ in range(60):
        if game.phase not in phases:
            phases.add(game.phase)
            assert game.seat is not None
            fits(answers.Analysis, analyse(game.view(game.seat), "surveyor:width=2"))
        game.play(rng.choice(game.legal()))


def test_every_door_has_an_example_that_fits() -> None:
    document = openapi.document()
    for path, doors in document["paths"].items():
        for method, door in doors.items():
            for status, answer in door["responses"].items():
                for body in answer.get("content", {}).values():
                    assert body.get("example"), (path, method, status)
            body = door.get("requestBody", {}).get("content", {}).get("application/json")
            if body is not None:
                shape = document["components"]["schemas"][body["schema"]["$ref"].rpartition("/")[2]]
                assert shape["examples"], (path, method)
    for name, schema in document["components"]["schemas"].items():
        shape = getattr(answers, name, None)
        for example in schema.get("examples", []):
            if shape is not None:
                fits(shape, example)
    for name, example in openapi.examples().items():
        fits(getattr(answers, name), example)


def test_the_messages_of_the_socket_are_in_the_document() -> None:
    schemas = openapi.document()["components"]["schemas"]
    for name, says in (("ClientMessage", 7), ("ServerMessage", 6)):
        references = [row["$ref"].rpartition("/")[2] for row in schemas[name]["oneOf"]]
        assert len(references) == says and set(references) <= set(schemas)


def test_the_document_can_be_written_without_a_server(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert openapi.main([str(tmp_path / "openapi.json")]) == 0
    assert openapi.main([]) == 0
    written = json.loads((tmp_path / "openapi.json").read_text(encoding="utf-8"))
    assert written == json.loads(capsys.readouterr().out) == openapi.document()


@pytest.mark.parametrize("options", GAMES, ids=str)
def test_what_is_made_once_for_all_viewers_is_changed_by_nobody(options: dict[str, str]) -> None:
    game = Game.new(Options.parse(options), seed="shared")
    rng = random.Random(str(options))
    for _ in range(60):
        seat = game.seat or 1
        told = projection.position(game, Viewer(frozenset({seat})))
        before = projection.text(told)
        assert fallback(told["view"], 1)  # thinks in our own process, with what others are told
        assert check(game.state) == check(game.state.clone())
        assert projection.text(projection.position(game, Viewer(frozenset({seat})))) == before
        assert projection.text(told["view"]) == projection.text(view(game.state.clone(), game.options, seat))
        assert projection.text(told["offer"]) == projection.text(offer(game.state.clone()))
        game.play(rng.choice(game.legal()))

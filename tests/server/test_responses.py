"""Responses have exactly the schemas of the OpenAPI document. (Every other test here checks its answers, too.)"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any, get_type_hints

import pytest
from pydantic import BaseModel

from tikal.bots.analyse import analyse
from tikal.play import Game
from tikal.play.offer import offer
from tikal.play.view import view
from tikal.rules.options import VARIANTS, Options
from tikal.server import openapi
from tikal.server.bots.task import think
from tikal.server.http import responses
from tikal.server.live import projected, projection
from tikal.server.live.endings import NO_EVENTS
from tikal.server.live.projection import Entry, Live, Moment, Viewer, entry_of_play
from tikal.server.live.room import check
from tikal.server.openapi import TABLE

GAMES: list[dict[str, str]] = [
    {"players": "4"},
    {"auction": "true", "edition": "rio-grande"},
    {"instant_scoring": "true", "players": "3", "edition": "classic"},
    {"boulders": "1d20", "obstacles": "true", "machine_gun": "true"},
    {"auction": "true", "sudden_death": "true", "double_volcano": "taker_decides", "players": "3"},
    {"auction": "true", "leaps": "true", "players": "3"},
]


def fits(shape: type[BaseModel], value: Any) -> None:
    shape.model_validate_json(projection.as_json(value), strict=True)


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
        live = Live(None, NO_EVENTS, projection.secret_events(reversed(entries), game))
        moment = Moment.of(TABLE, game, len(entries), None, 1, live)
        for viewer in viewers:
            fits(responses.Update, moment.update(viewer, entries[-1:]))
    for at in range(0, len(game.history) + 1, 7):
        fits(responses.ReplayBody, projection.replay(game, at, rng.choice([None, 1, 2])))
    fits(responses.Scores, projection.scores(game))
    fits(responses.EventList, {"seq": len(entries), "events": projection.events(entries, projection.NONE, None)})


@pytest.mark.parametrize("options", GAMES, ids=str)
def test_analyses(options: dict[str, str]) -> None:
    game = Game.new(Options.parse(options), seed="shapes")
    rng = random.Random(0)
    phases = set()
    for _ in range(60):
        if game.phase not in phases:
            phases.add(game.phase)
            assert game.seat is not None
            fits(responses.Analysis, analyse(game.view(game.seat), "surveyor:width=2"))
        game.play(rng.choice(game.legal()))


def test_every_endpoint_has_an_example_that_fits() -> None:
    document = openapi.document()
    for path, methods in document["paths"].items():
        for method, endpoint in methods.items():
            for status, answer in endpoint["responses"].items():
                for body in answer.get("content", {}).values():
                    assert body.get("example"), (path, method, status)
            body = endpoint.get("requestBody", {}).get("content", {}).get("application/json")
            if body is not None:
                shape = document["components"]["schemas"][body["schema"]["$ref"].rpartition("/")[2]]
                assert shape["examples"], (path, method)
    for name, schema in document["components"]["schemas"].items():
        shape = getattr(responses, name, None)
        for example in schema.get("examples", []):
            if shape is not None:
                fits(shape, example)
    for name, example in openapi.examples().items():
        fits(getattr(responses, name), example)


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
def test_shared_answers_are_never_changed(options: dict[str, str]) -> None:
    game = Game.new(Options.parse(options), seed="shared")
    rng = random.Random(str(options))
    for _ in range(60):
        seat = game.seat or 1
        viewer = Viewer(frozenset({seat}))
        told = projection.position(game, viewer)
        before = projection.as_json(told)
        assert think("tourist", projection.view_for(game, viewer), 1, 1)  # in our process
        assert check(game.state) == check(game.state.clone())
        assert projection.as_json(projection.position(game, viewer)) == before
        assert projection.as_json(projection.view_for(game, viewer)) == projection.as_json(told["view"])
        assert projection.as_json(told["view"]) == projection.as_json(view(game.state.clone(), game.options, seat))
        assert projection.as_json(told["offer"]) == projection.as_json(offer(game.state.clone()))
        game.play(rng.choice(game.legal()))


@pytest.mark.parametrize(
    ("made", "documented"),
    [
        (projected.Seat, responses.Seat),
        (projected.You, responses.You),
        (projected.TableInfo, responses.TableInfo),
        (projected.ChatLine, responses.ChatLine),
        (projected.Update, responses.Update),
        (projected.Replay, responses.ReplayBody),
        (projected.Payment, responses.Payment),
        (projected.Scores, responses.Scores),
    ],
)
def test_the_types_of_the_projection_have_the_documented_fields(made: type, documented: type[BaseModel]) -> None:
    assert set(get_type_hints(made)) == set(documented.model_fields)

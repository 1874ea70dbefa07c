"""The OpenAPI document: FastAPI's description of the endpoints, the WebSocket's messages, and real examples.

`python -m tikal.server.openapi [FILE]` writes it without a running server.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import orjson
from fastapi import FastAPI
from pydantic.json_schema import models_json_schema

from tikal.play import Game
from tikal.play.view import Json
from tikal.rules import RULES_VERSION
from tikal.rules.options import Options
from tikal.server.database.rows import Seat, Table
from tikal.server.http import messages, responses
from tikal.server.live import projection
from tikal.server.live.projection import Entry, Moment, Viewer, entry_of_play

SCHEMAS = "#/components/schemas/{model}"
AT = 1_790_000_000_000  # the time of the examples
TABLE = Table(
    "dGhlIGp1bmdsZSBpcyBk",
    "ann",
    public=True,
    options={"edition": "super-meeple", "players": "2"},
    rules=RULES_VERSION,
    seed="42",
    seating="chosen",
    hints=False,
    substitute="surveyor",
    state="playing",
    turn=1,
    created=AT,
    changed=AT,
    clock={"kind": "live", "bank_s": 1200, "increment_s": 30, "timeout": "turn"},
    banks=[1_200_000, 1_200_000],
    deadline=AT + 1_200_000,
    seats=(Seat(1, "person", "ann", "Ann"), Seat(2, "bot", None, "digger", "digger")),
)


def describe(app: FastAPI) -> None:
    """Makes an application serve the whole document."""
    plain = app.openapi

    def whole() -> Json:
        if app.openapi_schema is None:
            document = plain()
            _add_messages(document)
            _add_examples(document)
        return app.openapi_schema or {}

    app.openapi = whole  # type: ignore[method-assign]  # as FastAPI's documentation does it


def document() -> Json:
    """The document, without a running server.

    >>> sorted(document()["components"]["schemas"]["ClientMessage"])
    ['description', 'discriminator', 'oneOf', 'title']
    """
    from tikal.server.app import create_app
    from tikal.server.config import Config

    return create_app(Config("sqlite:///unused.db")).openapi()


def _add_messages(document: Json) -> None:
    """Adds the WebSocket's messages to the schemas, since OpenAPI does not describe sockets."""
    _, made = models_json_schema([(shape, "serialization") for shape in messages.SOCKET], ref_template=SCHEMAS)
    schemas = document["components"]["schemas"]
    for name, schema in made["$defs"].items():
        schemas.setdefault(name, schema)


def _add_examples(document: Json) -> None:
    """Adds an example of every answer: its schema's, or else one from a sample game."""
    given = examples()
    for methods in document["paths"].values():
        for endpoint in methods.values():
            for status, answer in endpoint["responses"].items():
                if status >= "400":  # even where the answer itself is not JSON
                    answer["content"] = {"application/json": next(iter(answer["content"].values()))}
                body = answer.get("content", {}).get("application/json")
                if body is None:
                    continue
                name = body["schema"].get("$ref", "").rpartition("/")[2]
                own = document["components"]["schemas"].get(name, {}).get("examples")
                if own or name in given:
                    body["example"] = own[0] if own else given[name]


def _plain(projected: object) -> Json:
    """The projection's result as plain values; parts of it are already encoded."""
    plain: Json = orjson.loads(projection.as_json(projected))
    return plain


def examples() -> dict[str, Json]:
    """Answers from a small game, by the name of their schema.

    >>> examples()["ReplayBody"]["at"]
    1
    """
    game = Game.new(Options.parse(TABLE.options), seed=TABLE.seed)
    names = [{"seat": seat.seat, "kind": seat.kind, "name": seat.name, "level": seat.level} for seat in TABLE.seats]
    log = [Entry(1, "start", None, {"seats": names}, AT)]
    game.play(game.legal()[0])
    log.append(entry_of_play(2, game, AT))
    viewer = Viewer.of(TABLE, "ann")
    info = _plain(projection.table_info(TABLE, viewer, AT))
    line: Json = responses.ChatLine.model_json_schema()["examples"][0]
    refused: Json = responses.Problem.model_json_schema()["examples"][0]
    frame = _plain(projection.replay(game, 1, None))
    return {
        "TableInfo": info,
        "TableList": {"tables": [info]},
        "MyTableList": {"tables": [{**info, "results": []}]},
        "EventList": {"seq": 2, "events": projection.events(log, projection.NONE, 1)},
        "Update": _plain(Moment.of(TABLE, game, 2, None, AT, projection.NOT_IN_MEMORY).update(viewer, log[1:])),
        "WhatIfBody": {"played": [], "stopped": ".", "seq": 2, **_plain(projection.position(game, viewer))},
        "Scores": _plain(projection.scores(game)),
        "ReplayBody": frame,
        "Frames": {"start": 1, "of": 1, "frames": [frame]},
        "RecordBody": {
            "players": ["Ann", "bot:digger"],
            "date": "2026-10-01",
            "ok": True,
            "checks": [
                {
                    "code": "commitment",
                    "ok": True,
                    "text": "commitment: matches the seed",
                    "reason": {"key": "check_commitment_ok", "values": {}},
                }
            ],
            "scores": projection.scores(game),
            "events": projection.events(log[1:], projection.NONE, None),
            "start": 1,
            "of": 1,
            "frames": [frame],
        },
        "ChatLines": {"lines": [line]},
        "ProblemBody": {"error": refused},
    }


def main(arguments: list[str]) -> int:
    """Writes the document to a file, or to standard output."""
    text = json.dumps(document(), indent=1, ensure_ascii=False) + "\n"
    if arguments:
        Path(arguments[0]).write_text(text, encoding="utf-8")
    else:
        sys.stdout.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

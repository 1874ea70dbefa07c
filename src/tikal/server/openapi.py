"""The OpenAPI document: what FastAPI makes of the doors, the messages of the WebSocket, and examples that are real.

`python -m tikal.server.openapi [FILE]` writes it without a running server.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from fastapi import FastAPI
from pydantic.json_schema import models_json_schema

from tikal.play import Game
from tikal.rules import RULES_VERSION
from tikal.rules.options import Options
from tikal.server import answers, projection
from tikal.server.projection import Entry, Viewer, entry_of_play
from tikal.server.store import Json, Seat, Table

SCHEMAS = "#/components/schemas/{model}"
AT = 1_790_000_000_000  # when the examples happened
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
    """Lets an application tell the whole document."""
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
    """The WebSocket's messages among the schemas, since OpenAPI has no sockets."""
    _, made = models_json_schema([(shape, "serialization") for shape in answers.SOCKET], ref_template=SCHEMAS)
    schemas = document["components"]["schemas"]
    for name, schema in made["$defs"].items():
        schemas.setdefault(name, schema)


def _add_examples(document: Json) -> None:
    """An example of every answer: of its shape where it has one, else one that a table gave."""
    given = examples()
    for doors in document["paths"].values():
        for door in doors.values():
            for status, answer in door["responses"].items():
                if status >= "400":  # also where the answer itself is no JSON
                    answer["content"] = {"application/json": next(iter(answer["content"].values()))}
                body = answer.get("content", {}).get("application/json")
                if body is None:
                    continue
                name = body["schema"].get("$ref", "").rpartition("/")[2]
                own = document["components"]["schemas"].get(name, {}).get("examples")
                if own or name in given:
                    body["example"] = own[0] if own else given[name]


def examples() -> dict[str, Json]:
    """Answers that a small game gives, by the name of their shape.

    >>> examples()["ReplayBody"]["at"]
    1
    """
    game = Game.new(Options.parse(TABLE.options), seed=TABLE.seed)
    names = [{"seat": seat.seat, "kind": seat.kind, "name": seat.name, "level": seat.level} for seat in TABLE.seats]
    log = [Entry(1, "start", None, {"seats": names}, AT)]
    game.play(game.legal()[0])
    log.append(entry_of_play(2, game, AT))
    viewer = Viewer.of(TABLE, "ann")
    info = projection.table_info(TABLE, viewer, AT)
    line: Json = answers.ChatLine.model_json_schema()["examples"][0]
    refused: Json = answers.Problem.model_json_schema()["examples"][0]
    frame = projection.replay(game, 1, None)
    return {
        "TableInfo": info,
        "TableList": {"tables": [info]},
        "EventList": {"seq": 2, "events": projection.events(log, game, viewer)},
        "Update": projection.update(TABLE, game, 2, log[1:], viewer, None, AT),
        "WhatIfBody": {"played": [], "stopped": ".", "seq": 2, **projection.position(game, viewer)},
        "Scores": projection.scores(game),
        "ReplayBody": frame,
        "Frames": {"start": 1, "of": 1, "frames": [frame]},
        "RecordBody": {
            "players": ["Ann", "bot:digger"],
            "date": "2026-10-01",
            "ok": True,
            "checks": [{"code": "commitment", "ok": True, "text": "commitment: is to this seed"}],
            "scores": projection.scores(game),
            "events": projection.events(log[1:], game, Viewer()),
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

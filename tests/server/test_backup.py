"""All games in one file and back, between all databases; a bad file changes nothing."""

from __future__ import annotations

import asyncio
import gzip
import json
import random
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, func, select

from tests.server.conftest import serving
from tests.server.postgres import Postgres
from tests.server.tables import advance, finish
from tikal.cli.main import main
from tikal.server.database import schema
from tikal.server.database.engines import database_url
from tikal.server.operation.backup import BackupError, export, load


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A database with waiting, running and finished games, with chat and a password."""
    folder = tmp_path_factory.mktemp("games")

    async def whole() -> None:
        async with serving(folder, private_webhooks=True) as site:
            ann, bob = await site.person("Ann"), await site.person("Ünal Ö.")
            await ann.post("/me/password", {"login": "ann", "password": "a long enough one"}, "PUT")
            await ann.post("/me/webhook", {"url": "http://127.0.0.1:1/hook"}, "PUT")
            await site.hub.settings.set(bot_ms=50)
            for number in range(3):
                options = {"auction": "true"} if number else {}
                clock = {"kind": "daily", "days": 2} if number == 1 else None
                body = {
                    "seats": ["me", "open", *(["bot:tourist"] if not number else [])],
                    "options": options,
                    "clock": clock,
                }
                table = (await ann.post("/tables", body))["id"]
                if number == 2:
                    continue
                await bob.post(f"/tables/{table}/join", {"nonce": "luck"})
                await ann.post(f"/tables/{table}/start")
                await bob.post(f"/tables/{table}/chat", {"text": f"hello {number} «✓»"})
                if number == 0:
                    await finish(site, table)
                else:
                    await advance(site, table, random.Random(1), 12)

    asyncio.run(whole())
    return f"sqlite:///{folder / 'server.db'}"


def counted(address: str) -> dict[str, int]:
    engine = create_engine(database_url(address))
    with engine.connect() as c:
        found = {
            rows.name: c.execute(select(func.count()).select_from(rows)).scalar_one()
            for rows in schema.metadata.sorted_tables
        }
    engine.dispose()
    return found


def test_a_round_trip_gives_the_same_bytes_on_both_databases(games: str, tmp_path: Path, postgres: Postgres) -> None:
    first = tmp_path / "first.gz"
    counts = export(games, first)
    assert counts["people"] == 2 and counts["tables"] == 3 and counts["chat"] == 2 and counts["events"] > 100
    assert stat.S_IMODE(first.stat().st_mode) == 0o600
    assert export(games, tmp_path / "again.gz") == counts
    assert (tmp_path / "again.gz").read_bytes() == first.read_bytes()
    with postgres.database() as empty:
        for number, database in enumerate((f"sqlite:///{tmp_path / 'new.db'}", empty)):
            assert load(database, first) == counts
            back = tmp_path / f"back{number}.gz"
            export(database, back)
            assert back.read_bytes() == first.read_bytes()
            assert counted(database)["tokens"] == 0


def test_no_tokens_leave_and_games_go_on(games: str, tmp_path: Path) -> None:
    file = tmp_path / "games.gz"
    export(games, file)
    engine = create_engine(games)
    with engine.connect() as c:
        hashes = list(c.scalars(select(schema.tokens.c.hash)))
    engine.dispose()
    text = gzip.decompress(file.read_bytes()).decode()
    assert len(hashes) == 2 and not [one for one in hashes if one in text]
    (tmp_path / "there").mkdir()
    load(f"sqlite:///{tmp_path / 'there' / 'server.db'}", file)

    async def whole() -> None:
        async with serving(tmp_path / "there") as site:
            answer = await site.know(None).post("/people/login", {"login": "ann", "password": "a long enough one"})
            ann = site.know(answer["token"], "Ann")
            mine = {info["state"]: info["id"] for info in (await ann.get("/me/tables"))["tables"]}
            assert set(mine) == {"over", "playing", "open"}
            assert (await ann.get("/me/webhook"))["url"] == "http://127.0.0.1:1/hook"
            assert (await site.hub.settings.get()).bot_ms == 50
            assert (await ann.get(f"/tables/{mine['over']}"))["view"]["winners"]
            await finish(site, mine["playing"])
            assert (await ann.get(f"/tables/{mine['playing']}"))["info"]["state"] == "over"

    asyncio.run(whole())


def repacked(file: Path, change: Callable[[list[Any]], list[Any]]) -> Path:
    lines = [json.loads(line) for line in gzip.decompress(file.read_bytes()).splitlines()]
    other = file.with_name("changed.gz")
    other.write_bytes(gzip.compress("\n".join(json.dumps(line) for line in change(lines)).encode()))
    return other


def with_row(lines: list[Any], kind: str, **values: Any) -> list[Any]:
    at = next(number for number, line in enumerate(lines) if isinstance(line, list) and line[0] == kind)
    return [*lines[:at], [kind, {**lines[at][1], **values}], *lines[at + 1 :]]


BAD: list[tuple[Callable[[list[Any]], list[Any]], str]] = [
    (lambda lines: [], "is not what"),
    (lambda lines: lines[1:], "is not what"),
    (lambda lines: [lines[0] | {"format": 3}, *lines[1:]], "has format 3"),
    (lambda lines: lines[:-1], "is incomplete"),
    (lambda lines: [*lines[:-2], lines[-1]], "is incomplete"),
    (lambda lines: [*lines, lines[-1]], "nothing may follow"),
    (lambda lines: [*lines[:3], 7, *lines[3:]], "line 4: must be a kind of row"),
    (lambda lines: [*lines[:3], ["tokens", {}], *lines[3:]], "line 4: must be a kind of row"),
    (lambda lines: [lines[0], lines[-2], *lines[1:-2], lines[-1]], "must come earlier"),
    (lambda lines: with_row(lines, "people", shoe_size=44), "people has no shoe_size"),
    (lambda lines: with_row(lines, "people", name=None), "people.name"),
    (lambda lines: with_row(lines, "people", name="x" * 99), "people.name"),
    (lambda lines: with_row(lines, "people", created="now"), "people.created"),
    (lambda lines: with_row(lines, "tables", public=1), "tables.public"),
    (lambda lines: with_row(lines, "tables", owner="nobody"), "is inconsistent"),
    (lambda lines: with_row(lines, "events", seq=2), "is inconsistent"),
]


def test_a_bad_file_is_reported_and_changes_nothing(games: str, tmp_path: Path) -> None:
    file = tmp_path / "games.gz"
    export(games, file)
    database = f"sqlite:///{tmp_path / 'new.db'}"
    for change, why in BAD:
        with pytest.raises(BackupError) as told:
            load(database, repacked(file, change))
        assert why in told.value.text and "\n" not in told.value.text
    broken = file.with_name("broken.gz")
    whole = file.read_bytes()
    for data in (b"", b"PK", whole[: len(whole) // 2], whole[:500] + b"\0\0\0" + whole[503:], gzip.compress(b"{\n")):
        broken.write_bytes(data)
        with pytest.raises(BackupError):
            load(database, broken)
    with pytest.raises(BackupError, match="no such file"):
        load(database, tmp_path / "missing.gz")
    load(database, file)  # it is still empty, so this works
    before = counted(database)
    with pytest.raises(BackupError, match="not empty"):
        load(database, file)
    assert counted(database) == before
    with pytest.raises(BackupError, match="exists already"):
        export(games, file)
    with pytest.raises(BackupError, match="can't be written"):
        export(games, tmp_path / "no" / "folder.gz")


def test_the_commands(games: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, other = str(tmp_path / "games.gz"), f"sqlite:///{tmp_path / 'new.db'}"
    assert main(["export", file, "--database", games]) == 0
    assert main(["import", file, "--database", other]) == 0
    out, err = capsys.readouterr()
    assert (
        len(set(out.splitlines())) == 1
        and out.startswith("people: 2, webhooks: 1, tables: 3, seats: 7, events: ")
        and not err
    )
    assert main(["import", file, "--database", other]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_file_of_the_first_format_is_read(games: str, tmp_path: Path) -> None:
    export(games, tmp_path / "now.gz")
    lines = [json.loads(line) for line in gzip.decompress((tmp_path / "now.gz").read_bytes()).splitlines()]
    lines[0]["format"] = 1
    kept = [line for line in lines if not (isinstance(line, list) and line[0] in ("webhooks", "settings"))]
    kept[-1] = {"end": {name: count for name, count in kept[-1]["end"].items() if name not in ("webhooks", "settings")}}
    (tmp_path / "old.gz").write_bytes(gzip.compress("".join(json.dumps(line) + "\n" for line in kept).encode()))
    assert load(f"sqlite:///{tmp_path / 'there.db'}", tmp_path / "old.gz")["tables"] == 3

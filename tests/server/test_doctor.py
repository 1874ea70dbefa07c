"""`tikal doctor` finds problems of a server, and says how to fix them; logs have the ids of requests."""

from __future__ import annotations

import io
import logging
import sqlite3
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import ClassVar

import pytest

from tests.server.conftest import Site
from tikal.cli.main import main
from tikal.server.bots import pool
from tikal.server.bots.worker import CannotThink
from tikal.server.database.migrate import migrate
from tikal.server.operation import doctor, request_ids
from tikal.server.operation.doctor import Finding, examine
from tikal.server.operation.log_format import JsonFormat, TextFormat


@pytest.fixture(autouse=True)
def no_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """The check of workers has its own test."""

    def none() -> Iterator[Finding]:
        yield Finding("ok", "workers", "not checked")

    monkeypatch.setattr(doctor, "_workers", none)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A database as a server makes it."""
    path = tmp_path / "server.db"
    migrate(f"sqlite:///{path}")
    path.chmod(0o600)
    return path


def found(file: Path, about: str) -> list[Finding]:
    return [finding for finding in examine(f"sqlite:///{file}", None) if finding.about == about]


def test_a_healthy_server_has_no_findings(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--database", f"sqlite:///{file}"]) == 0
    told = capsys.readouterr().out
    assert "ok    database: SQLite's check says: ok." in told and "bad" not in told


def test_a_database_that_others_may_read_is_bad(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.chmod(0o644)
    assert main(["doctor", "--database", f"sqlite:///{file}"]) == 1
    assert f"What to do: chmod 600 {file}." in capsys.readouterr().out


def test_an_old_or_missing_database_is_reported(file: Path, tmp_path: Path) -> None:
    with sqlite3.connect(file) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '0001'")
    assert [finding.level for finding in found(file, "database")] == ["ok", "warn"]
    assert found(tmp_path / "none.db", "database")[0].advice.startswith("start the server once")


def test_a_file_that_is_not_a_database_is_bad(tmp_path: Path) -> None:
    file = tmp_path / "server.db"
    file.write_text("this is no database at all" * 100)
    assert found(file, "database")[0].level == "bad"
    assert not found(file, "clock"), "nothing is wrong with the clock"


def test_a_damaged_database_needs_a_backup_and_a_missing_one_only_a_folder(file: Path, tmp_path: Path) -> None:
    whole = file.read_bytes()
    file.write_bytes(whole[:9000])
    (finding,) = found(file, "database")
    assert finding.level == "bad" and "restore a backup" in finding.advice
    for other in (tmp_path / "none.db", tmp_path):
        (finding,) = found(other, "permissions")
        assert (finding.level, finding.text) == ("ok", "the server can create its database here")


def test_a_database_without_tables_needs_a_migration_and_no_clock(tmp_path: Path) -> None:
    file = tmp_path / "server.db"
    file.touch(0o600)
    assert [finding.advice for finding in found(file, "database")] == ["", "run 'tikal migrate'"]
    assert not found(file, "clock")


@pytest.mark.parametrize("body", [b"<html>", b'{"ok": true}', b"[]"])
def test_another_program_behind_the_proxy_is_bad(body: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    class Answer(io.BytesIO):
        headers: ClassVar[dict[str, str]] = {}

    monkeypatch.setattr("urllib.request.urlopen", lambda *_, **__: Answer(body))
    (finding,) = doctor._proxy("https://tikal.example")
    assert finding.level == "bad" and finding.text.endswith("is not tikal")


def test_a_full_disk_is_bad(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for free, level in ((50, "bad"), (1000, "warn"), (9000, "ok")):
        monkeypatch.setattr("shutil.disk_usage", lambda _, free=free: type("Usage", (), {"free": free << 20}))
        assert found(file, "disk")[0].level == level


def test_a_clock_that_went_back_is_bad(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with sqlite3.connect(file) as connection:
        connection.execute("INSERT INTO people (id, name, created) VALUES ('p', 'Ann', 1)")
        columns = "id, owner, state, public, options, rules, seed, seating, hints, substitute, created, changed"
        values = "'t', 'p', 'open', 1, '{}', 1, 's', 'chosen', 0, 'digger', 1"
        connection.execute(f"INSERT INTO tables ({columns}) VALUES ({values}, {int(time.time() * 1000)})")
    assert found(file, "clock")[0].level == "ok"
    hour_ago = time.time() - 3600
    monkeypatch.setattr("time.time", lambda: hour_ago)
    assert found(file, "clock")[0].level == "bad"


def test_workers_that_fail_are_bad(monkeypatch: pytest.MonkeyPatch, file: Path) -> None:
    async def fail(*_: object) -> list[str]:
        raise CannotThink("bots", "a bot's worker failed: MemoryError")

    monkeypatch.undo()
    monkeypatch.setattr(pool.Runner, "plan", fail)
    finding = found(file, "workers")[0]
    assert (finding.level, finding.text) == ("bad", "a bot's worker failed: MemoryError")


def test_a_wrong_address_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--url", "tikal.example"]) == 2
    assert "must begin with http:// or https://" in capsys.readouterr().err


def test_the_check_goes_through_the_proxy(play_out: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario(site: Site) -> None:
        ann = await site.person("Ann")
        plain = await ann.get("/health")
        assert plain["caller"] == {"scheme": "http", "forwarded": "none"}
        behind = {"x-forwarded-for": "203.0.113.9", "x-forwarded-proto": "https"}
        seen = (await ann.ask("GET", "/health", headers=behind)).json()["caller"]
        assert seen == {"scheme": "https", "forwarded": "trusted"}
        ids = [(await ann.ask("GET", "/health", headers=more)).headers[request_ids.HEADER] for more in ({}, {}, behind)]
        assert len(set(ids)) == 3

    play_out(scenario)
    for caller, levels in (
        ({"scheme": "http", "forwarded": "ignored"}, ["bad", "bad", "warn", "ok"]),
        ({"scheme": "https", "forwarded": "trusted"}, ["ok", "warn", "ok"]),
    ):
        monkeypatch.setattr(doctor, "_health", lambda _, caller=caller: ({}, {"caller": caller}))
        monkeypatch.setattr(doctor, "_redirect", lambda _: Finding("ok", "proxy", "http leads to https"))
        assert [finding.level for finding in doctor._proxy("https://tikal.example")] == levels


def test_lines_of_the_log_have_the_id_of_their_request() -> None:
    record = logging.LogRecord("tikal.server", logging.ERROR, __file__, 1, "a fault", None, None)
    token = request_ids.current.set(None)  # another test of this process may have begun a request
    try:
        assert "request" not in JsonFormat().format(record)
        assert request_ids.begin({"x-request-id": "abc-1"}) == "abc-1"
        assert '"request": "abc-1"' in JsonFormat().format(record)
        assert TextFormat().format(record).endswith("a fault request=abc-1")
        assert request_ids.begin({"x-request-id": "no\nid"}) != "no\nid"
    finally:
        request_ids.current.reset(token)

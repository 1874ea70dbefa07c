"""`tikal serve` and `tikal migrate` from the command line."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from alembic.script import ScriptDirectory

from tikal import server
from tikal.cli.main import main
from tikal.server.app import create_app
from tikal.server.config import Config
from tikal.server.database.engines import DatabaseError
from tikal.server.database.lock import ServerLock
from tikal.server.database.migrate import migrate


def test_migrate_reports_its_steps(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    address = f"sqlite:///{tmp_path / 'deep' / 'er' / 'a.db'}"
    assert main(["migrate", "--database", address]) == 0
    assert main(["migrate", "--database", address]) == 0
    newest = ScriptDirectory(str(Path(server.__path__[0]) / "database" / "migrations")).get_current_head()
    assert capsys.readouterr().out == f"from nothing to {newest}\nalready at {newest}\n"


def test_games_are_kept_in_the_data_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("XDG_DATA_HOME", "APPDATA"):
        monkeypatch.setenv(name, str(tmp_path))
    assert main(["migrate"]) == 0
    assert (tmp_path / "tikal" / "server.db").is_file()


@pytest.mark.parametrize(
    ("words", "wrong"),
    [
        (["--port", "0"], "--port 0: must be from 1 to 65535"),
        (["--bot-workers", "0"], "--bot-workers 0: must be from 1 to 64"),
        (["--bot-time", "0"], "--bot-time 0: must be from 1 to 3600000"),
        (["--public-url", "tikal.example"], "--public-url tikal.example: must begin with http:// or https://"),
        (["--database", "mysql://host/db"], "mysql: no such database here; give sqlite:///FILE or postgresql://"),
        (["--database", "postgresql://tikal:secret@127.0.0.1:1/db"], "db: can't be used as a database: connection"),
        (["--database", "sqlite:////proc/nothing/a.db"], "nothing"),
    ],
)
def test_a_server_that_can_not_start_gives_one_line(
    words: list[str], wrong: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["serve", "--no-browser", *words]) == 2
    told = capsys.readouterr().err
    assert wrong in told and "secret" not in told and told.count("\n") == 1


@pytest.mark.parametrize("host", ["127.0.0.1", "tikal.invalid"])
def test_an_address_that_can_not_be_used_is_refused_before_it_is_announced(
    host: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        where = ["--host", host, "--port", port, "--database", f"sqlite:///{tmp_path / 'a.db'}"]
        assert main(["serve", "--no-browser", *where]) == 2
    output, errors = capsys.readouterr()
    assert {"127.0.0.1": f"can't listen at {host}, port {port}", "tikal.invalid": f"--host {host}"}[host] in errors
    assert errors.count("\n") == 1 and "running" not in errors
    assert output == "", "the administrator's token is shown only once, so a failed start must not make it"


def test_missing_packages_for_postgres_are_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("tikal.server.database.engines.find_spec", lambda _: None)
    assert main(["migrate", "--database", "postgresql://host/db"]) == 2
    assert "pip install 'tikal[postgres]'" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["engine", "play", "serve", "arena"])
def test_other_commands_load_nothing_of_the_server(command: str) -> None:
    ask = f"import sys; from tikal.cli.main import parser_for; parser_for([{command!r}]); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=True).stdout.split()
    assert not {"fastapi", "sqlalchemy", "uvicorn", "alembic", "pydantic", "starlette"} & set(loaded)


def test_stats_of_an_empty_database_say_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stats", "--database", f"sqlite:///{tmp_path / 'a.db'}"]) == 0
    assert "No rated players yet" in capsys.readouterr().out


def test_a_database_file_is_its_owner_s_alone(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'server.db'}"
    before = os.umask(0o022)
    try:
        migrate(database)
    finally:
        os.umask(before)
    assert (tmp_path / "server.db").stat().st_mode & 0o777 == 0o600
    for file in tmp_path.iterdir():
        file.chmod(0o644)  # made by an older tikal
    (tmp_path / "server.db-wal").touch(0o644)
    migrate(database)
    assert {file.stat().st_mode & 0o077 for file in tmp_path.iterdir()} == {0}


def test_a_second_server_on_the_same_file_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    database = f"sqlite:///{tmp_path / 'server.db'}"
    migrate(database)
    with ServerLock(database):
        (tmp_path / "link.db").symlink_to(tmp_path / "server.db")
        for file in (database, f"sqlite:///{tmp_path / 'link.db'}"):
            assert main(["serve", "--no-browser", "--database", file]) == 2
        told = capsys.readouterr().err
        assert "server.db: another server uses this file" in told and "PostgreSQL" in told and told.count("\n") == 2

        async def start() -> None:
            app = create_app(Config(database))
            async with app.router.lifespan_context(app):
                pass

        with pytest.raises(DatabaseError):
            asyncio.run(start())
    with ServerLock(database), ServerLock("postgresql://host/name"), ServerLock("postgresql://host/name"):
        pass


def test_damaged_files_are_no_fault_of_tikal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    database, file = f"sqlite:///{tmp_path / 'server.db'}", tmp_path / "server.db"
    migrate(database)
    whole = file.read_bytes()
    file.write_bytes(whole[:4096] + b"\xa5" * (len(whole) - 4096))
    (tmp_path / "game.tikal").write_bytes(b"\xff\xfe\x00damaged")
    for words in (["stats", "--database", database], ["replay", str(tmp_path / "game.tikal")]):
        assert main(words) == 2
        told = capsys.readouterr().err
        assert "fault in tikal" not in told and told.count("\n") == 1

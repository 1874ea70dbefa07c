"""`tikal serve` and `tikal migrate` as one types them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from alembic.script import ScriptDirectory

from tikal import server
from tikal.cli.main import main


def test_migrate_says_what_it_did(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    address = f"sqlite:///{tmp_path / 'deep' / 'er' / 'a.db'}"
    assert main(["migrate", "--database", address]) == 0
    assert main(["migrate", "--database", address]) == 0
    newest = ScriptDirectory(str(Path(server.__path__[0]) / "migrations")).get_current_head()
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
def test_what_can_not_be_served_is_told_in_one_line(
    words: list[str], wrong: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["serve", "--no-browser", *words]) == 2
    told = capsys.readouterr().err
    assert wrong in told and "secret" not in told and told.count("\n") == 1


def test_what_postgres_needs_is_named_when_it_is_missing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("tikal.server.database.find_spec", lambda _: None)
    assert main(["migrate", "--database", "postgresql://host/db"]) == 2
    assert "pip install 'tikal[postgres]'" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["engine", "play", "serve", "arena"])
def test_other_commands_load_nothing_of_the_server(command: str) -> None:
    ask = f"import sys; from tikal.cli.main import parser_for; parser_for([{command!r}]); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=True).stdout.split()
    assert not {"fastapi", "sqlalchemy", "uvicorn", "alembic", "pydantic", "starlette"} & set(loaded)

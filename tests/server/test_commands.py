"""`tikal serve` and `tikal migrate` as one types them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tikal.cli.main import main


def test_migrate_says_what_it_did(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    address = f"sqlite:///{tmp_path / 'deep' / 'er' / 'a.db'}"
    assert main(["migrate", "--database", address]) == 0
    assert main(["migrate", "--database", address]) == 0
    assert capsys.readouterr().out == "from nothing to 0001\nalready at 0001\n"


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
        (["--database", "postgresql://host/db"], "postgresql: no such database here; give sqlite:///FILE"),
        (["--database", "sqlite:////proc/nothing/a.db"], "nothing"),
    ],
)
def test_what_can_not_be_served_is_told_in_one_line(
    words: list[str], wrong: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["serve", "--no-browser", *words]) == 2
    told = capsys.readouterr().err
    assert wrong in told and told.count("\n") == 1


@pytest.mark.parametrize("command", ["engine", "play", "serve", "arena"])
def test_other_commands_load_nothing_of_the_server(command: str) -> None:
    ask = f"import sys; from tikal.cli.main import parser_for; parser_for([{command!r}]); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=True).stdout.split()
    assert not {"fastapi", "sqlalchemy", "uvicorn", "alembic", "pydantic", "starlette"} & set(loaded)

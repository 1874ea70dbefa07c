"""docs/protocol.md: its session, its program and its tables match the engine."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tikal.engine.protocol import _COMMANDS, Engine, reply
from tikal.play import Game
from tikal.play.notation import parse
from tikal.play.records import verify
from tikal.rules.options import Options

PAGE = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text("utf-8")
ACTIONS = re.findall(r"`([^` ]+)`", PAGE.split("## Actions")[1].split("\n\n")[1])  # in the table
CODES = {
    "illegal", "usage", "unknown", "option", "players", "deck", "treasures", "dice", "nogame", "undo", "load",
}  # fmt: skip


def block(language: str) -> str:
    (found,) = re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    return str(found)


def first_column(section: str) -> list[str]:
    """The names in the first column of the table in a section."""
    (text,) = re.findall(rf"^## {section}\n(.*?)(?=^## |\Z)", PAGE, re.DOTALL | re.MULTILINE)
    return re.findall(r"^\| `([^`]+)` \|", text, re.MULTILINE)


def environment() -> dict[str, str]:
    """The shell finds this `tikal`."""
    return {**os.environ, "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])}


def test_the_session_goes_as_the_page_shows() -> None:
    engine = Engine()
    shown = re.split(r"^> ", block("session"), flags=re.MULTILINE)[1:]
    assert len(shown) > 10
    for exchange in shown:
        command, *lines = exchange.splitlines()
        answer = list(reply(engine, command))
        assert len(answer) == len(lines), command
        for real, line in zip(answer, lines, strict=True):
            assert real.startswith(line.removesuffix("…")) if line.endswith("…") else real == line
    assert engine.over


def test_the_program_plays_a_whole_game() -> None:
    done = subprocess.run(
        [sys.executable, "-c", block("python")],
        capture_output=True,
        text=True,
        check=True,
        env=environment(),
        timeout=120,
    )
    checked = verify(done.stdout)
    assert checked.ok
    assert '[Options "players=3 auction=true"]' in done.stdout
    assert "commitment_ok" in [check.code for check in checked.checks]


def test_the_line_for_a_shell_works() -> None:
    (line,) = re.findall(r"^From a shell: `(.*)`\.$", PAGE, re.MULTILINE)
    done = subprocess.run(
        ["sh", "-c", line], capture_output=True, text=True, check=True, env=environment(), timeout=120
    )
    assert [line[:7] for line in done.stdout.splitlines()] == ["ok", "A2@a3^0", "ok", "ok"]


def test_every_command_is_in_the_table() -> None:
    assert [entry.split()[0] for entry in first_column("Commands")] == [
        "info", "newgame", "legal", "play", "status", "view", "state", "load", "position", "undo", "best", "perft",
        "record", "quit",
    ]  # fmt: skip
    assert {entry.split()[0] for entry in first_column("Commands")} == set(_COMMANDS)


def test_every_error_code_is_named() -> None:
    (text,) = re.findall(r"^Error codes: (.*?)\n\n", PAGE, re.DOTALL | re.MULTILINE)
    assert set(re.findall(r"`([a-z]+)`", text)) - {"state", "view"} == CODES


def test_the_tables_have_every_key() -> None:
    game = Game.new(Options(), seed="42")
    assert first_column("`status`") == list(game.status())
    assert first_column("`view`") == [key for key in game.view(1) if key not in game.status()]


@pytest.mark.parametrize("action", ACTIONS)
def test_every_action_of_the_table_can_be_read(action: str) -> None:
    assert parse(action) >= 0


def test_the_table_of_actions_has_every_form() -> None:
    assert {parse(action) & 31 for action in ACTIONS} == set(range(17))

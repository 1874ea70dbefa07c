"""The examples in help texts: every one is run, with fewer games and less thinking if it asks for much."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.kit.commands import Run, random_game
from tikal.bots import LEVELS, make
from tikal.cli.main import COMMANDS, parser_for

SMALLER = [
    (r"--games \d+", "--games 2"),
    (r"TIKAL_PURE=1 tikal bench", "TIKAL_PURE=1 tikal bench --help"),  # minutes, whatever --seconds says
    (r"tikal bench(?! --)", "tikal bench --seconds 0.1"),
    (r"--seconds 5", "--seconds 0.1"),
    (r"--time 10000", "--time 100"),
    (r"--write$", "--write weights.json"),  # leave the weights of the bots alone
    (r"surveyor:width=32,surveyor(?= --sprt)", "surveyor:width=3,surveyor:width=2"),
    (r"digger,digger,digger", "digger"),
    (r"professor,", "professor:nodes=50,"),
    (r"surveyor,", "surveyor:width=2,"),
]
CHECK = "tikal bots --check"  # plays whole games of all kinds: tests/bots/test_cli.py runs it
SERVERS = ("serve", "bot-worker", "doctor")  # they need a running server, or are one: tests/server runs them
PREAMBLE = "set -eo pipefail; fpath=(none {home}); cd {folder}; "
STUBS = {  # programs that may be missing here; the arguments of tikal and its output matter
    "tikal": f'exec {shlex.quote(sys.executable)} -m tikal.cli "$@"',
    "curl": "exec cat game.tikal",
    "jq": "exec cat",
}


def examples(text: str) -> list[str]:
    """The commands in a help text, without the remarks beside them."""
    found = re.search(r"^examples?:\n((?:  .*\n)+)", text, re.MULTILINE)
    assert found, text
    return [re.split(r"\s{2,}(?![|>])", line.strip())[0] for line in found[1].splitlines()]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the files that the examples name: a game, games, and programs."""
    for name in ("work/games", "bin", "home/.local/share/bash-completion/completions", "home/.config/fish/completions"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "work" / "game.tikal").write_text(random_game("players=2", seed=1, most=80).record(reveal=True))
    (tmp_path / "work" / "games" / "one.tikal").write_text(random_game("players=2", seed=2).record())
    for name, script in STUBS.items():
        path = tmp_path / "bin" / name
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)
    return tmp_path / "work"


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    home = folder.parent / "home"
    about = {
        "HOME": str(home),
        "XDG_DATA_HOME": str(home / "data"),
        "PATH": f"{folder.parent / 'bin'}:{os.environ['PATH']}",
    }
    words = PREAMBLE.format(home=shlex.quote(str(home)), folder=shlex.quote(str(folder))) + command
    return subprocess.run(
        ["bash", "-c", words],
        env=os.environ | about,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", [command.name for command in COMMANDS if command.name not in SERVERS])
def test_every_example_works(tikal: Run, folder: Path, name: str) -> None:
    if name in ("import", "stats", "migrate"):
        assert run("tikal export games.tikal.gz", folder).returncode == 0
    for example in examples(tikal(name, "--help").out):
        if example.startswith(CHECK):
            check_understood(name, example)
            continue
        command = example
        for pattern, smaller in SMALLER:
            command = re.sub(pattern, smaller, command)
        if name == "habits":  # it needs the record of a whole game
            (folder / "game.tikal").write_text((folder / "games" / "one.tikal").read_text())
        answer = run(command, folder)
        # An undecided sequential test exits with 1; a wrong argument exits with 2.
        allowed = (0, 1) if "--sprt" in example else (0,)
        assert answer.returncode in allowed, f"{command}\n{answer.stderr}"


@pytest.mark.parametrize("name", SERVERS)
def test_examples_of_servers_are_understood(tikal: Run, name: str) -> None:
    for example in examples(tikal(name, "--help").out):
        check_understood(name, example)


def check_understood(name: str, example: str) -> None:
    """The arguments of an example are right."""
    program, *words = shlex.split(example)
    assert program == "tikal"
    assert parser_for([name]).parse_args(words).command == name


@pytest.mark.parametrize("name", [command.name for command in COMMANDS])
def test_every_bot_in_a_help_text_can_be_made(tikal: Run, name: str) -> None:
    levels = "|".join(LEVELS)
    for spec in re.findall(rf"\b(?:{levels}):\w+=\d+(?:,\w+=\d+)*", tikal(name, "--help").out):
        make(spec).close()


def test_remarks_do_not_belong_to_an_example() -> None:
    text = "examples:\n  tikal play                  asks\n  printf 'x' | tikal play    lines\n\nmore"
    assert examples(text) == ["tikal play", "printf 'x' | tikal play"]

"""What the Makefile does, by a dry run: players need no developers' tools, and nothing is built twice."""

from __future__ import annotations

import os
import shutil
import subprocess
from itertools import count
from pathlib import Path

import pytest

from tests.build.conftest import ROOT

STAMPS = (".venv/.run", ".venv/.built", "src/tikal/client/made-of.txt")
DEVELOPERS = (".venv/.dev", "web/node_modules/.installed")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A fresh clone, as far as make looks at it."""
    copied = ("Makefile", "pyproject.toml", "hatch_build.py", "requirements", "src/tikal/__init__.py")
    for name in (*copied, "web/package-lock.json", "web/.npmrc"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, tmp_path / name)
    for folder in ("src/tikal/client", "src/tikal/server", "web/src", "web/public", "web/node_modules", ".venv"):
        (tmp_path / folder).mkdir(parents=True)
    touch(tmp_path, *(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*")))
    return tmp_path


def dry_run(tree: Path, *goals: str) -> str:
    """The commands that `make` would run. The flags of an outer `make test` must not reach it."""
    env = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS")}
    return subprocess.run(["make", "-n", *goals], cwd=tree, env=env, capture_output=True, text=True, check=True).stdout


moments = count(1_000_000_000)  # long ago: make warns of times in the future


def touch(tree: Path, *names: str) -> None:
    """Give files a later time than all files that were touched before."""
    moment = next(moments)
    for name in names:
        (tree / name).touch()
        os.utime(tree / name, (moment, moment))


def test_play_installs_only_runtime_packages(tree: Path) -> None:
    commands = dry_run(tree, "play")
    assert "-r requirements/run.txt -r requirements/build.txt" in commands
    assert "requirements/dev.txt" not in commands
    assert "npm" not in commands, "the build hook gets what the client is built with"
    assert commands.splitlines()[-1] == ".venv/bin/tikal serve"


def test_setup_installs_the_developers_tools(tree: Path) -> None:
    commands = dry_run(tree, "setup")
    assert "-r requirements/dev.txt" in commands
    assert "ci --ignore-scripts" in commands


def test_play_starts_at_once_when_everything_is_installed(tree: Path) -> None:
    touch(tree, *STAMPS)
    assert dry_run(tree, "play") == ".venv/bin/tikal serve\n"


def test_the_players_environment_becomes_the_developers_one(tree: Path) -> None:
    touch(tree, *STAMPS)
    commands = dry_run(tree, "setup")
    assert "requirements/run.txt" not in commands
    assert "-r requirements/dev.txt" in commands
    touch(tree, *DEVELOPERS, STAMPS[-1])
    assert "pip" not in dry_run(tree, "setup")


def test_play_brings_a_developers_libraries_up_to_date(tree: Path) -> None:
    touch(tree, *STAMPS, *DEVELOPERS)
    touch(tree, "web/package-lock.json", "requirements/dev.txt")
    commands = dry_run(tree, "play")
    assert "ci --ignore-scripts" in commands
    assert "requirements/dev.txt" not in commands


def test_make_test_runs_everything_on_linux_and_the_portable_tests_elsewhere(tree: Path) -> None:
    compiled = "-m pytest -n auto --dist worksteal --junitxml=build/reports/compiled.xml"
    assert f"{compiled} \n" in dry_run(tree, "test", "SYSTEM=Linux")
    for system, programs in (("Darwin", ".venv/bin"), ("Windows", ".venv/Scripts")):
        commands = dry_run(tree, "test", f"SYSTEM={system}")
        assert f"{programs}/python {compiled} tests/rules tests/play" in commands
        assert "tests/server" not in commands

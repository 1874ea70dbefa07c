"""Compiled and uncompiled play the same."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.rules.checksum import checksum
from tests.rules.games import COMPILED, scaled

ROOT = Path(__file__).parents[2]
GAMES = 1500


def checksum_in(games: int, pure: bool) -> str:
    """The checksum that another process comes to, uncompiled or as the package was built."""
    environment = {name: value for name, value in os.environ.items() if name != "TIKAL_PURE"}
    if pure:
        environment["TIKAL_PURE"] = "1"
    command = [sys.executable, "-m", "tests.rules.checksum", str(games)]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.slow
def test_every_legal_list_action_and_score_is_the_same_in_both_modes() -> None:
    """This process plays in its own mode, another one in the other."""
    games = scaled(GAMES)
    assert checksum(games) == checksum_in(games, pure=COMPILED)


def test_the_checksum_sees_a_difference() -> None:
    assert checksum(2) != checksum(3)

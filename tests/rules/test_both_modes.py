"""Compiled and uncompiled play the same. Once is enough: the uncompiled run leaves these tests out."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.kit.amounts import amounts
from tests.rules.checksum import checksum

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.once


def checksum_uncompiled(games: int) -> str:
    """The checksum of another process that runs uncompiled."""
    environment = {**os.environ, "TIKAL_PURE": "1"}
    command = [sys.executable, "-m", "tests.rules.checksum", str(games)]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize("games", amounts(100, long=1500))
def test_every_legal_list_action_and_score_is_the_same_in_both_modes(games: int) -> None:
    """The first 24 games are every edition with every number of players, basic and auction; the rest are random."""
    assert checksum(games) == checksum_uncompiled(games)


def test_the_checksum_sees_a_difference() -> None:
    assert checksum(2) != checksum(3)

"""Games that are kept without being asked: each accepted action is written down at once.

A running game lies in `autosave/` of the user's data folder, a finished one in `games/`.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from tikal.cli.files import FileError, data_folder, write_text

KEPT = 20  # unfinished games; the oldest go


class Autosave:
    """The file of one running game."""

    def __init__(self, path: Path | None = None) -> None:
        name = f"{datetime.now().astimezone():%Y-%m-%d-%H%M%S}-{os.getpid()}.tikal"
        self.path = path or data_folder() / "autosave" / name
        self._complained = False

    def keep(self, record: str) -> None:
        """Write the game as it stands. A full or read-only disk must not stop the game: it is told once."""
        try:
            write_text(self.path, record)
        except FileError as error:
            if not self._complained:
                print(f"tikal: this game is not being saved: {error}", file=sys.stderr)
            self._complained = True

    def finish(self, record: str) -> Path | None:
        """The game is over: its record goes to the finished games. Returns where it is now."""
        done = data_folder() / "games" / self.path.name
        try:
            write_text(done, record)
        except FileError:
            return None
        with suppress(OSError):
            self.path.unlink()
        return done


def newest() -> Path | None:
    """The unfinished game that was played last."""
    kept = _kept()
    return kept[-1] if kept else None


def prune() -> None:
    """Let go of the oldest unfinished games."""
    for path in _kept()[:-KEPT]:
        with suppress(OSError):
            path.unlink()


def _kept() -> list[Path]:
    def age(path: Path) -> float:
        try:
            return path.stat().st_mtime
        except OSError:  # somebody else's game has just ended
            return 0.0

    return sorted((data_folder() / "autosave").glob("*.tikal"), key=age)

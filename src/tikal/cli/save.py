"""Autosave: each accepted action is written to disk at once.

A running game is in `autosave/` of the user's data folder, a finished one in `games/`.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from tikal.cli.files import FileError, data_folder, write_text
from tikal.cli.language import t

KEPT = 20  # unfinished games to keep; the oldest are deleted


class Autosave:
    """The file of one running game."""

    def __init__(self, path: Path | None = None) -> None:
        name = f"{datetime.now().astimezone():%Y-%m-%d-%H%M%S}-{os.getpid()}.tikal"
        self.path = path or data_folder() / "autosave" / name
        self._complained = False

    def keep(self, record: str) -> None:
        """Writes the game. A full or read-only disk must not stop the game: the player is warned once."""
        try:
            write_text(self.path, record)
        except FileError as error:
            if not self._complained:
                print(t("not_saved", why=error.text), file=sys.stderr)
            self._complained = True

    def finish(self, record: str) -> Path | None:
        """Moves the record of a finished game to `games/`, and returns its new path."""
        done = data_folder() / "games" / self.path.name
        try:
            write_text(done, record)
        except FileError:
            return None
        with suppress(OSError):
            self.path.unlink()
        return done


def newest() -> Path | None:
    """The last unfinished game."""
    kept = _kept()
    return kept[-1] if kept else None


def prune() -> None:
    """Delete the oldest unfinished games."""
    for path in _kept()[:-KEPT]:
        with suppress(OSError):
            path.unlink()


def _kept() -> list[Path]:
    def age(path: Path) -> float:
        try:
            return path.stat().st_mtime
        except OSError:  # another process has just finished that game
            return 0.0

    return sorted((data_folder() / "autosave").glob("*.tikal"), key=age)

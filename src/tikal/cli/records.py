"""Records that people name on the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tikal.cli.files import FileError, read_text
from tikal.cli.plain import plain
from tikal.play import records
from tikal.rules.errors import TikalError

if TYPE_CHECKING:
    from pathlib import Path

    from tikal.play import Game


def open_record(path: Path) -> tuple[Game, list[str]]:
    """The game in a file, and the names of its players; errors say which file it was."""
    text = read_text(path)
    try:
        record = records.read(text)
    except TikalError as error:
        raise FileError(error.code, f"{path}: {error}") from None
    return record.game, seat_names(record.game.options.players, record.tags.get("Players", []))


def open_running(path: Path) -> tuple[Game, list[str]]:
    """As `open_record`, for a game that is to go on."""
    game, names = open_record(path)
    if game.over:
        raise FileError("file", f"{path}: this game is over; `tikal replay` shows it")
    return game, names


def seat_names(players: int, given: list[str]) -> list[str]:
    """A name for each seat.

    >>> seat_names(3, ["Ann", ""])
    ['Ann', 'Seat 2', 'Seat 3']
    """
    names = [*given, *[""] * players][:players]
    return [plain(name) or f"Seat {seat}" for seat, name in enumerate(names, start=1)]


def go_to(game: Game, at: int | None) -> None:
    """Take a game back to after `at` actions; None leaves it at its end."""
    steps = len(game.history)
    back = steps - at_step(at, steps)
    if back:
        game.undo(back)


def at_step(at: int | None, steps: int) -> int:
    """A place in a game: after so many actions, by default at the end.

    >>> at_step(None, 40), at_step(7, 40)
    (40, 7)
    """
    if at is None:
        return steps
    if not 0 <= at <= steps:
        raise TikalError("usage", f"{at}: this record has actions 0 to {steps}")
    return at

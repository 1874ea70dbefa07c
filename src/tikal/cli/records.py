"""Records from the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tikal.cli.files import FileError, read_text
from tikal.cli.language import explained, t
from tikal.cli.plain import plain
from tikal.play import records
from tikal.rules.errors import TikalError

if TYPE_CHECKING:
    from pathlib import Path

    from tikal.play import Game


def open_record(path: Path) -> tuple[Game, list[str]]:
    """The game in a file, and the names of its players; errors name the file."""
    text = read_text(path)
    try:
        record = records.read(text)
    except TikalError as error:
        raise FileError(error.code, t("not_a_record", path=str(path), why=explained(error))) from None
    return record.game, seat_names(record.names)


def open_running(path: Path) -> tuple[Game, list[str]]:
    """Like `open_record`, for a game that will be continued."""
    game, names = open_record(path)
    if game.over:
        raise FileError("file", t("is_over", path=str(path)))
    return game, names


def seat_names(given: list[str]) -> list[str]:
    """A name for each seat.

    >>> seat_names(["Ann", ""])
    ['Ann', 'Seat 2']
    """
    return [plain(name) or t("seat", number=seat) for seat, name in enumerate(given, start=1)]


def go_to(game: Game, at: int | None) -> None:
    """Take a game back to the position after `at` actions; None leaves it at its end."""
    steps = len(game.history)
    back = steps - at_step(at, steps)
    if back:
        game.undo(back)


def at_step(at: int | None, steps: int) -> int:
    """A moment of a game: after this many actions, by default the end.

    >>> at_step(None, 40), at_step(7, 40)
    (40, 7)
    """
    if at is None:
        return steps
    if not 0 <= at <= steps:
        raise TikalError("usage", t("replay_no_action", text=at, all=steps))
    return at

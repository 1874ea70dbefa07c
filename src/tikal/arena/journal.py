"""The journal of a match: a line of JSON that describes the match, then a line per game, on disk when the game ends.

A run that is interrupted, even killed, loses only the games that were in progress. When a match is resumed, an
incomplete last line is dropped.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import IO, Any

from tikal.arena.errors import ArenaError
from tikal.arena.match import Match
from tikal.arena.outcome import Outcome
from tikal.arena.schedule import Fixture
from tikal.rules.errors import TikalError

FORMAT = 1
SUFFIX = ".journal"


def journal_of(path: Path) -> Path:
    """The journal that belongs to an out file.

    >>> journal_of(Path("run.json")).name, journal_of(Path("run.json.journal")).name
    ('run.json.journal', 'run.json.journal')
    """
    return path if path.suffix == SUFFIX else path.with_name(path.name + SUFFIX)


class Journal:
    """A journal open for writing."""

    def __init__(self, path: Path, file: IO[bytes]) -> None:
        self.path = path
        self._file = file

    @classmethod
    def create(cls, path: Path, match: Match) -> Journal:
        """Start a new journal; an existing file is overwritten."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            journal = cls(path, path.open("wb"))
        except OSError as error:
            raise ArenaError("file", f"{path}: can't be written: {error.strerror}") from None
        journal._write({"arena": FORMAT, **match.as_json()})
        return journal

    @classmethod
    def resume(cls, path: Path, match: Match, outcomes: Iterable[Outcome]) -> Journal:
        """Resume a journal: rewrite the finished games in one step, then append."""
        beside = path.with_name(f".{path.name}.{os.getpid()}")
        journal = cls.create(beside, match)
        for outcome in outcomes:
            journal._file.write(_line(outcome.as_json()))
        journal._sync()
        beside.replace(path)
        journal.path = path
        return journal

    def add(self, outcome: Outcome) -> None:
        """Append a finished game; it is on disk when this returns."""
        self._write(outcome.as_json())

    def _write(self, row: dict[str, Any]) -> None:
        self._file.write(_line(row))
        self._sync()

    def _sync(self) -> None:
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def _line(row: dict[str, Any]) -> bytes:
    return (json.dumps(row, separators=(",", ":")) + "\n").encode()


def read_journal(path: Path) -> tuple[Match, dict[Fixture, Outcome]]:
    """The match and the games of a journal."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise ArenaError("file", f"{path}: there is no such journal, so nothing to resume") from None
    except OSError as error:
        raise ArenaError("file", f"{path}: can't be read: {error.strerror}") from None
    lines = data.split(b"\n")[:-1]  # text after the last newline is an incomplete line
    if not lines:
        raise ArenaError("file", f"{path}: is not the journal of a match (its first line is missing)")
    match = _head(path, lines[0])
    outcomes = {}
    for number, line in enumerate(lines[1:], start=2):
        try:
            outcome = Outcome.from_json(json.loads(line))
            if len(outcome.shares) != len(match.players) or not 0 <= outcome.rotation < len(match.players):
                raise ValueError
        except (ValueError, KeyError, TypeError):
            raise ArenaError("file", f"{path}: line {number} is not a game of this match") from None
        outcomes[outcome.fixture] = outcome
    return match, outcomes


def _head(path: Path, line: bytes) -> Match:
    try:
        head = json.loads(line)
        if head["arena"] != FORMAT:
            raise ArenaError("file", f"has format {head['arena']}; this version reads {FORMAT}")
        return Match.from_json(head)
    except TikalError as error:
        raise ArenaError("file", f"{path}: {error}") from None
    except (ValueError, KeyError, TypeError):
        raise ArenaError("file", f"{path}: is not the journal of a match") from None

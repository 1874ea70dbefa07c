"""`tikal export`: all games of a server in one file."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path

from tikal.cli.serve import add_database, database_of

EPILOG = """\
example:
  tikal export games.tikal.gz
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The database and the file."""
    parser.epilog = EPILOG
    parser.add_argument("file", type=Path, help="the file to write, for example games.tikal.gz")
    add_database(parser)


def run(args: argparse.Namespace) -> int:
    """Write the file, and summarise it."""
    from tikal.server.operation.backup import export

    print(summary(export(database_of(args), args.file, progress("exported"))))
    return 0


def summary(counts: dict[str, int]) -> str:
    """A summary in one line.

    >>> summary({"people": 2, "tables": 1})
    'people: 2, tables: 1'
    """
    return ", ".join(f"{name}: {count}" for name, count in counts.items()) or "nothing to export: there are no games"


def progress(what: str, unit: str = "rows") -> Callable[[int, int], None]:
    """Shows progress on a terminal, at intervals: `exported 5 of 20 rows`."""
    shown_at = time.monotonic()

    def show(done: int, of: int) -> None:
        nonlocal shown_at
        if sys.stderr.isatty() and time.monotonic() - shown_at > 0.5:
            shown_at = time.monotonic()
            print(f"\r{what} {done} of {of} {unit} ", end="\n" if done == of else "", file=sys.stderr, flush=True)

    return show

"""`tikal export`: all games of a server in one file."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path

from tikal.cli.serve import add_database, database_of


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which database, and where to."""
    parser.add_argument("file", type=Path, help="the file to write, for example games.tikal.gz")
    add_database(parser)


def run(args: argparse.Namespace) -> int:
    """Write the file, and say what is in it."""
    from tikal.server.backup import export

    print(summary(export(database_of(args), args.file, progress("exported"))))
    return 0


def summary(counts: dict[str, int]) -> str:
    """What was moved, in a line.

    >>> summary({"people": 2, "tables": 1})
    'people: 2, tables: 1'
    """
    return ", ".join(f"{name}: {count}" for name, count in counts.items()) or "nothing: there are no games"


def progress(what: str) -> Callable[[int, int], None]:
    """Tells how far it is, now and then, where somebody looks."""
    told = time.monotonic()

    def tell(done: int, of: int) -> None:
        nonlocal told
        if sys.stderr.isatty() and time.monotonic() - told > 0.5:
            told = time.monotonic()
            print(f"\r{what} {done} of {of} rows ", end="\n" if done == of else "", file=sys.stderr, flush=True)

    return tell

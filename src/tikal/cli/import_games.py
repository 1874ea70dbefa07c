"""`tikal import`: all games of a file into an empty database."""

from __future__ import annotations

import argparse
from pathlib import Path

from tikal.cli.export import progress, summary
from tikal.cli.serve import add_database, database_of


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which file, and where to."""
    parser.add_argument("file", type=Path, help="a file that tikal export has written")
    add_database(parser)


def run(args: argparse.Namespace) -> int:
    """Read the file, and say what was in it."""
    from tikal.server.backup import load

    print(summary(load(database_of(args), args.file, progress("imported"))))
    return 0

"""`tikal import`: all games of a file into an empty database."""

from __future__ import annotations

import argparse
from pathlib import Path

from tikal.cli.export import progress, summary
from tikal.cli.serve import add_database, database_of

EPILOG = """\
example:
  tikal import games.tikal.gz --database sqlite:///new.db
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The file and the database."""
    parser.epilog = EPILOG
    parser.add_argument("file", type=Path, help="a file written by tikal export")
    add_database(parser)


def run(args: argparse.Namespace) -> int:
    """Read the file, and summarise it."""
    from tikal.server.operation.backup import load

    print(summary(load(database_of(args), args.file, progress("imported"))))
    return 0

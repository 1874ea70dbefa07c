"""`tikal migrate`: upgrade a server's database."""

from __future__ import annotations

import argparse

from tikal.cli.serve import add_database, database_of

EPILOG = """\
example:
  tikal migrate --database sqlite:///server.db
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The database."""
    parser.epilog = EPILOG
    add_database(parser)


def run(args: argparse.Namespace) -> int:
    """Run the missing migrations, and report them."""
    from tikal.server.database.migrate import migrate

    before, after = migrate(database_of(args))
    print(f"already at {after}" if before == after else f"from {before or 'nothing'} to {after}")
    return 0

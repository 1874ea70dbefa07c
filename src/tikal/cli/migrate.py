"""`tikal migrate`: bring a server's database to the newest form."""

from __future__ import annotations

import argparse

from tikal.cli.serve import add_database, database_of


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which database."""
    add_database(parser)


def run(args: argparse.Namespace) -> int:
    """Run what is missing, and say what was done."""
    from tikal.server.migrate import migrate

    before, after = migrate(database_of(args))
    print(f"already at {after}" if before == after else f"from {before or 'nothing'} to {after}")
    return 0

"""`tikal stats`: shows a server's ranking, or recomputes it from the logs."""

from __future__ import annotations

import argparse

from tikal.cli.export import progress
from tikal.cli.serve import add_database, database_of

EPILOG = """\
examples:
  tikal stats
  tikal stats --recompute
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The database, and whether to recompute."""
    parser.epilog = EPILOG
    add_database(parser)
    parser.add_argument(
        "--recompute", action="store_true", help="first recompute all results and ratings from the logs"
    )


def run(args: argparse.Namespace) -> int:
    """Print the ranking."""
    import asyncio

    from tikal.server.operation.recompute import ranking_of, recompute

    database = database_of(args)
    if args.recompute:
        print(f"games: {recompute(database, progress('replayed'))}")
    ranking = asyncio.run(ranking_of(database))
    rows = ranking["people"] + ranking["bots"]
    if not rows:
        print("No rated players yet: nobody has finished a game on this server.")
    for row in rows:
        name = row.get("name") or f"bot:{row['level']}"
        print(f"{row['value']:6.2f} ± {row['doubt']:.2f}  {row['games']:5} games  {name}")
    return 0

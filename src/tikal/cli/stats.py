"""`tikal stats`: the ranking of a server; and results and ratings anew from its logs."""

from __future__ import annotations

import argparse

from tikal.cli.export import progress
from tikal.cli.serve import add_database, database_of


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which database, and what to do."""
    add_database(parser)
    parser.add_argument("--recompute", action="store_true", help="first compute results and ratings anew from all logs")


def run(args: argparse.Namespace) -> int:
    """Tell the ranking."""
    import asyncio

    from tikal.server.recompute import ranking_of, recompute

    database = database_of(args)
    if args.recompute:
        print(f"games: {recompute(database, progress('replayed'))}")
    told = asyncio.run(ranking_of(database))
    for row in told["people"] + told["bots"]:
        name = row.get("name") or f"bot:{row['level']}"
        print(f"{row['value']:6.2f} ± {row['doubt']:.2f}  {row['games']:5} games  {name}")
    return 0

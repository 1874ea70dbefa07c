"""`tikal bot-worker`: run a server's bots on this machine."""

from __future__ import annotations

import argparse
import sys

from tikal.rules.errors import TikalError

EPILOG = """\
example:
  tikal bot-worker --database postgresql://tikal:…@db.example/tikal --workers 4

Start the server with: tikal serve --bots workers --database postgresql://…
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The server's database, and how many bots run at once."""
    parser.epilog = EPILOG
    parser.add_argument(
        "--database", required=True, metavar="URL", help="the server's database: postgresql://USER:…@HOST/NAME"
    )
    parser.add_argument("--workers", type=int, default=1, metavar="N", help="how many bots think at once (default 1)")


def run(args: argparse.Namespace) -> int:
    """Work until interrupted."""
    if not 1 <= args.workers <= 64:
        raise TikalError("usage", f"--workers {args.workers}: must be from 1 to 64")
    import asyncio

    from tikal.server.bots.remote import check_queue, make_queue, work

    check_queue(args.database)
    make_queue(args.database)
    print(f"running a server's bots, up to {args.workers} at once (stop with Ctrl+C)", file=sys.stderr)
    asyncio.run(work(args.database, args.workers))
    return 0

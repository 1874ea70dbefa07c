"""`tikal bot-worker`: think for the bots of a server, on this machine."""

from __future__ import annotations

import argparse
import sys

from tikal.rules.errors import TikalError

EPILOG = """\
example:
  tikal bot-worker --database postgresql://tikal:…@db.example/tikal --workers 4

The server is started with: tikal serve --bots workers --database postgresql://…
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Whose bots, and how many think at once."""
    parser.epilog = EPILOG
    parser.add_argument("--database", required=True, metavar="URL", help="the server's: postgresql://USER:…@HOST/NAME")
    parser.add_argument("--workers", type=int, default=1, metavar="N", help="bots that think at once (default 1)")


def run(args: argparse.Namespace) -> int:
    """Work until interrupted."""
    if not 1 <= args.workers <= 64:
        raise TikalError("usage", f"--workers {args.workers}: must be from 1 to 64")
    import asyncio

    from tikal.server.workers import check_queue, make_queue, work

    check_queue(args.database)
    make_queue(args.database)
    print(f"thinking for the bots of a server with {args.workers} at once (end with Ctrl+C)", file=sys.stderr)
    asyncio.run(work(args.database, args.workers))
    return 0

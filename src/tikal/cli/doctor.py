"""`tikal doctor`: check a server's database, disk, permissions, clock, workers and proxy."""

from __future__ import annotations

import argparse

from tikal.cli.serve import add_database, database_of
from tikal.rules.errors import TikalError

EPILOG = """\
examples:
  tikal doctor
  tikal doctor --url https://tikal.example --database postgresql://tikal@127.0.0.1/tikal

Run it on the server's machine, as the server's user. The exit code is 1 if something is wrong.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which server."""
    parser.epilog = EPILOG
    add_database(parser)
    parser.add_argument("--url", metavar="URL", help="the address that players use, to check the proxy")


def run(args: argparse.Namespace) -> int:
    """Print the findings, and how to fix them."""
    if args.url and not args.url.startswith(("http://", "https://")):
        raise TikalError("usage", f"--url {args.url}: must begin with http:// or https://")
    from tikal.server.operation.doctor import examine

    levels = set()
    for finding in examine(database_of(args), args.url):
        print(finding.line(), flush=True)
        levels.add(finding.level)
    return 1 if "bad" in levels else 0

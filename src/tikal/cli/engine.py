"""`tikal engine`: the line protocol on standard input and output."""

from __future__ import annotations

import argparse

EPILOG = """\
One command per line; the answer ends with `ok`, or is one line `err CODE: text`.

example:
  printf 'newgame players=2 seed=42\\nlegal\\nquit\\n' | tikal engine
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """There are none: the protocol has its own commands."""
    parser.epilog = EPILOG


def run(_: argparse.Namespace) -> int:
    """Serve until `quit` or the end of the input."""
    from tikal.engine.protocol import main

    return main()

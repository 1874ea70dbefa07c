"""`tikal verify RECORD`: checks all that a record claims."""

from __future__ import annotations

import argparse
from pathlib import Path

from tikal.cli.files import read_text
from tikal.cli.main import NO, OK
from tikal.play.records import verify

EPILOG = """\
Checked are the rules (every action replayed), the result, the commitment to the seed, and that the deck,
the treasures and the dice come from the seed and the players' nonces. That proves that nothing was changed,
not that nobody looked.

exit code: 0 if all holds, 1 if something does not, 2 if the file is no record at all.

examples:
  tikal verify game.tikal
  curl -s https://example.org/game.tikal | tikal verify -
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The record."""
    parser.epilog = EPILOG
    parser.add_argument("record", type=Path, metavar="RECORD", help="a game record; - is standard input")


def run(args: argparse.Namespace) -> int:
    """Check, and print what was checked."""
    checked = verify(read_text(args.record))
    for good, text in checked.checks:
        print(f"{'ok ' if good else 'NO '} {text}")
    print("this record verifies" if checked.ok else "this record does NOT verify")
    return OK if checked.ok else NO

"""`tikal verify RECORD`: checks all claims of a record."""

from __future__ import annotations

import argparse
from pathlib import Path

from tikal.cli.files import read_text
from tikal.cli.language import add_language_argument, choose, sentence, t
from tikal.cli.main import NO, OK
from tikal.cli.plain import plain
from tikal.play.records import verify

EPILOG = """\
This checks the rules (by replaying every action), the result, the commitment to the seed, and that the deck,
the treasures and the dice follow from the seed and the players' nonces. It proves that nothing was changed,
not that nobody looked.

exit code: 0 if everything checks out, 1 if something does not, 2 if the file is not a game record.

examples:
  tikal verify game.tikal
  curl -s https://example.org/game.tikal | tikal verify -
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The record."""
    parser.epilog = EPILOG
    parser.add_argument("record", type=Path, metavar="RECORD", help="a game record; - is standard input")
    add_language_argument(parser)


def run(args: argparse.Namespace) -> int:
    """Check, and print the results."""
    choose(args.language)
    checked = verify(read_text(args.record))
    for check in checked.checks:
        what = sentence(f"reason.check_{check.code}", check.values)
        print(plain(t("check_yes" if check.ok else "check_no", what=what)))
    print(t("verifies" if checked.ok else "does_not_verify"))
    return OK if checked.ok else NO

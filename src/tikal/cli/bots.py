"""`tikal bots`: the available opponents, and the test for bots."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from tikal.cli.main import NO, OK

if TYPE_CHECKING:
    from tikal.bots.conformance import Check

EPILOG = """\
A bot is named by a spec: a level with parameters (surveyor:width=200, professor:nodes=50000, professor:time=500), the
name of a bot that another package registers (entry point tikal.bots), or program:COMMAND for any program that speaks
the engine protocol. Its settings go before the command: program:level=NAME time=MS wait=SECONDS COMMAND. By
default it plays at its last level and has 60 seconds for an answer.

--check lets a bot play with every number of players, the auction and every variant. It must play only legal actions,
stop its plans where chance or other players come in, give the same plan for the same seed (unless time= is set), and
end cleanly.

exit code of --check: 0 if the bot conforms, 1 if it does not.

examples:
  tikal bots
  tikal bots --check digger
  tikal bots --check "program:python3 my_bot.py"
  tikal play --bot 2=surveyor --bot 3=digger --players 3
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The bot to test, if any."""
    parser.epilog = EPILOG
    parser.add_argument("--check", metavar="SPEC", help="test a bot")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="seed of the games for --check (default 1)")


def run(args: argparse.Namespace) -> int:
    """List, or test."""
    return _check(args.check, args.seed) if args.check else _list()


def _list() -> int:
    from tikal.bots.bot import table
    from tikal.bots.others import registered

    print("levels, weakest first:")
    for name, row in table().items():
        defaults = [f"{key}={value}" for key, value in row["parameters"].items()]
        takes = [*defaults, *(key for key in ("nodes", "time") if key not in row["parameters"])]
        print(f"  {name:<12} {row['sentence']}\n{'':<14} parameters: {', '.join(takes)}")
    print("from other packages:")
    print("\n".join(f"  {name}" for name in registered()) or "  none installed")
    print("programs:\n  program:COMMAND   any program that speaks the engine protocol, see `tikal bots --help`")
    return OK


def _check(spec: str, seed: int) -> int:
    from tikal.bots import make
    from tikal.bots.conformance import check

    make(spec).close()  # an invalid spec is wrong input, not a bot that does not conform
    timed = False if "time=" in spec else None
    report = check(lambda: make(spec), deterministic=timed, seed=seed, tell=_tell)
    print(report.lines()[-1])
    return OK if report.ok else NO


def _tell(done: Check) -> None:
    """Prints each check as soon as it is done: a slow bot takes minutes."""
    print(f"{'ok ' if done.ok else 'NO '} {done.name}{': ' if done.text else ''}{done.text}")
    sys.stdout.flush()

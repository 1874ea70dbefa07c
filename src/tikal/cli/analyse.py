"""`tikal analyse RECORD`: what could be done best in a position, why, and who is likely to win."""

from __future__ import annotations

import argparse
import json
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tikal.cli.advice import advice, signed
from tikal.cli.records import go_to, open_record
from tikal.cli.screen import terminal
from tikal.rules.errors import TikalError

if TYPE_CHECKING:
    from rich.table import Table

EPILOG = """\
The value of a turn is how many points its seat would be ahead of the rivals in the end; the columns after it are the
parts of the value. Only what the seat to move may know is looked at. Where a turn digs or rolls dice, the actions
after that are what would be done on average. Ctrl-C stops the thinking and shows the best so far.

examples:
  tikal analyse game.tikal --at 40
  tikal analyse game.tikal --at 40 --level professor --time 10000
  tikal analyse game.tikal --level surveyor:width=200 --json | jq '.turns[0].actions'
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The position, and how hard to think."""
    parser.epilog = EPILOG
    parser.add_argument("record", type=Path, metavar="RECORD", help="a game record; - is standard input")
    parser.add_argument("--at", type=int, metavar="N", help="after so many actions (default: at the end)")
    about = "whose thinking: digger, surveyor or professor, with parameters (default professor)"
    parser.add_argument("--level", default="professor", metavar="SPEC", help=about)
    budget = parser.add_mutually_exclusive_group()
    budget.add_argument("--time", metavar="MS", help="how long to think, in milliseconds")
    budget.add_argument(
        "--nodes", metavar="N", help="how many positions to look at; then the result is always the same"
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="what sampled deals are made from (default 0)")
    parser.add_argument("--json", action="store_true", help="one line of JSON")


def run(args: argparse.Namespace) -> int:
    """Think, and print."""
    game, names = open_record(args.record)
    actions = len(game.history)
    go_to(game, args.at)
    if game.over:
        raise TikalError(
            "usage", f"{args.record}: the game is over here; --at N looks at it after 0 to {actions - 1} actions"
        )
    shown = terminal()
    with until_interrupted() as stop, shown.waiting("thinking; Ctrl-C shows the best so far"):
        told = advice(game.view(game.seat), _spec(args), args.seed, stop)
    if args.json:
        print(json.dumps(told))
        return 0
    console = shown.console
    console.print(
        f"after {len(game.history)} of {actions} actions: {told['seat']} {names[told['seat'] - 1]}, {told['phase']}"
    )
    for table in (_seats(told, names), _turns(told)):
        console.print()
        console.print(table)
    return 0


def _spec(args: argparse.Namespace) -> str:
    """The level with the budget as one of its parameters."""
    budget = [f"{key}={value}" for key, value in (("time", args.time), ("nodes", args.nodes)) if value is not None]
    return ("," if ":" in args.level else ":").join([args.level, *budget])


def _table(*columns: str) -> Table:
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for column in columns:
        table.add_column(column, justify="left" if column in ("seat", "turn") else "right")
    return table


def _seats(told: dict[str, Any], names: Sequence[str]) -> Table:
    from tikal.cli.plain import plain

    table = _table("seat", "score", "expected", "wins")
    for row in told["seats"]:
        name = plain(f"{row['seat']} {names[row['seat'] - 1]}")
        table.add_row(name, str(row["score"]), f"{row['estimate']:.0f}", f"{row['chance']:.0%}")
    return table


def _turns(told: dict[str, Any]) -> Table:
    table = _table("", "value", "wins", *told["turns"][0]["parts"], "turn")
    for number, turn in enumerate(told["turns"], start=1):
        parts = map(signed, turn["parts"].values())
        table.add_row(str(number), signed(turn["value"]), f"{turn['chance']:.0%}", *parts, " ".join(turn["actions"]))
    return table


@contextmanager
def until_interrupted() -> Iterator[Callable[[], bool]]:
    """Ctrl-C does not end the program but sets what this gives."""
    told: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: told.append(number))
    try:
        yield lambda: bool(told)
    finally:
        signal.signal(signal.SIGINT, before)

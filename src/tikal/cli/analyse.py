"""`tikal analyse RECORD`: the best turns in a position, the reasons, and each player's chances."""

from __future__ import annotations

import argparse
import json
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from tikal.cli.advice import advice, parts_in_words
from tikal.cli.language import add_language_argument, choose, percent, signed, t
from tikal.cli.records import go_to, open_record
from tikal.cli.say import say_name
from tikal.cli.screen import terminal
from tikal.rules.errors import TikalError

if TYPE_CHECKING:
    from rich.table import Table

EPILOG = """\
The value of a turn is how many points ahead of its rivals the seat can expect to finish; "why" lists what contributes
most. The analysis uses only what that seat may know. Actions listed after a dig or a roll of dice suit the average
result. Ctrl-C stops early and shows the best turns so far.

examples:
  tikal analyse game.tikal --at 40
  tikal analyse game.tikal --at 40 --level professor --time 10000
  tikal analyse game.tikal --level surveyor:width=200 --json | jq '.turns[0].actions'
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The position, and the budget."""
    parser.epilog = EPILOG
    parser.add_argument("record", type=Path, metavar="RECORD", help="a game record; - is standard input")
    parser.add_argument("--at", type=int, metavar="N", help="after N actions (default: at the end)")
    about = "the level to ask, with parameters (default professor; `tikal bots` lists them)"
    parser.add_argument("--level", default="professor", metavar="SPEC", help=about)
    budget = parser.add_mutually_exclusive_group()
    budget.add_argument("--time", metavar="MS", help="how long to think, in milliseconds")
    budget.add_argument("--nodes", metavar="N", help="how many positions to look at; makes the result reproducible")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="seed for sampled deals (default 0)")
    parser.add_argument("--json", action="store_true", help="print one line of JSON")
    add_language_argument(parser)


def run(args: argparse.Namespace) -> int:
    """Analyse, and print."""
    choose(args.language)
    game, names = open_record(args.record)
    actions = len(game.history)
    go_to(game, args.at)
    if game.over:
        raise TikalError("usage", t("analyse_over", path=str(args.record), last=actions - 1))
    shown = terminal()
    with until_interrupted() as stop, shown.waiting(t("analyse_thinking")):
        analysis = advice(game.view(game.seat), _spec(args), args.seed, stop)
    if args.json:
        print(json.dumps(analysis))
        return 0
    console = shown.console
    what = t(f"phase_{analysis['phase']}", who=f"{analysis['seat']} {say_name(names[analysis['seat'] - 1])}")
    shown.tell(t("analyse_at", at=len(game.history), all=actions, what=what))
    for table in (_seats(analysis, names), turns_table(analysis)):
        console.print()
        console.print(table)
    return 0


def _spec(args: argparse.Namespace) -> str:
    """The level with the budget as one of its parameters."""
    budget = [f"{key}={value}" for key, value in (("time", args.time), ("nodes", args.nodes)) if value is not None]
    return ("," if ":" in args.level else ":").join([args.level, *budget])


LEFT = ("seat", "why", "turn")  # columns of text


def _table(*columns: str) -> Table:
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for column in columns:
        justify: Literal["left", "right"] = "left" if column in LEFT else "right"
        # Chinese has no spaces where a line could break, so what is too long is folded, not cut.
        table.add_column(t(f"head_{column}") if column else "", justify=justify, overflow="fold")
    return table


def _seats(analysis: dict[str, Any], names: Sequence[str]) -> Table:
    from tikal.cli.plain import plain

    table = _table("seat", "score", "expected", "wins")
    for row in analysis["seats"]:
        name = plain(f"{row['seat']} {say_name(names[row['seat'] - 1])}")
        table.add_row(name, str(row["score"]), f"{row['estimate']:.0f}", percent(row["chance"]))
    return table


def turns_table(analysis: dict[str, Any]) -> Table:
    """The best turns: what each is worth, why, and its actions."""
    table = _table("", "value", "wins", "why", "turn")
    for number, turn in enumerate(analysis["turns"], start=1):
        why = parts_in_words(turn["parts"])
        table.add_row(str(number), signed(turn["value"]), percent(turn["chance"]), why, " ".join(turn["actions"]))
    return table


@contextmanager
def until_interrupted() -> Iterator[Callable[[], bool]]:
    """While the block runs, Ctrl-C does not end the program: it makes the yielded function return true."""
    interrupts: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: interrupts.append(number))
    try:
        yield lambda: bool(interrupts)
    finally:
        signal.signal(signal.SIGINT, before)

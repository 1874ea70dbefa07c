"""`tikal habits RECORD…`: what players do with their action points."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tikal.cli.export import progress
from tikal.cli.files import FileError
from tikal.cli.records import open_record

EPILOG = """\
Averages are per game and seat; players with the same name are counted together. A turn is a budget of 10 AP, so the
turns of a scoring round count too. Unfinished games are left out.

examples:
  tikal habits game.tikal
  tikal arena --players surveyor,digger --games 20 --records games
  tikal habits games
  tikal habits games --json
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The records, and how to print the result."""
    parser.epilog = EPILOG
    about = "a game record, or a folder with .tikal files (subfolders included); - is standard input"
    parser.add_argument("records", type=Path, nargs="+", metavar="RECORD", help=about)
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print one line of JSON, with every figure")
    form.add_argument("--markdown", action="store_true", help="print the table in Markdown")


def run(args: argparse.Namespace) -> int:
    """Read the records, and print the table."""
    from tikal.bots.habits import Habits, by_name, figures, markdown, observe

    paths = list(_paths(args.records))
    tell = progress("read", "records")
    games: list[list[Habits]] = []
    for number, path in enumerate(paths, start=1):
        game, names = open_record(path)
        if game.over:
            games.append(observe(game, names))
        tell(number, len(paths))
    if len(games) < len(paths):
        print(f"tikal: unfinished games left out: {len(paths) - len(games)}", file=sys.stderr)
    if not games:
        raise FileError("file", f"{args.records[0]}: there is no finished game")
    players = {name: figures(rows) for name, rows in by_name(games).items()}
    if args.json:
        print(json.dumps({"games": len(games), "players": [{"name": name, **row} for name, row in players.items()]}))
    elif args.markdown:
        print(markdown(players), end="")
    else:
        _show(players)
    return 0


def _paths(given: Sequence[Path]) -> Iterator[Path]:
    for path in given:
        if not path.is_dir():
            yield path
            continue
        found = sorted(path.rglob("*.tikal"))
        if not found:
            raise FileError("file", f"{path}: there are no .tikal files in this folder")
        yield from found


def _show(players: Mapping[str, Any]) -> None:
    from rich.table import Table
    from rich.text import Text

    from tikal.arena.specs import short
    from tikal.arena.tables import console_for
    from tikal.bots.habits import rows

    head, *rest = rows(players)
    table = Table(box=None, pad_edge=False)
    for number, name in enumerate(head):
        table.add_column(Text(short(name, 40)), justify="right" if number else "left", overflow="fold")
    for row in rest:
        table.add_row(*map(Text, row))
    console_for(sys.stdout).print(table)

"""`tikal play`: a game at this terminal, everybody at one keyboard."""

from __future__ import annotations

import argparse
from pathlib import Path

from tikal.cli.args import OPTIONS_HELP, add_game_arguments, game_arguments_given, game_from_args
from tikal.cli.human import Human
from tikal.cli.reader import reader_for_stdin
from tikal.cli.records import open_running
from tikal.cli.save import Autosave, newest, prune
from tikal.cli.screen import terminal
from tikal.cli.table import Table
from tikal.cli.theme import SEAT_NAMES
from tikal.play import Game
from tikal.rules.errors import TikalError

EPILOG = f"""\
examples:
  tikal play                                         two players
  tikal play -p 3 --names Ann,Bob,Cleo --edition rio-grande
  tikal play -p 4 -o auction=true                    the auction game
  tikal play --load game.tikal                       go on with a saved game
  tikal play --resume                                go on with the game that was played last
  printf '%s\\n' 1 1 +W@a1 log | tikal play --seed 42    lines from a pipe

Type actions in notation, the number of a choice, or a command; `help` lists them. Every action is
saved at once: a closed terminal loses nothing, `--resume` goes on.

{OPTIONS_HELP}
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The game, where it comes from, and how it is drawn."""
    parser.epilog = EPILOG
    add_game_arguments(parser)
    parser.add_argument("--names", metavar="A,B,…", help="names of the seats, in order")
    start = parser.add_mutually_exclusive_group()
    start.add_argument("--load", type=Path, metavar="FILE", help="go on with the game in this record")
    start.add_argument("--resume", action="store_true", help="go on with the game that was played last")
    parser.add_argument("--ascii", action="store_true", help="draw with plain ASCII characters")


def run(args: argparse.Namespace) -> int:
    """Play."""
    game, names, path = _start(args)
    if args.names:
        names = _names(args.names, len(names))
    human = Human(reader_for_stdin())
    prune()
    table = Table(game, names, [human] * len(names), terminal(args.ascii), Autosave(path))
    try:
        return table.run()
    except KeyboardInterrupt:
        table.tell("The game is kept: `tikal play --resume` goes on with it.")
        raise


def _start(args: argparse.Namespace) -> tuple[Game, list[str], Path | None]:
    """The game to play, the names, and the file of a resumed one."""
    path = newest() if args.resume else args.load
    if args.resume and path is None:
        raise TikalError("usage", "--resume: there is no unfinished game; `tikal play` starts one")
    if path is None:
        game = game_from_args(args)
        return game, list(SEAT_NAMES[: game.options.players]), None
    if given := game_arguments_given(args):
        raise TikalError("usage", f"{given}: a game that goes on has its options already")
    game, names = open_running(path)
    return game, names, path if args.resume else None


def _names(text: str, players: int) -> list[str]:
    names = [name.strip() for name in text.split(",")]
    if len(names) != players or not all(names):
        raise TikalError("usage", f"--names {text}: must be {players} names, separated by commas")
    if any(not name.isprintable() or '"' in name for name in names):
        raise TikalError("usage", "--names: names are printable and have no quotation marks")
    return names

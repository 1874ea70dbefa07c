"""`tikal play`: a game at this terminal, against bots or with others at one keyboard."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path

from tikal.cli.args import OPTIONS_HELP, add_game_arguments, game_arguments_given, game_from_args
from tikal.cli.human import Human
from tikal.cli.language import add_language_argument, choose, t
from tikal.cli.opponent import bots_given, named, seats_of
from tikal.cli.reader import Reader, reader_for_stdin
from tikal.cli.records import open_running
from tikal.cli.save import Autosave, newest, prune
from tikal.cli.say import BOT
from tikal.cli.screen import Terminal, terminal
from tikal.cli.slow import notice
from tikal.cli.table import Table
from tikal.play import Game
from tikal.rules.errors import TikalError

EPILOG = f"""\
examples:
  tikal play                                         asks how many players, and against whom
  tikal play --bot 2=surveyor                        against a bot
  tikal play -p 3 --bot 2=digger --bot 3=professor:time=500
  tikal play -p 3 --names Ann,Bob,Cleo --edition rio-grande
  tikal play -p 4 -o auction=true                    the auction game
  tikal play --load game.tikal                       continue a saved game
  tikal play --resume                                resume your last game
  printf '%s\\n' 1 1 +W@a1 log | tikal play --seed 42    read lines from a pipe

Type actions in notation, the number of a choice, or a command: `help` lists them, `hint` gives advice. Every action
is saved at once, so closing the terminal loses nothing: `--resume` continues with the same bots. `tikal bots` lists
the bots.

{OPTIONS_HELP}
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The game, its source, and how to draw it."""
    parser.epilog = EPILOG
    add_game_arguments(parser)
    about = "let a bot play a seat; can be repeated (`tikal bots` lists the bots)"
    parser.add_argument("--bot", action="append", default=[], metavar="SEAT=SPEC", help=about)
    parser.add_argument("--names", metavar="A,B,…", help="the names of the people, in seat order")
    start = parser.add_mutually_exclusive_group()
    start.add_argument("--load", type=Path, metavar="FILE", help="continue the game in this record")
    start.add_argument("--resume", action="store_true", help="resume your last game")
    parser.add_argument("--ascii", action="store_true", help="draw with plain ASCII characters")
    add_language_argument(parser)


def run(args: argparse.Namespace) -> int:
    """Play."""
    choose(args.language)
    reader, shown = reader_for_stdin(), terminal(args.ascii)
    greeting = ""
    if reader.interactive and not _anything_given(args):
        if not _ask(args, reader, shown):
            return 0
        greeting = t("greeting")
    game, names, path = _start(args)
    bots = bots_given(args.bot, game.options.players)
    names = named(_people(args.names, names, bots) if args.names else names, bots)
    greeting = "\n".join(filter(None, (notice(), greeting)))
    human = Human(reader)
    prune()
    table = Table(game, names, lambda seated: seats_of(seated, human, bots.values()), shown, Autosave(path), greeting)
    try:
        return table.run()
    except KeyboardInterrupt:
        table.tell(t("kept"))
        raise


def _anything_given(args: argparse.Namespace) -> bool:
    return bool(game_arguments_given(args) or args.bot or args.names or args.load or args.resume)


def _ask(args: argparse.Namespace, reader: Reader, shown: Terminal) -> bool:
    """Asks a new user what to play, and writes the answers into the arguments; False if the user leaves."""
    from tikal.cli.welcome import welcome

    answers = welcome(reader, shown.tell, newest() is not None)
    if answers is None:
        return False
    args.resume = answers.resume
    if not answers.resume:
        args.players = answers.players
        args.bot = [f"{seat}={spec}" for seat, spec in answers.bots.items()]
    return True


def _start(args: argparse.Namespace) -> tuple[Game, list[str], Path | None]:
    """The game to play, the names, and the file of a resumed one."""
    path = newest() if args.resume else args.load
    if args.resume and path is None:
        raise TikalError("usage", t("no_game"))
    if path is None:
        game = game_from_args(args)
        return game, [t(f"seat_{seat}") for seat in range(1, game.options.players + 1)], None
    if given := game_arguments_given(args):
        raise TikalError("usage", t("arg_continued", given=given))
    game, names = open_running(path)
    return game, names, path if args.resume else None


def _people(text: str, seats: list[str], bots: Mapping[int, str]) -> list[str]:
    """The names of all seats, with the given names of people."""
    people = [seat for seat, name in enumerate(seats, start=1) if seat not in bots and not name.startswith(BOT)]
    given = dict(zip(people, _names(text, len(people)), strict=True))
    return [given.get(seat, name) for seat, name in enumerate(seats, start=1)]


def _names(text: str, players: int) -> list[str]:
    names = [name.strip() for name in text.split(",")]
    if len(names) != players or not all(names):
        raise TikalError("usage", t("arg_names", text=text, count=players))
    if any(not name.isprintable() or '"' in name for name in names):
        raise TikalError("usage", t("arg_names_print"))
    if any(name.startswith(BOT) for name in names):
        raise TikalError("usage", t("arg_names_bot", prefix=BOT))
    return names

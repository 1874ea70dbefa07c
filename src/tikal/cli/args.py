"""Arguments that several commands share: the game to play."""

from __future__ import annotations

import argparse
from collections.abc import Iterable

from tikal.cli.language import t
from tikal.play import Game
from tikal.play.game import CHANCE
from tikal.rules.errors import TikalError
from tikal.rules.options import EDITIONS, VALUES, as_text

EDITION_HELP = "which edition of the rules (default super-meeple); classic uses the original board"

OPTIONS_HELP = """\
game options (the first value is the default, unless the edition says otherwise):
""" + "\n".join(f"  {name:<18} {' '.join(map(as_text, values))}" for name, values in VALUES.items())


def add_game_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments that describe a new game."""
    group = parser.add_argument_group("the game")
    group.add_argument("--players", "-p", type=int, metavar="N", help="number of players: 2 to 4 (default 2)")
    group.add_argument("--edition", choices=list(EDITIONS), help=EDITION_HELP)
    group.add_argument(
        "--option",
        "-o",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="any option by name; can be repeated",
    )
    add_chance_arguments(group)


def add_chance_arguments(group: argparse._ActionsContainer) -> None:
    """The arguments for the chance of a game."""
    group.add_argument("--seed", help="seed of the shuffle; the same seed gives the same game")
    group.add_argument("--deck", metavar="A5,A6,…", help="all tiles in the order they are drawn")
    group.add_argument("--treasures", metavar="3,8,…", help="the 24 treasure tokens in the order they are taken")
    group.add_argument("--dice", metavar="11,7,…", help="the dice sums in order, for games with boulders")


def game_arguments_given(args: argparse.Namespace) -> str:
    """The names of these arguments that the user gave: `--players --option`."""
    names = ("players", "edition", "option", *CHANCE)
    return " ".join(f"--{name}" for name in names if getattr(args, name) not in (None, []))


def game_from_args(args: argparse.Namespace) -> Game:
    """A new game from the arguments of `add_game_arguments`."""
    pairs = list(args.option)
    pairs += [f"players={args.players}"] if args.players is not None else []
    pairs += [f"edition={args.edition}"] if args.edition is not None else []
    return game_from_pairs(pairs + chance_pairs(args))


def chance_pairs(args: argparse.Namespace) -> list[str]:
    """The arguments of `add_chance_arguments` as KEY=VALUE."""
    return [f"{key}={getattr(args, key)}" for key in CHANCE if getattr(args, key) is not None]


def game_from_pairs(words: Iterable[str]) -> Game:
    """A new game from words like those of the protocol's `newgame`.

    >>> game_from_pairs(["players=3", "auction=true", "seed=7"]).options.players
    3
    """
    pairs: dict[str, str] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals:
            raise TikalError("option", t("arg_pair", text=word))
        if key in pairs:
            raise TikalError("option", t("arg_twice", key=key))
        pairs[key] = value
    return Game.from_pairs(pairs)

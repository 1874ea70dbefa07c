"""Arguments that several commands share: which game is to be played."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping

from tikal.play import Game
from tikal.rules.errors import TikalError
from tikal.rules.options import EDITIONS, VALUES, Options, as_text

EDITION_HELP = "whose rules (default super-meeple); classic is played on the original board"
CHANCE = ("seed", "deck", "treasures", "dice")

OPTIONS_HELP = """\
options of a game (the first value is the default, where the edition does not say otherwise):
""" + "\n".join(f"  {name:<18} {' '.join(map(as_text, values))}" for name, values in VALUES.items())


def add_game_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments that describe a new game."""
    group = parser.add_argument_group("the game")
    group.add_argument("--players", "-p", type=int, metavar="N", help="how many play: 2 to 4 (default 2)")
    group.add_argument("--edition", choices=list(EDITIONS), help=EDITION_HELP)
    group.add_argument(
        "--option",
        "-o",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="any option by its name; repeat it",
    )
    add_chance_arguments(group)


def add_chance_arguments(group: argparse._ActionsContainer) -> None:
    """The arguments that say what chance answers."""
    group.add_argument("--seed", help="what the shuffle is made from; the same seed gives the same game")
    group.add_argument("--deck", metavar="A5,A6,…", help="all tiles in the order in which they come up")
    group.add_argument("--treasures", metavar="3,8,…", help="the 24 treasure tokens in the order they are taken")
    group.add_argument("--dice", metavar="11,7,…", help="sums of dice in order, for games with boulders")


def game_arguments_given(args: argparse.Namespace) -> str:
    """Which of these arguments were given, as they are typed; empty if none."""
    names = ("players", "edition", "option", *CHANCE)
    return " ".join(f"--{name}" for name in names if getattr(args, name) not in (None, []))


def game_from_args(args: argparse.Namespace) -> Game:
    """A new game as the arguments of `add_game_arguments` describe it."""
    pairs = list(args.option)
    pairs += [f"players={args.players}"] if args.players is not None else []
    pairs += [f"edition={args.edition}"] if args.edition is not None else []
    return game_from_pairs(pairs + chance_pairs(args))


def chance_pairs(args: argparse.Namespace) -> list[str]:
    """What `add_chance_arguments` was given, as KEY=VALUE."""
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
            raise TikalError("option", f"{word}: must be KEY=VALUE, for example players=3")
        if key in pairs:
            raise TikalError("option", f"{key}: given twice")
        pairs[key] = value
    chance = {key: pairs.pop(key) for key in CHANCE if key in pairs}
    options = Options.parse(pairs)
    return Game.new(
        options,
        seed=chance.get("seed"),
        deck=chance["deck"].split(",") if "deck" in chance else None,
        treasures=_numbers("treasures", chance),
        dice=_numbers("dice", chance),
    )


def _numbers(key: str, chance: Mapping[str, str]) -> list[int] | None:
    if key not in chance:
        return None
    words = chance[key].split(",")
    if not all(word.isdecimal() and len(word) <= 3 for word in words):
        raise TikalError(key, f"{key}={chance[key]}: must be numbers separated by commas, without spaces")
    return [int(word) for word in words]

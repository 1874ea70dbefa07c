"""`tikal perft DEPTH KEY=VALUE …`: counts the action sequences of a given length."""

from __future__ import annotations

import argparse
import sys
from time import perf_counter

from tikal.cli.args import OPTIONS_HELP, add_chance_arguments, chance_pairs, game_from_pairs
from tikal.play.game import CHANCE
from tikal.rules.errors import TikalError
from tikal.rules.tree import perft

DEEPEST = 12
EPILOG = f"""\
Prints a line `ACTION COUNT` for each legal action, then `total COUNT`; the speed goes to stderr.

examples:
  tikal perft 3 players=2 seed=42
  tikal perft 2 players=4 auction=true seed=7 --after "B:3 B:- B:- B:- K:A5"

You can write --seed 7 or seed=7; the default is seed=1.

{OPTIONS_HELP}
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Depth, the game, and actions to play first."""
    parser.epilog = EPILOG
    parser.add_argument("depth", type=int, metavar="DEPTH", help=f"how many actions, 0 to {DEEPEST}")
    parser.add_argument("pairs", nargs="*", metavar="KEY=VALUE", help="the game, as in the protocol's newgame")
    add_chance_arguments(parser)
    parser.add_argument("--after", default="", metavar="ACTIONS", help="actions to play before counting")


def run(args: argparse.Namespace) -> int:
    """Count, and print."""
    if not 0 <= args.depth <= DEEPEST:
        raise TikalError("usage", f"DEPTH {args.depth}: must be 0 to {DEEPEST}")
    pairs = args.pairs + chance_pairs(args)
    given = any(pair.partition("=")[0] in CHANCE for pair in pairs)
    game = game_from_pairs(pairs if given else [*pairs, "seed=1"])
    game.play(*args.after.split())
    start = perf_counter()
    total = 0 if args.depth else 1
    for action in game.legal() if args.depth else ():
        game.play(action)
        count = perft(game.state, args.depth - 1)
        game.undo(1)
        print(action, count)
        total += count
    print("total", total)
    seconds = perf_counter() - start
    print(
        f"{total:,} sequences in {seconds:.3f} s, {total / max(seconds, 1e-9):,.0f} per second",
        file=sys.stderr,
    )
    return 0

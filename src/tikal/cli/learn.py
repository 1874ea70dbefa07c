"""`tikal learn`: tunes the weights of the bots' evaluation by games."""

from __future__ import annotations

import argparse
from pathlib import Path

from tikal.bots.weights import PATH as WEIGHTS
from tikal.cli.export import progress

EPILOG = """\
Every generation adds one line of JSON to the log. You can interrupt the command: it continues where the log ends.
The bots keep their weights until --write replaces them with the last weights in the log.

examples:
  tikal learn --players 2 --games 600 --generations 4
  tikal learn --players 4 --games 400 --generations 2 --log four.jsonl
  tikal learn --log four.jsonl --write
  tikal learn --spread --players 2 --games 60
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """How many games to play, and the log."""
    parser.epilog = EPILOG
    parser.add_argument("--players", type=int, default=2, choices=[2, 3, 4], help="players in each game (default 2)")
    parser.add_argument("--games", type=int, default=600, help="games per generation (default 600)")
    parser.add_argument("--generations", type=int, default=4, help="in all, including those in the log (default 4)")
    parser.add_argument("--workers", type=int, default=2, help="processes to play with (default 2)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the games (default 1)")
    parser.add_argument("--log", type=Path, default=Path("learn.jsonl"), help="the log (default learn.jsonl)")
    where = "write the last weights in the log to FILE (default: the bots' own weights)"
    about = "only measure how far final scores are from the estimates, by number of scorings left; change no weights"
    parser.add_argument("--spread", action="store_true", help=about)
    parser.add_argument("--write", nargs="?", type=Path, const=WEIGHTS, metavar="FILE", help=where)


def run(args: argparse.Namespace) -> int:
    """Learn, or write the weights."""
    from tikal.bots.learn import laid_out, learn, read_log, spreads, with_log

    if args.write:
        args.write.write_text(laid_out(with_log(read_log(args.log))), "utf-8")
        print(f"{args.write}: written")
        return 0
    tell = progress("played", "games")
    if args.spread:
        print(spreads(args.players, args.games, args.seed, tell))
        return 0
    for row in learn(args.log, args.players, args.games, args.generations, args.workers, args.seed, tell):
        most = sorted(row["step"].items(), key=lambda item: -abs(item[1]))[:8]
        print(f"{row['name']}: {row['seconds']} s; {', '.join(f'{name} {moved:+.2f}' for name, moved in most)}")
    return 0

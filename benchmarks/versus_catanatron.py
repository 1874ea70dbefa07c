"""Random games here and in catanatron, the fastest board game of its kind in Python, in one run.

    .venv/bin/python -m pip install --no-deps --require-hashes -r benchmarks/requirements.txt
    .venv/bin/python -m benchmarks.versus_catanatron

Both choose uniformly among all legal actions, four players; forced actions count on both sides. The comparison is by
decisions per second of CPU time. It prints three fair ways to count the set-up of a game, and our loop in Python:

  games          ours from positions that are dealt already, theirs as its users run it: Game([…]).play()
  played only    both without the set-up of the game
  set up too     both with it; ours shuffles by HMAC-SHA256, so that the shuffle can be checked
  from Python    ours with the loop in interpreted Python, which calls the core for each decision
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from itertools import count
from time import process_time
from typing import Any

from benchmarks.rounds import interleaved, parser
from tikal._compiled import mode
from tikal.cli.bench import driven_games, random_games, rate, start
from tikal.rules.options import Options
from tikal.rules.tree import playouts

PEER, WANTED = "catanatron", "3.2.1"
BARS = {"basic": 150, "auction": 100}
BASIC, AUCTION = Options(players=4), Options(players=4, auction=True)
GAMES = 8  # of the peer, in each round


def tikal_side(seconds: float) -> Callable[[], dict[str, float]]:
    """Our figures."""
    runs = {
        "basic": random_games(BASIC),
        "auction": random_games(AUCTION),
        "basic, set up too": _set_up_too(BASIC),
        "auction, set up too": _set_up_too(AUCTION),
        "basic, from Python": driven_games(BASIC),
    }
    return lambda: {name: rate(run, seconds) for name, run in runs.items()}


def _set_up_too(options: Options) -> Callable[[], int]:
    seeds = count(1)
    return lambda: playouts(start(options, seed := next(seeds)), 1, seed)


def peer_side() -> dict[str, float]:
    """Theirs: whole games, and the same without their set-up."""
    from catanatron import Color, Game, RandomPlayer

    begun = process_time()
    games = [Game([RandomPlayer(color) for color in Color]) for _ in range(GAMES)]
    ready = process_time()
    for game in games:
        game.play()
    done = process_time()
    actions = sum(len(game.state.actions) for game in games)
    return {"games": actions / (done - begun), "played only": actions / (done - ready)}


def ratios(ours: dict[str, float], theirs: dict[str, float]) -> dict[str, float]:
    """How many times faster, for each way to count."""
    found = {}
    for game in BARS:
        found[f"{game}: games"] = ours[game] / theirs["games"]
        found[f"{game}: played only"] = ours[game] / theirs["played only"]
        found[f"{game}: set up too"] = ours[f"{game}, set up too"] / theirs["games"]
    found["basic: from Python"] = ours["basic, from Python"] / theirs["games"]
    return found


def _check_peer() -> None:
    try:
        found = version(PEER)
    except PackageNotFoundError:
        found = None
    if found != WANTED:
        say = f"{PEER} {WANTED} is needed, " + (f"not {found}" if found else "and is not installed")
        sys.exit(f"{say}: {sys.executable} -m pip install --no-deps --require-hashes -r benchmarks/requirements.txt")


def main() -> None:
    """Measure, and print."""
    made = parser(__doc__, rounds=15)
    made.add_argument("--seconds", type=float, default=0.2, help="for each of our figures in each round (default 0.2)")
    args = made.parse_args()
    _check_peer()
    random.seed(1)
    found = interleaved({"tikal": tikal_side(args.seconds), PEER: peer_side}, args.rounds)
    times = ratios(found["tikal"], found[PEER])
    if args.json:
        about: dict[str, Any] = {"mode": mode()[0], "rounds": args.rounds, "python": sys.version.split()[0]}
        print(json.dumps({**about, "decisions_per_s": found, "times": times, "bars": BARS}))
        return
    print(f"tikal {version('tikal')} ({mode()[0]}) and {PEER} {WANTED}, Python {sys.version.split()[0]}")
    print(f"medians of {args.rounds} interleaved rounds, CPU time\n\ndecisions per second")
    for side, figures in found.items():
        for name, figure in figures.items():
            print(f"  {side + ', ' + name:40}{figure:>14,.0f}")
    print("\ntimes as fast")
    for name, times_ in times.items():
        game, _, way = name.partition(": ")
        print(f"  {name:40}{times_:>14,.0f}{f'   (target: at least {BARS[game]})' if way == 'games' else ''}")


if __name__ == "__main__":
    main()

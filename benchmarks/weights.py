"""Weights of the evaluation against each other: one seat plays with changed weights, the others with the shipped ones.

    .venv/bin/python -m benchmarks.weights worker_had=0 --games 500 --width 3
    .venv/bin/python -m benchmarks.weights "hold_later=0.6,undug late=2.2" --players 4
    .venv/bin/python -m benchmarks.weights learn.jsonl               the last generation of a log of `tikal learn`
    .venv/bin/python -m benchmarks.weights shipped --rivals collector          against a style of the league

Both sides plan with the same beam, without look-ahead, so a game takes a fraction of a second. Each deal is played in
all rotations of the seats; intervals are 95 %, clustered by deal.
"""

from __future__ import annotations

import argparse
import math
import multiprocessing
from collections.abc import Sequence
from pathlib import Path

from tikal.bots.evaluation import WEIGHT_NAMES
from tikal.bots.learn import COLUMNS, STYLES, Job, margins_of_game, read_log, styled
from tikal.bots.weights import weights

SHIPPED = "shipped"  # the weights as they are


def changed(change: str, players: int) -> tuple[float, ...]:
    """The shipped weights with a change: `NAME=VALUE,…`, `NAME early=VALUE` for one stage, a style, or a log's end."""
    found = dict(zip(COLUMNS, weights(players), strict=True))
    if change == SHIPPED or change in STYLES:
        return styled(weights(players), STYLES.get(change, {}))
    if "=" not in change:
        return tuple(read_log(Path(change))[-1]["weights"])
    for pair in change.split(","):
        name, _, value = pair.partition("=")
        columns = [column for column in found if column in (name, f"{name} early", f"{name} late")]
        if not columns:
            raise SystemExit(f"{name}: no such weight; there are {', '.join(WEIGHT_NAMES)}")
        found |= dict.fromkeys(columns, float(value))
    return tuple(found.values())


def margins(own: tuple[float, ...], rival: tuple[float, ...], args: argparse.Namespace) -> list[list[float]]:
    """The margins of the changed seat: a list for each deal, with a margin for each rotation."""
    players = args.players
    jobs = [
        Job(tuple(own if at == seat else rival for at in range(players)), (None,) * players, f"{args.seed}/{deal}")
        for deal in range(args.games // players)
        for seat in range(players)
    ]
    with multiprocessing.Pool(args.workers) as pool:
        played = pool.starmap(margins_of_game, [(job, args.width) for job in jobs], chunksize=2)
    own_margins = [all_margins[at % players] for at, all_margins in enumerate(played)]
    return [own_margins[at : at + players] for at in range(0, len(own_margins), players)]


def mean_and_error(values: Sequence[float]) -> tuple[float, float]:
    """The mean, and half of its 95 % interval."""
    mean = math.fsum(values) / len(values)
    spread = math.fsum((value - mean) ** 2 for value in values)
    return mean, 1.96 * math.sqrt(spread) / len(values)


def main() -> None:
    """Plays the match and prints its outcome."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    styles = ", ".join(STYLES)
    parser.add_argument("change", help=f"NAME=VALUE,…, a log of tikal learn, {SHIPPED}, or a style: {styles}")
    parser.add_argument("--rivals", default=SHIPPED, metavar="CHANGE", help=f"the other seats (default {SHIPPED})")
    parser.add_argument("--players", type=int, default=2, choices=[2, 3, 4])
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--width", type=int, default=3, help="of the beam (default 3)")
    parser.add_argument("--seed", default="weights", help="what all deals are made from (default weights)")
    parser.add_argument("--workers", type=int, default=2)
    args = parser.parse_args()
    deals = margins(changed(args.change, args.players), changed(args.rivals, args.players), args)
    points, points_error = mean_and_error([math.fsum(deal) / len(deal) for deal in deals])
    won, won_error = mean_and_error([sum((m > 0) + (m == 0) / 2 for m in deal) / len(deal) for deal in deals])
    print(f"{args.change} v {args.rivals}: {points:+.1f} ± {points_error:.1f} points", end="")
    print(f", won {won:.1%} ± {won_error:.1%} of {len(deals) * args.players} games", end="")
    print(f", {args.players} players, width {args.width}, seed {args.seed}")


if __name__ == "__main__":
    main()

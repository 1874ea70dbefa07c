"""Makes the weights of the evaluation: self-play of varied planners, then regression of what became of each position.

`python -m tikal.bots.learn --players 2 3 4 --games 1200 --generations 3` starts from the stored weights, or with
`--fresh` from a plain guess, and writes `data/weights.json`; it takes an hour or two on two cores. Every player of a
game gets weights of its own, shaken around the current ones, so that the games also show what the current weights
would never try. A row is a seat in a position at the end of a turn: its features, and the points it made afterwards.
The regression is ridge, pulled towards the current weights, one for each number of scorings left.
Needs numpy, which playing does not.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import random
import re
import sys
from typing import Any

from tikal.bots.planner import Planner
from tikal.bots.search import NAMES, Search
from tikal.bots.weights import PATH, spread, weights
from tikal.play.chance import deal
from tikal.rules.codes import DIG, END, FINISHED, NO_ROUND, kind_of
from tikal.rules.core import State
from tikal.rules.options import Options
from tikal.rules.setup import new_state

FEATURES, STAGES = len(NAMES), 5
WIDTH = 12
PULL = 60.0  # how strongly the regression is held to the weights before
SHAKE = 0.35  # spread of the factor on every weight, in two games of three
NUDGE = {"camps": 3.0, "guards_left": 2.0, "leader_gone": 3.0, "workers_out": 0.5, "members_at_ruins": 1.0}
"""What is tried out more boldly, since a habit of never doing it would hide its worth."""

GUESS = {
    "hold_next_2": 0.45, "hold_next_4": 0.5, "hold_next_6": 0.55, "hold_next_8": 0.6, "hold_next_10": 0.7,
    "hold_next_safe": 0.9, "hold_later_2": 0.2, "hold_later_4": 0.25, "hold_later_6": 0.3, "hold_later_8": 0.35,
    "hold_later_10": 0.4, "hold_later_safe": 0.5, "guarded": 1.0, "take_next_3": 0.3, "take_next_6": 0.2,
    "take_next_10": 0.1, "take_later_3": 0.2, "take_later_6": 0.15, "take_later_10": 0.1, "treasure_points": 1.0,
    "singles": -0.1, "treasure_hope": 0.15, "ruins_near": 0.4, "ruins_far": 0.2, "workers_out": 0.3, "leader_out": 1.0,
    "camps_by_turns": 0.3, "camps": 0.5, "raisable": 0.5, "members_at_temples": 0.1, "members_at_ruins": 0.4,
    "urgent_safe": 0.1, "urgent_open": 0.1,
}  # fmt: skip
"""Where learning began."""

Row = tuple[int, list[float], float]


def guess() -> list[float]:
    """The weights that learning starts from.

    >>> len(guess()) == FEATURES * STAGES
    True
    """
    row = [GUESS.get(name, 0.0) for name in NAMES]
    return [0.0] * FEATURES + row * (STAGES - 1)


def shaken(current: list[float], rng: random.Random) -> list[float]:
    """Weights around the current ones."""
    bold = rng.random() < 2 / 3
    made = []
    for i, value in enumerate(current):
        factor = rng.lognormvariate(0, SHAKE) if bold else 1.0
        made.append(value * factor + rng.gauss(0, NUDGE.get(NAMES[i % FEATURES], 0.0)))
    return made


def rows_of_game(job: tuple[list[float], int, int]) -> list[Row]:
    """Plays one game; a row for each seat at the end of each turn."""
    current, players, seed = job
    rng = random.Random(seed)
    options = Options(players=players)
    state = new_state(options, deal(options, f"learn/{seed}"))
    planners = [Planner(state, WIDTH, shaken(current, rng)) for _ in range(players)]
    ends: list[State] = []
    while state.phase != FINISHED:
        for action in planners[state.seat].turns(state, WIDTH, 1)[0].actions:
            if action == END:
                ends.append(state.clone())
            state.apply(action)
            if kind_of(action) == DIG:
                break
    final = state.export()["score"]
    return [row for end in ends for row in rows_of_end(planners[0].search, end, final)]


def rows_of_end(search: Search, end: State, final: list[int]) -> list[Row]:
    """The rows of a position at the end of a turn."""
    search.prepare(end, end.seat)
    features, scorings = search.features(end), search.scorings_left()
    scores = end.export()["score"]
    rows = []
    for seat in range(end.players):
        banked = seat == end.seat and end.round_kind != NO_ROUND
        points = end.temple_points(seat) + end.treasure_points(seat) if banked else 0
        if scorings[seat]:
            rows.append((min(scorings[seat], STAGES - 1), features[seat], final[seat] - scores[seat] - points))
    return rows


def fit(rows: list[Row], current: list[float]) -> tuple[list[float], list[float]]:
    """New weights, and how far the estimate is off with so many scorings left."""
    import numpy as np

    found, off = [0.0] * FEATURES, [0.0]
    for stage in range(1, STAGES):
        chosen = [row for row in rows if row[0] == stage]
        x, y = np.array([row[1] for row in chosen]), np.array([row[2] for row in chosen])
        before = np.array(current[stage * FEATURES : (stage + 1) * FEATURES])
        hold = PULL * (x.var(axis=0) + 1e-3)
        solved = np.linalg.solve(x.T @ x + np.diag(hold), x.T @ y + hold * before)
        off.append(round(float((y - x @ solved).std()), 2))
        found += [round(float(value), 4) for value in solved]
    return found, off


def learn(players: int, games: int, generations: int, workers: int, seed: int, current: list[float]) -> Any:
    """Some generations of self-play and regression."""
    off: list[float] = []
    for generation in range(generations):
        jobs = [(current, players, seed + generation * games + i) for i in range(games)]
        rows: list[Row] = []
        with multiprocessing.Pool(workers) as pool:
            for done, found in enumerate(pool.imap_unordered(rows_of_game, jobs, chunksize=2), 1):
                rows += found
                print(f"\r{players} players, generation {generation + 1}: {done}/{games}", end="", file=sys.stderr)
        current, off = fit(sorted(rows), current)
        print(f"; {len(rows)} rows, off by {off[1:]}", file=sys.stderr)
    return current, off


def _laid_out(made: dict[str, Any]) -> str:
    """JSON with a line for each row of numbers, so that a change can be read."""
    text = json.dumps(made, indent=1)
    return re.sub(r"\[\s+([-0-9.,\s]+?)\s+\]", lambda row: f"[{' '.join(row[1].split())}]", text) + "\n"


def main(argv: list[str] | None = None) -> int:
    """Learns and writes the weights."""
    parser = argparse.ArgumentParser(prog="python -m tikal.bots.learn", description=__doc__)
    parser.add_argument("--players", type=int, nargs="+", default=[2, 3, 4], choices=[2, 3, 4])
    parser.add_argument("--games", type=int, default=1200, help="games in a generation (default 1200)")
    parser.add_argument("--generations", type=int, default=3)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fresh", action="store_true", help="start from the plain guess")
    args = parser.parse_args(argv)
    made: dict[str, Any] = {"names": list(NAMES), "weights": {}, "spread": {}, "made": ""}
    made["made"] = f"python -m tikal.bots.learn {' '.join(sys.argv[1:] if argv is None else argv)}".strip()
    for players in (2, 3, 4):
        current = guess() if args.fresh else weights(players)
        off = [0.0] * STAGES if args.fresh else [spread(players, stage) for stage in range(STAGES)]
        if players in args.players:
            current, off = learn(players, args.games, args.generations, args.workers, args.seed, current)
        rows = [current[i : i + FEATURES] for i in range(0, len(current), FEATURES)]
        made["weights"][str(players)], made["spread"][str(players)] = rows, off
    PATH.write_text(_laid_out(made), "utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

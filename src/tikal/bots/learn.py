"""Tunes the weights of the evaluation by the results of games.

Every seat of a game plays with its own weights: the current ones, each times e to the power of a random number (a
*shake*). A regression of the margins on the differences of the shakes shows which weights win, so every game tells
something about every weight. Each deal is played in all rotations, so the luck of the seat cancels. Some games are
against a league: the weights of earlier generations, and styles that exaggerate one side of the game. A generation
moves the weights along the regression, less where the slope is mostly noise.

`tikal learn` writes a line for each generation to a log and continues where the log ends. It needs numpy; playing does
not.
"""

from __future__ import annotations

import json
import math
import multiprocessing
import random
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tikal.bots.evaluation import WEIGHT_NAMES
from tikal.bots.planner import Planner
from tikal.bots.weights import stored, weights
from tikal.play.chance import deal
from tikal.rules.codes import DIG, FINISHED, kind_of
from tikal.rules.options import Options
from tikal.rules.setup import new_state

Json = dict[str, Any]
Tell = Callable[[int, int], None]  # receives how many games of how many are played

WIDTH = 4  # width of the beam in games for learning
SHAKE = 0.3  # standard deviation of the logarithm of a weight
LEAGUE = 0.25  # share of the games against the league
HOLD = 5.0  # the ridge of the regression: pulls slopes to zero
STEP = 0.5  # how far a weight moves for each standard error of its slope, in shakes
MOST_SCORINGS = 4  # three volcanoes and the final scoring
LIMIT = 1.0  # no weight changes by more than this many shakes in a generation

STYLES: Mapping[str, Mapping[str, float]] = {
    "treasure hunter": {"ruins": 2.0, "dig_now": 1.5, "hope": 2.0, "later": 0.6},
    "builder": {"hold_later": 0.6, "later": 1.8, "guarded": 1.5, "ruins": 0.6},
    "fighter": {"take_now": 1.3, "take_soon": 1.6, "hold_soon": 1.4, "spite": 1.5, "entry": 1.5},
}
"""Players that exaggerate one side of the game: factors on the weights."""


@dataclass(frozen=True, slots=True)
class Job:
    """One game: the weights of each seat, how each was shaken (None: a seat of the league), and the deal."""

    weights: tuple[tuple[float, ...], ...]
    shakes: tuple[tuple[float, ...] | None, ...]
    seed: str


def margins_of_game(job: Job, width: int = WIDTH) -> list[float]:
    """Plays a game; the margin of each seat over the best of the others."""
    options = Options(players=len(job.weights))
    state = new_state(options, deal(options, job.seed))
    planners = [Planner(state, width, own) for own in job.weights]
    while state.phase != FINISHED:
        for action in planners[state.seat].turns(state, width, 1)[0].actions:
            state.apply_unchecked(action)
            if kind_of(action) == DIG:
                break
    scores = state.export()["score"][: options.players]
    return [score - max(scores[:seat] + scores[seat + 1 :]) for seat, score in enumerate(scores)]


def errors_of_game(players: int, seed: str) -> Iterator[tuple[list[int], list[float]]]:
    """Plays a game; after each turn the scorings that each seat has left, and its final score less the estimate."""
    options = Options(players=players)
    state = new_state(options, deal(options, seed))
    planner = Planner(state, WIDTH)
    seen: list[tuple[list[int], list[float]]] = []
    while state.phase != FINISHED:
        seat = state.seat
        for action in planner.turns(state, WIDTH, 1)[0].actions:
            state.apply_unchecked(action)
            if kind_of(action) == DIG:
                break
        if state.phase != FINISHED and state.seat != seat:
            planner.prepare(state, seat)
            seen.append((planner.search.scorings_left(), [math.fsum(row) for row in planner.search.parts(state)]))
    scores = state.export()["score"][:players]
    for left, estimates in seen:
        yield left, [score - estimate for score, estimate in zip(scores, estimates, strict=True)]


def spreads(players: int, games: int, seed: int, tell: Tell) -> list[float]:
    """The deviation of final scores from the estimates, by the scorings left; errors that all seats share cancel."""
    squares: list[list[float]] = [[] for _ in range(MOST_SCORINGS + 1)]
    for game in range(games):
        for left, errors in errors_of_game(players, f"{seed}/{players}/{game}"):
            mean = math.fsum(errors) / players
            for scorings, error in zip(left, errors, strict=True):
                squares[scorings].append((error - mean) ** 2 * players / (players - 1))
        tell(game + 1, games)
    squares[0] = []  # a seat with no scoring left has its final score
    return [round(math.sqrt(math.fsum(row) / len(row)), 2) if row else 0.0 for row in squares]


def shaken(current: Sequence[float], shake: Sequence[float]) -> tuple[float, ...]:
    """Weights around the current ones.

    >>> shaken([2.0, 3.0], [0.0, 0.0])
    (2.0, 3.0)
    """
    return tuple(weight * math.exp(SHAKE * deviate) for weight, deviate in zip(current, shake, strict=True))


def styled(current: Sequence[float], factors: Mapping[str, float]) -> tuple[float, ...]:
    """The weights of a style."""
    return tuple(weight * factors.get(name, 1.0) for name, weight in zip(WEIGHT_NAMES, current, strict=True))


def jobs_of(
    current: Sequence[float], before: Sequence[Sequence[float]], players: int, games: int, name: str
) -> Iterator[Job]:
    """The games of a generation: every deal in all rotations of its players."""
    rng = random.Random(name)
    rivals = [*before, *(styled(current, factors) for factors in STYLES.values())]
    for number in range(-(-games // players)):  # whole deals
        shakes: list[tuple[float, ...] | None] = [tuple(rng.gauss(0, 1) for _ in current) for _ in range(players)]
        own = [shaken(current, shake) for shake in shakes if shake]
        if rng.random() < LEAGUE:
            shakes[-1] = None
            own[-1] = tuple(rng.choice(rivals))
        for turn in range(players):
            seats = [(seat + turn) % players for seat in range(players)]
            yield Job(tuple(own[s] for s in seats), tuple(shakes[s] for s in seats), f"{name}/{number}")


def step(rows: Sequence[tuple[Sequence[float], float]]) -> list[float]:
    """How far to move each weight, in shakes: by ridge regression of margins on shakes, less where noise prevails."""
    import numpy as np

    x, y = np.array([row[0] for row in rows]), np.array([row[1] for row in rows])
    hold = np.eye(x.shape[1]) * HOLD
    solved = np.linalg.solve(x.T @ x + hold, x.T @ (y - y.mean()))
    error = float((y - x @ solved).std()) / np.sqrt(np.diag(x.T @ x))
    sure = solved**2 / (solved**2 + error**2)  # a slope within its error counts little
    return [float(value) for value in np.clip(STEP * sure * solved / error, -LIMIT, LIMIT)]


def rows_of(deal: Sequence[tuple[Job, Sequence[float]]]) -> Iterator[tuple[list[float], float]]:
    """The rows of a deal, played in all rotations: a shake less the mean of the others', and the mean margin.

    Two players have one row: the other would be its mirror image.
    """
    first = deal[0][0]
    players = len(first.shakes)
    still = tuple(0.0 for _ in WEIGHT_NAMES)
    for player, shake in enumerate(first.shakes):
        if shake is None or (players == 2 and player and first.shakes[0]):
            continue
        others = [other or still for at, other in enumerate(first.shakes) if at != player]
        means = [sum(column) / len(others) for column in zip(*others, strict=True)]
        margin = sum(margins[(player - turn) % players] for turn, (_, margins) in enumerate(deal)) / players
        yield [own - mean for own, mean in zip(shake, means, strict=True)], margin


def generation(
    current: Sequence[float],
    before: Sequence[Sequence[float]],
    players: int,
    games: int,
    workers: int,
    name: str,
    tell: Tell = lambda _done, _all: None,
) -> Json:
    """Plays the games of a generation and moves the weights; returns the line for the log."""
    began = time.time()
    jobs = list(jobs_of(current, before, players, games, name))
    played: list[tuple[Job, list[float]]] = []
    with multiprocessing.Pool(workers) as pool:
        for job, margins in zip(jobs, pool.imap(margins_of_game, jobs, chunksize=2), strict=True):
            played.append((job, margins))
            tell(len(played), len(jobs))
    moved = step([row for at in range(0, len(jobs), players) for row in rows_of(played[at : at + players])])
    return {
        "name": name,
        "players": players,
        "games": len(jobs),
        "seconds": round(time.time() - began),
        "step": dict(zip(WEIGHT_NAMES, (round(value, 2) for value in moved), strict=True)),
        "weights": [round(weight, 5) for weight in shaken(current, moved)],
    }


def read_log(path: Path) -> list[Json]:
    """The generations so far."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []


def learn(log: Path, players: int, games: int, generations: int, workers: int, seed: int, tell: Tell) -> Iterator[Json]:
    """Continues the log, or begins with the stored weights; yields each generation after it is logged."""
    before = [weights(players), *(row["weights"] for row in read_log(log) if row["players"] == players)]
    for number in range(len(before) - 1, generations):
        row = generation(before[-1], before, players, games, workers, f"{seed}/{players}/{number}", tell)
        before.append(row["weights"])
        with log.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")
        yield row


def laid_out(made: Mapping[str, Any]) -> str:
    """JSON with one line for each list of numbers, so that diffs can be read.

    >>> print(laid_out({"a": [1.5, 2]}), end="")
    {
     "a": [1.5, 2]
    }
    """
    text = json.dumps(made, indent=1)
    return re.sub(r"\[\s+([-0-9.,\s]+?)\s+\]", lambda row: f"[{' '.join(row[1].split())}]", text) + "\n"


def with_log(rows: Sequence[Json]) -> Json:
    """The stored weights, with the last ones of a log in their place."""
    found = {str(row["players"]): row["weights"] for row in rows}
    return stored() | {"names": list(WEIGHT_NAMES), "weights": stored()["weights"] | found}

"""Tunes the weights of the evaluation by the results of games.

Every seat of a game plays with its own weights: the current ones, each times e to the power of a random number (a
*shake*). A regression of the margins on the differences of the shakes shows which weights win, so every game tells
something about every weight. Every game has its own deal and its own shakes, because many different games tell more
than the same deal in all rotations. In some games one seat belongs to a league: the weights of earlier generations, and
styles that exaggerate one side of the game. A generation moves the weights along the regression, less where the slope
is mostly noise.

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

from tikal.bots.evaluation import STAGES, WEIGHT_NAMES
from tikal.bots.planner import Planner
from tikal.bots.weights import stored, weights
from tikal.play.chance import deal
from tikal.play.view import Json
from tikal.rules.codes import DIG, FINISHED, kind_of
from tikal.rules.options import Options
from tikal.rules.setup import new_state

Tell = Callable[[int, int], None]  # receives how many games of how many are played

WIDTH = 2  # width of the beam in games for learning
SHAKE = 0.45  # standard deviation of the logarithm of a weight
LEAGUE = 0.25  # share of the games with a seat of the league
HOLD = 5.0  # the ridge of the regression: pulls slopes to zero
RATE = 40.0  # how far the logarithm of a weight moves, for a slope that is divided by the variance of the margins
LIMIT = 0.6  # no logarithm moves farther than this in a generation
MOST_SCORINGS = 4  # three volcanoes and the final scoring
COLUMNS = tuple(f"{name} {stage}" for stage in STAGES for name in WEIGHT_NAMES)
"""The names of all numbers that learning tunes."""

STYLES: Mapping[str, Mapping[str, float]] = {
    "treasure hunter": {"undug": 2.0, "dig_now": 1.5, "hope": 2.0, "later": 0.6},
    "builder": {"hold_later": 0.6, "later": 1.8, "guarded": 1.5, "undug": 0.6},
    "fighter": {"take_now": 1.3, "take_soon": 1.6, "hold_soon": 1.4, "spite": 1.5, "entry": 1.5},
    "collector": {"exchange_after": 0.01, "ap_worth": 0.6, "guarded": 0.3, "dig_now": 1.3},
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
    return tuple(
        weight * factors.get(name, 1.0) for name, weight in zip(WEIGHT_NAMES * len(STAGES), current, strict=True)
    )


def jobs_of(
    current: Sequence[float], before: Sequence[Sequence[float]], players: int, games: int, name: str
) -> Iterator[Job]:
    """The games of a generation, each with its own deal and shakes."""
    rng = random.Random(name)
    rivals = [*before, *(styled(current, factors) for factors in STYLES.values())]
    for number in range(games):
        shakes: list[tuple[float, ...] | None] = [tuple(rng.gauss(0, 1) for _ in current) for _ in range(players)]
        own = [shaken(current, shake) for shake in shakes if shake]
        if rng.random() < LEAGUE:
            seat = rng.randrange(players)
            shakes[seat] = None
            own[seat] = tuple(rng.choice(rivals))
        yield Job(tuple(own), tuple(shakes), f"{name}/{number}")


def step(rows: Sequence[tuple[Sequence[float], float]]) -> list[float]:
    """How far to move the logarithm of each weight: along a regression of margins on shakes, less for noisy slopes."""
    import numpy as np

    x, y = np.array([row[0] for row in rows]), np.array([row[1] for row in rows])
    hold = np.eye(x.shape[1]) * HOLD
    solved = np.linalg.solve(x.T @ x + hold, x.T @ y)
    error = float((y - x @ solved).std()) / np.sqrt(np.diag(x.T @ x))
    sure = solved**2 / (solved**2 + error**2)  # a slope smaller than its error counts little
    moved = np.clip(RATE * sure * solved / SHAKE / y.var(), -LIMIT, LIMIT)
    return [float(value) for value in moved[: len(COLUMNS)]]


def rows_of(job: Job, margins: Sequence[float]) -> Iterator[tuple[list[float], float]]:
    """For each shaken seat: its shake less the mean of the others', which seat it is, and its margin.

    Two players have one row: the other would be its mirror image.
    """
    players = len(job.shakes)
    still = tuple(0.0 for _ in COLUMNS)
    for seat, shake in enumerate(job.shakes):
        if shake is None or (players == 2 and seat and job.shakes[0]):
            continue
        others = [other or still for at, other in enumerate(job.shakes) if at != seat]
        means = [sum(column) / len(others) for column in zip(*others, strict=True)]
        own_seat = [float(at == seat) for at in range(players)]
        yield [own - mean for own, mean in zip(shake, means, strict=True)] + own_seat, margins[seat]


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
    moved = step([row for job, margins in played for row in rows_of(job, margins)])
    return {
        "name": name,
        "players": players,
        "games": len(jobs),
        "seconds": round(time.time() - began),
        "step": dict(zip(COLUMNS, (round(value, 2) for value in moved), strict=True)),
        "weights": [round(weight * math.exp(value), 5) for weight, value in zip(current, moved, strict=True)],
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
    found = {str(row["players"]): by_stage(row["weights"]) for row in rows}
    return stored() | {"names": list(WEIGHT_NAMES), "weights": stored()["weights"] | found}


def by_stage(flat: Sequence[float]) -> dict[str, list[float]]:
    """The early and the late weights.

    >>> by_stage(range(2 * len(WEIGHT_NAMES)))["late"][0] == len(WEIGHT_NAMES)
    True
    """
    size = len(WEIGHT_NAMES)
    return {stage: list(flat[at * size : (at + 1) * size]) for at, stage in enumerate(STAGES)}

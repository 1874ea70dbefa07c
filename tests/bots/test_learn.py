"""Learning by games: reproducible, resumable, and it moves towards winning weights."""

from __future__ import annotations

import json
import multiprocessing
import random
from pathlib import Path
from typing import Self

import pytest

from tests.kit.commands import Run
from tikal.bots import learn
from tikal.bots.evaluation import WEIGHT_NAMES
from tikal.bots.weights import weights


@pytest.fixture(autouse=True)
def fast(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replaces games by a formula: the margin of a seat depends on two of its weights."""
    monkeypatch.setattr(learn, "margins_of_game", margins)
    monkeypatch.setattr(multiprocessing, "Pool", lambda _workers: Here())


class Here:
    """A pool that plays in this process."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def imap(self, function: object, jobs: list[learn.Job], chunksize: int) -> map[list[float]]:
        assert (function, chunksize) == (margins, 2)
        return map(margins, jobs)


def margins(job: learn.Job) -> list[float]:
    noise = random.Random(job.seed)
    return [30 * own[0] - 30 * own[3] + noise.gauss(0, 5) for own in job.weights]


def test_a_generation_moves_towards_winning_weights() -> None:
    current = [1.0] * len(learn.COLUMNS)
    row = learn.generation(current, [current], 2, 400, 1, "test")
    moved = list(row["step"].values())
    others = [abs(value) for at, value in enumerate(moved) if at not in (0, 3)]
    assert moved[0] > max(others)
    assert moved[3] < -max(others)
    assert row["weights"][0] > 1 > row["weights"][3]


def test_the_early_and_the_late_weight_are_learned_separately() -> None:
    current = [1.0] * len(learn.COLUMNS)
    step = learn.generation(current, [current], 4, 200, 1, "test")["step"]
    assert step["hold_soon early"] > abs(step["hold_soon late"])


def test_every_game_has_its_own_deal_and_its_own_weights() -> None:
    jobs = list(learn.jobs_of(weights(3), [weights(3)], 3, 100, "test"))
    assert len({job.seed for job in jobs}) == 100
    shaken = [own for job in jobs for own, shake in zip(job.weights, job.shakes, strict=True) if shake]
    assert len(set(shaken)) == len(shaken)
    league = {seat for job in jobs for seat, shake in enumerate(job.shakes) if shake is None}
    assert league == {0, 1, 2}


def test_the_seat_is_not_mistaken_for_a_weight() -> None:
    jobs = list(learn.jobs_of(weights(3), [weights(3)], 3, 300, "test"))
    rows = [row for job in jobs for row in learn.rows_of(job, [20.0, 0.0, -10.0])]
    assert max(map(abs, learn.step(rows))) < learn.LIMIT / 10


def test_it_continues_where_the_log_ends(tikal: Run, tmp_path: Path) -> None:
    whole, halves = tmp_path / "whole", tmp_path / "halves"
    options = ("--games", "8", "--workers", "1", "--seed", "3")
    assert tikal("learn", *options, "--generations", "2", "--log", str(whole)).code == 0
    for generations in "12":
        assert tikal("learn", *options, "--generations", generations, "--log", str(halves)).code == 0
    logs = [[json.loads(line) for line in log.read_text("utf-8").splitlines()] for log in (whole, halves)]
    assert [[row["weights"] for row in log] for log in logs] == [[row["weights"] for row in logs[0]]] * 2
    assert len(logs[0]) == 2


def test_writing_keeps_the_weights_of_other_numbers_of_players() -> None:
    made = learn.with_log([{"players": 3, "weights": [1.0] * len(WEIGHT_NAMES) + [2.0] * len(WEIGHT_NAMES)}])
    assert made["weights"]["3"] == {"early": [1.0] * len(WEIGHT_NAMES), "late": [2.0] * len(WEIGHT_NAMES)}
    assert made["weights"]["2"] == learn.by_stage(weights(2))
    assert json.loads(learn.laid_out(made)) == made


def test_the_spread_grows_with_the_scorings_left(tikal: Run) -> None:
    told = json.loads(tikal("learn", "--spread", "--games", "3", "--seed", "5").out)
    assert len(told) == learn.MOST_SCORINGS + 1
    assert 0 < told[1] < told[learn.MOST_SCORINGS]

"""Learning by games: reproducible, resumable, and it moves towards winning weights."""

from __future__ import annotations

import json
import multiprocessing
import random
from pathlib import Path
from typing import Self

import pytest

from tests.cli.conftest import Run
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
    current = [1.0] * len(WEIGHT_NAMES)
    row = learn.generation(current, [current], 2, 200, 1, "test")
    moved = list(row["step"].values())
    assert (moved[0], moved[3]) == (learn.LIMIT, -learn.LIMIT)
    others = [abs(value) for at, value in enumerate(moved) if at not in (0, 3)]
    assert sum(others) / len(others) < 0.5
    assert row["weights"][0] > 1 > row["weights"][3]


def test_every_deal_is_played_in_all_rotations() -> None:
    jobs = list(learn.jobs_of(weights(3), [weights(3)], 3, 30, "test"))
    assert len(jobs) == 30
    for at in range(0, 30, 3):
        deal = jobs[at : at + 3]
        assert len({job.seed for job in deal}) == 1
        assert {job.weights[0] for job in deal} == set(deal[0].weights)
    assert any(None in job.shakes for job in jobs)


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
    made = learn.with_log([{"players": 3, "weights": [1.0] * len(WEIGHT_NAMES)}])
    assert made["weights"]["3"] == [1.0] * len(WEIGHT_NAMES)
    assert made["weights"]["2"] == weights(2)
    assert json.loads(learn.laid_out(made)) == made


def test_the_spread_grows_with_the_scorings_left(tikal: Run) -> None:
    told = json.loads(tikal("learn", "--spread", "--games", "3", "--seed", "5").out)
    assert len(told) == learn.MOST_SCORINGS + 1
    assert 0 < told[1] < told[learn.MOST_SCORINGS]

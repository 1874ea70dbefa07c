"""Intervals: against tables, against brute force, and in the corners."""

from __future__ import annotations

import math
import random
from statistics import NormalDist

import pytest

from tikal.arena.stats import elo, mean, proportion, quantile, student, win_rate


@pytest.mark.parametrize(
    ("freedom", "value"),
    [(1, 12.7062), (2, 4.3027), (3, 3.1824), (5, 2.5706), (9, 2.2622), (30, 2.0423), (99, 1.9842), (1000, 1.9623)],
)
def test_students_quantiles_are_those_of_the_tables(freedom: int, value: float) -> None:
    assert student(freedom) == pytest.approx(value, abs=1e-4)


def test_with_many_deals_it_is_the_normal_quantile() -> None:
    assert student(1_000_000) == pytest.approx(NormalDist().inv_cdf(0.975), abs=1e-4)


def some_deals(seed: int, count: int, games: int) -> list[list[float]]:
    """Wins in deals that favour one side or the other: the games of a deal are not independent."""
    rng = random.Random(seed)
    deals = []
    for _ in range(count):
        luck = rng.betavariate(2, 1.2)
        deals.append([float(rng.random() < luck) for _ in range(games)])
    return deals


def bootstrap(deals: list[list[float]], draws: int = 3000) -> tuple[float, float]:
    """Brute force: draw whole deals again and again, and take the middle 95 % of the means."""
    rng = random.Random(5)
    sums = [(sum(deal), len(deal)) for deal in deals]
    means = []
    for _ in range(draws):
        drawn = rng.choices(sums, k=len(sums))
        means.append(sum(total for total, _ in drawn) / sum(count for _, count in drawn))
    return quantile(means, 0.025), quantile(means, 0.975)


@pytest.mark.parametrize("games", [2, 3, 4])
@pytest.mark.parametrize("estimator", [mean, proportion])
def test_intervals_agree_with_a_bootstrap_over_deals(estimator: object, games: int) -> None:
    assert callable(estimator)
    deals = some_deals(games, 150, games)
    estimate = estimator(deals)
    low, high = bootstrap(deals)
    width = high - low
    assert estimate.low == pytest.approx(low, abs=0.12 * width)
    assert estimate.high == pytest.approx(high, abs=0.12 * width)


def test_deals_count_and_not_games() -> None:
    # every deal went one way in all its games: four games say no more than one
    once = [[float(n % 3 == 0)] for n in range(60)]
    often = [deal * 4 for deal in once]
    assert proportion(often) == proportion(once)
    assert mean(often) == mean(once)


def test_luck_that_cancels_within_a_deal_makes_the_interval_narrow() -> None:
    paired = [[1.0, 0.0]] * 40 + [[1.0, 1.0]] * 10
    apart = [[x] for deal in paired for x in deal]
    narrow, wide = proportion(paired), proportion(apart)
    assert narrow is not None and wide is not None
    assert narrow.value == wide.value == 0.6
    assert narrow.half < 0.7 * wide.half


def test_games_that_count_for_nothing_leave_unequal_deals() -> None:
    deals = [[10.0, 20.0], [30.0], [], [20.0, 40.0, 0.0], [10.0]]
    estimate = mean(deals)
    assert estimate is not None
    assert estimate.value == pytest.approx(130 / 7)
    # by hand: the residual sums of the deals are -50/7, 80/7, 30/7, -60/7
    variance = ((50 / 7) ** 2 + (80 / 7) ** 2 + (30 / 7) ** 2 + (60 / 7) ** 2) / 7**2 * 4 / 3
    assert estimate.half == pytest.approx(3.1824463 * math.sqrt(variance), rel=1e-5)


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_winning_or_losing_everything_leaves_some_uncertainty(share: float) -> None:
    estimate = proportion([[share, share]] * 20)
    assert estimate is not None
    assert estimate.value == share
    assert 0 <= estimate.low <= share <= estimate.high <= 1
    assert estimate.high - estimate.low == pytest.approx(0.161, abs=0.001)


@pytest.mark.parametrize("wins", range(0, 41, 4))
def test_the_interval_of_a_win_rate_stays_within_its_bounds_around_the_rate(wins: int) -> None:
    deals = [[1.0, 1.0 if n % 2 else 0.0] if n < wins else [0.0, 0.0] for n in range(40)]
    estimate = proportion(deals)
    assert estimate is not None
    assert 0 <= estimate.low <= estimate.value <= estimate.high <= 1


def test_wilsons_interval_for_independent_games() -> None:
    # 30 of 40 is [0.598, 0.858] by the textbook; Student's quantile and 39 instead of 40 make it a little wider
    estimate = proportion([[1.0]] * 30 + [[0.0]] * 10)
    assert estimate is not None
    assert (estimate.low, estimate.high) == pytest.approx((0.591, 0.862), abs=2e-3)


def test_the_interval_covers_the_truth_as_often_as_it_says() -> None:
    covered = 0
    for seed in range(400):
        rng = random.Random(seed)
        deals = [[float(rng.random() < p) for p in (0.9, 0.5)] for _ in range(25)]
        estimate = proportion(deals)
        assert estimate is not None
        covered += estimate.low <= 0.7 <= estimate.high
    assert 370 <= covered <= 396  # 380 expected; three standard errors are 13


def test_nothing_and_next_to_nothing() -> None:
    assert mean([]) is None and proportion([[], []]) is None
    one, share = mean([[1.0, 2.0]]), proportion([[1.0, 0.0]])
    assert one is not None and (one.low, one.high) == (-math.inf, math.inf)
    assert share is not None and (share.value, share.low, share.high) == (0.5, 0.0, 1.0)


@pytest.mark.parametrize(("side", "players"), [(1, 2), (1, 4), (2, 4), (3, 4)])
@pytest.mark.parametrize("points", [-150.0, 0.0, 20.0, 300.0])
def test_elo_and_win_rate_are_each_others_inverse(points: float, side: int, players: int) -> None:
    assert elo(win_rate(points, side, players), side, players) == pytest.approx(points, abs=1e-9)
    assert win_rate(0, side, players) == pytest.approx(side / players)


def test_elo_of_winning_all_is_infinite() -> None:
    assert elo(1.0, 1, 2) == math.inf and elo(0.0, 1, 2) == -math.inf


def test_quantiles_lie_between_neighbours() -> None:
    assert quantile([3.0], 0.95) == 3.0
    assert quantile([0.0, 10.0, 20.0], 0.75) == 15.0

"""The sequential test: its numbers, its decisions, and how often it errs."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterator

import pytest

from tikal.arena import ArenaError, Sprt
from tikal.arena.sprt import log_ratio


def test_for_single_wins_and_losses_it_is_walds_test() -> None:
    seen = Counter({1.0: 60, 0.0: 40})
    wald = 60 * math.log(0.6 / 0.5) + 40 * math.log(0.4 / 0.5)
    assert log_ratio(seen, 0.5, 0.6) == pytest.approx(wald, abs=1e-3)


def test_the_ratio_is_that_of_the_likeliest_chances_found_by_brute_force() -> None:
    seen = Counter({0.0: 3, 0.5: 8, 1.0: 6})

    def best(goal: float) -> float:
        """Probabilities (a, b, c) of the three shares with this mean: one of them is free."""
        grid = (n / 20000 for n in range(1, 20000))
        found = ((1 - b - (goal - b / 2), b, goal - b / 2) for b in grid)
        logs = (3 * math.log(a) + 8 * math.log(b) + 6 * math.log(c) for a, b, c in found if a > 0 and c > 0)
        return max(logs)

    assert log_ratio(seen, 0.5, 0.6) == pytest.approx(best(0.6) - best(0.5), abs=2e-3)


def test_near_the_truth_it_is_the_normal_ratio_with_the_variance_of_deals() -> None:
    seen = Counter({0.0: 100, 0.5: 600, 1.0: 300})
    mean = 0.6
    variance = (100 * 0.6**2 + 600 * 0.1**2 + 300 * 0.4**2) / 1000
    normal = 1000 * (0.61 - 0.59) * (2 * mean - 0.59 - 0.61) / (2 * variance)
    assert log_ratio(seen, 0.59, 0.61) == pytest.approx(normal, abs=0.02)


def test_bounds_follow_the_chances_of_error() -> None:
    verdict = Sprt(0, 10, alpha=0.01, beta=0.1).verdict([], side=1, players=2)
    assert (verdict.lower, verdict.upper) == pytest.approx((math.log(0.1 / 0.99), math.log(0.9 / 0.01)))


def pairs(rng: random.Random, rate: float) -> Iterator[float]:
    """Deals of two games at this win rate. Within a deal, luck mostly cancels."""
    while True:
        tiles = rng.gauss(0, 0.25)
        yield sum(rng.random() < min(1.0, max(0.0, rate + luck)) for luck in (tiles, -tiles)) / 2


def decisions(rate: float, runs: int, most: int = 2000) -> Counter[str | None]:
    test = Sprt(0.5, 0.6, unit="rate", alpha=0.05, beta=0.05)
    found: Counter[str | None] = Counter()
    for seed in range(runs):
        deals = pairs(random.Random(f"{rate} {seed}"), rate)
        found[test.verdict((next(deals) for _ in range(most)), side=1, players=2).accepted] += 1
    return found


@pytest.mark.slow
def test_it_errs_no_more_often_than_it_says() -> None:
    # 100 runs: 5 errors expected at most; three standard errors above it are 11.5
    assert decisions(0.5, 100)["H1"] <= 11
    assert decisions(0.6, 100)["H0"] <= 11


def test_clear_cases_are_decided_soon_and_rightly() -> None:
    better = Sprt(0, 30).verdict([1.0] * 1000, side=1, players=2)
    worse = Sprt(0, 30).verdict([0.0] * 1000, side=1, players=2)
    equal = Sprt(0, 100).verdict([0.5] * 1000, side=1, players=2)
    assert (better.accepted, worse.accepted, equal.accepted) == ("H1", "H0", "H0")
    assert max(better.deals, worse.deals, equal.deals) < 100


def test_deals_after_the_decision_do_not_count() -> None:
    test = Sprt(0, 30)
    first = test.verdict([1.0] * 200, side=1, players=2)
    assert test.verdict([1.0] * first.deals + [0.0] * 500, side=1, players=2) == first
    assert test.verdict([1.0] * (first.deals - 1), side=1, players=2).accepted is None


def test_in_a_game_of_four_a_quarter_is_a_fair_share() -> None:
    test = Sprt(0, 100)
    assert test.rates(side=1, players=4) == pytest.approx((0.25, 0.372), abs=1e-3)
    assert test.rates(side=2, players=4) == pytest.approx((0.5, 0.64), abs=1e-3)
    rng = random.Random(1)
    shares = [sum(rng.random() < 0.45 for _ in range(4)) / 4 for _ in range(500)]
    assert test.verdict(shares, side=1, players=4).accepted == "H1"
    assert test.verdict(shares, side=2, players=4).accepted == "H0"


@pytest.mark.parametrize(
    ("text", "test"),
    [
        ("0,20", Sprt(0, 20)),
        ("-5.5,5", Sprt(-5.5, 5)),
        ("50%,55%", Sprt(0.5, 0.55, "rate")),
        ("25%, 37.5%", Sprt(0.25, 0.375, "rate")),
    ],
)
def test_tests_are_written_as_elo_or_as_win_rates(text: str, test: Sprt) -> None:
    assert Sprt.parse(text) == test
    assert Sprt.parse(test.text) == test


@pytest.mark.parametrize(
    ("text", "errors", "message"),
    [
        ("20", "0.05,0.05", "sprt 20: must be two numbers, such as 0,20 (Elo) or 50%,55% (win rates)"),
        ("0,20,40", "0.05,0.05", "sprt 0,20,40: must be two numbers, such as 0,20 (Elo) or 50%,55% (win rates)"),
        ("50%,20", "0.05,0.05", "sprt 50%,20: must be two numbers, such as 0,20 (Elo) or 50%,55% (win rates)"),
        ("a,b", "0.05,0.05", "sprt a,b: must be two numbers, such as 0,20 (Elo) or 50%,55% (win rates)"),
        ("0,inf", "0.05,0.05", "sprt 0,inf: must be two numbers, such as 0,20 (Elo) or 50%,55% (win rates)"),
        ("20,0", "0.05,0.05", "sprt 20,0: the second number must be above the first"),
        ("50%,100%", "0.05,0.05", "sprt 50%,100%: win rates must be above 0 % and below 100 %"),
        ("0,20", "0.05", "sprt-errors 0.05: must be two numbers, such as 0.05,0.05"),
        ("0,20", "0,0.05", "sprt: alpha must be above 0 and below 0.5"),
        ("0,20", "0.05,0.5", "sprt: beta must be above 0 and below 0.5"),
    ],
)
def test_an_impossible_test_is_refused(text: str, errors: str, message: str) -> None:
    with pytest.raises(ArenaError) as caught:
        Sprt.parse(text, errors)
    assert str(caught.value) == message

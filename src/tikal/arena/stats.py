"""Estimates with 95 % intervals for games that come in deals.

The games of one deal share their tiles, so they are not independent observations: the deals are. Everything here takes
clusters, a list of values per deal, and estimates the variance between deals (the cluster-robust, or "sandwich",
variance of a ratio of sums). With few deals the normal quantile would be too optimistic, so Student's quantile is used,
with one degree of freedom less than there are deals.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist

LEVEL = 0.95
NORMAL = NormalDist().inv_cdf((1 + LEVEL) / 2)
TINY = 1e-15
_STEPS = 400

Clusters = Sequence[Sequence[float]]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number and its 95 % interval.

    >>> Estimate(0.5, 0.4, 0.6).half
    0.1
    """

    value: float
    low: float
    high: float

    @property
    def half(self) -> float:
        """Half the width of the interval: the number after ±."""
        return round((self.high - self.low) / 2, 12)


@lru_cache(maxsize=4096)
def student(freedom: int) -> float:
    """The number of standard errors on each side of a 95 % interval.

    >>> round(student(1), 3), round(student(10), 3), round(student(10_000), 3)
    (12.706, 2.228, 1.96)
    """
    low, high = 1.9, 13.0
    for _ in range(40):
        middle = (low + high) / 2
        if 2 * _half_mass(middle, freedom) < LEVEL:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _half_mass(end: float, freedom: int) -> float:
    """The area under Student's density from 0, by Simpson's rule."""
    step = end / _STEPS
    log_peak = math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2) - math.log(freedom * math.pi) / 2
    power = -(freedom + 1) / 2
    values = [math.exp(log_peak + power * math.log1p((i * step) ** 2 / freedom)) for i in range(_STEPS + 1)]
    return (values[0] + values[-1] + 4 * sum(values[1:-1:2]) + 2 * sum(values[2:-1:2])) * step / 3


def mean(clusters: Clusters) -> Estimate | None:
    """The mean of all values; None if there are none, an infinite interval if there is only one deal.

    >>> estimate = mean([[1, 3], [2, 2], [4, 6]])
    >>> estimate.value, round(estimate.low, 2), round(estimate.high, 2)
    (3.0, -1.3, 7.3)
    """
    filled = [cluster for cluster in clusters if cluster]
    if not filled:
        return None
    value, variance = _ratio(filled)
    if len(filled) < 2:
        return Estimate(value, -math.inf, math.inf)
    half = student(len(filled) - 1) * math.sqrt(variance)
    return Estimate(value, value - half, value + half)


def _ratio(clusters: Clusters) -> tuple[float, float]:
    """The mean over all values, and its variance if whole clusters are drawn."""
    count = sum(len(cluster) for cluster in clusters)
    value = math.fsum(x for cluster in clusters for x in cluster) / count
    if len(clusters) < 2:
        return value, math.inf
    spread = math.fsum((math.fsum(cluster) - value * len(cluster)) ** 2 for cluster in clusters)
    return value, spread / count**2 * len(clusters) / (len(clusters) - 1)


def proportion(clusters: Clusters) -> Estimate | None:
    """The mean of values from 0 to 1, with Wilson's interval for the effective number of independent games.

    A plain mean ± error leaves the range 0..1 near its ends, and has no width at all after ten wins out of ten. So the
    deals' variance is converted to an effective number of independent games, p (1 - p) / variance, and Wilson's score
    interval is calculated for this number. If all deals agree, the variance says nothing: then each deal counts as one
    game, and the quantile is the normal one, since no variance is estimated.

    >>> estimate = proportion([[1, 1]] * 50)
    >>> estimate.value, round(estimate.low, 3), estimate.high
    (1.0, 0.929, 1.0)
    """
    filled = [cluster for cluster in clusters if cluster]
    if not filled:
        return None
    value, variance = _ratio(filled)
    if len(filled) < 2:
        return Estimate(value, 0.0, 1.0)
    spread = value * (1 - value)
    if variance < TINY or spread < TINY:
        return _wilson(value, len(filled), NORMAL)
    return _wilson(value, spread / variance, student(len(filled) - 1))


def _wilson(value: float, size: float, quantile: float) -> Estimate:
    square = quantile**2 / size
    centre = (value + square / 2) / (1 + square)
    half = math.sqrt(square * (max(0.0, value * (1 - value)) + square / 4)) / (1 + square)
    return Estimate(value, max(0.0, min(value, centre - half)), min(1.0, max(value, centre + half)))


def quantile(values: Sequence[float], part: float) -> float:
    """The quantile of some values (at least one), interpolated between neighbours.

    >>> quantile([4, 1, 3, 2], 0.5)
    2.5
    """
    ordered = sorted(values)
    at = part * (len(ordered) - 1)
    below = math.floor(at)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (at - below)


def elo(rate: float, side: int, players: int) -> float:
    """How much stronger a side is than the rest of the table, in Elo, from the share of games that it wins.

    A seat wins in proportion to its strength, 10 ** (Elo / 400). The rest has 0 Elo, so 0 means a fair share, and
    with two players it is the usual scale.

    >>> elo(0.25, side=1, players=4), round(elo(0.75, side=1, players=2))
    (0.0, 191)
    """
    if rate <= 0 or rate >= 1:
        return math.copysign(math.inf, rate - 0.5)
    return 400 * math.log10(rate * (players - side) / ((1 - rate) * side))


def win_rate(points: float, side: int, players: int) -> float:
    """The share of games won by a side that is this many Elo stronger than the rest: the inverse of `elo`.

    >>> win_rate(0, side=1, players=4)
    0.25
    """
    strength = side * 10 ** (points / 400)
    return float(strength / (strength + players - side))

"""A sequential test of whether the first player is better than the others; it stops as soon as the games decide.

Two hypotheses about the share of games that the first player's side wins (entries of the same spec are one side):
H0, "it is no better than the first number", and H1, "it is at least as good as the second". After each deal the log
likelihood ratio (LLR) of the two is compared with two bounds. Outside of them the test is decided; its chance of
error is about `alpha` (H1 accepted although H0 is true) or `beta` (the reverse). A test on every game would
be wrong, since the games of a deal are not independent; so one observation is a deal's mean win share, over all
rotations. With two players this is the pentanomial test (here with as many values as there are shares).

The likelihood of deals under a hypothesis depends on the spread of their shares, which is unknown. So this is the
generalised test: under each hypothesis the observed shares get the probabilities that make the observation likeliest,
given that their mean is the hypothesis's (`_tilt`). Shares of 0 and of 1 count as observed a thousandth of a time, so
that such probabilities exist even while all deals have the same result.

>>> test = Sprt(0.50, 0.55, unit="rate")
>>> test.verdict([0.5, 1.0] * 40, side=1, players=2)
Verdict(llr=2.95..., lower=-2.94..., upper=2.94..., accepted='H1', deals=31)
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from typing import Any

from tikal.arena.errors import ArenaError
from tikal.arena.stats import win_rate

_SEEN = 1e-3  # how often shares of 0 and 1 count as observed


@dataclass(frozen=True, slots=True)
class Verdict:
    """The state of a test: the LLR, its bounds, the accepted hypothesis (H0, H1 or None) and the number of deals."""

    llr: float
    lower: float
    upper: float
    accepted: str | None
    deals: int


@dataclass(frozen=True, slots=True)
class Sprt:
    """A sequential test of two Elo differences (`unit="elo"`), or of two win rates (`unit="rate"`)."""

    h0: float
    h1: float
    unit: str = "elo"
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not self.h0 < self.h1:
            raise ArenaError("usage", f"sprt {self.text}: the second number must be above the first")
        for name in ("alpha", "beta"):
            if not 0 < getattr(self, name) < 0.5:
                raise ArenaError("usage", f"sprt: {name} must be above 0 and below 0.5")
        if self.unit == "rate" and not 0 < self.h0 < self.h1 < 1:
            raise ArenaError("usage", f"sprt {self.text}: win rates must be above 0 % and below 100 %")

    @classmethod
    def parse(cls, text: str, errors: str = "0.05,0.05") -> Sprt:
        """A test from text: `0,20` in Elo, `50%,55%` in win rates.

        >>> Sprt.parse("0,20").unit, Sprt.parse("50%,55%").h1
        ('elo', 0.55)
        """
        words = text.split(",")
        alpha, beta = _two_numbers("sprt-errors", errors, "0.05,0.05")
        if all(word.strip().endswith("%") for word in words):
            h0, h1 = _two_numbers("sprt", text.replace("%", ""), "0,20 (Elo) or 50%,55% (win rates)")
            return cls(h0 / 100, h1 / 100, "rate", alpha, beta)
        h0, h1 = _two_numbers("sprt", text, "0,20 (Elo) or 50%,55% (win rates)")
        return cls(h0, h1, "elo", alpha, beta)

    @property
    def text(self) -> str:
        """The two hypotheses in the form of the argument.

        >>> Sprt(0.5, 0.55, "rate").text
        '50%,55%'
        """
        if self.unit == "rate":
            return f"{100 * self.h0:g}%,{100 * self.h1:g}%"
        return f"{self.h0:g},{self.h1:g}"

    def as_json(self) -> dict[str, Any]:
        """The test in the journal's form."""
        return asdict(self)

    def rates(self, side: int, players: int) -> tuple[float, float]:
        """The win rates of the two hypotheses.

        >>> Sprt(0, 400).rates(side=1, players=2)
        (0.5, 0.9090909090909091)
        """
        if self.unit == "rate":
            return self.h0, self.h1
        h0, h1 = win_rate(self.h0, side, players), win_rate(self.h1, side, players)
        if not 0.001 <= h0 < h1 <= 0.999:
            raise ArenaError(
                "usage", f"sprt {self.text}: these Elo differences imply win rates below 0.1 % or above 99.9 %"
            )
        return h0, h1

    def start(self, side: int, players: int) -> Running:
        """The test before the first deal."""
        return Running(self, *self.rates(side, players))

    def verdict(self, shares: Iterable[float], side: int, players: int) -> Verdict:
        """The state of the test after these deals, in order; deals after the decision do not count."""
        running = self.start(side, players)
        for share in shares:
            if running.add(share).accepted:
                break
        return running.verdict


class Running:
    """A running test; add deals in order.

    >>> Sprt(0, 100).start(side=1, players=2).add(1.0).deals
    1
    """

    def __init__(self, test: Sprt, h0: float, h1: float) -> None:
        self._seen: Counter[float] = Counter()
        self._means = h0, h1
        lower, upper = math.log(test.beta / (1 - test.alpha)), math.log((1 - test.beta) / test.alpha)
        self.verdict = Verdict(0.0, lower, upper, None, 0)

    def add(self, share: float) -> Verdict:
        """Add a deal in which the side won this share of the games; returns the new state of the test."""
        self._seen[round(share, 9)] += 1
        llr = log_ratio(self._seen, *self._means)
        accepted = "H1" if llr >= self.verdict.upper else "H0" if llr <= self.verdict.lower else None
        self.verdict = replace(self.verdict, llr=llr, accepted=accepted, deals=self.verdict.deals + 1)
        return self.verdict


def _two_numbers(what: str, text: str, right: str) -> tuple[float, float]:
    try:
        first, second = (float(word) for word in text.split(","))
    except ValueError:
        raise ArenaError("usage", f"{what} {text}: must be two numbers, such as {right}") from None
    if not (math.isfinite(first) and math.isfinite(second)):
        raise ArenaError("usage", f"{what} {text}: must be two numbers, such as {right}")
    return first, second


def log_ratio(seen: Counter[float], h0: float, h1: float) -> float:
    """The log likelihood ratio of two means, for shares and their frequencies.

    >>> round(log_ratio(Counter({0.0: 5, 1.0: 15}), 0.5, 0.75), 2)
    2.62
    """
    counts = {0.0: _SEEN, 1.0: _SEEN}
    for share, count in seen.items():
        counts[share] = counts.get(share, 0.0) + count
    at0, at1 = _tilt(counts, h0), _tilt(counts, h1)
    return math.fsum(
        count * (math.log1p(at0 * (share - h0)) - math.log1p(at1 * (share - h1))) for share, count in counts.items()
    )


def _tilt(counts: dict[float, float], goal: float) -> float:
    """The t for which the likeliest probabilities with this mean are count / total / (1 + t * (share - goal)).

    They sum to 1 and have that mean where the sum below is 0, which falls as t grows between two poles.
    """
    low, high = -1 / (1 - goal), 1 / goal
    for _ in range(50):
        middle = (low + high) / 2
        if sum(count * (share - goal) / (1 + middle * (share - goal)) for share, count in counts.items()) > 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2

"""A sequential test: is the first player better than the others? It stops as soon as the games say so.

Two hypotheses on the part of the games that the first player's side wins (entries of the same spec are one side):
H0, "it is no better than the first number", and H1, "it is at least as good as the second". After each deal the log
likelihood ratio (LLR) of the two is compared with two bounds; outside of them the test is decided, and wrong with a
chance of about `alpha` (H1 taken though H0 holds) or `beta` (H0 taken though H1 holds). A test on every game would
be wrong, since games of a deal belong together; so the observation is a deal's mean win share, over all rotations.
With two players that is what is known as the pentanomial test (here with as many values as there are shares).

How likely deals are under a hypothesis can't be said before, as the spread of their shares is unknown. So it is the
generalised test: under each hypothesis the shares that occurred get those chances that make what was seen likeliest,
given that their mean is the hypothesis's (`_tilt`). To let such chances exist also while all deals went one way,
shares of 0 and of 1 are taken to have been seen a thousandth of a time.

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

_SEEN = 1e-3  # how often shares of 0 and 1 are taken to have been seen


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a test stands: the LLR and its bounds, which hypothesis is accepted (H0, H1 or None) after how many deals."""

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
        """The two hypotheses as they are typed.

        >>> Sprt(0.5, 0.55, "rate").text
        '50%,55%'
        """
        if self.unit == "rate":
            return f"{100 * self.h0:g}%,{100 * self.h1:g}%"
        return f"{self.h0:g},{self.h1:g}"

    def as_json(self) -> dict[str, Any]:
        """The test as a journal keeps it."""
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
            raise ArenaError("usage", f"sprt {self.text}: so many Elo stand for win rates beyond 0.1 % or 99.9 %")
        return h0, h1

    def start(self, side: int, players: int) -> Running:
        """The test before the first deal."""
        return Running(self, *self.rates(side, players))

    def verdict(self, shares: Iterable[float], side: int, players: int) -> Verdict:
        """How the test stands after these deals, in their order: what came after the decision does not count."""
        running = self.start(side, players)
        for share in shares:
            if running.add(share).accepted:
                break
        return running.verdict


class Running:
    """A test under way: deals are added in their order.

    >>> Sprt(0, 100).start(side=1, players=2).add(1.0).deals
    1
    """

    def __init__(self, test: Sprt, h0: float, h1: float) -> None:
        self._seen: Counter[float] = Counter()
        self._means = h0, h1
        lower, upper = math.log(test.beta / (1 - test.alpha)), math.log((1 - test.beta) / test.alpha)
        self.verdict = Verdict(0.0, lower, upper, None, 0)

    def add(self, share: float) -> Verdict:
        """How the test stands after one more deal, in which the side won this share of the games."""
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
    """The log likelihood ratio of two means, for shares that were seen so often.

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
    """The t for which the likeliest chances with this mean are count / total / (1 + t * (share - goal)).

    They sum to 1 and have that mean where the sum below is 0; it falls as t grows between two poles.
    """
    low, high = -1 / (1 - goal), 1 / goal
    for _ in range(50):
        middle = (low + high) / 2
        if sum(count * (share - goal) / (1 + middle * (share - goal)) for share, count in counts.items()) > 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2

"""Ratings from the places in all games (Plackett and Luce's model, by `openskill`), with bootstrapped error bars.

All players start at 25. Ratings are updated game by game and so depend on the order of the games, which has no
meaning here; we therefore average over many orders of the deals. Bots do not change, so old games keep their weight
(`tau=0`). The error bars come from resampling whole deals with replacement and rating each sample. They are never
narrower than the model's own uncertainty: if all deals had the same winner, resampling would show no variation.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from statistics import fmean, stdev
from typing import TYPE_CHECKING

from tikal.arena.stats import Estimate, student
from tikal.bots.skill import Skill

if TYPE_CHECKING:
    from openskill.models import PlackettLuceRating

DRAWS = 100
LEAST_DRAWS = 20
MOST_RATED = 20_000  # games rated for the error bars, so that these take some seconds at most; but see LEAST_DRAWS

Deal = Sequence[Sequence[int]]  # the places of all entries, for each game of a deal


def rate(deals: Sequence[Deal], players: int) -> list[Estimate]:
    """The rating of each entry, from one deal or more.

    >>> first, second = rate([[[1, 2], [1, 2]], [[1, 2], [2, 1]]] * 10, players=2)
    >>> first.value > second.value and first.low < first.value < first.high
    True
    """
    games = sum(len(deal) for deal in deals)
    rng = random.Random("ratings")
    draws = max(LEAST_DRAWS, min(DRAWS, MOST_RATED // max(1, games)))
    ordered = [_rated(rng.sample(deals, k=len(deals)), players) for _ in range(draws // 4)]
    drawn = [_rated(rng.choices(deals, k=len(deals)), players) for _ in range(draws)]
    found = []
    for entry in range(players):
        value = fmean(ratings[entry].mu for ratings in ordered)
        doubt = fmean(ratings[entry].sigma for ratings in ordered)
        half = student(draws - 1) * max(doubt, stdev(ratings[entry].mu for ratings in drawn))
        found.append(Estimate(value, value - half, value + half))
    return found


def _rated(deals: Sequence[Deal], players: int) -> list[PlackettLuceRating]:
    skill = Skill()
    ratings = [skill.new() for _ in range(players)]
    for deal in deals:
        for places in deal:
            ratings = skill.after(ratings, places)
    return ratings

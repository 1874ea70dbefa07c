"""Rates players by their places in games, with the model of Plackett and Luce (`openskill`).

It rates games of any number of players, people and bots alike. Everybody starts at 25.

>>> skill = Skill()
>>> first, second = skill.after([skill.new(), skill.new()], places([61, 58], winners=[0]))
>>> first.mu > 25 > second.mu
True
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from openskill.models import PlackettLuceRating


class Skill:
    """The model. `tau` says how much ratings may drift with each game: 0 for bots, which do not learn."""

    def __init__(self, tau: float = 0.0) -> None:
        from openskill.models import PlackettLuce

        self._model = PlackettLuce(tau=tau)

    def new(self) -> PlackettLuceRating:
        """The rating of a player who has not played yet."""
        return self._model.rating()

    def known(self, mu: float, sigma: float) -> PlackettLuceRating:
        """A rating that was stored.

        >>> Skill().known(30.0, 2.0).mu
        30.0
        """
        return self._model.rating(mu=mu, sigma=sigma)

    def after(self, ratings: Sequence[PlackettLuceRating], places: Sequence[int]) -> list[PlackettLuceRating]:
        """The ratings after a game, from the places in it."""
        teams = self._model.rate([[rating] for rating in ratings], ranks=[float(place) for place in places])
        return [team[0] for team in teams]


def places(scores: Sequence[int], winners: Sequence[int]) -> list[int]:
    """The place of each player: winners are first, the others follow by score; equals share the better place.

    >>> places([50, 61, 61, 40], winners=[2])
    [3, 2, 1, 4]
    """
    ranks = [(index in winners, score) for index, score in enumerate(scores)]
    return [1 + sum(other > rank for other in ranks) for rank in ranks]

"""Ratings: better players are rated higher, more deals narrow the intervals, and the order does not matter."""

from __future__ import annotations

import random

from tikal.arena.ratings import rate


def deals(rng: random.Random, count: int) -> list[list[list[int]]]:
    """Three entries of different strength, all rotations of a deal."""
    found = []
    for _ in range(count):
        games = []
        for _ in range(3):
            order = sorted(range(3), key=lambda entry: rng.gauss(entry, 0.8))
            games.append([order.index(entry) + 1 for entry in range(3)])
        found.append(games)
    return found


def test_stronger_players_are_rated_higher() -> None:
    ratings = rate(deals(random.Random(1), 60), 3)
    assert [rating.low < rating.value < rating.high for rating in ratings] == [True, True, True]
    assert ratings[0].low > ratings[1].high > ratings[1].low > ratings[2].high


def test_more_deals_narrow_the_bars() -> None:
    few, many = (rate(deals(random.Random(2), count), 3) for count in (40, 250))
    assert all(wide.half > 1.3 * narrow.half for wide, narrow in zip(few, many, strict=True))


def test_equal_players_keep_their_rating_whatever_the_order() -> None:
    games = [[[1, 2], [1, 2]]] * 20 + [[[2, 1], [2, 1]]] * 20
    for rating in rate(games, 2) + rate(games[::-1], 2):
        assert abs(rating.value - 25) < 1.5


def test_ratings_are_the_same_again() -> None:
    games = deals(random.Random(3), 12)
    assert rate(games, 3) == rate(games, 3)


def test_when_all_deals_go_one_way_uncertainty_remains() -> None:
    first, second = rate([[[1, 2], [1, 2]]] * 5, 2)
    assert first.value > second.value
    assert first.half > 1 and second.half > 1

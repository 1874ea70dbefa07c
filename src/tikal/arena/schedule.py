"""Which games make up a match: every deal is played once in every rotation of the seats.

Each entry plays the same tiles from every seat, so most of the luck of a deal cancels out. All seeds derive from the
seed of the match (`tikal.play.chance`), so any game can be replayed alone and does not depend on the workers.

>>> [(fixture.deal, fixture.rotation) for fixture in schedule(deals=2, players=2)]
[(0, 0), (0, 1), (1, 0), (1, 1)]
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tikal.play.chance import Stream

WORD = 2**32


@dataclass(frozen=True, slots=True, order=True)
class Fixture:
    """One game of a match: which deal, and by how many seats the entries are shifted."""

    deal: int
    rotation: int

    def seat_of(self, entry: int, players: int) -> int:
        """The seat (from 1) of an entry (from 0).

        >>> [Fixture(0, 1).seat_of(entry, players=3) for entry in range(3)]
        [2, 3, 1]
        """
        return (entry + self.rotation) % players + 1

    def entry_at(self, seat: int, players: int) -> int:
        """The entry in a seat: the inverse.

        >>> [Fixture(0, 1).entry_at(seat, players=3) for seat in (1, 2, 3)]
        [2, 0, 1]
        """
        return (seat - 1 - self.rotation) % players


def schedule(deals: int, players: int) -> Iterator[Fixture]:
    """All games of this many deals, deal by deal."""
    return (Fixture(deal, rotation) for deal in range(deals) for rotation in range(players))


def deal_seed(seed: str, deal: int) -> str:
    """The seed of a deal's games, as in their records.

    >>> deal_seed("1", 0) == deal_seed("1", 0) != deal_seed("1", 1)
    True
    """
    stream = Stream(seed, f"arena/deal/{deal}")
    return "".join(f"{stream.below(WORD):08x}" for _ in range(4))


def bot_stream(seed: str, fixture: Fixture, entry: int) -> Stream:
    """The stream of an entry's seeds in a game, one per decision."""
    return Stream(seed, f"arena/bot/{fixture.deal}/{fixture.rotation}/{entry}")

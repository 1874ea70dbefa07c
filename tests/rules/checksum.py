"""One number over every legal list, every action and every score of many whole games.

`python -m tests.rules.checksum 100` prints it: compiled or not, it must be the same.
"""

from __future__ import annotations

import random
import sys
import zlib
from array import array
from collections.abc import Iterator
from itertools import product

from tests.kit.deals import random_options
from tests.kit.states import start, steps
from tikal.rules.options import EDITIONS, Options


def kinds_of_games() -> Iterator[Options]:
    """Every edition with every number of players, basic and auction; then endlessly random variants."""
    for edition, players, auction in product(EDITIONS, (2, 3, 4), (False, True)):
        yield Options(players=players, edition=edition, auction=auction)
    rng = random.Random(1999)
    while True:
        yield random_options(rng)


def checksum(games: int) -> str:
    """The checksum of this number of games."""
    found = decisions = 0
    for game, options in zip(range(games), kinds_of_games(), strict=False):
        rng = random.Random(game)
        state = start(options, rng)
        for choices, action in steps(state, rng):
            found = zlib.crc32(array("q", [*choices, action]).tobytes(), found)
            decisions += 1
        fields = state.export()
        found = zlib.crc32(repr((fields["score"], fields["winners"])).encode(), found)
    return f"{games} games, {decisions} decisions: {found:08x}"


if __name__ == "__main__":
    sys.stdout.write(checksum(int(sys.argv[1])) + "\n")

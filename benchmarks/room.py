"""The cost of an action in the room alone, without sockets and database: checking, the digest, two players' updates.

    python -m benchmarks.room            (or --games 5 --rounds 7 --json)
    python -m benchmarks.room --instructions

Two random players play whole games in this process, and what they would be sent is thrown away. The figure is the
process time of an action. On a machine that is busy with other work it varies far less than `benchmarks.load`. So use
it to compare two versions: measure them alternately, and take the least of the rounds.

`--instructions` counts the instructions of an action with callgrind. Other work on the machine does not change this
count. It includes dealing the games and choosing the actions.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import os
import random
import re
import subprocess
import sys
from time import process_time
from typing import TYPE_CHECKING, Any, cast

from benchmarks.load import choose, new_table
from tikal.server.database.rows import Person
from tikal.server.live.room import Room

if TYPE_CHECKING:
    from tikal.server.database.store import Store


class Nowhere:
    """A store that keeps nothing."""

    async def start(self, *_: Any) -> None:
        """Does nothing."""

    async def append(self, *_: Any) -> None:
        """Does nothing."""


class Deaf:
    """A listener that ignores everything it gets."""

    def __init__(self, person: str) -> None:
        self.person: str | None = person

    def tell(self, message: bytes) -> None:
        """Does nothing."""

    def tell_update(self, table: str, since: int, message: bytes | None) -> None:
        """Does nothing."""


async def game(seed: int, listening: bool) -> tuple[float, int]:
    """Plays a game; returns the seconds that its actions took, and how many there were."""
    rng, people = random.Random(seed), [Person(f"p{number}", f"P{number}") for number in range(2)]
    table = new_table(people, str(seed))
    room = Room(cast("Store", Nowhere()), table, [])
    room.listeners = {Deaf(person.id) for person in people} if listening else set()
    await room.start(table.seats)
    assert room.game is not None
    took, actions = 0.0, 0
    while not room.game.over:
        action = choose(room.game.legal(), rng)
        person = table.seats[(room.game.seat or 1) - 1].person
        begun = process_time()
        await room.play(person, f"a{actions}", room.seq, [action])
        took += process_time() - begun
        actions += 1
    return took, actions


def measure(games: int, listening: bool) -> float:
    """Microseconds per action, over this many games."""
    played = [asyncio.run(game(seed, listening)) for seed in range(games)]
    return 1e6 * sum(took for took, _ in played) / sum(actions for _, actions in played)


def instructions(games: int) -> int:
    """Instructions per action: the extra cost of a run that plays these games three times instead of once."""
    actions = sum(asyncio.run(game(seed, listening=True))[1] for seed in range(games))
    return (_collected(games, 3) - _collected(games, 1)) // (2 * actions)


def _collected(games: int, times: int) -> int:
    code = f"from benchmarks.room import measure\nfor _ in range({times}): measure({games}, listening=True)"
    words = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={os.devnull}", sys.executable, "-c", code]
    environment = {**os.environ, "PYTHONHASHSEED": "0", "TIKAL_STRICT": "1"}
    output = subprocess.run(words, env=environment, capture_output=True, text=True, check=True).stderr
    found = re.search(r"Collected : (\d+)", output)
    assert found, output
    return int(found[1])


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=3, metavar="N", help="games of a round (3)")
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="rounds, of which the quickest counts (5)")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    parser.add_argument("--instructions", action="store_true", help="count instructions instead (needs valgrind)")
    args = parser.parse_args()
    if args.instructions:
        count = instructions(args.games)
        print(json.dumps({"instructions": count}) if args.json else f"{count} instructions")
        return
    gc.set_threshold(50_000)  # as `tikal serve` does
    figures = {
        "room_us": round(min(measure(args.games, listening=True) for _ in range(args.rounds))),
        "without_listeners_us": round(min(measure(args.games, listening=False) for _ in range(args.rounds))),
    }
    usual, alone = figures.values()
    print(json.dumps(figures) if args.json else f"{usual} µs, without listeners {alone} µs")


if __name__ == "__main__":
    main()

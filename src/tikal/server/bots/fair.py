"""Which bot runs next: a queue that is fair to people and addresses, and that prefers games with people in them.

Workers are few and bots are many, so the order matters. A job has a *rank* (what kind of game it belongs to) and
an *asker* (the person and the address that it is for):

- A better rank goes first. Every `REVERSED`-th job comes from the other end, so that no rank waits for ever.
- Within a rank, addresses take turns, and so do the people of one address.
- One person never holds more than `each` workers, so one person's tables can't keep everybody else waiting.

The queue counts jobs and never looks at a clock: the same calls always give the same order.
"""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from enum import IntEnum
from typing import Generic, TypeVar

T = TypeVar("T")
REVERSED = 8  # once in this many jobs, the worst rank goes first


class Rank(IntEnum):
    """What a job is for, best first."""

    LIVE = 0  # people wait at the table
    ADVICE = 1  # somebody asked for an analysis
    DAILY = 2  # people return tomorrow
    BOTS = 3  # no people play


@dataclass(frozen=True, slots=True)
class Asker:
    """The person and address that a job is for, and its rank.

    >>> Asker(Rank.LIVE, "ann", "192.0.2.1").address
    '192.0.2.1'
    """

    rank: Rank
    person: str
    address: str = ""


class FairQueue(Generic[T]):
    """Jobs that wait for one of `slots` workers.

    >>> queue = FairQueue[str](slots=1, each=1)
    >>> for job in ("first", "second"):
    ...     queue.put(job, Asker(Rank.LIVE, "ann"))
    >>> queue.put("hers", Asker(Rank.LIVE, "bea"))
    >>> queue.take()
    ('first', Asker(rank=<Rank.LIVE: 0>, person='ann', address=''))
    >>> queue.take() is None
    True
    >>> queue.release(Asker(Rank.LIVE, "ann"))
    >>> queue.take()[0]
    'hers'
    """

    def __init__(self, slots: int, each: int) -> None:
        self.slots = slots
        self.each = each
        self._held: Counter[str] = Counter()  # slots by person
        self._taken = 0  # jobs so far
        # by rank, address and person; the first of each is next
        self._lines: dict[Rank, OrderedDict[str, OrderedDict[str, deque[T]]]] = {rank: OrderedDict() for rank in Rank}

    def __len__(self) -> int:
        """How many jobs wait."""
        return sum(len(jobs) for line in self._lines.values() for people in line.values() for jobs in people.values())

    @property
    def running(self) -> int:
        """How many slots are in use."""
        return self._held.total()

    def put(self, job: T, asker: Asker) -> None:
        """Adds a job."""
        people = self._lines[asker.rank].setdefault(asker.address, OrderedDict())
        people.setdefault(asker.person, deque()).append(job)

    def remove(self, job: T, asker: Asker) -> None:
        """Removes a waiting job; the queue must hold it."""
        self._lines[asker.rank][asker.address][asker.person].remove(job)
        self._tidy(asker)

    def take(self) -> tuple[T, Asker] | None:
        """The next job, which now holds a slot; None if no slot is free or no asker may hold one more."""
        if self.running >= self.slots:
            return None
        for asker in self._in_order():
            if self._held[asker.person] < self.each:
                job = self._lines[asker.rank][asker.address][asker.person].popleft()
                self._taken += 1
                self._held[asker.person] += 1
                self._to_the_end(asker)
                self._tidy(asker)
                return job, asker
        return None

    def release(self, asker: Asker) -> None:
        """Frees the slot of a job that has ended."""
        self._held[asker.person] -= 1
        if not self._held[asker.person]:
            del self._held[asker.person]

    def _in_order(self) -> Iterator[Asker]:
        """Everybody with a waiting job, the next one first."""
        backwards = self._taken % REVERSED == REVERSED - 1
        for rank in sorted(Rank, reverse=backwards):
            for address, people in self._lines[rank].items():
                for person in people:
                    yield Asker(rank, person, address)

    def _to_the_end(self, asker: Asker) -> None:
        """Moves an asker that was served to the end."""
        line = self._lines[asker.rank]
        line.move_to_end(asker.address)
        line[asker.address].move_to_end(asker.person)

    def _tidy(self, asker: Asker) -> None:
        """Forgets people and addresses without jobs."""
        line = self._lines[asker.rank]
        if not line[asker.address][asker.person]:
            del line[asker.address][asker.person]
        if not line[asker.address]:
            del line[asker.address]


class Gate:
    """Lets coroutines through in the order of a fair queue."""

    def __init__(self, slots: int, each: int) -> None:
        self.queue: FairQueue[asyncio.Future[None]] = FairQueue(slots, each)

    def resize(self, slots: int, each: int) -> None:
        """Changes the number of slots; slots in use stay in use."""
        self.queue.slots, self.queue.each = slots, each
        self._let_in()

    @asynccontextmanager
    async def turn(self, asker: Asker) -> AsyncIterator[None]:
        """Waits for a slot and holds it."""
        called = asyncio.get_running_loop().create_future()
        self.queue.put(called, asker)
        self._let_in()
        try:
            await called
        except asyncio.CancelledError:
            if called.done() and not called.cancelled():
                self._leave(asker)
            else:
                self.queue.remove(called, asker)
            raise
        try:
            yield
        finally:
            self._leave(asker)

    def _leave(self, asker: Asker) -> None:
        self.queue.release(asker)
        self._let_in()

    def _let_in(self) -> None:
        while (taken := self.queue.take()) is not None:
            taken[0].set_result(None)

"""Clocks: how much time a seat has for its turn, and what happens when it has run out.

A table has no clock, a *live* one (a bank of time for each seat, and an increment for each turn that it ends with `.`)
or a *daily* one (a deadline for each turn). At the clock a turn begins when the decision comes to a seat, in auctions,
leaps and trades too, and again after each `.`. The deadline is kept with the table, written in one unit with what
began the turn. When it has passed, a bot plays the turn or takes the seat: an event at seq + 1 like any other, so that
of several processes, and of the player who is a moment late, only the first has an effect.

While no server runs the clocks stand still: every few seconds a server that runs says so (a *beat*), and one that
finds that nobody has beaten for some time moves all deadlines by as much.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Protocol

from tikal.server.store import Json, Store, Table, now

log = logging.getLogger("tikal.server")
DAY_MS = 24 * 3600 * 1000
MISSED = 3  # so many beats may be late before it counts as nobody running
NEVER = 2**62


class Time:
    """What time it is, and waiting for it; tests have one of their own.

    >>> Time().now() > 0
    True
    """

    def now(self) -> int:
        """Milliseconds since 1970."""
        return now()

    async def wait(self, until: int, sooner: asyncio.Event) -> None:
        """Returns when it is so late, or when something is to be looked at sooner."""
        with suppress(TimeoutError):
            await asyncio.wait_for(sooner.wait(), max(0, until - self.now()) / 1000)


def begun(table: Table, at: int) -> Table:
    """The table with its clock started: the game begins."""
    if table.clock is None:
        return table
    live = table.clock["kind"] == "live"
    banks = [table.clock["bank_s"] * 1000] * len(table.seats) if live else None
    return _begin(replace(table, banks=banks), at)


def handed_on(before: Table, after: Table, ended: bool, at: int) -> Table:
    """The table after a unit, with its clock: if the turn that ran is over its time is taken, and the next begins.

    `ended` says that somebody has ended a turn with `.`: the same seat may have the next one.
    """
    if after.clock is None:
        return after
    if after.turn == before.turn and _sits(after) == _sits(before) and not ended:
        return after
    return _begin(_stopped(before, after, ended, at), at)


def run_out(table: Table, at: int) -> Table:
    """The table when its time has run out and a bot plays this turn."""
    return replace(_stopped(table, table, False, at), lent=table.turn, deadline=None)


def _sits(table: Table) -> str | None:
    """Who has the turn: a person or a bot."""
    return None if table.turn is None else table.seats[table.turn - 1].kind


def _stopped(before: Table, after: Table, ended: bool, at: int) -> Table:
    """The time that is left goes back to the bank, with the increment; without a bank there is nothing to keep.

    The increment is also for who ran out of time, when the bot has ended the turn: else it would never end.
    """
    if after.clock is None or after.banks is None or before.turn is None or _sits(before) != "person":
        return after
    banks = list(after.banks)
    if before.deadline is not None:
        banks[before.turn - 1] = max(0, before.deadline - at)
    if ended:
        banks[before.turn - 1] += after.clock["increment_s"] * 1000
    return replace(after, banks=banks)


def _begin(table: Table, at: int) -> Table:
    """A turn begins: of a person with a deadline, of a bot without."""
    table = replace(table, lent=None, deadline=None)
    if table.clock is None or table.turn is None or _sits(table) != "person":
        return table
    if table.banks is None:
        return replace(table, deadline=at + table.clock["days"] * DAY_MS)
    return replace(table, deadline=at + table.banks[table.turn - 1])


def as_json(table: Table, at: int) -> Json | None:
    """The clock as everybody may see it: how it is set, what each seat has left, and the server's own time."""
    if table.clock is None:
        return None
    left: Sequence[int | None] = table.banks or [None] * len(table.seats)
    if table.state == "open" and table.clock["kind"] == "live":
        left = [table.clock["bank_s"] * 1000] * len(table.seats)
    remaining = [None if seat.kind == "bot" else ms for seat, ms in zip(table.seats, left, strict=True)]
    if table.deadline is not None and table.turn is not None:
        remaining[table.turn - 1] = max(0, table.deadline - at)
    return {**table.clock, "now": at, "deadline": table.deadline, "remaining": remaining, "lent": table.lent}


class Rooms(Protocol):
    """What a ticker needs of the hub."""

    store: Store

    async def time_out(self, key: str) -> None:
        """Does what a table says when the time of its turn has run out."""

    async def read_deadlines(self) -> None:
        """Reads the deadlines of the tables in memory again."""


class Ticker:
    """Notices deadlines that have passed: those of all tables, so that any process can stand in for another."""

    def __init__(self, rooms: Rooms, time: Time, beat_ms: int) -> None:
        self._rooms = rooms
        self._store = rooms.store
        self._time = time
        self._beat_ms = beat_ms
        self._next = NEVER  # when we look again; NEVER: we are looking, and must look again after any change
        self._last = time.now()
        self._beating = True  # not while no clock runs; then silence means nothing
        self._sooner = asyncio.Event()

    def hear(self, deadline: int | None) -> None:
        """There is a new deadline; if it is the next one, we must wake sooner."""
        if deadline is not None and deadline < self._next:
            self._sooner.set()

    async def open(self) -> None:
        """After a start: gives back the time in which nobody ran. SQLite has one server, so any time counts."""
        await self._store.beat(self._time.now(), self._silence if self._store.shared else 0)

    async def run(self) -> None:
        """Ticks for ever."""
        while True:
            try:
                self._next = await self._tick()
            except Exception:
                log.exception("the clocks could not be looked at")
                self._next = self._time.now() + self._beat_ms
            await self._time.wait(self._next, self._sooner)

    @property
    def _silence(self) -> int:
        return MISSED * self._beat_ms

    async def _tick(self) -> int:
        """Enforces what is due; returns when to look again."""
        self._next = NEVER
        self._sooner.clear()
        at = self._time.now()
        slept, self._last = at - self._last > self._silence, at
        beaten, self._beating = self._beating, bool(await self._store.deadlines(1))
        if not self._beating:
            return at + self._beat_ms
        await self._store.beat(at, self._silence if beaten else NEVER)
        if slept:  # a laptop that was closed: whoever beat first has moved the deadlines
            await self._rooms.read_deadlines()
        waiting = await self._store.deadlines()
        await _all(self._rooms.time_out, [key for key, deadline in waiting if deadline <= at])
        return min([at + self._beat_ms, *(deadline for _, deadline in waiting if deadline > at)])


async def _all(do: Callable[[str], Awaitable[None]], keys: Sequence[str]) -> None:
    """Does it for each; one that fails is written down, and tried again at the next tick."""
    for result in await asyncio.gather(*(do(key) for key in keys), return_exceptions=True):
        if isinstance(result, Exception):
            log.error("a time-out failed: %s", type(result).__name__, exc_info=result)

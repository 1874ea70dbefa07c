"""Clocks: how much time a seat has for its turn, and what happens when it runs out.

A table has no clock, a *live* one (a bank of time for each seat, and an increment after each turn that ends with `.`)
or a *daily* one (a deadline for each turn). For the clock a turn begins when a seat has to decide, in auctions and
leaps too, and again after each `.`. The deadline is stored with the table, in one unit with the event that
began the turn. When it passes, a bot plays the turn or takes the seat. That is an event at seq + 1 like any other: if
several processes, or a player who is a moment late, act at the same time, only the first has an effect.

While no server runs, the clocks stand still: a running server writes its time every few seconds (a *beat*), and a
server that finds a gap between beats moves all deadlines by as much.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import replace

from tikal.play.view import Json
from tikal.server.database.rows import Table, now
from tikal.server.database.store import Store

log = logging.getLogger("tikal.server")
DAY_MS = 24 * 3600 * 1000
MISSED = 3  # this many beats may be late before the servers count as stopped
NEVER = 2**62


class Time:
    """The current time, and waiting for a time; tests use their own.

    >>> Time().now() > 0
    True
    """

    def now(self) -> int:
        """Milliseconds since 1970."""
        return now()

    async def wait(self, until: int, sooner: asyncio.Event) -> None:
        """Returns at that time, or earlier after `wake`."""
        with suppress(TimeoutError):
            await asyncio.wait_for(sooner.wait(), max(0, until - self.now()) / 1000)


def started(table: Table, at: int) -> Table:
    """The table at the start of the game, with its clock running."""
    if table.clock is None:
        return table
    live = table.clock["kind"] == "live"
    banks = [table.clock["bank_s"] * 1000] * len(table.seats) if live else None
    return _begin(replace(table, banks=banks), at)


def after_unit(before: Table, after: Table, ended: bool, at: int) -> Table:
    """The table after a unit, with its clock: if a turn has ended, its time is deducted and the next begins.

    `ended` means that a turn has ended with `.`: the same seat may have the next one.
    """
    if after.clock is None:
        return after
    if after.turn == before.turn and _sits(after) == _sits(before) and not ended:
        return after
    return _begin(_stopped(before, after, ended, at), at)


def timed_out(table: Table, at: int) -> Table:
    """The table when its time has run out and a bot plays this turn."""
    return replace(_stopped(table, table, False, at), bot_plays_for=table.turn, deadline=None)


def _sits(table: Table) -> str | None:
    """The kind of the player to move: a person or a bot."""
    return None if table.turn is None else table.seats[table.turn - 1].kind


def _stopped(before: Table, after: Table, ended: bool, at: int) -> Table:
    """Returns the remaining time to the bank, with the increment; without a bank there is nothing to store.

    Players who ran out of time also get the increment after the bot has ended their turn, or they would never recover.
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
    """Begins a turn: a person's with a deadline, a bot's without."""
    table = replace(table, bot_plays_for=None, deadline=None)
    if table.clock is None or table.turn is None or _sits(table) != "person":
        return table
    if table.banks is None:
        return replace(table, deadline=at + table.clock["days"] * DAY_MS)
    return replace(table, deadline=at + table.banks[table.turn - 1])


def as_json(table: Table, at: int) -> Json | None:
    """The clock as everybody may see it: its settings, what each seat has left, and the server's time."""
    if table.clock is None:
        return None
    left: Sequence[int | None] = table.banks or [None] * len(table.seats)
    if table.state == "open" and table.clock["kind"] == "live":
        left = [table.clock["bank_s"] * 1000] * len(table.seats)
    remaining = [None if seat.kind == "bot" else ms for seat, ms in zip(table.seats, left, strict=True)]
    if table.deadline is not None and table.turn is not None:
        remaining[table.turn - 1] = max(0, table.deadline - at)
    return {**table.clock, "now": at, "deadline": table.deadline, "remaining": remaining, "lent": table.bot_plays_for}


class Ticker:
    """Watches the deadlines of all tables, so that any process can replace another."""

    def __init__(
        self,
        store: Store,
        time: Time,
        beat_ms: int,
        time_out: Callable[[str], Awaitable[None]],
        read_deadlines: Callable[[], Awaitable[None]],
    ) -> None:
        self._store = store
        self._time_out = time_out  # acts as the table's settings say when the time of its turn has run out
        self._read_deadlines = read_deadlines  # reads the deadlines of the tables in memory again
        self._time = time
        self._beat_ms = beat_ms
        self._next = NEVER  # time of the next check; NEVER: checking now, and again after any change
        self._last = time.now()
        self._beating = True  # off while no clock runs; then gaps mean nothing
        self._sooner = asyncio.Event()

    def hear(self, deadline: int | None) -> None:
        """Notes a new deadline; if it is the next one, the ticker must wake earlier."""
        if deadline is not None and deadline < self._next:
            self._sooner.set()

    async def open(self) -> None:
        """After a start: gives back the time in which no server ran. SQLite has one server, so any gap counts."""
        await self._store.beat(self._time.now(), self._silence if self._store.shared else 0)

    async def run(self) -> None:
        """Runs forever."""
        while True:
            try:
                self._next = await self._tick()
            except Exception:
                log.exception("the clocks could not be checked")
                self._next = self._time.now() + self._beat_ms
            await self._time.wait(self._next, self._sooner)

    @property
    def _silence(self) -> int:
        return MISSED * self._beat_ms

    async def _tick(self) -> int:
        """Enforces due deadlines; returns when to check again."""
        self._next = NEVER
        self._sooner.clear()
        at = self._time.now()
        slept, self._last = at - self._last > self._silence, at
        beaten, self._beating = self._beating, bool(await self._store.deadlines(1))
        if not self._beating:
            return at + self._beat_ms
        await self._store.beat(at, self._silence if beaten else NEVER)
        if slept:  # a laptop woke up: the server with the first beat has moved the deadlines
            await self._read_deadlines()
        waiting = await self._store.deadlines()
        await _all(self._time_out, [key for key, deadline in waiting if deadline <= at])
        return min([at + self._beat_ms, *(deadline for _, deadline in waiting if deadline > at)])


async def _all(do: Callable[[str], Awaitable[None]], keys: Sequence[str]) -> None:
    """Enforces each deadline; a failure is logged, and tried again at the next tick."""
    for result in await asyncio.gather(*(do(key) for key in keys), return_exceptions=True):
        if isinstance(result, Exception):
            log.error("a time-out failed: %s", type(result).__name__, exc_info=result)

"""Bots think in worker processes that can be killed. Whatever happens to a worker, a move comes back."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import secrets
from collections.abc import Callable
from typing import Any

from pebble import ProcessPool

from tikal.server.config import Config
from tikal.server.errors import Refused
from tikal.server.store import Json
from tikal.server.thinking import explain, fallback, think

log = logging.getLogger("tikal.server")
MOST_ASKING = 8  # for an analysis; each may take as long as a bot's move


def _pool(workers: int) -> Any:
    return ProcessPool(max_workers=workers, context=multiprocessing.get_context("spawn"))


class Runner:
    """A pool of workers. A worker that dies or hangs is replaced, and a simple bot decides instead of it."""

    def __init__(self, config: Config) -> None:
        self._config = config
        self._ms, self._workers = config.bot_ms, config.bot_workers
        self._pool: Any = _pool(self._workers)
        self._old: list[Any] = []  # pools of another size, which finish what they have begun
        self.task: Callable[[str, Json, int, int], list[str]] = think
        self.replaced = 0
        self._asking = 0  # for an analysis
        self._few = asyncio.Semaphore(max(1, config.bot_workers // 2))

    def cap(self, workers: int | None, ms: int | None) -> None:
        """At most so many workers and so much time from now on, and never more than the server was started with."""
        self._ms = min(self._config.bot_ms, ms or self._config.bot_ms)
        wanted = min(self._config.bot_workers, workers or self._config.bot_workers)
        if wanted != self._workers:
            self._pool.close()
            self._old = [pool for pool in self._old if pool.active] + [self._pool]
            self._workers, self._pool = wanted, _pool(wanted)

    async def open(self) -> None:
        """What must be done before anything is asked."""

    async def shut(self) -> None:
        """And before it is closed, while the event loop still runs."""

    async def plan(self, level: str, view: Json) -> list[str]:
        """The actions that a bot plays now."""
        return await self.decide(level, view, self._ms)

    async def explain(self, view: Json) -> Json:
        """What a bot thinks of a position; refused if its worker fails, or if too many want to know.

        Whoever only wants to know leaves workers to those who wait for a move.
        """
        if self._asking >= MOST_ASKING:
            raise Refused("busy", "too many want an analysis now; try again in a moment")
        self._asking += 1
        try:
            async with self._few:
                return await self.judge(view, self._ms)
        finally:
            self._asking -= 1

    async def decide(self, level: str, view: Json, ms: int) -> list[str]:
        """A plan within a given time."""
        seed = secrets.randbits(62)
        try:
            work = self._pool.schedule(
                self.task, [level, view, seed, ms], timeout=(ms + self._config.bot_grace_ms) / 1000
            )
            plan: list[str] = await asyncio.wrap_future(work)
        except Exception as error:  # it hung and was killed, died, or failed in any other way: the game must go on
            self.replaced += 1
            log.warning("a bot's worker failed: %s", type(error).__name__)
            plan = fallback(view, seed)
        return plan

    async def judge(self, view: Json, ms: int) -> Json:
        """An explanation within a given time."""
        try:
            work = self._pool.schedule(explain, [view, ms], timeout=(ms + self._config.bot_grace_ms) / 1000)
            told: Json = await asyncio.wrap_future(work)
        except Exception as error:  # as above; but here nobody waits for a move
            log.warning("an analysis failed: %s", type(error).__name__)
            raise Refused("busy", "the analysis could not be made; try again") from None
        return told

    def close(self) -> None:
        """Ends all workers at once: what they think about is asked again after the next start."""
        for pool in (*self._old, self._pool):
            pool.stop()
            pool.join()

"""One worker process. Whatever happens to it, the next job gets a working one."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
from collections.abc import Callable, Sequence
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from pebble import ProcessPool

from tikal.rules.errors import TikalError

log = logging.getLogger("tikal.server")
MARGIN_S = 2.0  # the pool kills a hanging job; if it does not, we end the pool after this much longer


class CannotThink(TikalError):
    """A worker failed; `code` is `bots`, and the text explains how."""


class Worker:
    """A pool of one process.

    Pebble shares one channel among the processes of a pool, so a process that dies while it waits for work breaks the
    whole pool. A pool of one confines the damage, and we replace a broken one.
    """

    def __init__(self) -> None:
        self.failures = 0  # failed jobs, and processes that died between jobs
        self._pool: Any = None  # started with the first job

    @property
    def broken(self) -> bool:
        """Whether its process has died and was not replaced yet."""
        return self._pool is not None and not self._pool.active

    def heal(self) -> None:
        """Replaces a broken pool."""
        if self.broken:
            log.warning("a bot's worker died and is replaced")
            self.failures += 1
            self.drop()

    async def run(self, job: Callable[..., Any], args: Sequence[Any], seconds: float) -> Any:
        """Returns the result of a job. Raises `CannotThink` if it fails, dies or hangs for longer than it may take."""
        self.heal()
        try:
            try:
                return await self._try(job, args, seconds)
            except BrokenProcessPool:  # the process had died unnoticed before: not the job's fault
                self.failures += 1
                self.drop()
                return await self._try(job, args, seconds)
        except Exception as error:
            self.failures += 1
            self.drop()
            log.warning("a bot's worker failed and is replaced: %s", type(error).__name__)
            raise CannotThink("bots", f"a bot's worker failed: {type(error).__name__}") from None

    async def _try(self, job: Callable[..., Any], args: Sequence[Any], seconds: float) -> Any:
        if self._pool is None:
            self._pool = ProcessPool(max_workers=1, context=multiprocessing.get_context("spawn"))
        try:
            work = self._pool.schedule(job, args, timeout=seconds)
        except RuntimeError as error:  # it has just broken
            raise BrokenProcessPool from error
        return await asyncio.wait_for(asyncio.wrap_future(work), seconds + MARGIN_S)

    def drop(self) -> None:
        """Ends the pool without waiting for it; the next job starts another."""
        pool, self._pool = self._pool, None
        if pool is not None:
            asyncio.get_running_loop().run_in_executor(None, _end, pool)

    def close(self) -> None:
        """Ends the process immediately."""
        if self._pool is not None:
            _end(self._pool)
            self._pool = None


def _end(pool: Any) -> None:
    pool.stop()
    pool.join()

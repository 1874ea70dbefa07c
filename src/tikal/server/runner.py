"""Bots think in worker processes that can be killed. Whatever happens to a worker, a move comes back."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import secrets
from concurrent.futures import CancelledError
from typing import Any

from pebble import ProcessExpired, ProcessPool

from tikal.bots.levels import Level
from tikal.server.config import Config
from tikal.server.store import Json

log = logging.getLogger("tikal.server")
FALLBACK = "tourist"  # needs no time: it can think in our own process


def think(level: str, view: Json, seed: int, ms: int) -> list[str]:
    """What a level plays, knowing only a view; runs in a worker.

    >>> from tikal.play import Game, Options
    >>> think("digger", Game.new(Options(), seed="42").view(1), 1, 50)[-1]
    '.'
    """
    parameters = {} if level == FALLBACK else {"time": str(ms)}
    return Level(level, parameters).plan(view, seed)


class Runner:
    """A pool of workers. A worker that dies or hangs is replaced, and a simple bot decides instead of it."""

    def __init__(self, config: Config) -> None:
        self._config = config
        self._pool: Any = ProcessPool(max_workers=config.bot_workers, context=multiprocessing.get_context("spawn"))
        self.replaced = 0

    async def plan(self, level: str, view: Json) -> list[str]:
        """The actions that a bot plays now."""
        seed, ms = secrets.randbits(62), self._config.bot_ms
        try:
            future = self._pool.schedule(
                think, args=[level, view, seed, ms], timeout=(ms + self._config.bot_grace_ms) / 1000
            )
            plan: list[str] = await asyncio.wrap_future(future)
        except (TimeoutError, ProcessExpired, CancelledError, RuntimeError) as error:
            # RuntimeError: the pool is closing; TimeoutError: the worker hung and was killed
            self.replaced += 1
            log.warning("a bot's worker was replaced: %s", type(error).__name__)
            plan = think(FALLBACK, view, seed, ms)
        return plan

    def close(self) -> None:
        """Ends all workers at once: what they think about is asked again after the next start."""
        self._pool.stop()
        self._pool.join()

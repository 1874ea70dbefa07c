"""Bots run in worker processes, which may die or hang. If a bot fails, its table shows that; no other takes over."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Any, TypeVar

from tikal.play.view import Json
from tikal.server.bots.fair import Asker, Gate, Rank
from tikal.server.bots.task import answer, explain, think
from tikal.server.bots.worker import CannotThink, Worker
from tikal.server.config import Config
from tikal.server.errors import Refused

T = TypeVar("T")
HINT_MS = 1000  # the time limit of an analysis: people wait for it
QUICK_MS = 250  # the same for a quick analysis
MOST_ASKING = 8  # analyses for one address at once; each may take as long as a bot's decision


def share(workers: int) -> int:
    """How many workers one person may keep busy: all but one, so that one is left for others.

    >>> [share(1), share(2), share(4)]
    [1, 1, 3]
    """
    return max(1, workers - 1)


class Runner:
    """The workers of this process, and the queue of their jobs."""

    def __init__(self, config: Config) -> None:
        self._config = config
        self._ms, self.workers = config.bot_ms, config.bot_workers
        self._gate = Gate(self.workers, share(self.workers))
        self._idle: list[Worker] = []
        self._all: set[Worker] = set()
        self._retired = 0  # failures of workers that were replaced
        self._failed_in_a_row = 0  # jobs that failed since the last success
        self._asking: Counter[str] = Counter()  # analyses by address
        slots = max(1, config.bot_workers // 2)
        self._analyses = Gate(slots, slots)
        self.task: Callable[[str, Json, int, int], list[str]] = think

    def cap(self, workers: int | None, ms: int | None) -> None:
        """Limits workers and time from now on, but never above the values that the server was started with."""
        self._ms = min(self._config.bot_ms, ms or self._config.bot_ms)
        wanted = min(self._config.bot_workers, workers or self._config.bot_workers)
        if wanted != self.workers:
            self.workers = wanted
            self._gate.resize(wanted, share(wanted))

    async def open(self) -> None:
        """Prepares the runner before its first job."""

    async def shut(self) -> None:
        """Closes what needs a running event loop."""

    # Health

    def heal(self) -> None:
        """Replaces workers that died while they were idle."""
        for worker in self._all:
            worker.heal()

    async def probe(self) -> None:
        """Tests that a worker answers: after a failure, the next real job may be a long time off."""
        with suppress(CannotThink):
            await self._counted(self._run(answer, [], 0, Asker(Rank.BOTS, "")))

    @property
    def failures(self) -> int:
        """How often a worker failed or died."""
        return self._retired + sum(worker.failures for worker in self._all)

    @property
    def failing(self) -> bool:
        """Whether the last job failed: bots can't run now."""
        return self._failed_in_a_row > 0

    @property
    def waiting(self) -> int:
        """How many jobs wait for a worker."""
        return len(self._gate.queue)

    def as_json(self) -> Json:
        """The health of the bots, as the server reports it."""
        return {
            "ok": not self.failing,
            "workers": self.workers,
            "waiting": self.waiting,
            "failures": self.failures,
        }

    # Jobs

    async def plan(self, level: str, view: Json, asker: Asker) -> list[str]:
        """The actions that a bot plays now. Raises `CannotThink` if its worker fails."""
        return await self._counted(self.decide(level, view, self._ms, asker))

    async def explain(self, view: Json, asker: Asker, *, quick: bool = False) -> Json:
        """A bot's analysis of a position; refused if its worker fails, or if too many at one address ask at once.

        Analyses leave half of the workers to bots in games where people wait. Addresses take turns.
        """
        if self._asking[asker.address] >= MOST_ASKING:
            raise Refused("busy", "too many people want an analysis now; try again in a moment", "analysis_queue")
        self._asking[asker.address] += 1
        try:
            async with self._analyses.turn(asker):
                ms = min(self._ms, QUICK_MS if quick else HINT_MS)
                return await self._counted(self.judge(view, ms, asker))
        except CannotThink:
            raise Refused("busy", "the analysis failed; try again", "analysis_failed") from None
        finally:
            self._asking[asker.address] -= 1
            self._asking += Counter()  # forgets addresses with none

    async def decide(self, level: str, view: Json, ms: int, asker: Asker) -> list[str]:
        """A plan within a given time."""
        plan: list[str] = await self._run(self.task, [level, view, secrets.randbits(62), ms], ms, asker)
        return plan

    async def judge(self, view: Json, ms: int, asker: Asker) -> Json:
        """An analysis within a given time."""
        analysis: Json = await self._run(explain, [view, ms], ms, asker)
        return analysis

    async def _counted(self, answer: Awaitable[T]) -> T:
        """Returns an answer, and remembers whether it came."""
        try:
            result = await answer
        except CannotThink:
            self._failed_in_a_row += 1
            raise
        self._failed_in_a_row = 0
        return result

    async def _run(self, job: Callable[..., Any], args: Sequence[Any], ms: int, asker: Asker) -> Any:
        """Runs a job when it is the asker's turn."""
        async with self._gate.turn(asker):
            worker = self._idle.pop() if self._idle else Worker()
            self._all.add(worker)
            try:
                return await worker.run(job, args, (ms + self._config.bot_grace_ms) / 1000)
            finally:
                self._give_back(worker)

    def _give_back(self, worker: Worker) -> None:
        """Keeps a worker for the next job, or ends it if there are too many now."""
        if len(self._all) <= self.workers:
            self._idle.append(worker)
        else:
            self._all.discard(worker)
            self._retired += worker.failures
            worker.drop()

    def close(self) -> None:
        """Ends all workers at once; after the next start, the server runs the bots again."""
        for worker in self._all:
            worker.close()

"""Worker processes that play the games of a match. If a bot hangs, the pool kills its worker.

Shared memory (`Slots`) shows which bot is thinking. When a worker dies or stops answering, the bot that was thinking
loses the game, and no other game is affected.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import wait as wait_for
from threading import Thread
from time import monotonic
from typing import Any, Self

from pebble import ProcessExpired, ProcessPool

from tikal.arena.errors import ArenaError
from tikal.arena.game import play_game, record_text
from tikal.arena.match import Match
from tikal.arena.outcome import Fault, Outcome, forfeit
from tikal.arena.schedule import Fixture, deal_seed
from tikal.play import Game

TICK = 0.1  # seconds between checks of the workers
ATTEMPTS = 3  # attempts at a game whose worker died while no bot was thinking
POSIX = os.name == "posix"

Played = tuple[Outcome, str]


class Slots:
    """A row of numbers per running game, shared by all processes: worker, number of reports, thinking entry.

    >>> slots = Slots(multiprocessing.get_context("spawn"), 2)
    >>> slots.report(1, 3)
    >>> slots.thinker(1), slots.thinker(0)
    (3, None)
    """

    def __init__(self, context: Any, count: int) -> None:
        self._row = context.RawArray("q", 3 * count)

    def clear(self, slot: int) -> None:
        """Reset a slot to "no report yet"."""
        self._row[3 * slot : 3 * slot + 3] = [0, 0, 0]

    def report(self, slot: int, entry: int | None) -> None:
        """Called by a worker: this entry thinks from now on."""
        self._row[3 * slot] = os.getpid()
        self._row[3 * slot + 2] = 0 if entry is None else entry + 1
        self._row[3 * slot + 1] += 1

    def worker(self, slot: int) -> int:
        """The worker's process id; 0 before its first report."""
        return int(self._row[3 * slot])

    def reports(self, slot: int) -> int:
        """The number of reports. While it does not change, the same bot is thinking."""
        return int(self._row[3 * slot + 1])

    def thinker(self, slot: int) -> int | None:
        """The entry that is thinking, if any."""
        return int(self._row[3 * slot + 2]) - 1 if self._row[3 * slot + 2] else None


# In the workers


class SlotWatch:
    """Reports which entry thinks in the game of a slot."""

    def __init__(self, slots: Slots, slot: int) -> None:
        self._slots, self._slot = slots, slot

    def thinks(self, entry: int | None) -> None:
        """See `tikal.arena.game.Watch`."""
        self._slots.report(self._slot, entry)


_slots: Slots | None = None


def _enter(slots: Slots) -> None:
    """Initialise a worker process."""
    global _slots
    _slots = slots
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the main process handles Ctrl-C and then ends its workers
    if POSIX:
        os.setsid()  # programs that bots start join this process group and end with it
    os.dup2(2, 1)  # a bot's output must not mix with the results
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """End this worker when the main process is gone: nothing else would end a worker whose bot hangs."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait_for([parent.sentinel])
        _end_group(os.getpid())
        os._exit(1)


def _work(match: Match, fixture: Fixture, slot: int) -> Played:
    assert _slots is not None
    watch = SlotWatch(_slots, slot)
    watch.thinks(None)
    return play_game(match, fixture, watch)


# In the main process


@dataclass(slots=True)
class _Job:
    """A game in progress."""

    fixture: Fixture
    slot: int
    reports: int = 0
    since: float = field(default_factory=monotonic)
    fault: Fault | None = None


class Pool:
    """Plays games of a match in worker processes; a bot that thinks longer than `limit` seconds loses its game.

    Use it in a `with` statement: on exit it ends the workers in any state.
    """

    def __init__(self, match: Match, workers: int, limit: float) -> None:
        self._match = match
        self._limit = limit
        self._workers = workers
        self._context = multiprocessing.get_context("spawn")
        self._slots = Slots(self._context, workers)
        self._free = list(range(workers))
        self._pool: Any = None  # a ProcessPool while games are played; it has no types
        self._running: dict[Future[Played], _Job] = {}
        self._again: deque[Fixture] = deque()
        self._failures: dict[Fixture, int] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._close()

    def play(self, fixtures: Iterable[Fixture]) -> Iterator[Played]:
        """Outcomes and records, in the order in which the games end."""
        waiting = iter(fixtures)
        while True:
            while self._free:
                fixture = self._again.popleft() if self._again else next(waiting, None)
                if fixture is None:
                    break
                self._submit(fixture)
            if not self._running:
                return
            done, _ = wait(self._running, timeout=TICK, return_when=FIRST_COMPLETED)
            for future in done:
                if future in self._running:
                    played = self._collect(future)
                    if played is not None:
                        yield played
            self._end_silent_workers()

    def _submit(self, fixture: Fixture) -> None:
        if self._pool is None:
            self._pool = ProcessPool(self._workers, initializer=_enter, initargs=(self._slots,), context=self._context)
        slot = self._free[-1]
        self._slots.clear(slot)
        try:
            future = self._pool.schedule(_work, args=(self._match, fixture, slot))
        except RuntimeError:  # all workers have died
            self._again.append(fixture)
            self._start_over()
            return
        self._free.pop()
        self._running[future] = _Job(fixture, slot)

    def _collect(self, future: Future[Played]) -> Played | None:
        """The result of a game; None if it must be played again."""
        job = self._running.pop(future)
        played: Played | None
        try:
            played = future.result()
        except CancelledError:
            played = self._lost(job)
        except ProcessExpired as error:
            entry = self._slots.thinker(job.slot)
            if entry is not None:
                job.fault = Fault(entry, "crash", f"its process ended with exit code {error.exitcode}")
            played = self._lost(job)
        except BrokenProcessPool:
            played = self._lost(job)
            self._start_over()
        if job.slot not in self._free:
            self._free.append(job.slot)
        return played

    def _lost(self, job: _Job) -> Played | None:
        """Handle the game of a dead worker: the bot at fault forfeits it, otherwise it is played again."""
        _end_group(self._slots.worker(job.slot))
        if job.fault is not None:
            game = Game.new(self._match.options, seed=deal_seed(self._match.seed, job.fixture.deal))
            outcome = forfeit(job.fixture, len(self._match.players), job.fault)
            return outcome, record_text(game, self._match, job.fixture, job.fault)
        failures = self._failures[job.fixture] = self._failures.get(job.fixture, 0) + 1
        if failures == ATTEMPTS:
            where = f"deal {job.fixture.deal + 1}, rotation {job.fixture.rotation + 1}"
            raise ArenaError("arena", f"{where}: its worker died {ATTEMPTS} times while no bot was thinking")
        self._again.append(job.fixture)
        return None

    def _end_silent_workers(self) -> None:
        """End workers that have stopped answering; `_collect` then handles their games like those of dead workers."""
        now = monotonic()
        for future, job in self._running.items():
            reports = self._slots.reports(job.slot)
            if job.fault is not None:
                continue  # its worker is being ended already
            if reports != job.reports:
                job.reports, job.since = reports, now
                continue
            entry = self._slots.thinker(job.slot)
            if _gone(self._slots.worker(job.slot)):
                job.fault = None if entry is None else Fault(entry, "crash", "its process ended")
                future.cancel()
            elif entry is not None and now - job.since > self._limit:
                job.fault = Fault(entry, "timeout", f"thought longer than {self._limit:g} s")
                future.cancel()

    def _start_over(self) -> None:
        """Start new workers after all died at once; games in progress are played again."""
        self._again.extend(job.fixture for job in self._running.values())
        self._free = list(range(self._workers))
        self._close()

    def _close(self) -> None:
        running = [job.slot for job in self._running.values()]
        self._running.clear()
        if self._pool is not None:
            self._pool.stop()
            self._pool.join()
            self._pool = None
        for slot in running:
            _end_group(self._slots.worker(slot))


def _end_group(leader: int) -> None:
    """End a worker and the programs that its bots started."""
    if POSIX and leader:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(leader, signal.SIGKILL)


def _gone(process: int) -> bool:
    """Whether a process has ended and was reaped. On Windows always False, because there is no harmless way to ask."""
    if not POSIX or not process:
        return False
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    return False

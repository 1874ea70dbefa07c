"""The connection to the database: one writer with group commit, a few readers, and notifications from other processes.

A process does all its writing through one writer. Jobs that arrive during a commit are committed together next time
(group commit). If one of them fails, all are repeated, each in its own savepoint, so that the others succeed. A
call returns after the commit: its result is on the disk.

On PostgreSQL other processes write too. Rows that a decision depends on are locked. Every commit carries a hint of what
has changed, and the processes that receive it read it back.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import secrets
import shutil
from collections.abc import AsyncIterator, Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from itertools import groupby
from pathlib import Path
from typing import Any, Self, TypeVar

from sqlalchemy import Connection, text
from sqlalchemy.engine import URL
from sqlalchemy.exc import OperationalError

from tikal.server.database.engines import conninfo, database_url, on_postgres, reader, writer
from tikal.server.database.log import Append, append_all
from tikal.server.database.migrate import migrate
from tikal.server.database.rows import Person

log = logging.getLogger("tikal.server")
T = TypeVar("T")
Job = Callable[[Connection], Any]
BATCH = 256  # jobs in one commit
READERS = 4  # reader threads
LEAST_ROOM = 10 * 2**20  # bytes
CHANNEL = "tikal"  # channel for hints
PEOPLE = "people"  # the hint that names a person, not a table: their tokens, name or webhook have changed
QUIET_S = 15.0  # after this much silence a listener checks that its connection is alive


class Database:
    """The database. `await Store.open(url)` migrates and opens it."""

    def __init__(self, url: URL) -> None:
        self._url = url
        self.shared = on_postgres(url)
        self._writer, self._reader = writer(url), reader(url, READERS)
        self._writing, self._reading = ThreadPoolExecutor(1, "writer"), ThreadPoolExecutor(READERS, "reader")
        self._jobs: asyncio.Queue[tuple[Job, str | None, asyncio.Future[Any]] | None] = asyncio.Queue()
        self._task = asyncio.create_task(self._write_all())
        self._known: dict[str, Person] = {}  # people by the hash of a session's token
        self.when_people_change: Callable[[str | None], object] = lambda _: None  # with a person; None: anybody
        self._is_notified = not self.shared  # whether this process would be notified if another changed people
        self._origin = secrets.token_hex(4)
        self._claims: Any = None  # a connection that holds locks until the process ends
        self._claiming = asyncio.Lock()
        self.commits = 0

    @classmethod
    async def open(cls, address: str) -> Self:
        """Opens the store at an address and migrates it to the newest revision."""
        await asyncio.to_thread(migrate, address)
        return cls(database_url(address))

    async def close(self) -> None:
        """Writes the waiting jobs, and closes."""
        self._jobs.put_nowait(None)
        await self._task
        if self._claims is not None:
            await self._claims.close()
        for threads, engine in ((self._writing, self._writer), (self._reading, self._reader)):
            threads.shutdown()
            engine.dispose()

    # The writer

    async def write(self, job: Callable[[Connection], T], hint: str | None = None) -> T:
        """Runs a job and commits; `hint` names the table that other processes should read again."""
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._jobs.put_nowait((job, hint, done))
        return await done

    async def _write_all(self) -> None:
        more = True
        while more:
            batch = [await self._jobs.get()]
            while not self._jobs.empty() and len(batch) < BATCH:
                batch.append(self._jobs.get_nowait())
            more = None not in batch
            work = [item for item in batch if item is not None]
            if work:
                await self._commit(work)

    async def _commit(self, work: list[tuple[Job, str | None, asyncio.Future[Any]]]) -> None:
        jobs, hints = [job for job, _, _ in work], {hint for _, hint, _ in work if hint}
        try:
            loop = asyncio.get_running_loop()
            results = await loop.run_in_executor(self._writing, self._transact, jobs, hints)
        except Exception as error:  # the disk is full, or the database is gone: every waiting caller must get the error
            results = [error] * len(work)
        self.commits += 1
        for (_, _, done), result in zip(work, results, strict=True):
            if done.cancelled():
                continue
            if isinstance(result, Exception):
                done.set_exception(result)
            else:
                done.set_result(result)

    def _transact(self, jobs: list[Job], hints: set[str]) -> list[Any]:
        """Returns the results of committed jobs, or the error that rolled each back; runs in the writer's thread."""
        try:
            with self._writer.begin() as c:
                results = _run(c, jobs)
                self._hint(c, hints)
                return results
        except OperationalError as error:  # a deadlock with another process, or a lost connection: try once more
            log.warning("a commit is tried again: %s", str(error.orig).partition("\n")[0])  # a fault is logged later
            if len(jobs) > 1:
                return [self._alone(job, hints) for job in jobs]
        except Exception as error:  # of one job; the others must not fail with it
            if len(jobs) == 1:
                return [error]
        with self._writer.begin() as c:
            results = _run_apart(c, jobs)
            self._hint(c, hints)
            return results

    def _alone(self, job: Job, hints: set[str]) -> Any:
        """Runs a job in its own transaction: one that locks the rows of one table only can't be part of a deadlock."""
        try:
            return self._transact([job], hints)[0]
        except Exception as error:  # the other jobs must not fail with it
            return error

    async def ask(self, question: Callable[[Connection], T]) -> T:
        """Answers a question from one consistent snapshot."""

        def ask() -> T:
            with self._reader.begin() as c:
                return question(c)

        return await asyncio.get_running_loop().run_in_executor(self._reading, ask)

    def has_room(self) -> bool:
        """Whether the disk of an SQLite file has room for many more commits; for PostgreSQL its server must see to it.

        A small write may still succeed on a disk that is too full for an action.
        """
        return self.shared or shutil.disk_usage(Path(str(self._url.database)).absolute().parent).free >= LEAST_ROOM

    @property
    def waiting(self) -> int:
        """How many jobs wait for the next commit."""
        return self._jobs.qsize()

    # Other processes

    def _hint(self, c: Connection, hints: Iterable[str]) -> None:
        """Notifies other processes of a change once it is committed."""
        if self.shared and hints:
            c.execute(_NOTIFY, {"channel": CHANNEL, "hints": [f"{self._origin} {hint}" for hint in sorted(hints)]})

    async def hints(self) -> AsyncIterator[str | None]:
        """Tables that other processes have changed; None after an interruption, when anything may have changed."""
        while self.shared:
            try:
                async for hint in self._listen():
                    yield hint
            except (_psycopg().Error, OSError) as error:
                log.warning("the listener lost its connection: %s", type(error).__name__)
                await asyncio.sleep(0.5)
            finally:
                self._is_notified = False
                self._known = {}

    async def _listen(self) -> AsyncIterator[str | None]:
        async with await self._connect() as connection:
            await connection.execute(f"LISTEN {CHANNEL}")
            self._is_notified = True
            self._forget_people(None)
            yield None
            while True:
                async for note in connection.notifies(timeout=QUIET_S):
                    origin, _, hint = note.payload.partition(" ")
                    if hint.startswith(f"{PEOPLE} "):
                        self._forget_people(hint.removeprefix(f"{PEOPLE} "))
                    elif origin != self._origin:
                        yield hint
                await asyncio.wait_for(connection.execute("SELECT 1"), QUIET_S)

    async def _connect(self) -> Any:
        return await _psycopg().AsyncConnection.connect(conninfo(self._url), autocommit=True, connect_timeout=10)

    @asynccontextmanager
    async def claim(self, what: str) -> AsyncIterator[bool]:
        """Claims a job for this process; no other process can claim it until this one finishes or dies."""
        if not self.shared:
            yield True
            return
        async with self._claiming:
            if self._claims is None or self._claims.closed:
                self._claims = await self._connect()
            held = self._claims
        answer = await held.execute("SELECT pg_try_advisory_lock(%s)", _key(what))
        mine = bool((await answer.fetchone())[0])
        try:
            yield mine
        finally:
            if mine:
                with suppress(_psycopg().Error):  # losing the connection has released the claim already
                    await held.execute("SELECT pg_advisory_unlock(%s)", _key(what))

    def _forget_people(self, person: str | None) -> None:
        """Drops a person (None: everybody) from the cache: tokens or names have changed, here or elsewhere.

        The cache becomes a new object: what was being read meanwhile does not get into it.
        """
        kept = self._known.items() if person is not None else ()
        self._known = {token: known for token, known in kept if known.id != person}
        self.when_people_change(person)


def _run(c: Connection, jobs: list[Job]) -> list[Any]:
    """Returns the results of jobs, if none fails; adjacent units are written together."""
    results: list[Any] = []
    for appends, some in groupby(jobs, lambda job: isinstance(job, Append)):
        group: list[Any] = list(some)
        if appends:
            append_all(c, group)
            results += [None] * len(group)
        else:
            results += [job(c) for job in group]
    return results


def _run_apart(c: Connection, jobs: list[Job]) -> list[Any]:
    """Returns the results of jobs, or the error that rolled each back."""
    results: list[Any] = []
    for job in jobs:
        try:
            with c.begin_nested():
                results.append(job(c))
        except OperationalError:  # the connection or the disk: no job can be written
            raise
        except Exception as error:
            results.append(error)
    return results


_NOTIFY = text("SELECT pg_notify(:channel, hint) FROM unnest(CAST(:hints AS text[])) AS hint")


def _psycopg() -> Any:
    """Imports psycopg, which only PostgreSQL needs."""
    import psycopg

    return psycopg


def _key(what: str) -> tuple[int]:
    """The number of an advisory lock."""
    return (int.from_bytes(hashlib.sha256(what.encode()).digest()[:8], signed=True),)

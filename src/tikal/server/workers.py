"""Bots on other machines: a server asks through a queue in PostgreSQL (procrastinate), `tikal bot-worker` answers.

What is asked is a view, as any bot gets it, so a worker learns nothing that its seat may not know. Questions and
answers stand in a schema of their own, one for each version of procrastinate. A question that nobody answers in time
is taken back, and the server's own workers decide; for a while nothing is asked then.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any

from tikal.server.config import Config
from tikal.server.database import DatabaseError, conninfo, database_url, on_postgres
from tikal.server.runner import Runner
from tikal.server.store import Json

log = logging.getLogger("tikal.server")
QUEUE = "bots"
CHANNEL = "tikal_answers"
ALONE_S = 10.0  # after a question that nobody answered the server thinks alone for so long
LOCK = "SELECT pg_advisory_xact_lock(hashtextextended('tikal queue', 0))"
ANSWERS = """
CREATE TABLE answers (ask text PRIMARY KEY, answer jsonb NOT NULL, at timestamptz NOT NULL DEFAULT now())
"""
ANSWER = """
WITH old AS (DELETE FROM answers WHERE at < now() - interval '1 hour'),
     new AS (INSERT INTO answers (ask, answer) VALUES (%(ask)s, %(answer)s))
SELECT pg_notify(%(channel)s, %(ask)s)
"""


def check_queue(database: str) -> None:
    """Refuses databases that can't have a queue.

    >>> check_queue("sqlite:///games.db")
    Traceback (most recent call last):
    tikal.server.database.DatabaseError: sqlite: bots on other machines need postgresql://…
    """
    if not on_postgres(database_url(database)):
        raise DatabaseError("database", "sqlite: bots on other machines need postgresql://…")
    if not find_spec("procrastinate"):
        raise DatabaseError("database", "bot-worker: needs more packages; install them: pip install 'tikal[postgres]'")


def schema() -> str:
    """The schema of the queue: what another version of procrastinate has made is left alone."""
    return "tikal_bots_" + "_".join(version("procrastinate").split(".")[:2])


def _options() -> dict[str, str]:
    return {"options": f"-c search_path={schema()}"}


def make_queue(database: str) -> None:
    """Makes the queue where there is none yet; of several who come at once one does it."""
    import psycopg
    from procrastinate.schema import SchemaManager

    try:
        with psycopg.connect(conninfo(database_url(database)), **_options()) as connection:  # type: ignore[arg-type]
            connection.execute(LOCK)
            connection.execute(f"CREATE SCHEMA IF NOT EXISTS {schema()}".encode())
            if connection.execute("SELECT to_regclass('answers')").fetchone() == (None,):
                connection.execute(SchemaManager.get_schema())
                connection.execute(ANSWERS)
    except psycopg.Error as error:
        raise DatabaseError("database", f"the queue of bots can't be used: {str(error).splitlines()[0]}") from None


def _app(database: str) -> Any:
    import procrastinate

    where = conninfo(database_url(database))
    return procrastinate.App(connector=procrastinate.PsycopgConnector(conninfo=where, kwargs=_options(), max_size=4))


class Workers(Runner):
    """Asks workers anywhere first, and the processes of its own if none answers in time."""

    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self._app = _app(config.database)
        self._task = self._app.configure_task("think", queue=QUEUE)
        self._waiting: dict[str, asyncio.Future[Any]] = {}
        self._alone_until = 0.0
        self._listener: asyncio.Task[None] | None = None
        self.answered = 0

    async def open(self) -> None:
        """Makes the queue and listens to answers."""
        await asyncio.to_thread(make_queue, self._config.database)
        await self._app.open_async()
        self._listener = asyncio.create_task(self._listen())

    async def shut(self) -> None:
        """Listens no more."""
        if self._listener is not None:
            self._listener.cancel()
            await asyncio.gather(self._listener, return_exceptions=True)
        await self._app.close_async()

    async def decide(self, level: str, view: Json, ms: int) -> list[str]:
        """A plan within a given time."""
        answer = await self._ask("plan", level, view, ms)
        if isinstance(answer, list) and answer and all(isinstance(action, str) for action in answer):
            return answer
        return await super().decide(level, view, ms)

    async def judge(self, view: Json, ms: int) -> Json:
        """An explanation within a given time."""
        answer = await self._ask("explain", "", view, ms)
        return answer if isinstance(answer, dict) else await super().judge(view, ms)

    async def _ask(self, kind: str, level: str, view: Json, ms: int) -> Any:
        """What a worker answers; None if none does in time."""
        loop = asyncio.get_running_loop()
        if loop.time() < self._alone_until:
            return None
        ask = secrets.token_hex(12)
        self._waiting[ask] = loop.create_future()
        try:
            job = await self._task.defer_async(ask=ask, kind=kind, level=level, view=view, ms=ms)
            try:
                answer = await asyncio.wait_for(self._waiting[ask], (ms + self._config.worker_patience_ms) / 1000)
            except TimeoutError:
                await self._app.job_manager.cancel_job_by_id_async(job, delete_job=True)
                raise
            self.answered += 1
            return answer
        except Exception as error:  # no worker, or no database: the game must go on
            log.warning("no bot-worker has answered: %s", type(error).__name__)
            self._alone_until = loop.time() + ALONE_S
            return None
        finally:
            del self._waiting[ask]

    async def _listen(self) -> None:
        import psycopg

        where = conninfo(database_url(self._config.database))
        while True:
            try:
                async with await psycopg.AsyncConnection.connect(where, autocommit=True, **_options()) as connection:  # type: ignore[arg-type]
                    await connection.execute(f"LISTEN {CHANNEL}".encode())
                    for ask in list(self._waiting):  # what came while nobody listened
                        await self._fetch(ask)
                    async for note in connection.notifies():
                        await self._fetch(note.payload)
            except (psycopg.Error, OSError) as error:
                log.warning("the listener to bot-workers lost its connection: %s", type(error).__name__)
                await asyncio.sleep(0.5)

    async def _fetch(self, ask: str) -> None:
        """An answer to one of our questions, taken from where it stands."""
        if ask in self._waiting:
            take = "DELETE FROM answers WHERE ask = %(ask)s RETURNING answer"
            for row in await self._app.connector.execute_query_all_async(take, ask=ask):
                if ask in self._waiting and not self._waiting[ask].done():
                    self._waiting[ask].set_result(row["answer"])


async def work(database: str, workers: int) -> None:
    """Answers questions until it is told to end."""
    from psycopg.types.json import Jsonb

    app, pool = _app(database), Runner(Config(database, bot_workers=workers))

    async def think(ask: str, kind: str, level: str, view: Json, ms: int) -> None:
        answer: Any = await (pool.judge(view, ms) if kind == "explain" else pool.decide(level, view, ms))
        told = {"ask": ask, "answer": Jsonb(answer), "channel": CHANNEL}
        await app.connector.execute_query_async(ANSWER, **told)

    app.task(name="think", queue=QUEUE)(think)
    try:
        async with app.open_async():
            await app.run_worker_async(
                queues=[QUEUE], concurrency=workers, delete_jobs="always", fetch_job_polling_interval=1.0
            )
    finally:
        pool.close()

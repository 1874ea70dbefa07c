"""Bots on other machines: a server queues questions in PostgreSQL (procrastinate), and `tikal bot-worker` answers them.

A question is a view, as for any bot, so a worker learns nothing that its seat may not know. Questions and answers
have their own schema, one for each version of procrastinate. Each server puts its questions in a fair order first,
and the queue serves better ranks first. If no worker answers a question in time, the server withdraws it, lets its own
processes decide, and for a while sends no more questions.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from contextlib import suppress
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any

from tikal.play.view import Json
from tikal.server.bots.fair import Asker, Gate, Rank
from tikal.server.bots.pool import Runner
from tikal.server.bots.worker import CannotThink
from tikal.server.config import Config
from tikal.server.database.engines import DatabaseError, conninfo, database_url, on_postgres

log = logging.getLogger("tikal.server")
QUEUE = "bots"
CHANNEL = "tikal_answers"
ALONE_S = 10.0  # after an unanswered question, the server uses its own processes for this long
MOST_ASKED = 64  # questions of one server in the queue at once
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
    """Refuses databases that can't store a queue.

    >>> check_queue("sqlite:///games.db")
    Traceback (most recent call last):
    tikal.server.database.engines.DatabaseError: sqlite: bots on other machines need postgresql://…
    """
    if not on_postgres(database_url(database)):
        raise DatabaseError("database", "sqlite: bots on other machines need postgresql://…")
    if not find_spec("procrastinate"):
        raise DatabaseError("database", "bot-worker: needs more packages; install them: pip install 'tikal[postgres]'")


def schema() -> str:
    """The schema of the queue. Other versions of procrastinate have their own."""
    return "tikal_bots_" + "_".join(version("procrastinate").split(".")[:2])


def _options() -> dict[str, str]:
    return {"options": f"-c search_path={schema()}"}


def make_queue(database: str) -> None:
    """Creates the queue if it is missing; of several processes that try at once, one creates it."""
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
    """Sends questions to remote workers first, and to its own processes if no worker answers in time."""

    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self._app = _app(config.database)
        self._line = Gate(MOST_ASKED, config.bot_tables_each)  # ahead of the queue in the database
        self._waiting: dict[str, asyncio.Future[Any]] = {}
        self._alone_until = 0.0
        self._heard = 0.0  # time of the last answer
        self._listener: asyncio.Task[None] | None = None
        self.answered = 0

    async def open(self) -> None:
        """Creates the queue and listens for answers."""
        await asyncio.to_thread(make_queue, self._config.database)
        await self._app.open_async()
        self._listener = asyncio.create_task(self._listen())

    async def shut(self) -> None:
        """Stops listening."""
        if self._listener is not None:
            self._listener.cancel()
            await asyncio.gather(self._listener, return_exceptions=True)
        await self._app.close_async()

    @property
    def waiting(self) -> int:
        """How many jobs wait here; the queue in the database is not counted."""
        return super().waiting + len(self._line.queue)

    async def decide(self, level: str, view: Json, ms: int, asker: Asker) -> list[str]:
        """A plan within a given time."""
        answer = await self._ask("plan", level, view, ms, asker)
        if isinstance(answer, list) and answer and all(isinstance(action, str) for action in answer):
            return answer
        return await super().decide(level, view, ms, asker)

    async def judge(self, view: Json, ms: int, asker: Asker) -> Json:
        """An analysis within a given time."""
        answer = await self._ask("explain", "", view, ms, asker)
        return answer if isinstance(answer, dict) else await super().judge(view, ms, asker)

    async def _ask(self, kind: str, level: str, view: Json, ms: int, asker: Asker) -> Any:
        """Returns a worker's answer; None if no worker answers."""
        async with self._line.turn(asker):
            loop = asyncio.get_running_loop()
            if loop.time() < self._alone_until:
                return None
            ask = secrets.token_hex(12)
            self._waiting[ask] = loop.create_future()
            try:
                task = self._app.configure_task("think", queue=QUEUE, priority=-asker.rank)
                job = await task.defer_async(ask=ask, kind=kind, level=level, view=view, ms=ms)
                return await self._answer(ask, job, (ms + self._config.worker_patience_ms) / 1000)
            except Exception as error:  # no worker, or no database: the game must go on
                log.warning("no bot-worker has answered: %s", type(error).__name__)
                self._alone_until = loop.time() + ALONE_S
                return None
            finally:
                del self._waiting[ask]

    async def _answer(self, ask: str, job: int, patience: float) -> Any:
        """Waits for an answer. A job that no worker has started may wait longer, as long as other jobs are answered."""
        loop, answer, begun = asyncio.get_running_loop(), self._waiting[ask], False
        while True:
            before = loop.time()
            await asyncio.wait((answer,), timeout=patience)
            if answer.done():
                break
            if begun or self._heard < before:
                await self._app.job_manager.cancel_job_by_id_async(job, delete_job=True)
                raise TimeoutError
            begun = (await self._app.job_manager.get_job_status_async(job)).value != "todo"
        self.answered += 1
        return answer.result()

    async def _listen(self) -> None:
        import psycopg

        where = conninfo(database_url(self._config.database))
        while True:
            try:
                async with await psycopg.AsyncConnection.connect(where, autocommit=True, **_options()) as connection:  # type: ignore[arg-type]
                    await connection.execute(f"LISTEN {CHANNEL}".encode())
                    for ask in list(self._waiting):  # missed answers
                        await self._fetch(ask)
                    async for note in connection.notifies():
                        await self._fetch(note.payload)
            except (psycopg.Error, OSError) as error:
                log.warning("the listener to bot-workers lost its connection: %s", type(error).__name__)
                await asyncio.sleep(0.5)

    async def _fetch(self, ask: str) -> None:
        """Takes the answer to one of our questions out of the database."""
        if ask in self._waiting:
            take = "DELETE FROM answers WHERE ask = %(ask)s RETURNING answer"
            for row in await self._app.connector.execute_query_all_async(take, ask=ask):
                self._heard = asyncio.get_running_loop().time()
                if ask in self._waiting and not self._waiting[ask].done():
                    self._waiting[ask].set_result(row["answer"])


async def work(database: str, workers: int) -> None:
    """Answers questions until interrupted."""
    from psycopg.types.json import Jsonb

    app, pool = _app(database), Runner(Config(database, bot_workers=workers))

    async def think(ask: str, kind: str, level: str, view: Json, ms: int) -> None:
        asker = Asker(Rank.LIVE, ask)  # the server has put them in order
        answer: Any = None
        with suppress(CannotThink):  # the server's own processes take over then
            answer = await (pool.judge(view, ms, asker) if kind == "explain" else pool.decide(level, view, ms, asker))
        values = {"ask": ask, "answer": Jsonb(answer), "channel": CHANNEL}
        await app.connector.execute_query_async(ANSWER, **values)

    app.task(name="think", queue=QUEUE)(think)
    try:
        async with app.open_async():
            await app.run_worker_async(
                queues=[QUEUE], concurrency=workers, delete_jobs="always", fetch_job_polling_interval=1.0
            )
    finally:
        pool.close()

"""What is kept: people, tokens (their hashes), tables, seats, chat, and for each game an append-only log of events.

All writing of a process goes through one writer. Whatever waits while it commits is committed together next time
(group commit); if one of them fails they are done again, each in a savepoint of its own, so that it takes no other
with it. A call returns after the commit: what it says is on the disk.

On PostgreSQL other processes write too. Rows that a decision hangs on are locked, and with every commit goes a hint
of what has changed; who hears it reads it back.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import secrets
import time
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import groupby
from typing import Any, TypeVar

import orjson
from sqlalchemy import Column, Connection, Row, Select, TextClause, case, exists, func, insert, select, text, update
from sqlalchemy import delete as delete_
from sqlalchemy.engine import URL
from sqlalchemy.exc import IntegrityError, OperationalError

from tikal.rules.errors import TikalError
from tikal.server.database import conninfo, database_url, on_postgres, reader, writer
from tikal.server.migrate import migrate
from tikal.server.schema import beats, chat, events, people, seats, tables, tokens, webhooks
from tikal.server.statistics import Ended, record

log = logging.getLogger("tikal.server")
T = TypeVar("T")
Json = dict[str, Any]
Job = Callable[[Connection], Any]
BATCH = 256  # jobs in one commit
READERS = 4  # threads that ask
REMEMBERED = 10_000  # people that need not be looked up
CHANNEL = "tikal"  # of hints
PEOPLE = "people"  # the hint that is no table: tokens or names have changed
TELL = "tell"  # the hint that is a message for somebody's sockets
QUIET_S = 15.0  # after so much silence a listener asks whether its connection still lives
CHANGING = ("turn", "state", "changed", "banks", "deadline", "lent")  # what a unit may change of its table


SEAT = [column for column in seats.c if column.name != "up_to"]  # a secret, which no table in memory knows


class Conflict(TikalError):
    """Somebody else was first; `code` is `conflict`. Nothing was written."""


def now() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who plays."""

    id: str
    name: str
    login: str | None = None


@dataclass(frozen=True, slots=True)
class Seat:
    """A place at a table: open, or of a person, or of a bot (then with its level)."""

    seat: int
    kind: str
    person: str | None = None
    name: str = ""
    level: str | None = None
    nonce: str | None = None
    substituted: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A table as it is kept, all but its log."""

    id: str
    owner: str
    public: bool
    options: Mapping[str, str]
    rules: int
    seed: str
    seating: str
    hints: bool
    substitute: str
    state: str = "open"
    turn: int | None = None
    rematch: str | None = None
    created: int = field(default_factory=now)
    changed: int = field(default_factory=now)
    clock: Mapping[str, Any] | None = None
    banks: Sequence[int] | None = None
    deadline: int | None = None
    lent: int | None = None
    hinted: bool = False
    seats: tuple[Seat, ...] = ()

    def held_by(self, person: str | None) -> frozenset[int]:
        """The seats of a person."""
        return frozenset([seat.seat for seat in self.seats if seat.person == person] if person is not None else ())


@dataclass(frozen=True, slots=True)
class Event:
    """One line of a log."""

    seq: int
    kind: str
    seat: int | None
    data: Json
    client: str | None = None
    at: int = field(default_factory=now)


@dataclass(frozen=True, slots=True)
class Line:
    """Something said at a table."""

    number: int
    person: str
    name: str
    text: str
    at: int


@dataclass(frozen=True, slots=True)
class Webhook:
    """An address that somebody wants to be called, and how many deliveries in a row have failed."""

    url: str
    failures: int


@dataclass(frozen=True, slots=True)
class Append:
    """A unit to be written: a job as data, so that many are one statement."""

    table: Table
    unit: Sequence[Event]
    seat: Seat | None
    settled: bool = False  # an auction ends with it: what was said about bids is cleared
    ended: Ended | None = None  # the game ends with it

    def __call__(self, c: Connection) -> None:
        """Writes it alone."""
        _append(c, [self])


@dataclass(frozen=True, slots=True)
class News:
    """A table as it stands, what came after an event and after a line of chat, and the number of the last line."""

    table: Table
    events: list[Event]
    lines: list[Line]
    said: int


class Store:
    """The database. `await Store.open(url)` migrates and opens it."""

    def __init__(self, url: URL) -> None:
        self._url = url
        self.shared = on_postgres(url)
        self._writer, self._reader = writer(url), reader(url, READERS)
        self._writing, self._reading = ThreadPoolExecutor(1, "writer"), ThreadPoolExecutor(READERS, "reader")
        self._jobs: asyncio.Queue[tuple[Job, str | None, asyncio.Future[Any]] | None] = asyncio.Queue()
        self._task = asyncio.create_task(self._write())
        self._people: dict[str, Person] = {}  # by the hash of a session's token; emptied when any of them changes
        self.when_people_change: Callable[[], object] = lambda: None
        self._hears = not self.shared  # whether we would hear that others have changed people
        self._origin = secrets.token_hex(4)
        self._claims: Any = None  # a connection that holds locks as long as we live
        self._claiming = asyncio.Lock()
        self.commits = 0

    @classmethod
    async def open(cls, address: str) -> Store:
        """The store at an address, brought to the newest migration."""
        await asyncio.to_thread(migrate, address)
        return cls(database_url(address))

    async def close(self) -> None:
        """Writes what waits, and closes."""
        self._jobs.put_nowait(None)
        await self._task
        if self._claims is not None:
            await self._claims.close()
        for threads, engine in ((self._writing, self._writer), (self._reading, self._reader)):
            threads.shutdown()
            engine.dispose()

    # The writer

    async def _do(self, job: Callable[[Connection], T], hint: str | None = None) -> T:
        """Does a job and commits; `hint` is the table that others should look at then."""
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._jobs.put_nowait((job, hint, done))
        return await done

    async def _write(self) -> None:
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
        except Exception as error:  # the disk is full, or the database gone: whoever waits must hear of it
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
        """The results of jobs after their commit, or the errors for which each was rolled back; runs in its thread."""
        try:
            with self._writer.begin() as c:
                results = _run(c, jobs)
                self._hint(c, hints)
                return results
        except (TikalError, IntegrityError) as error:
            if len(jobs) == 1:
                return [error]
        except OperationalError:  # a deadlock with another process, or a connection that was lost: once more
            log.warning("a commit is tried again", exc_info=True)
            if len(jobs) > 1:
                return [self._alone(job, hints) for job in jobs]
        with self._writer.begin() as c:
            results = _run_apart(c, jobs)
            self._hint(c, hints)
            return results

    def _alone(self, job: Job, hints: set[str]) -> Any:
        """A job in a transaction of its own: what holds the rows of one table only can't be part of a deadlock."""
        try:
            return self._transact([job], hints)[0]
        except Exception as error:  # the others must not suffer for it
            return error

    async def _ask(self, question: Callable[[Connection], T]) -> T:
        """The answer to a question, all of it from one moment."""

        def ask() -> T:
            with self._reader.begin() as c:
                return question(c)

        return await asyncio.get_running_loop().run_in_executor(self._reading, ask)

    write, ask = _do, _ask  # for modules with questions of their own

    @property
    def waiting(self) -> int:
        """How many jobs wait for the next commit."""
        return self._jobs.qsize()

    # Other processes

    def _hint(self, c: Connection, hints: Iterable[str]) -> None:
        """Tells other processes what to look at, when it is committed."""
        if self.shared and hints:
            c.execute(_NOTIFY, {"channel": CHANNEL, "hints": [f"{self._origin} {hint}" for hint in sorted(hints)]})

    async def hints(self) -> AsyncIterator[str | None]:
        """Tables that other processes have changed; None when anything may have changed that was not heard of."""
        while self.shared:
            try:
                async for hint in self._listen():
                    yield hint
            except (_psycopg().Error, OSError) as error:
                log.warning("the listener lost its connection: %s", type(error).__name__)
                await asyncio.sleep(0.5)
            finally:
                self._hears = False
                self._people = {}

    async def _listen(self) -> AsyncIterator[str | None]:
        async with await self._connect() as connection:
            await connection.execute(f"LISTEN {CHANNEL}")
            self._hears = True
            self._forget_people()
            yield None
            while True:
                async for note in connection.notifies(timeout=QUIET_S):
                    origin, _, hint = note.payload.partition(" ")
                    if hint == PEOPLE:
                        self._forget_people()
                    elif origin != self._origin:
                        yield hint
                await asyncio.wait_for(connection.execute("SELECT 1"), QUIET_S)

    async def _connect(self) -> Any:
        return await _psycopg().AsyncConnection.connect(conninfo(self._url), autocommit=True, connect_timeout=10)

    @asynccontextmanager
    async def claim(self, what: str) -> AsyncIterator[bool]:
        """Whether this process is the one to do something; while it does, or until it dies, no other is."""
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
                with suppress(_psycopg().Error):  # who has lost the connection has lost the claim
                    await held.execute("SELECT pg_advisory_unlock(%s)", _key(what))

    # People

    async def add_person(self, person: Person, token: str) -> None:
        """A new person, with the hash of a first token."""

        def job(c: Connection) -> None:
            c.execute(insert(people).values(id=person.id, name=person.name, created=now()))
            c.execute(insert(tokens).values(hash=token, person=person.id, kind="session", created=now()))

        await self._do(job)

    async def rename(self, person: str, name: str) -> None:
        """Another nickname, from now on."""
        what = update(people).where(people.c.id == person).values(name=name)
        await self._do(lambda c: c.execute(what).rowcount, PEOPLE)
        self._forget_people()

    def knows(self, token: str) -> bool:
        """Whether this is the hash of a token whose person need not be looked up."""
        return token in self._people

    async def person_of(self, token: str) -> Person | None:
        """Whose session this is, by the hash of its token."""
        known = self._people
        if token in known:
            return known[token]
        ask = (
            select(people.c.id, people.c.name, people.c.login)
            .join(tokens, tokens.c.person == people.c.id)
            .where(tokens.c.hash == token, tokens.c.kind == "session")
        )
        row = await self._ask(lambda c: c.execute(ask).first())
        if row is None:
            return None
        person = Person(row.id, row.name, row.login)
        if self._hears:
            if len(known) >= REMEMBERED:
                known.clear()
            known[token] = person  # which is forgotten already if anything has changed since it was asked
        return person

    async def add_token(self, token: str, person: str, kind: str, expires: int | None = None) -> None:
        """One more token of a person."""
        row = {"hash": token, "person": person, "kind": kind, "created": now(), "expires": expires}
        await self._do(lambda c: c.execute(insert(tokens).values(row)).rowcount)

    async def spend_link(self, link: str, session: str) -> Person | None:
        """Turns a link, once and before it expires, into a session of its person."""

        def job(c: Connection) -> Person | None:
            is_link = (tokens.c.hash == link, tokens.c.kind == "link", tokens.c.expires > now())
            row = c.execute(select(people).join(tokens, tokens.c.person == people.c.id).where(*is_link)).first()
            if row is None:
                return None
            if not c.execute(delete_(tokens).where(tokens.c.hash == link)).rowcount:
                return None  # another process was quicker
            c.execute(insert(tokens).values(hash=session, person=row.id, kind="session", created=now()))
            return Person(row.id, row.name, row.login)

        return await self._do(job)

    async def revoke(self, person: str, keep: str | None = None, only: str | None = None) -> int:
        """Makes tokens of a person worthless: all, all but one, or only one. Returns how many."""
        which = delete_(tokens).where(tokens.c.person == person)
        which = which.where(tokens.c.hash != keep) if keep else which
        which = which.where(tokens.c.hash == only) if only else which
        revoked = await self._do(lambda c: c.execute(which).rowcount, PEOPLE)
        self._forget_people()
        return revoked

    async def sessions(self, hashes: Sequence[str]) -> set[str]:
        """Those of the tokens that are good."""
        ask = select(tokens.c.hash).where(tokens.c.hash.in_(hashes), tokens.c.kind == "session")
        return await self._ask(lambda c: set(c.scalars(ask)))

    def _forget_people(self) -> None:
        """Tokens or names have changed, here or elsewhere."""
        self._people = {}
        self.when_people_change()

    # Passwords

    async def person_by_login(self, login: str) -> tuple[Person, str] | None:
        """Who logs in with a name, and the hash of the password."""
        row = await self._ask(lambda c: c.execute(select(people).where(people.c.login == login)).first())
        return None if row is None else (Person(row.id, row.name, row.login), row.password)

    async def set_login(self, person: str, login: str | None, password: str | None, keep: str | None = None) -> None:
        """A name and the hash of a password, or neither. All tokens but `keep` are revoked, if it is given."""

        def job(c: Connection) -> None:
            try:
                with c.begin_nested():
                    c.execute(update(people).where(people.c.id == person).values(login=login, password=password))
            except IntegrityError:
                raise Conflict("taken", "login: somebody else has this name; choose another") from None
            if keep is not None:
                c.execute(delete_(tokens).where(tokens.c.person == person, tokens.c.hash != keep))

        await self._do(job, PEOPLE)
        self._forget_people()

    # Notifications

    async def tell(self, person: str, message: str) -> None:
        """Has other processes tell something to the sockets of a person."""
        if self.shared:
            await self._do(lambda _: None, f"{TELL} {person} {message}")

    async def webhook(self, person: str) -> Webhook | None:
        """The webhook of a person."""
        ask = select(webhooks).where(webhooks.c.person == person)
        row = await self._ask(lambda c: c.execute(ask).first())
        return None if row is None else Webhook(row.url, row.failures)

    async def set_webhook(self, person: str, url: str | None) -> None:
        """Another webhook, that has not failed yet; or none."""

        def job(c: Connection) -> None:
            c.execute(select(people.c.id).where(people.c.id == person).with_for_update(key_share=True))  # one at a time
            c.execute(delete_(webhooks).where(webhooks.c.person == person))
            if url is not None:
                c.execute(insert(webhooks).values(person=person, url=url, failures=0, created=now()))

        await self._do(job, PEOPLE)
        self._forget_people()

    async def count_failure(self, person: str, failed: bool) -> None:
        """One more delivery has failed; or one has not, and those before are forgotten."""
        failures = webhooks.c.failures + 1 if failed else 0
        what = update(webhooks).where(webhooks.c.person == person).values(failures=failures)
        await self._do(lambda c: c.execute(what).rowcount, PEOPLE)
        self._forget_people()

    # Tables

    async def add_table(self, table: Table, most: int) -> None:
        """A new table with its seats; `most` is how many unfinished ones its owner may have."""

        def job(c: Connection) -> None:
            c.execute(select(people.c.id).where(people.c.id == table.owner).with_for_update(key_share=True))
            mine = (tables.c.owner == table.owner, tables.c.state.in_(("open", "playing")))
            if c.execute(select(func.count()).where(*mine)).scalar_one() >= most:
                raise Conflict("limit", f"you have {most} unfinished tables; finish or leave one first")
            c.execute(insert(tables).values(_table_row(table)))
            c.execute(insert(seats), [_seat_row(table.id, seat) for seat in table.seats])

        await self._do(job)

    async def table(self, key: str) -> Table | None:
        """A table with its seats."""
        found = await self._ask(lambda c: read_tables(c, select(tables).where(tables.c.id == key)))
        return found[0] if found else None

    async def public_tables(self, state: str = "open", most: int = 100) -> list[Table]:
        """Public tables that wait for people, or where a game is played; what changed last first."""
        ask = select(tables).where(tables.c.state == state, tables.c.public)
        if state == "open":
            ask = ask.where(exists().where(seats.c.table_id == tables.c.id, seats.c.kind == "open"))
        return await self._ask(lambda c: read_tables(c, ask.order_by(tables.c.changed.desc()).limit(most)))

    async def tables_of(self, person: str, most: int = 100) -> list[Table]:
        """A person's tables that were not closed: those that are not over first, what changed last first."""
        sits = exists().where(seats.c.table_id == tables.c.id, seats.c.person == person)
        ask = select(tables).where(sits | (tables.c.owner == person), tables.c.state != "closed")
        later = case((tables.c.state.in_(("open", "playing")), 0), else_=1)
        return await self._ask(lambda c: read_tables(c, ask.order_by(later, tables.c.changed.desc()).limit(most)))

    async def waiting_for_bots(self) -> list[str]:
        """Tables that go on by themselves: a bot has the turn, or is to bid for somebody. A restart asks again."""
        ask = select(tables.c.id).join(seats, (seats.c.table_id == tables.c.id) & (seats.c.seat == tables.c.turn))
        goes_on = (seats.c.kind == "bot") | (tables.c.lent == tables.c.turn) | seats.c.up_to.is_not(None)
        ask = ask.where(tables.c.state == "playing", goes_on)
        return await self._ask(lambda c: list(c.scalars(ask)))

    async def put_seat(self, table: str, was: Seat, seat: Seat, changed: int) -> None:
        """Changes a seat of an open table, if it still is what it was."""

        def job(c: Connection) -> None:
            _must_be(c, table, "open")
            person = seats.c.person.is_(None) if was.person is None else seats.c.person == was.person
            where = (seats.c.table_id == table, seats.c.seat == was.seat, seats.c.kind == was.kind, person)
            if not c.execute(update(seats).where(*where).values(_seat_row(table, seat))).rowcount:
                raise Conflict("conflict", "the seat has changed meanwhile")
            c.execute(update(tables).where(tables.c.id == table).values(changed=changed))

        await self._do(job, table)

    async def set_state(self, table: str, was: str, state: str, changed: int, rules: int | None = None) -> None:
        """Another state of a table, if it still is in the one it was in; and other rules, if it goes on with them."""

        def job(c: Connection) -> None:
            _must_be(c, table, was)
            more = {} if rules is None else {"rules": rules}
            c.execute(update(tables).where(tables.c.id == table).values(state=state, changed=changed, **more))

        await self._do(job, table)

    async def start(self, table: Table, first: Event) -> None:
        """The first event of a game; its seats are kept as they are given."""

        def job(c: Connection) -> None:
            _must_be(c, table.id, "open")
            c.execute(delete_(seats).where(seats.c.table_id == table.id))
            c.execute(insert(seats), [_seat_row(table.id, seat) for seat in table.seats])
            c.execute(insert(events), [_event_row(table.id, first)])
            values = {name: getattr(table, name) for name in CHANGING} | {"state": "playing"}
            c.execute(update(tables).where(tables.c.id == table.id).values(values))

        await self._do(job, table.id)

    async def set_hinted(self, table: str) -> None:
        """Somebody asks for a hint: the game is not rated."""
        await self._do(lambda c: c.execute(update(tables).where(tables.c.id == table).values(hinted=True)), table)

    async def set_rematch(self, table: str, rematch: str, was: str | None = None) -> str:
        """The table of the rematch: this one, or the one that somebody was quicker to make. `was` is a former one."""
        former = tables.c.rematch.is_(None) if was is None else tables.c.rematch == was

        def job(c: Connection) -> str:
            c.execute(update(tables).where(tables.c.id == table, former).values(rematch=rematch))
            return str(c.execute(select(tables.c.rematch).where(tables.c.id == table)).scalar_one())

        return await self._do(job, table)

    # The log

    async def append(
        self,
        table: Table,
        unit: Sequence[Event],
        seat: Seat | None = None,
        settled: bool = False,
        ended: Ended | None = None,
    ) -> None:
        """The events of one action, as a unit, with the table's turn and state after it, and a seat if it changed.

        `settled`: with it an auction ends; `ended`: how the game ends with it.
        """
        await self._do(Append(table, unit, seat, settled, ended), table.id)

    async def news(self, table: str, seq: int = 0, line: int | None = None) -> News | None:
        """A table with what came after an event and a line of chat (None: no lines), all from one moment."""

        def ask(c: Connection) -> News | None:
            found = read_tables(c, select(tables).where(tables.c.id == table))
            if not found:
                return None
            said = c.execute(select(func.max(chat.c.number)).where(chat.c.table_id == table)).scalar() or 0
            lines = _lines(c, table, line) if line is not None and line < said else []
            return News(found[0], _events(c, table, seq), lines, said)

        return await self._ask(ask)

    async def events(self, table: str, since: int = 0) -> list[Event]:
        """A log, or what came after an event of it."""
        return await self._ask(lambda c: _events(c, table, since))

    # Bids up to a limit

    async def limits(self, table: str) -> dict[int, int]:
        """How far to go in the auction that runs, by seat."""
        ask = select(seats.c.seat, seats.c.up_to).where(seats.c.table_id == table, seats.c.up_to.is_not(None))
        return await self._ask(lambda c: {row.seat: row.up_to for row in c.execute(ask)})

    async def set_limit(self, table: str, seat: int, up_to: int | None, seq: int) -> None:
        """Keeps how far to go for a seat, if the log is still at seq: then it is the auction that was meant."""

        def job(c: Connection) -> None:
            _must_be(c, table, "playing")  # which locks it: no unit can come between
            if c.execute(select(func.max(events.c.seq)).where(events.c.table_id == table)).scalar() != seq:
                raise Conflict("conflict", "the log has gone on")
            c.execute(update(seats).where(seats.c.table_id == table, seats.c.seat == seat).values(up_to=up_to))

        await self._do(job)

    # Clocks

    async def deadlines(self, most: int = 100) -> list[tuple[str, int]]:
        """The next deadlines: tables and when their turn runs out."""
        ask = select(tables.c.id, tables.c.deadline).where(tables.c.deadline.is_not(None), tables.c.state == "playing")
        rows = await self._ask(lambda c: c.execute(ask.order_by(tables.c.deadline).limit(most)).all())
        return [(row.id, row.deadline) for row in rows]

    async def beat(self, at: int, silence: int) -> int:
        """Says that a server runs. If none did for longer than `silence`, all deadlines move by as much.

        Returns how long it was. Of several servers that come at the same time one does it.
        """

        def job(c: Connection) -> int:
            last: int = c.execute(select(beats.c.at)).scalar_one()
            if last >= at or not c.execute(update(beats).where(beats.c.at == last).values(at=at)).rowcount:
                return 0
            if at - last <= silence:
                return 0
            ran = case((tables.c.changed > last, tables.c.changed), else_=last)  # whoever changed it ran, too
            waiting = update(tables).where(tables.c.deadline.is_not(None), ran < at)
            c.execute(waiting.values(deadline=tables.c.deadline + at - ran))
            return at - last

        return await self._do(job)

    # Chat

    async def say(self, table: str, person: Person, text: str) -> Line:
        """One more line of chat."""

        def job(c: Connection) -> Line:
            c.execute(
                select(tables.c.id).where(tables.c.id == table).with_for_update(key_share=True)
            )  # one speaks after the other
            last = c.execute(select(func.max(chat.c.number)).where(chat.c.table_id == table)).scalar() or 0
            line = Line(last + 1, person.id, person.name, text, now())
            values = {"number": line.number, "person": line.person, "name": line.name, "text": text, "at": line.at}
            c.execute(insert(chat).values(table_id=table, **values))
            return line

        return await self._do(job, table)

    async def said(self, table: str, since: int = 0, most: int = 200) -> list[Line]:
        """The last lines of chat, oldest first."""
        return await self._ask(lambda c: _lines(c, table, since, most))


def _run(c: Connection, jobs: list[Job]) -> list[Any]:
    """The results of jobs, if none fails; units that stand together are written together."""
    results: list[Any] = []
    for appends, some in groupby(jobs, lambda job: isinstance(job, Append)):
        group: list[Any] = list(some)
        if appends:
            _append(c, group)
            results += [None] * len(group)
        else:
            results += [job(c) for job in group]
    return results


def _run_apart(c: Connection, jobs: list[Job]) -> list[Any]:
    """The results of jobs, or the errors for which each was rolled back."""
    results: list[Any] = []
    for job in jobs:
        try:
            with c.begin_nested():
                results.append(job(c))
        except (TikalError, IntegrityError) as error:
            results.append(error)
    return results


def _append(c: Connection, appends: Sequence[Append]) -> None:
    """Writes units, however many, with three statements: events, no gaps, tables. Sorted, so that none block others."""
    ordered = sorted(appends, key=lambda one: (one.table.id, one.unit[0].seq))
    rows = [_event_row(one.table.id, event) for one in ordered for event in one.unit]
    try:
        c.execute(_insert_events(c.dialect.name), {"rows": orjson.dumps(rows).decode()})
    except IntegrityError:
        raise Conflict("conflict", "the log already goes beyond that") from None
    before = [{"table_id": one.table.id, "seq": one.unit[0].seq - 1} for one in ordered if one.unit[0].seq > 1]
    if c.execute(_count_gaps(c.dialect.name), {"rows": orjson.dumps(before).decode()}).scalar_one():
        raise Conflict("conflict", "the log does not reach that far")
    last = {one.table.id: one.table for one in ordered}
    after = [{"id": key} | {name: getattr(table, name) for name in CHANGING} for key, table in last.items()]
    c.execute(_update_tables(c.dialect.name), {"rows": orjson.dumps(after).decode()})
    for one in ordered:
        if one.seat is not None:
            where = (seats.c.table_id == one.table.id, seats.c.seat == one.seat.seat)
            c.execute(update(seats).where(*where).values(_seat_row(one.table.id, one.seat) | {"up_to": None}))
    settled = {one.table.id for one in ordered if one.settled}
    if settled:
        c.execute(update(seats).where(seats.c.table_id.in_(settled), seats.c.up_to.is_not(None)).values(up_to=None))

    for one in ordered:
        if one.ended is not None:
            record(c, one.table, one.ended)


def _given(dialect: str, columns: Iterable[Column[Any]]) -> str:
    """The parameter `rows`, a JSON list of objects, as a table `given`: any number of rows is one statement."""
    if dialect == "postgresql":
        typed = ", ".join(f"{column.name} {column.type}" for column in columns)
        return f"json_to_recordset(CAST(:rows AS json)) AS given({typed})"
    picked = ", ".join(f"json_extract(value, '$.{column.name}') AS {column.name}" for column in columns)
    return f"(SELECT {picked} FROM json_each(:rows)) AS given"


@cache
def _insert_events(dialect: str) -> TextClause:
    names = ", ".join(events.c.keys())
    return text(f"INSERT INTO events ({names}) SELECT {names} FROM {_given(dialect, events.c)}")


@cache
def _count_gaps(dialect: str) -> TextClause:
    is_there = "SELECT 1 FROM events WHERE events.table_id = given.table_id AND events.seq = given.seq"
    given = _given(dialect, (events.c.table_id, events.c.seq))
    return text(f"SELECT count(*) FROM {given} WHERE NOT EXISTS ({is_there})")


@cache
def _update_tables(dialect: str) -> TextClause:
    given = _given(dialect, (tables.c.id, *(tables.c[name] for name in CHANGING)))
    values = ", ".join(f"{name} = given.{name}" for name in CHANGING)
    return text(f"UPDATE tables SET {values} FROM {given} WHERE tables.id = given.id")


_NOTIFY = text("SELECT pg_notify(:channel, hint) FROM unnest(CAST(:hints AS text[])) AS hint")


def _psycopg() -> Any:
    """Only PostgreSQL needs it, and only there must it be installed."""
    import psycopg

    return psycopg


def _key(what: str) -> tuple[int]:
    """The number of a lock."""
    return (int.from_bytes(hashlib.sha256(what.encode()).digest()[:8], signed=True),)


def _must_be(c: Connection, table: str, state: str) -> None:
    found = c.execute(select(tables.c.state).where(tables.c.id == table).with_for_update(key_share=True)).scalar()
    if found != state:
        raise Conflict("conflict", f"the table is {found}, no longer {state}")


def read_tables(c: Connection, ask: Select[Any]) -> list[Table]:
    """Tables with their seats, in two questions."""
    rows = c.execute(ask).all()
    of: dict[str, list[Seat]] = {row.id: [] for row in rows}
    for row in c.execute(select(*SEAT).where(seats.c.table_id.in_(of)).order_by(seats.c.seat)):
        of[row.table_id].append(_seat(row))
    return [Table(**row._mapping, seats=tuple(of[row.id])) for row in rows]


def _events(c: Connection, table: str, since: int) -> list[Event]:
    ask = select(events).where(events.c.table_id == table, events.c.seq > since).order_by(events.c.seq)
    return [Event(row.seq, row.kind, row.seat, row.data, row.client, row.at) for row in c.execute(ask)]


def _lines(c: Connection, table: str, since: int, most: int = 200) -> list[Line]:
    ask = select(chat).where(chat.c.table_id == table, chat.c.number > since).order_by(chat.c.number.desc())
    rows = c.execute(ask.limit(most)).all()
    return [Line(row.number, row.person, row.name, row.text, row.at) for row in reversed(rows)]


def _seat(row: Row[Any]) -> Seat:
    values = dict(row._mapping)
    del values["table_id"]
    return Seat(**values)


def _seat_row(table: str, seat: Seat) -> Json:
    return {"table_id": table} | {name: getattr(seat, name) for name in Seat.__slots__}


def _table_row(table: Table) -> Json:
    row = {name: getattr(table, name) for name in Table.__slots__ if name != "seats"}
    return row | {"options": dict(table.options)}


def _event_row(table: str, one: Event) -> Json:
    return {"table_id": table} | {name: getattr(one, name) for name in Event.__slots__}


def with_seat(table: Table, seat: Seat) -> Table:
    """The table with one seat replaced.

    >>> table = Table("t", "p", True, {}, 1, "42", "chosen", False, "digger", seats=(Seat(1, "open"),))
    >>> with_seat(table, Seat(1, "bot", level="digger")).seats[0].kind
    'bot'
    """
    return replace(table, seats=tuple(seat if old.seat == seat.seat else old for old in table.seats))

"""What is kept: people, tokens (their hashes), tables, seats, chat, and for each game an append-only log of events.

All writing goes through one writer. Whatever waits while it commits is committed together next time (group commit);
each job stands in a savepoint of its own, so that one that fails takes no other with it. A call returns after the
commit: what it says is on the disk.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from sqlalchemy import Connection, Row, Select, event, exists, func, insert, select, update
from sqlalchemy import delete as delete_
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from tikal.rules.errors import TikalError
from tikal.server.migrate import database_url, migrate
from tikal.server.schema import chat, events, people, seats, tables, tokens

T = TypeVar("T")
Json = dict[str, Any]
Job = Callable[[Connection], Any]
BATCH = 256  # jobs in one commit
REMEMBERED = 10_000  # people that need not be looked up


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
    seats: tuple[Seat, ...] = ()

    def held_by(self, person: str | None) -> frozenset[int]:
        """The seats of a person."""
        return frozenset(seat.seat for seat in self.seats if person is not None and seat.person == person)


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


class Store:
    """The database. `await Store.open(url)` migrates and opens it."""

    def __init__(self, reader: AsyncEngine, writer: AsyncEngine) -> None:
        self._reader = reader
        self._writer = writer
        self._jobs: asyncio.Queue[tuple[Job, asyncio.Future[Any]] | None] = asyncio.Queue()
        self._task = asyncio.create_task(self._write())
        self._people: dict[str, Person] = {}  # by the hash of a session's token; emptied when any of them changes
        self.commits = 0

    @classmethod
    async def open(cls, text: str) -> Store:
        """The store at an address, brought to the newest migration."""
        logging.getLogger("aiosqlite").setLevel(logging.WARNING)  # at DEBUG it writes down seeds and all else
        await asyncio.to_thread(migrate, text)
        url = database_url(text).set(drivername="sqlite+aiosqlite")
        return cls(_engine(url, "BEGIN"), _engine(url, "BEGIN IMMEDIATE"))

    async def close(self) -> None:
        """Writes what waits, and closes."""
        self._jobs.put_nowait(None)
        await self._task
        await self._reader.dispose()
        await self._writer.dispose()

    # The writer

    async def _do(self, job: Callable[[Connection], T]) -> T:
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._jobs.put_nowait((job, done))
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

    async def _commit(self, work: list[tuple[Job, asyncio.Future[Any]]]) -> None:
        try:
            async with self._writer.begin() as connection:
                results = await connection.run_sync(_run, [job for job, _ in work])
        except Exception as error:  # the disk is full, or gone: whoever waits must hear of it
            results = [error] * len(work)
        self.commits += 1
        for (_, done), result in zip(work, results, strict=True):
            if done.cancelled():
                continue
            if isinstance(result, Exception):
                done.set_exception(result)
            else:
                done.set_result(result)

    async def _ask(self, question: Callable[[Connection], T]) -> T:
        async with self._reader.begin() as connection:
            return await connection.run_sync(question)

    # People

    async def add_person(self, person: Person, token: str) -> None:
        """A new person, with the hash of a first token."""

        def job(c: Connection) -> None:
            c.execute(insert(people).values(id=person.id, name=person.name, created=now()))
            c.execute(insert(tokens).values(hash=token, person=person.id, kind="session", created=now()))

        await self._do(job)

    async def rename(self, person: str, name: str) -> None:
        """Another nickname, from now on."""
        await self._do(lambda c: c.execute(update(people).where(people.c.id == person).values(name=name)).rowcount)
        self._people.clear()

    async def person_of(self, token: str) -> Person | None:
        """Whose session this is, by the hash of its token."""
        if token in self._people:
            return self._people[token]
        ask = (
            select(people.c.id, people.c.name)
            .join(tokens, tokens.c.person == people.c.id)
            .where(tokens.c.hash == token, tokens.c.kind == "session")
        )
        row = await self._ask(lambda c: c.execute(ask).first())
        if row is None:
            return None
        if len(self._people) >= REMEMBERED:
            self._people.clear()
        self._people[token] = Person(row.id, row.name)
        return self._people[token]

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
            c.execute(delete_(tokens).where(tokens.c.hash == link))
            c.execute(insert(tokens).values(hash=session, person=row.id, kind="session", created=now()))
            return Person(row.id, row.name)

        return await self._do(job)

    async def revoke(self, person: str, keep: str | None = None, only: str | None = None) -> int:
        """Makes tokens of a person worthless: all, all but one, or only one. Returns how many."""
        which = delete_(tokens).where(tokens.c.person == person)
        which = which.where(tokens.c.hash != keep) if keep else which
        which = which.where(tokens.c.hash == only) if only else which
        revoked = await self._do(lambda c: c.execute(which).rowcount)
        self._people.clear()
        return revoked

    # Tables

    async def add_table(self, table: Table, most: int) -> None:
        """A new table with its seats; `most` is how many unfinished ones its owner may have."""

        def job(c: Connection) -> None:
            mine = (tables.c.owner == table.owner, tables.c.state.in_(("open", "playing")))
            if c.execute(select(func.count()).where(*mine)).scalar_one() >= most:
                raise Conflict("limit", f"you have {most} unfinished tables; finish or leave one first")
            c.execute(insert(tables).values(_table_row(table)))
            c.execute(insert(seats), [_seat_row(table.id, seat) for seat in table.seats])

        await self._do(job)

    async def table(self, key: str) -> Table | None:
        """A table with its seats."""
        found = await self._ask(lambda c: _tables(c, select(tables).where(tables.c.id == key)))
        return found[0] if found else None

    async def open_tables(self, most: int = 100) -> list[Table]:
        """Public tables that wait for people, newest first."""
        ask = select(tables).where(tables.c.state == "open", tables.c.public)
        return await self._ask(lambda c: _tables(c, ask.order_by(tables.c.changed.desc()).limit(most)))

    async def tables_of(self, person: str, most: int = 100) -> list[Table]:
        """A person's tables that were not closed, what changed last first."""
        sits = exists().where(seats.c.table_id == tables.c.id, seats.c.person == person)
        ask = select(tables).where(sits | (tables.c.owner == person), tables.c.state != "closed")
        return await self._ask(lambda c: _tables(c, ask.order_by(tables.c.changed.desc()).limit(most)))

    async def waiting_for_bots(self) -> list[str]:
        """Tables where a bot has the turn: after a restart their bots are to be asked again."""
        ask = select(tables.c.id).join(seats, (seats.c.table_id == tables.c.id) & (seats.c.seat == tables.c.turn))
        return await self._ask(lambda c: list(c.scalars(ask.where(tables.c.state == "playing", seats.c.kind == "bot"))))

    async def put_seat(self, table: str, was: Seat, seat: Seat, changed: int) -> None:
        """Changes a seat of an open table, if it still is what it was."""

        def job(c: Connection) -> None:
            _must_be(c, table, "open")
            person = seats.c.person.is_(None) if was.person is None else seats.c.person == was.person
            where = (seats.c.table_id == table, seats.c.seat == was.seat, seats.c.kind == was.kind, person)
            if not c.execute(update(seats).where(*where).values(_seat_row(table, seat))).rowcount:
                raise Conflict("conflict", "the seat has changed meanwhile")
            c.execute(update(tables).where(tables.c.id == table).values(changed=changed))

        await self._do(job)

    async def set_state(self, table: str, was: str, state: str, changed: int, rules: int | None = None) -> None:
        """Another state of a table, if it still is in the one it was in; and other rules, if it goes on with them."""

        def job(c: Connection) -> None:
            _must_be(c, table, was)
            more = {} if rules is None else {"rules": rules}
            c.execute(update(tables).where(tables.c.id == table).values(state=state, changed=changed, **more))

        await self._do(job)

    async def start(self, table: Table, first: Event) -> None:
        """The first event of a game; its seats are kept as they are given."""

        def job(c: Connection) -> None:
            _must_be(c, table.id, "open")
            c.execute(delete_(seats).where(seats.c.table_id == table.id))
            c.execute(insert(seats), [_seat_row(table.id, seat) for seat in table.seats])
            c.execute(insert(events), [_event_row(table.id, first)])
            values = {"state": "playing", "turn": table.turn, "changed": table.changed}
            c.execute(update(tables).where(tables.c.id == table.id).values(values))

        await self._do(job)

    async def set_rematch(self, table: str, rematch: str) -> str:
        """The table of the rematch: this one, or the one that somebody was quicker to make."""

        def job(c: Connection) -> str:
            c.execute(update(tables).where(tables.c.id == table, tables.c.rematch.is_(None)).values(rematch=rematch))
            return str(c.execute(select(tables.c.rematch).where(tables.c.id == table)).scalar_one())

        return await self._do(job)

    # The log

    async def append(self, table: Table, unit: Sequence[Event], seat: Seat | None = None) -> None:
        """The events of one action, as a unit, with the table's turn and state after it, and a seat if it changed."""

        def job(c: Connection) -> None:
            try:
                c.execute(insert(events), [_event_row(table.id, one) for one in unit])
            except IntegrityError:
                raise Conflict("conflict", f"the log already goes beyond {unit[0].seq - 1}") from None
            if unit[0].seq > 1:
                before = exists().where(events.c.table_id == table.id, events.c.seq == unit[0].seq - 1)
                if not c.execute(select(before)).scalar_one():
                    raise Conflict("conflict", f"the log does not reach {unit[0].seq - 1}")
            values = {"turn": table.turn, "state": table.state, "changed": table.changed}
            c.execute(update(tables).where(tables.c.id == table.id).values(values))
            if seat is not None:
                where = (seats.c.table_id == table.id, seats.c.seat == seat.seat)
                c.execute(update(seats).where(*where).values(_seat_row(table.id, seat)))

        await self._do(job)

    async def events(self, table: str, since: int = 0) -> list[Event]:
        """A log, or what came after an event of it."""
        ask = select(events).where(events.c.table_id == table, events.c.seq > since).order_by(events.c.seq)
        rows = await self._ask(lambda c: c.execute(ask).all())
        return [Event(row.seq, row.kind, row.seat, row.data, row.client, row.at) for row in rows]

    # Chat

    async def say(self, table: str, person: Person, text: str) -> Line:
        """One more line of chat."""

        def job(c: Connection) -> Line:
            last = c.execute(select(func.max(chat.c.number)).where(chat.c.table_id == table)).scalar() or 0
            line = Line(last + 1, person.id, person.name, text, now())
            values = {"number": line.number, "person": line.person, "name": line.name, "text": text, "at": line.at}
            c.execute(insert(chat).values(table_id=table, **values))
            return line

        return await self._do(job)

    async def said(self, table: str, since: int = 0, most: int = 200) -> list[Line]:
        """The last lines of chat, oldest first."""
        ask = select(chat).where(chat.c.table_id == table, chat.c.number > since)
        rows = await self._ask(lambda c: c.execute(ask.order_by(chat.c.number.desc()).limit(most)).all())
        return [Line(row.number, row.person, row.name, row.text, row.at) for row in reversed(rows)]


def _engine(url: Any, begin: str) -> AsyncEngine:
    """An engine of SQLite that says itself when a transaction begins: then savepoints work."""
    engine = create_async_engine(url)

    def connected(connection: Any, _record: Any) -> None:
        connection.isolation_level = None
        cursor = connection.cursor()
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=5000"):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    event.listen(engine.sync_engine, "connect", connected)
    event.listen(engine.sync_engine, "begin", lambda connection: connection.exec_driver_sql(begin) and None)
    return engine


def _run(connection: Connection, jobs: list[Job]) -> list[Any]:
    """The results of jobs, or the errors for which each was rolled back."""
    results: list[Any] = []
    for job in jobs:
        try:
            with connection.begin_nested():
                results.append(job(connection))
        except (TikalError, IntegrityError) as error:
            results.append(error)
    return results


def _must_be(c: Connection, table: str, state: str) -> None:
    found = c.execute(select(tables.c.state).where(tables.c.id == table)).scalar()
    if found != state:
        raise Conflict("conflict", f"the table is {found}, no longer {state}")


def _tables(c: Connection, ask: Select[Any]) -> list[Table]:
    """Tables with their seats, in two questions."""
    rows = c.execute(ask).all()
    of: dict[str, list[Seat]] = {row.id: [] for row in rows}
    for row in c.execute(select(seats).where(seats.c.table_id.in_(of)).order_by(seats.c.seat)):
        of[row.table_id].append(_seat(row))
    return [Table(**row._mapping, seats=tuple(of[row.id])) for row in rows]


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

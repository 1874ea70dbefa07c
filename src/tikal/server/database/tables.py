"""Tables in the database: their seats, logs, chat, bids and deadlines."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import ColumnElement, Connection, case, exists, func, insert, select, update
from sqlalchemy import delete as delete_

from tikal.server.database.connection import Database
from tikal.server.database.log import Append
from tikal.server.database.rows import (
    CHANGING,
    Conflict,
    Event,
    Line,
    News,
    Seat,
    Table,
    column_value,
    event_row,
    events_after,
    lines_after,
    must_be,
    now,
    read_tables,
    seat_row,
    seats_of,
    table_row,
)
from tikal.server.database.schema import beats, chat, events, people, results, seats, tables
from tikal.server.database.statistics import Ended


class Tables(Database):
    """Reads and writes tables before and after their games."""

    async def add_table(self, table: Table, most: int, most_open: int | None = None) -> None:
        """Adds a table with its seats.

        Limits its owner's unfinished tables, and their public tables that have not started.
        """

        def job(c: Connection) -> None:
            c.execute(select(people.c.id).where(people.c.id == table.owner).with_for_update(key_share=True))
            mine = (tables.c.owner == table.owner, tables.c.state.in_(("open", "playing")), tables.c.practice.is_(None))
            if c.execute(select(func.count()).where(*mine)).scalar_one() >= most:
                why = f"you have {most} unfinished tables; finish or leave one first"
                raise Conflict("limit", why, "limit_tables", most=most)
            waiting = select(func.count()).where(
                tables.c.owner == table.owner, tables.c.state == "open", tables.c.public
            )
            if table.public and most_open is not None and c.execute(waiting).scalar_one() >= most_open:
                why = f"{most_open} public tables of yours wait for players; start or leave one"
                raise Conflict("limit", why, "limit_open", most=most_open)
            c.execute(insert(tables).values(table_row(table)))
            c.execute(insert(seats), [seat_row(table.id, seat) for seat in table.seats])

        await self.write(job)

    async def add_practice(self, table: Table, log: Sequence[Event]) -> None:
        """Adds a practice table with its seats and its log so far."""

        def job(c: Connection) -> None:
            c.execute(insert(tables).values(table_row(table)))
            c.execute(insert(seats), [seat_row(table.id, seat) for seat in table.seats])
            c.execute(insert(events), [event_row(table.id, one) for one in log])

        await self.write(job)

    async def practices_of(self, person: str) -> list[str]:
        """A person's practice tables, the last used first."""
        ask = select(tables.c.id).where(tables.c.owner == person, tables.c.practice.is_not(None))
        return await self.ask(lambda c: list(c.scalars(ask.order_by(tables.c.changed.desc(), tables.c.id))))

    async def old_practices(self, before: int) -> list[str]:
        """Practice tables that have not been used since then."""
        ask = select(tables.c.id).where(tables.c.practice.is_not(None), tables.c.changed < before)
        return await self.ask(lambda c: list(c.scalars(ask)))

    async def remove_table(self, key: str) -> None:
        """Removes a table with everything that belongs to it."""

        def job(c: Connection) -> None:
            for rows in (events, chat, seats, results):
                c.execute(delete_(rows).where(rows.c.table_id == key))
            c.execute(delete_(tables).where(tables.c.id == key))

        await self.write(job, key)

    async def check_writable(self) -> None:
        """Writes without changing anything: raises if the disk is full or the database is read-only."""
        await self.write(lambda c: c.execute(update(beats).values(at=beats.c.at)).rowcount)

    async def table(self, key: str) -> Table | None:
        """A table with its seats."""
        found = await self.ask(lambda c: read_tables(c, select(tables).where(tables.c.id == key)))
        return found[0] if found else None

    async def public_tables(self, state: str = "open", most: int = 100) -> list[Table]:
        """Public tables that wait for people, or where a game is running.

        Each owner's first table comes before anybody's second, and so on: nobody can fill the list alone.
        """
        newest = tables.c.changed.desc()
        which: list[ColumnElement[bool]] = [tables.c.state == state, tables.c.public, tables.c.practice.is_(None)]
        if state == "open":
            which.append(exists().where(seats.c.table_id == tables.c.id, seats.c.kind == "open"))
        turn = func.row_number().over(partition_by=tables.c.owner, order_by=(newest, tables.c.id)).label("turn")
        fair = select(tables.c.id, turn).where(*which).subquery()
        ask = select(tables).join(fair, fair.c.id == tables.c.id).order_by(fair.c.turn, newest, tables.c.id)
        return await self.ask(lambda c: read_tables(c, ask.limit(most)))

    async def owners_of_open(self) -> list[str]:
        """The owners of public tables that wait for players, one for each table."""
        ask = select(tables.c.owner).where(tables.c.state == "open", tables.c.public)
        return await self.ask(lambda c: list(c.scalars(ask)))

    async def old_open_tables(self, public: int, private: int) -> list[str]:
        """Tables that have not started and have not changed since these times."""
        old = case((tables.c.public, tables.c.changed < public), else_=tables.c.changed < private)
        ask = select(tables.c.id).where(tables.c.state == "open", old)
        return await self.ask(lambda c: list(c.scalars(ask)))

    async def tables_of(self, person: str, most: int = 100) -> list[Table]:
        """A person's tables that are not closed: unfinished ones first, the last changed first."""
        sits = exists().where(seats.c.table_id == tables.c.id, seats.c.person == person)
        ask = select(tables).where(sits | (tables.c.owner == person), tables.c.state != "closed")
        ask = ask.where(tables.c.practice.is_(None))
        later = case((tables.c.state.in_(("open", "playing")), 0), else_=1)
        return await self.ask(lambda c: read_tables(c, ask.order_by(later, tables.c.changed.desc()).limit(most)))

    async def waiting_for_bots(self) -> list[str]:
        """Tables that need the server to go on: a bot has the turn, or bids for a person. A restart asks for them."""
        ask = select(tables.c.id).join(seats, (seats.c.table_id == tables.c.id) & (seats.c.seat == tables.c.turn))
        goes_on = (seats.c.kind == "bot") | (tables.c.lent == tables.c.turn) | seats.c.up_to.is_not(None)
        ask = ask.where(tables.c.state == "playing", goes_on)
        return await self.ask(lambda c: list(c.scalars(ask)))

    async def put_seats(self, table: str, changes: Sequence[tuple[Seat, Seat]], changed: int) -> None:
        """Changes seats of an open table, all or none, if each is still what it was: pairs of (old, new)."""

        def job(c: Connection) -> None:
            must_be(c, table, "open")
            stored = {seat.seat: seat for seat in seats_of(c, table)}
            if any(stored.get(was.seat) != was for was, _ in changes):
                raise Conflict("conflict", "a seat has changed meanwhile")
            for was, seat in changes:
                where = (seats.c.table_id == table, seats.c.seat == was.seat)
                c.execute(update(seats).where(*where).values(seat_row(table, seat)))
            c.execute(update(tables).where(tables.c.id == table).values(changed=changed))

        await self.write(job, table)

    async def set_state(self, table: str, was: str, state: str, changed: int, rules: int | None = None) -> None:
        """Changes the state of a table, if it is still in the old one; also its rules version, if given."""

        def job(c: Connection) -> None:
            must_be(c, table, was)
            more = {} if rules is None else {"rules": rules}
            c.execute(update(tables).where(tables.c.id == table).values(state=state, changed=changed, **more))

        await self.write(job, table)

    async def start(self, table: Table, first: Event, was: Sequence[Seat]) -> None:
        """Starts a game: writes its first event and its seats, if the stored seats still equal `was`.

        Another process may have changed a seat that this one has cached, so the seats are compared under the lock.
        """

        def job(c: Connection) -> None:
            must_be(c, table.id, "open")
            if seats_of(c, table.id) != tuple(was):
                raise Conflict("conflict", "a seat has changed meanwhile")
            c.execute(delete_(seats).where(seats.c.table_id == table.id))
            c.execute(insert(seats), [seat_row(table.id, seat) for seat in table.seats])
            c.execute(insert(events), [event_row(table.id, first)])
            values = {name: column_value(table, name) for name in CHANGING} | {"state": "playing"}
            c.execute(update(tables).where(tables.c.id == table.id).values(values))

        await self.write(job, table.id)

    async def set_hinted(self, table: str) -> None:
        """Notes that a player has asked for a hint, so that the others can see it."""
        await self.write(lambda c: c.execute(update(tables).where(tables.c.id == table).values(hinted=True)), table)

    async def set_rematch(self, table: str, rematch: str, was: str | None = None) -> str:
        """The table of the rematch: this one, or the one that another request created first. `was` is a former one."""
        former = tables.c.rematch.is_(None) if was is None else tables.c.rematch == was

        def job(c: Connection) -> str:
            c.execute(update(tables).where(tables.c.id == table, former).values(rematch=rematch))
            return str(c.execute(select(tables.c.rematch).where(tables.c.id == table)).scalar_one())

        return await self.write(job, table)


class Games(Database):
    """Reads and writes the logs of games, bids up to a limit, and deadlines."""

    async def append(
        self,
        table: Table,
        unit: Sequence[Event],
        seat: Seat | None = None,
        settled: bool = False,
        ended: Ended | None = None,
    ) -> None:
        """Writes the events of one action as a unit, with the table's turn and state after it, and a changed seat.

        `settled`: it ends an auction; `ended`: how the game ends with it.
        """
        await self.write(Append(table, unit, seat, settled, ended), table.id)

    async def news(self, table: str, seq: int = 0, line: int | None = None) -> News | None:
        """A table with its events and lines of chat (None: no lines) after given ones, from one snapshot."""

        def ask(c: Connection) -> News | None:
            found = read_tables(c, select(tables).where(tables.c.id == table))
            if not found:
                return None
            said = c.execute(select(func.max(chat.c.number)).where(chat.c.table_id == table)).scalar() or 0
            lines = lines_after(c, table, line) if line is not None and line < said else []
            return News(found[0], events_after(c, table, seq), lines, said)

        return await self.ask(ask)

    async def events(self, table: str, since: int = 0) -> list[Event]:
        """A log, or its events after a given one."""
        return await self.ask(lambda c: events_after(c, table, since))

    # Bid limits

    async def limits(self, table: str) -> dict[int, int]:
        """The bid limits in the current auction, by seat."""
        ask = select(seats.c.seat, seats.c.up_to).where(seats.c.table_id == table, seats.c.up_to.is_not(None))
        return await self.ask(lambda c: {row.seat: row.up_to for row in c.execute(ask)})

    async def set_limit(self, table: str, seat: int, up_to: int | None, seq: int) -> None:
        """Stores the bid limit of a seat, if the log is still at `seq`: then it is the auction that the player saw."""

        def job(c: Connection) -> None:
            must_be(c, table, "playing")  # locks the table, so that no unit can come in between
            if c.execute(select(func.max(events.c.seq)).where(events.c.table_id == table)).scalar() != seq:
                raise Conflict("conflict", "the log has gone on")
            c.execute(update(seats).where(seats.c.table_id == table, seats.c.seat == seat).values(up_to=up_to))

        await self.write(job)

    # Clocks

    async def deadlines(self, most: int = 100) -> list[tuple[str, int]]:
        """The next deadlines: tables, and when their turns run out."""
        ask = select(tables.c.id, tables.c.deadline).where(tables.c.deadline.is_not(None), tables.c.state == "playing")
        rows = await self.ask(lambda c: c.execute(ask.order_by(tables.c.deadline).limit(most)).all())
        return [(row.id, row.deadline) for row in rows]

    async def beat(self, at: int, silence: int) -> int:
        """Notes that a server is running. If none ran for longer than `silence`, all deadlines move by that time.

        Returns how long that was. Of several servers that start at the same time, one moves the deadlines.
        """

        def job(c: Connection) -> int:
            last: int = c.execute(select(beats.c.at)).scalar_one()
            if last >= at or not c.execute(update(beats).where(beats.c.at == last).values(at=at)).rowcount:
                return 0
            if at - last <= silence:
                return 0
            ran = case((tables.c.changed > last, tables.c.changed), else_=last)  # a change proves that a server ran
            waiting = update(tables).where(tables.c.deadline.is_not(None), ran < at)
            c.execute(waiting.values(deadline=tables.c.deadline + at - ran))
            return at - last

        return await self.write(job)


class Chat(Database):
    """Reads and writes chat."""

    async def say(self, table: str, person: str, seat: int | None, name: str, text: str) -> Line:
        """Adds a line of chat, from a seat under its name."""

        def job(c: Connection) -> Line:
            mine = select(tables.c.id).where(tables.c.id == table).with_for_update(key_share=True)
            if c.execute(mine).first() is None:  # locked, since lines are numbered one after the other
                raise Conflict("conflict", "the table was removed meanwhile")
            last = c.execute(select(func.max(chat.c.number)).where(chat.c.table_id == table)).scalar() or 0
            line = Line(last + 1, person, name, text, now(), seat)
            c.execute(insert(chat).values(table_id=table, **{key: getattr(line, key) for key in Line.__slots__}))
            return line

        return await self.write(job, table)

    async def said(self, table: str, since: int = 0, most: int = 200) -> list[Line]:
        """The last lines of chat, oldest first."""
        return await self.ask(lambda c: lines_after(c, table, since, most))

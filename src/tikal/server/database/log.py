"""Appends units of events to the logs of tables, many in one transaction."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import orjson
from sqlalchemy import Column, Connection, TextClause, text, update
from sqlalchemy.exc import IntegrityError

from tikal.server.database.rows import CHANGING, Conflict, Event, Seat, Table, column_value, event_row, seats_of
from tikal.server.database.schema import events, seats, tables
from tikal.server.database.statistics import Ended, record

SUBSTITUTING = ("kind", "person", "level", "substituted", "left_by")  # fields of a seat that a unit may change


@dataclass(frozen=True, slots=True)
class Append:
    """A unit to write: a job as data, so that many become one statement."""

    table: Table
    unit: Sequence[Event]
    seat: Seat | None
    settled: bool = False  # it ends an auction: bid limits are cleared
    ended: Ended | None = None  # it ends the game

    def __call__(self, c: Connection) -> None:
        """Writes this unit alone."""
        append_all(c, [self])


def append_all(c: Connection, appends: Sequence[Append]) -> None:
    """Writes any number of units by three statements: events, gap check, tables. Sorted, to avoid deadlocks."""
    ordered = sorted(appends, key=lambda one: (one.table.id, one.unit[0].seq))
    rows = [event_row(one.table.id, event) for one in ordered for event in one.unit]
    try:
        c.execute(_insert_events(c.dialect.name), {"rows": orjson.dumps(rows).decode()})
    except IntegrityError:
        raise Conflict("conflict", "the log already goes beyond that") from None
    before = [{"table_id": one.table.id, "seq": one.unit[0].seq - 1} for one in ordered if one.unit[0].seq > 1]
    if c.execute(_count_gaps(c.dialect.name), {"rows": orjson.dumps(before).decode()}).scalar_one():
        raise Conflict("conflict", "the log does not reach that far")
    last = {one.table.id: one.table for one in ordered}
    after = [{"id": key} | {name: column_value(table, name) for name in CHANGING} for key, table in last.items()]
    if c.execute(_update_tables(c.dialect.name), {"rows": orjson.dumps(after).decode()}).rowcount != len(after):
        raise Conflict("conflict", "a game was ended or closed meanwhile")
    for one in ordered:
        if one.seat is not None:
            where = (seats.c.table_id == one.table.id, seats.c.seat == one.seat.seat)
            values = {name: getattr(one.seat, name) for name in SUBSTITUTING}
            if one.seat.kind == "person":  # another process takes it over
                values["name"] = one.seat.name
            c.execute(update(seats).where(*where).values(**values, up_to=None))
    settled = {one.table.id for one in ordered if one.settled}
    if settled:
        c.execute(update(seats).where(seats.c.table_id.in_(settled), seats.c.up_to.is_not(None)).values(up_to=None))

    for one in ordered:
        if one.ended is not None and one.table.practice is None:
            record(c, replace(one.table, seats=seats_of(c, one.table.id)), one.ended)  # a person may have been removed


def _given(dialect: str, columns: Iterable[Column[Any]]) -> str:
    """The parameter `rows`, a JSON list of objects, as a table `given`: any number of rows needs one statement."""
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
    # the + stops SQLite from scanning all running games instead of finding these by id
    state = "tables.state" if dialect == "postgresql" else "+tables.state"
    return text(f"UPDATE tables SET {values} FROM {given} WHERE tables.id = given.id AND {state} = 'playing'")

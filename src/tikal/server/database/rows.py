"""Rows of the database as plain values: people, tables, seats, events, lines of chat."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from sqlalchemy import Connection, Row, Select, select

from tikal.play.view import Json
from tikal.rules.errors import TikalError
from tikal.server.database.schema import PATIENCE_H, chat, events, seats, tables

CHANGING = ("turn", "state", "changed", "banks", "deadline", "lent")  # columns of its table that a unit may change
_FIELDS = {"lent": "bot_plays_for"}  # columns with a clearer name here; the schema keeps the old one
NO_SEATS: frozenset[int] = frozenset()
SEAT = [column for column in seats.c if column.name != "up_to"]  # a secret that tables in memory do not hold


class Conflict(TikalError):
    """Another process was first; `code` is `conflict`. Nothing was written."""


def now() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


@dataclass(frozen=True, slots=True)
class Person:
    """A player."""

    id: str
    name: str
    login: str | None = None
    language: str | None = None


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat at a table: open, or taken by a person or by a bot (then with its level)."""

    seat: int
    kind: str
    person: str | None = None
    name: str = ""
    level: str | None = None
    nonce: str | None = None
    substituted: bool = False
    left_by: str | None = None  # the person that a bot has replaced


@dataclass(frozen=True)  # without slots, for `after`
class Table:
    """A stored table without its log."""

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
    bot_plays_for: int | None = None
    hinted: bool = False
    practice: Mapping[str, Any] | None = None
    patience_h: int = PATIENCE_H
    seats: tuple[Seat, ...] = ()

    def after(self, turn: int | None, state: str, at: int) -> Table:
        """The table after an action. Every action needs it, and `replace` would take twenty times as long."""
        after = object.__new__(Table)
        after.__dict__.update(self.__dict__, turn=turn, state=state, changed=at)
        return after

    @cached_property
    def kept(self) -> dict[Any, Any]:
        """A cache of results that don't depend on what `after` changes, so the table after an action keeps it."""
        return {}

    def held_by(self, person: str | None) -> frozenset[int]:
        """The seats of a person."""
        return self._holders.get(person, NO_SEATS)

    @cached_property
    def _holders(self) -> dict[str | None, frozenset[int]]:
        """The seats of each person at the table; `after` keeps it too."""
        people = {seat.person for seat in self.seats if seat.person is not None}
        return {one: frozenset(seat.seat for seat in self.seats if seat.person == one) for one in people}


@dataclass(frozen=True, slots=True)
class Event:
    """One event of a log."""

    seq: int
    kind: str
    seat: int | None
    data: Json
    client: str | None = None
    at: int = field(default_factory=now)


@dataclass(frozen=True, slots=True)
class Line:
    """A line of chat."""

    number: int
    person: str
    name: str
    text: str
    at: int
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Webhook:
    """An address that a person wants to be called, and how many deliveries in a row have failed."""

    url: str
    failures: int
    language: str | None = None  # the person's language


@dataclass(frozen=True, slots=True)
class News:
    """A table, its events and lines of chat after given ones, and the number of the last line."""

    table: Table
    events: list[Event]
    lines: list[Line]
    said: int


def must_be(c: Connection, table: str, state: str) -> None:
    """Locks a table, and raises unless it is in this state."""
    found = c.execute(select(tables.c.state).where(tables.c.id == table).with_for_update(key_share=True)).scalar()
    if found != state:
        raise Conflict("conflict", f"the table is {found}, no longer {state}")


def read_tables(c: Connection, ask: Select[Any]) -> list[Table]:
    """Tables with their seats, in two queries."""
    rows = c.execute(ask).all()
    of: dict[str, list[Seat]] = {row.id: [] for row in rows}
    for row in c.execute(select(*SEAT).where(seats.c.table_id.in_(of)).order_by(seats.c.seat)):
        of[row.table_id].append(_seat(row))
    named = [{_FIELDS.get(name, name): value for name, value in row._mapping.items()} for row in rows]
    return [Table(**values, seats=tuple(of[values["id"]])) for values in named]


def seats_of(c: Connection, table: str) -> tuple[Seat, ...]:
    """The seats of a table as they are stored."""
    return tuple(_seat(row) for row in c.execute(select(*SEAT).where(seats.c.table_id == table).order_by(seats.c.seat)))


def events_after(c: Connection, table: str, since: int) -> list[Event]:
    """The events of a table after one of them."""
    ask = select(events).where(events.c.table_id == table, events.c.seq > since).order_by(events.c.seq)
    return [Event(row.seq, row.kind, row.seat, row.data, row.client, row.at) for row in c.execute(ask)]


def lines_after(c: Connection, table: str, since: int, most: int = 200) -> list[Line]:
    """The last lines of chat after one of them, oldest first."""
    ask = select(chat).where(chat.c.table_id == table, chat.c.number > since).order_by(chat.c.number.desc())
    rows = c.execute(ask.limit(most)).all()
    return [Line(row.number, row.person, row.name, row.text, row.at, row.seat) for row in reversed(rows)]


def _seat(row: Row[Any]) -> Seat:
    values = dict(row._mapping)
    del values["table_id"]
    return Seat(**values)


def seat_row(table: str, seat: Seat) -> Json:
    """A seat as a row."""
    return {"table_id": table} | {name: getattr(seat, name) for name in Seat.__slots__}


def table_row(table: Table) -> Json:
    """A table as a row."""
    return {column.name: column_value(table, column.name) for column in tables.c} | {"options": dict(table.options)}


def column_value(table: Table, column: str) -> Any:
    """The value of a column in the table's row."""
    return getattr(table, _FIELDS.get(column, column))


def event_row(table: str, one: Event) -> Json:
    """An event as a row."""
    return {"table_id": table} | {name: getattr(one, name) for name in Event.__slots__}


def with_seat(table: Table, seat: Seat) -> Table:
    """The table with one seat replaced.

    >>> table = Table("t", "p", True, {}, 1, "42", "chosen", False, "digger", seats=(Seat(1, "open"),))
    >>> with_seat(table, Seat(1, "bot", level="digger")).seats[0].kind
    'bot'
    """
    return replace(table, seats=tuple(seat if old.seat == seat.seat else old for old in table.seats))

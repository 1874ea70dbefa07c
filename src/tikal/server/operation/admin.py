"""The administrator: one token, of which only the hash is stored, and what its holder can see and remove."""

from __future__ import annotations

import hmac
from typing import Any

from sqlalchemy import Connection, Select, Table, delete, func, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from tikal.play.view import Json
from tikal.server.accounts.tokens import digest, new_token
from tikal.server.database.engines import database_url, writer
from tikal.server.database.rows import Person
from tikal.server.database.schema import (
    chat,
    events,
    people,
    ratings,
    results,
    seats,
    settings,
    tables,
    tokens,
    webhooks,
)
from tikal.server.database.settings import TOKEN
from tikal.server.database.statistics import rating_key
from tikal.server.errors import Refused
from tikal.server.live.hub import Hub

GONE = "—"  # the name of a removed person
LISTED = 200


def make_token(database: str, again: bool = False) -> str | None:
    """Creates an administrator token: the first, or with `again` a replacement; None if there is one already."""
    token = new_token()
    row = {"name": TOKEN, "value": digest(token)}
    engine = writer(database_url(database))
    try:
        with engine.begin() as c:
            if again:
                c.execute(delete(settings).where(settings.c.name == TOKEN))
            c.execute(insert(settings).values(row))
    except IntegrityError:
        return None
    finally:
        engine.dispose()
    return token


class Admin:
    """The administrator's powers."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._store = hub.store

    async def check(self, token: str | None) -> None:
        """Refuses callers without the token."""
        ask = select(settings.c.value).where(settings.c.name == TOKEN)
        kept = await self._store.ask(lambda c: c.execute(ask).scalar())
        if token is None or not isinstance(kept, str) or not hmac.compare_digest(kept, digest(token)):
            raise Refused("admin", "only the administrator may do this: Authorization: Bearer TOKEN")

    # Counts and lists

    async def figures(self) -> Json:
        """Counts of people and tables."""

        def ask(c: Connection) -> Json:
            states = dict.fromkeys(("open", "playing", "over", "frozen", "closed"), 0)
            for row in c.execute(select(tables.c.state, func.count().label("count")).group_by(tables.c.state)):
                states[row.state] = row._mapping["count"]
            counted = {"people": people, "events": events, "lines": chat}
            found = {name: c.execute(_count(rows)).scalar_one() for name, rows in counted.items()}
            return {**found, "tables": states}

        return await self._store.ask(ask)

    async def list_people(self, name: str) -> list[Json]:
        """People whose name contains a text, the newest first, with how many tables they own."""
        owned = select(func.count()).where(tables.c.owner == people.c.id).scalar_subquery()
        ask = select(people.c.id, people.c.name, people.c.login, people.c.created, owned.label("tables"))
        held = name.replace("\0", "")  # no name contains it, and PostgreSQL refuses it
        ask = ask.where(people.c.name.contains(held, autoescape=True)).order_by(people.c.created.desc(), people.c.id)
        rows = await self._store.ask(lambda c: c.execute(ask.limit(LISTED)).all())
        return [dict(row._mapping) for row in rows]

    async def list_tables(self, state: str | None) -> list[Json]:
        """Tables, the last changed first."""
        ask = select(tables.c.id, tables.c.owner, tables.c.state, tables.c.public, tables.c.created, tables.c.changed)
        ask = ask.where(tables.c.state == state) if state else ask
        rows = await self._store.ask(
            lambda c: c.execute(ask.order_by(tables.c.changed.desc(), tables.c.id).limit(LISTED)).all()
        )
        return [dict(row._mapping) for row in rows]

    # Removing

    async def remove_table(self, key: str) -> None:
        """Removes a table with its log and chat. Its viewers get a message that it is closed."""
        await self._hub.remove(key)

    async def remove_person(self, key: str) -> None:
        """Removes a person: tokens, name, chat. Bots take over the seats; tables that have not started are closed."""
        ask = select(people).where(people.c.id == key)
        found = None if "\0" in key else await self._store.ask(lambda c: c.execute(ask).first())
        if found is None or found.name == GONE:
            raise Refused("unknown", "there is no such person")
        await self._store.revoke(key)
        me = Person(key, found.name)
        for practice in await self._store.practices_of(key):
            await self._hub.remove(practice)
        mine = await self._store.tables_of(key, most=10**6)
        for table in mine:
            if table.state == "open":
                await self._hub.leave(me, table.id)
            elif table.state == "playing":
                for seat in sorted(table.held_by(key)):
                    await self._hub.resign(me, table.id, f"removed-{seat}", seat)
        for table_id in await self._store.write(lambda c: _erase(c, key)):
            await self._store.write(lambda _: None, table_id)  # a hint for other processes
            room = self._hub.rooms.get(table_id)
            if room is not None:
                async with room.lock:
                    await room.read_back()


def _count(rows: Table) -> Select[Any]:
    return select(func.count()).select_from(rows)


def _erase(c: Connection, key: str) -> set[str]:
    """Erases what identifies a person, and returns the tables that named them. The row stays: tables refer to it."""
    theirs = or_(seats.c.person == key, seats.c.left_by == key)
    held = c.execute(select(seats.c.table_id, seats.c.seat).where(theirs)).all()
    c.execute(delete(tokens).where(tokens.c.person == key))
    c.execute(delete(webhooks).where(webhooks.c.person == key))
    c.execute(delete(chat).where(chat.c.person == key))
    c.execute(delete(ratings).where(ratings.c.who == rating_key(key, None)))
    c.execute(update(results).where(results.c.person == key).values(person=None))
    c.execute(update(seats).where(seats.c.left_by == key).values(left_by=None))
    c.execute(update(people).where(people.c.id == key).values(name=GONE, login=None, password=None))
    for table, seat in held:  # also those that they have left to a bot, and at closed tables
        c.execute(update(seats).where(seats.c.table_id == table, seats.c.seat == seat).values(person=None, name=GONE))
        c.execute(update(chat).where(chat.c.table_id == table, chat.c.seat == seat).values(name=GONE))
        naming = select(events).where(events.c.table_id == table, events.c.kind.in_(("start", "seat")))
        for row in c.execute(naming).all():
            this = (events.c.table_id == table, events.c.seq == row.seq)
            c.execute(update(events).where(*this).values(data=_without_name(row, seat)))
    return {row.table_id for row in held}


def _without_name(event: Any, seat: int) -> Json:
    """The data of an event that may name the player of a seat: the start, or a new player of the seat."""
    data: Json = event.data
    if event.kind == "start":
        return data | {"seats": [row | ({"name": GONE} if row["seat"] == seat else {}) for row in data["seats"]]}
    return data | {"name": GONE} if event.seat == seat and "name" in data else data

"""The administrator: one token, of which only the hash is kept; what may be set, removed and seen with it.

Settings stand in the database, so that all processes go by them; each looks again after a moment.
"""

from __future__ import annotations

import hmac
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, Select, Table, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from tikal.bots import LEVELS
from tikal.server.database import database_url, writer
from tikal.server.errors import Refused
from tikal.server.identity import digest, new_token
from tikal.server.schema import chat, events, people, ratings, results, seats, settings, tables, tokens, webhooks
from tikal.server.statistics import who
from tikal.server.store import Json, Person, now

if TYPE_CHECKING:
    from tikal.server.hub import Hub

TOKEN = "admin"  # the name of the setting that holds its hash
FRESH_S = 1.0  # settings are not asked for more often
GONE = "—"  # the name of somebody who was removed
LISTED = 200


@dataclass(frozen=True, slots=True)
class Settings:
    """What the administrator decides; None: as the server was started."""

    registration: bool = True
    bot_workers: int | None = None
    bot_ms: int | None = None
    levels: tuple[str, ...] = tuple(LEVELS)

    def as_json(self) -> Json:
        """As it is kept and told.

        >>> Settings(bot_ms=200).as_json()["bot_ms"]
        200
        """
        return {
            "registration": self.registration,
            "bot_workers": self.bot_workers,
            "bot_ms": self.bot_ms,
            "levels": list(self.levels),
        }

    @classmethod
    def of(cls, kept: Mapping[str, Any]) -> Settings:
        """From what was kept; levels that are gone are left out."""
        known = {name: value for name, value in kept.items() if name in cls.__slots__}
        return cls(**known | {"levels": tuple(level for level in known.get("levels", LEVELS) if level in LEVELS)})


def make_token(database: str, again: bool = False) -> str | None:
    """A new administrator's token: the first, or with `again` another in its place; None if there is one already."""
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
    """What the administrator may do."""

    def __init__(self, hub: Hub, clock: Callable[[], float] = time.monotonic) -> None:
        self._hub = hub
        self._store = hub.store
        self._clock = clock
        self._kept: Settings | None = None
        self._until = 0.0

    async def check(self, token: str | None) -> None:
        """Refuses whoever does not bring the token."""
        ask = select(settings.c.value).where(settings.c.name == TOKEN)
        kept = await self._store.ask(lambda c: c.execute(ask).scalar())
        if token is None or not isinstance(kept, str) or not hmac.compare_digest(kept, digest(token)):
            raise Refused("admin", "only the administrator may do this: Authorization: Bearer TOKEN")

    # Settings

    async def settings(self) -> Settings:
        """What is set, at most a moment old."""
        if self._kept is None or self._clock() >= self._until:
            ask = select(settings.c.value).where(settings.c.name == "settings")
            kept = await self._store.ask(lambda c: c.execute(ask).scalar())
            self._kept = Settings.of(kept or {})
            self._until = self._clock() + FRESH_S
        return self._kept

    async def set(self, **changes: Any) -> Settings:
        """Sets some of it; all processes go by it a moment later."""

        def job(c: Connection) -> Settings:
            row = c.execute(select(settings.c.value).where(settings.c.name == "settings").with_for_update()).scalar()
            made = replace(Settings.of(row or {}), **changes)
            c.execute(delete(settings).where(settings.c.name == "settings"))
            c.execute(insert(settings).values(name="settings", value=made.as_json()))
            return made

        self._kept, self._until = await self._store.write(job), self._clock() + FRESH_S
        return self._kept

    async def check_registration(self) -> None:
        """Refuses new people while registration is closed."""
        if not (await self.settings()).registration:
            raise Refused("closed", "registration is closed here; ask who runs this server")

    async def check_levels(self, levels: list[str]) -> None:
        """Refuses levels of bots that are not allowed at new tables."""
        allowed = (await self.settings()).levels
        for level in levels:
            if level in LEVELS and level not in allowed:
                named = ", ".join(allowed) or "none"
                raise Refused("option", f"bot: {level} is not allowed on this server; allowed: {named}")

    # Figures and lists

    async def figures(self) -> Json:
        """How much there is."""

        def ask(c: Connection) -> Json:
            states = dict.fromkeys(("open", "playing", "over", "frozen", "closed"), 0)
            for row in c.execute(select(tables.c.state, func.count().label("count")).group_by(tables.c.state)):
                states[row.state] = row._mapping["count"]
            counted = {"people": people, "events": events, "lines": chat}
            found = {name: c.execute(_count(rows)).scalar_one() for name, rows in counted.items()}
            return {**found, "tables": states}

        return await self._store.ask(ask)

    async def list_people(self, name: str) -> list[Json]:
        """People whose name holds a text, the newest first, with how many tables they own."""
        owned = select(func.count()).where(tables.c.owner == people.c.id).scalar_subquery()
        ask = select(people.c.id, people.c.name, people.c.login, people.c.created, owned.label("tables"))
        held = name.replace("\0", "")  # which no name has, and PostgreSQL does not take
        ask = ask.where(people.c.name.contains(held, autoescape=True)).order_by(people.c.created.desc(), people.c.id)
        rows = await self._store.ask(lambda c: c.execute(ask.limit(LISTED)).all())
        return [dict(row._mapping) for row in rows]

    async def list_tables(self, state: str | None) -> list[Json]:
        """Tables, those that changed last first."""
        ask = select(tables.c.id, tables.c.owner, tables.c.state, tables.c.public, tables.c.created, tables.c.changed)
        ask = ask.where(tables.c.state == state) if state else ask
        rows = await self._store.ask(
            lambda c: c.execute(ask.order_by(tables.c.changed.desc(), tables.c.id).limit(LISTED)).all()
        )
        return [dict(row._mapping) for row in rows]

    # Removing

    async def remove_table(self, key: str) -> None:
        """A table with its log and chat. Whoever watches is told that it is closed."""
        hub = self._hub
        async with hub.room(key) as room, room.lock:
            if room.table.state != "closed":
                closed = replace(room.table, state="closed", turn=None, deadline=None, changed=now())
                await self._store.set_state(key, room.table.state, "closed", closed.changed)
                await room.change(closed)

        def job(c: Connection) -> None:
            for rows in (events, chat, seats, results):
                c.execute(delete(rows).where(rows.c.table_id == key))
            c.execute(delete(tables).where(tables.c.id == key))

        await self._store.write(job, key)
        hub.rooms.pop(key, None)

    async def remove_person(self, key: str) -> None:
        """Somebody: tokens, name, what was said. Bots go on with the seats, tables not yet started are closed."""
        ask = select(people).where(people.c.id == key)
        found = None if "\0" in key else await self._store.ask(lambda c: c.execute(ask).first())
        if found is None or found.name == GONE:
            raise Refused("unknown", "there is no such person")
        await self._store.revoke(key)
        me = Person(key, found.name)
        mine = await self._store.tables_of(key, most=10**6)
        for table in mine:
            if table.state == "open":
                await self._hub.leave(me, table.id)
            elif table.state == "playing":
                for seat in sorted(table.held_by(key)):
                    await self._hub.resign(me, table.id, f"removed-{seat}", seat)
        held = [(table.id, seat) for table in mine for seat in table.held_by(key)]
        await self._store.write(lambda c: _erase(c, key, held))
        for table in mine:
            await self._store.write(lambda _: None, table.id)  # a hint for other processes
            room = self._hub.rooms.get(table.id)
            if room is not None:
                async with room.lock:
                    await room.read_back()


def _count(rows: Table) -> Select[Any]:
    return select(func.count()).select_from(rows)


def _erase(c: Connection, key: str, held: Sequence[tuple[str, int]]) -> None:
    """What says who somebody was. The row stays, since tables refer to it."""
    c.execute(delete(tokens).where(tokens.c.person == key))
    c.execute(delete(webhooks).where(webhooks.c.person == key))
    c.execute(delete(chat).where(chat.c.person == key))
    c.execute(delete(ratings).where(ratings.c.who == who(key, None)))
    c.execute(update(results).where(results.c.person == key).values(person=None))
    c.execute(update(people).where(people.c.id == key).values(name=GONE, login=None, password=None))
    for table, seat in held:
        c.execute(update(seats).where(seats.c.table_id == table, seats.c.seat == seat).values(person=None, name=GONE))
        first = (events.c.table_id == table, events.c.kind == "start")
        data = c.execute(select(events.c.data).where(*first)).scalar()
        if data is not None:
            named = [row | ({"name": GONE} if row["seat"] == seat else {}) for row in data["seats"]]
            c.execute(update(events).where(*first).values(data=data | {"seats": named}))

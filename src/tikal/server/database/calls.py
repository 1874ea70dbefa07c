"""Webhook calls that were still waiting when a server stopped: they are stored, and made after the next start."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, delete, select, update
from sqlalchemy.dialects import postgresql, sqlite

from tikal.play.view import Json
from tikal.server.database.schema import settings
from tikal.server.database.store import Store

NAME = "calls"  # key of the row in the settings


class Calls:
    """Stores calls, and returns them once, to the first process that asks."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def keep(self, calls: list[Json]) -> None:
        """Adds calls to the stored ones."""

        def job(c: Connection) -> None:
            dialect: Any = postgresql if c.dialect.name == "postgresql" else sqlite
            c.execute(dialect.insert(settings).values(name=NAME, value=[]).on_conflict_do_nothing())
            mine = settings.c.name == NAME  # now there is a row to lock
            kept = c.execute(select(settings.c.value).where(mine).with_for_update()).scalar_one()
            c.execute(update(settings).where(mine).values(value=[*kept, *calls]))

        await self._store.write(job)

    async def take(self) -> list[Json]:
        """Returns all stored calls; no other process gets them again."""

        def job(c: Connection) -> list[Json]:
            mine = settings.c.name == NAME
            kept = c.execute(select(settings.c.value).where(mine).with_for_update()).scalar()
            c.execute(delete(settings).where(mine))
            return kept or []

        return await self._store.write(job)

"""The administrator's settings. They are in the database, so that all processes follow them."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection, select, update
from sqlalchemy.dialects import postgresql, sqlite

from tikal.bots import LEVELS
from tikal.play.view import Json
from tikal.server.database.schema import settings
from tikal.server.database.store import Store
from tikal.server.errors import Refused

TOKEN = "admin"  # the setting that holds the hash of the administrator's token
SUBSTITUTE = "surveyor"  # the level of bots that replace people
FRESH_S = 1.0  # how long a process trusts its copy of the settings


@dataclass(frozen=True, slots=True)
class Settings:
    """The administrator's choices; None: as the server was started."""

    registration: bool = True
    bot_workers: int | None = None
    bot_ms: int | None = None
    levels: tuple[str, ...] = tuple(LEVELS)

    def as_json(self) -> Json:
        """The form that is stored and sent.

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
    def of(cls, stored: Mapping[str, Any]) -> Settings:
        """Reads the stored form, without levels that no longer exist."""
        known = {name: value for name, value in stored.items() if name in cls.__slots__}
        return cls(**known | {"levels": tuple(level for level in known.get("levels", LEVELS) if level in LEVELS)})


class SettingsStore:
    """Reads and writes the settings; reads them again after a moment, since other processes write too."""

    def __init__(self, store: Store, clock: Callable[[], float] = time.monotonic) -> None:
        self._store = store
        self._clock = clock
        self._known: Settings | None = None
        self._until = 0.0

    async def get(self) -> Settings:
        """The settings, at most a moment old."""
        if self._known is None or self._clock() >= self._until:
            ask = select(settings.c.value).where(settings.c.name == "settings")
            stored = await self._store.ask(lambda c: c.execute(ask).scalar())
            self._known = Settings.of(stored or {})
            self._until = self._clock() + FRESH_S
        return self._known

    async def set(self, **changes: Any) -> Settings:
        """Changes some settings; all processes follow a moment later."""

        def job(c: Connection) -> Settings:
            dialect: Any = postgresql if c.dialect.name == "postgresql" else sqlite
            first = dialect.insert(settings).values(name="settings", value={}).on_conflict_do_nothing()
            c.execute(first)  # now there is a row to lock
            mine = settings.c.name == "settings"
            made = Settings.of(c.execute(select(settings.c.value).where(mine).with_for_update()).scalar_one())
            made = replace(made, **changes)
            c.execute(update(settings).where(mine).values(value=made.as_json()))
            return made

        self._known, self._until = await self._store.write(job), self._clock() + FRESH_S
        return self._known

    async def substitute(self) -> str:
        """The level that replaces people at tables that name none: the default, or the strongest that is allowed."""
        allowed = (await self.get()).levels
        return SUBSTITUTE if SUBSTITUTE in allowed or not allowed else max(allowed, key=list(LEVELS).index)

    async def check_registration(self) -> None:
        """Refuses new people while registration is closed."""
        if not (await self.get()).registration:
            raise Refused("registration", "registration is closed here; ask the administrator of this server")

    async def check_levels(self, levels: list[str]) -> None:
        """Refuses levels that are not allowed at new tables."""
        allowed = (await self.get()).levels
        for level in levels:
            if level in LEVELS and level not in allowed:
                named = ", ".join(allowed) or "none"
                why = f"bot: {level} is not allowed on this server; allowed: {named}"
                raise Refused("option", why, "level_not_allowed", level=level, known=named)

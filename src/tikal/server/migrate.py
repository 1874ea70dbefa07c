"""Brings a database to the newest migration: at the start of the server, or by `tikal migrate`."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine, make_url
from sqlalchemy.engine import URL
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from tikal.rules.errors import TikalError


class DatabaseError(TikalError):
    """A database that can't be used; `code` is `database`."""


def database_url(text: str) -> URL:
    """The address of a database, checked.

    >>> str(database_url("sqlite:///games.db"))
    'sqlite:///games.db'
    >>> database_url("mysql://host/tikal")
    Traceback (most recent call last):
    tikal.server.migrate.DatabaseError: mysql: no such database here; give sqlite:///FILE
    """
    try:
        url = make_url(text)
    except ArgumentError:
        raise DatabaseError("database", "database: must be sqlite:///FILE") from None
    if url.drivername != "sqlite":
        raise DatabaseError("database", f"{url.drivername}: no such database here; give sqlite:///FILE")
    if url.database in (None, "", ":memory:"):
        raise DatabaseError("database", "database: must name a file, sqlite:///FILE")
    return url


def migrate(text: str) -> tuple[str | None, str | None]:
    """Runs what is missing; returns the revision before and after."""
    url = database_url(text)
    assert url.database is not None
    Path(url.database).parent.mkdir(parents=True, exist_ok=True)
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    engine = create_engine(url)
    try:
        with engine.begin() as connection:
            before = MigrationContext.configure(connection).get_current_revision()
            _must_be_known(config, before)
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
            after = MigrationContext.configure(connection).get_current_revision()
    except SQLAlchemyError as error:
        why = str(getattr(error, "orig", error)).splitlines()[0]
        raise DatabaseError("database", f"{url.database}: can't be used as a database: {why}") from None
    finally:
        engine.dispose()
    return before, after


def _must_be_known(config: Config, revision: str | None) -> None:
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    if revision is not None and revision not in known:
        raise DatabaseError("database", f"database: made by a newer tikal (revision {revision}); update tikal")

"""Brings a database to the newest migration: at the start of the server, or by `tikal migrate`."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from tikal.server.database import DatabaseError, database_url, on_postgres, writer

LOCK = "SELECT pg_advisory_xact_lock(hashtextextended('tikal migrate', 0))"


def migrate(text: str) -> tuple[str | None, str | None]:
    """Runs what is missing; returns the revision before and after. Of several who come at once, one does it."""
    url = database_url(text)
    assert url.database is not None
    if not on_postgres(url):
        _make_folder(Path(url.database).parent)
    engine = writer(url)
    try:
        with engine.begin() as connection:
            if on_postgres(url):
                connection.exec_driver_sql(LOCK)
            return _upgrade(connection)
    except SQLAlchemyError as error:
        why = str(getattr(error, "orig", error)).splitlines()[0]
        raise DatabaseError("database", f"{url.database}: can't be used as a database: {why}") from None
    finally:
        engine.dispose()


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DatabaseError("database", f"{folder}: can't be made: {error.strerror}") from None


def _upgrade(connection: Connection) -> tuple[str | None, str | None]:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    before = MigrationContext.configure(connection).get_current_revision()
    scripts = ScriptDirectory.from_config(config)
    known = {script.revision for script in scripts.walk_revisions()}
    if before is not None and before not in known:
        raise DatabaseError("database", f"database: made by a newer tikal (revision {before}); update tikal")
    if before != scripts.get_current_head():
        command.upgrade(config, "head")
    return before, MigrationContext.configure(connection).get_current_revision()

"""Migrates a database to the newest revision: at the start of the server, or by `tikal migrate`."""

from __future__ import annotations

import os
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from tikal.server.database.engines import DatabaseError, database_url, on_postgres, writer

LOCK = "SELECT pg_advisory_xact_lock(hashtextextended('tikal migrate', 0))"


def migrate(text: str) -> tuple[str | None, str | None]:
    """Runs the missing migrations, in one process at a time; returns the revision before and after."""
    url = database_url(text)
    assert url.database is not None
    if not on_postgres(url):
        _make_folder(Path(url.database).parent)
        keep_private(Path(url.database))
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
        raise DatabaseError("database", f"{folder}: can't be created: {error.strerror}") from None


def keep_private(path: Path) -> None:
    """Creates a database file that only its owner may read, or restricts an existing one: it contains seeds."""
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))
        for file in (path, *(path.with_name(path.name + end) for end in ("-wal", "-shm"))):
            if file.exists() and file.stat().st_mode & 0o077:
                file.chmod(0o600)
    except OSError as error:
        raise DatabaseError("database", f"{path}: can't be written: {error.strerror}") from None


def _scripts() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config


def newest() -> str | None:
    """The revision that this version of tikal needs."""
    return ScriptDirectory.from_config(_scripts()).get_current_head()


def revision_of(connection: Connection) -> str | None:
    """The revision of a database; None if it is empty."""
    return MigrationContext.configure(connection).get_current_revision()


def _upgrade(connection: Connection) -> tuple[str | None, str | None]:
    config = _scripts()
    config.attributes["connection"] = connection
    before = revision_of(connection)
    scripts = ScriptDirectory.from_config(config)
    known = {script.revision for script in scripts.walk_revisions()}
    if before is not None and before not in known:
        raise DatabaseError("database", f"database: made by a newer tikal (revision {before}); update tikal")
    if before != scripts.get_current_head():
        command.upgrade(config, "head")
    return before, revision_of(connection)

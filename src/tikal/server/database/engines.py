"""Where games are stored: the addresses of databases, and engines that write to them and read from them.

SQLite is a file for one server; PostgreSQL serves several processes on any number of machines. Both are used from
threads: a transaction needs one hop of the event loop, not one for each statement.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

from sqlalchemy import Engine, create_engine, event, make_url
from sqlalchemy.engine import URL
from sqlalchemy.exc import ArgumentError

from tikal.rules.errors import TikalError

HOW = "give sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME"
DRIVERS = {"sqlite": "sqlite", "postgresql": "postgresql+psycopg"}
WAIT_MS = 10_000  # timeout for a lock of SQLite, or for an answer of PostgreSQL


class DatabaseError(TikalError):
    """A database that can't be used; `code` is `database`."""


def database_url(text: str) -> URL:
    """Checks the address of a database, and adds the driver that we use.

    >>> str(database_url("sqlite:///games.db"))
    'sqlite:///games.db'
    >>> database_url("mysql://host/tikal")
    Traceback (most recent call last):
    tikal.server.database.engines.DatabaseError: mysql: no such database here; give sqlite:///FILE or \
postgresql://USER:PASSWORD@HOST/NAME
    """
    try:
        url = make_url(text)
    except ArgumentError:
        raise DatabaseError("database", f"database: no address; {HOW}") from None
    if url.drivername not in DRIVERS:
        raise DatabaseError("database", f"{url.drivername}: no such database here; {HOW}")
    if url.database in (None, "", ":memory:"):
        raise DatabaseError("database", f"database: its name is missing; {HOW}")
    if url.drivername == "postgresql" and not find_spec("psycopg"):
        raise DatabaseError("database", "postgresql: needs more packages; install them: pip install 'tikal[postgres]'")
    return url.set(drivername=DRIVERS[url.drivername])


def on_postgres(url: URL) -> bool:
    """Whether it is PostgreSQL: then other processes may write too."""
    return url.get_backend_name() == "postgresql"


def conninfo(url: URL) -> str:
    """The address in psycopg's form, for code that needs its own connection."""
    return url.set(drivername="postgresql").render_as_string(hide_password=False)


def writer(url: URL) -> Engine:
    """An engine whose transactions write: one at a time on SQLite."""
    if on_postgres(url):
        return create_engine(url, hide_parameters=True, pool_size=1, max_overflow=0, connect_args=_patience())
    return _sqlite(url, "BEGIN IMMEDIATE")


def reader(url: URL, connections: int) -> Engine:
    """An engine whose transactions each see one snapshot, however many questions they ask."""
    if on_postgres(url):
        return create_engine(
            url,
            hide_parameters=True,
            pool_size=connections,
            pool_pre_ping=True,
            isolation_level="REPEATABLE READ",
            connect_args=_patience(),
        )
    return _sqlite(url, "BEGIN")


def _patience() -> dict[str, Any]:
    """Timeouts for PostgreSQL, and for connections that fall silent."""
    alive = {"keepalives_idle": 10, "keepalives_interval": 5, "keepalives_count": 3}
    return {"connect_timeout": WAIT_MS // 1000, **alive}


def _sqlite(url: URL, begin: str) -> Engine:
    """An engine that begins transactions explicitly: then savepoints and schema changes work."""
    engine = create_engine(url, hide_parameters=True)  # errors would reveal seeds

    def connected(connection: Any, _record: Any) -> None:
        connection.isolation_level = None
        cursor = connection.cursor()
        for pragma in (f"busy_timeout={WAIT_MS}", "journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    event.listen(engine, "connect", connected)
    event.listen(engine, "begin", lambda connection: connection.exec_driver_sql(begin) and None)
    return engine

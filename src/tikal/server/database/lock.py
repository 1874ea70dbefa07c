"""One server per SQLite file: a server caches tables, and a second server would change them behind its back."""

from __future__ import annotations

import os
from pathlib import Path
from types import TracebackType
from typing import Self

from tikal.server.database.engines import DatabaseError, database_url, on_postgres


class ServerLock:
    """Locks a database for this server until the block ends; PostgreSQL allows several servers.

    The system releases the lock when the process ends, however that happens.
    """

    def __init__(self, database: str) -> None:
        url = database_url(database)
        file = Path(str(url.database)).resolve()  # a link to the file is the same file
        self._path = None if on_postgres(url) else file.with_name(f"{file.name}.lock")
        self._file: int | None = None

    def __enter__(self) -> Self:
        if self._path is None:
            return self
        self._file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            _lock(self._file)
        except OSError:
            os.close(self._file)
            self._file = None
            raise DatabaseError(
                "database",
                f"{self._path.with_suffix('')}: another server uses this file; end that one, choose another file, "
                "or use PostgreSQL for several servers",
            ) from None
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None


def _lock(file: int) -> None:
    """Locks a file for this process or raises OSError; never waits."""
    try:
        import fcntl
    except ImportError:  # Windows
        import msvcrt

        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
    else:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)

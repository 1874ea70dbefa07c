"""Servers as processes that can be killed, and people who play through it and remember what was acknowledged."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import httpx
from websockets.exceptions import WebSocketException

from tests.kit.ports import free_port
from tests.server.conftest import Json, Somebody, choose, hear, plain_client, send

GAMES: list[tuple[list[str], dict[str, str]]] = [
    (["me", "bot:tourist"], {}),
    (["bot:tourist", "me", "bot:digger"], {"auction": "true"}),
    (["me", "person:Cid"], {"boulders": "3d6"}),
    (["bot:tourist", "bot:tourist"], {}),
]


class Program:
    """A `tikal` command as a process, with its output in a file."""

    def __init__(self, folder: Path, *words: str) -> None:
        self.log = folder / "log"
        self.words: tuple[str, ...] = words
        self.process: subprocess.Popen[bytes] | None = None

    def run(self) -> None:
        with self.log.open("ab") as log:
            self.process = subprocess.Popen([sys.executable, "-m", "tikal.cli", *self.words], stderr=log)

    def must_run(self) -> None:
        assert self.process is not None and self.process.poll() is None, self.log.read_text("utf-8")

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()

    def children(self) -> list[int]:
        assert self.process is not None
        words = ["ps", "-o", "pid=", "--ppid", str(self.process.pid)]
        return [int(pid) for pid in subprocess.run(words, capture_output=True, text=True, check=False).stdout.split()]


class Server(Program):
    """`tikal serve`, that can be killed and started again on the same port."""

    def __init__(self, folder: Path, database: str, *more: str) -> None:
        self.port = free_port()
        self.base = f"http://127.0.0.1:{self.port}"
        where = ("--port", str(self.port), "--database", database)
        super().__init__(folder, "serve", *where, "--no-browser", "--bot-time", "20", *more)

    async def start(self) -> None:
        self.run()
        await self.healthy()

    async def healthy(self) -> None:
        async with plain_client(self.base) as client:
            while True:
                self.must_run()
                try:
                    if (await client.get("/api/health")).status_code == 200:
                        return
                except httpx.TransportError:
                    await asyncio.sleep(0.05)


class Player:
    """Plays one game after the other, through every loss of the connection; remembers what was acknowledged."""

    def __init__(self, bases: Sequence[str], game: tuple[list[str], Mapping[str, str]], rng: random.Random) -> None:
        self.bases, self.game, self.rng = bases, game, rng
        self.token: str | None = None
        self.acknowledged: dict[str, dict[int, str]] = {}
        self.pending: Json | None = None
        self.table = ""
        self.last: Json = {"seq": 0, "offer": None}
        self.events = 0
        self.moved = asyncio.Event()
        self.lost = 0

    def somebody(self) -> Somebody:
        """The player at one of the servers; the next one is tried when one does not answer."""
        return Somebody(self.bases[self.lost % len(self.bases)], self.token, "")

    async def arrive(self, name: str) -> None:
        who = self.somebody()
        self.token = (await who.post("/people", {"name": name}))["token"]
        await who.http.aclose()

    async def begin(self) -> None:
        """The game that a lost connection kept from beginning, or a new one."""
        who = self.somebody()
        try:
            mine = await _ask(who, "GET", "/me/tables")
            known = next((one for one in mine["tables"] if one["id"] not in self.acknowledged), None)
            seats, options = self.game
            info = known or await _ask(who, "POST", "/tables", {"seats": seats, "options": options})
            table = info["id"]
            if info["state"] == "open":
                await _ask(who, "POST", f"/tables/{table}/start")
        finally:
            await who.http.aclose()
        self.table, self.pending = table, None
        self.last = {"seq": 0, "offer": None, "info": {"state": "playing"}}
        self.acknowledged[table] = {}

    async def run(self) -> None:
        while True:
            try:
                if not self.table or self.last["info"]["state"] == "over":
                    await self.begin()
                await self._talk()
            except (OSError, WebSocketException, TimeoutError, httpx.TransportError):
                self.lost += 1
                await asyncio.sleep(0.05)

    async def _talk(self) -> None:
        async with self.somebody().socket() as socket:
            watch = {"type": "watch", "table": self.table, "since": self.last["seq"], "id": "watch"}
            await send(socket, **watch)
            if self.pending:
                await send(socket, **self.pending)
            while self.last["info"]["state"] != "over" or self.pending:
                message = await hear(socket)
                if message["type"] == "update":
                    self._see(message)
                elif message["type"] == "turn":  # the offer says that, too
                    continue
                elif message.get("code") == "rate":
                    await asyncio.sleep(0.3)
                    again = watch if message["id"] == "watch" else self.pending
                    assert again
                    await send(socket, **again)
                else:
                    assert message["type"] == "ack" and self.pending, message
                    self.acknowledged[self.table][message["seq"]] = self.pending["actions"][0]
                    self.pending = None
                if self.last["offer"] is not None and not self.pending:
                    name, action = f"k{self.rng.getrandbits(40)}", choose(self.last["offer"], self.rng)
                    on = self.last["seq"]
                    self.pending = {"type": "play", "table": self.table, "id": name, "on": on, "actions": [action]}
                    await send(socket, **self.pending)

    def _see(self, update: Json) -> None:
        """Takes an update. If it holds only a page of the events, further updates bring the rest."""
        seqs = [event["seq"] for event in update["events"]]
        seen = self.last["seq"] + len(seqs)
        assert seqs == list(range(self.last["seq"] + 1, seen + 1)), f"after {self.last['seq']} came {seqs}"
        whole = seen == update["seq"]
        assert whole or seqs, f"after {self.last['seq']} came nothing, but the table is at {update['seq']}"
        self.last = update if whole else {**self.last, "seq": seen, "offer": None}
        self.events += len(seqs)
        self.moved.set()

    async def must_move(self) -> None:
        """Waits until something has happened at the table since now."""
        before = self.events
        while self.events == before:
            self.moved.clear()
            await asyncio.wait_for(self.moved.wait(), 120)

    async def check(self, base: str) -> int:
        """All acknowledged actions are in the logs, which have no gap; returns their number."""
        who = Somebody(base, self.token, "")
        try:
            for table, acknowledged in self.acknowledged.items():
                events = await who.events(table)
                assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
                for seq, action in acknowledged.items():
                    assert events[seq - 1]["action"] == action
        finally:
            await who.http.aclose()
        return sum(map(len, self.acknowledged.values()))


class Crowd:
    """Players of several games who play for the length of the block."""

    def __init__(self, bases: Sequence[str], rng: random.Random) -> None:
        self.players = [Player(bases, game, random.Random(rng.random())) for game in GAMES]
        self._running: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Self:
        for number, player in enumerate(self.players):
            player.lost = number  # each starts at another server
            await player.arrive(f"P{number}")
            await player.begin()
        self._running = [asyncio.create_task(player.run()) for player in self.players]
        return self

    async def __aexit__(self, *why: object) -> None:
        waiting = set(self._running)
        while waiting:
            for task in waiting:
                task.cancel()  # repeated: wait_for of Python 3.11 loses a cancellation that meets a message
            waiting = (await asyncio.wait(waiting, timeout=0.5))[1]
        for task in self._running:
            if not task.cancelled():
                task.result()

    async def must_move(self) -> None:
        """No game is stuck."""
        moves = asyncio.gather(*(player.must_move() for player in self.players))
        everything: list[asyncio.Future[Any]] = [moves, *self._running]
        await asyncio.wait(everything, return_when=asyncio.FIRST_COMPLETED)
        for task in self._running:
            if task.done():
                task.result()
        await moves

    async def check(self, base: str) -> int:
        """All acknowledged actions are there; returns their number."""
        return sum([await player.check(base) for player in self.players])


async def _ask(who: Somebody, method: str, path: str, body: Json | None = None) -> Json:
    """A request; one that a proxy could not forward counts as a lost connection."""
    answer = await who.ask(method, path, body)
    if answer.status_code in (502, 504):
        raise httpx.RemoteProtocolError("nobody behind the proxy")
    assert answer.is_success, answer.text
    result: Json = answer.json()
    return result


async def must_end(processes: list[int]) -> None:
    """Workers of a killed server end by themselves."""
    for _ in range(600):
        processes = [pid for pid in processes if _runs(pid)]
        if not processes:
            return
        await asyncio.sleep(0.1)
    for pid in processes:
        os.kill(pid, signal.SIGKILL)
    raise AssertionError(f"{len(processes)} workers outlived their server")


def _runs(pid: int) -> bool:
    listed = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False)
    return listed.stdout.strip()[:1] not in ("", "Z")

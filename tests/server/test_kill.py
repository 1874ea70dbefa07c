"""`kill -9` of the server at random moments during several games: nothing acknowledged is lost, no game is stuck."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import WebSocketException

from tests.server.conftest import Json, Somebody, choose, free_port, hear, send

GAMES = [
    (["me", "bot:tourist"], {}),
    (["bot:tourist", "me", "bot:digger"], {"auction": "true"}),
    (["me", "person:Cid"], {"boulders": "3d6"}),
    (["bot:tourist", "bot:tourist"], {}),
]


class Server:
    """`tikal serve` as a process of its own, that can be killed and started again."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_port()
        self.base = f"http://127.0.0.1:{self.port}"
        self.process: subprocess.Popen[bytes] | None = None

    async def start(self) -> None:
        database = f"sqlite:///{self.folder / 'server.db'}"
        options = ["--port", str(self.port), "--database", database, "--no-browser", "--bot-time", "20"]
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen([sys.executable, "-m", "tikal.cli", "serve", *options], stderr=log)
        async with httpx.AsyncClient(base_url=self.base) as client:
            while True:
                assert self.process.poll() is None, (self.folder / "log").read_text()
                try:
                    if (await client.get("/api/health")).status_code == 200:
                        return
                except httpx.TransportError:
                    await asyncio.sleep(0.05)

    def kill(self) -> None:
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    def children(self) -> list[int]:
        assert self.process is not None
        return [int(pid) for pid in _children(self.process.pid)]


def _children(pid: int) -> list[str]:
    listed = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True, check=False)
    return listed.stdout.split()


class Player:
    """Plays one table as long as it is told to, through every loss of the connection; keeps what was acknowledged."""

    def __init__(self, who: Somebody, table: str, rng: random.Random) -> None:
        self.who, self.table, self.rng = who, table, rng
        self.acknowledged: dict[int, str] = {}
        self.last: Json = {"seq": 0, "offer": None, "info": {"state": "playing"}}
        self.pending: Json | None = None
        self.moved = asyncio.Event()

    @property
    def over(self) -> bool:
        return bool(self.last["info"]["state"] == "over")

    async def run(self) -> None:
        while not self.over:
            try:
                await self._talk()
            except (OSError, WebSocketException, TimeoutError):
                await asyncio.sleep(0.05)

    async def _talk(self) -> None:
        async with self.who.socket() as socket:
            await send(socket, type="watch", table=self.table, since=self.last["seq"])
            if self.pending:
                await send(socket, **self.pending)
            while not self.over:
                message = await hear(socket)
                if message["type"] == "update":
                    seqs = [event["seq"] for event in message["events"]]
                    assert seqs == list(range(self.last["seq"] + 1, message["seq"] + 1))
                    self.last = message
                    self.moved.set()
                elif message.get("code") == "rate":
                    await asyncio.sleep(0.3)
                    assert self.pending
                    await send(socket, **self.pending)
                else:
                    assert message["type"] == "ack" and self.pending, message
                    self.acknowledged[message["seq"]] = self.pending["actions"][0]
                    self.pending = None
                if self.last["offer"] is not None and not self.pending:
                    name, action = f"k{self.rng.getrandbits(40)}", choose(self.last["offer"], self.rng)
                    on = self.last["seq"]
                    self.pending = {"type": "play", "table": self.table, "id": name, "on": on, "actions": [action]}
                    await send(socket, **self.pending)

    async def must_move(self) -> None:
        """Waits until something has happened at the table since now."""
        self.moved.clear()
        if not self.over:
            await asyncio.wait_for(self.moved.wait(), 90)


async def scenario(folder: Path, kills: int, rng: random.Random) -> int:
    server = Server(folder)
    await server.start()
    players: list[Player] = []
    try:
        async with httpx.AsyncClient(base_url=server.base) as client:
            for number, (seats, options) in enumerate(GAMES):
                token = (await client.post("/api/people", json={"name": f"P{number}"})).json()["token"]
                who = Somebody(server.base, token, f"P{number}")
                table = (await who.post("/tables", {"seats": seats, "options": options}))["id"]
                await who.post(f"/tables/{table}/start")
                players.append(Player(who, table, random.Random(rng.random())))
        running = [asyncio.create_task(player.run()) for player in players]
        workers: list[int] = []
        for _ in range(kills):
            await asyncio.sleep(rng.uniform(0.1, 1.2))
            workers += server.children()
            server.kill()
            await server.start()
            await asyncio.gather(*(player.must_move() for player in players))  # no game is stuck
        for task in running:
            assert not task.done() or task.exception() is None
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        for player in players:
            events = (await player.who.get(f"/tables/{player.table}/events"))["events"]
            assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
            for seq, action in player.acknowledged.items():
                assert events[seq - 1]["action"] == action
        await _must_end(workers)
        return sum(len(player.acknowledged) for player in players)
    finally:
        server.kill()
        for player in players:
            await player.who.http.aclose()


async def _must_end(workers: list[int]) -> None:
    """Workers whose server was killed end by themselves."""
    for _ in range(600):
        workers = [pid for pid in workers if _runs(pid)]
        if not workers:
            return
        await asyncio.sleep(0.1)
    for pid in workers:
        os.kill(pid, signal.SIGKILL)
    raise AssertionError(f"{len(workers)} workers outlived their server")


def _runs(pid: int) -> bool:
    listed = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False)
    return listed.stdout.strip()[:1] not in ("", "Z")


@pytest.mark.slow
def test_what_was_acknowledged_outlives_three_kills(tmp_path: Path) -> None:
    assert asyncio.run(scenario(tmp_path, 3, random.Random(1))) > 10


@pytest.mark.soak
def test_what_was_acknowledged_outlives_a_hundred_kills(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    acknowledged = asyncio.run(scenario(tmp_path, 100, random.Random(2)))
    with capsys.disabled():
        print(f"\n100 kills, {acknowledged} acknowledged actions, none lost")  # noqa: T201  # the number is asked for

"""How long a digger's turn takes while one guest keeps a hundred tables of professors busy.

    python -m benchmarks.starve            (or --tables 20 --turns 10 --json)

The server is `tikal serve` in its own process, with its defaults. One guest starts the tables, each with four
professors. They pretend to come from many addresses, because one address may not make so many tables at once. Another
person plays against a digger. A turn counts from the acknowledgement of the action that passes it to the digger to the
update that passes it back. The same game is played before the guest comes, to compare.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect

from benchmarks.load import Server, say

Json = dict[str, Any]
BAR_S = 3.0


class Guest:
    """A person who uses the server over HTTP and a socket."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.http = httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}/api", timeout=60)

    async def arrive(self, name: str) -> None:
        """Gets an identity."""
        self.token = (await self._post("/people", {"name": name}))["token"]
        self.http.headers["authorization"] = f"Bearer {self.token}"

    async def start(self, seats: list[str], address: str = "127.0.0.1") -> str:
        """A table with a running game. The server trusts the address, as if a proxy on this machine had sent it."""
        self.http.headers["x-forwarded-for"] = address
        table: str = (await self._post("/tables", {"seats": seats, "public": False}))["id"]
        await self._post(f"/tables/{table}/start", None)
        return table

    async def _post(self, path: str, body: Json | None) -> Json:
        answer = await self.http.post(path, json=body)
        answer.raise_for_status()
        found: Json = answer.json()
        return found

    def socket(self) -> connect:
        """A connection for live updates."""
        headers = {"authorization": f"Bearer {self.token}"}
        return connect(f"ws://127.0.0.1:{self.port}/api/live", additional_headers=headers, max_size=None)


async def hear(socket: ClientConnection) -> Json:
    """The next update."""
    while (message := json.loads(await socket.recv()))["type"] != "update":
        pass
    update: Json = message
    return update


async def turns(who: Guest, count: int) -> list[float]:
    """Plays against a digger; returns how long its turns took, in seconds."""
    table, number = await who.start(["me", "bot:digger"]), 0
    took: list[float] = []
    async with who.socket() as socket:
        await socket.send(json.dumps({"type": "watch", "table": table}))
        update, since = await hear(socket), 0.0
        while len(took) < count:
            if update["offer"] is None:
                since = since or perf_counter()
                update = await hear(socket)
                continue
            if since:
                took.append(perf_counter() - since)
                since = 0.0
            actions = [row["action"] for row in update["offer"]["actions"]]
            action = "." if "." in actions else actions[0]
            number += 1
            play = {"type": "play", "table": table, "id": f"n{number}", "on": update["seq"], "actions": [action]}
            await socket.send(json.dumps(play))
            update = await hear(socket)
    return took


async def measure(port: int, tables: int, count: int) -> Json:
    """The digger's turns alone, and beside the guest's tables."""
    ann, guest = Guest(port), Guest(port)
    await ann.arrive("Ann")
    await guest.arrive("Guest")
    alone = await turns(ann, count)
    say(f"alone: {median(alone):.2f} s, at most {max(alone):.2f} s")
    for number in range(tables):
        await guest.start(["bot:professor"] * 4, f"192.0.2.{number % 250}")
    say(f"{tables} tables of professors have started")
    beside = await turns(ann, count)
    say(f"beside them: {median(beside):.2f} s, at most {max(beside):.2f} s")
    return {
        "tables": tables,
        "turns": count,
        "alone_s": {"median": round(median(alone), 3), "most": round(max(alone), 3)},
        "beside_s": {"median": round(median(beside), 3), "most": round(max(beside), 3)},
        "bar_s": BAR_S,
        "reached": max(beside) <= BAR_S,
    }


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--tables", type=int, default=100, metavar="N", help="tables of four professors (100)")
    parser.add_argument("--turns", type=int, default=20, metavar="N", help="turns of the digger (20)")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server = Server(f"sqlite:///{Path(folder) / 'server.db'}")
        try:
            figures = asyncio.run(measure(server.port, args.tables, args.turns))
        finally:
            server.close()
    if args.json:
        print(json.dumps(figures, indent=2))


if __name__ == "__main__":
    main()

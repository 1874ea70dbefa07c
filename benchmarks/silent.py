"""The memory of sockets that never read: `python -m benchmarks.silent`.

Starts `tikal serve` in its own process, opens many sockets that watch a table with a long log from its first
event, and plays on at that table for some seconds, with every fourth action taken back.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import json
import os
import random
import socket
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import httpx

from benchmarks.load import Server, add_people, choose, long_game, say, serving
from tikal.server.database.store import Store

Json = dict[str, Any]
BAR_MB = 200
EACH = 20  # sockets of one person; the server allows a few more


async def prepare(database: str, people: int, actions: int) -> tuple[list[str], str]:
    """People, of whom the first plays all seats of a running game; their tokens, and the table."""
    store = await Store.open(database)
    try:
        known = await add_people(store, people)
        table, _ = await long_game(store, known[0][0], actions, random.Random(1))
        return [token for _, token in known], table.id
    finally:
        await store.close()


async def silent_socket(port: int, token: str, table: str) -> asyncio.StreamWriter:
    """A socket that requests everything and reads only the first bytes of the handshake's answer."""
    plain = socket.socket()
    plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    plain.setblocking(False)
    await asyncio.get_running_loop().sock_connect(plain, ("127.0.0.1", port))
    reader, writer = await asyncio.open_connection(sock=plain, limit=1024)
    lines = [
        "GET /api/live HTTP/1.1",
        f"Host: 127.0.0.1:{port}",
        f"Authorization: Bearer {token}",
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}",
    ]
    writer.write("\r\n".join([*lines, "", ""]).encode())
    assert b" 101 " in await reader.readline()
    writer.write(frame({"type": "watch", "table": table, "since": 0}))
    transport: Any = writer.transport
    transport.pause_reading()
    return writer


def frame(message: Json) -> bytes:
    """A message as a masked text frame of RFC 6455."""
    data = json.dumps(message).encode()
    assert len(data) < 126
    return bytes([0x81, 0x80 | len(data), 0, 0, 0, 0]) + data  # a mask of zeros


async def play_on(server: Server, token: str, table: str, seconds: float, rng: random.Random) -> tuple[int, int]:
    """Plays at the table; returns the number of actions, and the most memory that the server held, in kilobytes."""
    base, until, most, done = f"http://127.0.0.1:{server.port}/api/tables/{table}", perf_counter() + seconds, 0, 0
    async with httpx.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=60) as client:
        while perf_counter() < until:
            answer = await client.get(base)
            if answer.status_code == httpx.codes.TOO_MANY_REQUESTS:
                await asyncio.sleep(0.1)
                continue
            look = answer.json()
            on, offer = look["seq"], look["offer"]
            if offer is None:
                break
            if look["undo"] and rng.random() < 0.25:
                await client.post(f"{base}/undo", json={"id": f"u{on}", "on": on})
            else:
                action = choose([row["action"] for row in offer["actions"]], rng)
                await client.post(f"{base}/actions", json={"id": f"a{on}", "on": on, "actions": [action]})
            done += 1
            most = max(most, server.memory())
    return done, most


async def measure(server: Server, tokens: Sequence[str], table: str, args: argparse.Namespace) -> Json:
    """The memory before and after."""
    rng = random.Random(args.seed)
    await play_on(server, tokens[0], table, 2.0, rng)  # loads the game into memory
    before = server.memory()
    port = server.port
    writers = [await silent_socket(port, tokens[1 + number // EACH], table) for number in range(args.sockets)]
    say(f"{len(writers)} sockets are open")
    actions, most = await play_on(server, tokens[0], table, args.seconds, rng)
    for writer in writers:
        writer.close()
    more = (max(most, server.memory()) - before) / 1024
    return {
        "sockets": args.sockets,
        "actions": actions,
        "before_mb": round(before / 1024, 1),
        "more_mb": round(more, 1),
    }


def main() -> None:
    """Measures, and prints JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sockets", type=int, default=1000, metavar="N", help="that never read (1000)")
    parser.add_argument("--actions", type=int, default=250, metavar="N", help="of the game when they come (250)")
    parser.add_argument("--seconds", type=float, default=10.0, metavar="N", help="of play (10)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="(1)")
    args = parser.parse_args()
    with TemporaryDirectory(prefix="tikal-silent-") as folder:
        database = f"sqlite:///{Path(folder, 'server.db')}"
        tokens, table = asyncio.run(prepare(database, 2 + args.sockets // EACH, args.actions))
        with serving(database) as server:
            found = asyncio.run(measure(server, tokens, table, args))
    print(json.dumps({**found, "bar_mb": BAR_MB, "reached": found["more_mb"] <= BAR_MB}))


if __name__ == "__main__":
    main()

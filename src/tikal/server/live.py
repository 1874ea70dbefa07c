"""The WebSocket: one connection, any number of tables.

A message is a JSON object with a `type`; those that ask for something carry an `id`, and the answer is
`{"type": "ack", "id": …}` or `{"type": "error", "id": …, "code": …, "text": …}`:

`watch` (table, since)   an update at once and after every change; `since` asks for the events after it
`unwatch` (table)
`play` (table, id, on, actions), `undo`, `restart` (table, id, on), `resign` (table, id, seat)
`ping`
"""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import AsyncExitStack
from typing import Any

import orjson
from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from pydantic import TypeAdapter, ValidationError

from tikal.server import projection, shapes
from tikal.server.config import Config
from tikal.server.errors import Refused, fault
from tikal.server.hub import Hub
from tikal.server.identity import address, check_host, check_origin, digest, token_of
from tikal.server.limits import Limiter
from tikal.server.store import Json, Person

router = APIRouter()
SHAPES: dict[str, TypeAdapter[Any]] = {
    "play": TypeAdapter(shapes.Play),
    "undo": TypeAdapter(shapes.Back),
    "restart": TypeAdapter(shapes.Back),
    "resign": TypeAdapter(shapes.Resign),
}
MOST_TABLES = 32  # watched by one socket
GRACE_S = 5.0  # to take the last message
POLICY, TOO_LARGE, TRY_AGAIN = 1008, 1009, 1013  # codes of RFC 6455


class Socket:
    """One connection: what it watches, and what waits to be sent."""

    def __init__(self, socket: WebSocket, person: Person | None, token: str | None) -> None:
        config: Config = socket.app.state.config
        self.socket = socket
        self.hub: Hub = socket.app.state.hub
        self.limiter: Limiter = socket.app.state.messages
        self.me = person
        self.person = person.id if person else None
        self.token = token  # its hash
        self.config = config
        self.queue: asyncio.Queue[str | None] = asyncio.Queue(config.queue)
        self.watched: dict[str, AsyncExitStack] = {}
        self.answering = asyncio.Lock()  # while a message is answered
        self.end = (TRY_AGAIN, "slow")
        self.finished = False
        self.writer: asyncio.Task[None] | None = None

    def tell(self, message: str) -> None:
        """Queues a message. Who reads too slowly is dropped, and can resume by seq."""
        if self.finished:
            return
        try:
            self.queue.put_nowait(message)
        except asyncio.QueueFull:
            self._finish()

    def revoke(self) -> None:
        """The token was revoked: nothing more is done or told for it."""
        self.me = None
        self.end = (POLICY, "revoked")
        self._finish()

    def _finish(self) -> None:
        self.finished = True
        while not self.queue.empty():
            self.queue.get_nowait()
        self.queue.put_nowait(None)
        if self.writer is not None:  # who reads nothing at all would never let it say goodbye
            asyncio.get_running_loop().call_later(GRACE_S, self.writer.cancel)

    async def run(self) -> None:
        """Reads and writes until the connection ends."""
        reader, writer = asyncio.create_task(self._read()), asyncio.create_task(self._write())
        self.writer = writer
        try:
            await asyncio.wait((reader, writer), return_when=asyncio.FIRST_COMPLETED)
        finally:
            writer.cancel()
            async with self.answering:  # what was begun is finished: a room must know of what it has committed
                reader.cancel()
            await asyncio.gather(reader, writer, return_exceptions=True)
            for stack in self.watched.values():
                await stack.aclose()

    async def _write(self) -> None:
        while (message := await self.queue.get()) is not None:
            await self.socket.send_text(message)
        await self.socket.close(*self.end)

    async def _read(self) -> None:
        while True:
            try:
                received = await self.socket.receive()
            except WebSocketDisconnect:
                return
            if received["type"] == "websocket.disconnect":
                return
            async with self.answering:
                await self._answer(received.get("text"))

    async def _answer(self, text: str | None) -> None:
        """Answers one message; whatever is wrong with it becomes an error message."""
        message: Json = {}
        allowed = self.limiter.allows(self.person or address(self.socket))
        try:
            message = _parse(text, self.config.body)  # also then: the answer says to which message it belongs
            if not allowed:
                raise Refused("rate", "too many messages; wait a little")
            answer = await self._do(message)
        except Refused as refused:
            self.hub.metrics.refusals.labels(refused.code).inc()
            answer = {"type": "error", **refused.as_json()}
        except Exception as error:
            answer = {"type": "error", **fault(error).as_json()}
        request = message.get("id")
        if isinstance(request, str | int) and len(str(request)) <= 40:
            answer["id"] = request
        self.tell(projection.text(answer))

    async def _do(self, message: Json) -> Json:
        kind = message.get("type")
        if kind == "ping":
            return {"type": "pong"}
        if kind not in ("watch", "unwatch", *SHAPES):
            raise Refused("malformed", f"type: must be ping, watch, unwatch, {', '.join(SHAPES)}")
        table = message.get("table")
        if not isinstance(table, str) or len(table) > 40:
            raise Refused("malformed", "table: must be the id of a table")
        if kind == "watch":
            return await self._watch(table, message.get("since"))
        if kind == "unwatch":
            return await self._unwatch(table)
        return {"type": "ack", "table": table, **await self._play(kind, table, message)}

    async def _play(self, kind: str, table: str, message: Json) -> Json:
        if self.me is None:
            raise Refused("identity", "say who you are first: POST /api/people")
        body: Any = _checked(SHAPES[kind], {k: v for k, v in message.items() if k not in ("type", "table")})
        if kind == "play":
            return await self.hub.play(self.me, table, body.id, body.on, body.actions)
        if kind == "resign":
            return await self.hub.resign(self.me, table, body.id, body.seat)
        return await self.hub.undo(self.me, table, body.id, body.on, all_of_it=kind == "restart")

    async def _watch(self, table: str, since: object) -> Json:
        if since is not None and (type(since) is not int or not 0 <= since <= 1_000_000):
            raise Refused("malformed", "since: must be the number of an event, or left out")
        after = since if isinstance(since, int) else None
        if table in self.watched:
            async with self.hub.room(table) as room:
                return room.update(self.person, after)
        if len(self.watched) >= MOST_TABLES:
            raise Refused("limit", f"a socket may watch {MOST_TABLES} tables")
        stack = AsyncExitStack()
        room = await stack.enter_async_context(self.hub.room(table))
        room.listeners.add(self)  # and no pause before the answer: what is told from now on follows it
        stack.callback(room.listeners.discard, self)
        self.watched[table] = stack
        return room.update(self.person, after)

    async def _unwatch(self, table: str) -> Json:
        stack = self.watched.pop(table, None)
        if stack is not None:
            await stack.aclose()
        return {"type": "ack", "table": table}


def _parse(text: str | None, most: int) -> Json:
    if text is None:
        raise Refused("malformed", "a message must be text")
    if len(text) > most:
        raise Refused("oversized", f"a message may have {most} characters")
    try:
        message = orjson.loads(text)
    except ValueError:
        raise Refused("malformed", "a message must be JSON") from None
    if not isinstance(message, dict):
        raise Refused("malformed", "a message must be a JSON object")
    return message


def _checked(shape: TypeAdapter[Any], value: Json) -> Any:
    try:
        return shape.validate_python(value)
    except ValidationError as error:
        raise Refused("malformed", problem_of(error.errors())) from None


def problem_of(errors: Any) -> str:
    """The first of pydantic's complaints as one line, without what was sent."""
    first = errors[0]
    where = ".".join(str(part) for part in first["loc"] if part not in ("body", "query", "path"))
    return f"{where or 'body'}: {first['msg']}"


@router.websocket("/api/live")
async def live(socket: WebSocket) -> None:
    """Checks where it comes from before anything is accepted, then talks."""
    app = socket.app
    config: Config = app.state.config
    hub: Hub = app.state.hub
    count: Counter[str] = app.state.sockets
    token = token_of(socket.headers, socket.cookies)
    try:
        check_host(socket.headers, config.public_url)
        check_origin(socket.headers, config.public_url, needed="authorization" not in socket.headers)
        person = await hub.store.person_of(digest(token)) if token else None
        who = person.id if person else address(socket)
        if count[who] >= config.sockets_each or count.total() >= config.sockets:
            raise Refused("limit", "too many connections")
    except Refused:
        await socket.close(POLICY)  # before it is accepted, this is a 403
        return
    count[who] += 1
    connection = Socket(socket, person, digest(token) if token else None)
    hub.presence.add(connection)
    try:
        await socket.accept()
        await connection.run()
    finally:
        hub.presence.remove(connection)
        count[who] -= 1
        if not count[who]:
            del count[who]

"""The WebSocket: one connection, any number of tables.

A message is a JSON object with a `type`; `messages` has the schema of each. Requests carry an
`id`, and the answer is `{"type": "ack", "id": …}` or `{"type": "error", "id": …, "code": …, "text": …}`. `watch` asks
for an update at once and after every change. If there are more events than one update holds, further updates with the
rest follow.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import AsyncExitStack
from typing import Any

import orjson
from fastapi import APIRouter, WebSocket
from pydantic import ValidationError

from tikal.play.view import Json
from tikal.server.accounts.tokens import digest
from tikal.server.config import Config
from tikal.server.database.rows import Person
from tikal.server.errors import Refused, fault
from tikal.server.http.callers import address, check_host, check_origin, token_of
from tikal.server.http.messages import (
    TYPES,
    ClientMessage,
    Ping,
    PlayMessage,
    ResignMessage,
    RestartMessage,
    Said,
    UndoMessage,
    Unwatch,
    Watch,
)
from tikal.server.http.outbox import Outbox, Waiting
from tikal.server.http.wire import WIRE, Wire
from tikal.server.limits import Limiter
from tikal.server.live import projection
from tikal.server.live.hub import Hub
from tikal.server.live.projected import Update
from tikal.server.live.room import Room
from tikal.server.operation import request_ids

router = APIRouter()
MOST_TABLES = 32  # tables that one socket can watch
GRACE_S = 5.0  # time limit for sending the last message
POLICY, TOO_LARGE, TRY_AGAIN = 1008, 1009, 1013  # codes of RFC 6455


class Socket:
    """One connection: the tables it watches, and its queue."""

    def __init__(self, socket: WebSocket, person: Person | None, token: str | None) -> None:
        config: Config = socket.app.state.config
        self.socket = socket
        self.wire: Wire = socket.scope["extensions"][WIRE]
        self.hub: Hub = socket.app.state.hub
        self.limiter: Limiter = socket.app.state.messages
        self.me = person
        self.person = person.id if person else None
        self.token = token  # the token's hash
        self.config = config
        self.outbox = Outbox(config.socket_bytes, socket.app.state.outgoing)
        self.watched: dict[str, tuple[Room, AsyncExitStack]] = {}
        self.answering = asyncio.Lock()  # while a message is being answered
        self.end = (TRY_AGAIN, "slow")
        self.finished = False
        self.writer: asyncio.Task[None] | None = None

    def tell(self, message: bytes) -> None:
        """Sends a message, or queues it. Slow readers are disconnected, and can resume by seq."""
        if self.finished:
            return
        if self._reads():
            self.wire.write(message)
        elif not self.outbox.put(message):
            self._finish()

    def tell_update(self, table: str, since: int, message: bytes | None) -> None:
        """Sends an update of a table, or queues it. A slow reader gets one update later instead of many now."""
        if self.finished:
            return
        if message is not None and self._reads():
            self.wire.write(message)
        else:
            self.outbox.put_update(table, since, message)

    def _reads(self) -> bool:
        """Whether a message can be written now: the other side reads, and nothing else comes first."""
        return self.outbox.idle and self.wire.writable.is_set()

    def revoke(self) -> None:
        """Ends a connection whose token was revoked: it gets and does nothing more."""
        self.me = None
        self.end = (POLICY, "revoked")
        self._finish()

    def _finish(self) -> None:
        self.finished = True
        self.outbox.finish()
        if self.writer is not None:  # a client that reads nothing would block the closing handshake
            asyncio.get_running_loop().call_later(GRACE_S, self.writer.cancel)

    async def run(self) -> None:
        """Reads and writes until the connection ends."""
        reader, writer = asyncio.create_task(self._read()), asyncio.create_task(self._write())
        self.writer = writer
        try:
            await asyncio.wait((reader, writer), return_when=asyncio.FIRST_COMPLETED)
        finally:
            writer.cancel()
            async with self.answering:  # finish what has begun: a room must know what it has committed
                reader.cancel()
            await asyncio.gather(reader, writer, return_exceptions=True)
            self.finished = True
            self.outbox.finish()
            for _, stack in self.watched.values():
                await stack.aclose()

    async def _write(self) -> None:
        while await self.outbox.filled():
            await self.wire.writable.wait()
            item = self.outbox.take()  # not before: an update that is taken no longer grows, so events would come twice
            if item is None:
                break
            message = self._made(item) if isinstance(item, Waiting) else item
            if message is not None:
                self.wire.write(message)
        await self.socket.close(*self.end)

    def _made(self, waiting: Waiting) -> bytes | None:
        """An update as JSON; None if the table is no longer watched. Further pages are queued again."""
        if waiting.text is not None or waiting.table not in self.watched:
            return waiting.text
        update = self.watched[waiting.table][0].update(self.person, waiting.since)
        self._tell_rest(update)
        return projection.as_json(update)

    def _tell_rest(self, update: Json | Update) -> None:
        """Queues the next page of events, if an update does not hold all of them."""
        if update["events"] and update["events"][-1]["seq"] < update["seq"]:
            self.tell_update(update["table"], update["events"][-1]["seq"], None)

    async def _read(self) -> None:
        while True:
            received = await self.wire.read()
            if received["type"] == "websocket.disconnect":
                return
            async with self.answering:
                await self._answer(received.get("text"))

    async def _answer(self, text: str | None) -> None:
        """Answers one message; anything wrong with it becomes an error message."""
        message: Json = {}
        allowed = self.limiter.allows(self.person or address(self.socket))
        try:
            message = _parse(text, self.config.body)  # even if it is refused: the answer needs its id
            if not allowed:
                raise Refused("rate", "too many messages; wait a little")
            answer = await self._do(_checked(message))
        except Refused as refused:
            self.hub.metrics.refusals.labels(refused.code).inc()
            answer = {"type": "error", **refused.as_json()}
        except Exception as error:
            answer = {"type": "error", **fault(error).as_json()}
        request = message.get("id")
        if isinstance(request, str | int) and len(str(request)) <= 40:
            answer["id"] = request
        self.tell(projection.as_json(answer))
        if answer["type"] == "update":
            self._tell_rest(answer)

    async def _do(self, message: Said) -> Json:
        if isinstance(message, Ping):
            return {"type": "pong"}
        if isinstance(message, Watch):
            return await self._watch(message.table, message.since)
        if isinstance(message, Unwatch):
            return await self._unwatch(message.table)
        return {"type": "ack", "table": message.table, **await self._play(message)}

    async def _play(self, message: PlayMessage | UndoMessage | RestartMessage | ResignMessage) -> Json:
        if self.me is None:
            raise Refused("identity", "identify yourself first: POST /api/people")
        if isinstance(message, PlayMessage):
            return await self.hub.play(self.me, message.table, message.id, message.on, message.actions)
        if isinstance(message, ResignMessage):
            return await self.hub.resign(self.me, message.table, message.id, message.seat)
        count = message.count if isinstance(message, UndoMessage) else None
        return await self.hub.undo(self.me, message.table, message.id, message.on, count)

    async def _watch(self, table: str, since: int | None) -> Json:
        if table in self.watched:
            async with self.hub.room(table) as room:
                return {**room.update(self.person, since)}
        if len(self.watched) >= MOST_TABLES:
            raise Refused("limit", f"a socket can watch at most {MOST_TABLES} tables", "limit_watch", most=MOST_TABLES)
        stack = AsyncExitStack()
        room = await stack.enter_async_context(self.hub.room(table))
        room.listeners.add(self)  # without a pause before the answer: all later messages follow it
        stack.callback(room.listeners.discard, self)
        self.watched[table] = (room, stack)
        return {**room.update(self.person, since)}

    async def _unwatch(self, table: str) -> Json:
        if table in self.watched:
            _, stack = self.watched.pop(table)
            await stack.aclose()
        return {"type": "ack", "table": table}


def _parse(text: str | None, most: int) -> Json:
    if text is None:
        raise Refused("malformed", "a message must be text")
    if len(text) > most:
        raise Refused("oversized", f"a message can have at most {most} characters")
    try:
        message = orjson.loads(text)
    except ValueError:
        raise Refused("malformed", "a message must be JSON") from None
    if not isinstance(message, dict):
        raise Refused("malformed", "a message must be a JSON object")
    return message


def _checked(message: Json) -> Said:
    """Validates a message by its schema."""
    try:
        return ClientMessage.model_validate(message).root
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        if first["type"].startswith("union_tag"):  # pydantic's error would repeat the input
            raise Refused("malformed", f"type: must be one of {', '.join(TYPES)}", field="type") from None
        raise malformed([{**first, "loc": first["loc"][1:]}]) from None


def malformed(errors: Any) -> Refused:
    """A refusal with the first of pydantic's errors as one line, without the input."""
    first = errors[0]
    where = [str(part) for part in first["loc"] if part not in ("body", "query", "path")]
    more = {"field": where[0]} if where else {}
    return Refused("malformed", f"{'.'.join(where) or 'body'}: {first['msg']}", **more)


@router.websocket("/api/live")
async def live(socket: WebSocket) -> None:
    """Checks the origin before it accepts a connection, then serves it."""
    app = socket.app
    request_ids.begin(socket.headers)
    config: Config = app.state.config
    hub: Hub = app.state.hub
    count: Counter[str] = app.state.sockets
    places: Counter[str] = app.state.socket_addresses
    where = address(socket)
    token = token_of(socket.headers, socket.cookies)
    try:
        check_host(socket.headers, config.public_url)
        check_origin(socket.headers, config.public_url, needed="authorization" not in socket.headers)
        person = await hub.store.person_of(digest(token)) if token else None
        who = person.id if person else where
        if person is not None:
            hub.presence.seen(person.id, where)
        full = count.total() >= config.sockets or places[where] >= config.sockets_address
        if full or count[who] >= config.sockets_each:
            raise Refused("limit", "too many connections", "limit_connections")
    except Refused:
        await socket.close(POLICY)  # before the socket is accepted, this is a 403
        return
    count[who] += 1
    places[where] += 1
    connection = Socket(socket, person, digest(token) if token else None)
    hub.presence.add(connection)
    try:
        await socket.accept()
        await connection.run()
    finally:
        hub.presence.remove(connection)
        for counter, key in ((count, who), (places, where)):
            counter[key] -= 1
            if not counter[key]:
                del counter[key]

"""Writes messages to a WebSocket without a task that waits for each of them.

The messages that one request causes are written together for each socket: a player who acts gets the update and the
acknowledgement by one system call. They don't wait for the requests of others. uvicorn, starlette and websockets do
everything else: the handshake, reading, pings, and closing.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

WIRE = "tikal.wire"  # the name of this extension in the scope of a connection
TEXT = 0x81  # a whole message of text in one frame
AT_ONCE = 1 << 16  # bytes that are written without waiting for more; the transport counts them then


def framed(message: bytes) -> bytes:
    r"""A frame of RFC 6455 with a message of text, as servers send it: unmasked.

    >>> framed(b"{}"), framed(bytes(300))[:4], framed(bytes(70_000))[:10].hex()
    (b'\x81\x02{}', b'\x81~\x01,', '817f0000000000011170')
    """
    size = len(message)
    if size < 126:
        return bytes((TEXT, size)) + message
    if size < 1 << 16:
        return bytes((TEXT, 126)) + size.to_bytes(2, "big") + message
    return bytes((TEXT, 127)) + size.to_bytes(8, "big") + message


_Base: Any = WebSocketsSansIOProtocol


class Wire(_Base):  # type: ignore[misc]
    """Uvicorn's WebSocket protocol, which the application finds in its scope."""

    writable: asyncio.Event  # clear while the other side does not read
    transport: asyncio.Transport

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self._frames: list[bytes] = []  # to be written together
        self._bytes = 0

    def handle_connect(self, event: Any) -> None:
        """Accepts a connection; the application starts a moment later."""
        super().handle_connect(event)
        if self.response.status_code == 101:
            self.scope["extensions"][WIRE] = self

    def write(self, message: bytes) -> None:
        """Writes a message with the next `flush_all`, at the latest before the next turn of the event loop."""
        frame = framed(message)
        if not self._frames:
            _waiting.append(self)
            self.loop.call_soon(flush_all)
        self._frames.append(frame)
        self._bytes += len(frame)
        if self._bytes > AT_ONCE:
            self.flush()

    def flush(self) -> None:
        """Writes what waits; after the end of a connection, nothing."""
        if self._frames and not (self.close_sent or self.transport.is_closing()):
            self.transport.write(b"".join(self._frames))
        self._frames.clear()
        self._bytes = 0

    def shutdown(self) -> None:
        """Closes the connection because the server stops; what was said before comes first."""
        self.flush()
        super().shutdown()

    async def read(self) -> Any:
        """The next message or the end of the connection, as ASGI has them."""
        return await self.receive()


_waiting: list[Wire] = []  # connections with something to write


def flush_all() -> None:
    """Writes what waits, on all connections."""
    while _waiting:
        _waiting.pop().flush()

"""Writes messages to a WebSocket at once, without a task that waits for each of them.

uvicorn, starlette and websockets do everything else: the handshake, reading, pings, and closing.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

MOST_PARTS = 64  # frames in one message; more are of no use, and empty ones would count for nothing
WIRE = "tikal.wire"  # the name of this extension in the scope of a connection
TEXT = 0x81  # a whole message of text in one frame


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

    conn: Any
    frames: list[bytes]

    writable: asyncio.Event  # clear while the other side does not read
    transport: asyncio.Transport

    def handle_connect(self, event: Any) -> None:
        """Accepts a connection; the application starts a moment later."""
        super().handle_connect(event)
        if self.response.status_code == 101:
            self.scope["extensions"][WIRE] = self

    def write(self, message: bytes) -> None:
        """Writes a message; after the end of a connection, nothing."""
        if not (self.close_sent or self.transport.is_closing()):
            self.transport.write(framed(message))

    def handle_ping(self) -> None:
        """Answers a ping, unless the other side does not read: answers would pile up."""
        answer = b"".join(self.conn.data_to_send())
        if self.writable.is_set():
            self.transport.write(answer)

    def handle_cont(self, event: Any) -> None:
        """Takes one more frame of a message, but not any number of them."""
        if len(self.frames) < MOST_PARTS:
            super().handle_cont(event)
        elif not self.transport.is_closing():
            self.transport.abort()

    async def read(self) -> Any:
        """The next message or the end of the connection, as ASGI has them."""
        return await self.receive()

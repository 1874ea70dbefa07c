"""Closes connections that send half a request and then nothing.

uvicorn waits forever for the rest of a request's head. Here a connection is closed if the head is not complete some
seconds after the connection was opened, or after its first byte. `BodyLimit` does the same for bodies.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol


def impatient(seconds: float) -> type[asyncio.Protocol]:
    """Uvicorn's HTTP protocol with a time limit for the head of a request."""
    base: Any = AutoHTTPProtocol

    class Impatient(base):  # type: ignore[misc]
        """Closes a connection whose request has not arrived."""

        _waiting: asyncio.TimerHandle | None = None

        def connection_made(self, transport: asyncio.Transport) -> None:
            super().connection_made(transport)
            self._wait()

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            if self.cycle is not None and not self.cycle.response_complete:
                self._stop()  # the head is complete, and the request is being answered
            elif self.transport.get_protocol() is not self:
                self._stop()  # a WebSocket, which has its own protocol
            elif self._waiting is None:
                self._wait()

        def connection_lost(self, error: Exception | None) -> None:
            self._stop()
            super().connection_lost(error)

        def _wait(self) -> None:
            self._waiting = asyncio.get_running_loop().call_later(seconds, self._give_up)

        def _stop(self) -> None:
            if self._waiting is not None:
                self._waiting.cancel()
                self._waiting = None

        def _give_up(self) -> None:
            self._waiting = None
            if not self.transport.is_closing():
                self.transport.close()

    return Impatient

"""Closes connections that send half a request and then nothing, or that never read the answer.

uvicorn waits forever for the rest of a request's head. Here a connection is closed if the head is not complete some
seconds after the connection was opened, or after its first byte. `BodyLimit` does the same for bodies. uvicorn also
waits forever for a client to read an answer, which stays in memory: such a client has a few times as long.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

READING = 3  # how many times as long a client has to read what waits for it


def impatient(seconds: float) -> type[asyncio.Protocol]:
    """Uvicorn's HTTP protocol with a time limit for the head of a request."""
    base: Any = H11Protocol  # h11 says whether a part of a request has arrived

    class Impatient(base):  # type: ignore[misc]
        """Closes a connection whose request has not arrived."""

        _waiting: asyncio.TimerHandle | None = None
        _unread: asyncio.TimerHandle | None = None

        def connection_made(self, transport: asyncio.Transport) -> None:
            super().connection_made(transport)
            self._wait()

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            self._look()

        def on_response_complete(self) -> None:
            super().on_response_complete()
            self._look()

        def _look(self) -> None:
            """Starts or stops the wait for the rest of a request."""
            if self.transport.get_protocol() is not self:
                self._stop()  # a WebSocket, which has its own protocol
            elif self.cycle is not None and not self.cycle.response_complete:
                self._stop()  # the head is complete, and the request is being answered
            elif self.timeout_keep_alive_task is not None and not self.conn.trailing_data[0]:
                self._stop()  # nothing has come since the last answer: uvicorn waits for the next request
            elif self._waiting is None:
                self._wait()

        def pause_writing(self) -> None:
            super().pause_writing()
            self._unread = asyncio.get_running_loop().call_later(READING * seconds, self.transport.abort)

        def resume_writing(self) -> None:
            super().resume_writing()
            self._read()

        def connection_lost(self, error: Exception | None) -> None:
            self._stop()
            self._read()
            super().connection_lost(error)

        def _wait(self) -> None:
            self._waiting = asyncio.get_running_loop().call_later(seconds, self._give_up)

        def _stop(self) -> None:
            if self._waiting is not None:
                self._waiting.cancel()
                self._waiting = None

        def _read(self) -> None:
            if self._unread is not None:
                self._unread.cancel()
                self._unread = None

        def _give_up(self) -> None:
            self._waiting = None
            if not self.transport.is_closing():
                self.transport.close()

    return Impatient

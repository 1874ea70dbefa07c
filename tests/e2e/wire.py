"""A connection between browser and server that can be cut and restored."""

from __future__ import annotations

import contextlib
import socket
import threading
from urllib.parse import urlsplit


class Wire:
    """Forwards every connection to a server, until it is cut."""

    def __init__(self, base: str) -> None:
        self.goal = ("127.0.0.1", urlsplit(base).port or 80)
        self.door = socket.create_server(("127.0.0.1", 0))
        self.base = f"http://localhost:{self.door.getsockname()[1]}"
        self.whole = True
        self.carried: list[socket.socket] = []
        threading.Thread(target=self._listen, daemon=True).start()

    def cut(self) -> None:
        """Ends every connection, and forwards no new one."""
        self.whole = False
        for one in self.carried:
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
        self.carried.clear()

    def mend(self) -> None:
        """Forwards new connections again."""
        self.whole = True

    def close(self) -> None:
        """Closes it for good."""
        self.cut()
        self.door.close()

    def _listen(self) -> None:
        with contextlib.suppress(OSError):  # closed
            while True:
                near, _ = self.door.accept()
                if not self.whole:
                    near.close()
                    continue
                far = socket.create_connection(self.goal)
                self.carried += [near, far]
                for ends in ((near, far), (far, near)):
                    threading.Thread(target=self._carry, args=ends, daemon=True).start()

    @staticmethod
    def _carry(source: socket.socket, goal: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                goal.sendall(data)
        for one in (source, goal):
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()

"""Ports for the servers that tests start."""

from __future__ import annotations

import atexit
import socket


def free_port() -> int:
    """A port that is ours until this process ends, even while a killed server restarts.

    It stays bound, so the system gives it to nobody else. A server may still listen there: it names the port,
    and sets SO_REUSEADDR as we do.
    """
    held = socket.socket()
    held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    held.bind(("127.0.0.1", 0))
    atexit.register(held.close)
    port: int = held.getsockname()[1]
    return port

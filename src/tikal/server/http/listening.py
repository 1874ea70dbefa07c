"""How the server listens: uvicorn's settings, the same for `tikal serve` and for the tests."""

from __future__ import annotations

import os
import socket

from fastapi import FastAPI
from uvicorn import Config as Settings

from tikal.rules.errors import TikalError
from tikal.server.config import Config
from tikal.server.http.impatient import impatient
from tikal.server.http.wire import Wire

KEEP_ALIVE_S = 75
"""How long an idle connection stays open.

It must be longer than the other side keeps it: a request that is sent while the server closes the connection is lost,
and nobody may send it again if it could have arrived. Python's httpx keeps connections for 5 seconds, nginx for 60.
Uvicorn's default is 5, too.
"""


def check_free(host: str, port: int) -> None:
    """Refuses an address at which this machine can't listen, before the server's address is announced.

    >>> check_free("127.0.0.1", 0)
    """
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except OSError as error:
        raise TikalError("usage", f"--host {host}: this computer has no such address ({error.strerror})") from None
    for family, kind, protocol, _, address in found:
        with socket.socket(family, kind, protocol) as probe:
            if os.name == "posix":  # as the server will; elsewhere the option would allow two servers on one port
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(address)
            except OSError as error:
                why = os.strerror(error.errno) if error.errno else str(error)
                text = f"can't listen at {host}, port {port}: {why}. Choose another --port or --host"
                raise TikalError("usage", text) from None


def settings(app: FastAPI, config: Config) -> Settings:
    """The settings with which uvicorn serves the application."""
    return Settings(
        app,
        config.host,
        config.port,
        http=impatient(config.read_ms / 1000),
        ws=Wire,
        ws_max_size=2 * config.body,
        log_config=None,  # `log_format` has configured the logs
        ws_per_message_deflate=False,  # it would compress every update again for every socket
        access_log=False,  # addresses of tables are invitations, so they must not be logged
        log_level="warning",
        server_header=False,
        timeout_keep_alive=KEEP_ALIVE_S,
        timeout_graceful_shutdown=5,
    )

"""`python -m tests.e2e.serving PORT DATABASE MS`: the server as `tikal serve` runs it, for a crowd from one address.

Only the limits differ (tests are a hundred people at one computer), and the bots' time is given in milliseconds.
"""

from __future__ import annotations

import sys

import uvicorn

from tikal.cli.serve import client_folder
from tikal.server.app import create_app
from tikal.server.config import Config
from tikal.server.database.migrate import migrate
from tikal.server.http.listening import settings


def main() -> None:
    """Serve until terminated."""
    port, database, bot_ms = int(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    config = Config(
        database,
        port=port,
        client=client_folder(),
        bot_ms=bot_ms,
        bot_grace_ms=60_000,  # a slow machine is not a hung bot
        rate=1e6,
        burst=10**6,
        new_people=1e6,
        new_people_burst=10**6,
        lines=1e6,
        lines_burst=10**6,
        tables_each=10**6,
        sockets_each=10**6,
    )
    migrate(database)
    uvicorn.Server(settings(create_app(config), config)).run()


if __name__ == "__main__":
    main()

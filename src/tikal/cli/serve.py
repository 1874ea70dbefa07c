"""`tikal serve`: tables on the net."""

from __future__ import annotations

import argparse
import gc
import sys
from pathlib import Path

from tikal.cli.files import data_folder
from tikal.rules.errors import TikalError

NEW_OBJECTS = 50_000  # after which the collector runs; Python's own choice is 700 to 2,000
EPILOG = """\
examples:
  tikal serve                           for this computer only
  tikal serve --host 0.0.0.0            also for phones in the same network
  tikal serve --public-url https://tikal.example --no-browser     behind a proxy
"""
NO_CLIENT = """\
The browser client is not installed, so only programs find something there. Installing tikal again builds it; that
needs a way to the npm registry, and that TIKAL_NO_CLIENT is not set. In a clone: make web. 'tikal play' needs none."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Where to listen and where to keep."""
    parser.epilog = EPILOG
    parser.add_argument("--host", default="127.0.0.1", help="where to listen (default 127.0.0.1: this computer only)")
    parser.add_argument("--port", type=int, default=8088, metavar="N", help="the port (default 8088)")
    parser.add_argument("--public-url", metavar="URL", help="the address that people use, if it is another")
    add_database(parser)
    about = "allow webhooks that lead into private networks (for a server at home)"
    parser.add_argument("--private-webhooks", action="store_true", help=about)
    parser.add_argument("--no-browser", action="store_true", help="don't open the browser")
    parser.add_argument("--log-format", choices=("text", "json"), default="text", help="how logs are written (text)")
    parser.add_argument("--new-admin-token", action="store_true", help="make and print another administrator's token")
    about = "who thinks for bots: processes of this server, or 'tikal bot-worker' on any machine (local)"
    parser.add_argument("--bots", choices=("local", "workers"), default="local", help=about)
    parser.add_argument("--bot-workers", type=int, default=1, metavar="N", help="processes for bots (default 1)")
    parser.add_argument("--bot-time", type=int, default=1500, metavar="MS", help="time of a bot's decision (1500)")


def add_database(parser: argparse.ArgumentParser) -> None:
    """The argument that names the database; `tikal migrate` has it too."""
    about = (
        "where games are kept: sqlite:///FILE (default: in your data folder) or postgresql://USER:PASSWORD@HOST/NAME"
    )
    parser.add_argument("--database", metavar="URL", help=about)


def database_of(args: argparse.Namespace) -> str:
    """The database that was named, or the file in the user's data folder."""
    return args.database or f"sqlite:///{data_folder() / 'server.db'}"


def run(args: argparse.Namespace) -> int:
    """Serve until interrupted."""
    _check(args)
    import uvicorn

    from tikal.server import logs
    from tikal.server.admin import make_token
    from tikal.server.app import create_app
    from tikal.server.config import Config
    from tikal.server.invite import serving_at
    from tikal.server.migrate import migrate
    from tikal.server.workers import check_queue

    config = Config(
        database_of(args),
        args.host,
        args.port,
        args.public_url,
        client_folder(),
        args.bot_workers,
        args.bot_time,
        bots=args.bots,
        private_webhooks=args.private_webhooks,
    )
    logs.configure(args.log_format)
    if args.bots == "workers":
        check_queue(config.database)
    migrate(config.database)  # here, so that a database that can't be used is told in one line
    token = make_token(config.database, again=args.new_admin_token)
    if token is not None:  # on standard output: logs are on the other
        print(f"The administrator's token, which is shown only now: {token}", flush=True)
    server = uvicorn.Server(
        uvicorn.Config(
            create_app(config),
            args.host,
            args.port,
            ws="websockets-sansio",
            ws_max_size=2 * config.body,
            log_config=None,  # ours, see above
            ws_per_message_deflate=False,  # every update would be deflated apart, for every socket
            access_log=False,  # addresses of tables are invitations: they don't belong into logs
            log_level="warning",
            server_header=False,
            timeout_graceful_shutdown=5,
        )
    )
    addresses = serving_at(config)
    if args.log_format == "text":
        print(f"Tikal is served at {' and '.join(addresses)} (end with Ctrl+C)", file=sys.stderr)
        if len(addresses) > 1:
            _show_code(addresses[1])
        if config.client is None:
            print(NO_CLIENT, file=sys.stderr)
    if config.client is not None and not args.no_browser:
        _open_browser(addresses[0])
    _collect_seldom()
    server.run()
    return 0 if server.started else 2


def _collect_seldom() -> None:
    """Most of what a server makes is freed without the collector, which would look through tables again and again."""
    gc.collect()
    gc.freeze()  # what is there now stays
    gc.set_threshold(NEW_OBJECTS)


def client_folder() -> Path | None:
    """The browser client, if it is installed with the package."""
    import tikal

    folder = Path(tikal.__path__[0]) / "client"
    return folder if (folder / "index.html").is_file() else None


def _check(args: argparse.Namespace) -> None:
    if not 1 <= args.port <= 65535:
        raise TikalError("usage", f"--port {args.port}: must be from 1 to 65535")
    if not 1 <= args.bot_workers <= 64:
        raise TikalError("usage", f"--bot-workers {args.bot_workers}: must be from 1 to 64")
    if not 1 <= args.bot_time <= 3_600_000:
        raise TikalError("usage", f"--bot-time {args.bot_time}: must be from 1 to 3600000")
    if args.public_url and not args.public_url.startswith(("http://", "https://")):
        raise TikalError("usage", f"--public-url {args.public_url}: must begin with http:// or https://")


def _show_code(url: str) -> None:
    """The address as a QR code for phones, where a terminal can show it."""
    from tikal.server.invite import qr_terminal

    code = qr_terminal(url)
    try:
        code.encode(sys.stderr.encoding or "ascii")
    except UnicodeEncodeError:
        return
    print(code, file=sys.stderr)


def _open_browser(url: str) -> None:
    """Opens the browser when the server has had a moment to start."""
    import threading
    import webbrowser

    threading.Timer(1.0, webbrowser.open, [url]).start()

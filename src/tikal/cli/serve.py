"""`tikal serve`: the server for online tables."""

from __future__ import annotations

import argparse
import gc
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tikal.cli.files import data_folder
from tikal.cli.slow import notice
from tikal.rules.errors import TikalError

if TYPE_CHECKING:
    from uvicorn import Server

    from tikal.server.config import Config

NEW_OBJECTS = 50_000  # new objects before the collector runs; Python's default is 700 to 2,000
OPEN_FILES = 65_536  # more than the connections of a server
EPILOG = """\
examples:
  tikal serve                           on this computer only
  tikal serve --host 0.0.0.0            also for phones on the same network
  tikal serve --public-url https://tikal.example --no-browser     behind a proxy
"""
NO_CLIENT = """\
The browser client is not installed, so only programs can use this server. Reinstall tikal to build it: that needs
access to the npm registry, and TIKAL_NO_CLIENT must not be set. In a clone: make web. 'tikal play' works without it."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The address, the database, the bots, and the logs."""
    parser.epilog = EPILOG
    parser.add_argument("--host", default="127.0.0.1", help="where to listen (default 127.0.0.1: this computer only)")
    parser.add_argument("--port", type=int, default=8088, metavar="N", help="the port (default 8088)")
    parser.add_argument("--public-url", metavar="URL", help="the address that players use, if it differs")
    add_database(parser)
    about = "allow webhooks to private networks (for a server at home)"
    parser.add_argument("--private-webhooks", action="store_true", help=about)
    parser.add_argument("--no-browser", action="store_true", help="don't open the browser")
    parser.add_argument(
        "--log-format", choices=("text", "json"), default="text", help="the format of the logs (default text)"
    )
    parser.add_argument("--new-admin-token", action="store_true", help="create and print a new administrator token")
    about = "what runs the bots: this server, or 'tikal bot-worker' on any machine (default local)"
    parser.add_argument("--bots", choices=("local", "workers"), default="local", help=about)
    parser.add_argument("--bot-workers", type=int, default=2, metavar="N", help="processes for bots (default 2)")
    parser.add_argument(
        "--bot-time", type=int, default=1500, metavar="MS", help="time a bot has for a decision (default 1500)"
    )


def add_database(parser: argparse.ArgumentParser) -> None:
    """The argument that names the database; `tikal migrate` has it too."""
    about = (
        "where games are kept: sqlite:///FILE (default: in your data folder) or postgresql://USER:PASSWORD@HOST/NAME"
    )
    parser.add_argument("--database", metavar="URL", help=about)


def database_of(args: argparse.Namespace) -> str:
    """The given database, or the file in the user's data folder."""
    return args.database or f"sqlite:///{data_folder() / 'server.db'}"


def run(args: argparse.Namespace) -> int:
    """Serve until interrupted."""
    _check(args)
    from tikal.server.bots.remote import check_queue
    from tikal.server.config import Config
    from tikal.server.database.lock import ServerLock
    from tikal.server.database.migrate import migrate
    from tikal.server.http.invite import serving_at
    from tikal.server.http.listening import check_free
    from tikal.server.operation import log_format
    from tikal.server.operation.admin import make_token

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
    log_format.configure(args.log_format)
    if args.bots == "workers":
        check_queue(config.database)
    migrate(config.database)  # here, so that an unusable database is one line of error
    with ServerLock(config.database):
        pass  # so is a database in use; the server takes the lock for good when it starts
    check_free(args.host, args.port)
    token = make_token(config.database, again=args.new_admin_token)
    if token is not None:  # on standard output: the logs go to standard error
        print(f"The administrator token (shown only this once): {token}", flush=True)
    server = _server(config)
    addresses = serving_at(config)
    if args.log_format == "text":
        _announce(addresses, client=config.client is not None)
    if config.client is not None and not args.no_browser:
        _open_browser(addresses[0])
    _collect_seldom()
    _allow_many_files()
    server.run()
    return 0 if server.started else 2


def _server(config: Config) -> Server:
    from uvicorn import Server

    from tikal.server.app import create_app
    from tikal.server.http.listening import settings

    return Server(settings(create_app(config), config))


def _announce(addresses: Sequence[str], *, client: bool) -> None:
    """Print where the server is, and what is missing."""
    print(f"Tikal is running at {' and '.join(addresses)} (stop with Ctrl+C)", file=sys.stderr)
    if len(addresses) > 1:
        _show_code(addresses[1])
    if not client:
        print(NO_CLIENT, file=sys.stderr)
    if slow := notice():
        print(slow, file=sys.stderr)


def _collect_seldom() -> None:
    """Makes the collector run seldom: it would scan all tables each time, and most objects are freed without it."""
    gc.collect()
    gc.freeze()  # exempt all existing objects
    gc.set_threshold(NEW_OBJECTS)


def _allow_many_files() -> None:
    """Raises this process's limit of open files, often 1024, as far as it may: each connection is one."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < OPEN_FILES:
        resource.setrlimit(resource.RLIMIT_NOFILE, (OPEN_FILES if hard < 0 else min(hard, OPEN_FILES), hard))


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
    """Print the address as a QR code for phones, if the terminal can show it."""
    from tikal.server.http.invite import qr_terminal

    code = qr_terminal(url)
    try:
        code.encode(sys.stderr.encoding or "ascii")
    except UnicodeEncodeError:
        return
    print(code, file=sys.stderr)


def _open_browser(url: str) -> None:
    """Opens the browser after the server has had a moment to start."""
    import threading
    import webbrowser

    threading.Timer(1.0, webbrowser.open, [url]).start()

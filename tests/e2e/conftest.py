"""A real server, a real browser, and people who use both. One server and one browser at a time per worker."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.e2e.visitor import AXE, PATIENCE, ROOT, Visit, Visitor
from tests.e2e.wire import Wire
from tikal.cli.serve import client_folder

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]

expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="session")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a fresh server."""
    assert client_folder(), "the browser client is not built: make web"
    assert AXE.is_file(), "the client's libraries are not there: make setup"
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    folder = tmp_path_factory.mktemp("server")
    command = [sys.executable, "-m", "tests.e2e.serving", str(port), f"sqlite:///{folder / 'server.db'}"]
    with (folder / "said").open("w") as said, subprocess.Popen(command, cwd=ROOT, stderr=said) as server:
        try:
            wait_for_server(f"http://127.0.0.1:{port}/api/health", server, folder / "said")
            yield f"http://localhost:{port}"
        finally:
            server.terminate()


def wait_for_server(url: str, server: subprocess.Popen[bytes], said: Path) -> None:
    """Until it answers; if it ends instead, tell what it said."""
    while server.poll() is None:
        with contextlib.suppress(OSError), urllib.request.urlopen(url):
            return
        time.sleep(0.1)
    raise RuntimeError(f"the server ended: {said.read_text()}")


# Not for the whole session: while Playwright runs, no other test of this process could run an event loop.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Debian's chromium, or the one that TIKAL_CHROMIUM names."""
    chromium = os.environ.get("TIKAL_CHROMIUM") or shutil.which("chromium")
    assert chromium, "no chromium: install Debian's, or say where one is with TIKAL_CHROMIUM"
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield started
        started.close()


@pytest.fixture
def visit(browser: Browser, base: str) -> Iterator[Visit]:
    """Browsers of as many people as are called for; all of them must have been content in the end."""
    visitors: list[Visitor] = []

    def arrive(size: str = "desktop", at: str = base, **wishes: Any) -> Visitor:
        visitors.append(Visitor.arrive(browser, at, size, **wishes))
        return visitors[-1]

    yield arrive
    for visitor in visitors:
        visitor.leave()


@pytest.fixture
def wire(base: str) -> Iterator[Wire]:
    """A wire to the server that can be cut."""
    wire = Wire(base)
    yield wire
    wire.close()


@pytest.fixture
def visitor(visit: Visit) -> Visitor:
    """One person at a desktop."""
    return visit()

"""A server and a browser, as long as they are needed; the benchmark of the client uses them too."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests.e2e.visitor import AXE, ROOT
from tests.kit.ports import free_port
from tikal.cli.serve import client_folder

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]


@contextlib.contextmanager
def serving(folder: Path, bot_ms: int = 50) -> Iterator[str]:
    """A fresh server, its database in a folder; its address. Bots think for a short time, unless told otherwise."""
    assert client_folder(), "the browser client is not built: make web"
    assert AXE.is_file(), "the client's libraries are not there: make setup"
    port = free_port()
    command = [sys.executable, "-m", "tests.e2e.serving", str(port), f"sqlite:///{folder / 'server.db'}", str(bot_ms)]
    with (folder / "said").open("w") as said, subprocess.Popen(command, cwd=ROOT, stderr=said) as server:
        try:
            _wait_for(f"http://127.0.0.1:{port}/api/health", server, folder / "said")
            yield f"http://localhost:{port}"
        finally:
            server.terminate()


def _wait_for(url: str, server: subprocess.Popen[bytes], said: Path) -> None:
    """Waits until it answers; if it ends instead, shows its output."""
    while server.poll() is None:
        with contextlib.suppress(OSError), urllib.request.urlopen(url):
            return
        time.sleep(0.1)
    raise RuntimeError(f"the server ended: {said.read_text()}")


@contextlib.contextmanager
def browsing() -> Iterator[Browser]:
    """Debian's chromium, or the one that TIKAL_CHROMIUM names."""
    chromium = os.environ.get("TIKAL_CHROMIUM") or shutil.which("chromium")
    assert chromium, "no chromium: install Debian's, or say where one is with TIKAL_CHROMIUM"
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield started
        started.close()

"""Logs without secrets, and a clean shutdown of the server."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from tests.kit.ports import free_port
from tests.server.conftest import Somebody, hear, send
from tikal.server.accounts.tokens import digest, new_token
from tikal.server.operation import log_format


@pytest.fixture
def lines(capsys: pytest.CaptureFixture[str]) -> Iterator[Callable[[], str]]:
    """The output on standard error; the loggers are restored afterwards."""
    root, ours = logging.getLogger(), logging.getLogger("tikal")
    before = root.handlers[:], root.level, ours.level
    yield lambda: capsys.readouterr().err
    root.handlers[:], root.level, ours.level = before


def test_every_line_is_a_json_object(lines: Callable[[], str]) -> None:
    log_format.configure("json")
    log = logging.getLogger("tikal.server")
    log.info("settings were changed", extra={"facts": {"bot_ms": 500}})
    log.debug("not told")
    try:
        raise OSError("disk\nfull")
    except OSError:
        log.exception("a fault: %s", "two\nlines")
    told = [json.loads(line) for line in lines().splitlines()]
    assert [(row["level"], row["from"]) for row in told] == [("info", "tikal.server"), ("error", "tikal.server")]
    assert told[0]["bot_ms"] == 500 and told[0]["at"].endswith("+00:00")
    assert told[1]["text"] == "a fault: two\nlines" and "OSError: disk\nfull" in told[1]["fault"]


def test_text_logs_contain_only_problems(lines: Callable[[], str]) -> None:
    log_format.configure("text")
    log = logging.getLogger("tikal.server")
    log.info("not told")
    log.warning("a bot's worker failed: %s", "TimeoutError", extra={"facts": {"level": "digger"}})
    told = lines()
    assert told.endswith(" warning a bot's worker failed: TimeoutError level=digger\n") and told.count("\n") == 1


@pytest.mark.parametrize("form", log_format.FORMATS)
def test_secrets_are_struck_out_wherever_they_stand(lines: Callable[[], str], form: str) -> None:
    log_format.configure(form)
    token, seed, table = new_token(), secrets.token_hex(32), secrets.token_urlsafe(16)
    person = secrets.token_hex(12)
    hidden = [token, digest(token), seed, table, person, "pa55word"]
    log = logging.getLogger("tikal.server")
    texts = [token, f"'{seed}'", f"GET /api/tables/{table}/events", f"https://tikal.example/link#{token}", person]
    texts += [f"/table/{table}", f"/replay/{table}?at=3", digest(token), "postgresql://ann:pa55word@db/tikal"]
    for text in texts:
        log.error("told %s", text, extra={"facts": {"address": text}})
        try:
            raise ValueError(text)
        except ValueError:
            log.exception("a fault")
    told = lines()
    assert told.count("***") >= 3 * len(texts) and not [secret for secret in hidden if secret in told]


@contextlib.contextmanager
def served(folder: Path, *words: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """`tikal serve` as its own process."""
    port = free_port()
    command = [sys.executable, "-m", "tikal.cli", "serve", "--no-browser", "--port", str(port)]
    command += ["--database", f"sqlite:///{folder / 'server.db'}", *words]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        base = f"http://127.0.0.1:{port}"
        for _ in range(600):
            with contextlib.suppress(httpx.TransportError):
                if httpx.get(f"{base}/api/health", verify=False).is_success:
                    break
            assert process.poll() is None, process.communicate()
            time.sleep(0.1)
        yield process, base
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


def workers_of(process: subprocess.Popen[str]) -> set[int]:
    """The processes that a server has started, as far as Linux reports them."""
    found = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    return {int(word) for word in found.read_text().split()} if found.exists() else set()


@pytest.mark.slow
def test_a_server_ends_in_good_order(tmp_path: Path) -> None:
    async def use(process: subprocess.Popen[str], base: str) -> tuple[str, str, int]:
        async with httpx.AsyncClient(base_url=base) as client:
            token = (await client.post("/api/people", json={"name": "Ann"})).json()["token"]
        ann = Somebody(base, token, "Ann")
        table = (await ann.post("/tables", {"seats": ["me", "bot:professor"]}))["id"]
        await ann.post(f"/tables/{table}/start")
        async with ann.socket() as socket:
            await send(socket, type="watch", table=table)
            offer = (await hear(socket, "update"))["offer"]
            actions = [offer["actions"][0]["action"], "."]
            await send(socket, type="play", table=table, id="a", on=1, actions=actions)
            kept = (await hear(socket, "ack"))["seq"]
            process.send_signal(signal.SIGTERM)
            with pytest.raises(ConnectionClosed) as closed:
                await hear(socket, "never")
            assert closed.value.rcvd is not None and closed.value.rcvd.code == 1012
        await ann.http.aclose()
        return table, token, kept

    with served(tmp_path, "--log-format", "json", "--bot-time", "60000") as (process, base):
        table, token, kept = asyncio.run(use(process, base))
        children = workers_of(process)
        out, err = process.communicate(timeout=60)
        assert process.returncode in (0, -signal.SIGTERM)
    for _ in range(600):
        if not any(Path(f"/proc/{child}").exists() for child in children):
            break
        time.sleep(0.1)
    else:
        raise AssertionError("a worker was left behind")
    assert "The administrator token" in out
    rows = [json.loads(line) for line in err.splitlines()]
    assert [row["text"] for row in rows][:1] == ["open"] and rows[-1]["text"] == "closed"
    secret = out.split()[-1]
    assert not [word for word in (secret, token, table) if word in err]
    with served(tmp_path) as (process, base):
        told = httpx.get(f"{base}/api/tables/{table}?since=0", verify=False).json()
        assert told["seq"] >= kept
        os.kill(process.pid, signal.SIGINT)
        out, _ = process.communicate(timeout=60)
    assert out == ""  # the token was printed once

"""The examples of docs/operation.md work: two processes by the unit's command, behind nginx with that configuration."""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import shlex
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

from tests.kit.ports import free_port
from tests.server.players import Crowd, Server
from tikal.cli.main import parser_for
from tikal.server.config import Config
from tikal.server.http.listening import settings

FOLDER = Path(__file__).parents[2] / "docs" / "operation"
MAIN = """
daemon off;
{user}
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{ worker_connections 512; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/site.conf;
}}
"""


def command(unit: str, **values: str) -> list[str]:
    """The words after `tikal` of a unit's command."""
    text = (FOLDER / unit).read_text("utf-8")
    line = re.search(r"^ExecStart=\S+/tikal (.*)$", text, re.M)
    assert line is not None
    filled = re.sub(r"\$\{(\w+)\}|%(i)", lambda found: values[found[1] or found[2]], line[1])
    return shlex.split(filled)


def listens(port: int) -> bool:
    """Whether a process accepts connections on a port of this machine."""
    try:
        socket.create_connection(("127.0.0.1", port)).close()
    except OSError:
        return False
    return True


@contextmanager
def nginx(folder: Path, port: int, backends: list[int], plain: int | None = None) -> Iterator[str]:
    """The documented site, with these ports; returns its address."""
    program = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
    assert program, "nginx is needed: apt-get install nginx"
    folder.mkdir()
    site = (FOLDER / "nginx.conf").read_text("utf-8")
    site = re.sub(r"\n *ssl_certificate.*", "", site)  # a test has none
    for was, now in (
        ("listen 80;", f"listen 127.0.0.1:{free_port()};" if plain is None else f"listen 127.0.0.1:{plain};"),
        ("listen 443 ssl;", f"listen 127.0.0.1:{port};"),
        (":8081 ", f":{backends[0]} "),
        (":8082 ", f":{backends[1]} "),
    ):
        assert site.count(was) == 1
        site = site.replace(was, now)
    (folder / "site.conf").write_text(site, "utf-8")
    user = "user root;" if os.geteuid() == 0 else ""  # its own user may not enter the folders of tests
    (folder / "nginx.conf").write_text(MAIN.format(folder=folder, user=user), "utf-8")
    words = [program, "-c", str(folder / "nginx.conf"), "-e", str(folder / "error.log")]
    process = subprocess.Popen(words)
    try:
        while not listens(port):
            assert process.poll() is None, "nginx did not start"
            time.sleep(0.02)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait()


async def played_through(folder: Path, database: str) -> int:
    port = free_port()
    servers = [Server(folder, database), Server(folder, database)]
    for server in servers:
        values = {"i": str(server.port), "TIKAL_URL": f"http://127.0.0.1:{port}", "TIKAL_DATABASE": database}
        server.words = (*command("tikal@.service", **values), "--bot-time", "20")
    try:
        for server in servers:
            await server.start()
        with nginx(folder / "nginx", port, [server.port for server in servers]) as base:
            async with Crowd([base], random.Random(3)) as crowd:
                await crowd.must_move()
                for server in servers:
                    server.kill()
                    await crowd.must_move()
                    await server.start()
                await crowd.must_move()
            return await crowd.check(base)
    finally:
        for server in servers:
            server.kill()


@pytest.mark.long
def test_games_go_on_behind_nginx_when_a_process_is_killed(tmp_path: Path, database: str) -> None:
    assert asyncio.run(played_through(tmp_path, database)) > 10


def test_http_leads_to_https_and_browsers_remember_it(tmp_path: Path) -> None:
    port, plain = free_port(), free_port()
    site = nginx(tmp_path / "nginx", port, [free_port(), free_port()], plain)
    with site as base, httpx.Client(headers={"host": "tikal.example"}) as client:
        moved = client.get(f"http://127.0.0.1:{plain}/table/x?y=1")
        assert (moved.status_code, moved.headers["location"]) == (308, "https://tikal.example/table/x?y=1")
        assert client.get(base).headers["strict-transport-security"].startswith("max-age=")


@pytest.mark.parametrize("unit", ["tikal.service", "tikal@.service", "tikal-bots.service"])
def test_units_keep_others_out_and_bound_the_memory(unit: str) -> None:
    lines = (FOLDER / unit).read_text("utf-8").splitlines()
    assert "UMask=0077" in lines and any(line.startswith("MemoryMax=") for line in lines)


def test_containers_run_existing_commands() -> None:
    root = FOLDER.parents[1]
    text = (root / "Containerfile").read_text("utf-8")
    copied = re.search(r"^CMD (.*)$", text, re.M)
    assert copied is not None and parser_for(["serve"]).parse_args(json.loads(copied[1])).no_browser
    for file in re.findall(r"-r (\S+)", text):
        assert (root / file).is_file()
    compose = (root / "compose.yaml").read_text("utf-8")
    served = re.search(r"^    command: (serve .*)$", compose, re.M)
    assert served is not None
    args = parser_for(["serve"]).parse_args(shlex.split(served[1]))
    assert args.no_browser and args.database.startswith("postgresql://")
    mounted = re.search(r"\./(\S+):/etc/caddy/Caddyfile:ro", compose)
    assert mounted is not None and "Strict-Transport-Security" in (root / mounted[1]).read_text("utf-8")


@pytest.mark.parametrize("unit", ["tikal@.service", "tikal-bots.service"])
def test_units_run_existing_commands(unit: str) -> None:
    words = command(unit, i="8081", TIKAL_URL="https://tikal.example", TIKAL_DATABASE="postgresql://tikal@host/tikal")
    args = parser_for([words[0]]).parse_args(words)
    assert args.database == "postgresql://tikal@host/tikal"


def test_the_unit_for_one_process_keeps_its_games_where_the_service_may_write() -> None:
    words = command("tikal.service", TIKAL_URL="https://tikal.example")
    args = parser_for([words[0]]).parse_args(words)
    assert args.database is None and args.public_url == "https://tikal.example"
    lines = (FOLDER / "tikal.service").read_text("utf-8").splitlines()
    assert "StateDirectory=tikal" in lines and any("XDG_DATA_HOME=/var/lib/tikal" in line for line in lines)


def test_idle_connections_are_given_up_by_the_other_side_before_the_server_closes_them() -> None:
    nginx_s = re.search(r"^ *keepalive_timeout (\d+)s;$", (FOLDER / "nginx.conf").read_text("utf-8"), re.M)
    caddy_s = re.search(r"^\s*keepalive (\d+)s$", (FOLDER / "Caddyfile").read_text("utf-8"), re.M)
    assert nginx_s is not None and caddy_s is not None
    server = settings(FastAPI(), Config("sqlite:///unused.db"))
    for seconds in (int(nginx_s[1]), int(caddy_s[1]), httpx.Limits().keepalive_expiry):
        assert seconds is not None and seconds < server.timeout_keep_alive

"""What docs/operation.md shows works: two processes by the unit's command, behind nginx with that configuration."""

from __future__ import annotations

import asyncio
import os
import random
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.ports import free_port
from tests.server.players import Crowd, Server
from tikal.cli.main import parser_for

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


@contextmanager
def nginx(folder: Path, port: int, backends: list[int]) -> Iterator[str]:
    """The documented site, with these ports; where it is served."""
    program = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
    assert program, "nginx is needed: apt-get install nginx"
    folder.mkdir()
    site = (FOLDER / "nginx.conf").read_text("utf-8")
    for was, now in (
        ("listen 80;", f"listen 127.0.0.1:{port};"),
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


@pytest.mark.slow
def test_games_go_on_behind_nginx_when_a_process_is_killed(tmp_path: Path, database: str) -> None:
    assert asyncio.run(played_through(tmp_path, database)) > 10


@pytest.mark.parametrize("unit", ["tikal@.service", "tikal-bots.service"])
def test_units_run_commands_that_there_are(unit: str) -> None:
    words = command(unit, i="8081", TIKAL_URL="https://tikal.example", TIKAL_DATABASE="postgresql://tikal@host/tikal")
    args = parser_for([words[0]]).parse_args(words)
    assert args.database == "postgresql://tikal@host/tikal"

"""A server in the test's event loop, and people who use it: requests reach it directly, WebSockets by a real socket."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx
import pytest
import uvicorn
from fastapi.routing import APIRoute
from pydantic import BaseModel
from websockets.asyncio.client import ClientConnection, connect

from tests.kit.once import common_folder
from tests.kit.ports import free_port
from tests.server.postgres import TEMPLATE, Postgres, shared_server
from tikal.server.app import create_app
from tikal.server.config import Config
from tikal.server.database.migrate import migrate
from tikal.server.http import admin_api, api, listening, messages, responses
from tikal.server.live.clocks import Time
from tikal.server.live.hub import Hub

Json = dict[str, Any]
PATIENCE_S = 120  # a machine with other work to do is no reason to fail
FREE = {"rate": 1e6, "burst": 10**6, "new_people": 1e6, "new_people_burst": 10**6, "logins": 1e6, "logins_burst": 10**6}
FREE |= {"new_tables": 1e6, "new_tables_burst": 10**6, "open_each": 10**6}
FREE |= {"open_address": 10**6, "webhooks": 1e6, "webhooks_burst": 10**6}
FREE |= {"records": 1e6, "records_burst": 10**6, "lines": 1e6, "lines_burst": 10**6}


async def check_answer(answer: httpx.Response) -> None:
    """Every answer in any test has the schema that the OpenAPI document promises."""
    await answer.aread()
    told = answer.headers.get("content-type") == "application/json" and answer.content
    if not told or answer.url.path == "/api/openapi.json":
        return
    shape: type[BaseModel] | None = responses.ProblemBody
    if answer.url.path == "/api/health":
        shape = responses.Health
    elif answer.is_success:
        everything = [*api.router.routes, *admin_api.router.routes]
        routes = [route for route in everything if isinstance(route, APIRoute)]
        routes = [route for route in routes if answer.request.method in (route.methods or ())]
        route = next(route for route in routes if route.path_regex.match(answer.url.path))
        assert answer.status_code == route.status_code or (answer.status_code, route.status_code) == (200, None)
        shape = route.response_model
    assert shape is not None
    shape.model_validate_json(answer.content, strict=True)


def plain_client(base: str, **settings: Any) -> httpx.AsyncClient:
    """A client for a server without TLS: it loads no certificates, which would take longer than most tests."""
    return httpx.AsyncClient(base_url=base, timeout=PATIENCE_S, verify=False, **settings)


class Somebody:
    """A person, or a stranger, with an HTTP client and sockets."""

    def __init__(self, base: str, token: str | None, name: str, **settings: Any) -> None:
        self.base, self.token, self.name = base, token, name
        self.headers = {"authorization": f"Bearer {token}"} if token else {}
        hooks: dict[str, list[Callable[..., Any]]] = {"response": [check_answer]}
        self.http = plain_client(base, headers=self.headers, event_hooks=hooks, **settings)

    async def ask(self, method: str, path: str, body: Any = None, **more: Any) -> httpx.Response:
        return await self.http.request(method, f"/api{path}", json=body, **more)

    async def get(self, path: str) -> Json:
        answer = await self.ask("GET", path)
        assert answer.status_code == 200, answer.text
        result: Json = answer.json()
        return result

    async def post(self, path: str, body: Any = None, method: str = "POST") -> Json:
        answer = await self.ask(method, path, body)
        assert answer.status_code in (200, 201, 204), answer.text
        result: Json = answer.json()
        return result

    async def events(self, table: str) -> list[Json]:
        """The whole log of a table, page by page."""
        found: list[Json] = []
        while True:
            page = await self.get(f"/tables/{table}/events?since={len(found)}")
            found += page["events"]
            if len(found) == page["seq"]:
                return found

    async def refused(self, method: str, path: str, body: Any = None) -> str:
        """The code of a request's refusal."""
        answer = await self.ask(method, path, body)
        assert 400 <= answer.status_code < 500, answer.text
        assert answer.json()["error"]["text"]
        code: str = answer.json()["error"]["code"]
        return code

    def socket(self, **headers: str) -> connect:
        origin = {} if self.token else {"origin": self.base}
        address = f"{self.base.replace('http', 'ws')}/api/live"
        return connect(address, additional_headers=self.headers | origin | headers, max_size=None)


class Site:
    """A running server."""

    def __init__(
        self, base: str, hub: Hub, server: uvicorn.Server, direct: httpx.AsyncBaseTransport | None = None
    ) -> None:
        self.base, self.hub, self.server, self.direct = base, hub, server, direct
        self.people: list[Somebody] = []

    async def person(self, name: str) -> Somebody:
        async with plain_client(self.base, transport=self.direct) as client:
            answer = await client.post("/api/people", json={"name": name})
        assert answer.status_code == 201, answer.text
        return self.know(answer.json()["token"], name)

    def know(self, token: str | None, name: str = "") -> Somebody:
        somebody = Somebody(self.base, token, name, transport=self.direct)
        self.people.append(somebody)
        return somebody


@cache
def migrated() -> bytes:
    """A migrated, empty SQLite database: a copy is faster than migrating."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "server.db")
        migrate(f"sqlite:///{path}")
        return path.read_bytes()


def copied(folder: Path) -> str:
    """The address of the database in a folder: the existing one, or a fresh one."""
    path = folder / "server.db"
    if not path.exists():
        path.write_bytes(migrated())
    return f"sqlite:///{path}"


class Prompt(uvicorn.Server):
    """Ends as soon as it is told to: uvicorn itself looks ten times in a second."""

    async def main_loop(self) -> None:
        await self.on_tick(0)
        while not self.should_exit:
            await asyncio.sleep(0.01)


@asynccontextmanager
async def serving(folder: Path, time: Time | None = None, **settings: Any) -> AsyncIterator[Site]:
    """A server for the length of a block; a second one in the same folder finds the data of the first."""
    if "database" not in settings:
        settings["database"] = copied(folder)
    # A slow machine is not a hung bot: only the tests about those set a short grace.
    chosen: Json = {"bot_ms": 30, "bot_grace_ms": 60_000, **FREE, **settings}
    config = Config(**chosen, port=free_port())
    app = create_app(config, time)
    server = Prompt(listening.settings(app, config))
    task = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
        assert not task.done(), "the server did not start"
    # Calls the application as uvicorn would, but without a socket; its errors become answers here, too.
    direct = httpx.ASGITransport(server.config.loaded_app, raise_app_exceptions=False)
    site = Site(f"http://127.0.0.1:{config.port}", app.state.hub, server, direct)
    try:
        yield site
    finally:
        for somebody in site.people:
            await somebody.http.aclose()
        server.should_exit = True
        await task


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Iterator[Postgres]:
    """A real PostgreSQL, one for all workers of a test run."""
    with shared_server(common_folder(tmp_path_factory, worker_id)) as server:
        yield server


@pytest.fixture
def database(postgres: Postgres) -> Iterator[str]:
    """A migrated, empty PostgreSQL database."""
    with postgres.database(TEMPLATE) as address:
        yield address


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A migrated, empty database of each kind."""
    if request.param == "sqlite":
        return copied(tmp_path)
    return str(request.getfixturevalue("database"))


@pytest.fixture(params=["sqlite", "postgresql"])
def empty(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A database of each kind without any table."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'empty.db'}"
    else:
        postgres: Postgres = request.getfixturevalue("postgres")
        with postgres.database() as address:
            yield address


class Hands(Time):
    """A clock that the test sets."""

    def __init__(self) -> None:
        self.ms = 1_700_000_000_000
        self._asleep: set[asyncio.Event] = set()

    def now(self) -> int:
        return self.ms

    async def wait(self, until: int, sooner: asyncio.Event) -> None:
        if until > self.ms:
            self._asleep.add(sooner)
            await sooner.wait()

    def advance(self, seconds: float) -> None:
        self.ms += int(seconds * 1000)
        for event in self._asleep:
            event.set()
        self._asleep.clear()


Scenario = Callable[[Site], Coroutine[Any, Any, None]]


@pytest.fixture
def play_out(tmp_path: Path) -> Callable[..., None]:
    """Runs a scenario against a fresh server."""

    def run(scenario: Scenario, **settings: Any) -> None:
        async def whole() -> None:
            async with serving(tmp_path, **settings) as site:
                await asyncio.wait_for(scenario(site), 2 * PATIENCE_S)

        asyncio.run(whole())

    return run


async def send(socket: ClientConnection, **message: Any) -> None:
    await socket.send(json.dumps(message))


async def hear(socket: ClientConnection, kind: str | None = None) -> Json:
    """The next message, or the next of a kind."""
    while True:
        text = await asyncio.wait_for(socket.recv(), PATIENCE_S)
        messages.ServerMessage.model_validate_json(text, strict=True)
        message: Json = json.loads(text)
        if kind is None or message["type"] == kind:
            return message


def choose(offer: Json, rng: random.Random) -> str:
    """An action of an offer: work before walking, and the end of the turn only sometimes."""
    actions: list[str] = [row["action"] for row in offer["actions"]]
    others = [action for action in actions if action != "."]
    return rng.choice(others) if others and rng.random() < 0.8 else rng.choice(actions)

"""A server on a real socket, in the test's own event loop, and people who use it."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn
from fastapi.routing import APIRoute
from pydantic import BaseModel
from websockets.asyncio.client import ClientConnection, connect

from tests.ports import free_port
from tests.server.postgres import Postgres, shared_server
from tikal.server import admin_api, answers, api
from tikal.server.app import create_app
from tikal.server.clocks import Time
from tikal.server.config import Config
from tikal.server.hub import Hub

Json = dict[str, Any]
FREE = {"rate": 1e6, "burst": 10**6, "new_people": 1e6, "new_people_burst": 10**6, "logins": 1e6, "logins_burst": 10**6}
FREE |= {"records": 1e6, "records_burst": 10**6, "lines": 1e6, "lines_burst": 10**6}


async def check_answer(answer: httpx.Response) -> None:
    """Every answer that any test gets has the shape that the OpenAPI document promises."""
    await answer.aread()
    told = answer.headers.get("content-type") == "application/json" and answer.content
    if not told or answer.url.path == "/api/openapi.json":
        return
    shape: type[BaseModel] | None = answers.ProblemBody
    if answer.is_success:
        everything = [*api.router.routes, *admin_api.router.routes]
        routes = [route for route in everything if isinstance(route, APIRoute)]
        routes = [route for route in routes if answer.request.method in (route.methods or ())]
        route = next(route for route in routes if route.path_regex.match(answer.url.path))
        assert answer.status_code == route.status_code or (answer.status_code, route.status_code) == (200, None)
        shape = route.response_model
    assert shape is not None
    shape.model_validate_json(answer.content, strict=True)


class Somebody:
    """A person, or a stranger, with a client of HTTP and sockets."""

    def __init__(self, base: str, token: str | None, name: str) -> None:
        self.base, self.token, self.name = base, token, name
        self.headers = {"authorization": f"Bearer {token}"} if token else {}
        hooks: dict[str, list[Callable[..., Any]]] = {"response": [check_answer]}
        self.http = httpx.AsyncClient(base_url=base, headers=self.headers, timeout=60, event_hooks=hooks)

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

    async def refused(self, method: str, path: str, body: Any = None) -> str:
        """The code for which a request was refused."""
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

    def __init__(self, base: str, hub: Hub) -> None:
        self.base, self.hub = base, hub
        self.people: list[Somebody] = []

    async def person(self, name: str) -> Somebody:
        async with httpx.AsyncClient(base_url=self.base) as client:
            answer = await client.post("/api/people", json={"name": name})
        assert answer.status_code == 201, answer.text
        return self.know(answer.json()["token"], name)

    def know(self, token: str | None, name: str = "") -> Somebody:
        somebody = Somebody(self.base, token, name)
        self.people.append(somebody)
        return somebody


@asynccontextmanager
async def serving(folder: Path, time: Time | None = None, **settings: Any) -> AsyncIterator[Site]:
    """A server for as long as the block lasts; a second one in the same folder finds what the first has kept."""
    chosen: Json = {"database": f"sqlite:///{folder / 'server.db'}", "bot_ms": 30, **FREE, **settings}
    config = Config(**chosen)
    app = create_app(config, time)
    port = free_port()
    server = uvicorn.Server(
        uvicorn.Config(app, "127.0.0.1", port, ws="websockets-sansio", log_level="warning", ws_max_size=2 * config.body)
    )
    task = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
        assert not task.done(), "the server did not start"
    site = Site(f"http://127.0.0.1:{port}", app.state.hub)
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
    base = tmp_path_factory.getbasetemp()
    with shared_server(base if worker_id == "master" else base.parent) as server:
        yield server


@pytest.fixture
def database(postgres: Postgres) -> Iterator[str]:
    """An empty database of PostgreSQL."""
    with postgres.database() as address:
        yield address


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """An empty database of each kind."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'server.db'}"
    else:
        yield request.getfixturevalue("database")


class Hands(Time):
    """A time that moves when the test says so."""

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
                await asyncio.wait_for(scenario(site), 120)

        asyncio.run(whole())

    return run


async def send(socket: ClientConnection, **message: Any) -> None:
    await socket.send(json.dumps(message))


async def hear(socket: ClientConnection, kind: str | None = None) -> Json:
    """The next message, or the next of a kind."""
    while True:
        text = await asyncio.wait_for(socket.recv(), 60)
        answers.ServerMessage.model_validate_json(text, strict=True)
        message: Json = json.loads(text)
        if kind is None or message["type"] == kind:
            return message


def choose(offer: Json, rng: random.Random) -> str:
    """An action of an offer: work before walking, and the end of the turn only now and then."""
    actions: list[str] = [row["action"] for row in offer["actions"]]
    others = [action for action in actions if action != "."]
    return rng.choice(others) if others and rng.random() < 0.8 else rng.choice(actions)

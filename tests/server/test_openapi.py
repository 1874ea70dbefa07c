"""The OpenAPI document against a running server, by schemathesis: no fault, and answers as promised."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.kit.amounts import amounts
from tests.server.conftest import PATIENCE_S, serving
from tikal.bots import LEVELS
from tikal.server import openapi
from tikal.server.database.migrate import migrate
from tikal.server.operation.admin import make_token

DOCUMENT = openapi.document()
SCHEMA = schemathesis.openapi.from_dict(DOCUMENT)
ENDPOINTS = [(method.upper(), path) for path, endpoints in DOCUMENT["paths"].items() for method in endpoints]
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]


@dataclass
class Served:
    """A server, its administrator's token, and a table where a game of bots is over."""

    base: str
    administrator: str
    finished: str


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server in a thread of its own."""
    folder: Path = tmp_path_factory.mktemp("openapi")
    database = f"sqlite:///{folder / 'server.db'}"
    migrate(database)
    administrator = make_token(database)
    assert administrator is not None
    found: list[str] = []
    ready, done = threading.Event(), threading.Event()

    async def whole() -> None:
        async with serving(folder, bot_ms=10, tables_each=10**6) as site:
            found.append(site.base)
            ready.set()
            await asyncio.to_thread(done.wait)

    thread = threading.Thread(target=lambda: asyncio.run(whole()))
    thread.start()
    assert ready.wait(PATIENCE_S), "the server did not start"
    try:
        with client_of(found[0]) as client:
            become(client, "Zoe")
            finished = client.post("/api/tables", json={"seats": ["bot:tourist", "bot:tourist"]}).json()["id"]
            client.post(f"/api/tables/{finished}/start")
            while client.get(f"/api/tables/{finished}").json()["info"]["state"] != "over":
                time.sleep(0.1)
        yield Served(found[0], administrator, finished)
    finally:
        done.set()
        thread.join(PATIENCE_S)
        assert not thread.is_alive()


def client_of(base: str) -> httpx.Client:
    """A client for a server without TLS: it loads no certificates."""
    return httpx.Client(base_url=base, timeout=PATIENCE_S, verify=False)


def become(client: httpx.Client, name: str) -> str:
    """Becomes a guest; returns the token."""
    token: str = client.post("/api/people", json={"name": name}).json()["token"]
    client.headers["authorization"] = f"Bearer {token}"
    return token


def tables_of(client: httpx.Client, friend: httpx.Client) -> list[str]:
    """The guest's tables: one waits, one is running, one has ended by a vote."""
    rows = (["me", "open"], ["me", "bot:tourist"], ["me", "open"])
    waiting, played, ended = (client.post("/api/tables", json={"seats": seats}).json()["id"] for seats in rows)
    friend.post(f"/api/tables/{ended}/join", json={})
    for table in (played, ended):
        client.post(f"/api/tables/{table}/start")
    for voter in (client, friend):
        voter.post(f"/api/tables/{ended}/vote", json={"id": "v", "end": True})
    assert client.get(f"/api/tables/{ended}").json()["info"]["state"] == "over"
    return [waiting, played, ended]


@pytest.mark.parametrize("requests", amounts(5, long=60))
@pytest.mark.parametrize(("method", "path"), ENDPOINTS, ids=[f"{method} {path}" for method, path in ENDPOINTS])
def test_no_request_finds_a_fault_and_every_answer_fits(served: Served, method: str, path: str, requests: int) -> None:
    base, administrator = served.base, served.administrator
    operation = SCHEMA[path][method]
    cases = [operation.as_strategy(generation_mode=mode) for mode in GenerationMode]
    sent: list[int] = []
    with client_of(base) as client, client_of(base) as friend:
        token = become(client, "Ann")
        become(friend, "Ben")
        mine = tables_of(client, friend) if "{table}" in path else []
        tables = st.sampled_from([*mine, served.finished, "nothing"])

        @settings(
            max_examples=requests,
            derandomize=True,
            deadline=None,
            database=None,
            suppress_health_check=list(HealthCheck),
        )
        @given(case=st.one_of(*cases), table=tables, known=st.sampled_from((True, True, True, False)))
        def asked(case: Any, table: str, known: bool) -> None:
            if "table" in case.path_parameters:
                case.path_parameters["table"] = table
            bearer = administrator if path.startswith("/api/admin") else token
            headers = {"authorization": f"Bearer {bearer}"} if known else {}
            answer = case.call(base_url=base, headers=headers)
            case.validate_response(answer, checks=CHECKS)
            sent.append(answer.status_code)

        asked()
        if path == "/api/admin/settings":  # as it was, for the endpoints that follow
            every = {"registration": True, "levels": list(LEVELS)}
            client.patch(path, json=every, headers={"authorization": f"Bearer {administrator}"}).raise_for_status()
    assert sent

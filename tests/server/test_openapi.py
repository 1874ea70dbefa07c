"""The OpenAPI document against a running server, by schemathesis: no fault, and answers as promised."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
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

from tests.server.conftest import serving
from tikal.bots import LEVELS
from tikal.server import openapi
from tikal.server.admin import make_token
from tikal.server.migrate import migrate

DOCUMENT = openapi.document()
DOORS = [(method.upper(), path) for path, doors in DOCUMENT["paths"].items() for method in doors]
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
EACH = 40  # requests to a door


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """A server in a thread of its own, and its administrator's token."""
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
    assert ready.wait(60), "the server did not start"
    yield found[0], administrator
    done.set()
    thread.join(60)
    assert not thread.is_alive()


def tables_of(client: httpx.Client) -> list[str]:
    """Tables that wait, are played, and are over; and none at all."""
    rows = (["me", "open"], ["me", "bot:tourist"], ["bot:tourist", "bot:tourist"])
    made = [client.post("/api/tables", json={"seats": seats}).json()["id"] for seats in rows]
    for table in made[1:]:
        client.post(f"/api/tables/{table}/start")
    while client.get(f"/api/tables/{made[2]}").json()["info"]["state"] != "over":
        pass
    return [*made, "nothing"]


@pytest.mark.slow
@pytest.mark.parametrize(("method", "path"), DOORS, ids=[f"{method} {path}" for method, path in DOORS])
def test_no_request_finds_a_fault_and_every_answer_fits(served: tuple[str, str], method: str, path: str) -> None:
    base, administrator = served
    schema = schemathesis.openapi.from_dict(DOCUMENT)
    operation = schema[path][method]
    cases = [operation.as_strategy(generation_mode=mode) for mode in GenerationMode]
    sent: list[int] = []
    with httpx.Client(base_url=base, timeout=60) as client:
        token = client.post("/api/people", json={"name": "Ann"}).json()["token"]
        client.headers["authorization"] = f"Bearer {token}"
        tables = st.sampled_from(tables_of(client) if "{table}" in path else ["nothing"])

        @settings(
            max_examples=EACH, derandomize=True, deadline=None, database=None, suppress_health_check=list(HealthCheck)
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
        if path == "/api/admin/settings":  # as it was, for the doors that follow
            every = {"registration": True, "levels": list(LEVELS)}
            client.patch(path, json=every, headers={"authorization": f"Bearer {administrator}"}).raise_for_status()
    assert sent

"""Permissions by state of a table: each cell is tried over HTTP."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from fastapi.routing import APIRoute

from tests.server.conftest import Site, Somebody
from tests.server.tables import finish
from tikal.server.http import api

ROLES = ("stranger", "passer-by", "player", "owner")
TURN: dict[str, Any] = {"id": "r1", "on": 1}
READ = "ok ok ok ok"

# method, path, body; then the answer to each role: with an open seat, while the owner has the turn, after the end
RIGHTS: list[tuple[str, str, Any, str, str, str]] = [
    ("GET", "", None, READ, READ, READ),
    ("GET", "/events", None, READ, READ, READ),
    ("GET", "/invitation", None, READ, READ, READ),
    ("GET", "/qr.svg", None, READ, READ, READ),
    ("GET", "/record", None, "waiting waiting waiting waiting", READ, READ),
    ("GET", "/replay/0", None, "waiting waiting waiting waiting", READ, READ),
    ("GET", "/replay/0?seat=1", None, "waiting waiting waiting waiting", "rights rights rights ok", READ),
    ("GET", "/scores", None, "waiting waiting waiting waiting", READ, READ),
    ("GET", "/frames", None, "waiting waiting waiting waiting", READ, READ),
    ("GET", "/frames?seat=1", None, "waiting waiting waiting waiting", "rights rights rights ok", READ),
    ("GET", "/analysis", None, "waiting waiting waiting waiting", "rights rights turn hints", READ),
    ("GET", "/chat", None, READ, READ, READ),
    ("POST", "/chat", {"text": "hi"}, "identity rights ok ok", "identity rights ok ok", "identity rights ok ok"),
    ("POST", "/join", {}, "identity ok taken taken", "identity started started started",
     "identity started started started"),
    ("POST", "/leave", None, "identity rights ok ok", "identity started started started",
     "identity started started started"),
    ("PUT", "/seats/3", {"to": "bot:digger"}, "identity rights rights ok", "identity rights rights started",
     "identity rights rights started"),
    ("POST", "/start", None, "identity rights rights seats", "identity rights rights started",
     "identity rights rights started"),
    ("POST", "/actions", TURN | {"actions": ["LEGAL"]}, "identity rights waiting waiting", "identity rights turn ok",
     "identity rights over over"),
    ("POST", "/undo", TURN, "identity rights waiting waiting", "identity rights turn undo",
     "identity rights over over"),
    ("POST", "/restart", TURN, "identity rights waiting waiting", "identity rights turn undo",
     "identity rights over over"),
    ("POST", "/resign", {"id": "r2"}, "identity rights waiting waiting", "identity rights ok ok",
     "identity rights over over"),
    ("POST", "/whatif", {"on": 1, "actions": ["LEGAL"]}, "identity rights waiting waiting", "identity rights turn ok",
     "identity rights over over"),
    ("POST", "/rematch", None, "identity rights running running", "identity rights running running",
     "identity rights ok ok"),
    ("POST", "/absent", {"id": "a1", "do": "bot"}, "identity rights waiting waiting", "identity rights absent absent",
     "identity rights over over"),
    ("POST", "/vote", {"id": "v1", "end": True}, "identity rights waiting waiting", "identity rights ok ok",
     "identity rights over over"),
    ("POST", "/seats/2/link", None, "identity rights rights waiting", "identity rights rights seat",
     "identity rights rights over"),
    ("POST", "/seats/2/take", {"token": "x"}, "identity waiting waiting waiting",
     "identity identity identity identity", "identity over over over"),
    ("GET", "/bid", None, "identity rights ok ok", "identity rights ok ok", "identity rights ok ok"),
    ("PUT", "/bid", {"up_to": 3}, "identity rights waiting waiting", "identity rights auction auction",
     "identity rights over over"),
    ("DELETE", "/bid", None, "identity rights waiting waiting", "identity rights ok ok", "identity rights over over"),
]  # fmt: skip

# the same during the first auction of a game, when the owner is to bid
IN_AUCTION: list[tuple[str, str, Any, str]] = [
    ("GET", "/bid", None, "identity rights ok ok"),
    ("PUT", "/bid", {"up_to": 3}, "identity rights ok ok"),
    ("PUT", "/bid", {"up_to": 3, "seat": 1}, "identity rights rights ok"),
    ("PUT", "/bid", {"up_to": 3, "seat": 2}, "identity rights ok rights"),
    ("PUT", "/bid", {"up_to": 3, "seat": 3}, "identity rights rights rights"),
    ("PUT", "/bid", {"up_to": 21}, "identity rights malformed malformed"),
    ("DELETE", "/bid", None, "identity rights ok ok"),
    ("DELETE", "/bid?seat=1", None, "identity rights rights ok"),
    ("DELETE", "/bid?seat=2", None, "identity rights ok rights"),
    ("POST", "/actions", TURN | {"actions": ["B:1"]}, "identity rights turn ok"),
]

LOGIN = {"login": "ann", "password": "correct horse"}
# requests that are not about a table; then the answer to a stranger, a guest, and a person with a password
PERSONAL: list[tuple[str, str, Any, str]] = [
    ("GET", "/health", None, "ok ok ok"),
    ("GET", "/tables", None, "ok ok ok"),
    ("GET", "/tables?state=playing", None, "ok ok ok"),
    ("POST", "/tables", {"seats": ["me", "open"]}, "identity ok ok"),
    ("POST", "/practice", {"seats": ["me", "person:Bo"], "table": "nothing"}, "identity unknown unknown"),
    ("POST", "/records", {"text": "nonsense"}, "malformed malformed malformed"),
    ("POST", "/people", {"name": "New"}, "ok ok ok"),
    ("POST", "/people/claim", {"token": "x"}, "identity identity identity"),
    ("POST", "/people/login", LOGIN, "ok ok ok"),
    ("POST", "/people/login", LOGIN | {"password": "wrong one"}, "identity identity identity"),
    ("GET", "/me", None, "ok ok ok"),
    ("PATCH", "/me", {"name": "Other"}, "identity ok ok"),
    ("GET", "/me/tables", None, "identity ok ok"),
    ("GET", "/me/stats", None, "identity ok ok"),
    ("GET", "/ranking", None, "ok ok ok"),
    ("POST", "/me/link", None, "identity ok ok"),
    ("PUT", "/me/password", LOGIN, "identity taken rights"),
    ("PUT", "/me/password", LOGIN | {"login": "pat"}, "identity ok rights"),
    ("PUT", "/me/password", LOGIN | {"current": "correct horse"}, "identity taken ok"),
    ("POST", "/me/password/remove", {"current": "wrong one"}, "identity unknown rights"),
    ("POST", "/me/password/remove", {"current": "correct horse"}, "identity unknown ok"),
    ("GET", "/me/webhook", None, "identity ok ok"),
    ("PUT", "/me/webhook", {"url": "http://127.0.0.1/"}, "identity webhook webhook"),
    ("DELETE", "/me/webhook", None, "identity ok ok"),
    ("POST", "/me/webhook/test", None, "identity unknown unknown"),
    ("DELETE", "/me/sessions", None, "identity ok ok"),
    ("DELETE", "/me/session", None, "identity ok ok"),
]


def test_every_endpoint_has_its_row() -> None:
    rows = {(row[0], f"/tables/{{table}}{row[1]}") for row in (*RIGHTS, *IN_AUCTION)}
    rows |= {(row[0], row[1]) for row in PERSONAL}
    plain = {(method, re.sub(r"\d+", "#", path.partition("?")[0])) for method, path in rows}
    endpoints = {
        (method, re.sub(r"\{(seat|at)\}", "#", route.path.removeprefix("/api")))
        for route in api.router.routes
        if isinstance(route, APIRoute)
        for method in route.methods or ()
    }
    assert endpoints - plain == set()


async def table_in(site: Site, state: str, owner: Somebody, player: Somebody) -> str:
    """A table of three: the owner, a player, and an open seat that a bot takes when the game starts."""
    options = {"auction": "true"} if state == "auction" else {}
    body = {"seats": ["me", "open", "open"], "substitute": "tourist", "options": options}
    table: str = (await owner.post("/tables", body))["id"]
    await player.post(f"/tables/{table}/join", {"seat": 2})
    if state != "open":
        await owner.post(f"/tables/{table}/seats/3", {"to": "bot:tourist"}, "PUT")
        await owner.post(f"/tables/{table}/start")
    if state == "over":
        await finish(site, table)
    return table


def rows_in(state: str) -> list[tuple[str, str, Any, str]]:
    """The rows of the table of rights for a state of a table."""
    if state == "auction":
        return IN_AUCTION
    return [(*row[:3], row[3 + ("open", "playing", "over").index(state)]) for row in RIGHTS]


@pytest.mark.parametrize("state", ["open", "playing", "auction", "over"])
def test_every_cell_of_the_table_of_rights(play_out: Callable[..., None], state: str) -> None:
    async def scenario(site: Site) -> None:
        people = [site.know(None), *[await site.person(name) for name in ("Pat", "Bob", "Ann")]]
        wrong = []
        shared = await table_in(site, state, people[3], people[2])
        for method, path, body, expected in rows_in(state):
            for role, who, right in zip(ROLES, people, expected.split(), strict=True):
                fresh = right == "ok" and method != "GET" and state != "over"  # a refusal leaves a table unchanged
                table = await table_in(site, state, people[3], people[2]) if fresh else shared
                sent = body
                if "LEGAL" in str(body) and state == "playing":
                    offer = (await people[3].get(f"/tables/{table}"))["offer"]
                    sent = body | {"actions": [offer["actions"][0]["action"]]}
                before = (await people[3].get(f"/tables/{table}?since=0")) if right != "ok" else None
                answer = await who.ask(method, f"/tables/{table}{path}", sent)
                code = "ok" if answer.is_success else answer.json()["error"]["code"]
                if code != right:
                    wrong.append((method, path, role, code, right))
                if before is not None and await people[3].get(f"/tables/{table}?since=0") != before:
                    wrong.append((method, path, role, "changed something", right))
        assert wrong == []

    play_out(scenario, tables_each=10_000)


def test_every_cell_of_personal_requests(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        wrong = []
        for number, (method, path, body, expected) in enumerate(PERSONAL):
            people = [site.know(None), *[await site.person(name) for name in ("Pat", "Ann")]]
            await people[2].post("/me/password", LOGIN | {"login": f"ann{number}"}, "PUT")
            sent = body | {"login": f"{body['login']}{number}"} if "login" in (body or {}) else body
            for who, right in zip(people, expected.split(), strict=True):
                answer = await who.ask(method, path, sent)
                code = "ok" if answer.is_success else answer.json()["error"]["code"]
                if code != right:
                    wrong.append((method, path, body, code, right))
        assert wrong == []

    play_out(scenario)


def test_only_the_caller_s_own_seat_can_be_given_up(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        ann, bob = await site.person("Ann"), await site.person("Bob")
        table = await table_in(site, "playing", ann, bob)
        assert await bob.refused("POST", f"/tables/{table}/resign", {"id": "x", "seat": 1}) == "rights"
        assert await bob.refused("POST", f"/tables/{table}/resign", {"id": "x", "seat": 3}) == "rights"
        hot = (await ann.post("/tables", {"seats": ["me", "person:Cid"]}))["id"]
        await ann.post(f"/tables/{hot}/start")
        assert await ann.refused("POST", f"/tables/{hot}/resign", {"id": "x"}) == "seat"

    play_out(scenario)


def test_request_ids_are_per_person(play_out: Callable[..., None]) -> None:
    # otherwise a player could make another's next action look like a resend
    async def scenario(site: Site) -> None:
        ann, bob = await site.person("Ann"), await site.person("Bob")
        table = await table_in(site, "playing", ann, bob)
        path = f"/tables/{table}/actions"
        action = (await ann.get(f"/tables/{table}"))["offer"]["actions"][0]["action"]
        await ann.post(path, {"id": "same", "on": 1, "actions": [action]})
        assert await bob.refused("POST", path, {"id": "same", "on": 1, "actions": [action]}) == "stale"

    play_out(scenario)


def test_ids_of_people_are_never_sent(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        ann, bob = await site.person("Ann"), await site.person("Bob")
        table = await table_in(site, "playing", ann, bob)
        await ann.post(f"/tables/{table}/chat", {"text": "hello"})
        async with site.hub.room(table) as room:
            secrets = [room.table.seed, *(str(seat.person) for seat in room.table.seats[:2]), str(ann.token)]
        for path in (f"/tables/{table}?since=0", f"/tables/{table}/chat", "/tables", f"/tables/{table}/events"):
            text = (await bob.ask("GET", path)).text
            assert not [secret for secret in secrets if secret in text], path

    play_out(scenario)

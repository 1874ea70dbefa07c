"""The doors: identity, malformed and hostile requests, limits and headers, over HTTP and WebSocket."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.requests import HTTPConnection
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tests.server.conftest import Site, hear, send, serving
from tests.server.test_rights import finish
from tikal.server import identity
from tikal.server.admin import make_token
from tikal.server.app import HEADERS
from tikal.server.errors import STATUS
from tikal.server.identity import new_token
from tikal.server.live import Socket
from tikal.server.migrate import migrate
from tikal.server.store import Store


async def started(site: Site) -> tuple[Any, str]:
    ann = await site.person("Ann")
    table: str = (await ann.post("/tables", {"seats": ["me", "person:Bob"]}))["id"]
    await ann.post(f"/tables/{table}/start")
    return ann, table


# Identity


def test_a_guest_gets_a_cookie_that_is_enough_and_only_its_hash_is_kept(
    play_out: Callable[..., None], tmp_path: Path
) -> None:
    async def scenario(site: Site) -> None:
        async with httpx.AsyncClient(base_url=site.base) as browser:
            answer = await browser.post("/api/people", json={"name": "  Ann  B. "})
            cookie = answer.headers["set-cookie"].lower()
            assert "httponly" in cookie and "samesite=strict" in cookie and "secure" not in cookie
            assert (await browser.get("/api/me")).json() == {"name": "Ann B.", "login": None}
            token = answer.json()["token"]
            await asyncio.sleep(0)
            for file in tmp_path.glob("server.db*"):
                assert token.encode() not in file.read_bytes()
            ended = await browser.delete("/api/me/session")
            gone = ended.headers["set-cookie"].lower()
            assert ended.status_code == 204 and "httponly" in gone and "samesite=strict" in gone
            assert (await browser.get("/api/me")).json() == {"name": None, "login": None}  # a stranger now
        assert await site.know(token).refused("GET", "/me") == "identity"

    play_out(scenario)


def test_under_https_the_cookie_is_secure(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        async with httpx.AsyncClient(base_url=site.base) as browser:
            answer = await browser.post("/api/people", json={"name": "Ann"})
            assert "secure" in answer.headers["set-cookie"].lower()

    play_out(scenario, public_url="https://tikal.example")


def test_a_personal_link_moves_an_identity_once(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        ann = await site.person("Ann")
        table = (await ann.post("/tables", {"seats": ["me", "open"], "public": False}))["id"]
        link = await ann.post("/me/link")
        assert link["url"] == f"{site.base}/link#{link['token']}"
        assert await site.know(link["token"]).refused("GET", "/me") == "identity"  # a link is no session
        phone = site.know((await site.know(None).post("/people/claim", {"token": link["token"]}))["token"])
        assert [row["id"] for row in (await phone.get("/me/tables"))["tables"]] == [table]
        assert await ann.refused("POST", "/people/claim", {"token": link["token"]}) == "identity"
        assert (await phone.ask("DELETE", "/me/sessions")).status_code == 204
        assert await ann.refused("GET", "/me") == "identity"
        assert (await phone.post("/me", {"name": "Anna"}, "PATCH"))["name"] == "Anna"
        assert (await phone.get("/me"))["name"] == "Anna"

    play_out(scenario)


@pytest.mark.parametrize("name", ["", " ", "x" * 25, "a\u202eb", "<b>", "_x", "a\nb\0", "-"])
def test_names_that_can_not_be(play_out: Callable[..., None], name: str) -> None:
    async def scenario(site: Site) -> None:
        assert await site.know(None).refused("POST", "/people", {"name": name}) == "name"

    play_out(scenario)


# Lists


def test_lists_show_public_tables_to_all_and_one_s_own_to_oneself(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        ann, bob = await site.person("Ann"), await site.person("Bob")
        public = (await ann.post("/tables", {"seats": ["me", "open"]}))["id"]
        hidden = (await ann.post("/tables", {"seats": ["me", "open"], "public": False}))["id"]
        listed = [[row["id"] for row in (await who.get("/tables"))["tables"]] for who in (site.know(None), ann, bob)]
        assert listed == [[public]] * 3
        await bob.post(f"/tables/{hidden}/join", {})
        await ann.post(f"/tables/{hidden}/start")
        mine = {row["id"]: row["your_turn"] for row in (await ann.get("/me/tables"))["tables"]}
        assert mine == {hidden: True, public: False}
        assert [(row["id"], row["your_turn"]) for row in (await bob.get("/me/tables"))["tables"]] == [(hidden, False)]
        running = [row["id"] for row in (await bob.get("/tables?state=playing"))["tables"]]
        assert running == []  # a table that is found by its address only, also while it is played
        assert await bob.refused("GET", "/tables?state=over") == "malformed"
        await ann.post(f"/tables/{public}/leave")
        assert (await bob.get("/tables"))["tables"] == []
        assert await bob.refused("POST", f"/tables/{public}/join", {}) == "closed"

    play_out(scenario)


def test_a_table_that_is_full_or_started_waits_for_nobody_and_can_be_watched(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        ann, bob, eve = [await site.person(name) for name in ("Ann", "Bob", "Eve")]
        clock = {"kind": "daily", "days": 2, "timeout": "seat"}
        body = {"seats": ["me", "open"], "options": {"auction": "true"}, "clock": clock}
        table = (await ann.post("/tables", body))["id"]
        (listed,) = (await eve.get("/tables"))["tables"]
        assert listed["options"]["auction"] == "true" and listed["clock"]["days"] == 2
        assert [seat["kind"] for seat in listed["seats"]] == ["person", "open"]
        await bob.post(f"/tables/{table}/join", {})
        assert (await eve.get("/tables"))["tables"] == []
        await ann.post(f"/tables/{table}/start")
        assert [row["id"] for row in (await eve.get("/tables?state=playing"))["tables"]] == [table]
        async with eve.socket() as socket:
            await send(socket, type="watch", table=table, since=0)
            update = await hear(socket, "update")
            assert update["view"]["viewer"] is None and update["offer"] is None

    play_out(scenario)


def test_one_screen_may_hold_several_seats_also_of_who_joins(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        ann, bob = await site.person("Ann"), await site.person("Bob")
        body = {"seats": ["me", "person:Amy", "open", "open"], "clock": {"kind": "live"}}
        table = (await ann.post("/tables", body))["id"]
        await bob.post(f"/tables/{table}/join", {"seat": 4})
        assert await bob.refused("POST", f"/tables/{table}/join", {}) == "taken"
        for name, code in (("", "name"), ("<b>", "name"), (7, "malformed")):
            assert await bob.refused("POST", f"/tables/{table}/join", {"name": name}) == code
        joined = await bob.post(f"/tables/{table}/join", {"name": "Ben"})
        assert joined["you"]["seats"] == [3, 4]
        assert [seat["name"] for seat in joined["seats"]] == ["Ann", "Amy", "Ben", "Bob"]
        await ann.post(f"/tables/{table}/start")
        await finish(site, table)
        new = await ann.post(f"/tables/{table}/rematch")
        assert [seat["kind"] for seat in new["seats"]] == ["person", "person", "open", "open"]
        assert new["clock"]["bank_s"] == 1200
        again = await bob.post(f"/tables/{table}/rematch")
        assert again["id"] == new["id"] and again["you"]["seats"] == [3, 4]
        assert {seat["name"] for seat in again["seats"]} == {"Ann", "Amy", "Ben", "Bob"}

    play_out(scenario)


# Malformed


BAD_TABLES: list[tuple[Any, str]] = [
    (None, "malformed"),
    ([], "malformed"),
    ({}, "malformed"),
    ({"seats": ["me"]}, "players"),
    ({"seats": ["me"] * 5}, "players"),
    ({"seats": ["me"] * 9}, "malformed"),
    ({"seats": ["me", "me"]}, "seat"),
    ({"seats": ["me", "robot"]}, "seat"),
    ({"seats": ["me", "bot:genius"]}, "option"),
    ({"seats": ["me", "bot:program:true"]}, "option"),
    ({"seats": ["me", "bot:professor:nodes=999999999"]}, "option"),
    ({"seats": ["me", "person:<b>"]}, "name"),
    ({"seats": ["me", "open"], "options": {"edition": "monopoly"}}, "option"),
    ({"seats": ["me", "open"], "options": {"leaps": "true"}}, "option"),
    ({"seats": ["me", "open"], "options": {"seed": "42"}}, "option"),
    ({"seats": ["me", "open"], "options": {"auction": True}}, "malformed"),
    ({"seats": ["me", "open"], "seating": "north"}, "malformed"),
    ({"seats": ["me", "open"], "substitute": "program:true"}, "option"),
    ({"seats": ["me", "open"], "nonce": "two words"}, "option"),
    ({"seats": ["me", "open"], "owner": "bob"}, "malformed"),
    ({"seats": ["me", "open"], "clock": "live"}, "malformed"),
    ({"seats": ["me", "open"], "clock": {}}, "malformed"),
    ({"seats": ["me", "open"], "clock": {"kind": "hourglass"}}, "malformed"),
    ({"seats": ["me", "open"], "clock": {"kind": "live", "bank_s": 9}}, "malformed"),
    ({"seats": ["me", "open"], "clock": {"kind": "live", "bank_s": 60.5}}, "malformed"),
    ({"seats": ["me", "open"], "clock": {"kind": "live", "increment_s": -1}}, "malformed"),
    ({"seats": ["me", "open"], "clock": {"kind": "live", "days": 1}}, "malformed"),
    ({"seats": ["me", "open"], "clock": {"kind": "daily", "days": 0}}, "malformed"),
    ({"seats": ["me", "open"], "clock": {"kind": "daily", "bank_s": 60}}, "malformed"),
    ({"seats": ["me", "open"], "clock": {"kind": "daily", "timeout": "lose"}}, "malformed"),
]


def test_tables_that_can_not_be(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        ann = await site.person("Ann")
        codes = [(body, await ann.refused("POST", "/tables", body)) for body, _ in BAD_TABLES]
        assert codes == BAD_TABLES
        assert (await ann.get("/me/tables"))["tables"] == []

    play_out(scenario)


BAD_PLAYS: list[tuple[Any, str]] = [
    ({"id": "a", "on": 1}, "malformed"),
    ({"id": "a", "on": 1, "actions": []}, "malformed"),
    ({"id": "a", "on": 1, "actions": ["."] * 65}, "malformed"),
    ({"id": "a", "on": 1, "actions": ["x" * 25]}, "malformed"),
    ({"id": "a", "on": 1, "actions": [7]}, "malformed"),
    ({"id": "a", "on": "1", "actions": ["."]}, "malformed"),
    ({"id": "a", "on": True, "actions": ["."]}, "malformed"),
    ({"id": "a", "on": -1, "actions": ["."]}, "malformed"),
    ({"id": "", "on": 1, "actions": ["."]}, "malformed"),
    ({"id": "a b", "on": 1, "actions": ["."]}, "malformed"),
    ({"id": "a", "on": 1, "actions": ["."], "seat": 2}, "malformed"),
    ({"id": "a", "on": 0, "actions": ["."]}, "stale"),
    ({"id": "a", "on": 2, "actions": ["."]}, "stale"),
    ({"id": "a", "on": 1, "actions": ["."]}, "illegal"),
    ({"id": "a", "on": 1, "actions": ["nonsense"]}, "illegal"),
    ({"id": "a", "on": 1, "actions": ["D@b3(3)"]}, "illegal"),
    ({"id": "a", "on": 1, "actions": ["\u202e\0"]}, "illegal"),
]


def test_actions_that_can_not_be_over_both_doors(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        ann, table = await started(site)
        before = await ann.get(f"/tables/{table}?since=0")
        codes = [(body, await ann.refused("POST", f"/tables/{table}/actions", body)) for body, _ in BAD_PLAYS]
        assert codes == BAD_PLAYS
        async with ann.socket() as socket:
            for body, code in BAD_PLAYS:
                await send(socket, type="play", table=table, **body)
                answer = await hear(socket)
                assert (answer["type"], answer["code"]) == ("error", code), body
        assert await ann.get(f"/tables/{table}?since=0") == before

    play_out(scenario)


def test_an_illegal_action_says_which_and_why(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        ann, table = await started(site)
        place = (await ann.get(f"/tables/{table}"))["offer"]["actions"][0]["action"]
        body = {"id": "a", "on": 1, "actions": [place, "X@h5"]}
        error = (await ann.ask("POST", f"/tables/{table}/actions", body)).json()["error"]
        assert (error["code"], error["action"]) == ("illegal", "X@h5")
        assert error["why"] and error["text"].startswith("X@h5: ")

    play_out(scenario)


def test_what_is_not_there(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        ann, table = await started(site)
        for path in ("/tables/nothing", "/tables/nothing/events", "/tables/nothing/record", "/nothing", "/tables/%00"):
            assert await ann.refused("GET", path) == "unknown"
        assert await ann.refused("DELETE", f"/tables/{table}") == "method"
        assert await ann.refused("PUT", f"/tables/{table}/seats/9", {"to": "open"}) == "malformed"
        open_one = (await ann.post("/tables", {"seats": ["me", "open"]}))["id"]
        assert await ann.refused("PUT", f"/tables/{open_one}/seats/3", {"to": "open"}) == "seat"
        assert await ann.refused("PUT", f"/tables/{open_one}/seats/2", {"to": "me"}) == "seat"
        assert await ann.refused("GET", f"/tables/{table}/events?since=x") == "malformed"

    play_out(scenario)


def test_bodies_that_are_too_large_or_no_json(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        ann = await site.person("Ann")

        async def endless() -> Any:
            for _ in range(40):
                yield b"x" * 1000

        for content in (b"x" * 40_000, endless()):
            answer = await ann.http.post("/api/tables", content=content)
            assert (answer.status_code, answer.json()["error"]["code"]) == (413, "oversized")
        half = b'{"seats": ["me", "open"], "options": {"\\ud800": "x"}}'  # of a character
        for content, code in (
            (b"{", "malformed"),
            (b"\xff\xfe", "malformed"),
            (b"[" * 5000, "malformed"),
            (half, "option"),
        ):
            answer = await ann.http.post("/api/tables", content=content, headers={"content-type": "application/json"})
            assert (answer.status_code, answer.json()["error"]["code"]) == (422, code)

    play_out(scenario)


def test_a_table_is_looked_for_only_by_what_could_be_its_name(address: str, tmp_path: Path) -> None:
    # PostgreSQL takes no NUL in a text
    async def whole() -> None:
        migrate(address)
        token = make_token(address)
        async with serving(tmp_path, database=address) as site:
            ann, admin = await site.person("Ann"), site.know(token)
            for path in ("/tables/%00", "/tables/a%00b/events", "/tables/%F0%9F%8C%8B/record"):
                assert await ann.refused("GET", path) == "unknown"
            assert await admin.refused("DELETE", "/admin/people/a%00b") == "unknown"
            assert (await admin.get("/admin/people?name=%00"))["people"]
            async with ann.socket() as socket:
                await send(socket, type="watch", table="a\0b")
                assert (await hear(socket))["code"] == "unknown"

    asyncio.run(whole())


def test_messages_that_can_not_be(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        ann, table = await started(site)
        messages: list[tuple[str | bytes, str]] = [
            ("{", "malformed"),
            ("[]", "malformed"),
            ("7", "malformed"),
            ("[" * 20_000, "malformed"),
            (b"\x00\x01", "malformed"),
            (json.dumps({"type": "dance"}), "malformed"),
            (json.dumps({"type": ["play"]}), "malformed"),
            (json.dumps({"type": "watch"}), "malformed"),
            (json.dumps({"type": "watch", "table": 7}), "malformed"),
            (json.dumps({"type": "watch", "table": table, "since": "0"}), "malformed"),
            (json.dumps({"type": "watch", "table": table, "since": True}), "malformed"),
            (json.dumps({"type": "watch", "table": "nothing"}), "unknown"),
            (json.dumps({"type": "play", "table": "nothing", "id": "a", "on": 1, "actions": ["."]}), "unknown"),
            (json.dumps({"type": "ping", "more": "x" * 33_000}), "oversized"),
        ]
        async with ann.socket() as socket:
            for message, code in messages:
                await socket.send(message)
                assert (await hear(socket))["code"] == code, message[:60]
            await send(socket, type="ping", id=5)
            assert await hear(socket) == {"type": "pong", "id": 5}
        async with site.know(None).socket() as socket:
            await send(socket, type="play", table=table, id="a", on=1, actions=["."])
            assert (await hear(socket))["code"] == "identity"
        async with ann.socket() as socket:
            await socket.send("x" * 200_000)
            with pytest.raises(ConnectionClosed) as closed:
                await socket.recv()
            assert closed.value.rcvd is not None and closed.value.rcvd.code == 1009

    play_out(scenario)


# Other sites, limits, headers


def test_pages_of_other_sites_may_not_act(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        ann = await site.person("Ann")
        cookie = {"cookie": f"tikal={ann.token}"}
        foreign = [{"origin": "https://evil.example"}, {"origin": "null"}, {"origin": f"{site.base}.evil.example"}]
        for headers in foreign:
            answer = await ann.ask("POST", "/tables", {"seats": ["me", "open"]}, headers=headers)
            assert (answer.status_code, answer.json()["error"]["code"]) == (403, "origin")
            with pytest.raises(InvalidStatus) as refused:
                await ann.socket(**headers)
            assert refused.value.response.status_code == 403
        browser = site.know(None)
        browser.headers = cookie
        for origin in ("", "http://"):
            with pytest.raises(InvalidStatus):
                await browser.socket(origin=origin)
        with pytest.raises(InvalidStatus):  # a cookie without any origin: no browser does that
            await connect(f"{site.base.replace('http', 'ws')}/api/live", additional_headers=cookie)
        async with browser.socket(origin=site.base) as socket:
            await send(socket, type="ping")
            assert await hear(socket) == {"type": "pong"}
        for host in ("evil.example", "[", "[::1", "a:b:c", ""):
            answer = await ann.ask("GET", "/tables", headers={"host": host})
            assert (answer.status_code, answer.json()["error"]["code"]) == (403, "host")
        assert (await ann.get("/me/tables"))["tables"] == []

    play_out(scenario)


def test_the_public_name_is_ours(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        ann = await site.person("Ann")
        headers = {"host": "tikal.example", "origin": "https://tikal.example"}
        assert (await ann.ask("POST", "/tables", {"seats": ["me", "open"]}, headers=headers)).status_code == 201
        assert (await ann.post("/me/link"))["url"].startswith("https://tikal.example/link#")

    play_out(scenario, public_url="https://tikal.example/")


def test_too_many_requests_messages_people_sockets_and_tables(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        ann, bob = await site.person("Ann"), await site.person("Bob")
        assert await site.know(None).refused("POST", "/people", {"name": "Cid"}) == "rate"
        for _ in range(2):
            await ann.post("/tables", {"seats": ["me", "open"]})
        assert await ann.refused("POST", "/tables", {"seats": ["me", "open"]}) == "limit"
        codes = [(await ann.ask("GET", "/me")).status_code for _ in range(12)]
        assert codes[0] == 200 and codes[-1] == 429
        assert (await bob.ask("GET", "/me")).status_code == 200  # others are not punished
        async with bob.socket() as socket, bob.socket():
            with pytest.raises(InvalidStatus):
                await bob.socket()
            for number in range(12):
                await send(socket, type="ping", id=number)
            heard = [await hear(socket) for _ in range(12)]
            assert heard[0] == {"type": "pong", "id": 0}
            assert (heard[-1]["code"], heard[-1]["id"]) == ("rate", 11)  # who asked knows what was refused
        async with bob.socket() as socket:  # closed ones don't count, but what was said in them does
            await send(socket, type="ping")
            assert (await hear(socket))["code"] == "rate"
        codes = [(await site.know(new_token()).ask("GET", "/tables")).status_code for _ in range(12)]
        assert codes[-1] == 429  # tokens that one makes oneself are no way around it

    play_out(scenario, rate=0.001, burst=10, new_people=0.001, new_people_burst=2, sockets_each=2, tables_each=2)


def test_a_slow_reader_is_dropped_and_can_resume(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        ann, table = await started(site)
        async with ann.socket() as socket:
            await send(socket, type="watch", table=table)
            await hear(socket, "update")
            async with site.hub.room(table) as room:
                (listener,) = room.listeners
                for _ in range(10):  # more than the queue holds, before anything can be sent
                    listener.tell('{"type":"pong"}')
            with pytest.raises(ConnectionClosed) as closed:
                await hear(socket, "never")
            assert closed.value.rcvd is not None and closed.value.rcvd.code == 1013
        async with ann.socket() as socket:
            await send(socket, type="watch", table=table, since=0)
            assert [event["seq"] for event in (await hear(socket))["events"]] == [1]

    play_out(scenario, queue=4)


def test_who_reads_nothing_at_all_is_dropped_too(
    play_out: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tikal.server.live.GRACE_S", 0.05)

    async def never(_message: str) -> None:  # what the system keeps for him is full
        await asyncio.Event().wait()

    async def scenario(site: Site) -> None:
        ann, table = await started(site)
        async with ann.socket() as socket, site.hub.room(table) as room:
            await send(socket, type="watch", table=table)
            await hear(socket, "update")
            (listener,) = room.listeners
            assert isinstance(listener, Socket)
            listener.socket.send_text = never  # type: ignore[method-assign,assignment]
            listener.tell("{}")
            while not listener.queue.empty():
                await asyncio.sleep(0)
            for _ in range(10):
                listener.tell("{}")
            with pytest.raises(ConnectionClosed):
                await hear(socket, "never")
            assert not room.listeners and site.hub.presence._here == {}

    play_out(scenario, queue=4)


def test_what_was_begun_is_finished_also_for_who_is_dropped(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        ann, table = await started(site)
        place = (await ann.get(f"/tables/{table}"))["offer"]["actions"][0]["action"]
        append, kept, held = site.hub.store.append, asyncio.Event(), asyncio.Event()

        async def slow(*unit: Any) -> None:
            await append(*unit)
            kept.set()
            await held.wait()

        site.hub.store.append = slow  # type: ignore[method-assign,assignment]
        async with ann.socket() as left, site.know(None).socket() as right:
            for socket in (left, right):
                await send(socket, type="watch", table=table)
                await hear(socket, "update")
            await send(left, type="play", table=table, id="a", on=1, actions=[place])
            await kept.wait()
            async with site.hub.room(table) as room:
                (mine,) = [socket for socket in room.listeners if socket.person]
            assert isinstance(mine, Socket)
            mine.revoke()
            with pytest.raises(ConnectionClosed):
                await hear(left, "never")
            held.set()
            assert (await hear(right, "update"))["seq"] == 2

    play_out(scenario)


def test_every_answer_has_the_strict_headers(play_out: Callable[..., None], tmp_path: Path) -> None:
    client = tmp_path / "client"
    client.mkdir()
    (client / "index.html").write_text("<title>Tikal</title>")

    async def scenario(site: Site) -> None:
        ann = await site.person("Ann")
        answers = [await ann.ask("GET", path) for path in ("/health", "/me", "/nothing")]
        answers.append(await ann.http.post("/api/tables", content=b"x" * 40_000))
        page = await ann.http.get("/")
        assert page.text == "<title>Tikal</title>"
        for answer in [*answers, page]:
            assert {name: answer.headers.get(name) for name in HEADERS} == HEADERS
            assert "server" not in answer.headers or answer.headers["server"] == "uvicorn"
        assert answers[0].headers["cache-control"] == "no-store"
        assert "default-src 'self'" in HEADERS["content-security-policy"] and "unsafe" not in str(HEADERS)

    play_out(scenario, client=client)


def test_the_openapi_document_has_every_door_with_examples(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        document = await site.know(None).get("/openapi.json")
        assert len(document["paths"]) >= 20
        for schema in ("NewTable", "Play", "Join", "PutSeat", "WhatIf", "Resign", "Say", "NewPerson", "Problem"):
            assert document["components"]["schemas"][schema]["examples"], schema

    play_out(scenario)


def test_a_fault_is_told_without_what_it_was(
    play_out: Callable[..., None], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def broken(_store: Store, _key: str) -> None:
        raise OSError("secret path")

    async def scenario(site: Site) -> None:
        monkeypatch.setattr(Store, "table", broken)
        answer = await site.know(None).ask("GET", "/health")
        assert answer.status_code == 500
        assert answer.json()["error"]["code"] == "fault" and "secret" not in answer.text
        assert {name: answer.headers.get(name) for name in HEADERS} == HEADERS
        monkeypatch.setattr(Store, "news", broken)
        async with site.know(None).socket() as socket:
            await send(socket, type="watch", table="any", id=1)
            error = await hear(socket)
            assert (error["code"], error["id"]) == ("fault", 1) and "secret" not in str(error)
            await send(socket, type="ping")
            assert await hear(socket) == {"type": "pong"}  # it goes on

    play_out(scenario)
    assert caplog.text.count("secret path") >= 2  # it is written down


def test_every_code_has_a_status_of_refusal() -> None:
    assert all(400 <= status < 600 for status in STATUS.values())


def test_chat_is_plain_and_limited_and_heard_at_once(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        ann, table = await started(site)
        async with site.know(None).socket() as socket:
            await send(socket, type="watch", table=table)
            await hear(socket, "update")
            said = await ann.post(f"/tables/{table}/chat", {"text": " <b>hi</b>\n\x07 there "})
            assert said["text"] == "<b>hi</b>   there"
            assert (await hear(socket, "chat"))["line"] == said
        assert (await ann.get(f"/tables/{table}/chat"))["lines"] == [said]
        for text in ("", " \n ", "x" * 501, "x" * 2001):
            assert await ann.refused("POST", f"/tables/{table}/chat", {"text": text}) == "malformed"

    play_out(scenario)


def test_nobody_may_speak_without_end(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        ann, table = await started(site)
        codes = [(await ann.ask("POST", f"/tables/{table}/chat", {"text": "hi"})).status_code for _ in range(4)]
        assert codes == [201] * 3 + [429]
        assert len((await ann.get(f"/tables/{table}/chat"))["lines"]) == 3

    play_out(scenario, lines=0.0001, lines_burst=3)


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
        ("somewhere", "somewhere"),
    ],
)
def test_one_household_is_one_address(host: str, expected: str) -> None:
    assert identity.address(HTTPConnection({"type": "http", "client": (host, 1)})) == expected

"""The endpoints: identity, malformed and hostile requests, limits and headers, over HTTP and WebSocket."""

from __future__ import annotations

import asyncio
import errno
import json
import shutil
import socket
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from sqlalchemy.exc import OperationalError
from starlette.requests import HTTPConnection
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tests.server.conftest import Hands, Site, Somebody, hear, send, serving
from tests.server.tables import finish
from tikal.server.accounts.names import check_name, look_alike
from tikal.server.accounts.tokens import new_token
from tikal.server.app import HEADERS
from tikal.server.database.migrate import migrate
from tikal.server.database.store import Store
from tikal.server.errors import STATUS, Refused
from tikal.server.http import callers
from tikal.server.http.sockets import Socket
from tikal.server.live import hub as hub_module
from tikal.server.live import room as room_module
from tikal.server.operation.admin import make_token


async def started(site: Site) -> tuple[Any, str]:
    ann = await site.person("Ann")
    table: str = (await ann.post("/tables", {"seats": ["me", "person:Bob"]}))["id"]
    await ann.post(f"/tables/{table}/start")
    return ann, table


# Identity


def test_a_guest_s_cookie_suffices_and_only_its_hash_is_stored(play_out: Callable[..., None], tmp_path: Path) -> None:
    async def scenario(site: Site) -> None:
        async with httpx.AsyncClient(base_url=site.base) as browser:
            answer = await browser.post("/api/people", json={"name": "  Ann  B. "})
            cookie = answer.headers["set-cookie"].lower()
            assert "httponly" in cookie and "samesite=strict" in cookie and "secure" not in cookie
            assert (await browser.get("/api/me")).json() == {"name": "Ann B.", "login": None, "language": None}
            token = answer.json()["token"]
            await asyncio.sleep(0)
            for file in tmp_path.glob("server.db*"):
                assert token.encode() not in file.read_bytes()
            ended = await browser.delete("/api/me/session")
            gone = ended.headers["set-cookie"].lower()
            assert ended.status_code == 204 and "httponly" in gone and "samesite=strict" in gone
            # a stranger now
            assert (await browser.get("/api/me")).json() == {"name": None, "login": None, "language": None}
        assert await site.know(token).refused("GET", "/me") == "identity"

    play_out(scenario)


def test_under_https_the_cookie_is_secure(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        async with httpx.AsyncClient(base_url=site.base) as browser:
            answer = await browser.post("/api/people", json={"name": "Ann"})
            assert "secure" in answer.headers["set-cookie"].lower()

    play_out(scenario, public_url="https://tikal.example")


def test_a_cookie_lasts_as_long_as_its_session(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        async with httpx.AsyncClient(base_url=site.base) as browser:
            first = (await browser.post("/api/people", json={"name": "Ann"})).headers["set-cookie"]
            assert (await browser.get("/api/me")).headers["set-cookie"] == first
        ann = await site.person("Ann")
        assert "set-cookie" not in (await ann.ask("GET", "/me")).headers, "a program has no cookie"

    play_out(scenario)


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


def test_the_server_keeps_the_language_of_a_person(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        made = await site.know(None).post("/people", {"name": "Ann", "language": "fr"})
        ann = site.know(made["token"])
        assert (made["language"], (await ann.get("/me"))["language"]) == ("fr", "fr")
        assert await ann.post("/me", {"name": "Anna"}, "PATCH") == {
            "name": "Anna",
            "login": None,
            "language": "fr",
            "token": None,
        }
        assert (await ann.post("/me", {"language": "en"}, "PATCH"))["name"] == "Anna"
        assert (await ann.get("/me"))["language"] == "en"
        assert await ann.refused("PATCH", "/me", {"language": "xx"}) == "malformed"
        assert (await (await site.person("Bob")).get("/me"))["language"] is None

    play_out(scenario)


@pytest.mark.parametrize("name", ["", " ", "x" * 25, "a\u202eb", "<b>", "_x", "a\nb\0", "-"])
def test_invalid_names_are_refused(play_out: Callable[..., None], name: str) -> None:
    async def scenario(site: Site) -> None:
        assert await site.know(None).refused("POST", "/people", {"name": name}) == "name"

    play_out(scenario)


# Lists


def test_lists_show_public_tables_to_all_and_private_ones_to_their_players(play_out: Callable[..., None]) -> None:
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
        assert running == []  # a private table, even while it is played
        assert await bob.refused("GET", "/tables?state=over") == "malformed"
        await ann.post(f"/tables/{public}/leave")
        assert (await bob.get("/tables"))["tables"] == []
        assert await bob.refused("POST", f"/tables/{public}/join", {}) == "closed"

    play_out(scenario)


def test_full_and_running_tables_are_not_open_and_can_be_watched(play_out: Callable[..., None]) -> None:
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


def test_one_screen_may_hold_several_seats_even_after_joining(play_out: Callable[..., None]) -> None:
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


def test_impossible_tables_are_refused(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        ann = await site.person("Ann")
        codes = [(body, await ann.refused("POST", "/tables", body)) for body, _ in BAD_TABLES]
        assert codes == BAD_TABLES
        assert (await ann.get("/me/tables"))["tables"] == []

    play_out(scenario)


FIELDS: list[tuple[Any, str]] = [
    ({"seats": ["me"]}, "seats"),
    ({"seats": ["me", "robot"]}, "seats"),
    ({"seats": ["me", "bot:genius"]}, "seats"),
    ({"seats": ["me", "person:<b>"]}, "seats"),
    ({"seats": ["me", "open"], "options": {"leaps": "true"}}, "options"),
    ({"seats": ["me", "open"], "nonce": "two words"}, "nonce"),
    ({"seats": ["me", "open"], "substitute": "program:true"}, "substitute"),
    ({"seats": ["me", "open"], "clock": {"kind": "live", "bank_s": 9}}, "clock"),
    ({}, "seats"),
]


def test_a_refusal_names_the_field_of_the_form(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        ann = await site.person("Ann")
        fields = [(body, (await ann.ask("POST", "/tables", body)).json()["error"]["field"]) for body, _ in FIELDS]
        assert fields == FIELDS

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
    ({"id": "a", "on": 1, "actions": ["D@b3(3)"]}, "chance"),
    ({"id": "a", "on": 1, "actions": ["\u202e\0"]}, "illegal"),
]


def test_impossible_actions_are_refused_over_http_and_sockets(play_out: Callable[..., None]) -> None:
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


def test_unknown_addresses_are_refused(play_out: Callable[..., None]) -> None:
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


def test_an_owner_replaces_only_the_person_they_saw(play_out: Callable[..., None], address: str) -> None:
    async def scenario(site: Site) -> None:
        ann, bob, cid = [await site.person(name) for name in ("Ann", "Bob", "Cid")]
        table = (await ann.post("/tables", {"seats": ["me", "open", "bot:tourist"]}))["id"]
        seat = f"/tables/{table}/seats/2"
        await bob.post(f"/tables/{table}/join", {})  # a moment before the owner gives the seat to a bot
        for was in ({}, {"was": "open"}, {"was": "bot:tourist"}, {"was": "person:Cid"}):
            for to in ("bot:tourist", "open", "person:Amy"):
                assert await ann.refused("PUT", seat, {"to": to, **was}) == "taken"
        assert (await bob.get(f"/tables/{table}"))["info"]["you"]["seats"] == [2]
        await bob.post(f"/tables/{table}/leave")
        await cid.post(f"/tables/{table}/join", {})  # a moment before the owner removes Bob
        assert await ann.refused("PUT", seat, {"to": "open", "was": "person:Bob"}) == "taken"
        await ann.post(seat, {"to": "open", "was": "person:Cid"}, "PUT")
        for to, saw in (("bot:digger", "open"), ("person:Amy", "bot:digger"), ("bot:mason", "person:Amy")):
            await ann.post(seat, {"to": to, "was": saw}, "PUT")
        assert await ann.refused("PUT", seat, {"to": "open", "was": "bot:digger"}) == "taken"
        told = await ann.post(seat, {"to": "open"}, "PUT")  # a bot, or one's own seat: no need to say what one saw
        assert [one["kind"] for one in told["seats"]] == ["person", "open", "bot"]

    play_out(scenario, database=address)


def test_bodies_that_are_too_large_or_no_json(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        ann = await site.person("Ann")

        async def endless() -> Any:
            for _ in range(40):
                yield b"x" * 1000

        for content in (b"x" * 40_000, endless()):
            answer = await ann.http.post("/api/tables", content=content)
            assert (answer.status_code, answer.json()["error"]["code"]) == (413, "oversized")
        half = b'{"seats": ["me", "open"], "options": {"\\ud800": "x"}}'  # \ud800 is half of a character
        for content, code in (
            (b"{", "malformed"),
            (b"\xff\xfe", "malformed"),
            (b"[" * 5000, "malformed"),
            (half, "option"),
        ):
            answer = await ann.http.post("/api/tables", content=content, headers={"content-type": "application/json"})
            assert (answer.status_code, answer.json()["error"]["code"]) == (422, code)

    play_out(scenario)


def test_only_valid_table_ids_are_looked_up(address: str, tmp_path: Path) -> None:
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


def test_invalid_messages_are_refused(play_out: Callable[..., None]) -> None:
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
        assert (await bob.ask("GET", "/me")).status_code == 200  # others are not affected
        async with bob.socket() as socket, bob.socket():
            with pytest.raises(InvalidStatus):
                await bob.socket()
            for number in range(12):
                await send(socket, type="ping", id=number)
            heard = [await hear(socket) for _ in range(12)]
            assert heard[0] == {"type": "pong", "id": 0}
            assert (heard[-1]["code"], heard[-1]["id"]) == ("rate", 11)  # the refusal names the request
        async with bob.socket() as socket:  # closed sockets don't count, but the messages in them do
            await send(socket, type="ping")
            assert (await hear(socket))["code"] == "rate"
        codes = [(await site.know(new_token()).ask("GET", "/tables")).status_code for _ in range(12)]
        assert codes[-1] == 429  # invented tokens are no way around it
        figures = site.hub.metrics.text()
        assert 'tikal_refusals_total{code="rate"}' in figures, "operators see an attack"
        refused = next(line for line in figures.splitlines() if 'refusals_total{code="rate"}' in line)
        assert float(refused.split()[-1]) > 10

    play_out(scenario, rate=0.001, burst=10, new_people=0.001, new_people_burst=2, sockets_each=2, tables_each=2)


def test_a_slow_reader_is_dropped_and_can_resume(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        ann, table = await started(site)
        async with ann.socket() as socket:
            await send(socket, type="watch", table=table)
            await hear(socket, "update")
            async with site.hub.room(table) as room:
                (listener,) = room.listeners
                assert isinstance(listener, Socket)
                listener.wire.pause_writing()  # the system's buffer is full
                for _ in range(10):  # more than the queue holds
                    listener.tell(b'{"type":"pong"}')
                listener.wire.resume_writing()
            with pytest.raises(ConnectionClosed) as closed:
                await hear(socket, "never")
            assert closed.value.rcvd is not None and closed.value.rcvd.code == 1013
        async with ann.socket() as socket:
            await send(socket, type="watch", table=table, since=0)
            assert [event["seq"] for event in (await hear(socket))["events"]] == [1]

    play_out(scenario, socket_bytes=4)


async def place_and_take_back(ann: Somebody, table: str, times: int) -> int:
    """Plays an action and takes it back, repeatedly; returns the seq."""
    look = await ann.get(f"/tables/{table}")
    place, seq = look["offer"]["actions"][0]["action"], int(look["seq"])
    for _ in range(times):
        await ann.post(f"/tables/{table}/actions", {"id": f"p{seq}", "on": seq, "actions": [place]})
        await ann.post(f"/tables/{table}/undo", {"id": f"u{seq}", "on": seq + 1})
        seq += 2
    return seq


def test_a_slow_reader_gets_one_update_instead_of_a_backlog(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        ann, table = await started(site)
        async with ann.socket() as socket, site.hub.room(table) as room:
            await send(socket, type="watch", table=table, since=1)
            await hear(socket, "update")
            (listener,) = room.listeners
            assert isinstance(listener, Socket)
            listener.wire.pause_writing()  # the system's buffer is full
            await place_and_take_back(ann, table, 1)  # the writer has its first update now, and still waits
            seq = await place_and_take_back(ann, table, 20)
            assert len(listener.outbox) == 1 and listener.outbox._bytes == 0
            listener.wire.resume_writing()
            listener.tell(b'{"type":"pong"}')  # before anything that waits could be sent
            update, pong = await hear(socket), await hear(socket)
            assert pong["type"] == "pong", "nothing overtakes what waits"
            assert [event["seq"] for event in update["events"]] == list(range(2, seq + 1))
            assert update["seq"] == seq and update["offer"] is not None

    play_out(scenario)


def test_a_reader_that_is_slow_again_and_again_gets_each_event_once(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        ann, table = await started(site)
        async with ann.socket() as socket, site.hub.room(table) as room:
            await send(socket, type="watch", table=table, since=1)
            await hear(socket, "update")
            (listener,) = room.listeners
            assert isinstance(listener, Socket)
            wire, write = listener.wire, listener.wire.write

            def fill(message: bytes) -> None:
                write(message)
                wire.pause_writing()  # each message fills the system's buffer

            wire.write = fill  # type: ignore[method-assign]
            wire.pause_writing()
            listener.tell(b'{"type":"pong"}')
            await place_and_take_back(ann, table, 1)
            wire.resume_writing()
            await hear(socket, "pong")
            seq = await place_and_take_back(ann, table, 1)
            heard: list[int] = []
            while not heard or heard[-1] < seq:
                wire.resume_writing()
                heard += [event["seq"] for event in (await hear(socket, "update"))["events"]]
            wire.resume_writing()
            await send(socket, type="ping")
            assert (await hear(socket))["type"] == "pong", "nothing came twice"
            assert heard == list(range(2, seq + 1))

    play_out(scenario)


def test_a_long_log_comes_in_pages(play_out: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room_module, "PAGE", 7)
    monkeypatch.setattr(room_module, "TAIL", 2)

    async def scenario(site: Site) -> None:
        ann, table = await started(site)
        seq = await place_and_take_back(ann, table, 16)
        async with ann.socket() as socket:
            await send(socket, type="watch", table=table, since=0)
            pages = [await hear(socket, "update")]
            while pages[-1]["events"][-1]["seq"] < seq:
                pages.append(await hear(socket, "update"))
            assert [len(page["events"]) for page in pages] == [7, 7, 7, 7, 5]
            assert {page["seq"] for page in pages} == {seq}
            assert [event["seq"] for page in pages for event in page["events"]] == list(range(1, seq + 1))
        assert [event["seq"] for event in (await ann.get(f"/tables/{table}?since=0"))["events"]] == [*range(1, 8)]
        assert [event["seq"] for event in (await ann.get(f"/tables/{table}/events?since=24"))["events"]] == [
            *range(25, 34)
        ]

    play_out(scenario)


def test_undos_per_turn_are_limited(play_out: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room_module, "MOST_UNDOS", 3)

    async def scenario(site: Site) -> None:
        ann, table = await started(site)
        seq = await place_and_take_back(ann, table, 3)
        place = (await ann.get(f"/tables/{table}"))["offer"]["actions"][0]["action"]
        await ann.post(f"/tables/{table}/actions", {"id": "a", "on": seq, "actions": [place]})
        for kind in ("undo", "restart"):
            assert await ann.refused("POST", f"/tables/{table}/{kind}", {"id": kind, "on": seq + 1}) == "undos"
            site.hub.rooms.clear()  # counted again from the log
        await ann.post(f"/tables/{table}/actions", {"id": "b", "on": seq + 1, "actions": ["."]})
        assert await place_and_take_back(ann, table, 3) == seq + 8  # the next turn begins anew

    play_out(scenario)


def test_clients_that_never_read_are_disconnected(
    play_out: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tikal.server.http.sockets.GRACE_S", 0.05)

    async def scenario(site: Site) -> None:
        ann, table = await started(site)
        async with ann.socket() as socket, site.hub.room(table) as room:
            await send(socket, type="watch", table=table)
            await hear(socket, "update")
            (listener,) = room.listeners
            assert isinstance(listener, Socket)
            listener.wire.pause_writing()  # the system's buffer is full
            for _ in range(10):
                listener.tell(b"{}")
            with pytest.raises(ConnectionClosed):
                await hear(socket, "never")
            assert not room.listeners and site.hub.presence._sockets == {}

    play_out(scenario, socket_bytes=4)


def test_a_pending_request_is_finished_after_a_disconnect(play_out: Callable[..., None]) -> None:
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
    (client / "index.html").write_text("<body>Tikal")

    async def scenario(site: Site) -> None:
        ann = await site.person("Ann")
        answers = [await ann.ask("GET", path) for path in ("/health", "/me", "/nothing")]
        answers.append(await ann.http.post("/api/tables", content=b"x" * 40_000))
        page = await ann.http.get("/")
        assert page.text.endswith("<body>Tikal")
        assert answers[-1].status_code == 413
        for answer in [*answers, page]:
            assert answer.headers["x-request-id"]
            assert {name: answer.headers.get(name) for name in HEADERS} == HEADERS
            assert "server" not in answer.headers
        assert answers[0].headers["cache-control"] == "no-store"
        assert "default-src 'self'" in HEADERS["content-security-policy"] and "unsafe" not in str(HEADERS)

    play_out(scenario, client=client)


def test_the_openapi_document_has_every_endpoint_with_examples(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        document = await site.know(None).get("/openapi.json")
        assert len(document["paths"]) >= 20
        for schema in ("NewTable", "Play", "Join", "PutSeat", "WhatIf", "Resign", "Say", "NewPerson", "Problem"):
            assert document["components"]["schemas"][schema]["examples"], schema

    play_out(scenario)


def test_an_internal_error_reveals_no_details(
    play_out: Callable[..., None], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def broken(_store: Store, _key: str) -> None:
        raise OSError("secret path")

    async def scenario(site: Site) -> None:
        monkeypatch.setattr(Store, "news", broken)
        answer = await site.know(None).ask("GET", "/tables/any")
        assert answer.status_code == 500
        assert answer.json()["error"]["code"] == "fault" and "secret" not in answer.text
        assert {name: answer.headers.get(name) for name in HEADERS} == HEADERS
        async with site.know(None).socket() as socket:
            await send(socket, type="watch", table="any", id=1)
            error = await hear(socket)
            assert (error["code"], error["id"]) == ("fault", 1) and "secret" not in str(error)
            await send(socket, type="ping")
            assert await hear(socket) == {"type": "pong"}  # it goes on

    play_out(scenario)
    assert caplog.text.count("OSError: secret path") == 2  # each is logged, and once


def test_health_reports_a_full_disk(play_out: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_store: Store, jobs: list[Any], _hints: set[str]) -> list[Any]:
        raise OperationalError("UPDATE", {}, Exception("database or disk is full"))

    async def scenario(site: Site) -> None:
        stranger = site.know(None)
        assert (await stranger.get("/health"))["database"]
        with monkeypatch.context() as patch:
            patch.setattr(Store, "_transact", full)
            assert (await stranger.ask("GET", "/health")).status_code == 200  # looked up again after a moment
            time.advance(5)
            answer = await stranger.ask("GET", "/health")
            assert answer.status_code == 503 and not answer.json()["database"] and not answer.json()["ok"]
        time.advance(5)
        assert (await stranger.get("/health"))["ok"]

    time = Hands()
    play_out(scenario, time=time)


def test_health_reports_a_disk_with_too_little_room_for_an_action(
    play_out: Callable[..., None], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async def scenario(site: Site) -> None:
        def usage(path: Path) -> Any:
            assert path == tmp_path
            return SimpleNamespace(free=2**20)

        with monkeypatch.context() as patch:
            patch.setattr(shutil, "disk_usage", usage)
            answer = await site.know(None).ask("GET", "/health")
            assert answer.status_code == 503 and not answer.json()["database"]
        time.advance(5)
        assert (await site.know(None).get("/health"))["ok"]

    time = Hands()
    play_out(scenario, time=time)


def test_health_does_not_wait_for_a_database_that_hangs(
    play_out: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub_module, "HEALTH_WAIT_S", 60)  # a busy machine is no hanging database

    async def hang(_store: Store, _key: str) -> None:
        await asyncio.Event().wait()

    async def scenario(site: Site) -> None:
        with monkeypatch.context() as patch:
            patch.setattr(Store, "table", hang)
            patch.setattr(hub_module, "HEALTH_WAIT_S", 0.05)
            answer = await site.know(None).ask("GET", "/health")
            assert answer.status_code == 503 and not answer.json()["database"]
        time.advance(5)
        assert (await site.know(None).get("/health"))["ok"]

    time = Hands()
    play_out(scenario, time=time)


@pytest.mark.parametrize(
    "error",
    [OperationalError("INSERT", {}, Exception("database or disk is full")), OSError(errno.ENOSPC, "No space left")],
    ids=["database", "elsewhere"],
)
def test_a_full_disk_is_named_as_the_reason(
    play_out: Callable[..., None], monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def full(_store: Store, jobs: list[Any], _hints: set[str]) -> list[Any]:
        raise error

    async def scenario(site: Site) -> None:
        ann, table = await started(site)
        place = (await ann.get(f"/tables/{table}"))["offer"]["actions"][0]["action"]
        action = {"id": "a", "on": 1, "actions": [place]}
        with monkeypatch.context() as patch:
            patch.setattr(Store, "_transact", full)
            answer = await ann.ask("POST", f"/tables/{table}/actions", action)
            assert (answer.status_code, answer.json()["error"]["code"]) == (503, "busy")
            assert "disk is full" in answer.json()["error"]["text"]
            async with ann.socket() as socket:
                await send(socket, type="play", table=table, **action)
                assert "disk is full" in (await hear(socket))["text"]
        assert (await ann.post(f"/tables/{table}/actions", action))["seq"] == 2  # the same once more

    play_out(scenario)


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
        for text in ("", " \n ", "\u3164", "\u2800\u034f", "x" * 501, "x" * 2001):
            assert await ann.refused("POST", f"/tables/{table}/chat", {"text": text}) == "malformed"

    play_out(scenario)


def test_chat_is_limited(play_out: Callable[..., None]) -> None:
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
    assert callers.address(HTTPConnection({"type": "http", "client": (host, 1)})) == expected


def test_an_owner_without_a_seat_does_not_speak_under_the_name_of_a_player(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        eve, bob = await site.person("Eve"), await site.person("Bob")
        table = (await eve.post("/tables", {"seats": ["open", "open"]}))["id"]
        await bob.post(f"/tables/{table}/join", {})
        for name, allowed in (("Bob", False), ("B0b", False), ("Rob", True)):
            await eve.post("/me", {"name": name}, "PATCH")
            answer = await eve.ask("POST", f"/tables/{table}/chat", {"text": "I resign"})
            assert answer.status_code == (201 if allowed else 403)
        assert [line["name"] for line in (await bob.get(f"/tables/{table}/chat"))["lines"]] == ["Rob"]

    play_out(scenario)


def test_chat_shows_the_seat_and_its_name_not_the_name_of_the_moment(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        ann, bob = await site.person("Ann"), await site.person("Bob")
        table = (await ann.post("/tables", {"seats": ["me", "open"]}))["id"]
        await bob.post(f"/tables/{table}/join", {})
        await bob.post("/me", {"name": "Ann"}, "PATCH")
        line = await bob.post(f"/tables/{table}/chat", {"text": "I resign"})
        assert (line["seat"], line["name"]) == (2, "Bob")
        other = (await ann.post("/tables", {"seats": ["open", "open"]}))["id"]
        line = await ann.post(f"/tables/{other}/chat", {"text": "who plays?"})
        assert (line["seat"], line["name"]) == (None, "Ann")

    play_out(scenario)


@pytest.mark.parametrize("name", ["Ann\u3164", "\u115f", "A\u200bnn", "A\u202enn", "Ann\uffa0", "\u2800", "A\u034fnn"])
def test_a_name_has_nothing_that_can_not_be_seen(name: str) -> None:
    with pytest.raises(Refused) as refused:
        check_name(name)
    assert refused.value.code == "name"


@pytest.mark.parametrize(
    ("name", "allowed"),
    [
        *[("Анна", True), ("Ünal Ö.", True), ("李 Ann", True), ("Аnn", False), ("Aпп", False), ("Βob", False)],
        *[("ꓮnn", False), ("Annꓸ", False), ("Annᐟ", False), ("ꓮꓠꓠ", True)],
    ],
)
def test_a_name_imitates_no_other_by_letters_that_look_alike(name: str, allowed: bool) -> None:
    if allowed:
        assert check_name(name) == name
        return
    with pytest.raises(Refused, match="alphabets"):
        check_name(name)


@pytest.mark.parametrize(
    ("name", "marked"),
    [("Ann", True), ("ann", True), ("A.n n", True), ("Ánn", True), ("Anne", False), ("Bob", False), ("Нанн", False)],
)
def test_names_that_look_alike_are_marked_at_the_table(play_out: Callable[..., None], name: str, marked: bool) -> None:
    async def scenario(site: Site) -> None:
        ann, other = await site.person("Ann"), await site.person(name)
        table = (await ann.post("/tables", {"seats": ["me", "open", "open"]}))["id"]
        info = await other.post(f"/tables/{table}/join", {})
        assert [seat["alike"] for seat in info["seats"]] == [marked, marked, False]

    play_out(scenario)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *[("Ian", "lan"), ("OCA", "ОСА"), ("Tom", "Torn"), ("B0b", "Bob"), ("Νina", "Nina"), ("Wim", "VVim")],
        *[("ANN", "ꓮꓠꓠ"), ("Ann", "ᴀɴɴ"), ("Ann", "ɑnn"), ("Ann", "Annʼ")],
        *[("Bob", "Bøb"), ("Bob", "Ɓob"), ("Lukas", "Łukas")],
        *[("LEA", "ᏞᎬᎪ"), ("ANN", "ⲀⲚⲚ"), ("hon", "հօո")],
    ],
)
def test_names_of_different_letters_may_look_the_same(one: str, other: str) -> None:
    assert one != other and look_alike((one, other)) == {1, 2}


def test_tables_that_nobody_joins_are_closed(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        ann, table = await started(site)
        waiting = [
            (await ann.post("/tables", {"seats": ["me", "open"], "public": public}))["id"] for public in (True, False)
        ]
        at = int((await ann.get(f"/tables/{waiting[0]}"))["info"]["changed"])
        await site.hub.expire(at + 86_400_000 - 1000)
        assert len((await ann.get("/tables"))["tables"]) == 1
        await site.hub.expire(at + 86_400_000 + 60_000)
        states = [(await ann.get(f"/tables/{key}"))["info"]["state"] for key in (table, *waiting)]
        assert states == ["playing", "closed", "open"]

    play_out(scenario)


async def answer_to(site: Site, *parts: bytes) -> bytes:
    """The answer on a plain connection to these parts of a request, until it is closed."""
    host, port = site.base.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    for part in parts:
        writer.write(part)
        await writer.drain()
    answer = await asyncio.wait_for(reader.read(), 60)
    writer.close()
    return answer


def test_half_a_request_is_not_waited_for(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        head = b"POST /api/people HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        whole = b"GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n"
        late = (head + b"Content-Length: 20\r\n\r\n", b'{"name"')
        ann, table = await started(site)
        async with ann.socket() as socket:
            await send(socket, type="watch", table=table)
            await hear(socket, "update")
            nothing, half, second, body = await asyncio.gather(
                answer_to(site), answer_to(site, head), answer_to(site, whole, head), answer_to(site, *late)
            )
            assert nothing == half == b""
            assert second.startswith(b"HTTP/1.1 200")
            assert body.startswith(b"HTTP/1.1 408") and b'"slow"' in body
            await send(socket, type="ping", id=1)  # a socket that was silent for as long stays
            assert (await hear(socket, "pong"))["id"] == 1

    play_out(scenario, read_ms=3000)


def test_an_answer_that_is_never_read_is_dropped(play_out: Callable[..., None], tmp_path: Path) -> None:
    client, large = tmp_path / "client", 20_000_000  # more than the system's buffers take
    client.mkdir()
    (client / "index.html").write_text("Tikal")
    (client / "large.js").write_bytes(b" " * large)
    request = b"GET /large.js HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"

    async def scenario(site: Site) -> None:
        connections = site.server.server_state.connections
        with socket.create_connection(("127.0.0.1", int(site.base.rpartition(":")[2]))) as deaf:
            deaf.sendall(request)
            while not connections:
                await asyncio.sleep(0.01)
            while connections:
                await asyncio.sleep(0.05)
            read = await asyncio.to_thread(lambda: sum(iter(lambda: len(deaf.recv(1_000_000)), 0)))
            assert 0 < read < large
        assert len(await answer_to(site, request)) > large

    play_out(scenario, client=client, read_ms=500)

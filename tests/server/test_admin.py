"""The administrator: settings, counts, removal; and refusals for everybody else."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from fastapi.routing import APIRoute
from sqlalchemy import create_engine, select

from tests.server.conftest import Json, Site, Somebody, hear, send, serving
from tests.server.tables import advance
from tikal.server.bots.fair import Asker
from tikal.server.database.migrate import migrate
from tikal.server.database.schema import events, people, seats, settings, tables
from tikal.server.http import admin_api
from tikal.server.operation.admin import make_token

ENDPOINTS = [
    ("GET", "/admin", None),
    ("PATCH", "/admin/settings", {"registration": False}),
    ("GET", "/admin/people", None),
    ("DELETE", "/admin/people/nobody", None),
    ("GET", "/admin/tables", None),
    ("POST", "/admin/tables/TABLE/seats/1/link", None),
    ("DELETE", "/admin/tables/TABLE", None),
]


@pytest.fixture
def token(tmp_path: Path) -> str:
    """The administrator's token of the server that a test starts."""
    database = f"sqlite:///{tmp_path / 'server.db'}"
    migrate(database)
    made = make_token(database)
    assert made is not None
    return made


def test_there_is_one_token_and_only_its_hash_is_stored(tmp_path: Path, token: str) -> None:
    database = f"sqlite:///{tmp_path / 'server.db'}"
    assert make_token(database) is None
    other = make_token(database, again=True)
    assert other is not None and other != token
    engine = create_engine(database)
    with engine.connect() as c:
        kept = [row.value for row in c.execute(select(settings))]
    engine.dispose()
    assert len(kept) == 1 and other not in str(kept) and token not in str(kept)

    async def whole() -> None:
        async with serving(tmp_path) as site:
            assert await site.know(token).refused("GET", "/admin") == "admin"
            assert (await site.know(other).get("/admin"))["people"] == 0

    asyncio.run(whole())


def test_admin_endpoints_refuse_all_other_callers(play_out: Callable[..., None], token: str) -> None:
    async def scenario(site: Site) -> None:
        ann = await site.person("Ann")
        table = (await ann.post("/tables", {"seats": ["me", "open"]}))["id"]
        routes = [route for route in admin_api.router.routes if isinstance(route, APIRoute)]
        assert len(ENDPOINTS) == sum("/admin" in route.path for route in routes)
        browser = site.know(None)
        browser.http.headers["cookie"] = f"tikal={token}"  # a cookie would let other sites' pages act
        for method, path, body in ENDPOINTS:
            for who in (site.know(None), ann, browser, site.know("x" * 43)):
                assert await who.refused(method, path.replace("TABLE", table), body) == "admin", path
        assert (await ann.get(f"/tables/{table}"))["info"]["state"] == "open"
        assert (await site.person("Bob")).token

    play_out(scenario)


def test_registration_can_be_closed_and_opened(play_out: Callable[..., None], token: str) -> None:
    async def scenario(site: Site) -> None:
        ann, admin = await site.person("Ann"), site.know(token)
        assert not (await admin.post("/admin/settings", {"registration": False}, "PATCH"))["registration"]
        assert await site.know(None).refused("POST", "/people", {"name": "Bob"}) == "registration"
        assert (await ann.get("/me"))["name"] == "Ann"
        assert (await admin.post("/admin/settings", {"registration": True}, "PATCH"))["registration"]
        await site.person("Bob")

    play_out(scenario)


def test_bots_can_be_capped(play_out: Callable[..., None], token: str) -> None:
    async def scenario(site: Site) -> None:
        ann, admin = await site.person("Ann"), site.know(token)
        caps = {"bot_ms": 7, "bot_workers": 1, "levels": ["tourist", "digger"]}
        assert await admin.post("/admin/settings", caps, "PATCH") == {"registration": True, **caps}
        for body in (
            {"seats": ["me", "bot:professor"], "substitute": "tourist"},
            {"seats": ["me", "open"], "substitute": "surveyor"},
        ):
            assert await ann.refused("POST", "/tables", body) == "option"
        table = (await ann.post("/tables", {"seats": ["me", "open"], "substitute": "digger"}))["id"]
        assert await ann.refused("PUT", f"/tables/{table}/seats/2", {"to": "bot:professor"}) == "option"
        await ann.post(f"/tables/{table}/seats/2", {"to": "bot:digger"}, "PUT")
        await ann.post(f"/tables/{table}/seats/1", {"to": "bot:digger"}, "PUT")
        asked: list[int] = []
        decide = site.hub.runner.decide

        async def noted(level: str, view: Json, ms: int, asker: Asker) -> list[str]:
            asked.append(ms)
            return await decide(level, view, ms, asker)

        site.hub.runner.decide = noted  # type: ignore[method-assign]
        await ann.post(f"/tables/{table}/start")
        async with ann.socket() as socket:
            await send(socket, type="watch", table=table)
            while (await hear(socket, "update"))["seq"] < 5:
                pass
        assert set(asked) == {7}
        back = await admin.post("/admin/settings", {"bot_ms": None, "levels": ["professor"]}, "PATCH")
        assert (back["bot_ms"], back["bot_workers"], back["levels"]) == (None, 1, ["professor"])
        table = await ann.post("/tables", {"seats": ["me", "open"]})  # names no level, and gets one that is allowed
        assert table["substitute"] == "professor"
        for wrong in ({"bot_ms": 0}, {"bot_workers": 65}, {"levels": None}, {"registration": None}, {"x": 1}):
            assert await admin.refused("PATCH", "/admin/settings", wrong) == "malformed"
        assert await admin.refused("PATCH", "/admin/settings", {"levels": ["program:rm"]}) == "option"

    play_out(scenario, bot_workers=2, bot_ms=30)


async def sit_down(site: Site) -> tuple[Somebody, Somebody, str]:
    ann, bob = await site.person("Ann"), await site.person("Bob")
    body = {"seats": ["me", "open"], "substitute": "tourist"}
    table = (await ann.post("/tables", body))["id"]
    await bob.post(f"/tables/{table}/join", {})
    await ann.post(f"/tables/{table}/start")
    return ann, bob, table


def test_a_table_is_removed_with_everything_stored_for_it(
    play_out: Callable[..., None], token: str, tmp_path: Path
) -> None:
    async def scenario(site: Site) -> None:
        ann, bob, table = await sit_down(site)
        await ann.post(f"/tables/{table}/chat", {"text": "hello"})
        admin = site.know(token)
        assert [row["id"] for row in (await admin.get("/admin/tables?state=playing"))["tables"]] == [table]
        assert (await admin.get("/admin/tables?state=over"))["tables"] == []
        async with bob.socket() as socket:
            await send(socket, type="watch", table=table)
            await hear(socket, "update")
            assert (await admin.ask("DELETE", f"/admin/tables/{table}")).status_code == 204
            assert (await hear(socket, "update"))["info"]["state"] == "closed"
            await send(socket, type="play", table=table, id="x", on=1, actions=["."])
            assert (await hear(socket, "error"))["code"] == "unknown"
        for path in ("", "/events", "/chat", "/record"):
            assert await ann.refused("GET", f"/tables/{table}{path}") == "unknown"
        assert await admin.refused("DELETE", f"/admin/tables/{table}") == "unknown"
        figures = await admin.get("/admin")
        assert (figures["events"], figures["lines"], sum(figures["tables"].values())) == (0, 0, 0)

    play_out(scenario)


def test_a_person_is_removed_and_a_bot_takes_over(play_out: Callable[..., None], token: str, tmp_path: Path) -> None:
    async def scenario(site: Site) -> None:
        ann, bob, table = await sit_down(site)
        waiting = (await ann.post("/tables", {"seats": ["me", "open"]}))["id"]
        await ann.post(f"/tables/{table}/chat", {"text": "I am Ann"})
        admin = site.know(token)
        (row,) = (await admin.get("/admin/people?name=Ann"))["people"]
        assert (row["name"], row["tables"]) == ("Ann", 2)
        assert (await admin.ask("DELETE", f"/admin/people/{row['id']}")).status_code == 204
        assert await ann.refused("POST", "/tables", {"seats": ["me", "open"]}) == "identity"
        assert (await bob.get(f"/tables/{waiting}"))["info"]["state"] == "closed"
        told = await bob.get(f"/tables/{table}?since=0")
        assert (told["info"]["seats"][0]["kind"], told["info"]["seats"][0]["name"]) == ("bot", "—")
        assert (await bob.get(f"/tables/{table}/chat"))["lines"] == []
        async with bob.socket() as socket:
            await send(socket, type="watch", table=table)
            while (await hear(socket, "update"))["offer"] is None:
                pass
        assert await admin.refused("DELETE", f"/admin/people/{row['id']}") == "unknown"
        assert (await admin.get("/admin/people?name=Ann"))["people"] == []
        site.hub.forget(2**60)
        assert "Ann" not in str(await bob.get(f"/tables/{table}?since=0"))

    play_out(scenario)
    engine = create_engine(f"sqlite:///{tmp_path / 'server.db'}")
    with engine.connect() as c:
        kept = [str(list(c.execute(select(rows)))) for rows in (people, seats, events, tables)]
    engine.dispose()
    assert "Ann" not in str(kept) and "Bob" in str(kept)


@pytest.mark.parametrize("actions", [3, 60])  # a log that is packed, too
def test_the_name_of_a_removed_person_leaves_memory(play_out: Callable[..., None], token: str, actions: int) -> None:
    async def scenario(site: Site) -> None:
        ann, bob, admin = await site.person("Ann"), await site.person("Bob"), site.know(token)
        table = (await ann.post("/tables", {"seats": ["me", "open"], "substitute": "tourist"}))["id"]
        await bob.post(f"/tables/{table}/join", {})
        await ann.post(f"/tables/{table}/start")
        await advance(site, table, random.Random(1), actions)
        async with site.hub.room(table) as room:  # so it stays in memory
            assert "Bob" in str(room.update(None, 0)["events"][0])
            (person,) = [row["id"] for row in (await admin.get("/admin/people?name=Bob"))["people"]]
            await admin.ask("DELETE", f"/admin/people/{person}")
            assert "Bob" not in str(room.update(None, 0)) and len(room.entries.since(0)) == room.seq

    play_out(scenario)


def test_nothing_names_a_removed_person_who_had_left(play_out: Callable[..., None], token: str, tmp_path: Path) -> None:
    """They resigned a seat, took one over from a lost guest, and sat at a table that was closed."""

    async def scenario(site: Site) -> None:
        ann, bob, table = await sit_down(site)
        zoe, admin = await site.person("Zoe"), site.know(token)
        body = {"seats": ["me", "open"], "substitute": "tourist"}
        left, closed = [(await ann.post("/tables", body))["id"] for _ in range(2)]
        for key in (left, closed):
            await zoe.post(f"/tables/{key}/join", {})
        await ann.post(f"/tables/{left}/start")
        await zoe.post(f"/tables/{left}/resign", {"id": "r"})
        await ann.post(f"/tables/{closed}/leave")
        await bob.ask("DELETE", "/me/session")
        link = await ann.post(f"/tables/{table}/seats/2/link")
        await zoe.post(f"/tables/{table}/seats/2/take", {"token": link["token"]})
        (row,) = (await admin.get("/admin/people?name=Zoe"))["people"]
        async with site.hub.room(table), site.hub.room(left), site.hub.room(closed):  # so they stay in memory
            assert (await admin.ask("DELETE", f"/admin/people/{row['id']}")).status_code == 204
            for key in (table, left, closed):
                assert "Zoe" not in str(await ann.get(f"/tables/{key}?since=0")), key
        site.hub.forget(2**60)
        for key in (table, left, closed):
            assert "Zoe" not in str(await ann.get(f"/tables/{key}?since=0")), key

    play_out(scenario)
    engine = create_engine(f"sqlite:///{tmp_path / 'server.db'}")
    with engine.connect() as c:
        kept = str([list(c.execute(select(rows))) for rows in (people, seats, events, tables)])
    engine.dispose()
    assert "Zoe" not in kept and "Ann" in kept


def test_metrics(play_out: Callable[..., None], token: str) -> None:
    async def scenario(site: Site) -> None:
        ann, _, table = await sit_down(site)
        offer = (await ann.get(f"/tables/{table}"))["offer"]
        place = offer["actions"][0]["action"]
        await ann.post(f"/tables/{table}/actions", {"id": "a", "on": 1, "actions": [place, "+W@a1"]})
        await ann.refused("POST", f"/tables/{table}/actions", {"id": "b", "on": 1, "actions": ["."]})
        await ann.post(f"/tables/{table}/resign", {"id": "c"})
        async with ann.socket() as socket:
            await send(socket, type="watch", table=table)
            while (await hear(socket, "update"))["info"]["turn"] != 2:  # then the bot waits, and nothing is written
                pass
            text = (await site.know(None).ask("GET", "/metrics")).text
        for line in (
            'tikal_actions_total{by="person"} 2.0',
            'tikal_refusals_total{code="stale"} 1.0',
            "tikal_ack_seconds_count 2.0",
            "tikal_sockets 1.0",
            "tikal_rooms 1.0",
            "tikal_queue 0.0",
            "tikal_bots_stuck 0.0",
            "tikal_bots_waiting 0.0",
            "tikal_bots_ok 1.0",
            "tikal_bot_failures_total 0.0",
        ):
            assert f"\n{line}\n" in text, line
        figures = dict(line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
        assert float(figures['tikal_actions_total{by="bot"}']) >= 1
        assert float(figures["tikal_commits_total"]) >= 5 and float(figures["tikal_bot_seconds_count"]) >= 1
        assert table not in text and "Ann" not in text
        # Under its public name only for the administrator: such a request may come through a proxy on this computer.
        public = {"host": "tikal.example"}
        assert (await ann.ask("GET", "/metrics", headers=public)).status_code == 403
        assert (await site.know(token).ask("GET", "/metrics", headers=public)).status_code == 200

    play_out(scenario, public_url="https://tikal.example")

"""Several servers on one PostgreSQL: any table from any of them, and each sends its sockets what the others wrote."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from tests.server.conftest import Hands, Json, Site, Somebody, choose, hear, send, serving
from tests.server.tables import at_table, end_turn, until
from tikal.server.bots.fair import Asker
from tikal.server.live.hub import _bots_of

Scenario = Callable[[Site, Site], Awaitable[None]]


@pytest.fixture
def with_two(database: str, tmp_path: Path) -> Callable[..., None]:
    """Runs a scenario with two servers that share nothing but the database."""

    def run(scenario: Scenario, **settings: Any) -> None:
        async def whole() -> None:
            more = {"database": database, **settings}
            async with serving(tmp_path, **more) as one, serving(tmp_path, **more) as other:
                await asyncio.wait_for(scenario(one, other), 120)

        asyncio.run(whole())

    return run


def elsewhere(who: Somebody, site: Site) -> Somebody:
    """The same person at another server."""
    return site.know(who.token, who.name)


async def hear_seq(socket: ClientConnection, seq: int, heard: list[int]) -> Json:
    """Updates until one contains an event; their events are added to `heard`."""
    while True:
        update = await hear(socket, "update")
        heard += [event["seq"] for event in update["events"]]
        if update["seq"] >= seq:
            return update


async def game_of_two(one: Site, other: Site) -> tuple[Somebody, Somebody, str]:
    """Ann makes a table at one server, Bob joins it at the other."""
    ann, bob = await one.person("Ann"), await other.person("Bob")
    table = (await ann.post("/tables", {"seats": ["me", "open"]}))["id"]
    await bob.post(f"/tables/{table}/join", {})
    await ann.post(f"/tables/{table}/start")
    return ann, bob, table


def test_a_table_is_played_from_two_servers(with_two: Callable[..., None]) -> None:
    async def scenario(one: Site, other: Site) -> None:
        ann, bob, table = await game_of_two(one, other)
        rng, seq = random.Random(7), 1
        async with ann.socket() as anns, bob.socket() as bobs:
            sockets, heard = {1: anns, 2: bobs}, {1: [1], 2: [1]}
            for number, socket in sockets.items():
                await send(socket, type="watch", table=table, since=1)
                await hear_seq(socket, 1, heard[number])
            for _ in range(30):
                looks = [await who.get(f"/tables/{table}") for who in (ann, bob)]
                assert [look["seq"] for look in looks] == [seq, seq]  # every server shows what was acknowledged
                turn = looks[0]["info"]["turn"]
                action = choose(looks[turn - 1]["offer"], rng)
                await send(sockets[turn], type="play", table=table, id=f"a{seq}", on=seq, actions=[action])
                seq += 1
                for number, socket in sockets.items():
                    await hear_seq(socket, seq, heard[number])
            assert heard[1] == heard[2] == list(range(1, seq + 1))
        events = [await who.get(f"/tables/{table}/events") for who in (ann, bob)]
        assert events[0] == events[1]

    with_two(scenario)


def test_a_game_in_memory_continues_with_another_server_s_events(with_two: Callable[..., None]) -> None:
    async def scenario(one: Site, other: Site) -> None:
        ann, _, table = await game_of_two(one, other)
        async with other.hub.room(table) as room:
            game = room.game
            place = (await ann.get(f"/tables/{table}"))["offer"]["actions"][0]["action"]
            await ann.post(f"/tables/{table}/actions", {"id": "a", "on": 1, "actions": [place]})
            await room.catch_up()
            assert room.seq == 2 and room.game is game and game is not None and len(game.history) == 1

    with_two(scenario)


def test_seats_start_and_chat_reach_the_sockets_of_the_other_server(with_two: Callable[..., None]) -> None:
    async def scenario(one: Site, other: Site) -> None:
        ann, bob = await one.person("Ann"), await other.person("Bob")
        table = (await ann.post("/tables", {"seats": ["me", "open"]}))["id"]
        await bob.post(f"/tables/{table}/join", {})
        async with bob.socket() as bobs, ann.socket() as anns:
            for socket in (bobs, anns):
                await send(socket, type="watch", table=table, since=0)
                assert (await hear(socket, "update"))["info"]["seats"][1]["name"] == "Bob"
            await bob.post(f"/tables/{table}/leave")
            while (await hear(anns, "update"))["info"]["seats"][1]["kind"] != "open":
                pass
            await ann.post(f"/tables/{table}/seats/2", {"to": "bot:tourist"}, "PUT")
            while (await hear(bobs, "update"))["info"]["seats"][1]["kind"] != "bot":
                pass
            for text in ("one", "two", "three"):
                await ann.post(f"/tables/{table}/chat", {"text": text})
            for socket in (bobs, anns):
                lines = [(await hear(socket, "chat"))["line"] for _ in range(3)]
                assert [line["text"] for line in lines] == ["one", "two", "three"]
            await ann.post(f"/tables/{table}/start")
            heard: list[int] = []
            await hear_seq(bobs, 1, heard)
            assert heard == [1]

    with_two(scenario)


def test_joining_at_both_servers_at_once_gives_different_seats(with_two: Callable[..., None]) -> None:
    async def scenario(one: Site, other: Site) -> None:
        ann = await one.person("Ann")
        table = (await ann.post("/tables", {"seats": ["me", "open", "open"]}))["id"]
        people = [await site.person(f"P{n}") for n, site in enumerate([one, other] * 3)]
        answers = await asyncio.gather(*(who.ask("POST", f"/tables/{table}/join", {}) for who in people))
        assert {answer.status_code for answer in answers} == {200, 409}
        seats = [answer.json()["you"]["seats"] for answer in answers if answer.is_success]
        assert len(seats) == len({tuple(seat) for seat in seats})
        kept = await one.hub.store.table(table)
        assert kept is not None and {seat.person for seat in kept.seats} >= {kept.owner}

    with_two(scenario)


@pytest.mark.parametrize("by", ["leave", "close"])
def test_a_player_who_leaves_during_the_start_has_left(
    with_two: Callable[..., None], monkeypatch: pytest.MonkeyPatch, by: str
) -> None:
    async def scenario(one: Site, other: Site) -> None:
        ann, bob = await one.person("Ann"), await other.person("Bob")
        table = (await ann.post("/tables", {"seats": ["me", "open"]}))["id"]
        await bob.post(f"/tables/{table}/join", {})
        start = one.hub.store.start

        async def late(*given: Any) -> None:
            """The cache of one server is outdated when it starts the game."""
            monkeypatch.undo()
            await (bob if by == "leave" else elsewhere(ann, other)).post(f"/tables/{table}/leave")
            await start(*given)

        monkeypatch.setattr(one.hub.store, "start", late)
        assert await ann.refused("POST", f"/tables/{table}/start") == {"leave": "seats", "close": "closed"}[by]
        for who in (ann, bob):
            info = (await who.get(f"/tables/{table}"))["info"]
            assert info["state"] == {"leave": "open", "close": "closed"}[by]
            assert info["seats"][1]["kind"] == {"leave": "open", "close": "person"}[by]

    with_two(scenario)


def test_a_seat_joined_at_another_server_meanwhile_is_not_assigned(
    with_two: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario(one: Site, other: Site) -> None:
        ann, bob = await one.person("Ann"), await other.person("Bob")
        table = (await ann.post("/tables", {"seats": ["me", "open"]}))["id"]
        put = one.hub.store.put_seats

        async def late(*given: Any) -> None:
            monkeypatch.undo()
            await bob.post(f"/tables/{table}/join", {})
            await put(*given)

        monkeypatch.setattr(one.hub.store, "put_seats", late)
        assert await ann.refused("PUT", f"/tables/{table}/seats/2", {"to": "bot:tourist", "was": "open"}) == "taken"
        assert await ann.refused("PUT", f"/tables/{table}/seats/2", {"to": "bot:tourist"}) == "taken"
        assert (await bob.get(f"/tables/{table}"))["info"]["you"]["seats"] == [2]

    with_two(scenario)


def test_two_seats_of_one_screen_are_left_together_or_not_at_all(
    with_two: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario(one: Site, other: Site) -> None:
        ann, bob = await one.person("Ann"), await other.person("Bob")
        table = (await ann.post("/tables", {"seats": ["me", "open", "open"]}))["id"]
        await bob.post(f"/tables/{table}/join", {})
        await bob.post(f"/tables/{table}/join", {"name": "Cid"})
        put = other.hub.store.put_seats

        async def late(*given: Any) -> None:
            monkeypatch.undo()
            await ann.post(f"/tables/{table}/seats/3", {"to": "bot:tourist", "was": "person:Cid"}, "PUT")
            await put(*given)

        monkeypatch.setattr(other.hub.store, "put_seats", late)
        assert await bob.refused("POST", f"/tables/{table}/leave") == "taken"
        seats = (await ann.get(f"/tables/{table}"))["info"]["seats"]
        assert [seat["kind"] for seat in seats] == ["person", "person", "bot"]

    with_two(scenario)


def test_a_resend_to_the_other_server_is_a_duplicate(with_two: Callable[..., None]) -> None:
    async def scenario(one: Site, other: Site) -> None:
        ann, _, table = await game_of_two(one, other)
        there = elsewhere(ann, other)
        place = (await there.get(f"/tables/{table}"))["offer"]["actions"][0]["action"]
        body = {"id": "same", "on": 1, "actions": [place]}
        async with other.hub.room(table, on=0) as room:
            acks = [
                await ann.post(f"/tables/{table}/actions", body),
                await there.post(f"/tables/{table}/actions", body),
            ]
            assert room.seq == 2
        assert acks == [{"first": 2, "seq": 2, "duplicate": False}, {"first": 2, "seq": 2, "duplicate": True}]

    with_two(scenario)


def test_a_rematch_requested_at_both_servers_is_one_table(with_two: Callable[..., None]) -> None:
    async def scenario(one: Site, other: Site) -> None:
        ann, bob, table = await game_of_two(one, other)
        await one.hub.store.set_state(table, "playing", "over", 9)
        answers = await asyncio.gather(*(who.post(f"/tables/{table}/rematch") for who in (ann, bob)))
        assert answers[0]["id"] == answers[1]["id"]
        mine = [made["id"] for made in (await ann.get("/me/tables"))["tables"]]
        bobs = [made["id"] for made in (await bob.get("/me/tables"))["tables"]]
        assert set(mine) == set(bobs) == {table, answers[0]["id"]}

    with_two(scenario)


def test_a_revoked_token_is_worthless_at_every_server(with_two: Callable[..., None]) -> None:
    async def scenario(one: Site, other: Site) -> None:
        ann = await one.person("Ann")
        there = elsewhere(ann, other)
        assert (await there.get("/me"))["name"] == "Ann"
        await ann.ask("DELETE", "/me/session")
        while (await there.ask("GET", "/me")).status_code != 401:
            await asyncio.sleep(0.02)

    with_two(scenario)


async def listening(*sites: Site) -> None:
    """Waits until all of them are notified by each other."""
    while not all(site.hub.store._is_notified for site in sites):
        await asyncio.sleep(0.02)


def test_a_socket_ends_when_its_token_is_revoked_at_another_server(with_two: Callable[..., None]) -> None:
    async def scenario(one: Site, other: Site) -> None:
        await listening(one, other)
        ann, bob = await one.person("Ann"), await one.person("Bob")
        async with elsewhere(ann, other).socket() as socket, elsewhere(bob, other).socket() as bobs:
            await ann.ask("DELETE", "/me/session")
            with pytest.raises(ConnectionClosed) as closed:
                await hear(socket, "never")
            assert closed.value.rcvd is not None and closed.value.rcvd.reason == "revoked"
            await send(bobs, type="ping")
            assert await hear(bobs) == {"type": "pong"}

    with_two(scenario)


def test_turn_messages_reach_every_server_even_for_unwatched_tables(with_two: Callable[..., None]) -> None:
    async def scenario(one: Site, other: Site) -> None:
        await listening(one, other)
        ann, bob, table = await game_of_two(one, other)
        async with bob.socket() as there, elsewhere(bob, one).socket() as here:
            await end_turn(ann, table)
            for socket in (there, here):
                assert await hear(socket) == {"type": "turn", "table": table, "seat": 2, "deadline": None}

    with_two(scenario)


def test_a_turn_runs_out_once_however_many_servers_notice(with_two: Callable[..., None]) -> None:
    hands = Hands()

    async def scenario(one: Site, other: Site) -> None:
        ann, bob = await one.person("Ann"), await one.person("Bob")
        tables = [await at_table(ann, bob, {"kind": "daily"}) for _ in range(3)]
        for table in tables:
            await elsewhere(bob, other).get(f"/tables/{table}")
        hands.advance(24 * 3600)
        await asyncio.gather(*(site.hub.time_out(table) for table in tables for site in (one, other)))
        for table in tables:
            await until(elsewhere(bob, other), table, lambda update: update["info"]["turn"] == 2)
            assert [event.kind for event in await one.hub.store.events(table)].count("time") == 1

    with_two(scenario, time=hands, beat_ms=10**12)


def test_bid_limits_are_known_at_every_server(with_two: Callable[..., None]) -> None:
    async def scenario(one: Site, other: Site) -> None:
        ann, bob = await one.person("Ann"), await other.person("Bob")
        body = {"seats": ["me", "open"], "options": {"auction": "true"}}
        table = (await ann.post("/tables", body))["id"]
        await bob.post(f"/tables/{table}/join", {})
        await ann.post(f"/tables/{table}/start")
        await bob.post(f"/tables/{table}/bid", {"up_to": 4}, "PUT")
        await ann.post(f"/tables/{table}/actions", {"id": "a", "on": 1, "actions": ["B:3"]})
        update = await until(bob, table, lambda update: update["seq"] >= 3)
        assert update["events"][-1]["action"] == "B:4"
        await elsewhere(ann, other).post(f"/tables/{table}/bid", {"up_to": 9}, "PUT")
        update = await until(ann, table, lambda update: update["seq"] >= 5)
        assert [event["action"] for event in update["events"][3:5]] == ["B:5", "B:-"]

    with_two(scenario)


LISTENERS = "FROM pg_stat_activity WHERE query LIKE 'LISTEN%' AND datname = current_database()"


def end_listeners(database: str, count: int) -> None:
    """Ends the connections on which this many servers listen, as a restart of PostgreSQL or of a router would."""
    with psycopg.connect(database, autocommit=True) as connection:
        while connection.execute(f"SELECT pid {LISTENERS}".encode()).rowcount < count:
            time.sleep(0.02)
        connection.execute(f"SELECT pg_terminate_backend(pid) {LISTENERS}".encode())


def test_a_listener_that_lost_its_connection_reads_missed_events(with_two: Callable[..., None], database: str) -> None:
    async def scenario(one: Site, other: Site) -> None:
        ann, bob, table = await game_of_two(one, other)
        async with bob.socket() as bobs:
            await send(bobs, type="watch", table=table, since=0)
            heard: list[int] = []
            await hear_seq(bobs, 1, heard)
            seq = 1
            for _ in range(3):
                await asyncio.to_thread(end_listeners, database, 2)
                look = await ann.get(f"/tables/{table}")
                await ann.post(f"/tables/{table}/chat", {"text": f"at {seq}"})
                if look["offer"]:
                    action = look["offer"]["actions"][0]["action"]
                    await ann.post(f"/tables/{table}/actions", {"id": f"a{seq}", "on": seq, "actions": [action]})
                    seq += 1
                    await hear_seq(bobs, seq, heard)
                else:
                    await hear(bobs, "chat")
            assert heard == list(range(1, seq + 1)) and seq > 1

    with_two(scenario)


def test_the_store_works_on_after_all_its_connections_were_ended(with_two: Callable[..., None], database: str) -> None:
    def end_all() -> None:
        with psycopg.connect(database, autocommit=True) as connection:
            others = "pid <> pg_backend_pid() AND datname = current_database()"
            end = "pg_terminate_backend(pid, 60000)"  # and waits until it has ended
            connection.execute(f"SELECT {end} FROM pg_stat_activity WHERE {others}".encode())

    async def scenario(one: Site, other: Site) -> None:
        ann, _, table = await game_of_two(one, other)
        await asyncio.to_thread(end_all)
        look = await ann.get(f"/tables/{table}")
        body = {"id": "a", "on": 1, "actions": [look["offer"]["actions"][0]["action"]]}
        await asyncio.to_thread(end_all)
        assert (await ann.post(f"/tables/{table}/actions", body))["seq"] == 2

    with_two(scenario)


def test_a_bot_thinks_in_one_process_only(with_two: Callable[..., None]) -> None:
    async def scenario(one: Site, other: Site) -> None:
        ann = await one.person("Ann")
        asked: list[str] = []
        heard: list[int] = []
        for site in (one, other):
            plan = site.hub.runner.plan

            async def counted(level: str, view: Json, asker: Asker, plan: Any = plan) -> list[str]:
                asked.append(level)
                return await plan(level, view, asker)  # type: ignore[no-any-return]

            site.hub.runner.plan = counted  # type: ignore[method-assign]
        there = elsewhere(ann, other)
        table = (await ann.post("/tables", {"seats": ["bot:tourist", "bot:tourist"]}))["id"]
        async with there.socket() as socket:
            await send(socket, type="watch", table=table, since=0)
            await ann.post(f"/tables/{table}/start")
            update = await hear_seq(socket, 60, heard)
            assert heard == list(range(1, update["seq"] + 1))
        thoughts = len(asked)  # before reading the log: the game goes on meanwhile
        async with one.hub.room(table) as room:
            moves = sum(entry.client is not None for entry in room.entries)
            assert thoughts <= moves + 1  # each move was computed once; one may be pending

    with_two(scenario, sweep_ms=50)


def test_bots_of_a_process_that_is_gone_are_taken_over(with_two: Callable[..., None], database: str) -> None:
    """One server hangs in a bot and loses its claim, as if it had died; the other moves."""

    async def scenario(one: Site, other: Site) -> None:
        asked, never = asyncio.Event(), asyncio.Event()

        async def hang(_level: str, _view: Json, _asker: Asker) -> list[str]:
            asked.set()
            await never.wait()
            raise AssertionError

        one.hub.runner.plan = hang  # type: ignore[method-assign,assignment]
        ann = await one.person("Ann")
        table = (await ann.post("/tables", {"seats": ["bot:tourist", "me"]}))["id"]
        there = elsewhere(ann, other)
        async with there.socket() as socket:
            await send(socket, type="watch", table=table, since=0)
            async with one.hub.store.claim(_bots_of(table)) as first:  # before the other, which looks for bots, too
                assert first
                await ann.post(f"/tables/{table}/start")
                await hear_seq(socket, 1, [])
                await asked.wait()
            await asyncio.sleep(0.3)  # sweeps of the other pass: the claim holds
            assert (await there.get(f"/tables/{table}"))["seq"] == 1
            await one.hub.store._claims.close()
            while (update := await hear(socket, "update"))["offer"] is None:
                pass
            assert update["seq"] > 2

    with_two(scenario, sweep_ms=50)

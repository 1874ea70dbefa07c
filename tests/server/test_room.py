"""A room is a cache of its log: rebuilt by replay, frozen when it does not replay, reloaded when others wrote."""

from __future__ import annotations

import asyncio
import gc
import random
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest

from tests.server.conftest import Site, Somebody, hear, send
from tikal.play import Game
from tikal.play.digest import FORMAT, digest_like
from tikal.rules import RULES_VERSION
from tikal.rules.options import Options
from tikal.server.database.rows import Event
from tikal.server.database.schema import events, tables
from tikal.server.live.room import check


async def played(site: Site) -> tuple[Somebody, str]:
    """A table where a tile was placed and a worker entered."""
    ann = await site.person("Ann")
    table = (await ann.post("/tables", {"seats": ["me", "person:Bob"]}))["id"]
    await ann.post(f"/tables/{table}/start")
    place = (await ann.get(f"/tables/{table}"))["offer"]["actions"][0]["action"]
    await ann.post(f"/tables/{table}/actions", {"id": "a", "on": 1, "actions": [place, "+W@a1"]})
    await ann.post(f"/tables/{table}/actions", {"id": "b", "on": 3, "actions": ["+W@a1"]})
    return ann, table


async def change(site: Site, what: Any) -> None:
    """Writes directly into the database, and clears the server's cache."""
    await site.hub.store.write(lambda c: c.execute(what).rowcount)
    site.hub.forget(2**50)


def test_a_game_of_older_rules_that_replays_the_same_continues(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        ann, table = await played(site)
        before = await ann.get(f"/tables/{table}?since=0")
        await change(site, tables.update().values(rules=RULES_VERSION - 1))
        assert await ann.get(f"/tables/{table}?since=0") == before
        kept = await site.hub.store.table(table)
        assert kept is not None and kept.rules == RULES_VERSION

    play_out(scenario)


def wrong_check(seq: int) -> Any:
    data = {"action": "+W@a1", "check": "0" * 12}
    return events.update().where(events.c.seq == seq).values(data=data)


@pytest.mark.parametrize(
    ("damage", "older"),
    [
        pytest.param(wrong_check(3), True, id="older rules, another position on the way"),
        pytest.param(wrong_check(4), False, id="another position at the end"),
        pytest.param(events.update().where(events.c.seq == 4).values(data={"action": "X@h5"}), False, id="illegal"),
        pytest.param(events.update().where(events.c.seq == 4).values(seat=2), False, id="another seat"),
        pytest.param(events.delete().where(events.c.seq == 3), False, id="a gap"),
        pytest.param(tables.update().values(seed="other"), False, id="another seed"),
    ],
)
def test_a_game_that_does_not_replay_is_frozen_with_a_message(
    play_out: Callable[..., None], damage: Any, older: bool
) -> None:
    async def scenario(site: Site) -> None:
        ann, table = await played(site)
        await change(site, damage)
        if older:
            await change(site, tables.update().values(rules=RULES_VERSION - 1))
        update = await ann.get(f"/tables/{table}")
        assert (update["info"]["state"], update["view"], update["offer"]) == ("frozen", None, None)
        assert update["fault"]
        for path, body in (
            ("actions", {"id": "c", "on": 4, "actions": ["."]}),
            ("undo", {"id": "c", "on": 4}),
            ("whatif", {"on": 4, "actions": []}),
            ("resign", {"id": "c", "seat": 1}),
        ):
            assert await ann.refused("POST", f"/tables/{table}/{path}", body) == "frozen"
        assert await ann.refused("GET", f"/tables/{table}/record") == "frozen"
        kept = await site.hub.store.table(table)
        assert kept is not None and kept.state == "frozen"
        assert len((await ann.get("/me/tables"))["tables"]) == 1

    play_out(scenario)


def test_a_slower_process_answers_stale_and_shows_the_new_events(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        ann, table = await played(site)
        async with site.hub.room(table) as room:
            await site.hub.store.append(room.table, [Event(5, "undo", 1, {"count": 1})])
            body = {"id": "c", "on": 4, "actions": ["."]}
            assert await ann.refused("POST", f"/tables/{table}/actions", body) == "stale"
            assert room.seq == 5 and room.update(None, 4)["events"][0]["kind"] == "undo"
        assert (await ann.post(f"/tables/{table}/actions", body | {"on": 5}))["seq"] == 6

    play_out(scenario)


def test_concurrent_requests_for_a_table_share_one_room(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        _, table = await played(site)
        site.hub.forget(2**50)

        async def use() -> int:
            async with site.hub.room(table) as room:
                return id(room)

        assert len(set(await asyncio.gather(*(use() for _ in range(20))))) == 1

    play_out(scenario)


def test_concurrent_requests_for_seats_get_one_each_or_are_refused(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        ann = await site.person("Ann")
        table = (await ann.post("/tables", {"seats": ["me", "open", "open"]}))["id"]
        others = [await site.person(f"P{n}") for n in range(6)]
        answers = await asyncio.gather(*(who.ask("POST", f"/tables/{table}/join", {}) for who in others))
        assert sorted(answer.status_code for answer in answers) == [200, 200, 409, 409, 409, 409]
        seats = [answer.json()["you"]["seats"] for answer in answers if answer.is_success]
        assert sorted(seats) == [[2], [3]]

    play_out(scenario)


def test_nonces_of_the_players_go_into_the_shuffle(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        ann, bob = await site.person("Ann"), await site.person("Bob")
        table = (await ann.post("/tables", {"seats": ["me", "open"], "nonce": "ann's"}))["id"]
        await bob.post(f"/tables/{table}/join", {"nonce": "bob-7"})
        started = await ann.post(f"/tables/{table}/start")
        assert started["nonces"] == ["ann's", "bob-7"]
        async with site.hub.room(table) as room:
            assert room.game is not None and room.game.nonces == ("ann's", "bob-7")
            before = replace(room.table).seats
        assert [seat.nonce for seat in before] == ["ann's", "bob-7"]

    play_out(scenario)


def test_a_room_that_left_before_it_could_be_used_is_read_again(play_out: Callable[..., None]) -> None:
    # otherwise there would be two rooms of one table, and listeners of the wrong one would get nothing
    async def scenario(site: Site) -> None:
        _, table = await played(site)
        site.hub.forget(2**50)
        read, reads = site.hub._read, []

        async def and_leave(key: str) -> None:
            await read(key)
            reads.append(key)
            if len(reads) == 1:
                del site.hub.rooms[key]

        site.hub._read = and_leave  # type: ignore[method-assign]
        async with site.hub.room(table) as room:
            assert site.hub.rooms[table] is room
        assert reads == [table] * 2

    play_out(scenario)


def test_a_request_overtaken_by_another_process_is_stale(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        ann = await site.person("Ann")
        table = (await ann.post("/tables", {"seats": ["me", "open"]}))["id"]
        await ann.get(f"/tables/{table}")
        await site.hub.store.set_state(table, "open", "playing", 9)
        assert await ann.refused("POST", f"/tables/{table}/leave") == "started"

    play_out(scenario)


def test_a_table_that_can_not_be_woken_does_not_delay_others(
    play_out: Callable[..., None], caplog: pytest.LogCaptureFixture
) -> None:
    async def scenario(site: Site) -> None:
        ann = await site.person("Ann")
        good = (await ann.post("/tables", {"seats": ["bot:tourist", "me"]}))["id"]
        waiting = site.hub.store.waiting_for_bots

        async def more() -> list[str]:
            return ["nothing", *await waiting()]

        site.hub.nudge = lambda _room: None  # type: ignore[method-assign,assignment]  # as if the process had died
        await ann.post(f"/tables/{good}/start")
        del site.hub.nudge
        site.hub.store.waiting_for_bots = more  # type: ignore[method-assign]
        async with ann.socket() as socket:
            await send(socket, type="watch", table=good)
            while (await hear(socket, "update"))["offer"] is None:
                pass

    play_out(scenario, sweep_ms=50)
    assert "could not be woken" in caplog.text


def test_a_background_task_that_fails_is_logged_once(
    play_out: Callable[..., None], caplog: pytest.LogCaptureFixture
) -> None:
    async def broken() -> None:
        raise KeyError("a fault")

    async def scenario(site: Site) -> None:
        task = site.hub.background(broken())
        while task in site.hub._tasks:
            await asyncio.sleep(0)
        del task
        gc.collect()

    play_out(scenario)
    assert caplog.text.count("Traceback") == 1 and "a background task failed: KeyError" in caplog.text


def test_a_bot_is_not_overlooked_while_the_claim_to_think_is_given_back(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        ann = await site.person("Ann")
        table = (await ann.post("/tables", {"seats": ["bot:tourist", "me"]}))["id"]
        giving, given = asyncio.Event(), asyncio.Event()

        @asynccontextmanager
        async def claim(_what: str) -> AsyncIterator[bool]:
            yield True
            giving.set()
            await given.wait()

        site.hub.store.claim = claim  # type: ignore[method-assign,assignment]
        await ann.post(f"/tables/{table}/start")
        await giving.wait()
        update = await ann.get(f"/tables/{table}")
        body = {"id": "a", "on": update["seq"], "actions": [update["offer"]["actions"][0]["action"], "."]}
        seq = (await ann.post(f"/tables/{table}/actions", body))["seq"]
        given.set()
        async with ann.socket() as socket:
            await send(socket, type="watch", table=table)
            while (update := await hear(socket, "update"))["offer"] is None:
                pass
            assert update["seq"] > seq

    play_out(scenario, sweep_ms=10**9)


@pytest.mark.parametrize(
    "options", [{}, {"auction": "true", "leaps": "true", "players": "3"}, {"boulders": "3d6"}], ids=str
)
def test_the_server_s_digests_are_those_of_everybody(options: dict[str, str]) -> None:
    game, rng = Game.new(Options.parse(options), seed="digests"), random.Random(1)
    for _ in range(60):
        game.play(rng.choice(game.legal()))
        for like in (FORMAT, "3:", "2:", ""):
            assert check(game.state, like) == digest_like(like, game.state)

"""Whole games over real sockets: scripted people, bots, several tabs, spectators, reconnects, restarts."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.server.conftest import Json, Site, Somebody, hear, send, serving
from tests.server.tables import finish, play_seat
from tikal.play.records import verify


async def watch_to_the_end(somebody: Somebody, table: str) -> list[Json]:
    """All updates that a person gets until the game is over."""
    updates = []
    async with somebody.socket() as socket:
        await send(socket, type="watch", table=table, since=0)
        while True:
            updates.append(await hear(socket, "update"))
            if updates[-1]["info"]["state"] == "over" and updates[-1]["events"][-1]["seq"] == updates[-1]["seq"]:
                return updates


async def new_table(owner: Somebody, seats: list[str], **more: Any) -> str:
    table: str = (await owner.post("/tables", {"seats": seats, **more}))["id"]
    return table


VARIED = [
    pytest.param({"edition": "super-meeple"}, id="basic", marks=pytest.mark.long),
    pytest.param({"auction": "true", "leaps": "true"}, id="leaps"),
    pytest.param(
        {"edition": "rio-grande", "auction": "true", "sudden_death": "true"},
        id="auction, sudden death",
        marks=pytest.mark.long,
    ),
    pytest.param(
        {"boulders": "3d6", "obstacles": "true", "machine_gun": "true"},
        id="boulders, obstacles, guns",
        marks=pytest.mark.long,
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize("options", VARIED)
def test_a_whole_game_of_people_and_bots_with_tabs_spectators_and_reconnects(
    play_out: Callable[..., None], options: dict[str, str]
) -> None:
    async def scenario(site: Site) -> None:
        ann, bob, eve = [await site.person(name) for name in ("Ann", "Bob", "Eve")]
        table = await new_table(ann, ["me", "open", "bot:tourist"], options=options)
        assert (await bob.post(f"/tables/{table}/join", {}))["you"]["seats"] == [2]
        commitment = (await ann.post(f"/tables/{table}/start"))["commitment"]
        stranger = site.know(None)
        watching = [asyncio.create_task(watch_to_the_end(who, table)) for who in (eve, stranger, ann)]
        await asyncio.gather(
            play_seat(ann, table, random.Random(1)),
            play_seat(bob, table, random.Random(2), drops=4),
        )
        eves, strangers, anns = [await task for task in watching]
        for updates in (eves, strangers, anns):
            seqs = [event["seq"] for update in updates for event in update["events"]]
            assert seqs == list(range(1, updates[-1]["seq"] + 1))
        # viewers without a seat never get an offer, and all see the same end
        assert all(update["offer"] is None for update in eves + strangers)
        assert any(update["offer"] for update in anns)
        assert eves[-1]["view"] == strangers[-1]["view"]
        assert eves[-1]["view"]["winners"]
        # the seed stays secret until the end; then it matches the commitment
        assert all(update["info"]["seed"] is None for update in eves[:-1])
        assert eves[-1]["info"]["seed"] is not None
        assert eves[-1]["info"]["commitment"] == commitment
        record = (await eve.ask("GET", f"/tables/{table}/record")).text
        checked = verify(record)
        assert checked.ok and "commitment_ok" in [check.code for check in checked.checks]

    play_out(scenario)


def test_bots_play_among_themselves_to_the_end(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        ann = await site.person("Ann")
        table = await new_table(ann, ["bot:tourist", "bot:tourist"])
        await ann.post(f"/tables/{table}/start")
        updates = await watch_to_the_end(ann, table)
        assert updates[-1]["view"]["winners"]

    play_out(scenario)


def test_two_at_one_screen(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        ann = await site.person("Ann")
        table = await new_table(ann, ["me", "person:Uncle Bob"], public=False)
        started = await ann.post(f"/tables/{table}/start")
        assert [(seat["name"], seat["yours"]) for seat in started["seats"]] == [("Ann", True), ("Uncle Bob", True)]
        last = await play_seat(ann, table, random.Random(3), most=60)
        assert {event["seat"] for event in await ann.events(table)} >= {1, 2}
        assert last["view"]["viewer"] == last["view"]["seat"]

    play_out(scenario)


def test_two_tabs_get_the_same_and_the_slower_one_is_stale(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        ann = await site.person("Ann")
        table = await new_table(ann, ["me", "bot:tourist"])
        await ann.post(f"/tables/{table}/start")
        async with ann.socket() as left, ann.socket() as right:
            for tab in (left, right):
                await send(tab, type="watch", table=table)
            offer = (await hear(left, "update"))["offer"]
            await hear(right, "update")
            action = offer["actions"][0]["action"]
            await send(left, type="play", table=table, id="left", on=1, actions=[action])
            ack = await hear(left, "ack")
            await send(right, type="play", table=table, id="right", on=1, actions=[action])
            error = await hear(right, "error")
            assert ack == {"type": "ack", "table": table, "id": "left", "first": 2, "seq": 2, "duplicate": False}
            assert (error["code"], error["seq"], error["id"]) == ("stale", 2, "right")
            # a resend changes nothing, in whichever tab
            await send(right, type="play", table=table, id="left", on=1, actions=[action])
            assert (await hear(right, "ack"))["duplicate"]
            assert (await ann.get(f"/tables/{table}"))["seq"] == 2

    play_out(scenario)


def test_undo_and_restart_are_events_and_stop_at_revelations(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        ann = await site.person("Ann")
        table = await new_table(ann, ["me", "bot:tourist"])
        await ann.post(f"/tables/{table}/start")
        path = f"/tables/{table}"
        first = await ann.get(path)
        place = first["offer"]["actions"][0]["action"]
        await ann.post(f"{path}/actions", {"id": "a", "on": 1, "actions": [place, "+W@a1", "+W@a1"]})
        assert (await ann.get(path))["undo"] == 3
        assert (await ann.post(f"{path}/undo", {"id": "b", "on": 4}))["seq"] == 5
        assert (await ann.get(path))["view"]["workers"][0] == {"a1": 1}
        assert (await ann.post(f"{path}/undo", {"id": "b", "on": 4}))["duplicate"]
        assert (await ann.post(f"{path}/restart", {"id": "c", "on": 5}))["seq"] == 6
        again = await ann.get(path)
        assert (again["view"], again["offer"], again["undo"]) == (first["view"], first["offer"], 0)
        assert await ann.refused("POST", f"{path}/undo", {"id": "d", "on": 6}) == "undo"
        await ann.post(f"{path}/actions", {"id": "e", "on": 6, "actions": [place, "+W@a1", "+W@a1"]})
        assert await ann.refused("POST", f"{path}/undo", {"id": "f", "on": 9, "count": 4}) == "undo"
        assert (await ann.post(f"{path}/undo", {"id": "g", "on": 9, "count": 2}))["seq"] == 10
        assert (await ann.get(path))["view"]["workers"][0] == {}
        events = (await ann.get(f"{path}/events"))["events"]
        assert [(event["kind"], event.get("count")) for event in events[4:6]] == [("undo", 1), ("undo", 2)]

    play_out(scenario)


def test_what_if_stops_before_revelations_and_plays_nothing(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        ann = await site.person("Ann")
        table = await new_table(ann, ["me", "bot:tourist"])
        await ann.post(f"/tables/{table}/start")
        path = f"/tables/{table}"
        before = await ann.get(path)
        place = before["offer"]["actions"][0]["action"]
        tried = await ann.post(f"{path}/whatif", {"on": 1, "actions": [place, "+W@a1", ".", "nonsense"]})
        assert (tried["played"], tried["stopped"]) == ([place, "+W@a1"], ".")
        assert tried["view"]["workers"][0] == {"a1": 1} and tried["view"]["seat"] == 1
        assert tried["offer"]["actions"] and tried["undo"] == 2
        assert await ann.refused("POST", f"{path}/whatif", {"on": 1, "actions": [place, "X@h5"]}) == "illegal"
        assert await ann.refused("POST", f"{path}/whatif", {"on": 0, "actions": [place]}) == "stale"
        assert await ann.get(path) == before

    play_out(scenario)


def test_nothing_may_follow_a_revealing_action(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        ann = await site.person("Ann")
        table = await new_table(ann, ["me", "person:Bob"])
        await ann.post(f"/tables/{table}/start")
        path = f"/tables/{table}"
        before = await ann.get(path)
        place = before["offer"]["actions"][0]["action"]
        for rest in ("A5@b3^0", "nonsense", "."):
            body = {"id": f"x{rest[0]}", "on": 1, "actions": [place, ".", rest]}
            assert await ann.refused("POST", f"{path}/actions", body) == "reveals"
        assert await ann.get(path) == before

    play_out(scenario)


def test_a_bot_takes_over_after_a_resignation(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        ann, bob = await site.person("Ann"), await site.person("Bob")
        table = await new_table(ann, ["me", "open"], substitute="tourist")
        await bob.post(f"/tables/{table}/join", {"seat": 2})
        await ann.post(f"/tables/{table}/start")
        assert (await ann.post(f"/tables/{table}/resign", {"id": "r"}))["seq"] == 2
        async with bob.socket() as socket:
            await send(socket, type="watch", table=table)
            while (update := await hear(socket, "update"))["offer"] is None:
                pass
        seat = update["info"]["seats"][0]
        assert (seat["kind"], seat["level"], seat["substituted"], seat["name"]) == ("bot", "tourist", True, "Ann")
        assert await ann.refused("POST", f"/tables/{table}/resign", {"id": "s"}) == "rights"
        assert (await ann.post(f"/tables/{table}/resign", {"id": "r"}))["duplicate"]
        # the other one too: then bots finish it
        await bob.post(f"/tables/{table}/resign", {"id": "r", "seat": 2})
        assert (await watch_to_the_end(bob, table))[-1]["view"]["winners"]

    play_out(scenario)


def test_a_rematch_has_the_same_seats_and_another_seed(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        ann, bob = await site.person("Ann"), await site.person("Bob")
        table = await new_table(ann, ["me", "open", "bot:tourist"], options={"edition": "classic"})
        await bob.post(f"/tables/{table}/join", {})
        await ann.post(f"/tables/{table}/start")
        assert await ann.refused("POST", f"/tables/{table}/rematch") == "running"
        await asyncio.gather(play_seat(ann, table, random.Random(4)), play_seat(bob, table, random.Random(5)))
        new = await bob.post(f"/tables/{table}/rematch")
        assert [seat["kind"] for seat in new["seats"]] == ["open", "person", "bot"]
        joined = await ann.post(f"/tables/{table}/rematch")
        assert joined["id"] == new["id"] and joined["you"] == {"seats": [1], "owner": False}
        assert (await ann.post(f"/tables/{table}/rematch"))["id"] == new["id"]
        assert joined["options"] == (await ann.get(f"/tables/{table}"))["info"]["options"]
        assert joined["commitment"] != (await ann.get(f"/tables/{table}"))["info"]["commitment"]
        await bob.post(f"/tables/{new['id']}/start")

    play_out(scenario)


def test_a_cancelled_rematch_can_be_requested_again(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        ann, bob = await site.person("Ann"), await site.person("Bob")
        table = await new_table(ann, ["me", "open"])
        await bob.post(f"/tables/{table}/join", {})
        await ann.post(f"/tables/{table}/start")
        await finish(site, table)
        first = (await ann.post(f"/tables/{table}/rematch"))["id"]
        await ann.post(f"/tables/{first}/leave")
        second = (await bob.post(f"/tables/{table}/rematch"))["id"]
        assert second != first
        joined = await ann.post(f"/tables/{table}/rematch")
        assert (joined["id"], joined["you"]["seats"]) == (second, [1])
        assert (await ann.get(f"/tables/{table}"))["info"]["rematch"] == second

    play_out(scenario)


def test_seats_can_be_drawn(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        ann = await site.person("Ann")
        orders = set()
        for _ in range(20):
            seats = ["me", "bot:tourist", "bot:digger", "person:Bob"]
            table = await new_table(ann, seats, seating="random")
            started = await ann.post(f"/tables/{table}/start")
            orders.add(tuple(seat["level"] or seat["name"] for seat in started["seats"]))
            assert [seat["seat"] for seat in started["seats"]] == [1, 2, 3, 4]
        assert len(orders) > 1
        assert {tuple(sorted(order)) for order in orders} == {("Ann", "Bob", "digger", "tourist")}

    play_out(scenario)


def test_everything_continues_after_a_restart(tmp_path: Path) -> None:
    async def whole() -> None:
        async with serving(tmp_path) as site:
            ann = await site.person("Ann")
            table = await new_table(ann, ["me", "bot:tourist"])
            await ann.post(f"/tables/{table}/start")
            await play_seat(ann, table, random.Random(6), most=40)
            before = await ann.get(f"/tables/{table}?since=0")
        async with serving(tmp_path) as site:
            again = site.know(ann.token, "Ann")
            after = await again.get(f"/tables/{table}?since=0")
            assert after["events"][: len(before["events"])] == before["events"]
            if before["offer"] is not None:
                assert after == before
            assert (await play_seat(again, table, random.Random(7)))["view"]["winners"]

    asyncio.run(whole())


def test_a_restart_picks_up_a_bot_that_was_thinking(tmp_path: Path) -> None:
    async def whole() -> None:
        async with serving(tmp_path, bot_ms=60_000) as site:
            ann = await site.person("Ann")
            table = await new_table(ann, ["bot:professor", "me"])
            await ann.post(f"/tables/{table}/start")
            assert (await ann.get(f"/tables/{table}"))["seq"] == 1
        async with serving(tmp_path, bot_ms=20) as site, site.know(ann.token).socket() as socket:
            await send(socket, type="watch", table=table)
            while (await hear(socket, "update"))["offer"] is None:
                pass

    asyncio.run(whole())


def test_idle_tables_leave_memory_and_come_back(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        ann = await site.person("Ann")
        table = await new_table(ann, ["me", "person:Bob"])
        await ann.post(f"/tables/{table}/start")
        before = await ann.get(f"/tables/{table}")
        async with ann.socket() as socket:
            await send(socket, type="watch", table=table)
            await hear(socket, "update")
            site.hub.forget(2**50)
            assert table in site.hub.rooms  # it is being watched
            await send(socket, type="unwatch", table=table)
            await hear(socket, "ack")
        site.hub.forget(0)
        assert table in site.hub.rooms  # it was used after that
        site.hub.forget(2**50)
        assert site.hub.rooms == {}
        assert await ann.get(f"/tables/{table}") == before

    play_out(scenario)

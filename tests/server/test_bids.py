"""Bid limits: the least that is needed, by the rules; secret, changed, withdrawn, cleared, stored."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.server.conftest import Json, Site, Somebody, hear, send, serving
from tests.server.tables import until
from tikal.server.live.bids import answer

AUCTION = {"options": {"auction": "true"}, "substitute": "tourist"}


async def three(site: Site, **more: Any) -> tuple[str, Somebody, Somebody, Somebody]:
    """A table of three people at the first auction; seat 1 is to bid."""
    ann, bob, cid = [await site.person(name) for name in ("Ann", "Bob", "Cid")]
    table: str = (await ann.post("/tables", {"seats": ["me", "open", "open"], **AUCTION, **more}))["id"]
    for who in (bob, cid):
        await who.post(f"/tables/{table}/join", {})
    await ann.post(f"/tables/{table}/start")
    return table, ann, bob, cid


async def limit(who: Somebody, table: str, up_to: int, **more: Any) -> list[Json]:
    bids: list[Json] = (await who.post(f"/tables/{table}/bid", {"up_to": up_to, **more}, "PUT"))["bids"]
    return bids


async def bid(who: Somebody, table: str, action: str) -> None:
    seq = (await who.get(f"/tables/{table}"))["seq"]
    await who.post(f"/tables/{table}/actions", {"id": f"b{seq}", "on": seq, "actions": [action]})


async def bids_until(who: Somebody, table: str, count: int) -> list[tuple[int, str]]:
    """The first bids of a game, once there are this many."""
    update = await until(who, table, lambda update: update["seq"] > count)
    return [(event["seat"], event["action"]) for event in update["events"][1:]]


def test_the_least_that_is_needed_is_bid_and_beyond_the_limit_one_passes(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        table, ann, bob, cid = await three(site)
        assert await limit(bob, table, 4) == [{"seat": 2, "up_to": 4}]
        await bid(ann, table, "B:1")
        assert await bids_until(cid, table, 2) == [(1, "B:1"), (2, "B:2")]
        await bid(cid, table, "B:-")
        await bid(ann, table, "B:3")
        assert (await bids_until(ann, table, 5))[3:] == [(1, "B:3"), (2, "B:4")]
        assert await bob.get(f"/tables/{table}/bid") == {"bids": [{"seat": 2, "up_to": 4}], "most": {"2": 20}}
        await bid(ann, table, "B:5")
        assert (await bids_until(ann, table, 7))[5:] == [(1, "B:5"), (2, "B:-")]
        update = await ann.get(f"/tables/{table}")
        assert (update["view"]["phase"], update["view"]["scores"]) == ("take", [15, 20, 20])
        assert await bob.get(f"/tables/{table}/bid") == {"bids": [], "most": {}}  # that auction is over

    play_out(scenario)


def test_two_limits_go_up_by_turns_and_a_jump_is_followed(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        table, ann, bob, cid = await three(site)
        await limit(bob, table, 9)
        await limit(cid, table, 6)
        await bid(ann, table, "B:4")
        assert await bids_until(ann, table, 3) == [(1, "B:4"), (2, "B:5"), (3, "B:6")]
        await bid(ann, table, "B:-")
        bids = await bids_until(ann, table, 6)
        assert bids[3:] == [(1, "B:-"), (2, "B:7"), (3, "B:-")]
        assert (await bob.get(f"/tables/{table}"))["offer"]["phase"] == "take"

    play_out(scenario)


def test_in_the_player_s_turn_it_bids_at_once_and_zero_passes(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        table, ann, bob, cid = await three(site)
        await limit(cid, table, 0)
        await limit(bob, table, 0)
        await limit(ann, table, 3)
        assert await bids_until(ann, table, 3) == [(1, "B:1"), (2, "B:-"), (3, "B:-")]
        update = await ann.get(f"/tables/{table}")
        assert (update["view"]["phase"], update["view"]["seat"]) == ("take", 1)

    play_out(scenario)


def test_a_limit_can_be_changed_and_withdrawn(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        table, ann, bob, cid = await three(site)
        await limit(bob, table, 9)
        assert await limit(bob, table, 1) == [{"seat": 2, "up_to": 1}]
        await limit(cid, table, 9)
        assert (await cid.ask("DELETE", f"/tables/{table}/bid")).json()["bids"] == []
        await bid(ann, table, "B:1")
        assert await bids_until(ann, table, 2) == [(1, "B:1"), (2, "B:-")]
        await bid(cid, table, "B:2")  # Cid bids himself

    play_out(scenario)


def test_invalid_limits_are_refused(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        table, ann, bob, cid = await three(site)
        path = f"/tables/{table}/bid"
        bad: list[tuple[Any, str]] = [
            ({}, "malformed"),
            ({"up_to": -1}, "malformed"),
            ({"up_to": 21}, "malformed"),
            ({"up_to": 10**9}, "malformed"),
            ({"up_to": "5"}, "malformed"),
            ({"up_to": 5.5}, "malformed"),
            ({"up_to": 5, "seat": 1}, "rights"),
            ({"up_to": 5, "seat": 9}, "malformed"),
            ({"up_to": 5, "on": 1}, "malformed"),
        ]
        assert [(body, await bob.refused("PUT", path, body)) for body, _ in bad] == bad
        assert await site.know(None).refused("PUT", path, {"up_to": 1}) == "identity"
        await bid(ann, table, "B:1")
        await bid(bob, table, "B:-")
        assert await bob.refused("PUT", path, {"up_to": 5}) == "auction"  # out of it
        await bid(cid, table, "B:-")
        assert await ann.refused("PUT", path, {"up_to": 5}) == "auction"  # it is over
        assert (await bob.get(path))["bids"] == []
        hot = (await ann.post("/tables", {"seats": ["me", "person:Dan"], **AUCTION}))["id"]
        await ann.post(f"/tables/{hot}/start")
        assert await ann.refused("PUT", f"/tables/{hot}/bid", {"up_to": 5}) == "seat"
        assert await limit(ann, hot, 5, seat=2) == [{"seat": 2, "up_to": 5}]

    play_out(scenario)


def test_resigning_clears_the_limit(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        table, _, bob, _ = await three(site)
        await limit(bob, table, 9)
        await bob.post(f"/tables/{table}/resign", {"id": "r"})
        assert await site.hub.store.limits(table) == {}

    play_out(scenario)


def test_limits_survive_a_restart_and_pending_bids_are_made(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serving(tmp_path) as site:
            table, ann, bob, cid = await three(site, clock={"kind": "daily"})
            other, ann2, *_ = await three(site)
            await limit(bob, table, 9)
            # as if the server had died before it could bid
            await site.hub.store.set_limit(other, 1, 2, 1)
            tokens = [who.token for who in (ann, bob, cid, ann2)]
        async with serving(tmp_path) as site:
            ann, bob, cid, ann2 = [site.know(token) for token in tokens]
            assert await bids_until(ann2, other, 1) == [(1, "B:1")]
            assert (await bob.get(f"/tables/{table}/bid"))["bids"] == [{"seat": 2, "up_to": 9}]
            await bid(ann, table, "B:1")
            assert await bids_until(cid, table, 2) == [(1, "B:1"), (2, "B:2")]

    asyncio.run(asyncio.wait_for(scenario(), 120))


def test_limits_are_known_to_all_servers(tmp_path: Path, database: str) -> None:
    async def scenario() -> None:
        async with serving(tmp_path, database=database) as one, serving(tmp_path, database=database) as two:
            table, ann, bob, cid = await three(one)
            bob_there, cid_there = two.know(bob.token), two.know(cid.token)
            await limit(bob_there, table, 9)
            await bid(ann, table, "B:1")
            assert await bids_until(ann, table, 2) == [(1, "B:1"), (2, "B:2")]
            # the other server still has the old position: the limit is for the current auction
            assert await limit(cid_there, table, 5) == [{"seat": 3, "up_to": 5}]
            assert (await bids_until(cid_there, table, 3))[-1] == (3, "B:3")

    asyncio.run(asyncio.wait_for(scenario(), 120))


def test_limits_are_secret_on_every_channel(play_out: Callable[..., None]) -> None:
    async def everything(site: Site, who: Somebody, table: str) -> list[str]:
        here = f"/tables/{table}"
        paths = [f"{here}?since=0", f"{here}/events", f"{here}/record", f"{here}/replay/0", "/tables", "/me/tables"]
        got = [(await who.ask("GET", path)).text for path in [*paths, f"{here}/bid", f"{here}/bid?seat=2"]]
        got.append((await who.ask("PUT", f"{here}/bid", {"up_to": 5, "seat": 2})).text)
        got.append((await who.ask("DELETE", f"{here}/bid?seat=2")).text)
        for action in ("B:9", "B:-", "B:3"):
            body = {"id": f"w{action}", "on": 1, "actions": [action, "K:A1"]}
            got += [(await who.ask("POST", f"{here}/actions", body)).text]
            got += [(await who.ask("POST", f"{here}/whatif", {"on": 1, "actions": [action]})).text]
        return got

    async def scenario(site: Site) -> None:
        table, ann, bob, cid = await three(site)
        eve, stranger = await site.person("Eve"), site.know(None)
        others = (ann, cid, eve, stranger)
        sockets = [who.socket() for who in others]
        open_ones = [await socket for socket in sockets]
        for socket in open_ones:
            await send(socket, type="watch", table=table)
            await hear(socket, "update")
        before = [await everything(site, who, table) for who in others]
        for up_to in (0, 7, 20):
            await limit(bob, table, up_to)
            assert [await everything(site, who, table) for who in others] == before
            async with site.hub.room(table) as room:
                assert "up_to" not in repr(room.table)
        for socket in open_ones:  # and no message came
            await send(socket, type="ping")
            assert (await hear(socket))["type"] == "pong"
            await socket.close()

    play_out(scenario)


@pytest.mark.parametrize(("bids", "up_to", "expected"), [([], 1, "B:1"), ([], 0, "B:-"), (["B:20"], 20, "B:-")])
def test_the_next_bid(bids: list[str], up_to: int, expected: str) -> None:
    from tikal.play import Game
    from tikal.rules.options import Options

    game = Game.new(Options.parse({"auction": "true"}), seed="42")
    for action in bids:
        game.play(action)
    assert answer(game, up_to) == expected

"""Games never hang: absent people are replaced or lose, people vote to end a game, lost seats are handed over."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete

from tests.server.conftest import Hands, Json, Site, Somebody, serving
from tikal.cli.main import main
from tikal.server.database.schema import tokens

HOUR = 3600
FOREVER = 10**9


async def at_table(*people: Somebody, **more: Any) -> str:
    first, *others = people
    seats = ["me", *["open"] * len(others)]
    table: str = (await first.post("/tables", {"seats": seats, "substitute": "tourist", **more}))["id"]
    for somebody in others:
        await somebody.post(f"/tables/{table}/join", {})
    await first.post(f"/tables/{table}/start")
    return table


async def look(who: Somebody, table: str) -> Json:
    return await who.get(f"/tables/{table}?since=0")


def kinds(update: Json) -> list[str]:
    return [event["kind"] for event in update["events"]]


def test_an_absent_opponent_is_replaced_by_a_bot_after_the_time_that_everybody_knew(
    play_out: Callable[..., None],
) -> None:
    hands = Hands()

    async def scenario(site: Site) -> None:
        ann, bob, eve = [await site.person(name) for name in ("Ann", "Bob", "Eve")]
        table = await at_table(ann, bob, patience_h=2)
        endpoint, body = f"/tables/{table}/absent", {"id": "a", "do": "bot"}
        info = (await look(bob, table))["info"]
        assert info["patience_h"] == 2 and info["absent_from"] == hands.now() + 2 * HOUR * 1000
        hands.advance(2 * HOUR - 1)
        assert await bob.refused("POST", endpoint, body) == "absent"
        assert await eve.refused("POST", endpoint, body) == "rights"
        hands.advance(1)
        assert await ann.refused("POST", endpoint, body) == "absent", "nobody replaces themselves"
        ack = await bob.post(endpoint, body)
        assert await bob.post(endpoint, body) == {**ack, "duplicate": True}
        told = await look(bob, table)
        taken = next(event for event in told["events"] if event["kind"] == "seat")
        assert (taken["seat"], taken["to"], taken["why"]) == (1, "bot", "absent")
        assert told["info"]["seats"][0]["substituted"] and told["info"]["state"] == "playing"

    play_out(scenario, time=hands, beat_ms=FOREVER)


def test_every_action_restarts_the_wait_and_clocks_and_bots_have_no_absence(play_out: Callable[..., None]) -> None:
    hands = Hands()

    async def scenario(site: Site) -> None:
        ann, bob = await site.person("Ann"), await site.person("Bob")
        table = await at_table(ann, bob)
        hands.advance(23 * HOUR)
        place = (await look(ann, table))["offer"]["actions"][0]["action"]
        await ann.post(f"/tables/{table}/actions", {"id": "a", "on": 1, "actions": [place]})
        hands.advance(23 * HOUR)
        assert await bob.refused("POST", f"/tables/{table}/absent", {"id": "b", "do": "win"}) == "absent"
        timed = await at_table(ann, bob, clock={"kind": "daily", "days": 30})
        assert (await look(ann, timed))["info"]["absent_from"] is None
        hands.advance(48 * HOUR)
        assert await bob.refused("POST", f"/tables/{timed}/absent", {"id": "b", "do": "bot"}) == "absent"

    play_out(scenario, time=hands, beat_ms=FOREVER)


def test_a_vote_does_not_restart_the_wait(play_out: Callable[..., None]) -> None:
    hands = Hands()

    async def scenario(site: Site) -> None:
        ann, bob = await site.person("Ann"), await site.person("Bob")
        table = await at_table(ann, bob)
        for number in range(3):  # Ann votes for and against ending the game instead of moving
            hands.advance(8 * HOUR)
            await ann.post(f"/tables/{table}/vote", {"id": f"v{number}", "end": number % 2 == 0})
        assert (await look(bob, table))["info"]["absent_from"] == hands.now()
        await bob.post(f"/tables/{table}/absent", {"id": "b", "do": "win"})

    play_out(scenario, time=hands, beat_ms=FOREVER)


def test_moves_made_again_after_an_undo_do_not_restart_the_wait(play_out: Callable[..., None]) -> None:
    hands = Hands()

    async def scenario(site: Site) -> None:
        ann, bob = await site.person("Ann"), await site.person("Bob")
        table = await at_table(ann, bob)
        place = (await look(ann, table))["offer"]["actions"][0]["action"]

        async def play(on: int, *actions: str) -> None:
            await ann.post(f"/tables/{table}/actions", {"id": f"p{on}", "on": on, "actions": actions})

        await play(1, place)
        moved = hands.now()
        for seq in (2, 4, 6):  # Ann takes her move back and makes it again instead of going on
            hands.advance(6 * HOUR)
            await ann.post(f"/tables/{table}/undo", {"id": f"u{seq}", "on": seq})
            await play(seq + 1, place)
        site.hub.rooms.clear()  # counted again from the log
        assert (await look(bob, table))["info"]["absent_from"] == moved + 24 * HOUR * 1000
        await play(8, "+W@a1")
        assert (await look(bob, table))["info"]["absent_from"] == hands.now() + 24 * HOUR * 1000

    play_out(scenario, time=hands, beat_ms=FOREVER)


def test_the_last_player_claims_the_win(play_out: Callable[..., None]) -> None:
    hands = Hands()

    async def scenario(site: Site) -> None:
        ann, bob, cid = [await site.person(name) for name in ("Ann", "Bob", "Cid")]
        three = await at_table(ann, bob, cid)
        table = await at_table(ann, bob)
        hands.advance(24 * HOUR)
        assert await bob.refused("POST", f"/tables/{three}/absent", {"id": "a", "do": "win"}) == "rights"
        await bob.post(f"/tables/{table}/absent", {"id": "a", "do": "win"})
        told = await look(ann, table)
        assert told["info"]["state"] == "over" and told["info"]["turn"] is None and told["offer"] is None
        assert told["info"]["ended"] == {"why": "absent", "winners": [2]} and kinds(told) == ["start", "end"]
        assert [(await who.get("/me/stats"))["wins"] for who in (ann, bob)] == [0, 1]
        assert await ann.refused("POST", f"/tables/{table}/actions", {"id": "b", "on": 2, "actions": ["."]}) == "over"
        assert (await bob.post(f"/tables/{table}/rematch"))["patience_h"] == 24

    play_out(scenario, time=hands, beat_ms=FOREVER)


def test_a_game_ends_when_all_people_have_voted_for_it(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        ann, bob = await site.person("Ann"), await site.person("Bob")
        seats = ["me", "person:Kid", "open", "bot:tourist"]
        table = (await ann.post("/tables", {"seats": seats}))["id"]
        await bob.post(f"/tables/{table}/join", {})
        await ann.post(f"/tables/{table}/start")
        endpoint = f"/tables/{table}/vote"
        ack = await ann.post(endpoint, {"id": "a", "end": True})
        assert ack["seq"] - ack["first"] == 1, "one event for each seat"
        assert await ann.post(endpoint, {"id": "a", "end": True}) == {**ack, "duplicate": True}
        assert (await look(bob, table))["info"]["votes"] == [1, 2]
        await ann.post(endpoint, {"id": "b", "end": False})
        await bob.post(endpoint, {"id": "c", "end": True})
        told = await look(ann, table)
        assert told["info"]["votes"] == [3] and told["info"]["state"] == "playing"
        assert await site.know(None).refused("POST", endpoint, {"id": "d", "end": True}) == "identity"
        await ann.post(endpoint, {"id": "d", "end": True})
        told = await look(bob, table)
        assert told["info"]["state"] == "over" and told["info"]["ended"] == {"why": "vote", "winners": []}
        assert (await bob.get("/me/stats"))["games"] == 0
        alone = (await ann.post("/tables", {"seats": ["me", "bot:tourist"]}))["id"]
        await ann.post(f"/tables/{alone}/start")
        assert await ann.refused("POST", f"/tables/{alone}/vote", {"id": "e", "end": True}) == "rights"

    play_out(scenario)


def test_endings_outlive_a_restart_and_are_recomputed(tmp_path: Path) -> None:
    hands = Hands()
    kept: Json = {}

    async def play() -> None:
        async with serving(tmp_path, time=hands, beat_ms=FOREVER) as site:
            ann, bob = await site.person("Ann"), await site.person("Bob")
            won, voted, open_vote = [await at_table(ann, bob) for _ in range(3)]
            hands.advance(24 * HOUR)
            await bob.post(f"/tables/{won}/absent", {"id": "a", "do": "win"})
            for who in (ann, bob):
                await who.post(f"/tables/{voted}/vote", {"id": "a", "end": True})
            await bob.post(f"/tables/{open_vote}/vote", {"id": "a", "end": True})
            kept.update(bob=bob.token, tables=(won, voted, open_vote))

    async def again() -> None:
        async with serving(tmp_path, time=hands, beat_ms=FOREVER) as site:
            bob = site.know(kept["bob"])
            infos = [(await look(bob, table))["info"] for table in kept["tables"]]
            assert [info["ended"] and info["ended"]["why"] for info in infos] == ["absent", "vote", None]
            assert infos[2]["votes"] == [2]
            assert (await bob.get("/me/stats"))["wins"] == 1

    asyncio.run(play())
    asyncio.run(again())
    assert main(["stats", "--recompute", "--database", f"sqlite:///{tmp_path / 'server.db'}"]) == 0
    asyncio.run(again())


def test_the_seat_of_a_lost_guest_is_handed_over_with_a_link(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        ann, bob, cid = [await site.person(name) for name in ("Ann", "Bob", "Cid")]
        table = await at_table(ann, bob)
        endpoint = f"/tables/{table}/seats/2"
        assert await ann.refused("POST", f"{endpoint}/link") == "seat", "Bob is still there"
        person = (await site.hub.store.table(table)).seats[1].person  # type: ignore[union-attr]
        await site.hub.store.write(lambda c: c.execute(delete(tokens).where(tokens.c.person == person)).rowcount)
        assert await cid.refused("POST", f"{endpoint}/link") == "rights"
        await ann.post(f"{endpoint}/link")  # a link may get lost: the owner can create another one
        link = await ann.post(f"{endpoint}/link")
        assert link["url"].endswith(f"/table/{table}?seat=2#{link['token']}")
        assert await cid.refused("POST", f"{endpoint}/take", {"token": "wrong"}) == "identity"
        assert await cid.refused("POST", f"/tables/{table}/seats/1/take", {"token": link["token"]}) == "identity"
        await cid.post(f"{endpoint}/take", {"token": link["token"]})
        told = await look(cid, table)
        assert told["info"]["you"]["seats"] == [2] and told["info"]["seats"][1]["name"] == "Cid"
        assert told["events"][-1] | {"kind": "seat", "to": "person", "name": "Cid"} == told["events"][-1]
        assert await ann.refused("POST", f"{endpoint}/take", {"token": link["token"]}) == "identity", "once"
        stored = await site.hub.store.table(table)
        assert stored is not None and stored.seats[1].name == "Cid"

    play_out(scenario)


@pytest.mark.parametrize("hints", [False, True])
def test_a_player_can_not_make_a_rated_game_unrated_with_a_lost_seat(
    play_out: Callable[..., None], hints: bool
) -> None:
    async def scenario(site: Site) -> None:
        ann, bob, cid = [await site.person(name) for name in ("Ann", "Bob", "Cid")]
        table = await at_table(ann, bob, hints=hints)
        await bob.ask("DELETE", "/me/session")
        endpoint = f"/tables/{table}/seats/2"
        body = {"token": (await ann.post(f"{endpoint}/link"))["token"]}
        if hints:  # a game that is not rated anyway: one person may go on for both
            await ann.post(f"{endpoint}/take", body)
            assert (await look(ann, table))["info"]["you"]["seats"] == [1, 2]
        else:
            assert await ann.refused("POST", f"{endpoint}/take", body) == "taken"
            await cid.post(f"{endpoint}/take", body)
            assert (await look(cid, table))["info"]["rated"]

    play_out(scenario)

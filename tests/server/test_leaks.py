"""Swaps everything hidden from a viewer: every byte that they get, by any channel, is the same."""

from __future__ import annotations

import logging
import random
from collections.abc import Callable

import pytest

from tests.kit.amounts import sampled
from tests.server.conftest import Hands, Json, Site, Somebody, hear, send
from tests.server.tables import advance, everything, finish, swap
from tikal.server.database.schema import seats
from tikal.server.live.hub import _bot_view
from tikal.server.live.projection import Viewer

OPTIONS = {
    "basic": {},
    "sudden death": {"auction": "true", "sudden_death": "true", "double_volcano": "redraw"},
    "leaps": {"auction": "true", "leaps": "true"},
    "boulders": {"boulders": "2d6", "machine_gun": "true"},
}


async def limits_of_others(site: Site, table: str, viewer: Viewer, up_to: int | None) -> None:
    """Writes bid limits for all seats of others directly into the database: the server does not use them."""
    others = (seats.c.table_id == table, seats.c.seat.not_in(viewer.seats))
    await site.hub.store.write(lambda c: c.execute(seats.update().where(*others).values(up_to=up_to)).rowcount)


@pytest.mark.slow
@pytest.mark.parametrize("kind", sampled(OPTIONS, "leaps", "boulders"))
def test_every_channel_is_the_same_whatever_is_hidden(play_out: Callable[..., None], kind: str) -> None:
    options = OPTIONS[kind]

    async def scenario(site: Site) -> None:
        rng = random.Random(f"leaks/{options}")
        people = [await site.person(name) for name in ("Ann", "Bob", "Eve")]
        body = {"seats": ["me", "open", "person:Cid"], "options": options, "clock": {"kind": "live"}}
        table = (await people[0].post("/tables", body))["id"]
        await people[1].post(f"/tables/{table}/join", {})
        await people[0].post(f"/tables/{table}/start")
        async with site.hub.room(table) as room:
            ids = [room.table.seats[0].person, room.table.seats[1].person, None]
        differed = 0
        for _ in range(3):
            await advance(site, table, rng, 30)
            async with site.hub.room(table) as room:
                if room.game is None or room.game.over:
                    break
                for who, person in zip(people, ids, strict=True):
                    game, entries = room.game, room.entries
                    viewer = Viewer.of(room.table, person)
                    before = await everything(site, who, person, table)
                    bot = None if game.seat is None else _bot_view(room, room.table.seats[game.seat - 1])
                    swap(room, viewer, rng)
                    await limits_of_others(site, table, viewer, rng.randrange(20))
                    differed += room.game.chance != game.chance
                    assert await everything(site, who, person, table) == before
                    if game.seat in viewer.seats and game.seat is not None:
                        assert _bot_view(room, room.table.seats[game.seat - 1]) == bot
                    room.game, room.entries = game, entries
                    await limits_of_others(site, table, viewer, None)
        assert differed >= 5  # there was something to hide

    play_out(scenario, time=Hands(), beat_ms=10**12, sweep_ms=10**9)


async def first_choice(site: Site) -> tuple[str, int, int, Somebody, Somebody]:
    """A `leaps` game where one of two players has chosen 3 tokens.

    Returns the table, the seat that chose, the last seq before the choice, and the two players: the chooser first.
    """
    ann, bob = await site.person("Ann"), await site.person("Bob")
    options = {"auction": "true", "leaps": "true"}
    table = (await ann.post("/tables", {"seats": ["me", "open"], "options": options}))["id"]
    await bob.post(f"/tables/{table}/join", {})
    await ann.post(f"/tables/{table}/start")
    async with site.hub.room(table) as room:
        assert room.game is not None
        while room.game.phase != "leap":
            await advance(site, table, random.Random(room.seq), 1)
        chooser, seq = room.game.seat, room.seq
    assert chooser is not None
    first, second = (ann, bob) if chooser == 1 else (bob, ann)
    await first.post(f"/tables/{table}/actions", {"id": "j1", "on": seq, "actions": ["J:3"]})
    return table, chooser, seq, first, second


def test_a_secret_choice_is_hidden_until_all_have_chosen(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        table, chooser, seq, first, second = await first_choice(site)

        async def last(who: Somebody) -> Json:
            return (await who.events(table))[-1]

        assert [(await last(who))["action"] for who in (first, second, site.know(None))] == ["J:3", "J:?", "J:?"]
        await second.post(f"/tables/{table}/actions", {"id": "j2", "on": seq + 1, "actions": ["J:2"]})
        shown = {str(chooser): 3, str(3 - chooser): 2}
        for who in (first, second, site.know(None)):
            events = await who.events(table)
            assert [event["action"] for event in events[seq:]][:2] == ["J:3", "J:2"]
            assert events[seq + 1]["shown"] == shown

    play_out(scenario)


def test_a_page_that_ends_within_a_leap_hides_secret_choices(
    play_out: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Many votes may follow a secret choice: then it is not among the last events."""
    monkeypatch.setattr("tikal.server.live.room.PAGE", 8)
    monkeypatch.setattr("tikal.server.live.room.TAIL", 2)

    async def scenario(site: Site) -> None:
        table, _, seq, first, second = await first_choice(site)
        for number in range(12):
            voter = (first, second)[number % 2]  # one person can't vote so often
            await voter.post(f"/tables/{table}/vote", {"id": f"v{number}", "end": False})
        for since in range(max(0, seq - 7), seq + 1):
            for who, chosen in ((first, "J:3"), (second, "J:?"), (site.know(None), "J:?")):
                told: list[Json] = (await who.get(f"/tables/{table}/events?since={since}"))["events"]
                assert [event["action"] for event in told if event["seq"] == seq + 1] == [chosen]
                async with who.socket() as socket:
                    await send(socket, type="watch", table=table, since=since)
                    assert (await hear(socket, "update"))["events"] == told
                assert told[-1]["seq"] < seq + 13  # a page, and more behind it

    play_out(scenario)


def test_logs_hold_no_secrets(play_out: Callable[..., None], caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    secrets: list[str] = []

    async def scenario(site: Site) -> None:
        ann = await site.person("Ann")
        secrets.append(str(ann.token))
        table = ""
        for _ in range(2):
            table = (await ann.post("/tables", {"seats": ["me", "person:Bob"]}))["id"]
            await ann.post(f"/tables/{table}/start")
            async with site.hub.room(table) as room:
                secrets.extend([room.table.seed, ",".join(room.game.chance.deck) if room.game else ""])
        await ann.ask("POST", f"/tables/{table}/actions", {"id": "x", "on": 1, "actions": ["nonsense"]})
        secrets.append((await ann.post("/me/link"))["token"])
        await finish(site, table)

    play_out(scenario)
    ours = "\n".join(
        record.getMessage() for record in caplog.records if not record.name.startswith(("http", "websock"))
    )
    assert not [secret for secret in secrets if secret in ours]

"""Clocks: banks and increments, days, time-outs exactly once, through restarts and sleep."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest
from sqlalchemy import select

from tests.kit.amounts import sampled
from tests.server.conftest import Hands, Json, Site, Somebody, hear, send, serving
from tests.server.players import Server
from tests.server.tables import at_table, end_turn, finish, until
from tikal.server.bots.fair import Asker
from tikal.server.database.rows import Person
from tikal.server.database.schema import beats
from tikal.server.errors import Refused
from tikal.server.live.projection import as_json

HOUR, DAY = 3600, 24 * 3600
LIVE = {"kind": "live", "bank_s": 600, "increment_s": 30}
NO_SLEEP = 10**12  # beats so rare that a jump of the clock does not look like a machine that slept


async def clock_of(who: Somebody, table: str) -> Json:
    clock: Json = (await who.get(f"/tables/{table}"))["info"]["clock"]
    return clock


def kinds(update: Json) -> list[str]:
    return [event["kind"] for event in update["events"]]


def test_a_live_clock_takes_from_the_bank_and_adds_the_increment(play_out: Callable[..., None]) -> None:
    hands = Hands()

    async def scenario(site: Site) -> None:
        ann, bob = await site.person("Ann"), await site.person("Bob")
        table = await at_table(ann, bob, LIVE)
        start = hands.now()
        clock = await clock_of(bob, table)
        assert (clock["kind"], clock["bank_s"], clock["increment_s"], clock["timeout"]) == ("live", 600, 30, "turn")
        assert (clock["now"], clock["deadline"]) == (start, start + 600_000)
        assert clock["remaining"] == [600_000, 600_000]
        hands.advance(100)
        update = await ann.get(f"/tables/{table}")
        place = update["offer"]["actions"][0]["action"]
        await ann.post(f"/tables/{table}/actions", {"id": "a", "on": 1, "actions": [place]})
        clock = await clock_of(ann, table)
        assert clock["deadline"] == start + 600_000  # an action within the turn changes nothing
        assert clock["remaining"] == [500_000, 600_000]
        await ann.post(f"/tables/{table}/undo", {"id": "b", "on": 2})
        assert await clock_of(ann, table) == clock
        await end_turn(ann, table)
        clock = await clock_of(ann, table)
        assert clock["remaining"] == [530_000, 600_000]
        assert clock["deadline"] == hands.now() + 600_000
        hands.advance(50)
        await end_turn(bob, table)
        assert (await clock_of(ann, table))["remaining"] == [530_000, 580_000]

    play_out(scenario, time=hands, beat_ms=NO_SLEEP)


def test_a_daily_clock_is_a_deadline_for_each_turn(play_out: Callable[..., None]) -> None:
    hands = Hands()

    async def scenario(site: Site) -> None:
        ann, bob = await site.person("Ann"), await site.person("Bob")
        table = await at_table(ann, bob, {"kind": "daily", "days": 2})
        clock = await clock_of(ann, table)
        assert clock["deadline"] == hands.now() + 2 * DAY * 1000
        assert clock["remaining"] == [2 * DAY * 1000, None]
        hands.advance(DAY)
        await end_turn(ann, table)
        listed = (await bob.get("/me/tables"))["tables"][0]
        assert listed["your_turn"] is True
        assert listed["clock"]["deadline"] == hands.now() + 2 * DAY * 1000
        assert listed["clock"]["remaining"] == [None, 2 * DAY * 1000]

    play_out(scenario, time=hands, beat_ms=NO_SLEEP)


def test_when_time_runs_out_a_bot_plays_the_turn_and_then_the_seat_is_its_owner_s_again(
    play_out: Callable[..., None],
) -> None:
    hands = Hands()

    async def scenario(site: Site) -> None:
        ann, bob = await site.person("Ann"), await site.person("Bob")
        table = await at_table(ann, bob, LIVE)
        place = (await ann.get(f"/tables/{table}"))["offer"]["actions"][0]["action"]
        await ann.post(f"/tables/{table}/actions", {"id": "a", "on": 1, "actions": [place]})
        held, plan = asyncio.Event(), site.hub.runner.plan

        async def slow(level: str, view: Json, asker: Asker) -> list[str]:
            await held.wait()
            return await plan(level, view, asker)

        site.hub.runner.plan = slow  # type: ignore[method-assign]
        hands.advance(600)
        update = await until(ann, table, lambda update: update["info"]["clock"]["lent"] == 1)
        assert kinds(update) == ["start", "play", "time"]
        assert update["events"][-1] | {"seq": 3, "seat": 1, "level": "tourist"} == update["events"][-1]
        assert update["offer"] is None and update["info"]["your_turn"] is False
        assert update["info"]["clock"]["deadline"] is None
        for endpoint in ("undo", "restart"):
            assert await ann.refused("POST", f"/tables/{table}/{endpoint}", {"id": "u", "on": 3}) == "time"
        body = {"id": "b", "on": 3, "actions": ["."]}
        assert await ann.refused("POST", f"/tables/{table}/actions", body) == "time"
        assert await bob.refused("POST", f"/tables/{table}/actions", body) == "turn"
        held.set()
        update = await until(bob, table, lambda update: update["info"]["turn"] == 2)
        assert update["info"]["your_turn"] and update["info"]["clock"]["lent"] is None
        assert {event["seat"] for event in update["events"][2:]} == {1}
        assert update["info"]["clock"]["remaining"] == [30_000, 600_000]  # otherwise it would never end
        await end_turn(bob, table)
        assert (await clock_of(ann, table))["remaining"] == [30_000, 630_000]  # Ann plays on
        await end_turn(ann, table)

    play_out(scenario, time=hands, beat_ms=NO_SLEEP)


def test_when_time_runs_out_a_bot_takes_the_seat_where_the_table_says_so(play_out: Callable[..., None]) -> None:
    hands = Hands()

    async def scenario(site: Site) -> None:
        ann, bob = await site.person("Ann"), await site.person("Bob")
        table = await at_table(ann, bob, {"kind": "daily", "timeout": "seat"})
        hands.advance(DAY)
        update = await until(bob, table, lambda update: update["info"]["turn"] == 2)
        (seat,) = [event for event in update["events"] if event["kind"] == "seat"]
        assert (seat["seat"], seat["to"], seat["level"], seat["why"]) == (1, "bot", "tourist", "time")
        assert update["info"]["seats"][0]["substituted"]
        assert (await ann.get(f"/tables/{table}"))["info"]["you"]["seats"] == []
        await end_turn(bob, table)  # the bot has no clock
        update = await until(bob, table, lambda update: update["info"]["turn"] == 2 and update["info"]["your_turn"])
        assert update["info"]["clock"]["remaining"][0] is None

    play_out(scenario, time=hands, beat_ms=NO_SLEEP)


def test_players_in_time_are_not_timed_out(play_out: Callable[..., None]) -> None:
    hands = Hands()

    async def scenario(site: Site) -> None:
        ann, bob = await site.person("Ann"), await site.person("Bob")
        table = await at_table(ann, bob, {"kind": "daily"})
        for _ in range(3):
            for who in (ann, bob):
                hands.advance(DAY - 1)
                await site.hub.time_out(table)  # a server's clock runs fast
                await end_turn(who, table)
        assert "time" not in kinds(await ann.get(f"/tables/{table}?since=0"))

    play_out(scenario, time=hands, beat_ms=NO_SLEEP)


OPTIONS = {"basic": {}, "auction": {"auction": "true"}, "leaps": {"auction": "true", "leaps": "true"}}


@pytest.mark.slow
@pytest.mark.parametrize("kind", sampled(OPTIONS, "basic", "leaps"))
def test_the_clock_runs_for_the_seat_that_must_decide(play_out: Callable[..., None], kind: str) -> None:
    # also in auctions and leaps; each turn costs its own seat the time that it took
    options = OPTIONS[kind]
    hands, rng = Hands(), random.Random(f"clock/{options}")

    async def scenario(site: Site) -> None:
        ann = await site.person("Ann")
        body = {"seats": ["me", "person:Bob", "bot:tourist"], "options": options, "clock": LIVE}
        table = (await ann.post("/tables", body))["id"]
        await ann.post(f"/tables/{table}/start")
        async with site.hub.room(table) as room:
            game, me = room.game, Person(str(room.table.owner), "Ann")
            assert game is not None
            banks = [600_000, 600_000]
            for _ in range(400):
                if room.thinking is not None:
                    await room.thinking
                if game.over:
                    break
                seat, seq = game.seat, room.seq
                assert seat in (1, 2)
                assert room.table.deadline == hands.now() + banks[seat - 1]
                hands.advance(1)
                banks[seat - 1] -= 1000
                action = rng.choice(game.legal())
                await site.hub.play(me, table, f"c{seq}", seq, [action])
                if room.thinking is not None:
                    await room.thinking
                banks[seat - 1] += 30_000 if action == "." else 0
            else:
                await finish(site, table)
            assert room.table.deadline is None and room.table.state == "over"

    play_out(scenario, time=hands, beat_ms=NO_SLEEP)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("timeout", "kind"), sampled(product(("turn", "seat"), OPTIONS), ("turn", "leaps"), ("seat", "basic"))
)
def test_whole_games_with_late_players_undos_and_bid_limits_end(
    play_out: Callable[..., None], caplog: pytest.LogCaptureFixture, timeout: str, kind: str
) -> None:
    options = OPTIONS[kind]
    hands, rng = Hands(), random.Random(f"late/{options}/{timeout}")

    async def scenario(site: Site) -> None:
        ann = await site.person("Ann")
        clock = {"kind": "live", "bank_s": 60, "increment_s": 10, "timeout": timeout}
        seats = ["me", "person:Bob", "person:Cid"]
        body = {"seats": seats, "options": options, "clock": clock, "substitute": "tourist"}
        table = (await ann.post("/tables", body))["id"]
        await ann.post(f"/tables/{table}/start")
        async with site.hub.room(table) as room:
            me, game = Person(room.table.owner, "Ann"), room.game
            codes: set[str] = set()
            assert game is not None
            while not game.over:
                await asyncio.sleep(0)
                if room.thinking is not None:
                    await room.thinking
                    continue
                hands.advance(rng.choice([0, 1, 5]))
                try:
                    if rng.random() < 0.02:
                        hands.advance(1000)
                        await site.hub.time_out(table)
                    elif game.phase == "bid" and rng.random() < 0.3:
                        await site.hub.bids.put(me, table, rng.choice([1, 2, 3]), rng.randrange(4))
                    elif game.can_take_back() and rng.random() < 0.1:
                        await site.hub.undo(me, table, f"u{rng.random()}", room.seq, rng.choice([None, 1]))
                    else:
                        action = rng.choice(game.legal())
                        await site.hub.play(me, table, f"p{rng.random()}", room.seq, [action])
                except Refused as refused:  # another event was faster
                    codes.add(refused.code)
                due = room.table.deadline is not None
                waits = (
                    room.table.state == "playing" and room.table.bot_plays_for is None and room.bot_to_move() is None
                )
                assert due == waits
            assert room.table.bot_plays_for is None and room.table.deadline is None
            end = as_json(room.update(me.id, 0))
        site.hub.forget(2**60)
        async with site.hub.room(table) as again:  # and it replays
            assert as_json(again.update(me.id, 0)) == end
        assert codes <= {"stale", "turn", "time", "auction", "rights", "malformed"}
        assert ("time" if timeout == "turn" else "seat") in [event["kind"] for event in json.loads(end)["events"]]

    play_out(scenario, time=hands, beat_ms=NO_SLEEP)
    assert [record.getMessage() for record in caplog.records if record.levelname == "ERROR"] == []


def test_two_servers_time_a_turn_out_once(tmp_path: Path, database: str) -> None:
    hands = Hands()

    async def scenario() -> None:
        settings: Json = {"time": hands, "beat_ms": NO_SLEEP, "database": database}
        async with serving(tmp_path, **settings) as one, serving(tmp_path, **settings) as two:
            ann, bob = await one.person("Ann"), await one.person("Bob")
            tables = [await at_table(ann, bob, {"kind": "daily"}) for _ in range(5)]
            bob_there = two.know(bob.token, "Bob")
            for table in tables:
                await bob_there.get(f"/tables/{table}")
            hands.advance(DAY)
            await asyncio.gather(*(site.hub.time_out(table) for table in tables for site in (one, two)))
            for table in tables:
                update = await until(bob, table, lambda update: update["info"]["turn"] == 2)
                log = await one.hub.store.events(table)
                assert [event.kind for event in log].count("time") == 1
                assert update["info"]["your_turn"]

    asyncio.run(asyncio.wait_for(scenario(), 120))


def test_clocks_stand_still_while_no_server_runs_and_go_on_after_a_restart(tmp_path: Path) -> None:
    hands = Hands()

    async def scenario() -> None:
        async with serving(tmp_path, time=hands) as site:
            ann, bob = await site.person("Ann"), await site.person("Bob")
            live = await at_table(ann, bob, LIVE)
            daily = await at_table(ann, bob, {"kind": "daily"})
            for _ in range(100):
                hands.advance(1)
                await asyncio.sleep(0.001)
            before = [await clock_of(ann, table) for table in (live, daily)]
        hands.advance(40 * DAY)
        async with serving(tmp_path, time=hands) as site:
            ann, bob = site.know(ann.token), site.know(bob.token)
            for table, was in zip((live, daily), before, strict=True):
                clock = await clock_of(ann, table)
                given = clock["remaining"][0] - was["remaining"][0]
                assert 0 <= given <= 2 * site.hub.config.beat_ms + 100_000  # at most back to the last beat
                assert clock["remaining"][1] == was["remaining"][1]
            assert "time" not in kinds(await ann.get(f"/tables/{live}?since=0"))
        async with serving(tmp_path, time=hands, beat_ms=NO_SLEEP) as site:
            bob = site.know(bob.token)
            hands.advance(700)  # and the deadline still holds
            update = await until(bob, live, lambda update: update["info"]["turn"] == 2)
            assert kinds(update).count("time") == 1
            assert "time" not in kinds(await bob.get(f"/tables/{daily}?since=0"))

    asyncio.run(asyncio.wait_for(scenario(), 120))


def test_a_turn_that_a_bot_was_playing_when_the_server_stopped_is_played_after_a_restart(tmp_path: Path) -> None:
    hands = Hands()

    async def scenario() -> None:
        async with serving(tmp_path, time=hands, beat_ms=NO_SLEEP) as site:
            ann, bob = await site.person("Ann"), await site.person("Bob")
            table = await at_table(ann, bob, LIVE)

            async def never(level: str, view: Json, asker: Asker) -> list[str]:
                await asyncio.Event().wait()
                raise AssertionError

            site.hub.runner.plan = never  # type: ignore[method-assign]
            hands.advance(HOUR)
            await until(ann, table, lambda update: update["info"]["clock"]["lent"] == 1)
        async with serving(tmp_path, time=hands, beat_ms=NO_SLEEP) as site:
            update = await until(site.know(bob.token), table, lambda update: update["info"]["turn"] == 2)
            assert kinds(update).count("time") == 1 and update["info"]["your_turn"]

    asyncio.run(asyncio.wait_for(scenario(), 120))


async def beat(site: Site, hands: Hands) -> None:
    """A second later, after the server's beat."""
    hands.advance(1)
    while await site.hub.store.ask(lambda c: c.execute(select(beats.c.at)).scalar_one()) != hands.now():
        await asyncio.sleep(0.01)


def test_a_server_where_no_clock_ran_for_long_gives_nothing_back(play_out: Callable[..., None]) -> None:
    hands = Hands()

    async def scenario(site: Site) -> None:
        ann, bob = await site.person("Ann"), await site.person("Bob")
        for _ in range(5):  # nothing to beat for
            hands.advance(HOUR)
            await asyncio.sleep(0.05)
        table = await at_table(ann, bob, LIVE)
        deadline = (await clock_of(ann, table))["deadline"]
        await beat(site, hands)
        assert await site.hub.store.deadlines() == [(table, deadline)]

    play_out(scenario, time=hands, beat_ms=1000)


def test_a_machine_that_slept_gives_the_time_back(play_out: Callable[..., None]) -> None:
    hands = Hands()

    async def scenario(site: Site) -> None:
        ann, bob = await site.person("Ann"), await site.person("Bob")
        table = await at_table(ann, bob, LIVE)
        async with ann.socket() as socket:
            await send(socket, type="watch", table=table)
            await hear(socket, "update")
            await beat(site, hands)
            before = await clock_of(ann, table)
            hands.advance(DAY)
            update = await hear(socket, "update")
        after = update["info"]["clock"]
        assert after["deadline"] == before["deadline"] + DAY * 1000
        assert after["remaining"] == before["remaining"]
        assert update["seq"] == 1

    play_out(scenario, time=hands, beat_ms=1000)


def test_a_real_restart_keeps_the_deadline(tmp_path: Path) -> None:
    async def scenario() -> None:
        server = Server(tmp_path, f"sqlite:///{tmp_path / 'server.db'}")
        await server.start()
        try:
            first = Site(server.base, None, None)  # type: ignore[arg-type]
            ann, bob = await first.person("Ann"), await first.person("Bob")
            tables = [await at_table(ann, bob, clock) for clock in (LIVE, {"kind": "daily"})]
            before = [await clock_of(ann, table) for table in tables]
            server.kill()
            await server.start()
            after = [await clock_of(ann, table) for table in tables]
            for was, clock in zip(before, after, strict=True):
                assert clock["deadline"] >= was["deadline"]  # later by the time that no server ran
                assert clock["remaining"][1] == was["remaining"][1]
            for table in tables:
                await end_turn(ann, table)
                assert (await clock_of(bob, table))["deadline"] is not None
            for who in first.people:
                await who.http.aclose()
        finally:
            server.kill()

    asyncio.run(scenario())

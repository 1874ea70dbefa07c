"""The contract of a store. Each test runs on every database that is listed."""

from __future__ import annotations

import asyncio
import multiprocessing
from collections.abc import Callable, Coroutine
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, create_engine, inspect, text
from sqlalchemy.exc import DataError, OperationalError

from tikal import server
from tikal.server.database import people as people_module
from tikal.server.database.engines import DatabaseError, database_url
from tikal.server.database.log import _update_tables
from tikal.server.database.migrate import migrate
from tikal.server.database.rows import Conflict, Event, Person, Seat, Table, Webhook, now, with_seat
from tikal.server.database.schema import metadata, seats
from tikal.server.database.store import Store

ANN, BOB = Person("ann", "Ann"), Person("bob", "Bob")
Check = Callable[[Store], Coroutine[Any, Any, None]]


@pytest.fixture
def on_store(address: str) -> Callable[[Check], None]:
    def run(check: Check) -> None:
        async def whole() -> None:
            store = await Store.open(address)
            try:
                await check(store)
            finally:
                await store.close()

        asyncio.run(whole())

    return run


async def two_people(store: Store) -> None:
    await store.add_person(ANN, "hash-ann")
    await store.add_person(BOB, "hash-bob")


def a_table(key: str = "t1", **more: Any) -> Table:
    seats = (Seat(1, "person", "ann", "Ann"), Seat(2, "open"))
    plain = Table(key, "ann", True, {"players": "2"}, 1, "42", "chosen", False, "digger", seats=seats)
    return replace(plain, **more)


def plays(first: int, *actions: str, client: str | None = None) -> list[Event]:
    made = [Event(n, "play", 1, {"action": action}) for n, action in enumerate(actions, first)]
    return [replace(made[0], client=client), *made[1:]]


async def a_started_table(store: Store) -> Table:
    await two_people(store)
    table = a_table(seats=(Seat(1, "person", "ann", "Ann"), Seat(2, "bot", None, "digger", "digger")), turn=1)
    await store.add_table(table, 10)
    await store.start(table, Event(1, "start", None, {}), table.seats)
    return replace(table, state="playing")


def test_a_person_is_found_by_each_of_its_tokens_until_revoked(on_store: Callable[[Check], None]) -> None:
    async def check(store: Store) -> None:
        await two_people(store)
        await store.add_token("second", "ann", "session")
        assert await store.person_of("hash-ann") == await store.person_of("second") == ANN
        assert await store.person_of("unknown") is None
        assert await store.revoke("ann", keep="second") == 1
        assert await store.person_of("hash-ann") is None
        assert await store.person_of("second") == ANN
        assert await store.person_of("hash-bob") == BOB
        assert await store.revoke("ann", only="second") == 1
        assert await store.person_of("second") is None

    on_store(check)


def test_a_session_that_is_not_used_expires_and_one_that_is_lives_on(
    on_store: Callable[[Check], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def check(store: Store) -> None:
        await two_people(store)
        start, day = now(), people_module.DAY_MS

        def at(days: int) -> None:
            monkeypatch.setattr(people_module, "now", lambda: start + days * day)
            store._known = {}

        at(300)
        assert await store.person_of("hash-ann") == ANN
        at(401)
        assert await store.person_of("hash-ann") == ANN and await store.person_of("hash-bob") is None
        assert await store.sessions(["hash-ann", "hash-bob"]) == {"hash-ann"}
        assert await store.remove_expired() == 1
        at(401 + 401)
        assert await store.person_of("hash-ann") is None

    on_store(check)


def test_a_link_works_once_until_it_expires_and_is_not_a_session(on_store: Callable[[Check], None]) -> None:
    async def check(store: Store) -> None:
        await two_people(store)
        await store.add_token("link", "ann", "link", expires=2**50)
        await store.add_token("old", "ann", "link", expires=1)
        assert await store.person_of("link") is None
        assert await store.spend_link("old", "s0") is None
        assert await store.spend_link("link", "s1") == ANN
        assert await store.spend_link("link", "s2") is None
        assert await store.person_of("s1") == ANN
        assert await store.person_of("s2") is None
        assert await store.spend_link("hash-ann", "s3") is None  # a session is no link

    on_store(check)


def test_a_name_to_log_in_with_is_one_person_s(on_store: Callable[[Check], None]) -> None:
    async def check(store: Store) -> None:
        changes: list[int] = []
        store.when_people_change = lambda _: changes.append(1)
        await two_people(store)
        await store.add_token("second", "ann", "session")
        await store.set_login("ann", None, "ann", "$hash", keep="second")
        assert len(changes) == 1
        assert await store.person_by_login("ann") == (replace(ANN, login="ann"), "$hash")
        assert await store.person_of("second") == replace(ANN, login="ann")
        assert await store.sessions(["hash-ann", "second", "hash-bob", "nobody"]) == {"second", "hash-bob"}
        with pytest.raises(Conflict):
            await store.set_login("bob", None, "ann", "$other")
        for wrong in (None, "$former"):  # another request has changed it meanwhile
            with pytest.raises(Conflict):
                await store.set_login("ann", wrong, "ann", "$stolen", keep="second")
        assert await store.person_by_login("ann") == (replace(ANN, login="ann"), "$hash")
        await store.set_login("ann", "$hash", None, None)
        assert await store.person_by_login("ann") is None
        assert await store.sessions(["second"]) == {"second"}
        await store.set_login("bob", None, "ann", "$other")

    on_store(check)


def test_a_new_name(on_store: Callable[[Check], None]) -> None:
    async def check(store: Store) -> None:
        await two_people(store)
        await store.change_person("ann", "Anna", "fr")
        assert await store.person_of("hash-ann") == Person("ann", "Anna", language="fr")

    on_store(check)


def test_a_stored_table_is_read_unchanged(on_store: Callable[[Check], None]) -> None:
    async def check(store: Store) -> None:
        await two_people(store)
        table = a_table()
        await store.add_table(table, 10)
        assert await store.table("t1") == table
        assert await store.table("t2") is None

    on_store(check)


def test_an_owner_may_have_only_so_many_tables(on_store: Callable[[Check], None]) -> None:
    async def check(store: Store) -> None:
        await two_people(store)
        await store.add_table(a_table("t1"), 1)
        with pytest.raises(Conflict):
            await store.add_table(a_table("t2"), 1)
        assert await store.table("t2") is None
        await store.set_state("t1", "open", "closed", 9)
        await store.add_table(a_table("t2"), 1)

    on_store(check)


def test_lists(on_store: Callable[[Check], None]) -> None:
    async def check(store: Store) -> None:
        await two_people(store)
        bobs = (Seat(1, "person", "bob", "Bob"), Seat(2, "open"))
        await store.add_table(a_table("old", changed=1), 10)
        await store.add_table(a_table("new", changed=2), 10)
        await store.add_table(a_table("private", public=False, changed=3), 10)
        await store.add_table(a_table("closed", state="closed"), 10)
        full = (Seat(1, "person", "ann", "Ann"), Seat(2, "bot", None, "digger", "digger"))
        await store.add_table(a_table("full", seats=full, changed=0), 10)
        await store.add_table(a_table("over", state="over", changed=9), 10)
        await store.add_table(a_table("bobs", owner="bob", seats=bobs, state="playing", changed=4), 10)
        assert [table.id for table in await store.public_tables()] == ["new", "old"]
        assert [table.id for table in await store.public_tables(most=1)] == ["new"]
        assert [table.id for table in await store.public_tables("playing")] == ["bobs"]
        assert [table.id for table in await store.tables_of("ann")] == ["private", "new", "old", "full", "over"]
        assert [table.id for table in await store.tables_of("bob")] == ["bobs"]

    on_store(check)


def test_no_owner_fills_the_list_of_tables_alone(on_store: Callable[[Check], None]) -> None:
    async def check(store: Store) -> None:
        await two_people(store)
        for number in range(8):
            await store.add_table(a_table(f"a{number}", changed=100 + number), 10)
        await store.add_table(a_table("b0", owner="bob", changed=1), 10)
        assert [table.id for table in await store.public_tables(most=4)] == ["a7", "b0", "a6", "a5"]

    on_store(check)


def test_few_public_tables_of_an_owner_wait_for_players(on_store: Callable[[Check], None]) -> None:
    async def check(store: Store) -> None:
        await two_people(store)
        for number in range(2):
            await store.add_table(a_table(f"a{number}"), 10, 2)
        with pytest.raises(Conflict, match="wait for players"):
            await store.add_table(a_table("a2"), 10, 2)
        await store.add_table(a_table("link", public=False), 10, 2)
        await store.add_table(a_table("b0", owner="bob"), 10, 2)
        await store.set_state("a0", "open", "closed", 9)
        await store.add_table(a_table("a2"), 10, 2)

    on_store(check)


def test_tables_that_have_waited_long_are_found(on_store: Callable[[Check], None]) -> None:
    async def check(store: Store) -> None:
        await two_people(store)
        for key, public, changed in (("p1", True, 5), ("p2", True, 15), ("l1", False, 5), ("l2", False, 2)):
            await store.add_table(a_table(key, public=public, changed=changed), 10)
        assert sorted(await store.old_open_tables(public=10, private=3)) == ["l2", "p1"]
        await store.set_state("p1", "open", "closed", 5)
        assert await store.old_open_tables(public=10, private=3) == ["l2"]

    on_store(check)


def test_of_two_requests_for_a_seat_one_succeeds(on_store: Callable[[Check], None]) -> None:
    async def check(store: Store) -> None:
        await two_people(store)
        table = a_table()
        await store.add_table(table, 10)
        free = table.seats[1]
        wishes = [store.put_seats("t1", [(free, replace(free, kind="person", person=p))], 9) for p in ("ann", "bob")]
        results = await asyncio.gather(*wishes, return_exceptions=True)
        assert [type(result) for result in results] == [type(None), Conflict]
        kept = await store.table("t1")
        assert kept is not None and kept.seats[1].person == "ann"

    on_store(check)


def test_a_table_changes_only_from_the_state_it_is_in(on_store: Callable[[Check], None]) -> None:
    async def check(store: Store) -> None:
        table = await a_started_table(store)
        for again in (
            store.start(table, Event(1, "start", None, {}), table.seats),
            store.put_seats("t1", [(table.seats[0], Seat(1, "open"))], 9),
            store.set_state("t1", "open", "closed", 9),
        ):
            with pytest.raises(Conflict):
                await again
        kept = await store.table("t1")
        assert kept is not None and kept.seats == table.seats and kept.state == "playing"
        await store.set_state("t1", "playing", "playing", 9, rules=7)
        kept = await store.table("t1")
        assert kept is not None and (kept.rules, kept.changed) == (7, 9)

    on_store(check)


MEANWHILE = [
    pytest.param(Seat(2, "open"), id="leave"),
    pytest.param(Seat(2, "bot", None, "digger", "digger"), id="a bot"),
    pytest.param(Seat(2, "person", "bob", "Robert"), id="another name"),
    pytest.param(Seat(2, "person", "bob", "Bob", nonce="n"), id="another nonce"),
]


@pytest.mark.parametrize("changed", MEANWHILE)
def test_no_process_writes_over_a_seat_that_another_has_changed(address: str, changed: Seat) -> None:
    async def whole() -> None:
        one, other = await Store.open(address), await Store.open(address)
        await two_people(one)
        table = a_table(seats=(Seat(1, "person", "ann", "Ann"), Seat(2, "person", "bob", "Bob")))
        await one.add_table(table, 10)
        seen = await one.table("t1")  # the cache of one process, when the other changes a person
        assert seen is not None
        await other.put_seats("t1", [(seen.seats[1], changed)], 9)
        first = Event(1, "start", None, {})
        with pytest.raises(Conflict):
            await one.start(replace(seen, turn=1), first, seen.seats)
        with pytest.raises(Conflict):
            await one.put_seats("t1", [(seen.seats[0], Seat(1, "open")), (seen.seats[1], Seat(2, "open"))], 10)
        kept = await one.table("t1")
        assert kept is not None and kept.seats == (seen.seats[0], changed)
        assert (kept.state, kept.changed) == ("open", 9) and await one.events("t1") == []
        await one.start(replace(kept, turn=1), first, kept.seats)
        for store in (one, other):
            await store.close()

    asyncio.run(whole())


def test_a_unit_does_not_reopen_a_closed_table(on_store: Callable[[Check], None]) -> None:
    async def check(store: Store) -> None:
        table = await a_started_table(store)
        await store.set_state("t1", "playing", "closed", 9)
        with pytest.raises(Conflict):
            await store.append(table, plays(2, "."))
        kept = await store.table("t1")
        assert kept is not None and kept.state == "closed" and len(await store.events("t1")) == 1

    on_store(check)


def test_a_seat_taken_by_a_bot_keeps_its_stored_name(on_store: Callable[[Check], None]) -> None:
    async def check(store: Store) -> None:
        table = await a_started_table(store)
        gone = seats.update().where(seats.c.table_id == "t1", seats.c.seat == 1).values(person=None, name="—")
        await store.write(lambda c: c.execute(gone).rowcount)  # removed by the administrator, at another process
        bot = replace(table.seats[0], kind="bot", person=None, level="digger", substituted=True)
        await store.append(table, [Event(2, "seat", 1, {})], bot)
        kept = await store.table("t1")
        assert kept is not None and (kept.seats[0].kind, kept.seats[0].name) == ("bot", "—")

    on_store(check)


def test_a_log_grows_in_units(on_store: Callable[[Check], None]) -> None:
    async def check(store: Store) -> None:
        table = await a_started_table(store)
        unit = plays(2, "A5@b3^0", "+W@a1", client="ann/1")
        await store.append(replace(table, turn=2), unit)
        assert (await store.events("t1"))[1:] == unit
        assert await store.events("t1", since=2) == unit[1:]
        kept = await store.table("t1")
        assert kept is not None and kept.turn == 2

    on_store(check)


@pytest.mark.parametrize(
    "unit",
    [
        pytest.param(plays(2, "other"), id="a number that is there"),
        pytest.param(plays(1, "a", "b", "c", "d"), id="overlapping"),
        pytest.param(plays(5, "a"), id="a gap"),
        pytest.param(plays(4, "a", client="ann/1"), id="a client's id that is there"),
    ],
)
def test_a_refused_unit_leaves_no_trace(on_store: Callable[[Check], None], unit: list[Event]) -> None:
    async def check(store: Store) -> None:
        table = await a_started_table(store)
        await store.append(table, plays(2, "A5@b3^0", "+W@a1", client="ann/1"))
        before = await store.events("t1"), await store.table("t1")
        with pytest.raises(Conflict):
            await store.append(replace(table, turn=None, state="over"), unit, Seat(1, "open"))
        assert (await store.events("t1"), await store.table("t1")) == before

    on_store(check)


def test_a_failing_job_takes_no_other_with_it_and_all_are_committed_together(
    on_store: Callable[[Check], None],
) -> None:
    async def check(store: Store) -> None:
        table = await a_started_table(store)
        before = store.commits
        good = [store.append(table, plays(2, "a")), store.append(table, plays(3, "b"))]
        bad = store.append(table, plays(3, "c"))
        results = await asyncio.gather(*good, bad, store.append(table, plays(4, "d")), return_exceptions=True)
        assert [type(result) for result in results] == [type(None), type(None), Conflict, type(None)]
        assert [one.data.get("action") for one in await store.events("t1")] == [None, "a", "b", "d"]
        assert store.commits - before < 4

    on_store(check)


@pytest.mark.parametrize("error", [KeyError("a fault"), DataError("INSERT", {}, Exception("wrong value"))])
def test_a_job_that_fails_in_any_way_takes_no_other_with_it(
    on_store: Callable[[Check], None], error: Exception
) -> None:
    def broken(_: Connection) -> None:
        raise error

    async def check(store: Store) -> None:
        table = await a_started_table(store)
        work = [store.append(table, plays(2, "a")), store.write(broken), store.append(table, plays(3, "b"))]
        results = await asyncio.gather(*work, return_exceptions=True)
        assert [type(result) for result in results] == [type(None), type(error), type(None)]
        assert len(await store.events("t1")) == 3

    on_store(check)


def test_a_commit_that_is_tried_again_is_one_line_of_the_log(
    on_store: Callable[[Check], None], caplog: pytest.LogCaptureFixture
) -> None:
    def full(_: Connection) -> None:
        raise OperationalError("INSERT", {}, Exception("database or disk is full"))

    async def check(store: Store) -> None:
        with pytest.raises(OperationalError):
            await store.write(full)
        assert caplog.text.count("\n") == 1 and "tried again: database or disk is full" in caplog.text

    on_store(check)


def test_a_unit_can_change_a_seat(on_store: Callable[[Check], None]) -> None:
    async def check(store: Store) -> None:
        table = await a_started_table(store)
        assert await store.waiting_for_bots() == []
        seat = Seat(1, "bot", None, "Ann", "digger", substituted=True)
        await store.append(table, [Event(2, "seat", 1, {})], seat)
        kept = await store.table("t1")
        assert kept is not None and kept.seats == with_seat(table, seat).seats
        assert await store.waiting_for_bots() == ["t1"]

    on_store(check)


def test_the_first_rematch_counts(on_store: Callable[[Check], None]) -> None:
    async def check(store: Store) -> None:
        await a_started_table(store)
        assert [await store.set_rematch("t1", "t2"), await store.set_rematch("t1", "t3")] == ["t2", "t2"]
        assert [await store.set_rematch("t1", key, "t2") for key in ("t4", "t5")] == ["t4", "t4"]

    on_store(check)


def test_chat_is_numbered_and_comes_oldest_first(on_store: Callable[[Check], None]) -> None:
    async def check(store: Store) -> None:
        await a_started_table(store)
        await asyncio.gather(*(store.say("t1", "ann", 1, "Ann", f"line {n}") for n in range(1, 6)))
        assert [(line.number, line.text) for line in await store.said("t1", since=2, most=2)] == [
            (4, "line 4"),
            (5, "line 5"),
        ]

    on_store(check)


def test_chat_of_a_table_that_was_removed_meanwhile_is_refused(on_store: Callable[[Check], None]) -> None:
    async def check(store: Store) -> None:
        await a_started_table(store)
        with pytest.raises(Conflict):
            await store.say("gone", "ann", None, "Ann", "hello")

    on_store(check)


def test_written_data_survives_reopening(address: str) -> None:
    async def write() -> None:
        store = await Store.open(address)
        table = await a_started_table(store)
        waiting = asyncio.gather(store.append(table, plays(2, "a")), store.append(table, plays(3, "b")))
        await asyncio.sleep(0)
        await store.close()  # writes what waits
        await waiting

    async def read() -> None:
        store = await Store.open(address)
        assert [one.seq for one in await store.events("t1")] == [1, 2, 3]
        await store.close()

    asyncio.run(write())
    asyncio.run(read())


def test_a_failed_commit_is_reported_to_all_callers_and_the_writer_continues(
    on_store: Callable[[Check], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def check(store: Store) -> None:
        table = await a_started_table(store)
        with monkeypatch.context() as patch:
            patch.setattr("tikal.server.database.connection._run", lambda _c, jobs: [][len(jobs)])
            with pytest.raises(IndexError):
                await store.append(table, plays(2, "a"))
        await store.append(table, plays(2, "b"))
        assert (await store.events("t1"))[-1].data == {"action": "b"}

    on_store(check)


def test_two_processes_that_write_to_the_same_tables_at_once_both_succeed(database: str) -> None:
    async def whole() -> None:
        one, other = await Store.open(database), await Store.open(database)
        try:
            await two_people(one)
            made = [a_table(f"t{number}", turn=1) for number in range(4)]
            for table in made:
                await one.add_table(table, 10)
                await one.start(table, Event(1, "start", None, {}), table.seats)

            async def write(store: Store, mine: list[Table], backwards: int) -> None:
                for seq in range(2, 22):
                    says = [store.say(table.id, "ann", 1, "Ann", f"{seq}") for table in made[::backwards]]
                    appends = [store.append(replace(table, state="playing"), plays(seq, "a")) for table in mine]
                    await asyncio.gather(*says, *appends)

            await asyncio.gather(write(one, made[:2], 1), write(other, made[2:], -1))
            for table in made:
                assert [event.seq for event in await one.events(table.id)] == list(range(1, 22))
                assert [line.number for line in await other.said(table.id)] == list(range(1, 41))
        finally:
            await one.close()
            await other.close()

    asyncio.run(whole())


# Migrations


def test_a_webhook_is_stored_with_its_failures(on_store: Callable[[Check], None]) -> None:
    async def check(store: Store) -> None:
        changes: list[int] = []
        store.when_people_change = lambda _: changes.append(1)
        await two_people(store)
        assert await store.webhook("ann") is None
        await store.set_webhook("ann", "https://one.example")
        await store.count_failure("ann", "https://one.example", failed=True)
        await store.count_failure("ann", "https://one.example", failed=True)
        assert await store.webhook("ann") == Webhook("https://one.example", 2)
        await store.count_failure("ann", "https://one.example", failed=False)
        assert await store.webhook("ann") == Webhook("https://one.example", 0)
        await store.count_failure("ann", "https://one.example", failed=True)
        await store.set_webhook("ann", "https://two.example")
        await store.count_failure("ann", "https://one.example", failed=True)  # a delivery that was under way
        assert await store.webhook("ann") == Webhook("https://two.example", 0)
        await store.count_failure("bob", "https://one.example", failed=True)  # Bob has no webhook
        assert await store.webhook("bob") is None
        await store.set_webhook("ann", None)
        assert await store.webhook("ann") is None
        assert len(changes) == 9

    on_store(check)


def test_a_bid_limit_is_stored_only_for_the_intended_auction(on_store: Callable[[Check], None]) -> None:
    async def check(store: Store) -> None:
        table = await a_started_table(store)
        await store.set_limit("t1", 1, 7, 1)
        await store.set_limit("t1", 2, 0, 1)
        assert await store.limits("t1") == {1: 7, 2: 0}
        assert await store.waiting_for_bots() == ["t1"]
        assert "up_to" not in repr(await store.table("t1"))
        await store.append(table, plays(2, "B:1"))
        assert await store.limits("t1") == {1: 7, 2: 0}
        with pytest.raises(Conflict):
            await store.set_limit("t1", 1, 9, 1)
        await store.set_limit("t1", 2, None, 2)
        assert await store.limits("t1") == {1: 7}
        await store.append(table, plays(3, "B:-"), settled=True)
        assert await store.limits("t1") == {}
        await store.append(replace(table, state="over"), plays(4, "."))
        with pytest.raises(Conflict):
            await store.set_limit("t1", 1, 9, 4)

    on_store(check)


async def tables_with_deadlines(store: Store) -> None:
    """Three games whose turns run out at 1000, 2000 and never."""
    await two_people(store)
    for key, deadline in (("t1", 2000), ("t2", 1000), ("t3", None)):
        clock = {"kind": "live", "bank_s": 1, "increment_s": 0, "timeout": "turn"}
        table = a_table(key, clock=clock, turn=1, banks=[500, 700], deadline=deadline, changed=10)
        await store.add_table(table, 10)
        await store.start(table, Event(1, "start", None, {}), table.seats)


def test_a_clock_is_stored_with_its_table_and_changes_with_a_unit(on_store: Callable[[Check], None]) -> None:
    async def check(store: Store) -> None:
        await tables_with_deadlines(store)
        assert await store.deadlines() == [("t2", 1000), ("t1", 2000)]
        assert await store.deadlines(1) == [("t2", 1000)]
        table = await store.table("t1")
        assert table is not None and (table.clock or {})["bank_s"] == 1 and table.banks == [500, 700]
        after = replace(table, banks=[400, 700], deadline=None, bot_plays_for=1)
        await store.append(after, plays(2, "."))
        assert await store.table("t1") == after
        assert await store.waiting_for_bots() == ["t1"]
        await store.append(replace(after, bot_plays_for=None, banks=None, deadline=3000), plays(3, "."))
        assert await store.table("t1") == replace(after, bot_plays_for=None, banks=None, deadline=3000)
        assert await store.deadlines() == [("t2", 1000), ("t1", 3000)]
        assert await store.waiting_for_bots() == []

    on_store(check)


def test_a_beat_after_silence_moves_the_deadlines_once(on_store: Callable[[Check], None]) -> None:
    # two servers that start at the same time must not move the deadlines twice
    async def check(store: Store) -> None:
        await store.beat(100, 0)
        await tables_with_deadlines(store)
        assert await store.beat(150, 50) == 0
        assert await store.deadlines() == [("t2", 1000), ("t1", 2000)]
        assert sorted(await asyncio.gather(*(store.beat(450, 50) for _ in range(3)))) == [0, 0, 300]
        assert await store.deadlines() == [("t2", 1300), ("t1", 2300)]
        assert await store.beat(300, 50) == 0  # a clock that goes backwards
        table = await store.table("t2")
        assert table is not None
        await store.append(replace(table, changed=900), plays(2, "."))  # a change proves that a server ran at 900
        await store.beat(1000, 50)
        assert await store.deadlines() == [("t2", 1400), ("t1", 2850)]

    on_store(check)


def test_migrations_create_the_schema(empty: str) -> None:
    newest = ScriptDirectory(str(Path(server.__path__[0]) / "database" / "migrations")).get_current_head()
    assert migrate(empty) == (None, newest)
    assert migrate(empty) == (newest, newest)
    engine = create_engine(database_url(empty))
    try:
        found = inspect(engine)
        assert set(found.get_table_names()) == {*metadata.tables, "alembic_version"}
        for table in metadata.tables.values():
            columns = {column["name"]: column["nullable"] for column in found.get_columns(table.name)}
            assert columns == {column.name: column.nullable for column in table.columns}
            keys = found.get_pk_constraint(table.name)["constrained_columns"]
            assert keys == [column.name for column in table.primary_key]
            indexes = {(index["name"], bool(index["unique"])) for index in found.get_indexes(table.name)}
            assert indexes == {(str(index.name), bool(index.unique)) for index in table.indexes}
    finally:
        engine.dispose()


def test_of_several_concurrent_migrations_one_runs(empty: str) -> None:
    with ProcessPoolExecutor(3, multiprocessing.get_context("spawn")) as processes:
        done = list(processes.map(migrate, [empty] * 3))
    assert sorted(before is None for before, _ in done) == [False, False, True]
    assert len({after for _, after in done}) == 1


def test_a_database_of_a_newer_tikal_is_refused(address: str) -> None:
    migrate(address)
    engine = create_engine(database_url(address))
    with engine.begin() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    engine.dispose()
    with pytest.raises(DatabaseError, match="newer tikal"):
        migrate(address)


@pytest.mark.parametrize(
    "text", ["", "nonsense", "mysql://host/db", "sqlite://", "sqlite:///:memory:", "postgresql://host"]
)
def test_an_address_that_can_not_be_used_is_refused(text: str) -> None:
    with pytest.raises(DatabaseError, match="sqlite:///FILE"):
        database_url(text)


def test_a_file_that_is_not_a_database_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "a.db").write_text("not a database, but long enough to be looked at " * 20)
    with pytest.raises(DatabaseError, match=r"can't be used as a database: [^\n]*$"):
        migrate(f"sqlite:///{tmp_path / 'a.db'}")


def test_sqlite_finds_the_tables_of_a_unit_by_their_ids() -> None:
    """Scanning all running games for each table of a commit cost more than everything else together."""
    engine = create_engine("sqlite://")
    metadata.create_all(engine)
    with engine.begin() as c:
        plan = c.execute(text(f"EXPLAIN QUERY PLAN {_update_tables('sqlite').text}"), {"rows": "[]"}).all()
    engine.dispose()
    assert any("SEARCH tables" in row.detail and "(id=?)" in row.detail for row in plan), plan

"""Results and ratings: which games count, exactly once; and the same recomputed from the logs."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, select

from tests.server.conftest import Json, Site, Somebody, serving
from tests.server.tables import finish
from tikal.bots.skill import Skill, places
from tikal.cli.main import main
from tikal.server.database.engines import database_url
from tikal.server.database.rows import Conflict, Event, Person, Seat, Table
from tikal.server.database.schema import ratings, results
from tikal.server.database.statistics import TAU, Ended, of_person, ranking, rate_again, record
from tikal.server.database.store import Store
from tikal.server.operation.admin import Admin


def kept(address: str) -> tuple[list[Any], list[Any]]:
    engine = create_engine(database_url(address))
    with engine.connect() as c:
        found = [list(c.execute(select(rows).order_by(*rows.primary_key.columns))) for rows in (results, ratings)]
    engine.dispose()
    return found[0], found[1]


async def play(site: Site, seats: list[str], *others: Somebody, owner: Somebody, hint: bool = False) -> Json:
    """A whole game; the last update of it."""
    table = (await owner.post("/tables", {"seats": seats, "hints": hint, "substitute": "tourist"}))["id"]
    for other in others:
        await other.post(f"/tables/{table}/join", {})
    await owner.post(f"/tables/{table}/start")
    if hint:
        await owner.get(f"/tables/{table}/analysis")
        assert (await owner.get(f"/tables/{table}"))["info"]["hinted"]
    await finish(site, table)
    return await owner.get(f"/tables/{table}")


def test_a_game_counts_for_everybody_when_it_ends(play_out: Callable[..., None], tmp_path: Path) -> None:
    async def scenario(site: Site) -> None:
        ann, bob = await site.person("Ann"), await site.person("Bob")
        assert await ann.get("/me/stats") == {
            "rating": None, "games": 0, "wins": 0, "mean_place": None, "rated": 0,
            "by_players": [], "against": [], "last": [],
        }  # fmt: skip
        ends = [await play(site, ["me", "open", "bot:tourist"], bob, owner=ann) for _ in range(2)]
        taken = [places(end["view"]["scores"], [seat - 1 for seat in end["view"]["winners"]]) for end in ends]
        skill = Skill(TAU)
        expected = [skill.new() for _ in range(3)]
        for row in taken:
            expected = skill.after(expected, row)
        mine = await ann.get("/me/stats")
        assert mine["rating"] == {"value": round(expected[0].mu, 2), "doubt": round(expected[0].sigma, 2), "games": 2}
        assert (mine["games"], mine["rated"]) == (2, 2)
        assert mine["wins"] == sum(row[0] == 1 for row in taken)
        assert mine["by_players"] == [
            {"players": 3, "games": 2, "wins": mine["wins"], "mean_place": sum(row[0] for row in taken) / 2}
        ]
        assert mine["against"] == [{"level": "tourist", "games": 2, "ahead": sum(row[0] < row[2] for row in taken)}]
        assert [row["score"] for row in mine["last"]] == [end["view"]["scores"][0] for end in reversed(ends)]
        running = (await ann.post("/tables", {"seats": ["me", "open"]}))["id"]
        listed = {row["id"]: row["results"] for row in (await ann.get("/me/tables"))["tables"]}
        assert listed.pop(running) == []
        assert listed == {
            end["info"]["id"]: [
                {"place": place, "score": score} for place, score in zip(row, end["view"]["scores"], strict=True)
            ]
            for end, row in zip(ends, taken, strict=True)
        }
        told = await bob.get("/ranking")
        assert {row["name"]: row["you"] for row in told["people"]} == {"Ann": False, "Bob": True}
        assert [row["level"] for row in told["bots"]] == ["tourist"]
        surely = [row["value"] - 2 * row["doubt"] for row in told["people"]]
        assert surely == sorted(surely, reverse=True)
        assert not [row["you"] for row in (await site.know(None).get("/ranking"))["people"] if row["you"]]

    play_out(scenario)
    database = f"sqlite:///{tmp_path / 'server.db'}"
    before = kept(database)
    assert len(before[0]) == 6 and [row.games for row in before[1]] == [2, 2, 2]
    assert main(["stats", "--recompute", "--database", database]) == 0
    again = kept(database)
    assert again[0] == before[0]
    assert [(row.who, row.games) for row in again[1]] == [(row.who, row.games) for row in before[1]]
    assert [row.mu for row in again[1]] == pytest.approx([row.mu for row in before[1]])


def test_games_that_are_not_rated(play_out: Callable[..., None], tmp_path: Path) -> None:
    async def scenario(site: Site) -> None:
        ann = await site.person("Ann")
        with_hints = await play(site, ["me", "bot:tourist"], owner=ann, hint=True)
        two_seats = await play(site, ["me", "person:Cid"], owner=ann)
        assert not with_hints["info"]["rated"] and not two_seats["info"]["rated"]
        mine = await ann.get("/me/stats")
        assert (mine["games"], mine["rated"], mine["rating"]) == (3, 0, None)  # at one screen she holds both seats
        assert await ann.get("/ranking") == {"people": [], "bots": []}
        # an analysis of a finished game is not a hint
        over = await play(site, ["me", "bot:tourist"], owner=ann)
        await ann.get(f"/tables/{over['table']}/analysis?at=0")
        assert over["info"]["rated"] and not (await ann.get(f"/tables/{over['table']}"))["info"]["hinted"]
        assert (await ann.get("/me/stats"))["rated"] == 1

    play_out(scenario)
    before = kept(f"sqlite:///{tmp_path / 'server.db'}")
    assert main(["stats", "--recompute", "--database", f"sqlite:///{tmp_path / 'server.db'}"]) == 0
    after = kept(f"sqlite:///{tmp_path / 'server.db'}")
    assert after[0] == before[0] and [row.games for row in after[1]] == [1, 1]


def test_a_resigned_player_has_lost_to_all_who_stayed(play_out: Callable[..., None], tmp_path: Path) -> None:
    async def scenario(site: Site) -> None:
        ann, bob, cid = [await site.person(name) for name in ("Ann", "Bob", "Cid")]
        table = (await ann.post("/tables", {"seats": ["me", "open", "open"], "substitute": "tourist"}))["id"]
        for other in (bob, cid):
            await other.post(f"/tables/{table}/join", {})
        await ann.post(f"/tables/{table}/start")
        await bob.post(f"/tables/{table}/resign", {"id": "r"})
        await cid.post(f"/tables/{table}/resign", {"id": "r"})
        assert (await ann.get(f"/tables/{table}"))["info"]["rated"]
        await finish(site, table)
        mine = [await who.get("/me/stats") for who in (ann, bob, cid)]
        assert [stats["last"][0]["place"] for stats in mine] == [1, 3, 2]  # whatever the bots' moves
        assert [stats["rated"] for stats in mine] == [1, 1, 1]
        values = [stats["rating"]["value"] for stats in mine]
        assert values[0] > values[2] > values[1]
        assert (await ann.get("/ranking"))["bots"] == []

    play_out(scenario)
    before = kept(f"sqlite:///{tmp_path / 'server.db'}")
    assert main(["stats", "--recompute", "--database", f"sqlite:///{tmp_path / 'server.db'}"]) == 0
    assert kept(f"sqlite:///{tmp_path / 'server.db'}")[0] == before[0]


@pytest.mark.parametrize("timeout", ["turn", "seat"])
def test_a_game_whose_time_ran_out_is_rated(tmp_path: Path, timeout: str) -> None:
    async def whole() -> None:
        async with serving(tmp_path) as site:
            ann, bob = await site.person("Ann"), await site.person("Bob")
            clock = {"kind": "daily", "days": 1, "timeout": timeout}
            body = {"seats": ["me", "open"], "clock": clock, "substitute": "tourist"}
            table = (await ann.post("/tables", body))["id"]
            await bob.post(f"/tables/{table}/join", {})
            await ann.post(f"/tables/{table}/start")
            async with site.hub.room(table) as room:
                late = room.table.deadline
                assert late is not None
                room.time.now = lambda: late + 1  # type: ignore[method-assign]
                await site.hub.time_out(table)
                while room.table.bot_plays_for is not None:  # a bot plays the turn
                    await asyncio.sleep(0.02)
            await finish(site, table)
            stats = await ann.get("/me/stats")
            assert (stats["rated"], stats["games"]) == (1, 1)
            assert timeout == "turn" or stats["last"][0]["place"] == 2  # a bot took the seat: the game is lost

    asyncio.run(whole())


def test_only_the_administrator_makes_a_game_unrated_after_its_start(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        ann, bob = await site.person("Ann"), await site.person("Bob")
        table = (await ann.post("/tables", {"seats": ["me", "open"], "substitute": "tourist"}))["id"]
        await bob.post(f"/tables/{table}/join", {})
        await ann.post(f"/tables/{table}/start")
        admin = Admin(site.hub)
        await admin.remove_person(next(row["id"] for row in await admin.list_people("Bob")))
        await finish(site, table)
        stats = await ann.get("/me/stats")
        assert (stats["games"], stats["rated"]) == (1, 0)

    play_out(scenario)


def test_results_are_written_once_with_the_end_or_not_at_all(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        ann = await site.person("Ann")
        end = await play(site, ["me", "bot:tourist"], owner=ann)
        before = await ann.get("/me/stats")
        async with site.hub.room(end["table"]) as room:
            table = room.table
        ended = Ended([0, 99], [1])
        await site.hub.store.write(lambda c: record(c, table, ended))  # as another process might once more
        assert await ann.get("/me/stats") == before and before["games"] == 1

    play_out(scenario)


def test_two_processes_that_end_games_at_once_both_count(address: str) -> None:
    async def whole() -> None:
        stores = [await Store.open(address), await Store.open(address)]
        await stores[0].add_person(Person("ann", "Ann"), "hash")
        seats = (Seat(1, "person", "ann", "Ann"), Seat(2, "bot", None, "digger", "digger"))
        made = []
        for number in range(6):
            table = Table(f"t{number}", "ann", True, {}, 1, "42", "chosen", False, "digger", seats=seats, turn=1)
            await stores[0].add_table(table, 100)
            await stores[0].start(table, Event(1, "start", None, {}), table.seats)
            made.append(replace(table, state="over", turn=None))
        ends = [
            store.append(table, [Event(2, "play", 1, {"action": "."})], ended=Ended([61, 58], [0]))
            for table in made
            for store in stores  # both try to end each of the games: one of them is too late
        ]
        done = await asyncio.gather(*ends, return_exceptions=True)
        assert sum(isinstance(one, Conflict) for one in done) == 6 and done.count(None) == 6
        mine = await of_person(stores[1], "ann")
        assert (mine["games"], mine["wins"], mine["rating"]["games"]) == (6, 6, 6)
        assert mine["against"] == [{"level": "digger", "games": 6, "ahead": 6}]
        told = await ranking(stores[0], "ann")
        assert [(row["name"], row["you"], row["games"]) for row in told["people"]] == [("Ann", True, 6)]
        before = mine["rating"]
        await stores[0].write(rate_again)
        assert (await of_person(stores[0], "ann"))["rating"] == before
        for store in stores:
            await store.close()

    asyncio.run(whole())


def test_a_removed_person_leaves_the_ranking(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        ann, bob = await site.person("Ann"), await site.person("Bob")
        end = await play(site, ["me", "open"], bob, owner=ann)
        admin = Admin(site.hub)
        person = next(row["id"] for row in await admin.list_people("Ann"))
        await admin.remove_person(person)
        assert [row["name"] for row in (await bob.get("/ranking"))["people"]] == ["Bob"]
        await admin.remove_table(end["table"])
        assert (await bob.get("/me/stats"))["games"] == 0

    play_out(scenario)

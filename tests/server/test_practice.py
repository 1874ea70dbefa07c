"""Practice tables: they start from a deal or a moment of a game, and are not rated."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from tests.server.conftest import Hands, Json, Site, Somebody, hear, send
from tests.server.tables import advance, everything, finish, swap
from tikal.play import Game
from tikal.play.chance import deal
from tikal.rules.options import Options
from tikal.server.database.rows import now
from tikal.server.live.projection import Viewer
from tikal.server.operation.recompute import recompute

OPENING = ["A5@b3^0", "+L@a1", "L:a1-b2", "L:b2-b3", "D@b3", "+W@a1", "+W@a1", "W:a1-a2", "."]


def chance(first: str = "A5", **options: str) -> Json:
    """A deal in which this tile comes first and the first treasure is of kind 3."""
    made = deal(Options.parse({"players": "2", **options}), "practice")
    deck = sorted(made.deck, key=lambda name: (name[0], name != first))
    treasures = [3, 3, 3, *(kind for kind in made.treasures if kind != 3)]
    return {"deck": deck, "treasures": treasures, "dice": list(made.dice)}


def lesson(**more: Any) -> Json:
    return {"seats": ["me", "person:Blue"], "deal": chance(), "opening": OPENING, **more}


async def practise(who: Somebody, **more: Any) -> str:
    made = await who.post("/practice", lesson(**more))
    return str(made["id"])


def test_a_deal_and_its_opening(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        ann = await site.person("Ann")
        info = await ann.post("/practice", lesson())
        assert (info["state"], info["practice"], info["commitment"], info["seed"]) == ("playing", True, None, None)
        assert (info["turn"], info["your_turn"], info["you"]["seats"]) == (2, True, [1, 2])
        update = await ann.get(f"/tables/{info['id']}?since=0")
        assert [event.get("action") for event in update["events"]] == [None, *OPENING]
        assert update["events"][5]["revealed"] == 3
        assert update["view"]["phase"] == "place" and update["view"]["treasures"][0][2] == 1
        ack = await ann.post(
            f"/tables/{info['id']}/actions",
            {"id": "x", "on": update["seq"], "actions": [update["offer"]["places"][0]["action"], "+W@a1"]},
        )
        assert ack["seq"] == update["seq"] + 2

    play_out(scenario)


def test_the_substitute_is_an_allowed_level(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        ann = await site.person("Ann")
        await site.hub.settings.set(levels=("digger",))
        assert (await ann.post("/practice", lesson()))["substitute"] == "digger"

    play_out(scenario)


def test_bots_can_play_and_no_notifications_are_sent(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        ann = await site.person("Ann")
        async with ann.socket() as socket:
            await send(socket, type="ping")
            assert (await hear(socket))["type"] == "pong"
            table = await practise(ann, seats=["me", "bot:tourist"])
            while not (await ann.get(f"/tables/{table}"))["info"]["your_turn"]:
                pass
            await send(socket, type="ping")
            assert (await hear(socket))["type"] == "pong"  # and no turn came before

    play_out(scenario)


def test_a_server_that_starts_again_knows_it(play_out: Callable[..., None]) -> None:
    found: list[Any] = []

    async def before(site: Site) -> None:
        ann = await site.person("Ann")
        table = await practise(ann)
        found.extend([ann.token, table, (await ann.get(f"/tables/{table}"))["view"]])

    async def after(site: Site) -> None:
        token, table, view = found
        assert (await site.know(token).get(f"/tables/{table}"))["view"] == view

    play_out(before)
    play_out(after)


def test_it_is_in_no_list_and_counts_for_nothing(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        ann = await site.person("Ann")
        table = await practise(ann, seats=["me", "bot:tourist"], opening=[])
        assert (await ann.get("/me/tables"))["tables"] == []
        for state in ("open", "playing"):
            assert (await ann.get(f"/tables?state={state}"))["tables"] == []
        await ann.post(f"/tables/{table}/resign", {"id": "enough"})
        await finish(site, table)
        assert (await ann.get(f"/tables/{table}"))["info"]["seed"] is None
        assert (await ann.get("/me/stats"))["games"] == 0
        assert (await ann.get("/ranking")) == {"people": [], "bots": []}
        assert recompute(site.hub.config.database, lambda _done, _of: None) == 0
        assert await ann.refused("POST", f"/tables/{table}/rematch") == "rights"

    play_out(scenario)


def test_play_on_from_a_finished_game_and_from_its_record(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        ann, bob = await site.person("Ann"), await site.person("Bob")
        options = {"boulders": "2d6"}
        old = (await ann.post("/tables", {"seats": ["me", "bot:tourist"], "options": options}))["id"]
        await ann.post(f"/tables/{old}/start")
        seats = ["bot:tourist", "me"]
        assert await bob.refused("POST", "/practice", {"seats": seats, "table": old, "at": 0}) == "running"
        await ann.post(f"/tables/{old}/resign", {"id": "enough"})
        await finish(site, old)
        record = (await bob.ask("GET", f"/tables/{old}/record")).text
        moment = await bob.get(f"/tables/{old}/replay/40")
        seat = moment["view"]["seat"]
        seats = ["me" if number == seat else "bot:tourist" for number in (1, 2)]
        for source in ({"table": old}, {"record": record}):
            made = await bob.post("/practice", {"seats": seats, "at": 40, **source})
            view = (await bob.get(f"/tables/{made['id']}"))["view"]
            assert view | {"viewer": None} == moment["view"]
        beyond = moment["of"]
        assert await bob.refused("POST", "/practice", {"seats": seats, "table": old, "at": beyond}) == "over"
        assert await bob.refused("POST", "/practice", {"seats": seats, "table": old, "at": beyond + 1}) == "malformed"
        assert await bob.refused("POST", "/practice", {"seats": ["me"] * 3, "table": old, "at": 0}) == "players"

    play_out(scenario)


WRONG: list[tuple[str, Json]] = [
    ("malformed", {"deal": None}),
    ("malformed", {"table": "nothing"}),
    ("malformed", {"at": 3}),
    ("malformed", {"deal": None, "opening": [], "record": "nonsense"}),
    ("malformed", {"deal": None, "table": "nothing"}),
    ("unknown", {"deal": None, "opening": [], "table": "nothing"}),
    ("option", {"deal": chance() | {"deck": ["A1"]}}),
    ("option", {"deal": chance() | {"treasures": [1]}}),
    ("option", {"options": {"boulders": "3d6"}, "deal": chance()}),
    ("option", {"options": {"colour": "blue"}}),
    ("players", {"seats": ["me"]}),
    ("illegal", {"opening": ["A5@b3^0", "X@a2"]}),
    ("chance", {"opening": ["A5@b3^0", "+L@a1", "L:a1-b2", "L:b2-b3", "D@b3(5)"]}),
    ("malformed", {"opening": ["hello"]}),
    ("seat", {"seats": ["me", "open"]}),
    ("seat", {"seats": ["me", "me"]}),
    ("option", {"seats": ["me", "bot:nobody"]}),
]


def test_invalid_requests_are_refused_and_create_nothing(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        ann = await site.person("Ann")
        for code, more in WRONG:
            assert await ann.refused("POST", "/practice", lesson(**more)) == code, more
        assert await site.know(None).refused("POST", "/practice", lesson()) == "identity"
        assert await site.hub.store.old_practices(now() + 1000) == []

    play_out(scenario)


def test_too_many_at_once_are_refused(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        ann = await site.person("Ann")
        await practise(ann)
        assert await ann.refused("POST", "/practice", lesson()) == "rate"

    play_out(scenario, records=1e-9, records_burst=1)


def test_another_one_replaces_the_oldest(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        ann, bob = await site.person("Ann"), await site.person("Bob")
        other = await practise(bob)
        made = [await practise(ann) for _ in range(3)]
        assert await ann.refused("GET", f"/tables/{made[0]}") == "unknown"
        for table in (*made[1:], other):
            assert (await ann.get(f"/tables/{table}"))["info"]["state"] == "playing"

    play_out(scenario, practice_each=2)


def test_old_ones_are_removed_and_ordinary_tables_stay(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        ann = await site.person("Ann")
        ordinary = (await ann.post("/tables", {"seats": ["me", "person:Blue"]}))["id"]
        table = await practise(ann)
        await site.hub.practice.expire(before=0)
        assert (await ann.get(f"/tables/{table}"))["info"]["state"] == "playing"
        await site.hub.practice.expire(before=now() + 1000)
        assert await ann.refused("GET", f"/tables/{table}") == "unknown"
        assert (await ann.get(f"/tables/{ordinary}"))["info"]["state"] == "open"

    play_out(scenario)


@pytest.mark.slow
def test_every_channel_is_the_same_whatever_is_hidden(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        rng = random.Random("practice leaks")
        ann, eve = await site.person("Ann"), await site.person("Eve")
        given = {"options": {"boulders": "2d6"}, "deal": chance(boulders="2d6")}
        table = await practise(ann, seats=["me", "person:Blue"], **given)
        differed = 0
        for _ in range(3):
            await advance(site, table, rng, 20)
            async with site.hub.room(table) as room:
                assert isinstance(room.game, Game)
                for who, person in ((ann, room.table.owner), (eve, None)):
                    game, entries = room.game, room.entries
                    before = await everything(site, who, person, table)
                    swap(room, Viewer.of(room.table, person), rng)
                    differed += room.game.chance != game.chance
                    assert await everything(site, who, person, table) == before
                    room.game, room.entries = game, entries
        assert differed >= 5

    play_out(scenario, time=Hands(), beat_ms=10**12, sweep_ms=10**9)

"""Replay from any move and viewpoint, and what a bot says of a position."""

from __future__ import annotations

import random
from collections.abc import Callable

from tests.server.conftest import Site
from tests.server.test_games import play_seat
from tests.server.test_rights import finish
from tikal.play import Game


def test_a_finished_game_is_replayed_from_any_move_through_any_eyes(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        ann = await site.person("Ann")
        table = (await ann.post("/tables", {"seats": ["me", "person:Bob"], "options": {"auction": "true"}}))["id"]
        await ann.post(f"/tables/{table}/start")
        await finish(site, table)
        stranger = site.know(None)
        game = Game.from_record((await stranger.ask("GET", f"/tables/{table}/record")).text)
        length = len(game.history)
        while True:
            at = len(game.history)
            for seat in (1, 2, None):
                told = await stranger.get(f"/tables/{table}/replay/{at}" + (f"?seat={seat}" if seat else ""))
                assert told["view"] == game.view(seat) and told["forecast"] == game.forecast()
                assert (told["at"], told["of"]) == (at, length)
                assert told["action"] == (game.history[-1].action if at else None)
            if not at:
                break
            game.undo(min(at, random.Random(at).randrange(20, 60)))
        assert await stranger.refused("GET", f"/tables/{table}/replay/{length + 1}") == "malformed"
        assert await stranger.refused("GET", f"/tables/{table}/replay/0?seat=3") == "seat"

    play_out(scenario)


def test_the_scores_of_a_game_add_up_from_their_sources(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        ann = await site.person("Ann")
        table = (await ann.post("/tables", {"seats": ["me", "person:Bob"], "options": {"auction": "true"}}))["id"]
        await ann.post(f"/tables/{table}/start")
        assert [row["total"] for row in (await ann.get(f"/tables/{table}/scores"))["balance"]] == [20, 20]
        await finish(site, table)
        told = await site.know(None).get(f"/tables/{table}/scores")
        view = (await ann.get(f"/tables/{table}"))["view"]
        assert [row["total"] for row in told["balance"]] == view["scores"] == [curve[-1] for curve in told["course"]]
        for seat, row in enumerate(told["balance"], 1):
            scored = [one for one in told["scorings"] if one["seat"] == seat]
            assert sum(one["temples"] for one in scored) == row["temples"]
            assert sum(one["paid"] for one in told["payments"] if one["seat"] == seat) == row["bids"]

    play_out(scenario)


def test_hints_where_the_table_allows_them_and_analysis_after_the_end(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        ann = await site.person("Ann")
        table = (await ann.post("/tables", {"seats": ["me", "person:Bob"], "hints": True}))["id"]
        await ann.post(f"/tables/{table}/start")
        await play_seat(ann, table, random.Random(1), most=3)
        update = await ann.get(f"/tables/{table}")
        hint = await ann.get(f"/tables/{table}/analysis")
        assert hint["seat"] == update["view"]["seat"]
        first = hint["turns"][0]["actions"][0]
        assert first in [row["action"] for row in update["offer"]["actions"]]
        assert await ann.refused("GET", f"/tables/{table}/analysis?at=0") == "malformed"
        await finish(site, table)
        stranger = site.know(None)
        assert (await stranger.get(f"/tables/{table}/analysis?at=0"))["seat"] == 1
        assert await stranger.refused("GET", f"/tables/{table}/analysis?at=99999") == "malformed"

    play_out(scenario)

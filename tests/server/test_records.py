"""Replay from any move and viewpoint, and a bot's analysis of a position."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from tests.server.conftest import Json, Site
from tests.server.tables import finish, play_seat
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


async def finished(site: Site, **more: Any) -> tuple[str, str]:
    """A finished game: its table and its record."""
    ann = await site.person("Ann")
    table = (await ann.post("/tables", {"seats": ["me", "person:Bob"], **more}))["id"]
    await ann.post(f"/tables/{table}/start")
    await finish(site, table)
    return table, (await ann.ask("GET", f"/tables/{table}/record")).text


async def all_frames(ask: Callable[[int], Coroutine[Any, Any, Json]]) -> list[Json]:
    frames: list[Json] = []
    while True:
        page = await ask(len(frames))
        assert page["start"] == len(frames) and page["frames"]
        frames += page["frames"]
        if len(frames) == page["of"] + 1:
            return frames


def test_frames_come_many_at_once_and_compressed(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        table, _ = await finished(site)
        stranger = site.know(None)
        here = f"/tables/{table}"
        frames = await all_frames(lambda start: stranger.get(f"{here}/frames?start={start}"))
        others = await all_frames(lambda start: stranger.get(f"{here}/frames?start={start}&seat=2"))
        for at in (0, 1, len(frames) // 2, len(frames) - 1):
            assert frames[at] == await stranger.get(f"{here}/replay/{at}")
            assert others[at] == await stranger.get(f"{here}/replay/{at}?seat=2")
        answer = await stranger.ask("GET", f"/tables/{table}/frames", headers={"accept-encoding": "gzip"})
        assert answer.headers["content-encoding"] == "gzip"
        assert int(answer.headers["content-length"]) * 5 < len(answer.content)
        plain = await stranger.ask("GET", f"/tables/{table}/frames", headers={"accept-encoding": "identity"})
        assert "content-encoding" not in plain.headers and plain.content == answer.content
        assert await stranger.refused("GET", f"/tables/{table}/frames?start={len(frames)}") == "malformed"
        assert await stranger.refused("GET", f"/tables/{table}/frames?seat=3") == "seat"

    play_out(scenario)

    play_out(scenario)


@pytest.mark.parametrize("options", [{}, {"auction": "true", "leaps": "true"}, {"boulders": "3d6"}], ids=str)
def test_an_uploaded_record_is_replayed_like_a_table(play_out: Callable[..., None], options: dict[str, str]) -> None:
    async def scenario(site: Site) -> None:
        table, text = await finished(site, options=options)
        stranger = site.know(None)
        told = await stranger.post("/records", {"text": text})
        assert told["players"] == ["Ann", "Bob"] and told["ok"]
        assert [check["code"] for check in told["checks"]] == ["rules", "result", "shuffle", "commitment"]
        events = [event for event in await stranger.events(table) if event["kind"] == "play"]
        apart = ("seq", "at")
        assert [{k: v for k, v in event.items() if k not in apart} for event in told["events"]] == [
            {k: v for k, v in event.items() if k not in apart} for event in events
        ]
        assert [event["seq"] for event in told["events"]] == list(range(1, len(events) + 1))
        of_record = await all_frames(lambda start: stranger.post("/records", {"text": text, "start": start, "seat": 1}))
        assert of_record == await all_frames(lambda start: stranger.get(f"/tables/{table}/frames?seat=1&start={start}"))
        assert (await stranger.get("/tables"))["tables"] == []  # nothing is kept

    play_out(scenario)


def test_seats_without_names_in_a_record_have_none(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        _, text = await finished(site)
        unnamed = ("", '[Players "Seat 1" "Seat 2"]\n')
        for players, names in (*((tag, ["", ""]) for tag in unnamed), ('[Players "Ann"]\n', ["Ann", ""])):
            nameless = re.sub(r"\[Players .*\n", players, text)
            assert nameless != text
            assert (await site.know(None).post("/records", {"text": nameless}))["players"] == names

    play_out(scenario)


def test_a_false_record_is_shown_with_its_errors_and_other_text_is_refused(
    play_out: Callable[..., None],
) -> None:
    async def scenario(site: Site) -> None:
        _, text = await finished(site)
        stranger = site.know(None)
        false = re.sub(r'Commitment ".', 'Commitment "_', re.sub(r'Result "\d+', 'Result "999', text))
        told = await stranger.post("/records", {"text": false})
        assert not told["ok"]
        assert {check["code"]: check["ok"] for check in told["checks"]} == {
            "rules": True, "result": False, "shuffle": True, "commitment": False
        }  # fmt: skip
        assert [check["reason"]["key"] for check in told["checks"]] == [
            "check_rules_ok", "check_result_differs", "check_shuffle_seed", "check_commitment_wrong"
        ]  # fmt: skip
        assert told["checks"][1]["reason"]["values"]["claimed"].startswith("999")
        for wrong in ("nonsense", text.replace(" .", " X@h5 .", 1), '[Game "Chess"]\n', "\0", text.replace("@", "", 1)):
            assert await stranger.refused("POST", "/records", {"text": wrong}) == "malformed"
        answer = await stranger.ask("POST", "/records", {"text": text.replace(" .", " X@h5 .", 1)})
        reason = answer.json()["error"]["reason"]
        assert (reason["key"], reason["values"]["why"]["key"]) == ("record_in_line", "illegal")
        assert await stranger.refused("POST", "/records", {"text": "x" * 30_001}) == "malformed"
        assert await stranger.refused("POST", "/records", {"text": "x" * 40_000}) == "oversized"
        assert await stranger.refused("POST", "/records", {"text": text, "seat": 3}) == "seat"
        assert await stranger.refused("POST", "/records", {"text": text, "start": 9999}) == "malformed"

    play_out(scenario)


def test_not_too_many_records(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        codes = [await site.know(None).refused("POST", "/records", {"text": "nonsense"}) for _ in range(3)]
        assert codes == ["malformed", "malformed", "rate"]

    play_out(scenario, records=0.001, records_burst=2)


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

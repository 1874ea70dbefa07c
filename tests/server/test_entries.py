"""The entries of a game in memory are the same after packing, and requests are found in them."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from tests.server.conftest import Site
from tikal.play import Game
from tikal.rules.options import Options
from tikal.server.database.schema import events
from tikal.server.live.entries import CHUNK, Log
from tikal.server.live.projection import Entry, entry_of_play
from tikal.server.live.room import check


def entries(count: int) -> list[Entry]:
    """The entries of a random game, every third the first of a request."""
    rng = random.Random("log")
    game = Game.new(Options(players=4, boulders="2d6"), seed="42")
    found = [Entry(1, "start", None, {"seats": [{"name": "Zoë"}]}, 7)]
    while len(found) < count:
        game.play(rng.choice(game.legal()))
        made = entry_of_play(len(found) + 1, game, len(found))
        client = {"client": f"ann/{made.seq}", "units": 3} if made.seq % 3 == 0 else {}
        found.append(Entry(*made.as_row()[:5], **client))  # type: ignore[arg-type]
    return found


@pytest.mark.parametrize("count", [0, 1, CHUNK, 2 * CHUNK - 1, 2 * CHUNK, 3 * CHUNK, 7 * CHUNK + 5])
def test_a_log_returns_its_entries(count: int) -> None:
    given = entries(count)[:count]
    log = Log(given)
    assert (len(log), list(log)) == (count, given)
    for start in (0, 1, CHUNK - 1, CHUNK, CHUNK + 1, count - 1, count, count + 3):
        assert log.since(start) == given[max(0, start) :]
    assert log.since(-3) == given
    for entry in given:
        assert log[entry.seq - 1] == entry
        found = log.find(entry.client) if entry.client else None
        assert found == (entry if entry.client else None)
    assert log.find("ann/4") is None
    with pytest.raises(IndexError):
        log[count]


def test_two_clients_with_one_hash_are_distinguished(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tikal.server.live.entries.hash", lambda _: 5, raising=False)
    log = Log([Entry(1, "seat", 1, {}, 0, "ann/a"), Entry(2, "seat", 2, {}, 0, "bob/b")])
    assert [log.find(client) for client in ("bob/b", "ann/a", "cid/c")] == [log[1], log[0], None]


def digests(game: Game) -> list[str]:
    """The digest of a game in every format, the newest first."""
    return [check(game.state, like) for like in ("4:", "3:", "2:", "")]


def test_digests_are_those_that_are_stored() -> None:
    """If one of these changes, stored games freeze: then a new format is needed, and the old one must stay."""
    game = Game.new(Options(players=3), seed="42")
    assert digests(game) == ["4:66ea04df4766", "3:afd9cbd96de0", "2:458bffd3cd00", "3fcba56d1d4d"]
    game.play(game.legal()[0])
    assert digests(game) == ["4:6e8e77687378", "3:9922e540b274", "2:eb5c8bfc894e", "f0d6add273c6"]
    variants = Game.new(Options(boulders="2d6", obstacles=True), seed="42")
    assert digests(variants) == ["4:365ce79af27d", "3:b5a4970ae5a2", "2:d0093ee6fe60", "fdf3e5d3944d"]
    assert check(game.state).startswith("4:")


def test_a_game_with_digests_of_the_first_format_continues(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        ann = await site.person("Ann")
        table = (await ann.post("/tables", {"seats": ["me", "person:Bob"]}))["id"]
        await ann.post(f"/tables/{table}/start")
        place = (await ann.get(f"/tables/{table}"))["offer"]["actions"][0]["action"]
        await ann.post(f"/tables/{table}/actions", {"id": "a", "on": 1, "actions": [place]})
        async with site.hub.room(table) as room:
            assert room.game is not None
            data: dict[str, Any] = {"action": place, "units": 1, "check": check(room.game.state, "")}
        await site.hub.store.write(
            lambda c: c.execute(events.update().where(events.c.seq == 2).values(data=data)).rowcount
        )
        site.hub.forget(2**50)
        assert (await ann.get(f"/tables/{table}"))["info"]["state"] == "playing"
        resent = await ann.post(f"/tables/{table}/actions", {"id": "a", "on": 1, "actions": [place]})
        assert resent == {"first": 2, "seq": 2, "duplicate": True}

    play_out(scenario)

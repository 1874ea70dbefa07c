"""Replays: many frames at once for a slider, and records that somebody brings along. Nothing is kept of those."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tikal.play import Game, TikalError
from tikal.play.records import Record, read, verify
from tikal.server import projection
from tikal.server.errors import Refused
from tikal.server.projection import Entry, Viewer, entry_of_play

if TYPE_CHECKING:
    from tikal.server.store import Json

MOST = 64  # frames in one answer
TOGETHER = 4  # frames that are made before others get a turn; each takes about a millisecond


async def frames(game: Game, start: int, seat: int | None) -> Json:
    """Frames from one on, as a seat saw them; None: a spectator. Others are served in between."""
    of = len(game.history)
    if not 0 <= start <= of:
        raise Refused("malformed", f"start: must be from 0 to {of}")
    if seat is not None and seat > game.options.players:
        raise Refused("seat", f"seat: must be from 1 to {game.options.players}")
    made: list[Json] = []
    for at in range(start, min(start + MOST, of + 1)):
        if at > len(game.history):
            break  # something was taken back meanwhile
        made.append(projection.replay(game, at, seat))
        if len(made) % TOGETHER == 0:
            await asyncio.sleep(0)
    return {"start": start, "of": of, "frames": made}


async def of_record(text: str, start: int, seat: int | None) -> Json:
    """A record that somebody brings: what it claims and whether that holds, its events, and frames."""
    try:
        record = await asyncio.to_thread(read, text)
        checks = (await asyncio.to_thread(verify, text)).checks
    except TikalError as error:
        raise Refused("malformed", error.text) from None
    game = record.game
    page = await frames(game, start, seat)
    return {
        "players": _names(record),
        "date": " ".join(record.tags.get("Date", [])),
        "ok": all(good for good, _ in checks),
        "checks": [{"code": _code(told), "ok": good, "text": told} for good, told in checks],
        "scores": projection.scores(game),
        "events": projection.events(_entries(game), game, Viewer()),
        **page,
    }


def _names(record: Record) -> list[str]:
    """The players of a record; one that says nothing of them has numbers."""
    named = record.tags.get("Players", [])
    seats = range(record.game.options.players)
    return [named[seat] if seat < len(named) else f"Seat {seat + 1}" for seat in seats]


def _code(told: str) -> str:
    """What was checked: rules, result, shuffle or commitment.

    >>> _code("result: 61 58")
    'result'
    """
    found = re.match(r"\w+", told)
    return found[0] if found else "rules"


def _entries(game: Game) -> Sequence[Entry]:
    """The events of a game without a table: an event for each action, counted like them."""
    again = Game(game.options, game.chance, game.seed, game.nonces)
    made = []
    for number, step in enumerate(game.history, 1):
        again.play(step.action)
        made.append(entry_of_play(number, again, 0))
    return made

"""Replays: many frames at once for a slider, and uploaded records, which are not stored."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tikal.play import Game, TikalError
from tikal.play.records import Check, read, verify
from tikal.server.errors import Refused, as_values, check_seat, refused
from tikal.server.live import projected, projection
from tikal.server.live.projection import Entry, entry_of_play

if TYPE_CHECKING:
    from tikal.play.view import Json

MOST = 64  # frames in one answer
TOGETHER = 4  # frames made before other requests get a turn; each takes about a millisecond


async def frames(game: Game, start: int, seat: int | None) -> Json:
    """Frames from a given one on, as a seat saw them; None: a spectator. Other requests are served in between."""
    of = len(game.history)
    if not 0 <= start <= of:
        raise Refused("malformed", f"start: must be from 0 to {of}")
    if seat is not None:
        check_seat(seat, game.options.players)
    made: list[projected.Replay] = []
    for at in range(start, min(start + MOST, of + 1)):
        if at > len(game.history):
            break  # actions were taken back meanwhile
        made.append(projection.replay(game, at, seat))
        if len(made) % TOGETHER == 0:
            await asyncio.sleep(0)
    return {"start": start, "of": of, "frames": made}


async def of_record(text: str, start: int, seat: int | None) -> Json:
    """An uploaded record: its claims and whether they hold, its events, and frames."""
    try:
        record = await asyncio.to_thread(read, text)
        checks = (await asyncio.to_thread(verify, text)).checks
    except TikalError as error:
        raise refused("malformed", error) from None
    game = record.game
    page, entries = await frames(game, start, seat), _entries(game)
    return {
        "players": record.names,
        "date": " ".join(record.tags.get("Date", [])),
        "ok": all(check.ok for check in checks),
        "checks": [_check(check) for check in checks],
        "scores": projection.scores(game),
        "events": projection.events(entries, projection.secret_events(reversed(entries), game), None),
        **page,
    }


def _check(check: Check) -> Json:
    reason = {"key": f"check_{check.code}", "values": as_values(check.values)}
    return {"code": check.code.partition("_")[0], "ok": check.ok, "text": check.text, "reason": reason}


def _entries(game: Game) -> Sequence[Entry]:
    """The events of a game without a table: one for each action, with the same number."""
    again = Game(game.options, game.chance, game.seed, game.nonces)
    made = []
    for number, step in enumerate(game.history, 1):
        again.play(step.action)
        made.append(entry_of_play(number, again, 0))
    return made

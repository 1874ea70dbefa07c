"""Bid up to N: somebody says in secret how far to go in the auction that runs, and the server bids for the seat.

When it is the seat's turn to bid, the least that is needed is bid as long as that is not more than N, else the seat
passes. N is kept with the seat, outside of all that rooms hold and tell, and is cleared in one unit with the action
that ends the auction. Others see nothing but bids, though these come at once.
"""

from __future__ import annotations

import logging
from collections.abc import Coroutine
from contextlib import AbstractAsyncContextManager
from typing import Any, Protocol

from tikal.play import Game
from tikal.server.errors import Refused
from tikal.server.room import Room
from tikal.server.store import Conflict, Json, Person, Store

log = logging.getLogger("tikal.server")
TRIES = 5  # while others move on


def answer(game: Game, up_to: int) -> str:
    """What to bid for the seat that is to bid: the least that is needed, or nothing.

    >>> from tikal.rules.options import Options
    >>> game = Game.new(Options.parse({"auction": "true"}), seed="42")
    >>> game.play("B:3")
    >>> answer(game, 4), answer(game, 3)
    ('B:4', 'B:-')
    """
    least = min((int(action[2:]) for action in game.legal() if action != "B:-"), default=None)
    return "B:-" if least is None or least > up_to else f"B:{least}"


def check(game: Game, seat: int, up_to: int) -> None:
    """Refuses what can't be bid by a seat in the auction that runs."""
    view = game.view(None)
    if game.phase != "bid":
        raise Refused("auction", "there is no auction now")
    if seat in view["auction"]["had_turn"] or seat in view["auction"]["out"]:
        raise Refused("auction", f"seat {seat} is out of this auction")
    most = view["scores"][seat - 1]
    if not 0 <= up_to <= most:
        raise Refused("malformed", f"up_to: must be from 0 to {most}, the score of seat {seat}")


class Tables(Protocol):
    """What is needed of the hub."""

    store: Store

    def room(self, key: str) -> AbstractAsyncContextManager[Room]:
        """A room for as long as it is used."""

    def nudge(self, room: Room) -> None:
        """Lets a bot think if it is its turn."""

    def background(self, work: Coroutine[Any, Any, None]) -> object:
        """Starts something that ends with the server."""


class Bids:
    """Keeps what people have said, and bids for them."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._store = tables.store
        self._busy: dict[str, bool] = {}  # tables where we bid; whether to look once more

    async def mine(self, me: Person, key: str) -> list[Json]:
        """What somebody has said for the own seats."""
        async with self._tables.room(key) as room:
            room.must_hold(me.id)
            kept = await self._store.limits(key)
            return [{"seat": seat, "up_to": kept[seat]} for seat in sorted(room.table.held_by(me.id)) if seat in kept]

    async def put(self, me: Person, key: str, number: int | None, up_to: int | None) -> None:
        """Says how far to go for an own seat, or withdraws it (None)."""
        async with self._tables.room(key) as room:
            for _ in range(TRIES):
                async with room.lock:
                    seat = room.own_seat(me.id, number)
                    if up_to is not None:
                        check(room.must_play(), seat, up_to)
                    try:
                        await self._store.set_limit(key, seat, up_to, room.seq)
                    except Conflict:
                        await room.read_back()
                        continue
                self.nudge(room)
                return
            raise Refused("stale", "the table changes too quickly; try again", seq=room.seq)

    def nudge(self, room: Room) -> None:
        """Bids if a person is to bid who has said how far to go."""
        key = room.table.id
        if not _may_bid(room):
            return
        if key in self._busy:
            self._busy[key] = True
        else:
            self._busy[key] = False
            self._tables.background(self._run(key))

    async def _run(self, key: str) -> None:
        """Bids as long as there is something to bid. What comes in while we look is looked at again."""
        try:
            async with self._tables.room(key) as room:
                more = True
                while more:
                    self._busy[key] = False
                    more = await self._bid(room) or self._busy[key]
        except Exception:
            log.exception("a bid could not be made")
        finally:
            del self._busy[key]

    async def _bid(self, room: Room) -> bool:
        """One bid or pass for whoever is to bid; whether there was one to make."""
        if not _may_bid(room):
            return False
        on, turn = room.seq, room.table.turn
        up_to = (await self._store.limits(room.table.id)).get(turn or 0)
        if up_to is None or on != room.seq or room.game is None:
            return on != room.seq
        seat = room.table.seats[(turn or 1) - 1]
        try:
            await room.play(seat.person, f"bid/{on}", on, [answer(room.game, up_to)])
        except Refused as error:
            if error.code not in ("stale", "turn", "time", "rights", "over"):
                raise
        self._tables.nudge(room)
        return True


def _may_bid(room: Room) -> bool:
    """Whether a person is to bid."""
    table, game = room.table, room.game
    if table.state != "playing" or table.turn is None or game is None or game.phase != "bid":
        return False
    return table.seats[table.turn - 1].kind == "person" and table.lent is None

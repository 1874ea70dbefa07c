"""Bid limits: a player sets a secret limit for the current auction, and the server bids for the seat.

When it is the seat's turn to bid, the server bids the least that is needed, as long as that is not above the limit;
otherwise the seat passes. The limit is stored with the seat, separate from everything that rooms hold and send, and is
cleared in one unit with the action that ends the auction. Others see only the bids, though these come at once.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

from tikal.play import Game, notation
from tikal.play.view import Json
from tikal.rules.codes import BID, pack
from tikal.rules.facts import Facts
from tikal.server.database.rows import Conflict, Person
from tikal.server.database.store import Store
from tikal.server.errors import Refused
from tikal.server.live.room import Background, Room, UseRoom

log = logging.getLogger("tikal.server")
TRIES = 5  # while other requests are served


def answer(game: Game, up_to: int) -> str:
    """The bid for the seat to bid: the least that is needed, or a pass.

    >>> from tikal.rules.options import Options
    >>> game = Game.new(Options.parse({"auction": "true"}), seed="42")
    >>> game.play("B:3")
    >>> answer(game, 4), answer(game, 3)
    ('B:4', 'B:-')
    """
    facts = Facts(game.state)
    least = facts.least_bid()
    can = least <= min(up_to, facts.most_bids()[facts.seat])
    return notation.text(pack(BID, least if can else 0))


def check(game: Game, seat: int, up_to: int) -> None:
    """Refuses limits that the seat can't bid in the current auction."""
    if game.phase != "bid":
        raise Refused("auction", "there is no auction now", "auction_none")
    most = Facts(game.state).most_bids().get(seat - 1)
    if most is None:
        raise Refused("auction", f"seat {seat} is out of this auction", "auction_out", seat=seat)
    if not 0 <= up_to <= most:
        raise Refused("malformed", f"up_to: must be from 0 to {most}, the score of seat {seat}")


class Bids:
    """Stores limits, and bids for people."""

    def __init__(self, store: Store, use: UseRoom, wake: Callable[[Room], None], background: Background) -> None:
        self._store = store
        self._use = use
        self._wake = wake  # starts the bot whose turn it is
        self._background = background
        self._busy: dict[str, bool] = {}  # tables with a running bidder; whether it must look once more

    async def mine(self, me: Person, key: str) -> Json:
        """A person's limits for their seats, and the most that each of these may bid now."""
        async with self._use(key) as room:
            room.must_hold(me.id)
            kept = await self._store.limits(key)
            seats = sorted(room.table.held_by(me.id))
            most = Facts(room.game.state).most_bids() if room.game is not None else {}
            return {
                "bids": [{"seat": seat, "up_to": kept[seat]} for seat in seats if seat in kept],
                "most": {str(seat): most[seat - 1] for seat in seats if seat - 1 in most},
            }

    async def put(self, me: Person, key: str, number: int | None, up_to: int | None) -> None:
        """Sets a limit for the caller's seat, or withdraws it (None)."""
        async with self._use(key) as room:
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
        """Bids if a person with a limit is to bid."""
        key = room.table.id
        if not _may_bid(room):
            return
        if key in self._busy:
            self._busy[key] = True
        else:
            self._busy[key] = False
            self._background(self._run(key))

    async def _run(self, key: str) -> None:
        """Bids until there is nothing to bid. A change in the meantime causes another look."""
        try:
            async with self._use(key) as room:
                more = True
                while more:
                    self._busy[key] = False
                    more = await self._bid(room) or self._busy[key]
        except Exception:
            log.exception("a bid could not be made")
        finally:
            del self._busy[key]

    async def _bid(self, room: Room) -> bool:
        """Makes one bid or pass for the seat to bid; returns whether it made one."""
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
        self._wake(room)
        return True


def _may_bid(room: Room) -> bool:
    """Whether a person is to bid."""
    table, game = room.table, room.game
    if table.state != "playing" or table.turn is None or game is None or game.phase != "bid":
        return False
    return table.seats[table.turn - 1].kind == "person" and table.bot_plays_for is None

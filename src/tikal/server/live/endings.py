"""Games never hang: absent people are replaced or lose, people can vote to end a game, and lost seats are handed over.

At a table without a clock, a player whose turn exceeds the table's *patience* counts as absent. The
patience is a setting of the table that everybody sees before the start. Then the others may let a bot play on, or, if
nobody else plays, claim the win. People can also agree to end a game: when all of them have voted for it, it is over
without a winner. Each of these is an event at seq + 1 like any other, so of several requests the first one counts.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tikal.play.view import Json
from tikal.server.database.rows import Event, Person, Seat, Table
from tikal.server.database.statistics import Ended
from tikal.server.errors import Refused
from tikal.server.live import projected

if TYPE_CHECKING:
    from tikal.server.live.room import Ack, Room

HOUR_MS = 3600 * 1000
MOST_VOTES = 10  # of one seat until the game goes on


@dataclass(frozen=True, slots=True)
class Standing:
    """How a game may end early, according to its log.

    >>> Standing().after("vote", 2, {"end": True}, 7).votes
    frozenset({2})
    """

    since: int = 0  # when the game last went on; votes, and moves made again after an undo, would never end
    votes: frozenset[int] = frozenset()  # seats that have voted to end the game
    voted: tuple[int, ...] = ()  # seats that have voted since then, for or against, in order
    length: int = 0  # actions, without those taken back
    longest: int = 0  # the most that there have been
    ended: Json | None = None  # why it ended and who won, if it ended early

    def after(self, kind: str, seat: int | None, facts: Json, at: int) -> Standing:
        """The standing after one more event."""
        if kind == "vote" and seat is not None:
            votes = self.votes | {seat} if facts["end"] else self.votes - {seat}
            return replace(self, votes=votes, voted=(*self.voted, seat))
        if kind == "undo":
            return replace(self, length=self.length - facts["count"])
        length = self.length + (kind == "play")
        if kind == "play" and length <= self.longest:
            return replace(self, length=length)
        votes = self.votes - {seat} if kind == "seat" else self.votes
        ended = {"why": facts["why"], "winners": facts["winners"]} if kind == "end" else self.ended
        return Standing(at, votes, (), length, max(length, self.longest), ended)

    def as_json(self, table: Table) -> projected.Standing:
        """What everybody may know of it."""
        return {"votes": sorted(self.votes), "ended": self.ended, "absent_from": self.absent_from(table)}

    def absent_from(self, table: Table) -> int | None:
        """When the player to move counts as absent; None if that is impossible."""
        if table.state != "playing" or table.clock is not None or table.turn is None:
            return None
        return self.since + table.patience_h * HOUR_MS if table.seats[table.turn - 1].kind == "person" else None


NO_EVENTS = Standing()


async def replace_absent(room: Room, person: str, request: str) -> Ack:
    """Lets a bot take the seat of an absent player."""
    async with room.lock:
        client = f"{person}/{request}"
        if (known := room.resent(client)) is not None:
            return known
        seat = _absent_seat(room, person)
        facts = {"to": "bot", "level": room.table.substitute, "why": "absent"}
        event = Event(room.seq + 1, "seat", seat.seat, facts, client, room.time.now())
        return await room.commit([event], room.with_bot(seat.seat))


async def claim_win(room: Room, person: str, request: str) -> Ack:
    """Ends the game: the only remaining player wins."""
    async with room.lock:
        client = f"{person}/{request}"
        if (known := room.resent(client)) is not None:
            return known
        _absent_seat(room, person)
        mine = room.table.held_by(person)
        if len(mine) + 1 < len(room.table.seats):
            raise Refused("rights", "others still play; a bot may take the seat instead", "rights_others_play")
        result = Ended(room.must_play().status()["scores"], [seat - 1 for seat in sorted(mine)])
        return await room.commit([_ending(room, 1, "absent", sorted(mine), client)], ended=result)


async def vote(room: Room, person: str, request: str, end: bool) -> Ack:
    """Votes for or against ending the game; with the last missing vote, it ends without a winner."""
    async with room.lock:
        client = f"{person}/{request}"
        if (known := room.resent(client)) is not None:
            return known
        mine = room.must_hold(person)
        room.must_play()
        people = {seat.seat for seat in room.table.seats if seat.kind == "person"}
        if people == mine:
            raise Refused("rights", "you are the only person here; resign, and a bot plays on", "rights_only_person")
        if any(room.standing.voted.count(seat) >= MOST_VOTES for seat in mine):
            raise Refused("rate", "you have changed your vote very often; wait until the game goes on")
        at = room.time.now()
        ends = end and people <= room.standing.votes | mine
        clients = [client, *[None] * len(mine)]
        votes = [
            Event(room.seq + n, "vote", seat, {"end": end}, who, at)
            for n, (seat, who) in enumerate(zip(sorted(mine), clients, strict=False), 1)
        ]
        votes[0].data["units"] = len(votes) + ends
        if ends:
            votes.append(_ending(room, len(votes) + 1, "vote", [], None))
        return await room.commit(votes)


def _absent_seat(room: Room, person: str) -> Seat:
    """The seat of the absent player; refuses callers that may not act on it."""
    mine = room.must_hold(person)
    room.must_play()
    table = room.table
    since = room.standing.absent_from(table)
    if since is None or table.turn is None or table.turn in mine:
        why = "nobody is absent: it is your own turn or a bot's, or the table has a clock"
        raise Refused("absent", why, "absent_nobody")
    if room.time.now() < since:
        raise Refused("absent", f"not yet: seat {table.turn} has {table.patience_h} hours for a turn", since=since)
    return table.seats[table.turn - 1]


def _ending(room: Room, number: int, why: str, winners: list[int], client: str | None) -> Event:
    facts = {"why": why, "winners": winners}
    return Event(room.seq + number, "end", None, facts, client, room.time.now())


async def take_seat(room: Room, me: Person, seat: Seat) -> None:
    """Hands the seat of a lost guest to the holder of the owner's link."""
    taken = Seat(seat.seat, "person", me.id, me.name, nonce=seat.nonce)
    facts = {"to": "person", "name": me.name}
    event = Event(room.seq + 1, "seat", seat.seat, facts, at=room.time.now())
    await room.commit([event], taken)

"""A room: one table in memory. It is only a cache: whatever is in it can be rebuilt from the log.

All changes of a game come in here, people's and bots' by the same door: `play`, `undo`, `substitute`. Each checks
right, resend, seq and rules, is committed, and only then done and told.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import orjson

from tikal.play import Game, IllegalAction, TikalError
from tikal.play.game import Step, may_take_back
from tikal.play.view import seat_or_none, status
from tikal.rules import RULES_VERSION
from tikal.rules.codes import PHASES
from tikal.rules.core import State
from tikal.rules.options import Options
from tikal.server import clocks, projection
from tikal.server.clocks import Time
from tikal.server.errors import Refused
from tikal.server.log import Log
from tikal.server.projection import Entry, Viewer
from tikal.server.statistics import Ended
from tikal.server.store import Conflict, Event, Json, Seat, Store, Table, now, with_seat

FORM = "2:"  # of the digests that are made now
MOST_ACTIONS = 64  # in one request; a turn has 10 AP and a tile


class Listener(Protocol):
    """Somebody who wants to be told of a table: a socket."""

    person: str | None

    def tell(self, message: str) -> None:
        """Queues a message; never waits."""


@dataclass(frozen=True, slots=True)
class Ack:
    """The answer to an action that is kept: its events, and whether it was a resend."""

    first: int
    seq: int
    duplicate: bool = False

    def as_json(self) -> Json:
        """What the client gets.

        >>> Ack(3, 4).as_json()
        {'first': 3, 'seq': 4, 'duplicate': False}
        """
        return {"first": self.first, "seq": self.seq, "duplicate": self.duplicate}


def options_of(table: Table) -> Options:
    """The options that a table is played with."""
    return Options.parse(table.options)


def new_game(table: Table) -> Game:
    """The game of a table, before its first action."""
    nonces = [seat.nonce for seat in table.seats if seat.nonce is not None]
    return Game.new(options_of(table), seed=table.seed, nonces=nonces)


def check(state: State, like: str = FORM) -> str:
    """A short digest of a position and of what chance will answer, kept with each unit and never told.

    So neither a change of the rules nor one of the seed goes unnoticed. It begins with its form, and is made in the
    form of the one that it is to be compared with.

    >>> len(check(Game.new(Options(), seed="42").state))
    14
    """
    fields = projection.scene(state).facts.fields
    if like.startswith(FORM):
        return FORM + hashlib.sha256(orjson.dumps(fields, option=orjson.OPT_SORT_KEYS)).hexdigest()[:12]
    whole = {"status": status(state), "chance": [fields.get(name) for name in ("deck", "kinds", "dice")]}
    return hashlib.sha256(orjson.dumps(whole)).hexdigest()[:12]  # as it was in the beginning


@dataclass(frozen=True, slots=True)
class Ahead:
    """What actions lead to: judged, but not played."""

    states: Sequence[State] = ()
    steps: Sequence[Step] = ()


def rehearse(game: Game, actions: Sequence[str], cut: bool = False) -> Ahead:
    """What these actions would do.

    Nothing may follow what reveals something or ends the turn: whether it is legal could tell what is hidden. With
    `cut` what follows is left out instead.
    """
    states: list[State] = []
    steps: list[Step] = []
    for number, action in enumerate(actions, 1):
        (state,), (step,) = _foresee(game, action, states[-1] if states else game.state)
        states.append(state)
        steps.append(step)
        if number < len(actions) and not may_take_back(step, state):
            if cut:
                break
            raise Refused("reveals", f"{action}: must be the last of its list; look at what it reveals first")
    return Ahead(states, steps)


def _foresee(game: Game, action: str, state: State) -> tuple[list[State], list[Step]]:
    try:
        return game.foresee([action], state)
    except IllegalAction as error:
        raise Refused("illegal", error.text, action=error.action or action, why=error.code) from None
    except TikalError as error:
        raise Refused("illegal", error.text, action=action, why=error.code) from None


NOT_PLAYED = Ahead()
Make = Callable[[Game, str], tuple[list[Event], Ahead]]  # what a request would do, once its client is known


def ended(state: State) -> Ended:
    """How a game ended."""
    told = status(state)
    return Ended(told["scores"], [seat - 1 for seat in told["winners"]])


class Room:
    """One table in memory."""

    def __init__(
        self,
        store: Store,
        table: Table,
        log: Sequence[Event],
        time: Time | None = None,
        moved: Callable[[Room, Table], None] = lambda _room, _before: None,
        said: int = 0,
    ) -> None:
        self.store = store
        self.moved = moved  # is told after each change that was made here
        self.time = time or Time()
        self.said = said  # the last line of chat that its listeners know
        self.lock = asyncio.Lock()
        self.listeners: set[Listener] = set()
        self.users = 0
        self.idle_since = now()
        self.thinking: asyncio.Task[None] | None = None
        self.game: Game | None = None
        self.entries = Log()
        self.fault: str | None = None
        self._extend(table, log)

    # From the log

    def _extend(self, table: Table, tail: Sequence[Event]) -> None:
        """The table as it is now, and what its log has more; a game that does not replay is frozen."""
        self.table = table
        if tail:
            try:
                self._replay(tail)
            except TikalError as error:
                self.game = None
                self.fault = error.code
                self.table = replace(table, state="frozen", turn=None)

    def _replay(self, tail: Sequence[Event]) -> None:
        """The game goes on with its log. One of other rules must come to the same positions all the way."""
        same = self.table.rules == RULES_VERSION
        self.game = self.game or new_game(self.table)
        for number, one in enumerate(tail, self.seq + 1):
            if one.seq != number:
                raise Refused("fault", f"the log has a gap at {number}")
            self._apply(one)
            last = one is tail[-1]
            if "check" in one.data and (last or not same) and not self._agrees(one):
                raise Refused("frozen", f"event {number} does not lead to the position it was made with")

    def _agrees(self, one: Event) -> bool:
        """Whether an event has led to the position it was made with."""
        assert self.game is not None
        digest: str = one.data["check"]
        return digest == check(self.game.state, digest)

    async def catch_up(self) -> None:
        """Takes in what others have written, and tells it."""
        async with self.lock:
            await self.read_back()

    async def read_back(self) -> None:
        """The same for who holds the lock."""
        news = await self.store.news(self.table.id, self.seq, self.said)
        if news is None or self.fault:
            return
        seq, table = self.seq, self.table
        self._extend(news.table, news.events)
        if (self.seq, self.table) != (seq, table):
            self.tell(seq)
        for line in news.lines:
            message = projection.text({"type": "chat", "table": self.table.id, "line": projection.line(line)})
            for listener in list(self.listeners):
                listener.tell(message)
        self.said = news.said

    def _apply(self, one: Event) -> None:
        """One event in memory."""
        game = self.game
        assert game is not None
        if one.kind == "play":
            if game.seat != one.seat:
                raise Refused("frozen", f"event {one.seq} is not of the seat whose turn it is")
            game.play(one.data["action"])
        elif one.kind == "undo":
            game.undo(one.data["count"])
        self._note(one)

    def _note(self, one: Event) -> None:
        """An event that has just been done joins the entries."""
        assert self.game is not None
        if one.kind == "play":
            facts = projection.facts_of_play(self.game)
        else:
            facts = {key: value for key, value in one.data.items() if key not in ("check", "units")}
        units = one.data.get("units", 1)
        self.entries.append(Entry(one.seq, one.kind, one.seat, facts, one.at, one.client, units))

    # What is

    @property
    def seq(self) -> int:
        """The number of the last event."""
        return len(self.entries)

    @property
    def idle(self) -> bool:
        """Whether nobody uses or watches it, and no bot thinks."""
        return not (self.users or self.listeners or self.thinking or self.lock.locked())

    def update(self, person: str | None, since: int | None = None) -> Json:
        """How things stand for a person, with the events after `since` (none: no events)."""
        start = self.seq if since is None else max(0, min(since, self.seq))
        return self._update(Viewer.of(self.table, person), self.entries.since(start))

    def _update(self, viewer: Viewer, events: Sequence[Entry]) -> Json:
        return projection.update(self.table, self.game, self.seq, events, viewer, self.fault, self.time.now())

    def events(self, person: str | None, since: int) -> list[Json]:
        """The events after `since`, for a person."""
        return projection.events(self.entries.since(since), self.game, Viewer.of(self.table, person))

    def replay(self, person: str | None, at: int, seat: int | None) -> Json:
        """How things stood after so many actions: for one's own seat; when the game is over, for any."""
        game, seat = self.to_replay(person, seat)
        if not 0 <= at <= len(game.history):
            raise Refused("malformed", f"at: must be from 0 to {len(game.history)}")
        return projection.replay(game, at, seat)

    def scores(self) -> Json:
        """Where the scores come from, so far."""
        return projection.scores(self.game or self.must_play())

    def to_replay(self, person: str | None, seat: int | None) -> tuple[Game, int | None]:
        """The game, and as which seat a person sees it again: his own; when it is over, any."""
        game = self.game or self.must_play()
        viewer = Viewer.of(self.table, person)
        if seat is None:
            return game, viewer.eyes(game) if not game.over else None
        if not 1 <= seat <= game.options.players:
            raise Refused("seat", f"seat: must be from 1 to {game.options.players}")
        if not game.over and seat not in viewer.seats:
            raise Refused("rights", "while a game runs everybody sees with his own eyes")
        return game, seat

    def to_explain(self, person: str | None, at: int | None) -> Json:
        """The view that a bot may explain: one's own turn where the table allows hints; any when the game is over."""
        game = self.game or self.must_play()
        if game.over:
            place = len(game.history) - 1 if at is None else at
            if not 0 <= place < len(game.history):
                raise Refused("malformed", f"at: must be from 0 to {len(game.history) - 1}")
            return self.replay(person, place, game.history[place].seat)["view"]  # type: ignore[no-any-return]
        if game.seat not in self.table.held_by(person):
            raise Refused("rights" if not self.table.held_by(person) else "turn", f"it is the turn of seat {game.seat}")
        if not self.table.hints:
            raise Refused("hints", "this table is played without hints")
        if at is not None:
            raise Refused("malformed", "at: only when the game is over")
        return projection.position(game, Viewer.of(self.table, person))["view"]  # type: ignore[no-any-return]

    def tell(self, since: int) -> None:
        """Tells every listener what has happened after `since`; those with equal eyes get the same text."""
        made: dict[Viewer, str] = {}
        events = self.entries.since(since) if self.listeners else []
        for listener in list(self.listeners):
            viewer = Viewer.of(self.table, listener.person)
            if viewer not in made:
                made[viewer] = projection.text(self._update(viewer, events))
            listener.tell(made[viewer])

    def bot_to_move(self) -> Seat | None:
        """The seat whose turn it is, if a bot sits there or plays it because the time has run out."""
        if self.table.state != "playing" or self.table.turn is None:
            return None
        seat = self.table.seats[self.table.turn - 1]
        if self.table.lent == seat.seat:
            return replace(seat, level=self.table.substitute)
        return seat if seat.kind == "bot" else None

    # What is done

    def must_play(self) -> Game:
        """The game, if it is running; else says why not."""
        if self.table.state == "playing" and self.game is not None:
            return self.game
        texts = {
            "open": ("waiting", "the game has not started"),
            "over": ("over", "the game is over"),
            "closed": ("closed", "the table was closed"),
            "frozen": ("frozen", "this game was made with other rules and does not replay with these"),
        }
        raise Refused(*texts[self.table.state])

    def must_hold(self, person: str) -> frozenset[int]:
        """The seats of a person, who must have one."""
        seats = self.table.held_by(person)
        if not seats:
            raise Refused("rights", "you have no seat at this table")
        return seats

    def own_seat(self, person: str, number: int | None) -> int:
        """The seat that somebody means, in a game that runs: the only one, or the one that is named."""
        seats = self.must_hold(person)
        self.must_play()
        if number is None and len(seats) > 1:
            raise Refused("seat", f"say which seat: one of {', '.join(map(str, sorted(seats)))}")
        number = min(seats) if number is None else number
        if number not in seats:
            raise Refused("rights", f"seat {number} is not yours")
        return number

    async def start(self, seats: tuple[Seat, ...]) -> None:
        """The game begins, with the seats as given."""
        table = replace(self.table, seats=seats, state="playing")
        turn = new_game(table).seat
        names = [{"seat": seat.seat, "kind": seat.kind, "name": seat.name, "level": seat.level} for seat in seats]
        at = self.time.now()
        table = clocks.begun(replace(table, turn=turn, changed=at), at)
        first = Event(1, "start", None, {"seats": names}, at=at)
        try:
            await self.store.start(table, first)
        except Conflict:
            await self.read_back()
            raise Refused("started", "the table has changed meanwhile") from None
        before = self.table
        self._extend(table, [first])
        self.tell(0)
        self.moved(self, before)

    async def change(self, table: Table) -> None:
        """Another table in memory, after it was written, and told."""
        self.table = table
        self.tell(self.seq)

    async def play(self, person: str | None, request: str, on: int, actions: Sequence[str]) -> Ack:
        """Plays actions, all or none, for the seat whose turn it is; `person` None is the bot that sits there."""

        def make(game: Game, client: str) -> tuple[list[Event], Ahead]:
            ahead = rehearse(game, actions, cut=person is None)
            data: list[Json] = [{"action": step.text} for step in ahead.steps]
            data[0]["units"] = len(data)
            data[-1]["check"] = check(ahead.states[-1])
            at = self.time.now()
            clients = [client, *[None] * len(data)]
            made = [
                Event(on + n, "play", game.seat, facts, who, at)
                for n, (facts, who) in enumerate(zip(data, clients, strict=False), 1)
            ]
            return made, ahead

        if not 1 <= len(actions) <= MOST_ACTIONS:
            raise Refused("malformed", f"actions: must be 1 to {MOST_ACTIONS}")
        return await self._door(person, request, on, make)

    async def undo(self, person: str, request: str, on: int, all_of_it: bool) -> Ack:
        """Takes back the last action, or all of the turn; up to the last barrier."""

        def make(game: Game, client: str) -> tuple[list[Event], Ahead]:
            free = game.can_take_back()
            if not free:
                raise Refused("undo", "nothing to take back: no action since the last thing that was revealed")
            count = free if all_of_it else 1
            digest = check(game.state_at(len(game.history) - count))
            event = Event(on + 1, "undo", game.seat, {"count": count, "check": digest}, client, self.time.now())
            return [event], NOT_PLAYED

        return await self._door(person, request, on, make)

    async def _door(self, person: str | None, request: str, on: int, make: Make) -> Ack:
        """The one door: right, resend, state, seq, turn; then what `make` makes is committed, done and told."""
        async with self.lock:
            seats = self.table.held_by(person)
            if person is not None and not seats:
                raise Refused("rights", "you have no seat at this table")
            client = f"{person or 'bot'}/{request}"
            if (known := self._resent(client)) is not None:
                return known
            game = self.must_play()
            if on != self.seq:
                raise Refused("stale", f"made on {on}, but the table is at {self.seq}", seq=self.seq)
            if (game.seat not in seats) if person is not None else (self.bot_to_move() is None):
                raise Refused("turn", f"it is the turn of seat {game.seat}")
            if person is not None and self.table.lent is not None:
                raise Refused("time", "your time has run out; a bot plays this turn")
            unit, ahead = make(game, client)
            return await self._commit(unit, ahead=ahead)

    def _resent(self, client: str) -> Ack | None:
        """The answer to what was asked before."""
        entry = self.entries.find(client)
        return None if entry is None else Ack(entry.seq, entry.seq + entry.units - 1, duplicate=True)

    async def _commit(self, unit: list[Event], seat: Seat | None = None, ahead: Ahead = NOT_PLAYED) -> Ack:
        """Writes a unit, then does it in memory, then tells. `ahead` is where the actions of it lead."""
        before, (after, settled) = self.table, self._after(unit, seat, ahead)
        try:
            over = ended(ahead.states[-1]) if after.state == "over" else None
            await self.store.append(after, unit, seat, settled, over)
        except Conflict:
            await self.read_back()
            known = self._resent(unit[0].client) if unit[0].client is not None else None
            if known is not None:  # a resend, and the process that had it first is gone
                return known
            raise Refused("stale", f"somebody else was quicker; the table is at {self.seq}", seq=self.seq) from None
        self.table = after
        self._do(unit, ahead)
        self.tell(unit[0].seq - 1)
        self.moved(self, before)
        return Ack(unit[0].seq, unit[-1].seq)

    def _do(self, unit: list[Event], ahead: Ahead) -> None:
        """A unit in memory; actions are not judged again."""
        if unit[0].kind != "play":
            for one in unit:
                self._apply(one)
            return
        assert self.game is not None
        for one, state, step in zip(unit, ahead.states, ahead.steps, strict=True):
            self.game.adopt([state], [step])
            self._note(one)

    def _after(self, unit: list[Event], seat: Seat | None, ahead: Ahead) -> tuple[Table, bool]:
        """The table after a unit: whose turn it is then, whether the game is over; and whether it ends an auction."""
        game = self.game
        assert game is not None
        table, settled = with_seat(self.table, seat) if seat else self.table, False
        if unit[0].kind == "play":
            last = ahead.states[-1]
            turn = seat_or_none(last.seat)
            settled = game.phase == "bid" and PHASES[last.phase] != "bid"
        elif unit[0].kind == "undo":
            turn = seat_or_none(game.state_at(len(game.history) - unit[0].data["count"]).seat)
        else:
            turn = game.seat
        at = unit[0].at
        table = replace(table, turn=turn, state="over" if turn is None else "playing", changed=at)
        if unit[0].kind == "time":
            return clocks.run_out(table, at), settled
        return clocks.handed_on(self.table, table, any(one.data.get("action") == "." for one in unit), at), settled

    async def substitute(self, person: str, request: str, number: int | None) -> Ack:
        """A person resigns: a bot takes the seat."""
        async with self.lock:
            client = f"{person}/{request}"
            if (known := self._resent(client)) is not None:
                return known
            number = self.own_seat(person, number)
            facts = {"to": "bot", "level": self.table.substitute}
            event = Event(self.seq + 1, "seat", number, facts, client, self.time.now())
            return await self._commit([event], self._with_bot(number))

    def _with_bot(self, number: int) -> Seat:
        """A seat when the bot that the table names has taken it."""
        old, level = self.table.seats[number - 1], self.table.substitute
        return replace(old, kind="bot", person=None, level=level, substituted=True)

    async def time_out(self) -> None:
        """The time of the turn has run out, if it still has: a bot plays the turn or takes the seat."""
        async with self.lock:
            table, at = self.table, self.time.now()
            if table.state != "playing" or table.deadline is None or table.deadline > at:
                return
            assert table.turn is not None
            assert table.clock is not None
            facts = {"to": "bot", "level": table.substitute}
            if table.clock["timeout"] == "turn":
                await self._commit([Event(self.seq + 1, "time", table.turn, facts, at=at)])
            else:
                event = Event(self.seq + 1, "seat", table.turn, facts | {"why": "time"}, at=at)
                await self._commit([event], self._with_bot(table.turn))

    def what_if(self, person: str, on: int, actions: Sequence[str]) -> Json:
        """A scratch turn: how things would stand after these actions. It stops before what would reveal something."""
        viewer = Viewer.of(self.table, person)
        if not viewer.seats:
            raise Refused("rights", "you have no seat at this table")
        game = self.must_play()
        if on != self.seq:
            raise Refused("stale", f"made on {on}, but the table is at {self.seq}", seq=self.seq)
        if game.seat not in viewer.seats:
            raise Refused("turn", f"it is the turn of seat {game.seat}")
        if len(actions) > MOST_ACTIONS:
            raise Refused("malformed", f"actions: must be at most {MOST_ACTIONS}")
        played: list[str] = []
        stopped: str | None = None
        try:
            for action in actions:
                states, steps = _foresee(game, action, game.state)
                if not may_take_back(steps[0], states[0]):
                    stopped = action
                    break
                game.adopt(states, steps)
                played.append(action)
            return {"played": played, "stopped": stopped, "seq": on, **projection.position(game, viewer)}
        finally:
            if played:
                game.undo(len(played))

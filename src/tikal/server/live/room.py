"""A room: one table in memory. It is only a cache: everything in it can be rebuilt from the log.

All changes of a game come in here, from people and bots alike: `play`, `undo`, `substitute`. Each checks permission,
resend, seq and rules, is committed, and only then applied and sent.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from typing import Any, Protocol

import orjson

from tikal.play import Game, IllegalAction, TikalError
from tikal.play.digest import FORMAT, digest, digest_like
from tikal.play.game import Step, may_take_back
from tikal.play.view import Json, hidden, seat_or_none, status
from tikal.rules import RULES_VERSION
from tikal.rules.codes import PHASES
from tikal.rules.core import State
from tikal.rules.options import Options
from tikal.rules.setup import Chance
from tikal.server.database.rows import NO_SEATS, Conflict, Event, Seat, Table, now, with_seat
from tikal.server.database.statistics import Ended
from tikal.server.database.store import Store
from tikal.server.errors import Refused, check_seat
from tikal.server.live import clocks, projected, projection
from tikal.server.live.clocks import Time
from tikal.server.live.endings import NO_EVENTS
from tikal.server.live.entries import Log
from tikal.server.live.projection import Entry, Live, Moment, Viewer

MOST_ACTIONS = 64  # actions in one request; a turn has 10 AP and a tile
MOST_UNDOS = 100  # undos in one turn
PAGE = 256  # events in one update
TAIL = 16  # a page may have this many more, so that no very short one follows


class Listener(Protocol):
    """A receiver of a table's changes: a socket."""

    person: str | None

    def tell(self, message: bytes) -> None:
        """Queues a message; never waits."""

    def tell_update(self, table: str, since: int, message: bytes | None) -> None:
        """Queues an update with the events after `since`; a `message` of None is made when it is sent."""


@dataclass(frozen=True, slots=True)
class Ack:
    """The answer to a stored action: its events, and whether it was a resend."""

    first: int
    seq: int
    duplicate: bool = False

    def as_json(self) -> Json:
        """What the client gets.

        >>> Ack(3, 4).as_json()
        {'first': 3, 'seq': 4, 'duplicate': False}
        """
        return {"first": self.first, "seq": self.seq, "duplicate": self.duplicate}


def named(seats: Sequence[Seat]) -> list[Json]:
    """The players at the start, as the first event of a log has them.

    >>> named([Seat(1, "bot", None, "digger", "digger")])
    [{'seat': 1, 'kind': 'bot', 'name': 'digger', 'level': 'digger'}]
    """
    return [{"seat": seat.seat, "kind": seat.kind, "name": seat.name, "level": seat.level} for seat in seats]


def options_of(table: Table) -> Options:
    """The options of a table."""
    return Options.parse(table.options)


def new_game(table: Table) -> Game:
    """A new game for a table."""
    if table.practice is not None:
        given = table.practice
        return Game(options_of(table), Chance(*(tuple(given[part]) for part in ("deck", "treasures", "dice"))))
    nonces = [seat.nonce for seat in table.seats if seat.nonce is not None]
    return Game.new(options_of(table), seed=table.seed, nonces=nonces)


def check(state: State, like: str = FORMAT) -> str:
    """The digest that is stored with an event and never sent, in the same format as another one.

    It detects changes of the rules or of the seed that would lead stored actions to another position.

    >>> check(Game.new(Options(), seed="42").state)[:2]
    '4:'
    """
    if like.startswith(FORMAT):
        return digest(projection.everybody_knows(state), orjson.dumps(hidden(state)))
    return digest_like(like, state)


@dataclass(frozen=True, slots=True)
class Preview:
    """The result of actions that were checked, but not played."""

    states: Sequence[State] = ()
    steps: Sequence[Step] = ()


def rehearse(game: Game, actions: Sequence[str], cut: bool = False) -> Preview:
    """Returns what these actions would do.

    Nothing may follow an action that reveals something or ends the turn: its legality could betray what is hidden.
    With `cut` the following actions are dropped instead.
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
    return Preview(states, steps)


def refuse_chance(action: str) -> None:
    """Refuses an action with a chance value, before anything is compared.

    Records write the outcome of chance in brackets, and the rules compare it with the true one. From a client that
    would be a question about hidden treasures and dice.
    """
    if "(" in action:
        raise Refused("chance", f"{action}: chance decides the value in brackets; send the action without it")


def _foresee(game: Game, action: str, state: State) -> tuple[list[State], list[Step]]:
    """What one action would do. Every action that a client sends is judged here, by whatever channel it came."""
    refuse_chance(action)
    try:
        return game.foresee([action], state)
    except IllegalAction as error:
        raise Refused("illegal", error.text, action=error.action or action, why=error.code) from None
    except TikalError as error:
        raise Refused("illegal", error.text, action=action, why=error.code) from None


NOT_PLAYED = Preview()
Background = Callable[[Coroutine[Any, Any, None]], object]  # starts a task that ends with the server
Make = Callable[[Game, str], tuple[list[Event], Preview]]  # what a request would do, given its client


def end_of(state: State) -> Ended:
    """How a game ended."""
    final = status(state)
    return Ended(final["scores"], [seat - 1 for seat in final["winners"]])


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
        self.moved = moved  # called after each change in this process
        self.time = time or Time()
        self.said = said  # the last line of chat that its listeners know
        self.lock = asyncio.Lock()
        self.listeners: set[Listener] = set()
        self.users = 0
        self.idle_since = now()
        self.thinking: asyncio.Task[None] | None = None
        self._stuck: tuple[int, int] | None = None  # the seq and the seat at which a bot failed
        self.game: Game | None = None
        self.entries = Log()
        self.standing = NO_EVENTS
        self.fault: str | None = None
        self._undos = 0  # undos in this turn, or since the last revelation
        self._extend(table, log)

    # From the log

    def _extend(self, table: Table, tail: Sequence[Event]) -> None:
        """Adds the current table and the rest of its log; a game that does not replay is frozen."""
        self.table = table
        if tail:
            try:
                self._replay(tail)
            except TikalError as error:
                self.game = None
                self.fault = error.code
                self.table = replace(table, state="frozen", turn=None)

    def _replay(self, tail: Sequence[Event]) -> None:
        """Replays a log. With another version of the rules, every position must be the same."""
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
        """Whether an event has led to its stored position."""
        assert self.game is not None
        stored: str = one.data["check"]
        return stored == check(self.game.state, stored)

    async def catch_up(self) -> None:
        """Reads what other processes have written, and sends it."""
        async with self.lock:
            await self.read_back()

    async def read_back(self) -> None:
        """The same for a caller that holds the lock."""
        news = await self.store.news(self.table.id, self.seq, self.said)
        if news is None or self.fault:
            return
        seq, table = self.seq, self.table
        self._extend(news.table, news.events)
        if [seat.name for seat in self.table.seats] != [seat.name for seat in table.seats]:
            await self._read_again()
        if (self.seq, self.table) != (seq, table):
            self.tell(seq)
        for line in news.lines:
            message = projection.as_json({"type": "chat", "table": self.table.id, "line": projection.line(line)})
            for listener in list(self.listeners):
                listener.tell(message)
        self.said = news.said

    async def _read_again(self) -> None:
        """Replays the whole log, because names in it have changed: a person was removed."""
        news = await self.store.news(self.table.id)
        if news is not None:
            self.game, self.entries, self.standing, self._undos = None, Log(), NO_EVENTS, 0
            self._extend(news.table, news.events)

    def _apply(self, one: Event) -> Entry:
        """Applies an event in memory, and returns its entry."""
        game = self.game
        assert game is not None
        if one.kind == "play":
            if game.seat != one.seat:
                raise Refused("frozen", f"event {one.seq} is not of the seat whose turn it is")
            game.play(one.data["action"])
        elif one.kind == "undo":
            game.undo(one.data["count"])
        return self._note(one)

    def _note(self, one: Event) -> Entry:
        """Appends the entry of an event that was just applied."""
        assert self.game is not None
        if one.kind == "play":
            facts = projection.facts_of_play(self.game)
            if not may_take_back(self.game.history[-1], self.game.state):
                self._undos = 0
        else:
            self._undos += one.kind == "undo"
            facts = {key: value for key, value in one.data.items() if key not in ("check", "units")}
        units = one.data.get("units", 1)
        self.standing = self.standing.after(one.kind, one.seat, facts, one.at)
        entry = Entry(one.seq, one.kind, one.seat, facts, one.at, one.client, units)
        self.entries.append(entry)
        return entry

    # Reading

    @property
    def seq(self) -> int:
        """The number of the last event."""
        return len(self.entries)

    @property
    def idle(self) -> bool:
        """Whether the room is unused, without viewers, and no bot runs."""
        return not (self.users or self.listeners or self.thinking or self.lock.locked())

    def update(self, person: str | None, since: int | None = None) -> projected.Update:
        """The current position for a person, with the first page of events after `since` (None: no events)."""
        start = self.seq if since is None else max(0, min(since, self.seq))
        return self._moment().update(Viewer.of(self.table, person), self.page(start))

    def page(self, since: int) -> list[Entry]:
        """The first entries after `since`: a page, or all if the next page would be very short."""
        return self.entries.since(since, PAGE if self.seq - since > PAGE + TAIL else None)

    def _moment(self) -> Moment:
        live = Live(self.stuck, self.standing, self._secret())
        return Moment.of(self.table, self.game, self.seq, self.fault, self.time.now(), live)

    def _secret(self) -> frozenset[int]:
        newest_first = (self.entries[index] for index in range(self.seq - 1, -1, -1))
        return projection.secret_events(newest_first, self.game)

    def events(self, person: str | None, since: int) -> list[Json]:
        """The first page of events after `since`, for a person."""
        eyes = None if self.game is None else Viewer.of(self.table, person).eyes(self.game)
        return projection.events(self.page(since), self._secret(), eyes)

    def replay(self, person: str | None, at: int, seat: int | None) -> projected.Replay:
        """The position after a number of actions: for the person's own seat; when the game is over, for any."""
        game, seat = self.to_replay(person, seat)
        if not 0 <= at <= len(game.history):
            raise Refused("malformed", f"at: must be from 0 to {len(game.history)}")
        return projection.replay(game, at, seat)

    def scores(self) -> projected.Scores:
        """Where the scores come from, so far."""
        return projection.scores(self.game or self.must_play())

    def to_replay(self, person: str | None, seat: int | None) -> tuple[Game, int | None]:
        """The game, and the seat that a person may replay: their own; when the game is over, any."""
        game = self.game or self.must_play()
        viewer = Viewer.of(self.table, person)
        if seat is None:
            return game, viewer.eyes(game) if not game.over else None
        check_seat(seat, game.options.players)
        if not game.over and seat not in viewer.seats:
            raise Refused("rights", "while a game runs, you may only replay it as your own seat", "rights_replay")
        return game, seat

    def to_explain(self, person: str | None, at: int | None) -> Json:
        """The view that a bot may analyse: in the person's turn if hints are allowed; any when the game is over."""
        game = self.game or self.must_play()
        if game.over:
            place = len(game.history) - 1 if at is None else at
            if not 0 <= place < len(game.history):
                raise Refused("malformed", f"at: must be from 0 to {len(game.history) - 1}")
            return self.replay(person, place, game.history[place].seat)["view"]
        if game.seat not in self.table.held_by(person):
            raise Refused("rights" if not self.table.held_by(person) else "turn", f"it is the turn of seat {game.seat}")
        if not self.table.hints:
            raise Refused("hints", "this table is played without hints")
        if at is not None:
            raise Refused("malformed", "at: only when the game is over")
        return projection.view_for(game, Viewer.of(self.table, person))

    def tell(self, since: int, fresh: Sequence[Entry] | None = None) -> None:
        """Sends every listener what has happened after `since`; viewers with equal rights get the same message.

        `fresh` are the entries after `since`, if the caller has them.
        """
        if not self.listeners:
            return
        made: dict[Viewer, bytes | None] = {}
        paged = self.seq - since > PAGE + TAIL  # more than one update holds: each listener makes page after page
        events = [] if paged else self.page(since) if fresh is None else fresh
        moment = self._moment()
        for listener in list(self.listeners):
            viewer = Viewer.of(self.table, listener.person)
            if viewer not in made:
                made[viewer] = None if paged else projection.as_json(moment.update(viewer, events))
            listener.tell_update(self.table.id, since, made[viewer])

    @property
    def stuck(self) -> int | None:
        """The seat of the bot that should play now but failed; it will run again."""
        return self._stuck[1] if self._stuck is not None and self._stuck[0] == self.seq else None

    def mark_stuck(self, seq: int, seat: int) -> bool:
        """Tells listeners that a bot failed, unless they know or the game has moved on. Returns whether it did."""
        if seq != self.seq or self.stuck == seat:
            return False
        self._stuck = (seq, seat)
        self.tell(self.seq)
        return True

    def bot_to_move(self) -> Seat | None:
        """The seat to move, if it is a bot's, or if a bot plays it because the time has run out."""
        if self.table.state != "playing" or self.table.turn is None:
            return None
        seat = self.table.seats[self.table.turn - 1]
        if self.table.bot_plays_for == seat.seat:
            return replace(seat, level=self.table.substitute)
        return seat if seat.kind == "bot" else None

    # Changing

    def must_play(self) -> Game:
        """The game, if it is running; otherwise refuses."""
        if self.table.state == "playing" and self.game is not None:
            return self.game
        texts = {
            "open": ("waiting", "the game has not started"),
            "over": ("over", "the game is over"),
            "closed": ("closed", "the table was closed"),
            "frozen": ("frozen", "this game was made with other rules and does not replay with these"),
        }
        raise Refused(*texts[self.table.state])

    def _must_be_at(self, on: int) -> Game:
        """The running game; refuses unless `on` is its last event."""
        game = self.must_play()
        if on != self.seq:
            raise Refused("stale", f"made on {on}, but the table is at {self.seq}", seq=self.seq)
        return game

    def must_hold(self, person: str) -> frozenset[int]:
        """The seats of a person; refuses a person without one."""
        seats = self.table.held_by(person)
        if not seats:
            raise Refused("rights", "you have no seat at this table", "rights_seat")
        return seats

    def own_seat(self, person: str, number: int | None) -> int:
        """The person's seat in a running game: the only one, or the named one."""
        seats = self.must_hold(person)
        self.must_play()
        if number is None and len(seats) > 1:
            known = ", ".join(map(str, sorted(seats)))
            raise Refused("seat", f"say which seat: one of {known}", "seat_which", known=known)
        number = min(seats) if number is None else number
        if number not in seats:
            raise Refused("rights", f"seat {number} is not yours", "rights_not_yours", seat=number)
        return number

    async def start(self, seats: tuple[Seat, ...]) -> bool:
        """Starts the game with these seats. False: the table has changed meanwhile, and was read again."""
        table = replace(self.table, seats=seats, state="playing")
        turn = new_game(table).seat
        at = self.time.now()
        table = clocks.started(replace(table, turn=turn, changed=at), at)
        first = Event(1, "start", None, {"seats": named(seats)}, at=at)
        try:
            await self.store.start(table, first, self.table.seats)
        except Conflict:
            await self.read_back()
            return False
        before = self.table
        self._extend(table, [first])
        self.tell(0)
        self.moved(self, before)
        return True

    async def change(self, table: Table) -> None:
        """Replaces the table in memory after it was written, and sends it."""
        self.table = table
        self.tell(self.seq)

    async def play(self, person: str | None, request: str, on: int, actions: Sequence[str]) -> Ack:
        """Plays actions, all or none, for the seat to move; a `person` of None is the bot of that seat."""

        def make(game: Game, client: str) -> tuple[list[Event], Preview]:
            preview = rehearse(game, actions, cut=person is None)
            data: list[Json] = [{"action": step.text} for step in preview.steps]
            data[0]["units"] = len(data)
            data[-1]["check"] = check(preview.states[-1])
            at = self.time.now()
            clients = [client, *[None] * len(data)]
            made = [
                Event(on + n, "play", game.seat, facts, who, at)
                for n, (facts, who) in enumerate(zip(data, clients, strict=False), 1)
            ]
            return made, preview

        if not 1 <= len(actions) <= MOST_ACTIONS:
            raise Refused("malformed", f"actions: must be 1 to {MOST_ACTIONS}")
        return await self._request(person, request, on, make)

    async def undo(self, person: str, request: str, on: int, actions: int | None) -> Ack:
        """Takes back a number of actions, all or none; with None the turn, up to the last revelation."""

        def make(game: Game, client: str) -> tuple[list[Event], Preview]:
            free = game.can_take_back()
            if not free:
                raise Refused("undo", "nothing to take back: no action since the last thing that was revealed")
            if self._undos >= MOST_UNDOS:
                raise Refused("undos", f"you have taken back {MOST_UNDOS} times in this turn; play on from here")
            count = free if actions is None else actions
            if count > free:
                why = f"only {free} actions can be taken back: before them something was revealed"
                raise Refused("undo", why, "undo_some", count=free)
            made = check(game.state_at(len(game.history) - count))
            event = Event(on + 1, "undo", game.seat, {"count": count, "check": made}, client, self.time.now())
            return [event], NOT_PLAYED

        return await self._request(person, request, on, make)

    async def _request(self, person: str | None, request: str, on: int, make: Make) -> Ack:
        """Checks permission, resend, state, seq and turn; then commits, applies and sends what `make` returns."""
        async with self.lock:
            seats = self.must_hold(person) if person is not None else NO_SEATS
            client = f"{person or 'bot'}/{request}"
            if (known := self.resent(client)) is not None:
                return known
            game = self._must_be_at(on)
            if (game.seat not in seats) if person is not None else (self.bot_to_move() is None):
                raise Refused("turn", f"it is the turn of seat {game.seat}")
            if person is not None and self.table.bot_plays_for is not None:
                raise Refused("time", "your time has run out; a bot plays this turn")
            unit, preview = make(game, client)
            return await self.commit(unit, preview=preview)

    def resent(self, client: str) -> Ack | None:
        """The answer to a repeated request."""
        entry = self.entries.find(client)
        return None if entry is None else Ack(entry.seq, entry.seq + entry.units - 1, duplicate=True)

    async def commit(
        self, unit: list[Event], seat: Seat | None = None, preview: Preview = NOT_PLAYED, ended: Ended | None = None
    ) -> Ack:
        """Writes a unit, applies it in memory, then sends it. `preview` is the result of its actions.

        `ended` is how the game ends with it, if it ends early.
        """
        before, (after, settled) = self.table, self._after(unit, seat, preview)
        try:
            if after.state == "over" and preview.states:
                ended = end_of(preview.states[-1])
            await self.store.append(after, unit, seat, settled, ended)
        except Conflict:
            await self.read_back()
            known = self.resent(unit[0].client) if unit[0].client is not None else None
            if known is not None:  # a resend, and the process that had it first is gone
                return known
            raise Refused("stale", f"another request was faster; the table is at {self.seq}", seq=self.seq) from None
        self.table = after
        self.tell(unit[0].seq - 1, self._do(unit, preview))
        self.moved(self, before)
        return Ack(unit[0].seq, unit[-1].seq)

    def _do(self, unit: list[Event], preview: Preview) -> list[Entry]:
        """Applies a unit in memory and returns its entries; actions are not checked again."""
        if unit[0].kind != "play":
            return [self._apply(one) for one in unit]
        assert self.game is not None
        entries = []
        for one, state, step in zip(unit, preview.states, preview.steps, strict=True):
            self.game.adopt([state], [step])
            entries.append(self._note(one))
        return entries

    def _after(self, unit: list[Event], seat: Seat | None, preview: Preview) -> tuple[Table, bool]:
        """The table after a unit: the seat to move, whether the game is over; and whether the unit ends an auction."""
        game = self.game
        assert game is not None
        table, settled = with_seat(self.table, seat) if seat else self.table, False
        if unit[0].kind == "play":
            last = preview.states[-1]
            turn = seat_or_none(last.seat)
            settled = game.phase == "bid" and PHASES[last.phase] != "bid"
        elif unit[-1].kind == "end":
            turn = None
        elif unit[0].kind == "undo":
            turn = seat_or_none(game.state_at(len(game.history) - unit[0].data["count"]).seat)
        else:
            turn = game.seat
        at = unit[0].at
        table = table.after(turn, "over" if turn is None else "playing", at)
        if unit[0].kind == "time":
            return clocks.timed_out(table, at), settled
        ended = any(step.parsed.kind == "end" for step in preview.steps)
        return clocks.after_unit(self.table, table, ended, at), settled

    async def substitute(self, person: str, request: str, number: int | None) -> Ack:
        """A person resigns: a bot takes the seat."""
        async with self.lock:
            client = f"{person}/{request}"
            if (known := self.resent(client)) is not None:
                return known
            number = self.own_seat(person, number)
            facts = {"to": "bot", "level": self.table.substitute}
            event = Event(self.seq + 1, "seat", number, facts, client, self.time.now())
            return await self.commit([event], self.with_bot(number))

    def with_bot(self, number: int) -> Seat:
        """A seat after the table's chosen bot has taken it."""
        old, level = self.table.seats[number - 1], self.table.substitute
        return replace(old, kind="bot", person=None, level=level, substituted=True, left_by=old.person)

    async def time_out(self) -> None:
        """If the time of the turn has run out: a bot plays the turn or takes the seat."""
        async with self.lock:
            table, at = self.table, self.time.now()
            if table.state != "playing" or table.deadline is None or table.deadline > at:
                return
            assert table.turn is not None
            assert table.clock is not None
            facts = {"to": "bot", "level": table.substitute}
            if table.clock["timeout"] == "turn":
                await self.commit([Event(self.seq + 1, "time", table.turn, facts, at=at)])
            else:
                event = Event(self.seq + 1, "seat", table.turn, facts | {"why": "time"}, at=at)
                await self.commit([event], self.with_bot(table.turn))

    def what_if(self, person: str, on: int, actions: Sequence[str]) -> Json:
        """A scratch turn: the position after these actions. It stops before anything would be revealed."""
        seats = self.must_hold(person)
        game = self._must_be_at(on)
        if game.seat not in seats:
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
            return {
                "played": played,
                "stopped": stopped,
                "seq": on,
                **projection.position(game, Viewer.of(self.table, person)),
            }
        finally:
            if played:
                game.undo(len(played))


UseRoom = Callable[[str], AbstractAsyncContextManager[Room]]
"""The room of a table while it is in use: it can't leave memory meanwhile."""

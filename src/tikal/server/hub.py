"""All tables: who may do what before and after a game, which rooms are in memory, and when bots are asked."""

from __future__ import annotations

import asyncio
import logging
import re
import secrets
from collections.abc import AsyncIterator, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from typing import Any

from tikal.bots import LEVELS
from tikal.play.chance import check_nonces, new_seed
from tikal.rules import RULES_VERSION
from tikal.rules.errors import TikalError
from tikal.rules.options import Options
from tikal.server import projection
from tikal.server.admin import Admin
from tikal.server.bids import Bids
from tikal.server.clocks import Ticker, Time
from tikal.server.config import Config
from tikal.server.errors import Refused
from tikal.server.limits import Limiter
from tikal.server.metrics import Metrics
from tikal.server.notify import Notifier
from tikal.server.passwords import Passwords
from tikal.server.presence import Presence
from tikal.server.projection import Viewer
from tikal.server.room import Room
from tikal.server.runner import Runner
from tikal.server.store import TELL, Conflict, Json, Person, Seat, Store, Table, now, with_seat
from tikal.server.thinking import FALLBACK, fallback

log = logging.getLogger("tikal.server")
NAME = re.compile(r"[^\W_](?:[\w .'’-]{0,22}[\w.])?")
KEY = re.compile(r"[A-Za-z0-9_-]{1,40}")  # of tables; nothing else is looked for
LONGEST_LINE = 500  # characters of chat


def check_name(name: str) -> str:
    """A nickname, its spaces tidied.

    >>> check_name("  Ann   B. ")
    'Ann B.'
    """
    tidy = " ".join(name.split())
    if not NAME.fullmatch(tidy):
        raise Refused("name", "name: must be 1 to 24 letters, digits, spaces, dots, hyphens or apostrophes")
    return tidy


def check_level(level: str) -> str:
    """A level that may be asked for over the net: one of ours, never a program.

    >>> check_level("program:rm")
    Traceback (most recent call last):
    tikal.server.errors.Refused: bot: must be one of tourist, digger, surveyor, professor
    """
    if level not in LEVELS:
        raise Refused("option", f"bot: must be one of {', '.join(LEVELS)}")
    return level


@dataclass(frozen=True, slots=True)
class Wish:
    """A table as somebody wants it."""

    options: Mapping[str, str]
    seats: Sequence[str]
    public: bool = True
    seating: str = "chosen"
    hints: bool = False
    substitute: str = "surveyor"
    nonce: str | None = None
    clock: Mapping[str, Any] | None = None


def seat_of(number: int, word: str, me: Person, nonce: str | None = None) -> Seat:
    """A seat from a word: me, open, bot:LEVEL, or person:NAME for somebody at the same screen.

    >>> seat_of(2, "bot:digger", Person("p", "Ann")).level
    'digger'
    """
    kind, _, rest = word.partition(":")
    if word == "open":
        return Seat(number, "open")
    if word == "me":
        return Seat(number, "person", me.id, me.name, nonce=nonce)
    if kind == "bot":
        return Seat(number, "bot", None, check_level(rest), rest)
    if kind == "person":
        return Seat(number, "person", me.id, check_name(rest))
    raise Refused("seat", f"seat {number}: must be me, open, bot:LEVEL or person:NAME")


class Hub:
    """All tables of this process."""

    def __init__(self, store: Store, runner: Runner, config: Config, time: Time) -> None:
        self.store = store
        self.runner = runner
        self.config = config
        self.time = time
        self.metrics = Metrics()
        self.admin = Admin(self)
        self.presence = Presence(store)
        self.passwords = Passwords(store, config)
        self.ticker = Ticker(self, time, config.beat_ms)
        self.bids = Bids(self)
        self.notifier = Notifier(store, self.presence, config, self.background)
        self._lines = Limiter(config.lines, config.lines_burst)
        self.rooms: dict[str, Room] = {}
        self._loading: dict[str, asyncio.Task[None]] = {}
        self._behind: set[str] = set()  # tables of which others have written
        self._tasks: set[asyncio.Task[None]] = set()
        self._closing = False

    async def open(self) -> None:
        """Starts to listen to other processes, to look for bots that wait, the clocks, and to forget idle tables."""
        self.store.when_people_change = self._people_changed
        await self.ticker.open()
        self.background(self._listen())
        self.background(self._sweep())
        self.background(self._forget())
        self.background(self.ticker.run())

    async def close(self) -> None:
        """Stops what runs in the background."""
        self._closing = True
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.notifier.close()

    def _people_changed(self) -> None:
        """Tokens, names or webhooks have changed, here or elsewhere."""
        self.notifier.forget()
        self.background(self.presence.check())

    def background(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Starts something that ends with the server."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    # Rooms

    @asynccontextmanager
    async def room(self, key: str, on: int | None = None) -> AsyncIterator[Room]:
        """A room for as long as it is used; it can't leave memory meanwhile.

        Where other processes write too it is read back first; for who says which event he has seen (`on`) only if it
        is behind that.
        """
        known = self.rooms.get(key)
        while (room := self.rooms.get(key)) is None:  # once more if it had to leave before we could use it
            await self._load(key)
        room.users += 1
        try:
            if known and self.store.shared and (on is None or on > room.seq):
                await room.catch_up()
            yield room
        finally:
            room.users -= 1
            room.idle_since = now()

    async def _load(self, key: str) -> None:
        """A room from the store; who asks for it at the same time gets the same."""
        if key not in self._loading:
            task = asyncio.create_task(self._read(key))
            self._loading[key] = task
            task.add_done_callback(lambda _: self._loading.pop(key, None))
        await asyncio.shield(self._loading[key])

    async def _read(self, key: str) -> None:
        news = await self.store.news(key) if KEY.fullmatch(key) else None
        if news is None:
            raise Refused("unknown", "there is no such table")
        table = news.table
        room = Room(self.store, table, news.events, self.time, self._moved, news.said)
        if room.table.state != table.state:
            log.error("a table was frozen: %s", room.fault)
            with suppress(Conflict):  # another process has found the same
                await self.store.set_state(key, table.state, "frozen", table.changed)
        elif table.rules != RULES_VERSION and table.state in ("playing", "over", "open"):
            await self.store.set_state(key, table.state, table.state, table.changed, RULES_VERSION)
            room.table = replace(room.table, rules=RULES_VERSION)
        self.rooms[key] = room

    async def _listen(self) -> None:
        """Has tables in memory follow what other processes write."""
        async for hint in self.store.hints():
            if hint is not None and hint.startswith(f"{TELL} "):
                self.presence.tell(*hint.split(" ", 2)[1:])
                continue
            for key in [hint] if hint is not None else [*self.rooms, *self._loading]:
                room = self.rooms.get(key)
                if room is not None and room.idle:
                    del self.rooms[key]  # whoever asks for it next reads it anew
                elif (room is not None or key in self._loading) and key not in self._behind:
                    self._behind.add(key)
                    self.background(self._follow(key))

    async def _follow(self, key: str) -> None:
        try:
            async with self.room(key, on=0) as room, room.lock:
                self._behind.discard(key)  # what is written from now on needs another look
                await room.read_back()
            self.nudge(room)
        except Exception:
            log.exception("a table could not be read back")
        finally:
            self._behind.discard(key)

    async def _forget(self) -> None:
        """Lets idle tables leave memory."""
        while True:
            await asyncio.sleep(min(10.0, self.config.idle_ms / 1000))
            self.forget(now() - self.config.idle_ms)

    def forget(self, before: int) -> None:
        """Lets tables leave memory that nobody has used since then."""
        for key in [key for key, room in self.rooms.items() if room.idle and room.idle_since <= before]:
            del self.rooms[key]

    # Before the game

    async def create(self, me: Person, wish: Wish) -> Table:
        """A new table."""
        pairs = dict(wish.options) | {"players": str(len(wish.seats))}
        try:
            options = Options.parse(pairs)
            check_nonces([wish.nonce] if wish.nonce is not None else [])
        except TikalError as error:
            raise Refused(error.code if error.code == "players" else "option", error.text) from None
        if wish.seating not in ("chosen", "random"):
            raise Refused("option", "seating: must be chosen or random")
        await self.admin.check_levels([wish.substitute, *(word.removeprefix("bot:") for word in wish.seats)])
        table = Table(
            id=secrets.token_urlsafe(16),
            owner=me.id,
            public=wish.public,
            options={"edition": options.edition, **options.pairs()},
            rules=RULES_VERSION,
            seed=new_seed(),
            seating=wish.seating,
            hints=wish.hints,
            substitute=check_level(wish.substitute),
            clock=wish.clock,
            seats=tuple(seat_of(n, word, me, wish.nonce) for n, word in enumerate(wish.seats, 1)),
        )
        if sum(word == "me" for word in wish.seats) > 1:
            raise Refused("seat", "seats: me may stand there once; others at this screen are person:NAME")
        try:
            await self.store.add_table(table, self.config.tables_each)
        except Conflict as error:
            raise Refused("limit", error.text) from None
        return table

    async def _put(self, room: Room, was: Seat, seat: Seat) -> None:
        table = replace(with_seat(room.table, seat), changed=now())
        try:
            await self.store.put_seat(table.id, was, seat, table.changed)
        except Conflict:
            await room.read_back()
            raise Refused("taken", "somebody else was quicker; look at the table again") from None
        await room.change(table)

    async def join(self, me: Person, key: str, number: int | None, nonce: str | None, name: str | None = None) -> Table:
        """Takes an open seat: the one asked for, or the first; with a name for somebody at the same screen."""
        name = None if name is None else check_name(name)
        try:
            check_nonces([nonce] if nonce is not None else [])
        except TikalError as error:
            raise Refused("option", error.text) from None
        async with self.room(key) as room, room.lock:
            _must_be_open(room.table)
            if name is None and room.table.held_by(me.id):
                raise Refused("taken", "you already sit at this table; somebody else at this screen needs a name")
            free = [seat for seat in room.table.seats if seat.kind == "open"]
            if number is not None:
                _seat_at(room.table, number)
                free = [seat for seat in free if seat.seat == number]
            if not free:
                raise Refused("taken", "no open seat is left" if number is None else f"seat {number} is not open")
            seat = replace(free[0], kind="person", person=me.id, name=name or me.name, nonce=nonce)
            await self._put(room, free[0], seat)
            return room.table

    async def leave(self, me: Person, key: str) -> Table:
        """Gives one's seats up before the start; without its owner the table is closed."""
        async with self.room(key) as room, room.lock:
            _must_be_open(room.table)
            if me.id == room.table.owner:
                table = replace(room.table, state="closed", changed=now())
                await self.store.set_state(key, "open", "closed", table.changed)
                await room.change(table)
                return room.table
            if not room.table.held_by(me.id):
                raise Refused("rights", "you have no seat at this table")
            for seat in room.table.seats:
                if seat.person == me.id:
                    await self._put(room, seat, Seat(seat.seat, "open"))
            return room.table

    async def put_seat(self, me: Person, key: str, number: int, word: str) -> Table:
        """The owner decides who sits there: me, open, a bot, somebody at the same screen."""
        async with self.room(key) as room, room.lock:
            _must_own(room.table, me)
            _must_be_open(room.table)
            was = _seat_at(room.table, number)
            await self.admin.check_levels([word.removeprefix("bot:")])
            seat = seat_of(number, word, me)
            if word == "me" and room.table.held_by(me.id) - {number}:
                raise Refused("seat", "you already sit at this table; others at this screen are person:NAME")
            await self._put(room, was, seat)
            return room.table

    async def start(self, me: Person, key: str) -> Table:
        """The owner starts the game."""
        async with self.room(key) as room:
            async with room.lock:
                _must_own(room.table, me)
                _must_be_open(room.table)
                if any(seat.kind == "open" for seat in room.table.seats):
                    raise Refused("seats", "seats are still open; fill them with people or bots")
                await room.start(_seated(room.table))
            self.nudge(room)
            return room.table

    async def rematch(self, me: Person, key: str) -> Table:
        """The same again: who asks first makes the table, the others join it."""
        async with self.room(key) as room, room.lock:
            old = room.table
            mine = old.held_by(me.id)
            if not mine:
                raise Refused("rights", "you had no seat at this table")
            if old.state != "over":
                raise Refused("running", "the game is not over")
            if not await self._still_meets(old.rematch):
                wish = Wish(
                    {name: value for name, value in old.options.items() if name != "players"},
                    _words_for_rematch(old, me),
                    old.public,
                    old.seating,
                    old.hints,
                    old.substitute,
                    clock=old.clock,
                )
                new = await self.create(me, wish)
                kept = await self.store.set_rematch(key, new.id, old.rematch)
                await room.change(replace(old, rematch=kept))
                if kept == new.id:
                    return new
                await self.store.set_state(new.id, "open", "closed", now())  # another process was quicker
                old = room.table
        assert old.rematch is not None
        async with self.room(old.rematch) as other:
            table = other.table
        return table if table.held_by(me.id) else await self._join_rematch(me, old, table)

    async def _still_meets(self, rematch: str | None) -> bool:
        """Whether there is a table of the rematch, and nobody has closed it."""
        table = None if rematch is None else await self.store.table(rematch)
        return table is not None and table.state != "closed"

    async def _join_rematch(self, me: Person, old: Table, new: Table) -> Table:
        """Takes the seats that one had, with those at the same screen; where they are open, else any for oneself."""
        first = _own_seat(old, me)
        table = await self.join(me, new.id, first if new.seats[first - 1].kind == "open" else None, None)
        for number in sorted(old.held_by(me.id) - {first}):
            if table.seats[number - 1].kind == "open":
                table = await self.join(me, new.id, number, None, old.seats[number - 1].name)
        return table

    # The game

    def nudge(self, room: Room) -> None:
        """Lets a bot think if it is its turn and none thinks yet."""
        if room.thinking is None and room.bot_to_move() is not None and not self._closing:
            room.thinking = self.background(self._bots(room))

    def _moved(self, room: Room, before: Table) -> None:
        """After a change that was made here: minds the deadline, bids for who has said how far to go, and tells."""
        self.ticker.hear(room.table.deadline)
        self.bids.nudge(room)
        self.notifier.turn(before, room.table)

    async def _sweep(self) -> None:
        """Now and then wakes bots whose turn it is and for whom nobody thinks: a process that did so has died."""
        while True:
            try:
                for key in await self.store.waiting_for_bots():
                    if key not in self.rooms or self.rooms[key].thinking is None:
                        await self._wake(key)
            except Exception:
                log.exception("bots that wait could not be looked for")
            await asyncio.sleep(self.config.sweep_ms / 1000)

    async def _wake(self, key: str) -> None:
        """Lets a bot think, or bids for somebody, if no other process does."""
        try:
            async with self.store.claim(_bots_of(key)) as mine:
                if mine:
                    async with self.room(key) as room:
                        self.nudge(room)
                        self.bids.nudge(room)
        except Exception:  # other tables must not wait for this one
            log.exception("a table could not be woken")

    async def _bots(self, room: Room) -> None:
        """Plays for bots as long as it is the turn of one and no other process does; a late answer loses harmlessly."""
        mine = False
        try:
            async with self.store.claim(_bots_of(room.table.id)) as mine:
                while mine and (seat := room.bot_to_move()) is not None:
                    await self._move(room, seat)
        except Exception:
            log.exception("a bot could not move")
            mine = False  # the next sweep tries again
        finally:
            room.thinking = None
        if mine:
            self.nudge(room)  # somebody may have moved while the claim was given back

    async def _move(self, room: Room, seat: Seat) -> None:
        on, view = room.seq, _bot_view(room, seat)
        settings = await self.admin.settings()
        self.runner.cap(settings.bot_workers, settings.bot_ms)
        with self.metrics.thinking.time():
            plan = await self.runner.plan(seat.level or FALLBACK, view)
        try:
            await self._answer(room, seat, on, plan, view)
            self.metrics.by_bots.inc(room.seq - on)
        except Refused as error:
            if error.code not in ("stale", "closed"):
                raise

    async def _answer(self, room: Room, seat: Seat, on: int, plan: list[str], view: Json) -> None:
        """A bot's plan through the door; what is illegal in it is answered by a simple bot."""
        try:
            await room.play(None, f"{seat.seat}/{on}", on, plan)
        except Refused as error:
            if error.code not in ("illegal", "malformed"):
                raise
            log.error("a bot of level %s played what is illegal: %s", seat.level, error.text)
            await room.play(None, f"{seat.seat}/{on}", on, fallback(view, on))

    async def play(self, me: Person, key: str, request: str, on: int, actions: Sequence[str]) -> Json:
        """Plays actions, all or none."""
        with self.metrics.ack.time():
            async with self.room(key, on) as room:
                ack = await room.play(me.id, request, on, actions)
                self.nudge(room)
        self.metrics.by_people.inc(0 if ack.duplicate else len(actions))
        return ack.as_json()

    async def undo(self, me: Person, key: str, request: str, on: int, all_of_it: bool) -> Json:
        """Takes back one action, or the turn up to the last barrier."""
        async with self.room(key, on) as room:
            return (await room.undo(me.id, request, on, all_of_it)).as_json()

    async def resign(self, me: Person, key: str, request: str, number: int | None) -> Json:
        """A bot takes the seat."""
        async with self.room(key) as room:
            ack = await room.substitute(me.id, request, number)
            self.nudge(room)
            return ack.as_json()

    async def time_out(self, key: str) -> None:
        """The time of a turn has run out: a bot plays it, or takes the seat. Who was quicker is not bothered."""
        async with self.room(key) as room:
            try:
                await room.time_out()
            except Refused as error:
                if error.code != "stale":
                    raise
            self.nudge(room)

    async def read_deadlines(self) -> None:
        """Reads the deadlines of the tables in memory again."""
        for room in list(self.rooms.values()):
            if room.table.deadline is not None:
                async with room.lock:
                    await room.read_back()

    async def record(self, key: str) -> str:
        """The record of a game, as everybody may see it: with the seed when it is over."""
        async with self.room(key) as room:
            if room.game is None:
                room.must_play()
            assert room.game is not None
            return room.game.record([_player(seat) for seat in room.table.seats])

    async def note_hint(self, room: Room) -> None:
        """Somebody asks for a hint in a game that runs: from then on it is not rated."""
        if room.table.state == "playing" and not room.table.hinted:
            await self.store.set_hinted(room.table.id)
            await room.change(replace(room.table, hinted=True))

    # Chat

    async def say(self, me: Person, key: str, text: str) -> Json:
        """A line of chat: who sits at the table or owns it may speak."""
        async with self.room(key) as room:
            viewer = Viewer.of(room.table, me.id)
            if not viewer.seats and not viewer.owner:
                raise Refused("rights", "only those at the table may speak")
            tidy = "".join(c if c.isprintable() else " " for c in text).strip()
            if not 1 <= len(tidy) <= LONGEST_LINE:
                raise Refused("malformed", f"text: must be 1 to {LONGEST_LINE} characters")
            if not self._lines.allows(me.id):
                raise Refused("rate", "you speak too much; wait a little")
            line = await self.store.say(key, me, tidy)
            await room.catch_up()
            return projection.line(line)


def _must_be_open(table: Table) -> None:
    if table.state == "closed":
        raise Refused("closed", "the table was closed")
    if table.state != "open":
        raise Refused("started", "the game has started")


def _must_own(table: Table, me: Person) -> None:
    if table.owner != me.id:
        raise Refused("rights", "only who made the table may do this")


def _seat_at(table: Table, number: int) -> Seat:
    if not 1 <= number <= len(table.seats):
        raise Refused("seat", f"seat: must be from 1 to {len(table.seats)}")
    return table.seats[number - 1]


def _seated(table: Table) -> tuple[Seat, ...]:
    """The seats at the start: as chosen, or drawn."""
    order = list(table.seats)
    if table.seating == "random":
        secrets.SystemRandom().shuffle(order)
    return tuple(replace(seat, seat=number) for number, seat in enumerate(order, 1))


def _own_seat(table: Table, me: Person) -> int:
    """Of the seats of one screen the one where its owner sits."""
    mine = sorted(table.held_by(me.id))
    return next((number for number in mine if table.seats[number - 1].name == me.name), mine[0])


def _words_for_rematch(old: Table, me: Person) -> list[str]:
    """The seats of a rematch: mine as they were, bots as they were, the others open (also where one had resigned)."""
    words = []
    mine, own = old.held_by(me.id), _own_seat(old, me)
    for seat in old.seats:
        if seat.seat in mine:
            words.append("me" if seat.seat == own else f"person:{seat.name}")
        else:
            words.append(f"bot:{seat.level}" if seat.kind == "bot" and not seat.substituted else "open")
    return words


def _bots_of(key: str) -> str:
    """What a process claims while it thinks for the bots of a table."""
    return f"bots of {key}"


def _bot_view(room: Room, seat: Seat) -> Json:
    """What a bot gets: the same projection as anybody."""
    game = room.must_play()
    view: Json = projection.position(game, Viewer(frozenset({seat.seat})))["view"]
    return view


def _player(seat: Seat) -> str:
    return f"bot:{seat.level}" if seat.kind == "bot" else seat.name

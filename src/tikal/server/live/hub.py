"""All tables: permissions before and after a game, the rooms in memory, and when bots run."""

from __future__ import annotations

import asyncio
import logging
import re
import secrets
from collections.abc import Coroutine, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy.exc import SQLAlchemyError

from tikal.play.chance import check_nonces, new_seed
from tikal.play.view import Json
from tikal.rules import RULES_VERSION
from tikal.rules.errors import TikalError
from tikal.rules.options import Options
from tikal.server.accounts.names import INVISIBLE, check_name, skeleton
from tikal.server.accounts.passwords import Passwords
from tikal.server.accounts.tokens import digest
from tikal.server.bots.fair import Asker, Rank
from tikal.server.bots.pool import Runner
from tikal.server.bots.worker import CannotThink
from tikal.server.config import Config
from tikal.server.database.people import STUCK, TELL
from tikal.server.database.rows import Conflict, Person, Seat, Table, now, with_seat
from tikal.server.database.schema import PATIENCE_H
from tikal.server.database.settings import SettingsStore
from tikal.server.database.statistics import is_rated
from tikal.server.database.store import Store
from tikal.server.errors import Refused, about, check_seat, refused
from tikal.server.limits import Limiter
from tikal.server.live import endings, projected, projection
from tikal.server.live.bids import Bids
from tikal.server.live.clocks import Ticker, Time
from tikal.server.live.metrics import Metrics
from tikal.server.live.notify import Notifier
from tikal.server.live.practice import Practice
from tikal.server.live.presence import Presence
from tikal.server.live.projection import Viewer
from tikal.server.live.room import Room
from tikal.server.live.seats import check_level, own_seat, seat_of, seats_of, word_of, words_for_rematch

log = logging.getLogger("tikal.server")
KEY = re.compile(r"[A-Za-z0-9_-]{1,40}")  # the form of table ids; other ids are not looked up
LAST_CALLS_S = 3.0  # time for waiting webhooks when the server stops
LONGEST_LINE = 500  # characters in a line of chat
HEALTH_MS = 3000  # how long the database's health is cached
HEALTH_WAIT_S = 3.0  # a database that takes longer does not work; monitors do not wait much longer
EXPIRE_S = 600.0  # how often to look for tables that have waited too long


def _check_nonce(nonce: str | None) -> None:
    try:
        check_nonces([nonce] if nonce is not None else [])
    except TikalError as error:
        raise refused("option", error) from None


@dataclass(frozen=True, slots=True)
class TableSettings:
    """The settings of a table to create."""

    options: Mapping[str, str]
    seats: Sequence[str]
    public: bool = True
    seating: str = "chosen"
    hints: bool = False
    substitute: str | None = None  # None: the server's choice
    nonce: str | None = None
    clock: Mapping[str, Any] | None = None
    patience_h: int = PATIENCE_H


class RoomInUse:
    """A room in an `async with`, see `Hub.room`. Every action needs one, and a generator would take longer."""

    __slots__ = ("_hub", "_key", "_on", "_room")

    def __init__(self, hub: Hub, key: str, on: int | None) -> None:
        self._hub = hub
        self._key = key
        self._on = on
        self._room: Room | None = None

    async def __aenter__(self) -> Room:
        hub, key, on = self._hub, self._key, self._on
        known = hub.rooms.get(key)
        while (room := hub.rooms.get(key)) is None:  # again if the room left memory before we could use it
            await hub.load(key)
        room.users += 1
        self._room = room
        if known and hub.store.shared and (on is None or on > room.seq):
            try:
                await room.catch_up()
            except BaseException:
                self._leave()
                raise
        return room

    async def __aexit__(self, *_: object) -> None:
        self._leave()

    def _leave(self) -> None:
        assert self._room is not None
        self._room.users -= 1
        self._room.idle_since = now()


class Hub:
    """All tables of this process."""

    def __init__(self, store: Store, runner: Runner, config: Config, time: Time) -> None:
        self.store = store
        self.runner = runner
        self.config = config
        self.time = time
        self.metrics = Metrics()
        self.settings = SettingsStore(store)
        self.presence = Presence(store)
        self.passwords = Passwords(store, config)
        self.ticker = Ticker(store, time, config.beat_ms, self.time_out, self.read_deadlines)
        self.bids = Bids(store, self.room, self.nudge, self.background)
        self.practice = Practice(store, self.settings, config, self.room, self.nudge, self.remove)
        self.notifier = Notifier(store, self.presence, config, self.background)
        self._lines = Limiter(config.lines, config.lines_burst)
        self.rooms: dict[str, Room] = {}
        self._loading: dict[str, asyncio.Task[None]] = {}
        self._behind: set[str] = set()  # tables that other processes have changed
        self._tasks: set[asyncio.Task[None]] = set()
        self._works = (True, 0)  # whether the database works, and until when that is cached
        self._closing = False

    async def open(self) -> None:
        """Starts the background tasks: hints from other processes, waiting bots, clocks, idle tables."""
        self.store.when_people_change = self._people_changed
        await self.ticker.open()
        self.background(self._listen())
        self.background(self._sweep())
        self.background(self._forget())
        self.background(self.practice.tidy())
        self.background(self._expire())
        self.background(self.ticker.run())
        self.background(self.notifier.resume())

    async def close(self) -> None:
        """Stops the background tasks."""
        self._closing = True
        await self.notifier.finish(LAST_CALLS_S)
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.notifier.close()

    def _people_changed(self, person: str | None) -> None:
        """Drops what is cached of a person (None: of all): tokens, name or webhook have changed, here or elsewhere."""
        self.notifier.forget(person)
        self.background(self.presence.check(person))

    def background(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Starts a task that ends with the server."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[None]) -> None:
        """Forgets a background task; an error that it did not expect is logged, once."""
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("a background task failed: %s", type(error).__name__, exc_info=error)

    # Rooms

    def room(self, key: str, on: int | None = None) -> RoomInUse:
        """A room while it is in use; it can't leave memory meanwhile.

        Where other processes write too, the room is read back first. If the caller passes the last seq it has seen
        (`on`), that happens only if the room is behind it.
        """
        return RoomInUse(self, key, on)

    async def load(self, key: str) -> None:
        """Loads a room from the store; concurrent callers share it."""
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
            with suppress(Conflict):  # another process has already frozen it
                await self.store.set_state(key, table.state, "frozen", table.changed)
        elif table.rules != RULES_VERSION and table.state in ("playing", "over", "open"):
            with suppress(Conflict):  # another process has continued the game with these rules already
                await self.store.set_state(key, table.state, table.state, table.changed, RULES_VERSION)
            room.table = replace(room.table, rules=RULES_VERSION)
        self.rooms[key] = room

    async def _listen(self) -> None:
        """Keeps tables in memory up to date with the writes of other processes."""
        async for hint in self.store.hints():
            if hint is not None and hint.startswith(f"{TELL} "):
                person, message = hint.split(" ", 2)[1:]
                self.presence.tell(person, message.encode())
                continue
            if hint is not None and hint.startswith(f"{STUCK} "):
                key, on, seat = hint.split(" ")[1:]
                if key in self.rooms:
                    self.rooms[key].mark_stuck(int(on), int(seat))
                continue
            for key in [hint] if hint is not None else [*self.rooms, *self._loading]:
                room = self.rooms.get(key)
                if room is not None and room.idle:
                    del self.rooms[key]  # the next caller loads it again
                elif (room is not None or key in self._loading) and key not in self._behind:
                    self._behind.add(key)
                    self.background(self._follow(key))

    async def _follow(self, key: str) -> None:
        try:
            async with self.room(key, on=0) as room, room.lock:
                self._behind.discard(key)  # later writes need another look
                await room.read_back()
            self.nudge(room)
        except Exception:
            log.exception("a table could not be read back")
        finally:
            self._behind.discard(key)

    async def database_works(self) -> bool:
        """Whether the database can be read and written; cached for a moment."""
        works, until = self._works
        if self.time.now() < until:
            return works
        try:
            async with asyncio.timeout(HEALTH_WAIT_S):
                await self.store.table("")
                await self.store.check_writable()
            works = self.store.has_room()
            if not works:
                log.error("the disk is full")
        except (SQLAlchemyError, TimeoutError) as error:
            log.error("the database can't be written: %s", type(error).__name__)
            works = False
        self._works = works, self.time.now() + HEALTH_MS
        return works

    async def _forget(self) -> None:
        """Removes idle tables from memory."""
        while True:
            await asyncio.sleep(min(10.0, self.config.idle_ms / 1000))
            self.forget(now() - self.config.idle_ms)

    def forget(self, before: int) -> None:
        """Removes tables from memory that have not been used since then."""
        for key in [key for key, room in self.rooms.items() if room.idle and room.idle_since <= before]:
            del self.rooms[key]

    async def _expire(self) -> None:
        """Closes tables that have waited too long for players, at intervals."""
        while True:
            try:
                await self.expire(now())
            except Exception:
                log.exception("old tables could not be closed")
            await asyncio.sleep(EXPIRE_S)

    async def expire(self, at: int) -> None:
        """Closes tables that have waited too long for players, and removes expired tokens."""
        await self.store.remove_expired()
        for key in await self.store.old_open_tables(at - self.config.open_ms, at - self.config.private_open_ms):
            with suppress(Refused, Conflict):  # it has just changed
                async with self.room(key) as room, room.lock:
                    await self._close(room)

    # Before the game

    async def create(self, me: Person, wanted: TableSettings) -> Table:
        """Creates a table."""
        options = self._options_of(wanted)
        with about("nonce"):
            _check_nonce(wanted.nonce)
        if wanted.seating not in ("chosen", "random"):
            why, known = "seating: must be chosen or random", "chosen, random"
            with about("seating"):
                raise Refused("option", why, "option_value", option="seating", value=wanted.seating, known=known)
        with about("substitute"):
            substitute = check_level(wanted.substitute or await self.settings.substitute())
            await self.settings.check_levels([wanted.substitute or ""])
        with about("seats"):
            seats = await seats_of(self.settings, me, wanted.seats, wanted.nonce)
        table = Table(
            id=secrets.token_urlsafe(16),
            owner=me.id,
            public=wanted.public,
            options={"edition": options.edition, **options.pairs()},
            rules=RULES_VERSION,
            seed=new_seed(),
            seating=wanted.seating,
            hints=wanted.hints,
            substitute=substitute,
            clock=wanted.clock,
            patience_h=wanted.patience_h,
            seats=seats,
        )
        if wanted.public:
            await self._check_lobby(me)
        try:
            await self.store.add_table(table, self.config.tables_each, self.config.open_each)
        except Conflict as error:
            raise refused("limit", error) from None
        return table

    async def _check_lobby(self, me: Person) -> None:
        """Refuses more public tables than one address may have in the lobby, however many people it has."""
        here, most = self.presence.address(me.id), self.config.open_address
        owners = await self.store.owners_of_open()
        if sum(self.presence.address(owner) == here for owner in owners) >= most:
            told = f"{most} public tables from your network wait for players; join one of them, or make yours private"
            raise Refused("limit", told, "limit_open_address", most=most)

    @staticmethod
    def _options_of(wanted: TableSettings) -> Options:
        try:
            return Options.parse(dict(wanted.options) | {"players": str(len(wanted.seats))})
        except TikalError as error:
            players = error.code == "players"
            code, field = ("players", "seats") if players else ("option", "options")
            raise refused(code, error, field=field) from None

    async def remove(self, key: str) -> None:
        """Removes a table with its log and chat. Its viewers get a message that it is closed."""
        async with self.room(key) as room, room.lock:
            if room.table.state != "closed":
                closed = replace(room.table, state="closed", turn=None, deadline=None, changed=now())
                await self.store.set_state(key, room.table.state, "closed", closed.changed)
                await room.change(closed)
        await self.store.remove_table(key)
        self.rooms.pop(key, None)

    async def _put(self, room: Room, *seats: Seat) -> None:
        """Changes seats before the start, all or none."""
        table, changes = replace(room.table, changed=now()), []
        for seat in seats:
            changes.append((table.seats[seat.seat - 1], seat))
            table = with_seat(table, seat)
        try:
            await self.store.put_seats(table.id, changes, table.changed)
        except Conflict:
            await room.read_back()
            _must_be_open(room.table)
            raise Refused("taken", "another request was faster; look at the table again", "seat_changed") from None
        await room.change(table)

    async def _close(self, room: Room) -> None:
        """Closes a table before the start."""
        table = replace(room.table, state="closed", changed=now())
        try:
            await self.store.set_state(table.id, "open", "closed", table.changed)
        except Conflict:
            await room.read_back()
            _must_be_open(room.table)
            raise
        await room.change(table)

    async def join(self, me: Person, key: str, number: int | None, nonce: str | None, name: str | None = None) -> Table:
        """Takes an open seat: the one asked for, or the first; with a name for a person at the same screen."""
        name = None if name is None else check_name(name)
        with about("nonce"):
            _check_nonce(nonce)
        async with self.room(key) as room, room.lock:
            _must_be_open(room.table)
            if name is None and room.table.held_by(me.id):
                why = "you already sit at this table; another person at this screen needs a name"
                raise Refused("taken", why, "seat_yours")
            free = [seat for seat in room.table.seats if seat.kind == "open"]
            if number is not None:
                _seat_at(room.table, number)
                free = [seat for seat in free if seat.seat == number]
            if not free:
                if number is None:
                    raise Refused("taken", "no open seat is left", "seats_full")
                raise Refused("taken", f"seat {number} is not open", "seat_not_open", seat=number)
            seat = replace(free[0], kind="person", person=me.id, name=name or me.name, nonce=nonce)
            await self._put(room, seat)
            return room.table

    async def leave(self, me: Person, key: str) -> Table:
        """Gives up the caller's seats before the start; without its owner the table is closed."""
        async with self.room(key) as room, room.lock:
            _must_be_open(room.table)
            if me.id == room.table.owner:
                await self._close(room)
            else:
                await self._put(room, *(Seat(number, "open") for number in sorted(room.must_hold(me.id))))
            return room.table

    async def put_seat(self, me: Person, key: str, number: int, word: str, was: str | None = None) -> Table:
        """Lets the owner assign a seat: me, open, a bot, or a person at the same screen. `was` is what they saw there.

        A person may have joined since the owner looked, so nobody else is replaced without it.
        """
        async with self.room(key) as room, room.lock:
            _must_own(room.table, me)
            _must_be_open(room.table)
            _must_still_be(_seat_at(room.table, number), was, me)
            seat = await seat_of(self.settings, number, word, me)
            if word == "me" and room.table.held_by(me.id) - {number}:
                why = "you already sit at this table; others at this screen are person:NAME"
                raise Refused("seat", why, "seat_yours")
            await self._put(room, seat)
            return room.table

    async def start(self, me: Person, key: str) -> Table:
        """Starts the game; only the owner can."""
        async with self.room(key) as room:
            async with room.lock:
                started = False
                while not started:  # the checks run again if another request came in between
                    _must_own(room.table, me)
                    _must_be_open(room.table)
                    if any(seat.kind == "open" for seat in room.table.seats):
                        raise Refused("seats", "seats are still open; fill them with people or bots")
                    started = await room.start(_seated(room.table))
            self.nudge(room)
            return room.table

    async def rematch(self, me: Person, key: str) -> Table:
        """A rematch: the first request creates the table, later ones join it."""
        async with self.room(key) as room, room.lock:
            old = room.table
            mine = old.held_by(me.id)
            if not mine:
                raise Refused("rights", "you had no seat at this table", "rights_seat")
            if old.practice is not None:
                raise Refused("rights", "a practice table has no rematch; make another one", "rights_rematch")
            if old.state != "over":
                raise Refused("running", "the game is not over")
            if not await self._still_meets(old.rematch):
                wanted = TableSettings(
                    {name: value for name, value in old.options.items() if name != "players"},
                    words_for_rematch(old, me),
                    old.public,
                    old.seating,
                    old.hints,
                    old.substitute if old.substitute in (await self.settings.get()).levels else None,
                    clock=old.clock,
                    patience_h=old.patience_h,
                )
                new = await self.create(me, wanted)
                kept = await self.store.set_rematch(key, new.id, old.rematch)
                await room.change(replace(room.table, rematch=kept))
                if kept == new.id:
                    return new
                await self.store.set_state(new.id, "open", "closed", now())  # another process was faster
                old = room.table
        assert old.rematch is not None
        async with self.room(old.rematch) as other:
            table = other.table
        return table if table.held_by(me.id) else await self._join_rematch(me, old, table)

    async def _still_meets(self, rematch: str | None) -> bool:
        """Whether the table of the rematch exists and is not closed."""
        table = None if rematch is None else await self.store.table(rematch)
        return table is not None and table.state != "closed"

    async def _join_rematch(self, me: Person, old: Table, new: Table) -> Table:
        """Takes the person's former seats, with those at the same screen, if they are open; else any open seat."""
        first = own_seat(old, me)
        table = await self.join(me, new.id, first if new.seats[first - 1].kind == "open" else None, None)
        for number in sorted(old.held_by(me.id) - {first}):
            if table.seats[number - 1].kind == "open":
                table = await self.join(me, new.id, number, None, old.seats[number - 1].name)
        return table

    # The game

    def nudge(self, room: Room) -> None:
        """Starts the bot whose turn it is, unless it is running."""
        if room.thinking is None and room.bot_to_move() is not None and not self._closing:
            room.thinking = self.background(self._bots(room))

    def _moved(self, room: Room, before: Table) -> None:
        """After a change in this process: schedules the deadline, bids for people with a limit, and notifies."""
        self.ticker.hear(room.table.deadline)
        self.bids.nudge(room)
        self.notifier.turn(before, room.table)

    async def _sweep(self) -> None:
        """At intervals, starts bots that no process runs: the process that did may have died."""
        while True:
            try:
                self.runner.heal()
                if self.runner.failing and not any(room.stuck for room in self.rooms.values()):
                    await self.runner.probe()
                for key in await self.store.waiting_for_bots():
                    if key not in self.rooms or self.rooms[key].thinking is None:
                        await self._wake(key)
            except Exception:
                log.exception("waiting bots could not be found")
            await asyncio.sleep(self.config.sweep_ms / 1000)

    async def _wake(self, key: str) -> None:
        """Starts a bot, or bids for a person, if no other process does."""
        try:
            async with self.store.claim(_bots_of(key)) as mine:
                if mine:
                    async with self.room(key) as room:
                        self.nudge(room)
                        self.bids.nudge(room)
        except Exception:  # other tables must not wait for this one
            log.exception("a table could not be woken")

    async def _bots(self, room: Room) -> None:
        """Plays for bots while it is their turn and no other process does; a late answer does no harm."""
        mine = False
        try:
            async with self.store.claim(_bots_of(room.table.id)) as mine:
                failed = 0
                while mine and (seat := room.bot_to_move()) is not None:
                    failed = 0 if await self._move(room, seat) else failed + 1
                    if failed:
                        await asyncio.sleep(self._pause_s(failed))
        except Exception:
            log.exception("a bot could not move")
            mine = False  # the next sweep tries again
        finally:
            room.thinking = None
        if mine:
            self.nudge(room)  # a player may have moved while the claim was released

    def _pause_s(self, failed: int) -> float:
        """How long a bot pauses after so many failures in a row."""
        return min(self.config.bot_retry_ms << min(failed - 1, 20), self.config.bot_retry_most_ms) / 1000

    async def _move(self, room: Room, seat: Seat) -> bool:
        """Plays for a bot. Returns whether it could run; if not, the table shows it."""
        on, view = room.seq, _bot_view(room, seat)
        settings = await self.settings.get()
        self.runner.cap(settings.bot_workers, settings.bot_ms)
        try:
            with self.metrics.thinking.time():
                plan = await self.runner.plan(seat.level or room.table.substitute, view, self._asker(room.table))
            await room.play(None, f"{seat.seat}/{on}", on, plan)
            self.metrics.by_bots.inc(room.seq - on)
        except CannotThink:
            return await self._stuck(room, on, seat)
        except Refused as error:
            if error.code in ("illegal", "malformed"):
                log.error("a bot of level %s played an illegal action: %s", seat.level, error.text)
                return await self._stuck(room, on, seat)
            if error.code not in ("stale", "closed"):
                raise
        return True

    async def _stuck(self, room: Room, on: int, seat: Seat) -> bool:
        """Shows that a bot can't run, here and in other processes."""
        if room.mark_stuck(on, seat.seat):
            await self.store.tell_stuck(room.table.id, on, seat.seat)
        return False

    def _asker(self, table: Table) -> Asker:
        """The person that a table's bots run for: its owner, at their last known address."""
        rank = Rank.LIVE
        if all(seat.kind == "bot" for seat in table.seats):
            rank = Rank.BOTS
        elif table.clock is not None and table.clock["kind"] == "daily":
            rank = Rank.DAILY
        return Asker(rank, table.owner, self.presence.address(table.owner))

    async def play(self, me: Person, key: str, request: str, on: int, actions: Sequence[str]) -> Json:
        """Plays actions, all or none."""
        with self.metrics.ack.time():
            async with self.room(key, on) as room:
                ack = await room.play(me.id, request, on, actions)
                self.nudge(room)
        self.metrics.by_people.inc(0 if ack.duplicate else len(actions))
        return ack.as_json()

    async def undo(self, me: Person, key: str, request: str, on: int, actions: int | None) -> Json:
        """Takes back a number of actions; with None the turn, up to the last revelation."""
        async with self.room(key, on) as room:
            return (await room.undo(me.id, request, on, actions)).as_json()

    async def resign(self, me: Person, key: str, request: str, number: int | None) -> Json:
        """Resigns: a bot takes the seat."""
        async with self.room(key) as room:
            ack = await room.substitute(me.id, request, number)
            self.nudge(room)
            return ack.as_json()

    async def absent(self, me: Person, key: str, request: str, do: str) -> Json:
        """Acts on an absent player: a bot plays on, or the game is won."""
        async with self.room(key) as room:
            act = endings.replace_absent if do == "bot" else endings.claim_win
            ack = await act(room, me.id, request)
            self.nudge(room)
            return ack.as_json()

    async def vote(self, me: Person, key: str, request: str, end: bool) -> Json:
        """Votes for or against ending the game."""
        async with self.room(key) as room:
            return (await endings.vote(room, me.id, request, end)).as_json()

    async def seat_link(self, key: str, number: int, token: str, expires: int, owner: Person | None) -> None:
        """Lets the holder of a token take over the seat of a lost guest; an `owner` of None is the administrator."""
        async with self.room(key) as room:
            if owner is not None:
                _must_own(room.table, owner)
            room.must_play()
            lost = await self._lost_person(room, number)
            await self.store.add_token(_of_seat(token, key, number), lost, "seat", expires)

    async def take_seat(self, me: Person, key: str, number: int, token: str) -> Table:
        """Takes over the seat of a lost guest, with a link."""
        async with self.room(key) as room, room.lock:
            room.must_play()
            person = _seat_at(room.table, number).person
            link = _of_seat(token, key, number)
            if person is None or not await self.store.has_token(link, person, "seat"):
                raise Refused("identity", "this link was used already, or has expired")
            if is_rated(room.table) and room.table.held_by(me.id):  # or a player could make a lost game unrated
                raise Refused("taken", "you already sit at this table, and its game is rated", "seat_yours_rated")
            await endings.take_seat(room, me, room.table.seats[number - 1])
            await self.store.revoke(person, only=link)
            return room.table

    async def _lost_person(self, room: Room, number: int) -> str:
        """The guest of a seat, if they have lost their session."""
        person = _seat_at(room.table, number).person
        if person is None or not await self.store.is_lost(person):
            why = f"seat {number}: only the seat of a guest who has lost their session is handed over"
            raise Refused("seat", why, "seat_not_lost", seat=number)
        return person

    async def time_out(self, key: str) -> None:
        """The time of a turn has run out: a bot plays it, or takes the seat. A player who moved in time keeps it."""
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
        """The record of a game as everybody may see it: with the seed when it is over."""
        async with self.room(key) as room:
            if room.game is None:
                room.must_play()
            assert room.game is not None
            return room.game.record([_player(seat) for seat in room.table.seats])

    async def note_hint(self, room: Room) -> None:
        """Notes that a player has asked for a hint in a running game; everybody at the table can see it."""
        if room.table.state == "playing" and not room.table.hinted:
            await self.store.set_hinted(room.table.id)
            await room.change(replace(room.table, hinted=True))

    # Chat

    async def say(self, me: Person, key: str, text: str) -> projected.ChatLine:
        """Adds a line of chat; players and the owner may speak."""
        async with self.room(key) as room:
            viewer = Viewer.of(room.table, me.id)
            if not viewer.seats and not viewer.owner:
                raise Refused("rights", "only people at the table can chat", "rights_speak")
            tidy = "".join(c if c.isprintable() and not INVISIBLE.match(c) else " " for c in text).strip()
            if not 1 <= len(tidy) <= LONGEST_LINE:
                raise Refused("malformed", f"text: must be 1 to {LONGEST_LINE} characters")
            if not self._lines.allows(me.id):
                raise Refused("rate", "too many lines of chat; wait a little")
            seat = own_seat(room.table, me) if viewer.seats else None
            if seat is None and skeleton(me.name) in [skeleton(player.name) for player in room.table.seats]:
                why = "your name looks like that of a player; change it before you speak"
                raise Refused("rights", why, "rights_name")
            name = me.name if seat is None else room.table.seats[seat - 1].name
            line = await self.store.say(key, me.id, seat, name, tidy)
            await room.catch_up()
            return projection.line(line)


def _must_be_open(table: Table) -> None:
    if table.state == "closed":
        raise Refused("closed", "the table was closed")
    if table.state != "open":
        raise Refused("started", "the game has started")


def _of_seat(token: str, key: str, number: int) -> str:
    """The hash of a link to a seat: the token is worth nothing for another seat."""
    return digest(f"{token} {key} {number}")


def _must_own(table: Table, me: Person) -> None:
    if table.owner != me.id:
        raise Refused("rights", "only the owner of the table may do this", "rights_owner")


def _seat_at(table: Table, number: int) -> Seat:
    check_seat(number, len(table.seats))
    return table.seats[number - 1]


def _must_still_be(seat: Seat, was: str | None, me: Person) -> None:
    """Refuses unless a seat is what the owner saw. Without `was`, the owner can replace only themselves or a bot."""
    found = word_of(seat)
    if was is None and seat.person in (None, me.id):
        return
    if was != found:
        why = f"seat {seat.seat} is {found} now; to replace that, send it as `was`"
        raise Refused("taken", why, "seat_changed")


def _seated(table: Table) -> tuple[Seat, ...]:
    """The seats at the start: as chosen, or drawn."""
    order = list(table.seats)
    if table.seating == "random":
        secrets.SystemRandom().shuffle(order)
    return tuple(replace(seat, seat=number) for number, seat in enumerate(order, 1))


def _bots_of(key: str) -> str:
    """The claim of the process that runs a table's bots."""
    return f"bots of {key}"


def _bot_view(room: Room, seat: Seat) -> Json:
    """A bot's view: the same projection as for any viewer."""
    return projection.view_for(room.must_play(), Viewer(frozenset({seat.seat})))


def _player(seat: Seat) -> str:
    return word_of(seat) if seat.kind == "bot" else seat.name

"""Practice tables: games from a given deal or position, for lessons, puzzles and "play on from here".

They are ordinary tables with a log, the same projection and the same bots, but they are not rated: they are in
no list, give no results, send no notifications, and are removed after a while. Only here may a client determine chance,
and only before the game begins, never with an action.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from tikal.play import Game, IllegalAction, TikalError
from tikal.play.records import read
from tikal.rules import RULES_VERSION
from tikal.rules.options import Options
from tikal.server.config import Config
from tikal.server.database.rows import Conflict, Event, Person, Table, now
from tikal.server.database.settings import SettingsStore
from tikal.server.database.store import Store
from tikal.server.errors import Refused, refused
from tikal.server.live.room import Room, UseRoom, check, named, refuse_chance
from tikal.server.live.seats import seats_of

log = logging.getLogger("tikal.server")
TIDY_S = 600.0


@dataclass(frozen=True, slots=True)
class Start:
    """Where practice starts: an exact deal with opening actions, or a moment of a finished game or of a record."""

    options: Mapping[str, str]
    deal: Mapping[str, Any] | None = None
    opening: Sequence[str] = ()
    table: str | None = None
    record: str | None = None
    at: int | None = None

    def check(self) -> None:
        """Refuses contradictory parts.

        >>> Start({}).check()
        Traceback (most recent call last):
        tikal.server.errors.Refused: give exactly one of deal, table and record
        """
        if sum(source is not None for source in (self.deal, self.table, self.record)) != 1:
            raise Refused("malformed", "give exactly one of deal, table and record")
        if self.deal is None and (self.options or self.opening):
            raise Refused("malformed", "options and opening: only with a deal; a game has its own")
        if self.deal is not None and self.at is not None:
            raise Refused("malformed", "at: only with table or record; with a deal, give the opening actions")


def from_deal(options: Options, deal: Mapping[str, Any], opening: Sequence[str] = ()) -> Game:
    """A game with this deal after the opening actions.

    >>> from_deal(Options(), {"deck": ["A1"], "treasures": []})
    Traceback (most recent call last):
    tikal.server.errors.Refused: deck: 35 tiles are missing, the first is A2; list all 36 as they come up
    """
    try:
        game = Game.new(options, deck=deal["deck"], treasures=deal["treasures"], dice=deal.get("dice") or None)
    except TikalError as error:
        raise refused("option", error) from None
    for action in opening:
        refuse_chance(action)  # nothing is hidden here, but no action of a client carries one
    try:
        game.play(*opening)
    except IllegalAction as error:
        raise Refused("illegal", f"opening: {error.text}", action=error.action, why=error.code) from None
    except TikalError as error:
        raise Refused("malformed", f"opening: {error.text}") from None
    return game


def until(game: Game, at: int | None) -> Game:
    """The same game after its first `at` actions; by default after all of them."""
    of = len(game.history)
    if at is not None and not 0 <= at <= of:
        raise Refused("malformed", f"at: must be from 0 to {of}")
    again = Game(game.options, game.chance)
    again.play(*(step.action for step in game.history[:at]))
    return again


class Practice:
    """The practice tables of this server."""

    def __init__(
        self,
        store: Store,
        settings: SettingsStore,
        config: Config,
        use: UseRoom,
        wake: Callable[[Room], None],
        remove: Callable[[str], Awaitable[None]],
    ) -> None:
        self._store = store
        self._settings = settings
        self._config = config
        self._use = use
        self._wake = wake  # starts the bot whose turn it is
        self._remove = remove

    async def create(self, me: Person, words: Sequence[str], start: Start) -> Table:
        """Creates a practice table and starts it; its owner and bots have the seats. It replaces the owner's oldest."""
        start.check()
        game = await self._game(start, len(words))
        if game.over:
            raise Refused("over", "the game is over there; choose an earlier moment")
        if len(words) != game.options.players:
            raise Refused("players", f"seats: this game has {game.options.players} players")
        table = replace(await self._table(me, words, game), turn=game.seat)
        await self._store.add_practice(table, log_of(table, game))
        for key in (await self._store.practices_of(me.id))[self._config.practice_each :]:
            await self._remove(key)
        async with self._use(table.id) as room:
            self._wake(room)
            return room.table

    async def _game(self, start: Start, seats: int) -> Game:
        if start.deal is not None:
            try:
                options = Options.parse(dict(start.options) | {"players": str(seats)})
            except TikalError as error:
                raise refused(error.code if error.code == "players" else "option", error) from None
            return from_deal(options, start.deal, start.opening)
        if start.record is not None:
            try:
                played = (await asyncio.to_thread(read, start.record)).game
            except TikalError as error:
                raise refused("malformed", error) from None
            return until(played, start.at)
        assert start.table is not None
        async with self._use(start.table) as room:
            if room.game is None or not room.game.over:
                raise Refused("running", "the game is not over; what is hidden in it must stay hidden")
            return until(room.game, start.at)

    async def _table(self, me: Person, words: Sequence[str], game: Game) -> Table:
        seats = await seats_of(self._settings, me, words)
        if any(seat.kind == "open" for seat in seats):
            why = "seats: must be me, bot:LEVEL or person:NAME; a practice table waits for nobody"
            raise Refused("seat", why, "seat_practice")
        chance = game.chance
        return Table(
            id=secrets.token_urlsafe(16),
            owner=me.id,
            public=False,
            options={"edition": game.options.edition, **game.options.pairs()},
            rules=RULES_VERSION,
            seed="",
            seating="chosen",
            hints=True,
            substitute=await self._settings.substitute(),
            state="playing",
            practice={"deck": [*chance.deck], "treasures": [*chance.treasures], "dice": [*chance.dice]},
            seats=seats,
        )

    async def tidy(self) -> None:
        """Removes old practice tables at intervals."""
        while True:
            try:
                await self.expire(now() - self._config.practice_ms)
            except Exception:
                log.exception("old practice tables could not be removed")
            await asyncio.sleep(TIDY_S)

    async def expire(self, before: int) -> None:
        """Removes practice tables that have not been used since then."""
        for key in await self._store.old_practices(before):
            with suppress(Refused, Conflict):  # another process has removed it, or it is in use again
                await self._remove(key)


def log_of(table: Table, game: Game) -> list[Event]:
    """The log of a table at this point of its game: its start, and an event for each action."""
    made = [Event(1, "start", None, {"seats": named(table.seats)}, at=table.created)]
    made += [
        Event(seq, "play", step.seat, {"action": step.action}, at=table.created)
        for seq, step in enumerate(game.history, 2)
    ]
    made[-1].data["check"] = check(game.state)
    return made

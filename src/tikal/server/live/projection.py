"""The only way out: what a viewer may know of a table, its events and its game, as JSON.

Every message, answer and error about a game is made here, from `Game.view` and the events, for a *viewer*: a person
with certain seats (one, several at the same screen, or none: a spectator). When a game is over, everything is shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from itertools import islice
from typing import Any

import orjson

from tikal.play import Game
from tikal.play.chance import commit
from tikal.play.game import SECRET
from tikal.play.offer import forecast, offer_as_json
from tikal.play.prospect import prospect
from tikal.play.scores import balance, course, payments, scorings, tie
from tikal.play.view import Json, known, view
from tikal.rules.codes import LEAPING
from tikal.rules.core import State
from tikal.rules.options import Options
from tikal.server.accounts.names import look_alike
from tikal.server.database.rows import Line, Seat, Table
from tikal.server.database.statistics import is_rated
from tikal.server.live import clocks, projected
from tikal.server.live.endings import NO_EVENTS, Standing

STATES = 256  # states in each cache: enough for all actions of one commit, from the check to what is sent
COMMITMENTS = 1024
OPTIONS = 256


@dataclass(frozen=True, slots=True, eq=False)
class Viewer:
    """A viewer: the seats they hold at this table, and whether they own the table.

    `of` returns one object for all equal ones, so that comparing them takes no time.

    >>> Viewer().seats
    frozenset()
    """

    seats: frozenset[int] = frozenset()
    owner: bool = False

    @classmethod
    def of(cls, table: Table, person: str | None) -> Viewer:
        """The viewer for a person, or for an unknown caller."""
        seats, owner = table.held_by(person), person is not None and person == table.owner
        return _viewer(seats, owner) if seats or owner else STRANGER

    def eyes(self, game: Game) -> int | None:
        """The seat whose view the viewer gets; None for a spectator.

        It is the seat to decide, if the viewer holds it: a shared screen shows each player their own secrets.
        """
        if game.seat in self.seats:
            return game.seat
        return min(self.seats, default=None)


STRANGER = Viewer()
# The cache holds more viewers than there can be, so equal ones are the same object, which is quick to compare.
_viewer = lru_cache(Viewer)


@dataclass(frozen=True, slots=True)
class Live:
    """What a table in memory knows beyond what is stored; lists of tables do without it."""

    stuck: int | None
    standing: Standing
    secret: frozenset[int]  # see `secret_events`


NONE: frozenset[int] = frozenset()
NOT_IN_MEMORY = Live(None, NO_EVENTS, NONE)


@dataclass(frozen=True, slots=True)
class Entry:
    """An event of a log, with its consequences. `facts` are codes and values, never sentences.

    The first entry of a request has the request's `client`, which is never sent, and how many events the request made.
    """

    seq: int
    kind: str
    seat: int | None
    facts: Json
    at: int
    client: str | None = None
    units: int = 1

    def as_row(self) -> list[Any]:
        """All fields, as a list that `Entry(*row)` takes."""
        return [self.seq, self.kind, self.seat, self.facts, self.at, self.client, self.units]


def facts_of_play(game: Game) -> Json:
    """The facts of the action just played."""
    step, seen = game.history[-1], _known(game.state)
    after = {name: seen[name] for name in ("phase", "seat", "tile", "scores")}
    gone = [{"seat": gone.seat, "tile": gone.tile} for gone in step.gone]
    return {"action": step.action, "revealed": step.revealed, "gone": gone, "shown": _shown(game), "after": after}


def entry_of_play(seq: int, game: Game, at: int) -> Entry:
    """The entry of the action just played."""
    return Entry(seq, "play", game.history[-1].seat, facts_of_play(game), at)


def _shown(game: Game) -> dict[str, int] | None:
    """Secret choices that this action reveals: seat to tokens."""
    return {str(seat): tokens for seat, tokens in game.just_shown().items()} or None


def events(entries: Sequence[Entry], secret: frozenset[int], eyes: int | None) -> list[Json]:
    """Events as a seat (None: a spectator) may know them; `secret` numbers the events that only one seat knows."""
    return [_event(entry, entry.seq in secret and entry.seat != eyes) for entry in entries]


def secret_events(newest_first: Iterable[Entry], game: Game | None) -> frozenset[int]:
    """The numbers of the events that are secret now: those of the last actions, see `Game.secret`.

    They need not be the last events: votes and the like may have followed.
    """
    secret = game.secret if game is not None else 0
    return frozenset(islice((entry.seq for entry in newest_first if entry.kind == "play"), secret)) if secret else NONE


def _event(entry: Entry, hidden: bool) -> Json:
    facts = entry.facts | ({"action": SECRET} if hidden else {})
    return {"seq": entry.seq, "kind": entry.kind, "seat": entry.seat, "at": entry.at, **facts}


def table_info(table: Table, viewer: Viewer, at: int, live: Live = NOT_IN_MEMORY) -> projected.TableInfo:
    """A table without its game: for lists and for the head of an update."""
    return {
        **_constant(table),
        **_changing(table, at, live),
        **_seen_by(table, viewer),
        "your_turn": _your_turn(table, viewer),
    }


def _your_turn(table: Table, viewer: Viewer) -> bool:
    return table.turn in viewer.seats and table.bot_plays_for is None


def _seen_by(table: Table, viewer: Viewer) -> projected.SeenBy:
    """What a viewer sees of a table, besides what all see of it; it does not change with an action."""
    alike = look_alike(tuple([seat.name for seat in table.seats]))
    return {
        "seats": [_seat(seat, viewer, seat.seat in alike) for seat in table.seats],
        "you": {"seats": sorted(viewer.seats), "owner": viewer.owner},
    }


def _constant(table: Table) -> projected.Constant:
    """What all viewers see of a table and what does not change with an action."""
    return {
        "id": table.id,
        "public": table.public,
        "options": dict(table.options),
        "rules": table.rules,
        "seating": table.seating,
        "hints": table.hints,
        "hinted": table.hinted,
        "rated": is_rated(table),
        "substitute": table.substitute,
        "patience_h": table.patience_h,
        "commitment": _commitment(table.seed) if table.practice is None else None,
        "nonces": [seat.nonce for seat in table.seats if seat.nonce is not None],
        "practice": table.practice is not None,
        "rematch": table.rematch,
        "created": table.created,
    }


def _changing(table: Table, at: int, live: Live) -> projected.Changing:
    """What all viewers see of a table and what changes with actions. It has the seed only when the game is over."""
    return {
        "state": table.state,
        "turn": table.turn,
        "stuck": live.stuck,
        **live.standing.as_json(table),
        "clock": clocks.as_json(table, at),
        "seed": table.seed if table.state == "over" and table.practice is None else None,
        "changed": table.changed,
    }


def _kept_json(table: Table, viewer: Viewer | None) -> bytes:
    """The members of `_constant`, or of `_seen_by`, as JSON without brackets; encoded once."""
    if viewer not in table.kept:
        made = _constant(table) if viewer is None else _seen_by(table, viewer)
        table.kept[viewer] = orjson.dumps(made)[1:-1]
    found: bytes = table.kept[viewer]
    return found


def _seat(seat: Seat, viewer: Viewer, alike: bool) -> projected.Seat:
    return {
        "seat": seat.seat,
        "kind": seat.kind,
        "name": seat.name,
        "level": seat.level,
        "substituted": seat.substituted,
        "alike": alike,
        "yours": seat.seat in viewer.seats,
    }


def line(one: Line) -> projected.ChatLine:
    """A line of chat, with the speaker's seat and its name."""
    return {"number": one.number, "seat": one.seat, "name": one.name, "text": one.text, "at": one.at}


def position(game: Game, viewer: Viewer, watching: bool = False) -> projected.Position:
    """The current position: the view, the forecast, what may come next.

    In the viewer's own turn also the offer, and how many actions can be taken back. All parts are encoded as JSON.

    With `watching`, the viewer has no turn.
    """
    mine = game.seat in viewer.seats and not watching
    state = game.state
    return {
        "view": _view(state, game.options, viewer.eyes(game)),
        "forecast": _forecast(state),
        "prospect": _prospect(state),
        "offer": _offer(state) if mine else None,
        "undo": game.can_take_back() if mine else 0,
    }


def view_for(game: Game, viewer: Viewer) -> Json:
    """What a viewer may know of the game, enough for a bot: without offer and forecast."""
    seat = viewer.eyes(game)
    more = known(game.state, seat) if game.state.phase == LEAPING else _known(game.state)
    return {"viewer": seat, "options": game.options.as_dict(), **more}


# What is derived from a state, for all viewers. A state in a game never changes, so it is its own key. A `Fragment` is
# JSON that is copied into other JSON without change.


@lru_cache(STATES)
def _known(state: State) -> Json:
    """What everybody may know."""
    return known(state, None)


@lru_cache(STATES)
def everybody_knows(state: State) -> bytes:
    """The same as JSON."""
    return orjson.dumps(_known(state))


@lru_cache(STATES)
def _forecast(state: State) -> orjson.Fragment:
    """What each seat would score now."""
    return orjson.Fragment(orjson.dumps(forecast(state)))


@lru_cache(STATES)
def _prospect(state: State) -> orjson.Fragment:
    """The tiles that may come next, and the progress of a scoring round."""
    return orjson.Fragment(orjson.dumps(prospect(state)))


@lru_cache(STATES)
def _offer(state: State) -> orjson.Fragment:
    """Everything that the seat to move can do."""
    return orjson.Fragment(offer_as_json(state))


def _view(state: State, options: Options, seat: int | None) -> orjson.Fragment:
    """What a seat may know: more than a spectator only while tokens are being chosen."""
    more = orjson.dumps(known(state, seat)) if state.phase == LEAPING else everybody_knows(state)
    return orjson.Fragment(b'{"viewer":%b,%b,%b' % (orjson.dumps(seat), _options(options), more[1:]))


@lru_cache(OPTIONS)
def _options(options: Options) -> bytes:
    """A member of views, as JSON without brackets."""
    return b'"options":%b' % orjson.dumps(options.as_dict())


_commitment = lru_cache(COMMITMENTS)(commit)


def replay(game: Game, at: int, seat: int | None) -> projected.Replay:
    """The position after a number of actions (without those taken back), as a seat saw it; None: a spectator."""
    state = game.state_at(at)
    step = game.step_for(at, seat) if at else None
    return {
        "at": at,
        "of": len(game.history),
        "seat": None if step is None else step.seat,
        "action": None if step is None else step.action,
        "revealed": None if step is None else step.revealed,
        "view": view(state, game.options, seat),
        "forecast": forecast(state),
    }


def scores(game: Game) -> projected.Scores:
    """Where the scores come from so far: every scoring and payment is public, so all viewers get the same."""
    tied = tie(game.state, game.options)
    return {
        "of": len(game.history),
        "scorings": [asdict(scoring) for scoring in scorings(game)],
        "payments": [{"actions": actions, "seat": seat, "paid": paid} for actions, seat, paid in payments(game)],
        "balance": [asdict(points) | {"total": points.total} for points in balance(game)],
        "course": course(game),
        "tie": None if tied is None else asdict(tied),
    }


NOTHING: projected.Position = {"view": None, "forecast": None, "prospect": None, "offer": None, "undo": 0}


def _is_theirs(table: Table) -> bool:
    """Whether people may play: not while a bot plays for a player whose time ran out, nor after the end."""
    return table.state == "playing" and table.bot_plays_for is None


@dataclass(frozen=True, slots=True)
class Moment:
    """A table at one moment, for any number of viewers."""

    table: Table
    game: Game | None
    seq: int
    fault: str | None
    live: Live
    all_see: bytes  # the start of a JSON object, the same for all viewers

    @classmethod
    def of(cls, table: Table, game: Game | None, seq: int, fault: str | None, at: int, live: Live) -> Moment:
        """The current state of a table."""
        all_see = b"%b,%b" % (orjson.dumps(_changing(table, at, live))[:-1], _kept_json(table, None))
        return cls(table, game, seq, fault, live, all_see)

    def update(self, viewer: Viewer, since: Sequence[Entry]) -> projected.Update:
        """What a viewer gets after a change, or on arrival: the events since then, and the current position."""
        game = self.game
        return {
            "type": "update",
            "table": self.table.id,
            "seq": self.seq,
            "events": events(since, self.live.secret, None if game is None else viewer.eyes(game)),
            "info": self._info(viewer),
            "fault": self.fault,
            **(NOTHING if game is None else position(game, viewer, not _is_theirs(self.table))),
        }

    def _info(self, viewer: Viewer) -> orjson.Fragment:
        your_turn = b"true" if _your_turn(self.table, viewer) else b"false"
        seen = _kept_json(self.table, viewer)
        return orjson.Fragment(b'%b,"your_turn":%b,%b}' % (self.all_see, your_turn, seen))


def as_json(value: object) -> bytes:
    """JSON as it is sent.

    >>> as_json({"seq": 1})
    b'{"seq":1}'
    """
    return orjson.dumps(value)

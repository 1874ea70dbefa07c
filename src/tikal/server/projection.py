"""The one way out: what of a table, its events and its game a viewer may know, as JSON.

Every message, answer and error about a game is made here, from `Game.view` and the events, for a *viewer*: somebody
who holds certain seats (one, several at the same screen, or none: a spectator). When a game is over all is shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property, lru_cache
from itertools import takewhile
from typing import Any

import orjson

from tikal.play import Game
from tikal.play.chance import commit
from tikal.play.offer import forecast, forecast_of, offer_of
from tikal.play.scores import balance, course, payments, scorings
from tikal.play.view import view, view_of
from tikal.rules.codes import LEAPING, NO_TILE
from tikal.rules.core import State
from tikal.rules.facts import Facts
from tikal.rules.options import Options
from tikal.rules.tables import TILES
from tikal.server import clocks
from tikal.server.store import Json, Line, Seat, Table

SCENES = 16  # states that are remembered
COMMITMENTS = 1024


@dataclass(frozen=True, slots=True)
class Viewer:
    """Somebody who looks: the seats held at this table, and whether it is the table's owner.

    >>> Viewer().seats
    frozenset()
    """

    seats: frozenset[int] = frozenset()
    owner: bool = False

    @classmethod
    def of(cls, table: Table, person: str | None) -> Viewer:
        """How a person, or somebody unknown, looks at a table."""
        return cls(table.held_by(person), person is not None and person == table.owner)

    def eyes(self, game: Game) -> int | None:
        """The seat as which the viewer sees; None for a spectator.

        It is the one that is to decide, if held, so that a screen that goes round shows each what is his.
        """
        if game.seat in self.seats:
            return game.seat
        return min(self.seats, default=None)


@dataclass(frozen=True, slots=True)
class Entry:
    """An event of a log, with what followed from it. `facts` are codes and values, never sentences.

    The first of a request has the `client` who asked, which is never told, and how many events it has.
    """

    seq: int
    kind: str
    seat: int | None
    facts: Json
    at: int
    client: str | None = None
    units: int = 1

    def as_row(self) -> list[Any]:
        """All of it, as a list: what `Entry(*row)` takes."""
        return [self.seq, self.kind, self.seat, self.facts, self.at, self.client, self.units]


def facts_of_play(game: Game) -> Json:
    """What there is to tell of the action just played."""
    step, state = game.history[-1], game.state
    after = {
        "phase": game.phase,
        "seat": game.seat,
        "tile": None if state.hand == NO_TILE else TILES[state.hand].name,
        "scores": scene(state).facts.score[: state.players],
    }
    gone = [{"seat": gone.seat, "tile": gone.tile} for gone in step.gone]
    return {"action": step.action, "revealed": step.revealed, "gone": gone, "shown": _shown(game), "after": after}


def entry_of_play(seq: int, game: Game, at: int) -> Entry:
    """The entry of the action just played."""
    return Entry(seq, "play", game.history[-1].seat, facts_of_play(game), at)


def _last_tokens(game: Game) -> list[Any]:
    """The tokens chosen at the end of the history, newest first."""
    return list(takewhile(lambda step: step.action.startswith("J:"), reversed(game.history)))


def _shown(game: Game) -> dict[str, int] | None:
    """What was chosen in secret and is shown with this action: seat to tokens."""
    if game.phase == "leap" or not game.history[-1].action.startswith("J:"):
        return None
    return {str(step.seat): int(step.action[2:]) for step in _last_tokens(game)}


def events(entries: Iterable[Entry], game: Game | None, viewer: Viewer) -> list[Json]:
    """Events for a viewer: tokens that others have chosen and not shown are left out."""
    hidden = _hidden(entries, game, viewer)
    return [_event(entry, entry.seq in hidden) for entry in entries]


def _hidden(entries: Iterable[Entry], game: Game | None, viewer: Viewer) -> set[int]:
    """The events that are secret from the viewer: between two choices somebody ends with `.`, so they are the last."""
    if game is None or game.phase != "leap":
        return set()
    played = [entry for entry in entries if entry.kind == "play"]
    last = takewhile(lambda entry: entry.facts["action"].startswith("J:"), reversed(played))
    eyes = viewer.eyes(game)
    return {entry.seq for entry in last if entry.seat != eyes}


def _event(entry: Entry, hidden: bool) -> Json:
    facts = entry.facts | ({"action": "J:?"} if hidden else {})
    return {"seq": entry.seq, "kind": entry.kind, "seat": entry.seat, "at": entry.at, **facts}


def table_info(table: Table, viewer: Viewer, at: int) -> Json:
    """A table without its game: for lists and for the head of an update. The seed only when the game is over."""
    over = table.state == "over"
    return {
        "id": table.id,
        "state": table.state,
        "public": table.public,
        "options": dict(table.options),
        "rules": table.rules,
        "seating": table.seating,
        "hints": table.hints,
        "hinted": table.hinted,
        "substitute": table.substitute,
        "seats": [_seat(seat, viewer) for seat in table.seats],
        "turn": table.turn,
        "your_turn": table.turn in viewer.seats and table.lent is None,
        "clock": clocks.as_json(table, at),
        "you": {"seats": sorted(viewer.seats), "owner": viewer.owner},
        "commitment": _commitment(table.seed),
        "nonces": [seat.nonce for seat in table.seats if seat.nonce is not None],
        "seed": table.seed if over else None,
        "rematch": table.rematch,
        "created": table.created,
        "changed": table.changed,
    }


def _seat(seat: Seat, viewer: Viewer) -> Json:
    return {
        "seat": seat.seat,
        "kind": seat.kind,
        "name": seat.name,
        "level": seat.level,
        "substituted": seat.substituted,
        "yours": seat.seat in viewer.seats,
    }


def line(one: Line) -> Json:
    """A line of chat: without who it was, but for the nickname."""
    return {"number": one.number, "name": one.name, "text": one.text, "at": one.at}


def position(game: Game, viewer: Viewer, lent: bool = False) -> Json:
    """The game as it stands: the view, the forecast, and in one's own turn the offer and what may be taken back.

    A turn that is lent to a bot is nobody's own.
    """
    mine = game.seat in viewer.seats and not lent
    now = scene(game.state)
    return {
        "view": now.view(game.options, viewer.eyes(game)),
        "forecast": now.forecast,
        "offer": now.offer if mine else None,
        "undo": game.can_take_back() if mine else 0,
    }


class Scene:
    """What there is to tell of a state. Several people are told of it, and what is the same for them is made once."""

    def __init__(self, state: State) -> None:
        self.facts = Facts(state)
        self._open: Json | None = None

    @cached_property
    def forecast(self) -> list[Json]:
        """What each seat would score now."""
        return forecast_of(self.facts)

    @cached_property
    def offer(self) -> Json:
        """What the seat can do whose turn it is."""
        return offer_of(self.facts)

    def view(self, options: Options, seat: int | None) -> Json:
        """What a seat may know: more than a spectator only where tokens are being chosen."""
        if self.facts.phase == LEAPING:
            return view_of(self.facts, options, seat)
        if self._open is None:
            self._open = view_of(self.facts, options, None)
        return self._open | {"viewer": seat}


scene = lru_cache(SCENES)(Scene)  # a state of a game is never changed, and stands here for itself
_commitment = lru_cache(COMMITMENTS)(commit)


def replay(game: Game, at: int, seat: int | None) -> Json:
    """How things stood after so many actions (those taken back don't count), as a seat saw it; None: a spectator."""
    state = game.state_at(at)
    step = game.history[at - 1] if at else None
    hidden = len(_last_tokens(game)) if game.phase == "leap" else 0
    secret = step is not None and at > len(game.history) - hidden and step.seat != seat
    return {
        "at": at,
        "of": len(game.history),
        "seat": None if step is None else step.seat,
        "action": None if step is None else "J:?" if secret else step.action,
        "revealed": None if step is None else step.revealed,
        "view": view(state, game.options, seat),
        "forecast": forecast(state),
    }


def scores(game: Game) -> Json:
    """Where the scores come from, so far: every scoring and payment is seen by all, so it is the same for everybody."""
    return {
        "of": len(game.history),
        "scorings": [asdict(scoring) for scoring in scorings(game)],
        "payments": [{"actions": actions, "seat": seat, "paid": paid} for actions, seat, paid in payments(game)],
        "balance": [asdict(points) | {"total": points.total} for points in balance(game)],
        "course": course(game),
    }


NOTHING = {"view": None, "forecast": None, "offer": None, "undo": 0}


def update(
    table: Table, game: Game | None, seq: int, since: Sequence[Entry], viewer: Viewer, fault: str | None, at: int
) -> Json:
    """All that a viewer is told after a change, or when he comes: the events since then and how things stand now."""
    return {
        "type": "update",
        "table": table.id,
        "seq": seq,
        "events": events(since, game, viewer),
        "info": table_info(table, viewer, at),
        "fault": fault,
        **(NOTHING if game is None else position(game, viewer, table.lent is not None)),
    }


def text(value: Json) -> str:
    """JSON as it leaves.

    >>> text({"seq": 1})
    '{"seq":1}'
    """
    return orjson.dumps(value).decode()

"""The types of what the projection makes; `http/responses.py` documents the same for clients, and a test compares them.

A `Fragment` is JSON that is encoded already.
"""

from __future__ import annotations

from typing import TypedDict

from orjson import Fragment

from tikal.play.view import Json  # objects defined elsewhere: a view, a forecast, an event


class Seat(TypedDict):
    """A seat at a table."""

    seat: int
    kind: str
    name: str
    level: str | None
    substituted: bool
    alike: bool
    yours: bool


class You(TypedDict):
    """The viewer's seats and rights at a table."""

    seats: list[int]
    owner: bool


class Constant(TypedDict):
    """What all viewers see of a table and no action changes."""

    id: str
    public: bool
    options: dict[str, str]
    rules: int
    seating: str
    hints: bool
    hinted: bool
    rated: bool
    substitute: str
    patience_h: int
    commitment: str | None
    nonces: list[str]
    practice: bool
    rematch: str | None
    created: int


class Standing(TypedDict):
    """How the game may end before its last turn, or has ended."""

    votes: list[int]
    ended: Json | None
    absent_from: int | None


class Changing(Standing):
    """What all viewers see of a table and actions change."""

    state: str
    turn: int | None
    stuck: int | None
    clock: Json | None
    seed: str | None
    changed: int


class SeenBy(TypedDict):
    """What a viewer sees of a table, besides what all see; no action changes it."""

    seats: list[Seat]
    you: You


class TableInfo(Constant, Changing, SeenBy):
    """A table without its game."""

    your_turn: bool


class ChatLine(TypedDict):
    """A line of chat."""

    number: int
    seat: int | None
    name: str
    text: str
    at: int


class Position(TypedDict):
    """The current position of a game, for a viewer. Before the start of a game there is none."""

    view: Fragment | None
    forecast: Fragment | None
    prospect: Fragment | None
    offer: Fragment | None
    undo: int


class Update(Position):
    """What a viewer gets after a change."""

    type: str
    table: str
    seq: int
    events: list[Json]
    info: Fragment
    fault: str | None


class Replay(TypedDict):
    """A position of the past."""

    at: int
    of: int
    seat: int | None
    action: str | None
    revealed: int | None
    view: Json
    forecast: list[Json]


class Payment(TypedDict):
    """A bid that was paid."""

    actions: int
    seat: int
    paid: int


class Scores(TypedDict):
    """Where the scores come from."""

    of: int
    scorings: list[Json]
    payments: list[Payment]
    balance: list[Json]
    course: list[list[int]]
    tie: Json | None

"""The schemas of requests. `responses` has those of responses; the OpenAPI document is made from both."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from tikal.rules.codes import SEATS
from tikal.server.database.schema import PATIENCE_H
from tikal.server.live.room import MOST_ACTIONS

MOST_SEQ = 1_000_000
MOST_AT = 100_000  # actions, and frames after them
Seq = Annotated[int, Field(ge=0, le=MOST_SEQ, strict=True)]
RequestId = Annotated[str, Field(pattern=r"^[A-Za-z0-9_.:-]{1,40}$")]
Action = Annotated[str, Field(min_length=1, max_length=24)]
Actions = Annotated[list[Action], Field(max_length=MOST_ACTIONS)]
SeatNumber = Annotated[int, Field(ge=1, le=SEATS, strict=True)]
At = Annotated[int, Field(ge=0, le=MOST_AT, strict=True)]
RecordText = Annotated[str, Field(min_length=1, max_length=30_000)]


class Schema(BaseModel):
    """The base of requests, responses and messages: a JSON object without unknown fields."""

    model_config = ConfigDict(extra="forbid")


def example(**values: Any) -> ConfigDict:
    """The settings of a schema with an example."""
    return ConfigDict(extra="forbid", json_schema_extra={"examples": [values]})


Language = Annotated[str, Field(max_length=8, description="the code of a supported language: en, fr, …")]


class NewPerson(Schema):
    """A guest's nickname, and their language for notifications."""

    model_config = example(name="Ann", language="fr")
    name: Annotated[str, Field(max_length=80)]
    language: Language | None = None


class ChangePerson(Schema):
    """Another nickname, another language, or both; omitted ones stay."""

    model_config = example(name="Ann", language="fr")
    name: Annotated[str, Field(max_length=80)] | None = None
    language: Language | None = None


class Claim(Schema):
    """The token of a personal link."""

    model_config = example(token="Xk3…")
    token: Annotated[str, Field(max_length=80)]


class Login(Schema):
    """A name and its password."""

    model_config = example(login="Ann", password="correct horse")
    login: Annotated[str, Field(max_length=80)]
    password: Annotated[str, Field(max_length=400)]


class PutPassword(Login):
    """The new login name and password; `current` is the current password, if there is one."""

    model_config = example(login="Ann", password="battery staple", current="correct horse")
    current: Annotated[str, Field(max_length=400)] | None = None


class PutWebhook(Schema):
    """An address to call when it is the caller's turn."""

    model_config = example(url="https://hooks.example/tikal")
    url: Annotated[str, Field(max_length=1000)]


class RemovePassword(Schema):
    """The password to remove."""

    model_config = example(current="correct horse")
    current: Annotated[str, Field(max_length=400)]


Timeout = Literal["turn", "seat"]


class LiveClock(Schema):
    """A bank of time for each seat, and an increment after each turn."""

    model_config = example(kind="live", bank_s=1200, increment_s=30, timeout="turn")
    kind: Literal["live"]
    bank_s: Annotated[int, Field(ge=10, le=86_400, strict=True)] = 1200
    increment_s: Annotated[int, Field(ge=0, le=3600, strict=True)] = 30
    timeout: Timeout = "turn"


class DailyClock(Schema):
    """A deadline for each turn."""

    model_config = example(kind="daily", days=1, timeout="turn")
    kind: Literal["daily"]
    days: Annotated[int, Field(ge=1, le=30, strict=True)] = 1
    timeout: Timeout = "turn"


NewClock = Annotated[LiveClock | DailyClock, Field(discriminator="kind")]


class NewTable(Schema):
    """A table to create; the number of seats is the number of players."""

    model_config = example(options={"edition": "super-meeple", "auction": "true"}, seats=["me", "open", "bot:digger"])
    options: Annotated[dict[str, str], Field(max_length=20)] = {}
    seats: Annotated[list[Annotated[str, Field(max_length=80)]], Field(min_length=1, max_length=8)]
    public: bool = True
    seating: Literal["chosen", "random"] = "chosen"
    hints: bool = False
    substitute: Annotated[str, Field(max_length=40)] | None = None
    nonce: Annotated[str, Field(max_length=200)] | None = None
    clock: NewClock | None = None
    patience_h: Annotated[
        int,
        Field(
            ge=1,
            le=720,
            strict=True,
            description="without a clock: hours for a turn before the player counts as absent",
        ),
    ] = PATIENCE_H


class Deal(Schema):
    """Exact chance, as in the notation: all tiles and all treasures in order, and with `boulders` the dice."""

    deck: Annotated[list[Annotated[str, Field(max_length=4)]], Field(max_length=100)]
    treasures: Annotated[list[Annotated[int, Field(ge=0, le=99, strict=True)]], Field(max_length=24)]
    dice: Annotated[list[Annotated[int, Field(ge=0, le=99, strict=True)]], Field(max_length=200)] = []


class NewPractice(Schema):
    """A practice table: from a deal and opening actions, or from a moment of a finished game or of a record."""

    model_config = example(seats=["me", "bot:digger"], table="dGhlIGp1bmdsZSBpcyBk", at=12)
    seats: Annotated[list[Annotated[str, Field(max_length=80)]], Field(min_length=1, max_length=8)]
    options: Annotated[dict[str, str], Field(max_length=20)] = {}
    deal: Deal | None = None
    opening: Annotated[list[Action], Field(max_length=2000)] = []
    table: Annotated[str, Field(max_length=40)] | None = None
    record: RecordText | None = None
    at: At | None = None


class Join(Schema):
    """Which seat; null: the first open one. A nonce goes into the shuffle; a name is a person's at the same screen."""

    model_config = example(seat=2)
    seat: SeatNumber | None = None
    nonce: Annotated[str, Field(max_length=200)] | None = None
    name: Annotated[str, Field(max_length=80)] | None = None


class PutSeat(Schema):
    """The new occupant of a seat, and what the owner saw there: without it, nobody who joined is replaced."""

    model_config = example(to="bot:surveyor", was="open")
    to: Annotated[str, Field(max_length=80)]
    was: Annotated[str, Field(max_length=80, description="open, bot:LEVEL or person:NAME")] | None = None


class Play(Schema):
    """Actions, all or none, for the position at `on`; the id makes a resend harmless."""

    model_config = example(id="tab1-17", on=4, actions=["W:a1-b2", "W:b2-b3"])
    id: RequestId
    on: Seq
    actions: Annotated[Actions, Field(min_length=1)]


class Back(Schema):
    """Restarts the turn, or goes back to the last revelation."""

    model_config = example(id="tab1-18", on=6)
    id: RequestId
    on: Seq


class Undo(Back):
    """Takes back the last action, or several, all or none: the steps of a walk are one request."""

    model_config = example(id="tab1-18", on=6, count=2)
    count: Annotated[int, Field(ge=1, le=MOST_ACTIONS, strict=True)] = 1


class Resign(Schema):
    """Which seat; a player with only one may omit it."""

    model_config = example(id="tab1-19", seat=1)
    id: RequestId
    seat: SeatNumber | None = None


class Absent(Schema):
    """What to do about an absent player: a bot plays on, or the game ends and is won."""

    model_config = example(id="tab1-20", do="bot")
    id: RequestId
    do: Literal["bot", "win"]


class Vote(Schema):
    """Whether to end the game now."""

    model_config = example(id="tab1-21", end=True)
    id: RequestId
    end: bool


class TakeSeat(Schema):
    """The token of a link to a seat."""

    model_config = example(token="Xk3…")
    token: Annotated[str, Field(max_length=80)]


class PutBid(Schema):
    """The server's bid limit for a seat in this auction; a player with only one seat may omit it."""

    model_config = example(up_to=7, seat=1)
    up_to: Annotated[int, Field(ge=0, le=10_000, strict=True)]
    seat: SeatNumber | None = None


class WhatIf(Schema):
    """Actions to try without playing them."""

    model_config = example(on=4, actions=["W:a1-b2"])
    on: Seq
    actions: Actions


class Say(Schema):
    """A line of chat."""

    model_config = example(text="well dug")
    text: Annotated[str, Field(min_length=1, max_length=2000)]


class NewRecord(Schema):
    """A `.tikal` record, the first frame to return, and the seat that sees it; null: a spectator."""

    model_config = example(text='[Game "Tikal"]\n…', start=0, seat=2)
    text: RecordText
    start: At = 0
    seat: SeatNumber | None = None

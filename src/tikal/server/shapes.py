"""The shapes of what comes in. `answers` has those of what goes out; the OpenAPI document is made from both."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Seq = Annotated[int, Field(ge=0, le=1_000_000, strict=True)]
RequestId = Annotated[str, Field(pattern=r"^[A-Za-z0-9_.:-]{1,40}$")]
Action = Annotated[str, Field(min_length=1, max_length=24)]
Actions = Annotated[list[Action], Field(max_length=64)]
SeatNumber = Annotated[int, Field(ge=1, le=4, strict=True)]


class Shape(BaseModel):
    """What comes in: nothing unknown may be in it."""

    model_config = ConfigDict(extra="forbid")


def example(**values: Any) -> ConfigDict:
    """The settings of a shape with an example."""
    return ConfigDict(extra="forbid", json_schema_extra={"examples": [values]})


class NewPerson(Shape):
    """A guest says a nickname."""

    model_config = example(name="Ann")
    name: Annotated[str, Field(max_length=80)]


class Claim(Shape):
    """The token of a personal link."""

    model_config = example(token="Xk3…")
    token: Annotated[str, Field(max_length=80)]


class Login(Shape):
    """A name and its password."""

    model_config = example(login="Ann", password="correct horse")
    login: Annotated[str, Field(max_length=80)]
    password: Annotated[str, Field(max_length=400)]


class PutPassword(Login):
    """The name and password to log in with from now on; `current` is the password before, if there is one."""

    model_config = example(login="Ann", password="battery staple", current="correct horse")
    current: Annotated[str, Field(max_length=400)] | None = None


class PutWebhook(Shape):
    """An address to be called when it is one's turn."""

    model_config = example(url="https://hooks.example/tikal")
    url: Annotated[str, Field(max_length=1000)]


class RemovePassword(Shape):
    """The password that is to be no more."""

    model_config = example(current="correct horse")
    current: Annotated[str, Field(max_length=400)]


Timeout = Literal["turn", "seat"]


class LiveClock(Shape):
    """A bank of time for each seat, and an increment for each turn that it ends."""

    model_config = example(kind="live", bank_s=1200, increment_s=30, timeout="turn")
    kind: Literal["live"]
    bank_s: Annotated[int, Field(ge=10, le=86_400, strict=True)] = 1200
    increment_s: Annotated[int, Field(ge=0, le=3600, strict=True)] = 30
    timeout: Timeout = "turn"


class DailyClock(Shape):
    """A deadline for each turn."""

    model_config = example(kind="daily", days=1, timeout="turn")
    kind: Literal["daily"]
    days: Annotated[int, Field(ge=1, le=30, strict=True)] = 1
    timeout: Timeout = "turn"


NewClock = Annotated[LiveClock | DailyClock, Field(discriminator="kind")]


class NewTable(Shape):
    """A table as somebody wants it; the number of seats is the number of players."""

    model_config = example(options={"edition": "super-meeple", "auction": "true"}, seats=["me", "open", "bot:digger"])
    options: Annotated[dict[str, str], Field(max_length=20)] = {}
    seats: Annotated[list[Annotated[str, Field(max_length=80)]], Field(min_length=1, max_length=8)]
    public: bool = True
    seating: Literal["chosen", "random"] = "chosen"
    hints: bool = False
    substitute: Annotated[str, Field(max_length=40)] = "surveyor"
    nonce: Annotated[str, Field(max_length=200)] | None = None
    clock: NewClock | None = None


class Join(Shape):
    """Which seat; none: the first open one. A nonce goes into the shuffle; a name is of somebody at the same screen."""

    model_config = example(seat=2)
    seat: SeatNumber | None = None
    nonce: Annotated[str, Field(max_length=200)] | None = None
    name: Annotated[str, Field(max_length=80)] | None = None


class PutSeat(Shape):
    """Who is to sit there."""

    model_config = example(to="bot:surveyor")
    to: Annotated[str, Field(max_length=80)]


class Play(Shape):
    """Actions, all or none, made on a certain seq; the id makes a resend harmless."""

    model_config = example(id="tab1-17", on=4, actions=["W:a1-b2", "W:b2-b3"])
    id: RequestId
    on: Seq
    actions: Annotated[Actions, Field(min_length=1)]


class Back(Shape):
    """Take back one action, or the whole turn, as far as nothing was revealed."""

    model_config = example(id="tab1-18", on=6)
    id: RequestId
    on: Seq


class Resign(Shape):
    """Which seat; may be left out by who holds only one."""

    model_config = example(id="tab1-19", seat=1)
    id: RequestId
    seat: SeatNumber | None = None


class PutBid(Shape):
    """How far the server is to bid for a seat in this auction; who holds only one may leave the seat out."""

    model_config = example(up_to=7, seat=1)
    up_to: Annotated[int, Field(ge=0, le=10_000, strict=True)]
    seat: SeatNumber | None = None


class WhatIf(Shape):
    """Actions to try without playing them."""

    model_config = example(on=4, actions=["W:a1-b2"])
    on: Seq
    actions: Actions


class Say(Shape):
    """A line of chat."""

    model_config = example(text="well dug")
    text: Annotated[str, Field(min_length=1, max_length=2000)]


class NewRecord(Shape):
    """A `.tikal` record, from which frame on it is to be told, and as which seat; none: a spectator."""

    model_config = example(text='[Game "Tikal"]\n…', start=0, seat=2)
    text: Annotated[str, Field(min_length=1, max_length=30_000)]
    start: Annotated[int, Field(ge=0, le=100_000, strict=True)] = 0
    seat: SeatNumber | None = None

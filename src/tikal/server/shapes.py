"""The shapes of what comes in and goes out; the OpenAPI document is made from them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Seq = Annotated[int, Field(ge=0, le=1_000_000, strict=True)]
RequestId = Annotated[str, Field(pattern=r"^[A-Za-z0-9_.:-]{1,40}$")]
Action = Annotated[str, Field(min_length=1, max_length=24)]
Actions = Annotated[list[Action], Field(max_length=64)]
SeatNumber = Annotated[int, Field(ge=1, le=4, strict=True)]
Json = dict[str, Any]


class Shape(BaseModel):
    """What comes in: nothing unknown may be in it."""

    model_config = ConfigDict(extra="forbid")


def _example(**values: Any) -> ConfigDict:
    return ConfigDict(extra="forbid", json_schema_extra={"examples": [values]})


class NewPerson(Shape):
    """A guest says a nickname."""

    model_config = _example(name="Ann")
    name: Annotated[str, Field(max_length=80)]


class Claim(Shape):
    """The token of a personal link."""

    token: Annotated[str, Field(max_length=80)]


class NewTable(Shape):
    """A table as somebody wants it; the number of seats is the number of players."""

    model_config = _example(options={"edition": "super-meeple", "auction": "true"}, seats=["me", "open", "bot:digger"])
    options: Annotated[dict[str, str], Field(max_length=20)] = {}
    seats: Annotated[list[Annotated[str, Field(max_length=80)]], Field(min_length=1, max_length=8)]
    public: bool = True
    seating: Literal["chosen", "random"] = "chosen"
    hints: bool = False
    substitute: Annotated[str, Field(max_length=40)] = "surveyor"
    nonce: Annotated[str, Field(max_length=200)] | None = None


class Join(Shape):
    """Which seat; none: the first open one. A nonce goes into the shuffle."""

    model_config = _example(seat=2)
    seat: SeatNumber | None = None
    nonce: Annotated[str, Field(max_length=200)] | None = None


class PutSeat(Shape):
    """Who is to sit there."""

    model_config = _example(to="bot:surveyor")
    to: Annotated[str, Field(max_length=80)]


class Play(Shape):
    """Actions, all or none, made on a certain seq; the id makes a resend harmless."""

    model_config = _example(id="tab1-17", on=4, actions=["W:a1-b2", "W:b2-b3"])
    id: RequestId
    on: Seq
    actions: Annotated[Actions, Field(min_length=1)]


class Back(Shape):
    """Take back one action, or the whole turn, as far as nothing was revealed."""

    model_config = _example(id="tab1-18", on=6)
    id: RequestId
    on: Seq


class Resign(Shape):
    """Which seat; may be left out by who holds only one."""

    model_config = _example(id="tab1-19", seat=1)
    id: RequestId
    seat: SeatNumber | None = None


class WhatIf(Shape):
    """Actions to try without playing them."""

    model_config = _example(on=4, actions=["W:a1-b2"])
    on: Seq
    actions: Actions


class Say(Shape):
    """A line of chat."""

    model_config = _example(text="well dug")
    text: Annotated[str, Field(min_length=1, max_length=2000)]


class Problem(BaseModel):
    """Why a request was refused; nothing was changed."""

    model_config = ConfigDict(
        extra="allow",
        json_schema_extra={"examples": [{"code": "stale", "text": "made on 4, but the table is at 6", "seq": 6}]},
    )
    code: str
    text: str


class ProblemBody(BaseModel):
    """The body of every answer that is a refusal."""

    error: Problem


class Me(BaseModel):
    """Who one is; the token only where it was just made."""

    name: str
    token: str | None = None


class Link(BaseModel):
    """A personal link: moves one's identity to another device, once, within a day."""

    token: str
    url: str
    expires: int


class AckBody(BaseModel):
    """The action is kept: the numbers of its first and last event."""

    first: int
    seq: int
    duplicate: bool


class TableInfo(BaseModel):
    """A table without its game."""

    model_config = ConfigDict(extra="allow")
    id: str
    state: Literal["open", "playing", "over", "frozen", "closed"]
    seats: list[Json]
    turn: int | None
    your_turn: bool


class TableList(BaseModel):
    """Several tables."""

    tables: list[TableInfo]


class Update(BaseModel):
    """How a table stands for who asks, and the events since then."""

    type: Literal["update"]
    table: str
    seq: int
    events: list[Json]
    info: TableInfo
    fault: str | None
    view: Json | None
    forecast: list[Json] | None
    offer: Json | None
    undo: int


class EventList(BaseModel):
    """Events after a number."""

    seq: int
    events: list[Json]


class WhatIfBody(BaseModel):
    """How things would stand; `stopped` is the action before which it stopped because it would reveal something."""

    played: list[str]
    stopped: str | None
    seq: int
    view: Json
    forecast: list[Json]
    offer: Json | None
    undo: int


class ReplayBody(BaseModel):
    """How things stood after the action `at` of `of`, and that action."""

    at: int
    of: int
    seat: int | None
    action: str | None
    revealed: int | None
    view: Json
    forecast: list[Json]


class ChatLine(BaseModel):
    """A line of chat."""

    number: int
    name: str
    text: str
    at: int


class ChatLines(BaseModel):
    """The last lines of chat."""

    lines: list[ChatLine]


class Health(BaseModel):
    """Whether the server works."""

    ok: bool
    version: str
    rules: int

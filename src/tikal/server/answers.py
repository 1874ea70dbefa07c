"""The shapes of what goes out: the OpenAPI document and the client's types are made from them.

They only describe. What leaves is made by the projection and is not looked at again, which would cost time; the tests
hold every answer and every message of whole games against these shapes. Every field is always there, unless it says
that it may be left out.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, RootModel, create_model

from tikal.rules.options import VALUES
from tikal.server.errors import STATUS
from tikal.server.shapes import Back, Play, Resign, SeatNumber, Seq, Timeout

Phase = Literal["place", "act", "bid", "take", "decide", "leap", "over"]
Hex = Annotated[str, Field(pattern=r"^[a-h][1-5]$")]
Tile = Annotated[str, Field(pattern=r"^[A-G][1-9]$")]
Placed = Annotated[str, Field(pattern=r"^[A-G][1-9]\^[0-5]$")]
Passage = Annotated[str, Field(pattern=r"^[a-h][1-5]-[a-h][1-5]$")]
Action = Annotated[str, Field(max_length=24)]
Member = Literal["W", "L"]
Code = Annotated[str, Field(json_schema_extra={"enum": list(STATUS)})]
Kinds = Annotated[list[int], Field(min_length=8, max_length=8)]
Millis = Annotated[int, Field(ge=0, description="milliseconds since 1970")]


class Told(BaseModel):
    """What goes out: nothing else is in it."""

    model_config = ConfigDict(extra="forbid")


def example(**values: Any) -> ConfigDict:
    """The settings of a shape with an example."""
    return ConfigDict(extra="forbid", json_schema_extra={"examples": [values]})


def _maybe(description: str) -> Any:
    """A field that may be left out; then it is not there, rather than null."""
    return Field(None, description=description, json_schema_extra=_without_default)


def _without_default(schema: dict[str, Any]) -> None:
    del schema["default"]


# Refusals, people, the server


class Problem(Told):
    """Why a request was refused; nothing was changed."""

    model_config = example(code="stale", text="made on 4, but the table is at 6", seq=6)
    code: Code
    text: str
    seq: Seq = _maybe("with `stale`: where the table is")
    action: str = _maybe("with `illegal`: the action that can't be")
    why: str = _maybe("with `illegal`: the condition that failed")


class ProblemBody(Told):
    """The body of every answer that is a refusal."""

    error: Problem


class Me(Told):
    """Who one is; the token only where it was just made."""

    model_config = example(name="Ann", login=None, token=None)
    name: str
    login: Annotated[str | None, Field(description="the name to log in with; none: a guest")] = None
    token: str | None = None


class WhoAmI(Told):
    """Who one is; no name: nobody yet."""

    model_config = example(name="Ann", login=None)
    name: str | None
    login: Annotated[str | None, Field(description="the name to log in with; none: a guest")] = None


class WebhookBody(Told):
    """One's own webhook; `enabled` is false without one, and when it rests after too many failures."""

    model_config = example(url="https://hooks.example/tikal", failures=0, enabled=True)
    url: str | None
    failures: Annotated[int, Field(description="deliveries in a row that failed")]
    enabled: bool


class WebhookTest(Told):
    """How a test of the webhook went."""

    model_config = example(ok=False, problem="the answer was 404")
    ok: bool
    problem: str | None


class Link(Told):
    """A personal link: moves one's identity to another device, once, within a day."""

    model_config = example(token="…", url="https://tikal.example/link#…", svg="<svg …", expires=1790000000000)
    token: str
    url: str
    svg: Annotated[str, Field(description="the QR code of the address")]
    expires: Millis


class Health(Told):
    """Whether the server works."""

    model_config = example(ok=True, version="0.1.0", rules=1)
    ok: bool
    version: str
    rules: int


# Tables


class Seat(Told):
    """A place at a table."""

    seat: SeatNumber
    kind: Literal["open", "person", "bot"]
    name: str
    level: str | None
    substituted: Annotated[bool, Field(description="a bot plays on for somebody who gave up")]
    yours: bool


class You(Told):
    """What the one who asks is at this table."""

    seats: list[SeatNumber]
    owner: bool


class _Clock(Told):
    timeout: Annotated[Timeout, Field(description="whether a bot then plays the turn or takes the seat")]
    now: Annotated[Millis, Field(description="the server's time: by it one's own is corrected")]
    deadline: Annotated[Millis | None, Field(description="when the turn that runs ends, if a person has it")]
    remaining: Annotated[list[int | None], Field(description="milliseconds of each seat; null where no time runs")]
    lent: Annotated[SeatNumber | None, Field(description="the seat whose turn a bot plays: its time has run out")]


class LiveTime(_Clock):
    """A bank of time for each seat, and an increment for each turn that it ends."""

    kind: Literal["live"]
    bank_s: int
    increment_s: int


class DailyTime(_Clock):
    """A deadline for each turn."""

    kind: Literal["daily"]
    days: int


class TableInfo(Told):
    """A table without its game."""

    id: str
    state: Literal["open", "playing", "over", "frozen", "closed"]
    public: bool
    options: Annotated[dict[str, str], Field(description="the edition, and what differs from it")]
    rules: int
    seating: Literal["chosen", "random"]
    hints: bool
    hinted: Annotated[bool, Field(description="a hint was asked for: the game is not rated")]
    substitute: str
    seats: list[Seat]
    turn: SeatNumber | None
    your_turn: bool
    clock: Annotated[LiveTime | DailyTime, Field(discriminator="kind")] | None
    you: You
    commitment: str
    nonces: list[str]
    seed: Annotated[str | None, Field(description="when the game is over")]
    rematch: Annotated[str | None, Field(description="the table of the rematch")]
    created: Millis
    changed: Millis


class TableList(Told):
    """Several tables."""

    tables: list[TableInfo]


class Invitation(Told):
    """A table's address as other devices reach it."""

    model_config = example(url="https://tikal.example/table/dGhlIGp1bmdsZSBpcyBk", svg="<svg …")
    url: str
    svg: Annotated[str, Field(description="the QR code of the address")]


# Events


class SeatAtStart(Told):
    """Who sat where when the game began."""

    seat: SeatNumber
    kind: Literal["person", "bot"]
    name: str
    level: str | None


class GoneTile(Told):
    """A tile that fitted nowhere and left the game, and the seat whose it was."""

    seat: SeatNumber
    tile: Tile


class After(Told):
    """How an action left the game."""

    phase: Phase
    seat: SeatNumber | None
    tile: Tile | None
    scores: list[int]


class _Event(Told):
    seq: Seq
    at: Millis


class StartEvent(_Event):
    """The game began."""

    kind: Literal["start"]
    seat: None
    seats: list[SeatAtStart]


class PlayEvent(_Event):
    """An action was played. A token of a leap that is not shown yet is `J:?`."""

    kind: Literal["play"]
    seat: SeatNumber
    action: Action
    revealed: Annotated[int | None, Field(description="the kind dug, or the sum of the dice")]
    gone: list[GoneTile]
    shown: Annotated[dict[str, int] | None, Field(description="seat to tokens of a leap, when all have chosen")]
    after: After


class UndoEvent(_Event):
    """The last actions were taken back."""

    kind: Literal["undo"]
    seat: SeatNumber
    count: Annotated[int, Field(ge=1)]


class SeatEvent(_Event):
    """Somebody else sits there now."""

    kind: Literal["seat"]
    seat: SeatNumber
    to: Literal["bot"]
    level: str
    why: Literal["time"] = _maybe("whether the time had run out; else somebody resigned")


class TimeEvent(_Event):
    """Time has run out: a bot plays this turn."""

    kind: Literal["time"]
    seat: SeatNumber
    to: Literal["bot"]
    level: str


_Happens = StartEvent | PlayEvent | UndoEvent | SeatEvent | TimeEvent


class Event(RootModel[Annotated[_Happens, Field(discriminator="kind")]]):
    """Something that happened at a table."""


class EventList(Told):
    """Events after a number."""

    seq: Seq
    events: list[Event]


# The game as somebody may see it


GameOptions: type[BaseModel] = create_model(
    "GameOptions",
    __base__=Told,
    __doc__="All options of a game.",
    **{name: (Literal[tuple(values)], ...) for name, values in VALUES.items()},  # type: ignore[call-overload]
)


class Scoring(Told):
    """The scoring round that is on: the order of the seats, and how many of them have had their turn."""

    kind: Literal["volcano", "final"]
    order: list[SeatNumber]
    place: int


class Auction(Told):
    """The round of an auction: who has had a turn, who is out of the bidding, and who holds the high bid."""

    had_turn: list[SeatNumber]
    out: list[SeatNumber]
    first_out: SeatNumber | None
    bidder: SeatNumber | None


class Leaps(Told):
    """The round of the variant `leaps`: tiles and tokens per seat; `chosen` is null where hidden or not chosen yet."""

    order: list[SeatNumber]
    place: int
    tiles: list[Tile | None]
    tokens: list[int]
    chosen: list[int | None]
    stage: Literal["fresh", "walking", "spent"] | None
    walker: tuple[Member, Hex] | None
    erupted: bool


class View(Told):
    """What a seat, or a spectator (`viewer` null), may know: enough to play by. Lists are per seat."""

    viewer: SeatNumber | None
    options: GameOptions  # type: ignore[valid-type]
    phase: Phase
    seat: Annotated[SeatNumber | None, Field(description="whose decision it is")]
    ap: int
    tile: Annotated[Tile | None, Field(description="drawn or taken, and not placed yet")]
    deck_left: int
    display: list[Tile]
    bid: int
    scores: list[int]
    treasures: list[Kinds]
    levels: Annotated[dict[str, int], Field(description="hex to level, for all explored temples")]
    tiles: Annotated[dict[str, Placed], Field(description="hex to tile^rotation")]
    workers: Annotated[list[dict[str, int]], Field(description="hex to count")]
    leader: Annotated[list[str], Field(description="a hex, `reserve` or `gone`")]
    reserve: list[int]
    camps: Annotated[dict[str, SeatNumber], Field(description="hex to seat")]
    guards: Annotated[dict[str, SeatNumber], Field(description="hex to seat; also those with a gun")]
    guns: list[Hex]
    obstacles: list[Passage]
    tokens: Annotated[dict[str, int], Field(description="treasure hex to tokens left")]
    supply: Annotated[dict[str, int], Field(description="level to level tiles left")]
    winners: Annotated[list[SeatNumber] | None, Field(description="when the game is over")]
    unseen_tiles: list[Tile]
    unseen_kinds: Kinds
    top_letter: str | None
    gone: list[Tile]
    work: Annotated[list[dict[str, int]], Field(description="hex to work done there this turn")]
    turn_seat: SeatNumber
    volcano_seat: SeatNumber | None
    scoring: Scoring | None
    auction: Auction
    lost: list[dict[str, int]]
    fired: list[Hex]
    rolls: int
    volcanoes_taken: int
    round_scored: bool
    leaps: Leaps | None


class ForecastSeat(Told):
    """What a seat would score if scoring came now."""

    seat: SeatNumber
    temples: Annotated[dict[str, int], Field(description="hex to points, of the temples it holds")]
    treasures: Annotated[dict[str, int], Field(description="kind (1 to 8) to points")]
    total: int


# The offer


class OfferedAction(Told):
    """A legal action, and its cost in AP."""

    action: Action
    cost: int


class Walk(Told):
    """A way of a member: its cost in all, and the actions that take it there, to be played as one list."""

    member: Member
    from_: Annotated[Hex, Field(alias="from")]
    to: Hex
    cost: int
    actions: list[Action]


class Refusal(Told):
    """Work that can't be done on a hex, and why."""

    action: Action
    code: str
    rule: str
    text: str


class Place(Told):
    """A legal place of the tile in hand, and what a step to each neighbour would cost."""

    action: Action
    hex: Hex
    rotation: Annotated[int, Field(ge=0, le=5)]
    passages: Annotated[dict[str, int], Field(description="neighbouring hex to AP")]


class Offer(Told):
    """All that the seat can do now."""

    seat: SeatNumber
    phase: Phase
    ap: int
    actions: list[OfferedAction]
    walks: list[Walk]
    refusals: Annotated[dict[str, list[Refusal]], Field(description="by hex")]
    places: list[Place]


# Updates, replays, analyses


class _Position(Told):
    forecast: list[ForecastSeat]
    view: View


class Update(Told):
    """How a table stands for who asks, and the events since then. Before the start there is no view."""

    type: Literal["update"]
    table: str
    seq: Seq
    events: list[Event]
    info: TableInfo
    fault: Annotated[str | None, Field(description="why the table is frozen")]
    view: View | None
    forecast: list[ForecastSeat] | None
    offer: Annotated[Offer | None, Field(description="in one's own turn")]
    undo: Annotated[int, Field(description="how many actions may be taken back")]


class WhatIfBody(_Position):
    """How things would stand; `stopped` is the action before which it stopped because it would reveal something."""

    played: list[Action]
    stopped: Action | None
    seq: Seq
    offer: Offer | None
    undo: int


class ReplayBody(_Position):
    """How things stood after the action `at` of `of`; who played it, and what it revealed."""

    at: int
    of: int
    seat: SeatNumber | None
    action: Action | None
    revealed: int | None


class Scored(Told):
    """A seat scored, after the action `actions`: in which scoring round (from 1), and what for."""

    round: Annotated[int, Field(ge=1)]
    final: bool
    seat: SeatNumber
    temples: int
    treasures: int
    actions: int


class Payment(Told):
    """A bid that was paid, after the action `actions`."""

    actions: int
    seat: SeatNumber
    paid: int


class Balance(Told):
    """A seat's score by its sources: `total` is what the others give, less the bids."""

    start: int
    temples: int
    treasures: int
    bids: int
    total: int


class Scores(Told):
    """Where the scores come from, after `of` actions. `course`: each seat's score at the start and after each tile."""

    of: int
    scorings: list[Scored]
    payments: list[Payment]
    balance: Annotated[list[Balance], Field(description="by seat")]
    course: list[list[int]]


class Frames(Told):
    """Frames from `start` on; the last of all is `of`."""

    start: int
    of: int
    frames: list[ReplayBody]


class Check(Told):
    """Something that was checked in a record."""

    code: Annotated[str, Field(description="rules, result, shuffle, commitment")]
    ok: bool
    text: str


class RecordBody(Frames):
    """A record that somebody brought: `events` are all, counted like the actions; `frames` begin at `start`."""

    players: list[str]
    date: str
    ok: bool
    checks: list[Check]
    scores: Scores
    events: list[Event]


class Parts(Told):
    """The parts of a value, in points: they add up to it."""

    score: float
    temples: float
    treasures: float
    reach: float
    time: float
    outlook: float


class AnalysedTurn(Told):
    """A turn that a bot would think of: the first `sure` actions can be played before chance or others have a say."""

    actions: list[Action]
    sure: int
    value: float
    parts: Parts
    chance: float


class AnalysedSeat(Told):
    """What a seat may have in the end, and its chance to win, after the first of the turns."""

    seat: SeatNumber
    score: int
    estimate: float
    chance: float


class Analysis(Told):
    """What a bot thinks of a position: the best few turns, the one it prefers first."""

    model_config = example(
        seat=1,
        phase="place",
        level="professor",
        nodes=40000,
        turns=[
            {
                "actions": ["A5@b2^0", "+L@a1", "L:a1-b2", "."],
                "sure": 4,
                "value": 3.2,
                "parts": {"score": 0, "temples": 1.1, "treasures": 0.9, "reach": 1.0, "time": 0, "outlook": 0.2},
                "chance": 0.55,
            }
        ],
        seats=[
            {"seat": 1, "score": 0, "estimate": 61.5, "chance": 0.55},
            {"seat": 2, "score": 0, "estimate": 58.3, "chance": 0.45},
        ],
    )
    seat: SeatNumber
    phase: Phase
    level: str
    nodes: int
    turns: list[AnalysedTurn]
    seats: list[AnalysedSeat]


class AckBody(Told):
    """The action is kept: the numbers of its first and last event."""

    model_config = example(first=5, seq=6, duplicate=False)
    first: Seq
    seq: Seq
    duplicate: bool


class Limit(Told):
    """How far the server bids for a seat in this auction."""

    seat: SeatNumber
    up_to: int


class Limits(Told):
    """One's own bids "up to"; nobody else is told."""

    model_config = example(bids=[{"seat": 1, "up_to": 7}])
    bids: list[Limit]


# Statistics


class Rating(Told):
    """A rating: everybody starts at 25; the doubt is one standard deviation."""

    value: float
    doubt: float
    games: Annotated[int, Field(description="that were rated")]


class Sums(Told):
    """Games and how they ended."""

    games: int
    wins: int
    mean_place: float | None


class ByPlayers(Sums):
    """The same, for games of so many players."""

    players: int


class Against(Told):
    """How often one was ahead of a level of bots."""

    level: str
    games: int
    ahead: int


class Result(Told):
    """How one of one's games ended."""

    table: str
    at: Millis
    players: int
    place: int
    score: int
    rated: bool


class Stats(Sums):
    """One's own results and rating; games with a hint, a substituted seat or a time-out are not rated."""

    model_config = example(
        rating={"value": 26.4, "doubt": 6.1, "games": 3},
        games=4,
        wins=2,
        mean_place=1.5,
        rated=3,
        by_players=[{"players": 2, "games": 4, "wins": 2, "mean_place": 1.5}],
        against=[{"level": "digger", "games": 4, "ahead": 2}],
        last=[
            {
                "table": "dGhlIGp1bmdsZSBpcyBk",
                "at": 1790000000000,
                "players": 2,
                "place": 1,
                "score": 61,
                "rated": True,
            }
        ],
    )
    rating: Rating | None
    rated: int
    by_players: list[ByPlayers]
    against: list[Against]
    last: Annotated[list[Result], Field(description="the newest first")]


class RankedPerson(Rating):
    """Somebody in the ranking."""

    name: str
    you: bool


class RankedBot(Rating):
    """A level of bots in the ranking."""

    level: str


class Ranking(Told):
    """People and bots by what they have surely reached: the rating less twice its doubt."""

    model_config = example(
        people=[{"name": "Ann", "you": True, "value": 26.4, "doubt": 6.1, "games": 3}],
        bots=[{"level": "digger", "value": 24.1, "doubt": 5.0, "games": 7}],
    )
    people: list[RankedPerson]
    bots: list[RankedBot]


# Chat


class ChatLine(Told):
    """A line of chat."""

    model_config = example(number=3, name="Ann", text="well dug", at=1790000000000)
    number: int
    name: str
    text: str
    at: Millis


class ChatLines(Told):
    """The last lines of chat."""

    lines: list[ChatLine]


# The WebSocket, /api/live: what a client says …

MessageId = str | int
OWN = "the client's own; the answer carries it too"


class Watch(Told):
    """From now on an update after every change; one comes at once, with the events after `since`."""

    model_config = example(type="watch", table="dGhlIGp1bmdsZSBpcyBk", since=0)
    type: Literal["watch"]
    table: str
    since: Seq | None = _maybe("none: no events")
    id: MessageId = _maybe(OWN)


class Unwatch(Told):
    """No more updates of this table."""

    model_config = example(type="unwatch", table="dGhlIGp1bmdsZSBpcyBk")
    type: Literal["unwatch"]
    table: str
    id: MessageId = _maybe(OWN)


class PlayMessage(Play):
    """Plays actions, all or none."""

    model_config = example(type="play", table="dGhlIGp1bmdsZSBpcyBk", id="tab1-17", on=4, actions=["W:a1-b2", "."])
    type: Literal["play"]
    table: str


class UndoMessage(Back):
    """Takes back the last action."""

    model_config = example(type="undo", table="dGhlIGp1bmdsZSBpcyBk", id="tab1-18", on=6)
    type: Literal["undo"]
    table: str


class RestartMessage(Back):
    """Starts the turn again."""

    model_config = example(type="restart", table="dGhlIGp1bmdsZSBpcyBk", id="tab1-19", on=6)
    type: Literal["restart"]
    table: str


class ResignMessage(Resign):
    """Gives a seat up."""

    model_config = example(type="resign", table="dGhlIGp1bmdsZSBpcyBk", id="tab1-20")
    type: Literal["resign"]
    table: str


class Ping(Told):
    """Asks whether the server is there."""

    model_config = example(type="ping", id=1)
    type: Literal["ping"]
    id: MessageId = _maybe(OWN)


_Says = Watch | Unwatch | PlayMessage | UndoMessage | RestartMessage | ResignMessage | Ping


class ClientMessage(RootModel[Annotated[_Says, Field(discriminator="type")]]):
    """What a client may send over the WebSocket."""


# … and what it hears


class UpdateMessage(Update):
    """An update; with the `id` of the `watch` that it answers."""

    id: MessageId = _maybe(OWN)


class Ack(Told):
    """An action is kept; or a table is no longer watched, then without numbers."""

    model_config = example(type="ack", table="dGhlIGp1bmdsZSBpcyBk", id="tab1-17", first=5, seq=6, duplicate=False)
    type: Literal["ack"]
    table: str
    first: Seq = _maybe("the number of its first event")
    seq: Seq = _maybe("and of its last")
    duplicate: bool = _maybe("whether it was a resend")
    id: MessageId = _maybe(OWN)


class ErrorMessage(Problem):
    """A message that changed nothing, and why."""

    model_config = example(type="error", id="tab1-17", code="stale", text="made on 4, but the table is at 6", seq=6)
    type: Literal["error"]
    id: MessageId = _maybe(OWN)


class ChatMessage(Told):
    """Somebody said something at a watched table."""

    type: Literal["chat"]
    table: str
    line: ChatLine


class TurnMessage(Told):
    """It is one's turn now at a table, watched or not."""

    model_config = example(type="turn", table="dGhlIGp1bmdsZSBpcyBk", seat=1, deadline=None)
    type: Literal["turn"]
    table: str
    seat: SeatNumber
    deadline: Millis | None


class Pong(Told):
    """The server is there."""

    model_config = example(type="pong", id=1)
    type: Literal["pong"]
    id: MessageId = _maybe(OWN)


_Hears = UpdateMessage | Ack | ErrorMessage | ChatMessage | TurnMessage | Pong


class ServerMessage(RootModel[Annotated[_Hears, Field(discriminator="type")]]):
    """What a client may hear over the WebSocket."""


SOCKET: tuple[type[BaseModel], ...] = (ClientMessage, ServerMessage)
"""What OpenAPI has no door for; the document has them among its schemas."""

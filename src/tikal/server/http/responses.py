"""The schemas of responses: the OpenAPI document and the client's types are made from them.

They only describe. The projection makes responses without validating them again, which would cost time; the tests
validate every answer and every message of whole games against these schemas. Every field is always present, unless it
is marked as optional.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, RootModel, create_model

from tikal.rules.options import VALUES
from tikal.server.errors import STATUS
from tikal.server.http.requests import Schema, SeatNumber, Seq, Timeout, example

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


def maybe(description: str) -> Any:
    """An optional field: omitted rather than null."""
    return Field(None, description=description, json_schema_extra=_without_default)


def _without_default(schema: dict[str, Any]) -> None:
    schema.pop("default", None)  # a schema that refers to another one has none


# Refusals, people, the server


class Reason(Schema):
    """A sentence for people: the key of a message in the area `reason`, and its values. `text` beside it is English."""

    model_config = example(key="option_needs", values={"option": "leaps", "needed": "auction"})
    key: str
    values: Annotated[dict[str, str | int | Reason], Field(description="a value may be the reason behind this one")]


class Problem(Schema):
    """Why a request was refused; nothing was changed."""

    model_config = example(code="stale", text="made on 4, but the table is at 6", seq=6)
    code: Code
    text: str
    seq: Seq = maybe("with `stale`: where the table is")
    action: str = maybe("with `illegal`: the illegal action")
    since: Millis = maybe("with `absent`: when the seat will count as absent")
    why: str = maybe("with `illegal`: the condition that failed")
    field: str = maybe("the field of the request that it is about")
    reason: Reason = maybe("the details of `text`, for clients in other languages")


class ProblemBody(Schema):
    """The body of every refusal."""

    error: Problem


class Me(Schema):
    """The caller's identity; with the token only when it is new."""

    model_config = example(name="Ann", login=None, language="fr", token=None)
    name: str
    login: Annotated[str | None, Field(description="the login name; omitted for a guest")] = None
    language: Annotated[str | None, Field(description="the language of notifications")] = None
    token: str | None = None


class WhoAmI(Schema):
    """The caller's identity; without a name if the caller has none yet."""

    model_config = example(name="Ann", login=None, language="fr")
    name: str | None
    login: Annotated[str | None, Field(description="the login name; omitted for a guest")] = None
    language: Annotated[str | None, Field(description="the language of notifications")] = None


class WebhookBody(Schema):
    """The caller's webhook; `enabled` is false without one, and after too many failures."""

    model_config = example(url="https://hooks.example/tikal", failures=0, enabled=True)
    url: str | None
    failures: Annotated[int, Field(description="failed deliveries in a row")]
    enabled: bool


class WebhookTest(Schema):
    """The result of a test of the webhook."""

    model_config = example(
        ok=False, problem="the answer was 404", reason={"key": "webhook_status", "values": {"status": 404}}
    )
    ok: bool
    problem: str | None
    reason: Reason | None


class Link(Schema):
    """A personal link: gives another device the caller's identity, once, within a day."""

    model_config = example(token="…", url="https://tikal.example/link#…", svg="<svg …", expires=1790000000000)
    token: str
    url: str
    svg: Annotated[str, Field(description="the QR code of the address")]
    expires: Millis


class BotHealth(Schema):
    """The health of the bots."""

    ok: Annotated[bool, Field(description="whether the last decision of a bot succeeded")]
    workers: Annotated[int, Field(description="bots that can run at once in this process")]
    waiting: Annotated[int, Field(description="decisions that wait for a worker")]
    failures: Annotated[int, Field(description="workers that failed or died, and were replaced")]


class Caller(Schema):
    """How the server sees the caller, to check a proxy."""

    scheme: str
    forwarded: Annotated[
        Literal["none", "trusted", "ignored"], Field(description="whether a proxy named the address, and was trusted")
    ]


class Health(Schema):
    """Whether the server works."""

    model_config = example(
        ok=True,
        version="0.2.0",
        rules=1,
        database=True,
        bots={"ok": True, "workers": 2, "waiting": 0, "failures": 0},
        caller={"scheme": "https", "forwarded": "trusted"},
    )
    ok: bool
    version: str
    rules: int
    database: Annotated[bool, Field(description="whether it can be read and written; false if the disk is full")]
    bots: BotHealth
    caller: Caller


# Tables


class Seat(Schema):
    """A seat at a table."""

    seat: SeatNumber
    kind: Literal["open", "person", "bot"]
    name: str
    level: str | None
    substituted: Annotated[bool, Field(description="a bot plays for a player who resigned")]
    alike: Annotated[bool, Field(description="the name equals or resembles another name at this table")]
    yours: bool


class You(Schema):
    """The caller's seats and rights at this table."""

    seats: list[SeatNumber]
    owner: bool


class _Clock(Schema):
    timeout: Annotated[Timeout, Field(description="whether a bot then plays the turn or takes the seat")]
    now: Annotated[Millis, Field(description="the server's time, for clients to correct their own")]
    deadline: Annotated[Millis | None, Field(description="when the current turn ends, if a person has it")]
    remaining: Annotated[list[int | None], Field(description="milliseconds of each seat; null without a running clock")]
    lent: Annotated[SeatNumber | None, Field(description="the seat whose turn a bot plays: its time has run out")]


class LiveTime(_Clock):
    """A bank of time for each seat, and an increment after each turn."""

    kind: Literal["live"]
    bank_s: int
    increment_s: int


class DailyTime(_Clock):
    """A deadline for each turn."""

    kind: Literal["daily"]
    days: int


class Ending(Schema):
    """Why a game ended early, and who won."""

    why: Literal["vote", "absent"]
    winners: list[SeatNumber]


class TableInfo(Schema):
    """A table without its game."""

    id: str
    state: Literal["open", "playing", "over", "frozen", "closed"]
    public: bool
    options: Annotated[dict[str, str], Field(description="the edition, and the options that differ from it")]
    rules: int
    seating: Literal["chosen", "random"]
    hints: bool
    hinted: Annotated[bool, Field(description="a player has asked for a hint")]
    rated: Annotated[bool, Field(description="whether the game is rated: decided at its start")]
    substitute: str
    seats: list[Seat]
    turn: SeatNumber | None
    votes: Annotated[list[SeatNumber], Field(description="the seats that want to end the game")]
    ended: Annotated[Ending | None, Field(description="how it ended, if it ended early")]
    absent_from: Annotated[Millis | None, Field(description="when the player to move counts as absent")]
    patience_h: Annotated[
        int, Field(description="without a clock: hours for a turn before the player counts as absent")
    ]
    stuck: Annotated[SeatNumber | None, Field(description="the seat of a bot that failed; it will run again")]
    your_turn: bool
    clock: Annotated[LiveTime | DailyTime, Field(discriminator="kind")] | None
    you: You
    commitment: Annotated[str | None, Field(description="to the seed; a practice table has none")]
    nonces: list[str]
    seed: Annotated[str | None, Field(description="when the game is over")]
    practice: Annotated[bool, Field(description="a practice table: never listed, rated or counted")]
    rematch: Annotated[str | None, Field(description="the table of the rematch")]
    created: Millis
    changed: Millis


class TableList(Schema):
    """Several tables."""

    tables: list[TableInfo]


class SeatResult(Schema):
    """How a game ended for a seat."""

    place: int
    score: int


class MyTable(TableInfo):
    """One of the caller's tables, with the result of its game."""

    results: Annotated[list[SeatResult], Field(description="by seat, when the game is over; empty before")]


class MyTableList(Schema):
    """The caller's tables."""

    tables: list[MyTable]


class Invitation(Schema):
    """A table's address for other devices."""

    model_config = example(url="https://tikal.example/table/dGhlIGp1bmdsZSBpcyBk", svg="<svg …")
    url: str
    svg: Annotated[str, Field(description="the QR code of the address")]


# Events


class SeatAtStart(Schema):
    """The players at the start of the game."""

    seat: SeatNumber
    kind: Literal["person", "bot"]
    name: str
    level: str | None


class GoneTile(Schema):
    """A tile that fitted nowhere and left the game, and the seat that had to place it."""

    seat: SeatNumber
    tile: Tile


class After(Schema):
    """The game after an action."""

    phase: Phase
    seat: SeatNumber | None
    tile: Tile | None
    scores: list[int]


class _Event(Schema):
    seq: Seq
    at: Millis


class StartEvent(_Event):
    """The game began."""

    kind: Literal["start"]
    seat: None
    seats: list[SeatAtStart]


class PlayEvent(_Event):
    """An action was played. Tokens of a leap that are still hidden are `J:?`."""

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
    """A seat has changed hands."""

    kind: Literal["seat"]
    seat: SeatNumber
    to: Literal["bot", "person"]
    level: str = maybe("of the bot")
    name: str = maybe("of the person who took it over")
    why: Literal["time", "absent"] = maybe("if the player ran out of time or was absent")


class TimeEvent(_Event):
    """Time has run out: a bot plays this turn."""

    kind: Literal["time"]
    seat: SeatNumber
    to: Literal["bot"]
    level: str


class VoteEvent(_Event):
    """A player wants to end the game, or no longer."""

    kind: Literal["vote"]
    seat: SeatNumber
    end: bool


class EndEvent(_Event, Ending):
    """The game ended early."""

    kind: Literal["end"]
    seat: None


_Happens = StartEvent | PlayEvent | UndoEvent | SeatEvent | TimeEvent | VoteEvent | EndEvent


class Event(RootModel[Annotated[_Happens, Field(discriminator="kind")]]):
    """An event at a table."""


class EventList(Schema):
    """Events after a given one."""

    seq: Seq
    events: list[Event]


# The game as a viewer sees it


GameOptions: type[BaseModel] = create_model(
    "GameOptions",
    __base__=Schema,
    __doc__="All options of a game.",
    **{name: (Literal[tuple(values)], ...) for name, values in VALUES.items()},  # type: ignore[call-overload]
)


class Scoring(Schema):
    """The current scoring round: the order of the seats, and how many of them have had their turn."""

    kind: Literal["volcano", "final"]
    order: list[SeatNumber]
    place: int


class Auction(Schema):
    """The round of an auction: the seats that have had a turn, those out of the bidding, and the high bidder."""

    had_turn: list[SeatNumber]
    out: list[SeatNumber]
    first_out: SeatNumber | None
    bidder: SeatNumber | None


class Leaps(Schema):
    """The round of the variant `leaps`: tiles and tokens per seat; `chosen` is null where hidden or not chosen yet."""

    order: list[SeatNumber]
    place: int
    tiles: list[Tile | None]
    tokens: list[int]
    chosen: list[int | None]
    stage: Literal["fresh", "walking", "spent"] | None
    walker: tuple[Member, Hex] | None
    erupted: bool


class View(Schema):
    """What a seat, or a spectator (`viewer` null), may know: enough to play from. Lists are per seat."""

    viewer: SeatNumber | None
    options: GameOptions  # type: ignore[valid-type]
    phase: Phase
    seat: Annotated[SeatNumber | None, Field(description="the seat to decide")]
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
    worked: Annotated[list[dict[str, int]], Field(description="hex to members that can't work again this turn [R21]")]
    fired: list[Hex]
    rolls: int
    volcanoes_taken: int
    round_scored: bool
    leaps: Leaps | None


class ForecastSeat(Schema):
    """What a seat would score now, and its strength at temples."""

    seat: SeatNumber
    temples: Annotated[dict[str, int], Field(description="hex to points, for the temples it controls")]
    strengths: Annotated[dict[str, int], Field(description="hex to strength, for the temples where it has members")]
    treasures: Annotated[dict[str, int], Field(description="kind (1 to 8) to points")]
    total: int


class LetterAhead(Schema):
    """The remaining tiles of a letter, and whether a volcano is among them."""

    letter: str
    tiles: int
    volcano: bool


class Prospect(Schema):
    """What may come next, and the progress of a scoring round."""

    letter: Annotated[str | None, Field(description="letter of the next tile, if it is known")]
    left: Annotated[int, Field(description="tiles that the next one is drawn from")]
    volcano: Annotated[float, Field(ge=0, le=1, description="how likely the next tile is a volcano")]
    letters: list[LetterAhead]
    round: Literal["none", "volcano", "final"]
    scored: Annotated[list[SeatNumber], Field(description="seats that have scored in this round")]
    to_score: Annotated[list[SeatNumber], Field(description="seats that are still to score, in order")]


# The offer


class OfferedAction(Schema):
    """A legal action, and its cost in AP."""

    action: Action
    cost: int


class Walk(Schema):
    """A walk of a member: its total cost, and the actions for it, to be played as one list."""

    member: Member
    from_: Annotated[Hex, Field(alias="from")]
    to: Hex
    cost: int
    actions: list[Action]


class Refusal(Schema):
    """Work that is refused on a hex, and why."""

    action: Action
    code: str
    rule: str
    text: str


class Place(Schema):
    """A legal placement of the current tile, and what a step to each neighbour would cost."""

    action: Action
    hex: Hex
    rotation: Annotated[int, Field(ge=0, le=5)]
    passages: Annotated[dict[str, int], Field(description="neighbouring hex to AP")]


class Bidding(Schema):
    """An auction: the lowest bid allowed now, and the highest for each seat that is still in it."""

    least: int
    most: Annotated[dict[str, int], Field(description="by seat")]


class Offer(Schema):
    """Everything that the seat can do now."""

    seat: SeatNumber
    phase: Phase
    ap: int
    actions: list[OfferedAction]
    walks: list[Walk]
    refusals: Annotated[dict[str, list[Refusal]], Field(description="by hex")]
    places: list[Place]
    bidding: Bidding | None


# Updates, replays, analyses


class _Position(Schema):
    forecast: list[ForecastSeat]
    view: View


class Update(Schema):
    """A table as the caller may see it, with events. Before the start there is no view."""

    type: Literal["update"]
    table: str
    seq: Seq
    events: list[Event]
    info: TableInfo
    fault: Annotated[str | None, Field(description="why the table is frozen")]
    view: View | None
    forecast: list[ForecastSeat] | None
    prospect: Prospect | None
    offer: Annotated[Offer | None, Field(description="in the viewer's own turn")]
    undo: Annotated[int, Field(description="how many actions may be taken back")]


class WhatIfBody(_Position):
    """A hypothetical position; `stopped` is the action that would have revealed something and was not played."""

    played: list[Action]
    stopped: Action | None
    prospect: Prospect
    seq: Seq
    offer: Offer | None
    undo: int


class ReplayBody(_Position):
    """The position after the action `at` of `of`; the seat that played it, and what it revealed."""

    at: int
    of: int
    seat: SeatNumber | None
    action: Action | None
    revealed: int | None


class Scored(Schema):
    """A scoring of a seat, after the action `actions`: the scoring round (from 1), and the sources."""

    round: Annotated[int, Field(ge=1)]
    final: bool
    seat: SeatNumber
    temples: int
    treasures: int
    actions: int


class Payment(Schema):
    """A bid that was paid, after the action `actions`."""

    actions: int
    seat: SeatNumber
    paid: int


class Balance(Schema):
    """A seat's score by its sources: `total` is the sum of the others minus the bids."""

    start: int
    temples: int
    treasures: int
    bids: int
    total: int


class Tied(Schema):
    """A seat with the highest score, and what breaks ties: the best temple that it guards, and its treasures."""

    seat: SeatNumber
    guard: int
    treasures: int


class Tie(Schema):
    """A tie for first place and what decided it; `rule`: the edition compares nothing, so the win is shared."""

    by: Literal["guard", "treasures", "shared", "rule"]
    seats: list[Tied]


class Scores(Schema):
    """Where the scores come from, after `of` actions. `course`: each seat's score at the start and after each tile."""

    of: int
    scorings: list[Scored]
    payments: list[Payment]
    balance: Annotated[list[Balance], Field(description="by seat")]
    course: list[list[int]]
    tie: Tie | None


class Frames(Schema):
    """Frames from `start` on; the last frame of the game is `of`."""

    start: int
    of: int
    frames: list[ReplayBody]


class Check(Schema):
    """One check of a record."""

    code: Annotated[str, Field(description="rules, result, shuffle, commitment")]
    ok: bool
    text: str
    reason: Reason


class RecordBody(Frames):
    """An uploaded record: `events` are all of its events, numbered like the actions; `frames` begin at `start`."""

    players: Annotated[list[str], Field(description="a name or bot:LEVEL for each seat; empty if the record has none")]
    date: str
    ok: bool
    checks: list[Check]
    scores: Scores
    events: list[Event]


class Parts(Schema):
    """The parts of a value, in points, which add up to it."""

    score: float
    temples: float
    reach: float
    guards: float
    treasures: float
    exchanges: float
    ruins: float
    camps: float
    members: float
    outlook: float


class Change(Schema):
    """A temple that changes hands: the seat that controls it before and after a turn; null is nobody."""

    hex: Hex
    level: int
    before: SeatNumber | None
    after: SeatNumber | None


class Fear(Schema):
    """A temple that the seat controls and a rival can take in one turn: the rival that needs the fewest AP."""

    hex: Hex
    level: int
    seat: SeatNumber
    cost: int


class AnalysedTurn(Schema):
    """A turn that a bot considers: the first `sure` actions can be played before chance or others intervene."""

    actions: list[Action]
    sure: int
    value: float
    parts: Parts
    chance: float
    changes: list[Change]
    fears: Annotated[list[Fear], Field(description="after the turn")]


class AnalysedSeat(Schema):
    """A seat's expected final score and chance to win, after the first of the turns."""

    seat: SeatNumber
    score: int
    estimate: float
    chance: float


WORTH = {
    "score": 0,
    "temples": 0.4,
    "reach": 0.7,
    "guards": 0,
    "treasures": 0.9,
    "exchanges": 0,
    "ruins": 0.6,
    "camps": 0.1,
    "members": 0.3,
    "outlook": 0.2,
}


class Analysis(Schema):
    """A bot's analysis of a position: the best few turns, its favourite first."""

    model_config = example(
        seat=1,
        phase="place",
        level="professor",
        nodes=40000,
        now=WORTH,
        turns=[
            {
                "actions": ["A5@b2^0", "+L@a1", "L:a1-b2", "."],
                "sure": 4,
                "value": 3.2,
                "parts": WORTH,
                "chance": 0.55,
                "changes": [{"hex": "a2", "level": 2, "before": 2, "after": 1}],
                "fears": [],
            }
        ],
        fears=[],
        seats=[
            {"seat": 1, "score": 0, "estimate": 61.5, "chance": 0.55},
            {"seat": 2, "score": 0, "estimate": 58.3, "chance": 0.45},
        ],
    )
    seat: SeatNumber
    phase: Phase
    level: str
    nodes: int
    now: Annotated[Parts, Field(description="the parts of the value before the turn")]
    fears: Annotated[list[Fear], Field(description="if the turn ended now")]
    turns: list[AnalysedTurn]
    seats: list[AnalysedSeat]


class AckBody(Schema):
    """The action is stored: the numbers of its first and last event."""

    model_config = example(first=5, seq=6, duplicate=False)
    first: Seq
    seq: Seq
    duplicate: bool


class Limit(Schema):
    """The server's bid limit for a seat in this auction."""

    seat: SeatNumber
    up_to: int


class Limits(Schema):
    """A person's own limits, which are private, and the most that each of their seats may bid."""

    model_config = example(bids=[{"seat": 1, "up_to": 7}], most={"1": 20})
    bids: list[Limit]
    most: Annotated[dict[str, int], Field(description="by seat, for those still in the auction")]


# Statistics


class Rating(Schema):
    """A rating: everybody starts at 25; the doubt is one standard deviation."""

    value: float
    doubt: float
    games: Annotated[int, Field(description="rated games")]


class Sums(Schema):
    """Games by how they ended."""

    games: int
    wins: int
    mean_place: float | None


class ByPlayers(Sums):
    """The same, for games with this many players."""

    players: int


class Against(Schema):
    """How often the caller finished ahead of a level of bots."""

    level: str
    games: int
    ahead: int


class Result(Schema):
    """The result of one of the caller's games."""

    table: str
    at: Millis
    players: int
    place: int
    score: int
    rated: bool


class Stats(Sums):
    """The caller's results and rating. Games with hints, or with two seats of one person, are not rated."""

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
    """A person in the ranking."""

    name: str
    you: bool


class RankedBot(Rating):
    """A level of bots in the ranking."""

    level: str


class Ranking(Schema):
    """People and bots by a cautious estimate: the rating minus twice its doubt."""

    model_config = example(
        people=[{"name": "Ann", "you": True, "value": 26.4, "doubt": 6.1, "games": 3}],
        bots=[{"level": "digger", "value": 24.1, "doubt": 5.0, "games": 7}],
    )
    people: list[RankedPerson]
    bots: list[RankedBot]


# Chat


class ChatLine(Schema):
    """A line of chat."""

    model_config = example(number=3, seat=1, name="Ann", text="well dug", at=1790000000000)
    number: int
    seat: Annotated[SeatNumber | None, Field(description="seat of the speaker; null: an owner without a seat")]
    name: Annotated[str, Field(description="name of the seat at that time")]
    text: str
    at: Millis


class ChatLines(Schema):
    """The last lines of chat."""

    lines: list[ChatLine]

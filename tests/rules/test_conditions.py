"""Every condition of every action failing alone: a position in which the action is legal, with one change."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from tests.kit.positions import Position, legal, play, refused, why_not
from tikal.play.notation import parse
from tikal.play.view import status
from tikal.rules import refusals
from tikal.rules.facts import Facts
from tikal.rules.options import Options

OBSTACLES = Options(obstacles=True)
GUNS = Options(machine_gun=True)
LEAPS = Options(auction=True, leaps=True)
AUCTION = Options(players=3, auction=True)
NO_SEALING = Options(volcano_may_seal=False)
ONCE = Options(members_work_once=True)
SUDDEN = Options(auction=True, sudden_death=True, double_volcano="taker_decides")


@dataclass(frozen=True)
class Row:
    """An action, the position in which it is legal, the change that makes it illegal, and the code of the refusal.

    `spoil` changes the position; `instead` is another action, if the action itself is changed.
    """

    action: str
    position: Position
    code: str
    spoil: Mapping[str, Any] = field(default_factory=dict)
    instead: str = ""

    def __str__(self) -> str:
        what = ",".join(name if name == "options" else f"{name}={value}" for name, value in self.spoil.items())
        once = "once " if self.position.options.members_work_once else ""
        return f"{once}{self.action} {self.code} {self.instead or what}".rstrip()


ENTER = Position(ap=1)
IN_CAMP = Position(camps={"b2": 1}, ap=1)
ENTERING = [
    Row("+W@a1", ENTER, "phase", {"phase": "place", "hand": "A1"}),
    Row("+W@a1", ENTER, "ap", {"ap": 0}),
    Row("+L@a1", ENTER, "ap", {"ap": 0}),
    Row("+W@a1", ENTER, "reserve", {"reserve": {1: 0}}),
    Row("+L@a1", ENTER, "reserve", {"members": {1: "a1:L"}}),
    Row("+L@a1", ENTER, "reserve", {"members": {1: "gone"}}),
    Row("+W@b2", IN_CAMP, "camp", {"camps": {}}),
    Row("+W@b2", IN_CAMP, "camp", {"camps": {"b2": 2}}),
    Row("+L@b2", IN_CAMP, "camp", {"camps": {"b2": 2}}),
]

STEP = Position(tiles="A6@b3^3", members={1: "b2:WL"}, ap=2)
BY_GUN = Position(options=GUNS, tiles="A1@b3^3", members={1: "b2:W"}, guards={"b3": 1}, guns="b3")
MOVING = [
    Row("W:b2-b3", STEP, "phase", {"phase": "place", "hand": "A1"}),
    Row("W:b2-b3", STEP, "ap", {"ap": 1}),
    Row("L:b2-b3", STEP, "ap", {"ap": 1}),
    Row("W:b2-b3", STEP, "absent", {"members": {1: "b2:L"}}),
    Row("L:b2-b3", STEP, "absent", {"members": {1: "b2:W"}}),
    Row("W:b2-b3", STEP, "absent", {"members": {1: "a1:W", 2: "b2:W"}}),
    Row("W:b2-b3", STEP, "apart", instead="W:b2-c3"),
    Row("W:b2-b3", STEP, "apart", instead="W:b2-b2"),
    Row("W:b2-b3", STEP, "unexplored", {"tiles": ""}),
    Row("W:b2-b3", STEP, "volcano", {"tiles": "B6@b3^0"}),
    Row("W:b2-a1", STEP, "passage", instead="W:b2-a2"),
    Row("W:b2-b3", BY_GUN, "gun", {"guards": {"b3": 2}}),
]

CAMPS = Position(tiles="C5@c3^0", members={1: "b2:WL"}, camps={"b2": 1, "c3": 1}, ap=1)
MOVING_BY_CAMP = [
    Row("W:b2=c3", CAMPS, "phase", {"phase": "place", "hand": "A1"}),
    Row("W:b2=c3", CAMPS, "ap", {"ap": 0}),
    Row("W:b2=a1", CAMPS, "ap", {"ap": 0}),
    Row("W:b2=c3", CAMPS, "absent", {"members": {1: "b2:L"}}),
    Row("L:b2=c3", CAMPS, "absent", {"members": {1: "b2:W"}}),
    Row("W:b2=c3", CAMPS, "same", instead="W:b2=b2"),
    Row("W:b2=c3", CAMPS, "camp", {"camps": {"c3": 1}}),
    Row("W:b2=c3", CAMPS, "camp", {"camps": {"b2": 1}}),
    Row("W:b2=c3", CAMPS, "camp", {"camps": {"b2": 1, "c3": 2}}),
    Row("W:b2=c3", CAMPS, "camp", {"camps": {"b2": 2, "c3": 1}}),
]

TEMPLE = Position(tiles="B2@c3^0", members={1: "c3:W"}, ap=2)
SECOND_LEVEL = replace(TEMPLE, members={1: "c3:LWW"}, done={1: {"c3": 1}})
EXCAVATING = [
    Row("X@c3", TEMPLE, "phase", {"phase": "place", "hand": "A1"}),
    Row("X@c3", TEMPLE, "ap", {"ap": 1}),
    Row("X@c3", TEMPLE, "terrain", {"tiles": "C5@c3^0"}),
    Row("X@c3", TEMPLE, "terrain", {"tiles": "C3@c3^0"}),
    Row("X@c3", TEMPLE, "terrain", instead="X@a1"),
    Row("X@c3", TEMPLE, "terrain", instead="X@h5"),
    Row("X@c3", TEMPLE, "guarded", {"guards": {"c3": 2}}),
    Row("X@c3", TEMPLE, "guarded", {"guards": {"c3": 1}}),
    Row("X@c3", TEMPLE, "supply", {"supply": {4: 0}}),
    Row("X@c3", replace(TEMPLE, levels={"c3": 9}), "top", {"levels": {"c3": 10}}),
    Row("X@c3", TEMPLE, "members", {"members": {1: "a1:W", 2: "c3:W"}}),
    Row("X@c3", TEMPLE, "members", {"done": {1: {"c3": 1}}}),
    Row("X@c3", SECOND_LEVEL, "members", {"members": {1: "c3:L a1:WW"}}),
    Row("X@c3", SECOND_LEVEL, "limit", {"done": {1: {"c3": 2}}}),
]

ONE_FRESH = replace(TEMPLE, options=ONCE, members={1: "c3:WW"}, worked={1: {"c3": 1}}, done={1: {"a2": 1}})
SECOND_BY_ANOTHER = replace(ONE_FRESH, done={1: {"c3": 1}})
CRUSHED = replace(
    ONE_FRESH, options=replace(ONCE, boulders="3d6"), members={1: "c3:W"}, lost={1: {"c3": 1}}, dice=(18,)
)
EXCAVATING_ONCE = [
    Row("X@c3", ONE_FRESH, "worked", {"members": {1: "c3:W"}}),
    Row("X@c3", ONE_FRESH, "worked", {"worked": {1: {"c3": 2}}}),
    Row("X@c3", replace(ONE_FRESH, members={1: "c3:LW"}), "worked", {"members": {1: "c3:L"}}),
    Row("X@c3", replace(ONE_FRESH, options=Options(), members={1: "c3:W"}), "worked", {"options": ONCE}),
    Row("X@c3", SECOND_BY_ANOTHER, "worked", {"members": {1: "c3:LW"}, "worked": {1: {"c3": 2}}}),
    Row("X@c3", SECOND_BY_ANOTHER, "members", {"members": {1: "c3:W"}, "worked": {}}),
    Row("X@c3", replace(ONE_FRESH, done={1: {"c3": 1}}), "limit", {"members": {1: "c3:WWW"}, "done": {1: {"c3": 2}}}),
    Row("X@c3", CRUSHED, "worked", {"lost": {}}),
    Row("X@c3", CRUSHED, "worked", {"members": {1: "c3:L"}, "worked": {1: {"c3": 2}}}),
]

TREASURE = Position(tiles="C3@c3^0", members={1: "c3:W"}, ap=3)
SECOND_TOKEN = replace(TREASURE, tokens={"c3": 2}, members={1: "c3:LWW"}, done={1: {"c3": 1}})
DIGGING = [
    Row("D@c3", TREASURE, "phase", {"phase": "place", "hand": "A1"}),
    Row("D@c3", TREASURE, "ap", {"ap": 2}),
    Row("D@c3", TREASURE, "terrain", {"tiles": "C5@c3^0"}),
    Row("D@c3", TREASURE, "terrain", {"tiles": "C1@c3^0"}),
    Row("D@c3", TREASURE, "tokens", {"tokens": {"c3": 0}}),
    Row("D@c3", TREASURE, "members", {"members": {1: "a1:W", 2: "c3:W"}}),
    Row("D@c3", TREASURE, "members", {"done": {1: {"c3": 1}}}),
    Row("D@c3", SECOND_TOKEN, "members", {"members": {1: "c3:L a1:WW"}}),
    Row("D@c3", SECOND_TOKEN, "limit", {"done": {1: {"c3": 2}}}),
]

ONE_DIGGER = replace(TREASURE, options=ONCE, members={1: "c3:LW"}, worked={1: {"c3": 1}}, done={1: {"a2": 1}})
DIGGING_ONCE = [
    Row("D@c3", ONE_DIGGER, "worked", {"members": {1: "c3:L"}}),
    Row("D@c3", ONE_DIGGER, "worked", {"worked": {1: {"c3": 2}}}),
    Row("D@c3", replace(ONE_DIGGER, options=Options(), members={1: "c3:W"}), "worked", {"options": ONCE}),
    Row("D@c3", replace(ONE_DIGGER, done={1: {"c3": 1}}), "members", {"members": {1: "c3:W"}, "worked": {}}),
]

EXCHANGE = Position(treasures={1: {1: 1}, 2: {2: 1}}, ap=3)
EXCHANGING = [
    Row("S:2:1/2", EXCHANGE, "phase", {"phase": "place", "hand": "A1"}),
    Row("S:2:1/2", EXCHANGE, "ap", {"ap": 2}),
    Row("S:2:1/2", EXCHANGE, "seat", instead="S:1:1/2"),
    Row("S:2:1/2", EXCHANGE, "seat", instead="S:3:1/2"),
    Row("S:2:1/2", EXCHANGE, "same", instead="S:2:1/1"),
    Row("S:2:1/2", EXCHANGE, "give", {"treasures": {2: {2: 1}}}),
    Row("S:2:1/2", EXCHANGE, "give", {"treasures": {1: {1: 2}, 2: {2: 1}}}),
    Row("S:2:1/2", EXCHANGE, "give", {"treasures": {1: {1: 3}, 2: {2: 1}}}),
    Row("S:2:1/2", EXCHANGE, "take", {"treasures": {1: {1: 1}}}),
    Row("S:2:1/2", EXCHANGE, "take", {"treasures": {1: {1: 1}, 2: {2: 2}}}),
    Row("S:2:1/2", EXCHANGE, "take", {"treasures": {1: {1: 1}, 2: {2: 3}}}),
]

JUNGLE = Position(tiles="C5@c3^0 D4@d3^0 A6@e3^0", members={1: "c3:W"}, ap=5)
DUG_OUT = Position(tiles="C3@c3^0", tokens={"c3": 0}, members={1: "c3:L"}, ap=5)
ON_START = Position(members={1: "a1:W b2:W"}, ap=5)
FOUNDING = [
    Row("C@c3", JUNGLE, "phase", {"phase": "place", "hand": "A1"}),
    Row("C@c3", JUNGLE, "ap", {"ap": 4}),
    Row("C@c3", JUNGLE, "terrain", {"tiles": "B2@c3^0"}),
    Row("C@b2", ON_START, "terrain", instead="C@a1"),
    Row("C@c3", JUNGLE, "terrain", instead="C@h5"),
    Row("C@c3", DUG_OUT, "tokens", {"tokens": {"c3": 1}}),
    Row("C@c3", JUNGLE, "camp", {"camps": {"c3": 1}}),
    Row("C@c3", JUNGLE, "camp", {"camps": {"c3": 2}}),
    Row("C@c3", replace(JUNGLE, camps={"d3": 1, "e3": 2}), "limit", {"camps": {"d3": 1, "e3": 1}}),
    Row("C@c3", JUNGLE, "members", {"members": {1: "a1:W", 2: "c3:W"}}),
    Row("C@c3", replace(JUNGLE, members={}, options=Options(edition="rio-grande")), "members", {"options": Options()}),
]

HELD = Position(tiles="B2@c3^0 C2@d3^0 D1@e3^0", members={1: "c3:LW", 2: "c3:WWW"}, ap=5)
GUARDING = [
    Row("GW@c3", HELD, "phase", {"phase": "place", "hand": "A1"}),
    Row("GW@c3", HELD, "ap", {"ap": 4}),
    Row("GL@c3", HELD, "ap", {"ap": 4}),
    Row("GW@c3", HELD, "terrain", {"tiles": "C5@c3^0"}),
    Row("GL@c3", HELD, "terrain", {"tiles": "C3@c3^0"}),
    Row("GW@c3", HELD, "guarded", {"guards": {"c3": 1}}),
    Row("GW@c3", HELD, "guarded", {"guards": {"c3": 2}}),
    Row("GW@c3", replace(HELD, guards={"d3": 1, "e3": 2}), "limit", {"guards": {"d3": 1, "e3": 1}}),
    Row("GL@c3", replace(HELD, guards={"d3": 1, "e3": 2}), "limit", {"guards": {"d3": 1, "e3": 1}}),
    Row("GW@c3", HELD, "absent", {"members": {1: "c3:L", 2: "c3:WW"}}),
    Row("GL@c3", HELD, "absent", {"members": {1: "c3:WWWW", 2: "c3:WWW"}}),
    Row("GL@c3", HELD, "leader", {"options": Options(leader_may_guard=False)}),
    Row("GW@c3", HELD, "strength", {"members": {1: "c3:LW", 2: "c3:WWWW"}}),
    Row("GL@c3", HELD, "strength", {"members": {1: "c3:LW", 2: "c3:LW"}}),
    Row(
        "GL@c3",
        replace(HELD, options=Options(players=3), members={1: "c3:LW", 2: "c3:W", 3: "c3:WWW"}),
        "strength",
        {"members": {1: "c3:LW", 2: "c3:W", 3: "c3:WWWW"}},
    ),
]

PLACE = Position(phase="place", hand="C5", tiles="C1@c3^0")
SEALING = Position(options=NO_SEALING, phase="place", hand="D5", tiles="A6@g2^0 C5@g3^0")
PLACING = [
    Row("C5@d3^5", PLACE, "phase", {"phase": "act", "hand": None}),
    Row("C5@d3^5", PLACE, "tile", {"hand": "B4"}),
    Row("C5@d3^5", PLACE, "occupied", {"tiles": "C1@c3^0 D1@d3^0"}),
    Row("C5@d3^5", PLACE, "occupied", instead="C5@c3^5"),
    Row("C5@d3^5", PLACE, "apart", {"tiles": ""}),
    Row("C5@d3^5", PLACE, "stones", instead="C5@d3^4"),
    Row("C5@d3^5", PLACE, "stones", {"tiles": "B6@c3^0"}),
    Row("C5@c4^0", PLACE, "stones", {"tiles": "C1@c3^1"}),
    Row("D4@d3^1", replace(PLACE, hand="D4"), "rotation", instead="D4@d3^3"),
    Row("D5@d3^0", replace(PLACE, hand="D5"), "rotation", instead="D5@d3^1"),
    Row("D5@d3^0", replace(PLACE, hand="D5"), "apart", {"tiles": ""}),
    Row("D5@h2^0", SEALING, "seals", {"tiles": "A6@g2^0 C5@g3^0 B6@g1^0"}),
    Row("D5@h2^0", replace(SEALING, tiles="A6@g2^0 B6@g1^0", options=Options()), "seals", {"options": NO_SEALING}),
]

BIDS = Position(options=AUCTION, phase="bid", seat=2, bid=4, bidder=1, display="A1 A2 A3", scores={2: 6})
BIDDING = [
    Row("B:5", BIDS, "phase", {"phase": "take", "bid": 0, "bidder": None}),
    Row("B:5", BIDS, "high", {"bid": 5}),
    Row("B:5", BIDS, "high", instead="B:4"),
    Row("B:6", BIDS, "score", {"scores": {2: 5}}),
    Row("B:-", BIDS, "phase", {"phase": "take", "bid": 0, "bidder": None}),
]

DISPLAY = Position(options=AUCTION, phase="take", display="A1 A2 A3")
TAKING = [
    Row("K:A1", DISPLAY, "phase", {"phase": "bid"}),
    Row("K:A1", DISPLAY, "display", {"display": "A2 A3"}),
    Row("K:A1", DISPLAY, "display", instead="K:A4"),
]

FREE = Position(options=OBSTACLES, tiles="A1@b3^3", members={1: "b2:W"}, ap=4)
WORKED = replace(FREE, tiles="A1@c1^5", members={1: "c1:WW"}, done={1: {"c1": 1}})
BUILDING = [
    Row("O:b2-b3", FREE, "phase", {"phase": "place", "hand": "A2"}),
    Row("O:b2-b3", FREE, "ap", {"ap": 3}),
    Row("O:b2-b3", FREE, "variant", {"options": Options()}),
    Row("O:b2-b3", FREE, "apart", instead="O:b2-d3"),
    Row("O:b2-b3", FREE, "order", instead="O:b3-b2"),
    Row("O:b2-b3", FREE, "passage", {"tiles": ""}),
    Row("O:a1-b2", FREE, "passage", instead="O:b1-b2"),
    Row("O:b2-b3", FREE, "passage", {"tiles": "B6@b3^0"}),
    Row("O:b2-b3", FREE, "obstacle", {"obstacles": "b2-b3"}),
    Row("O:b2-b3", FREE, "members", {"members": {1: "a1:W", 2: "b2:W"}}),
    Row("O:b2-b3", FREE, "members", {"members": {1: "b2:L"}}),
    Row("O:b2-c1", WORKED, "members", {"done": {1: {"c1": 2}}}),
    Row("O:b2-c1", WORKED, "members", {"members": {1: "c1:W"}}),
    Row("O:b2-c1", replace(WORKED, members={1: "c1:LW"}), "members", {"members": {1: "c1:L"}}),
]

FRESH_BUILDER = replace(
    WORKED, options=replace(OBSTACLES, members_work_once=True), done={1: {"a2": 1}}, worked={1: {"c1": 1}}
)
BUILDING_ONCE = [
    Row("O:b2-c1", FRESH_BUILDER, "members", {"worked": {1: {"c1": 2}}}),
    Row("O:b2-c1", FRESH_BUILDER, "members", {"members": {1: "c1:W"}}),
    Row("O:b2-c1", replace(FRESH_BUILDER, members={1: "c1:LW"}), "members", {"members": {1: "c1:L"}, "worked": {}}),
    Row(
        "O:b2-c1",
        replace(FRESH_BUILDER, done={1: {"c1": 1}}, members={1: "c1:W"}, worked={}),
        "members",
        {"worked": {1: {"c1": 1}}},
    ),
    Row(
        "O:b2-c1",
        replace(FRESH_BUILDER, options=OBSTACLES, members={1: "c1:W"}),
        "members",
        {"options": FRESH_BUILDER.options},
    ),
]

GUN = Position(options=GUNS, tiles="B2@c3^0 C2@d3^0 D1@e3^0", members={1: "c3:WWW", 2: "c3:W"}, ap=6)
MOUNTING = [
    Row("M@c3", GUN, "phase", {"phase": "place", "hand": "A1"}),
    Row("M@c3", GUN, "ap", {"ap": 5}),
    Row("M@c3", GUN, "variant", {"options": Options()}),
    Row("M@c3", GUN, "terrain", {"tiles": "C5@c3^0"}),
    Row("M@c3", GUN, "guarded", {"guards": {"c3": 1}}),
    Row("M@c3", GUN, "guarded", {"guards": {"c3": 2}}),
    Row("M@c3", replace(GUN, guards={"d3": 1, "e3": 2}), "limit", {"guards": {"d3": 1, "e3": 1}}),
    Row("M@c3", GUN, "members", {"members": {1: "c3:LW"}}),
    Row("M@c3", GUN, "strength", {"members": {1: "c3:WWW", 2: "c3:WW"}}),
]

ARMED = Position(
    options=Options(players=3, machine_gun=True),
    tiles="B2@c3^0",
    members={1: "c3:W", 2: "c3:LW"},
    guards={"c3": 1},
    guns="c3",
    ap=1,
)
SHOOTING = [
    Row("R:2@c3", ARMED, "phase", {"phase": "place", "hand": "A1"}),
    Row("R:2@c3", ARMED, "ap", {"ap": 0}),
    Row("R:2@c3", ARMED, "gun", {"guns": ""}),
    Row("R:2@c3", ARMED, "gun", {"guns": "", "options": Options(players=3)}),
    Row("R:2@c3", ARMED, "gun", {"guards": {"c3": 3}}),
    Row("R:2@c3", ARMED, "limit", {"fired": "c3"}),
    Row("R:2@c3", ARMED, "absent", {"members": {1: "c3:W", 2: "c3:L"}}),
    Row("R:2@c3", ARMED, "absent", instead="R:1@c3"),
    Row("R:2@c3", ARMED, "absent", instead="R:3@c3"),
    Row("R:2@c3", ARMED, "absent", instead="R:4@c3"),
]

ASKED = Position(options=SUDDEN, phase="decide", hand="B6", display="D5 A1", volcanoes_taken=1)
TOKENS = Position(options=LEAPS, phase="leap", ap=3, leap_tokens={1: 3, 2: 3}, order=(1, 2), had_turn=(1, 2))
WALK = Position(
    options=LEAPS,
    tiles="A6@b3^3",
    members={1: "b2:WW a1:W"},
    camps={"b2": 1, "b3": 1},
    ap=5,
    stage="walking",
    walker="W:b2",
    order=(1, 2),
    had_turn=(1, 2),
)
LEADER_WALKS = {"walker": "L:b2", "members": {1: "b2:WL"}}
DECIDING_AND_LEAPING = [
    Row("V:+", ASKED, "phase", {"phase": "place"}),
    Row("V:-", ASKED, "phase", {"phase": "place"}),
    Row("J:3", TOKENS, "phase", {"phase": "act", "stage": "fresh"}),
    Row("J:3", TOKENS, "tokens", {"leap_tokens": {1: 2, 2: 3}}),
    Row("J:3", TOKENS, "tokens", instead="J:4"),
    Row("W:b2-b3", WALK, "leap", LEADER_WALKS),
    Row("W:b2-b3", WALK, "leap", {"stage": "spent"}),
    Row("W:b2=b3", WALK, "leap", LEADER_WALKS),
    Row("W:b2-b3", WALK, "leap", instead="W:a1-b2"),
    Row("W:b2=b3", WALK, "leap", instead="W:a1=b3"),
    Row("+W@a1", replace(WALK, stage="fresh"), "leap", {"stage": "walking"}),
    Row("+W@a1", replace(WALK, stage="fresh"), "leap", {"stage": "spent"}),
    Row(".", WALK, "phase", {"phase": "leap", "leap_tokens": {1: 5}}),
    Row(".", Position(ap=0), "phase", {"phase": "place", "hand": "A1"}),
]

ROWS = (
    ENTERING + MOVING + MOVING_BY_CAMP + EXCAVATING + DIGGING + EXCHANGING + FOUNDING + GUARDING + PLACING + BIDDING
    + EXCAVATING_ONCE + DIGGING_ONCE + TAKING + BUILDING + BUILDING_ONCE + MOUNTING + SHOOTING + DECIDING_AND_LEAPING
)  # fmt: skip


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_a_condition_fails_alone(row: Row) -> None:
    sound = row.position.state()
    assert row.action in legal(sound), why_not(sound, row.action)
    assert why_not(sound, row.action) is None
    spoilt = replace(row.position, **row.spoil).state()
    assert refused(spoilt, row.instead or row.action) == row.code


def test_every_reason_of_the_refusals_is_in_the_table() -> None:
    tree = ast.parse(Path(refusals.__file__).with_name("refusals.py").read_text("utf-8"))
    reasons = {
        node.args[0].value
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Refusal"
        if isinstance(node.args[0], ast.Constant)
    }
    assert {row.code for row in ROWS} == reasons


def test_a_refusal_says_which_rule_and_one_sentence() -> None:
    for row in ROWS:
        action = row.instead or row.action
        why = refusals.refusal(Facts(replace(row.position, **row.spoil).state()), parse(action))
        assert why is not None
        assert why.rule[0] in "R123456789"
        assert "\n" not in why.text and len(why.text) > 10


@pytest.mark.parametrize(
    ("position", "action", "text"),
    [
        (replace(TEMPLE, ap=1), "X@c3", "costs 2 AP, 1 is left"),
        (replace(JUNGLE, ap=3), "C@c3", "costs 5 AP, 3 are left"),
        (TEMPLE, "X@b1", "a member must be on b1 to take a level"),
        (replace(SECOND_TOKEN, members={1: "c3:W"}), "D@c3", "2 members must be on c3 to take a second treasure"),
        (replace(TEMPLE, levels={"c3": 10}), "X@c3", "c3 has level 10, the highest"),
        (replace(TEMPLE, supply={4: 0}), "X@c3", "no level tile 4 is left, and levels can't be skipped"),
        (EXCHANGE, "S:4:1/2", "seat 4 is not another seat of this game"),
        (EXCHANGE, "S:2:3/2", "the seat must have exactly one token of kind 3, not 0"),
        (EXCHANGE, "S:2:1/5", "seat 2 must have exactly one of kind 5, not 0"),
        (replace(HELD, members={1: "c3:L", 2: "c3:WWW"}), "GL@c3", "the seat's strength of 3 on c3 must be greater"),
        (PLACE, "C1@d3^5", "the tile to be placed is C5, not C1"),
        (replace(PLACE, hand="D4"), "D4@d3^5", "rotation 5 looks the same as 1: use the smallest"),
        (BIDS, "B:3", "must be more than the current bid, 4"),
        (BIDS, "B:7", "can't be more than the bidder's score, 6"),
        (DISPLAY, "K:G4", "G4 is not on display"),
        (FREE, "O:b3-b2", "the hexes must be in alphabetical order: O:b2-b3"),
        (ARMED, "R:3@c3", "seat 3 has no worker on c3"),
        (TOKENS, "J:5", "only 3 tokens are left"),
        (WALK, "W:a1-b2", "the tokens of a leap buy one walk: go on with the worker on b2, or end with ."),
    ],
)
def test_a_refusal_says_how_to_correct_it(position: Position, action: str, text: str) -> None:
    why = refusals.refusal(Facts(position.state()), parse(action))
    assert why is not None
    assert why.text.startswith(text)


def test_nothing_is_legal_and_all_is_refused_when_the_game_is_over() -> None:
    over = Position(phase="over").state()
    assert legal(over) == []
    assert refused(over, ".") == "phase"


def test_nobody_blocks_anybody() -> None:
    crowd = Position(tiles="A6@b3^3", members={1: "b2:W", 2: "b3:LWW"}, camps={"b3": 2}).state()
    assert "W:b2-b3" in legal(crowd)
    guarded = Position(tiles="A1@b3^3", members={1: "b2:W", 2: "b3:W"}, guards={"b3": 2}).state()
    assert "W:b2-b3" in legal(guarded)


def test_members_inside_a_hex_with_a_gun_may_leave() -> None:
    inside = Position(options=GUNS, tiles="A1@b3^3", members={2: "b3:WL"}, seat=2, guards={"b3": 1}, guns="b3").state()
    assert legal(inside, "W:b3") == ["W:b3-a2", "W:b3-b2"]
    outside = play(inside, "W:b3-b2")
    assert refused(outside, "W:b2-b3") == "gun"


def test_a_gun_is_ready_in_the_owner_s_next_budget() -> None:
    temple = Position(options=GUNS, tiles="B2@c3^0", members={1: "c3:LWWW", 2: "c3:WW"}).state()
    state = play(temple, "M@c3")
    assert status(state)["workers"] == [{}, {"c3": 2}]
    assert (status(state)["guns"], status(state)["leader"][0], state.ap) == (["c3"], "gone", 4)
    assert refused(state, "R:2@c3") == "limit"
    state = play(state, ".")
    state = play(state, legal(state)[0], ".")
    state = play(state, legal(state)[0], "R:2@c3")
    assert status(state)["workers"][1] == {"c3": 1}
    assert refused(state, "R:2@c3") == "limit"


def test_crossing_an_obstacle_costs_two_more_for_everybody_but_not_between_camps() -> None:
    here = Position(options=OBSTACLES, members={1: "b2:W", 2: "a1:W"}, camps={"b2": 1})
    state = play(here.state(), "O:a1-b2")
    assert (state.ap, status(state)["obstacles"]) == (6, ["a1-b2"])
    assert play(state, "W:b2-a1").ap == 6 - 3
    assert play(state, "W:b2=a1").ap == 6 - 1
    other = replace(here, seat=2, obstacles="a1-b2").state()
    assert play(other, "W:a1-b2").ap == 10 - 3


def test_workers_lost_to_boulders_still_count_for_the_work_done() -> None:
    options = Options(boulders="3d6", obstacles=True)
    temple = Position(options=options, tiles="B2@c3^0 A6@c4^3", members={1: "c3:WW"}, dice=(4, 18))
    state = play(temple.state(), "X@c3")
    assert status(state)["workers"][0] == {"c3": 1}
    assert "O:c3-c4" in legal(state), "two members less one level"
    state = play(state, "X@c3")
    assert status(state)["levels"]["c3"] == 5
    assert refused(state, "O:c3-c4") == "members"
    both_hit = play(replace(temple, members={1: "c3:WWW"}, dice=(3, 3)).state(), "X@c3", "X@c3")
    assert status(both_hit)["workers"][0] == {"c3": 1}
    assert "O:c3-c4" in legal(both_hit), "three members less two levels"
    one_hit = replace(temple, members={1: "c3:W"}, done={1: {"c3": 2}}, lost={1: {"c3": 1}})
    assert refused(one_hit.state(), "O:c3-c4") == "members"
    lone = play(replace(temple, members={1: "c3:W"}).state(), "X@c3")
    assert status(lone)["workers"][0] == {}
    assert refused(lone, "X@c3") == "members"


@pytest.mark.parametrize(("roll", "hit"), [(4, True), (5, False)])
def test_a_boulder_hits_when_the_sum_is_not_above_the_new_level(roll: int, hit: bool) -> None:
    temple = Position(options=Options(boulders="3d6"), tiles="B2@c3^0", members={1: "c3:WW"}, dice=(roll,))
    state = play(temple.state(), "X@c3")
    assert status(state)["levels"]["c3"] == 4
    assert status(state)["workers"][0] == {"c3": 1 if hit else 2}

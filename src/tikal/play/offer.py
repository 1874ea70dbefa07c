"""The offer: all that a seat can do now, ready for a client that knows no rules.

`actions`   every legal action with its cost in AP
`walks`     for each member that can move: where it can get to, at what total cost, and the actions that take it there
`refusals`  for each explored hex: the work that can't be done there, and why (codes and sentences)
`places`    for the tile in hand: every legal place, with the passages it would make

A server makes an offer with every action, so what was made before is kept and given again: read it, don't change it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from tikal.play import notation
from tikal.play.view import Json, seat_or_none
from tikal.rules import codes
from tikal.rules.codes import (
    ACTING,
    BASE,
    CAMP_AP,
    DIG_AP,
    GUN_AP,
    JUNGLE,
    LEADER,
    MOVE,
    PHASES,
    PLACING,
    RESERVE,
    RUIN,
    SHUTTLE,
    TEMPLE,
    WORK_LIMIT,
    WORKER,
    fields_of,
    kind_of,
    pack,
)
from tikal.rules.core import Moves, State
from tikal.rules.facts import Facts
from tikal.rules.refusals import refusal
from tikal.rules.tables import CAMPS, GUARDS, HEX_NAMES, NEIGHBOURS, TILES

SET_POINTS = (0, 1, 3, 6)
NOBODYS = (1 << 17) - 1  # the bits of an action without its member
MOST_KNOWN = 8192  # circumstances whose refusals are kept


def offer(state: State) -> Json:
    """What the seat can do now.

    >>> from tikal.play import Game
    >>> from tikal.rules.options import Options
    >>> made = offer(Game.new(Options(), seed="42").state)
    >>> made["phase"], len(made["places"]) == len(made["actions"])
    ('place', True)
    """
    return offer_of(Facts(state))


def offer_of(facts: Facts) -> Json:
    """The same from facts that are already there."""
    state, moves = facts.state, Moves()
    state.legal(moves)
    told = sorted([(notation.text(action), action) for action in moves])
    legal = [action for _text, action in told]
    return {
        "seat": seat_or_none(facts.seat),
        "phase": PHASES[facts.phase],
        "ap": facts.ap,
        "actions": [{"action": text, "cost": state.price(action)} for text, action in told],
        "walks": _walks(facts, legal) if facts.phase == ACTING else [],
        "refusals": _refusals(facts) if facts.phase == ACTING else {},
        "places": _places(facts, legal) if facts.phase == PLACING else [],
    }


def _places(facts: Facts, legal: list[int]) -> list[Json]:
    sides = {hex: _sides(facts, hex) for hex in {action >> 5 & 63 for action in legal}}
    return [_place(action, sides[action >> 5 & 63]) for action in legal]


def _sides(facts: Facts, hex: int) -> list[tuple[int, str, int]]:
    """The neighbours of an empty hex that can be entered: the direction, the name, and the stones on this side."""
    return [
        (direction, HEX_NAMES[other], facts.side(other, (direction + 3) % 6))
        for direction, other in enumerate(NEIGHBOURS[hex])
        if other >= 0 and facts.enterable(other)
    ]


def _place(action: int, sides: list[tuple[int, str, int]]) -> Json:
    """A legal place, and what a step to each neighbour would cost."""
    hex, rotation, tile = fields_of(action)
    stones = TILES[tile].turned(rotation)
    if TILES[tile].terrain == "volcano":
        sides = []
    return {
        "action": notation.text(action),
        "hex": HEX_NAMES[hex],
        "rotation": rotation,
        "passages": {name: cost for side, name, theirs in sides if (cost := stones[side] + theirs)},
    }


def _walks(facts: Facts, legal: list[int]) -> list[Json]:
    """From each hex with a member that may move, the cheapest way to every hex in reach."""
    starts = {(action >> 17 & 63, action >> 5 & 63) for action in legal if kind_of(action) in (MOVE, SHUTTLE)}
    found = Moves()
    walks: list[Json] = []
    for member, start in sorted(starts):
        facts.state.ways(start, facts.ap, found)
        walks += _walks_from(member, start, found)
    return walks


def _walks_from(member: int, start: int, found: Moves) -> list[Json]:
    """Walks by their goals, from what the core has found: a way is the way to the hex before, and one step more."""
    ways: dict[int, tuple[int, ...]] = {start: ()}
    costs: dict[int, int] = {}
    for item in found:
        goal, step = item >> 11 & 63, item & NOBODYS | member << 17
        ways[goal] = (*ways[step >> 5 & 63], step)
        costs[goal] = item >> 17
    return [_walk(costs[goal], ways[goal]) for goal in sorted(costs)]


@lru_cache(1 << 14)  # most ways are still there when the board has grown
def _walk(cost: int, way: tuple[int, ...]) -> Json:
    """A walk as it is told."""
    start, _, member = fields_of(way[0])
    return {
        "member": notation.MEMBERS[member],
        "from": HEX_NAMES[start],
        "to": HEX_NAMES[way[-1] >> 11 & 63],
        "cost": cost,
        "actions": [notation.text(action) for action in way],
    }


def _candidates(facts: Facts, hex: int) -> list[int]:
    """The work that one would think of on a hex."""
    found: list[int] = []
    if facts.is_camp(facts.seat, hex):
        found += [pack(codes.ENTER, hex, 0, WORKER), pack(codes.ENTER, hex, 0, LEADER)]
    if facts.terrain[hex] == TEMPLE:
        guards = [pack(codes.GUARD, hex, 0, WORKER), pack(codes.GUARD, hex, 0, LEADER)]
        found += [pack(codes.EXCAVATE, hex), *guards]
        if facts.machine_gun:
            shots = [pack(codes.SHOOT, hex, seat) for seat in facts.seats() if seat != facts.seat]
            found += [pack(codes.GUN, hex), *(shots if facts.guns >> hex & 1 else [])]
    elif facts.is_clearing(hex):
        found.append(pack(codes.CAMP, hex))
    elif facts.terrain[hex] == RUIN:
        found.append(pack(codes.DIG, hex))
    return found


def refused(facts: Facts, hex: int) -> list[Json]:
    """The work on a hex that can't be done, and why."""
    whys = ((action, refusal(facts, action)) for action in _candidates(facts, hex))
    return [
        {"action": notation.text(action), "code": why.code, "rule": why.rule, "text": why.text}
        for action, why in whys
        if why
    ]


def _matters(facts: Facts, hex: int, full: tuple[bool, bool]) -> tuple[Any, ...]:
    """What refusals on a hex depend on, besides its name and a leap; and nothing else, so that it comes again often.

    `full` says whether no camp and no guard is left.
    """
    seat, terrain, ap = facts.seat, facts.terrain[hex], facts.ap
    if terrain == TEMPLE:
        return terrain, *_at_temple(facts, hex, full[1])
    if terrain == RUIN and facts.tokens[hex]:
        members, done = facts.members(seat, hex), facts.done(seat, hex)
        ready = members > done < WORK_LIMIT
        return terrain, min(members, WORK_LIMIT), done, min(ap, DIG_AP) if ready else 0
    entry: tuple[Any, ...] = ()
    if facts.is_camp(seat, hex):
        leader = facts.leader[seat]
        entry = (bool(ap), bool(facts.reserve[seat]), leader if leader >= RESERVE else 0)
    absent = bool(facts.camp_needs_member and not facts.members(seat, hex))
    ready = not (facts.camp[hex] or full[0] or absent)
    return terrain, entry, bool(facts.camp[hex]), full[0], absent, min(ap, CAMP_AP) if ready else 0


def _at_temple(facts: Facts, hex: int, full: bool) -> tuple[Any, ...]:
    """The same for a temple."""
    seat, level = facts.seat, facts.level[hex]
    members, lost = facts.members(seat, hex), facts.lost(seat, hex)
    top = 0 if facts.supply[level + 1] else level  # which level it is is told only where it can't be raised
    work: tuple[Any, ...] = (facts.machine_gun, top, bool(facts.guard[hex]), full, facts.done(seat, hex))
    if facts.guns >> hex & 1:
        others = [bool(facts.workers[other * 40 + hex]) for other in facts.seats()]
        work += (True, facts.guard[hex], seat, facts.fired >> hex & 1, bool(facts.ap), *others)
    if members or lost:
        strengths = (facts.strength(seat, hex), facts.workers[seat * 40 + hex], facts.rivals(seat, hex))
        work += (False, lost, min(facts.ap, GUN_AP), facts.leader_may_guard, *strengths)
    return work


_known: dict[tuple[Any, ...], list[Json]] = {}


def _refusals(facts: Facts) -> dict[str, list[Json]]:
    """For each hex the work that is refused. The same circumstances come again and again, so answers are kept."""
    found: dict[str, list[Json]] = {}
    leap = facts.leap_stage and (facts.leap_stage, facts.walk_hex, facts.walk_member)
    own = facts.seat + 1
    full = facts.camp.count(own) >= CAMPS, facts.guard.count(own) >= GUARDS
    for hex in facts.hexes(BASE, JUNGLE, TEMPLE, RUIN):
        key = (hex, leap, *_matters(facts, hex, full))
        rows = _known.get(key)
        if rows is None:
            if len(_known) >= MOST_KNOWN:
                _known.clear()
            rows = _known[key] = refused(facts, hex)
        if rows:
            found[HEX_NAMES[hex]] = rows
    return found


def forecast(state: State) -> list[Json]:
    """What each seat would score if scoring came now: temple by temple, kind by kind, and in all.

    >>> from tikal.play import Game
    >>> from tikal.rules.options import Options
    >>> forecast(Game.new(Options(), seed="42").state)[0]["total"]
    0
    """
    return forecast_of(Facts(state))


def forecast_of(facts: Facts) -> list[Json]:
    """The same from facts that are already there."""
    held = {hex: facts.holder(hex) for hex in facts.hexes(TEMPLE)}
    rows = []
    for seat in facts.seats():
        temples = {HEX_NAMES[hex]: int(facts.level[hex]) for hex, holder in held.items() if holder == seat}
        counts = facts.treasures[seat * 8 : seat * 8 + 8]
        treasures = {str(kind + 1): SET_POINTS[count] for kind, count in enumerate(counts) if count}
        total = sum(temples.values()) + sum(treasures.values())
        rows.append({"seat": seat + 1, "temples": temples, "treasures": treasures, "total": total})
    return rows

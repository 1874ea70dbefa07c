# cython: language_level=3, boundscheck=True, wraparound=False, cdivision=True, infer_types=True, annotation_typing=False
"""The offer: everything that a seat can do now, ready for a client that knows no rules.

`actions`   every legal action with its cost in AP
`walks`     for each member that can move: its goals, the total cost of each, and the actions of the walk
`refusals`  for each explored hex: the work that can't be done there, and why (codes and sentences)
`places`    for the current tile: every legal placement, with the passages it would make
`bidding`   in an auction: the lowest bid allowed now, and the highest for each seat that is still in it

A server makes an offer with every action, so this module is compiled and caches its answers: read them, don't change
them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tikal.play import notation
from tikal.play.view import Json, seat_or_none
from tikal.rules.codes import PHASES, fields_of, pack
from tikal.rules.core import Moves, State, Ways
from tikal.rules.facts import Facts
from tikal.rules.refusals import refusal
from tikal.rules.tables import HEX_NAMES, NEIGHBOURS, TILES
from tikal.rules.variants import VariantState

if TYPE_CHECKING:
    import cython
else:
    from tikal import _nocython as cython

if not cython.compiled:
    from tikal.rules.codes import *  # noqa: F403  # C has them from the .pxd
    from tikal.rules.core import CAMP_LIMIT, GUARD_LIMIT, SET_POINTS, bit
    from tikal.rules.tables import HEXES, KINDS

    WITHOUT_MEMBER = (1 << 17) - 1  # the bits of an action without its member

CACHE_LIMIT = 8192  # size of the cache of refusals


def offer(state: State) -> Json:
    """What the seat can do now.

    >>> from tikal.play import Game
    >>> from tikal.rules.options import Options
    >>> made = offer(Game.new(Options(), seed="42").state)
    >>> made["phase"], len(made["places"]) == len(made["actions"])
    ('place', True)
    """
    moves = Moves()
    state.legal(moves)
    listed = sorted([(notation.text(action), action) for action in moves])
    legal = [action for _text, action in listed]
    return {
        "seat": seat_or_none(state.seat),
        "phase": PHASES[state.phase],
        "ap": state.ap,
        "actions": [{"action": text, "cost": state.price(action)} for text, action in listed],
        "walks": _walks(state, moves) if state.phase == ACTING else [],
        "refusals": _refusals(state) if state.phase == ACTING else {},
        "places": _places(Facts(state), legal) if state.phase == PLACING else [],
        "bidding": bidding_of(Facts(state)) if state.phase == BIDDING else None,
    }


def bidding_of(facts: Facts) -> Json | None:
    """The facts of an auction; None if there is none.

    >>> from tikal.play import Game
    >>> from tikal.rules.options import Options
    >>> game = Game.new(Options(auction=True), seed="42")
    >>> game.play("B:3")
    >>> bidding_of(Facts(game.state))
    {'least': 4, 'most': {'1': 20, '2': 20}}
    """
    most = {str(seat + 1): points for seat, points in facts.most_bids().items()}
    return {"least": facts.least_bid(), "most": most} if most else None


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
    """A legal placement, and what a step to each neighbour would cost."""
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


def _walks(state: State, legal: Moves) -> list[Json]:
    """From each hex with a member that may move, the cheapest walk to every hex in reach."""
    starts = set()
    for i in range(legal.count):
        action = legal.item[i]
        if action & 31 in (MOVE, CAMP_MOVE):
            starts.add((action >> 17 & 63, action >> 5 & 63))
    found = Ways()
    walks: list[Json] = []
    for member, start in sorted(starts):
        state.ways(start, state.ap, found)
        walks += _walks_from(member, start, found)
    return walks


def _walks_from(member: int, start: int, found: Ways) -> list[Json]:
    """Walks by their goals, from the core's result: a walk is the walk to the hex before, and one more step."""
    ways: list[list[str]] = [[]] * HEXES
    walks: list[Json | None] = [None] * HEXES
    for i in range(found.count):
        item = found.item[i]
        before, goal = item >> 5 & 63, item >> 11 & 63
        way = [*ways[before], notation.text(item & WITHOUT_MEMBER | member << 17)]  # the step of this member
        ways[goal] = way
        walks[goal] = {
            "member": notation.MEMBERS[member],
            "from": HEX_NAMES[start],
            "to": HEX_NAMES[goal],
            "cost": item >> 17,
            "actions": way,
        }
    return [walk for walk in walks if walk is not None]


def _candidates(facts: Facts, hex: int) -> list[int]:
    """The kinds of work that a player might try on a hex."""
    found: list[int] = []
    if facts.is_camp(facts.seat, hex):
        found += [pack(ENTER, hex, 0, WORKER), pack(ENTER, hex, 0, LEADER)]
    if facts.terrain[hex] == TEMPLE:
        guards = [pack(GUARD, hex, 0, WORKER), pack(GUARD, hex, 0, LEADER)]
        found += [pack(EXCAVATE, hex), *guards]
        if facts.machine_gun:
            shots = [pack(SHOOT, hex, seat) for seat in facts.seats() if seat != facts.seat]
            found += [pack(GUN, hex), *(shots if facts.guns >> hex & 1 else [])]
    elif facts.is_clearing(hex):
        found.append(pack(CAMP, hex))
    elif facts.terrain[hex] == TREASURE:
        found.append(pack(DIG, hex))
    return found


def refused(facts: Facts, hex: int) -> list[Json]:
    """The work that can't be done on a hex, and why."""
    reasons = ((action, refusal(facts, action)) for action in _candidates(facts, hex))
    return [
        {"action": notation.text(action), "code": why.code, "rule": why.rule, "text": why.text}
        for action, why in reasons
        if why
    ]


def _cache_key(state: State, variant: VariantState | None, hex: int) -> tuple[Any, ...]:
    """What refusals on a hex depend on, besides its name and a leap; as little as possible, for many cache hits."""
    seat, terrain, ap = state.seat, state.terrain[hex], state.ap
    if terrain == TEMPLE:
        return _key_of_temple(state, variant, hex)
    if terrain == TREASURE and state.tokens[hex]:
        members, done = state.members(seat, hex), state.done(seat, hex)
        all_worked = _all_have_worked(variant, seat, hex)
        ready = members > done and done < WORK_LIMIT and not all_worked
        return terrain, min(members, WORK_LIMIT), done, all_worked, min(ap, DIG_AP) if ready else 0
    entry: tuple[Any, ...] = ()
    if hex == state.base or state.camp[hex] == seat + 1:
        leader = state.leader[seat]
        entry = (ap > 0, state.reserve[seat] > 0, leader if leader >= RESERVE else 0)
    absent = state.camp_needs_member and not state.members(seat, hex)
    full = state.camp_count[seat] >= CAMP_LIMIT
    ready = not (state.camp[hex] or full or absent)
    return terrain, entry, state.camp[hex] > 0, full, absent, min(ap, CAMP_AP) if ready else 0


def _key_of_temple(state: State, variant: VariantState | None, hex: int) -> tuple[Any, ...]:
    """The cache key of a temple."""
    seat, level = state.seat, state.level[hex]
    members = state.members(seat, hex)
    lost = 0 if variant is None else variant.lost(seat, hex)
    top = 0 if state.supply[level + 1] else level  # the level's number matters only if it can't be raised
    armed = variant is not None and variant.machine_gun
    full = state.guard_count[seat] >= GUARD_LIMIT
    work: tuple[Any, ...] = (TEMPLE, armed, top, state.guard[hex] > 0, full, state.done(seat, hex))
    if variant is not None and variant.guns & bit(hex):
        others = [state.workers[other * HEXES + hex] > 0 for other in range(state.players)]
        work += (True, state.guard[hex], seat, (variant.fired & bit(hex)) > 0, state.ap > 0, *others)
    if members or lost:
        strengths = (state.strength(seat, hex), state.workers[seat * HEXES + hex], state.rivals(seat, hex))
        all_worked = _all_have_worked(variant, seat, hex)
        work += (False, lost, all_worked, min(state.ap, GUN_AP), state.leader_may_guard, *strengths)
    return work


def _all_have_worked(variant: VariantState | None, seat: int, hex: int) -> int:
    """Whether every member of the seat here has worked this turn, so that none can work again [R21]."""
    return 1 if variant is not None and variant.members_work_once and variant.fresh(seat, hex) < 1 else 0


_cache: dict[tuple[Any, ...], list[Json]] = {}


def _refusals(state: State) -> dict[str, list[Json]]:
    """The refused work of each hex. The same circumstances recur, so answers are cached."""
    found: dict[str, list[Json]] = {}
    facts: Facts | None = None
    variant = state if isinstance(state, VariantState) else None
    leap: tuple[int, ...] = ()
    if variant is not None and variant.leap_stage:
        leap = (variant.leap_stage, variant.walk_hex, variant.walk_member)
    for hex in range(HEXES):
        if not BASE <= state.terrain[hex] <= TREASURE:
            continue
        key = (hex, leap, _cache_key(state, variant, hex))
        rows = _cache.get(key)
        if rows is None:
            if len(_cache) >= CACHE_LIMIT:
                _cache.clear()
            facts = facts or Facts(state)
            rows = _cache[key] = refused(facts, hex)
        if rows:
            found[HEX_NAMES[hex]] = rows
    return found


def forecast(state: State) -> list[Json]:
    """What each seat would score now: temple by temple, kind by kind, and in all.

    >>> from tikal.play import Game
    >>> from tikal.rules.options import Options
    >>> forecast(Game.new(Options(), seed="42").state)[0]["total"]
    0
    """
    return [_forecast_of(state, seat) for seat in range(state.players)]


def _forecast_of(state: State, seat: int) -> Json:
    temples, treasures = {}, {}
    for hex in range(HEXES):
        if state.terrain[hex] == TEMPLE and state.holder(hex) == seat:
            temples[HEX_NAMES[hex]] = state.level[hex]
    for kind in range(KINDS):
        count = state.treasures[seat * KINDS + kind]
        if count:
            treasures[str(kind + 1)] = SET_POINTS[count]
    total = state.temple_points(seat) + state.treasure_points(seat)
    return {"seat": seat + 1, "temples": temples, "treasures": treasures, "total": total}

"""The offer: all that a seat can do now, ready for a client that knows no rules.

`actions`   every legal action with its cost in AP
`walks`     for each member that can move: where it can get to, at what total cost, and the actions that take it there
`refusals`  for each explored hex: the work that can't be done there, and why (codes and sentences)
`places`    for the tile in hand: every legal place, with the passages it would make

A server makes an offer with every action, so what was made before is kept and given again: read it, don't change it.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Mapping
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
    SHUTTLE_AP,
    TEMPLE,
    TURN_AP,
    WORK_LIMIT,
    WORKER,
    fields_of,
    kind_of,
    pack,
)
from tikal.rules.core import Moves, State
from tikal.rules.facts import Facts
from tikal.rules.refusals import refusal
from tikal.rules.tables import CAMPS, GUARDS, HEX_NAMES, HEXES, NEIGHBOURS, TILES

SET_POINTS = (0, 1, 3, 6)
MOST_LAYOUTS = 256  # boards whose walks are kept
MOST_WALKS = 64  # starts on each of them
MOST_KNOWN = 8192  # circumstances whose refusals are kept


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
    legal = sorted(moves, key=notation.text)
    facts = Facts(state)
    return {
        "seat": seat_or_none(state.seat),
        "phase": PHASES[state.phase],
        "ap": state.ap,
        "actions": [{"action": notation.text(action), "cost": state.price(action)} for action in legal],
        "walks": _walks(facts, legal) if state.phase == ACTING else [],
        "refusals": _refusals(facts) if state.phase == ACTING else {},
        "places": _places(facts, legal) if state.phase == PLACING else [],
    }


class Layout:
    """The board as far as tiles and obstacles make it, and what follows from that alone.

    A layout stays the same for a whole turn and longer, and so do the walks over it: they are kept.
    """

    def __init__(self, facts: Facts) -> None:
        self.stones = {hex: facts.stones[hex] for hex in facts.hexes(BASE, JUNGLE, TEMPLE, RUIN)}
        self.steps = {hex: list(self._steps_from(facts, hex)) for hex in self.stones}
        self._sides: dict[int, tuple[tuple[str, int], ...]] = {}
        self.walks: dict[tuple[int, ...], list[Json]] = {}

    def _steps_from(self, facts: Facts, hex: int) -> Iterator[tuple[int, int, int]]:
        """The hexes to which a passage leads, what a step costs, and the action of a worker."""
        for other in NEIGHBOURS[hex]:
            if other in self.stones:
                price = facts.passage(hex, other)
                if price:
                    yield other, price, pack(MOVE, hex, other)

    def sides(self, hex: int) -> tuple[tuple[str, int], ...]:
        """For each direction of an empty hex the neighbour that can be entered, and its stones on this side."""
        if hex not in self._sides:
            around = ((other, self.stones.get(other)) for other in NEIGHBOURS[hex])
            self._sides[hex] = tuple(
                ("", 0) if stones is None else (HEX_NAMES[other], stones >> 2 * ((direction + 3) % 6) & 3)
                for direction, (other, stones) in enumerate(around)
            )
        return self._sides[hex]

    def walks_from(self, member: int, start: int, camps: tuple[int, ...], barred: int) -> list[Json]:
        """All walks that a whole turn's AP suffice for, by their goals."""
        key = (member, start, barred, *camps)
        if key not in self.walks:
            if len(self.walks) >= MOST_WALKS:
                self.walks.clear()
            self.walks[key] = self._walks_from(member, start, camps, barred)
        return self.walks[key]

    def _walks_from(self, member: int, start: int, camps: tuple[int, ...], barred: int) -> list[Json]:
        """The cheapest way to every hex, and of equal ones the first; what costs less is finished first."""
        best: dict[int, tuple[int, tuple[int, ...]]] = {}
        rings: list[dict[int, tuple[int, ...]]] = [{} for _ in range(TURN_AP + 1)]  # by cost: hexes, and the way there
        rings[0][start] = ()
        for cost, ring in enumerate(rings):
            for hex, path in ring.items():
                if hex in best:
                    continue
                best[hex] = cost, path
                for goal, price, action in self._moves_from(hex, camps):
                    total = cost + price
                    if goal in best or total > TURN_AP or barred >> goal & 1:
                        continue
                    way = (*path, action | member << 17)
                    known = rings[total].get(goal)
                    if known is None or way < known:
                        rings[total][goal] = way
        del best[start]
        return _rows(member, start, best)

    def _moves_from(self, hex: int, camps: tuple[int, ...]) -> list[tuple[int, int, int]]:
        """All moves from a hex: where to, the price, the action of a worker. A test compares them with the core."""
        moves = self.steps[hex]
        if hex in camps:
            return moves + [(other, SHUTTLE_AP, pack(SHUTTLE, hex, other)) for other in camps if other != hex]
        return moves


def _rows(member: int, start: int, best: Mapping[int, tuple[int, tuple[int, ...]]]) -> list[Json]:
    """Walks as they are told, by their goals. A way goes on from the way to the hex before."""
    texts: dict[int, list[str]] = {start: []}
    for hex, (_cost, path) in best.items():
        texts[hex] = [*texts[path[-1] >> 5 & 63], notation.text(path[-1])]
    return [
        {
            "member": notation.MEMBERS[member],
            "from": HEX_NAMES[start],
            "to": HEX_NAMES[hex],
            "cost": best[hex][0],
            "actions": texts[hex],
        }
        for hex in sorted(best)
    ]


_layouts: OrderedDict[tuple[tuple[int, ...], ...], Layout] = OrderedDict()


def _layout(facts: Facts) -> Layout:
    """The layout of a board; those used last are kept."""
    key = tuple(facts.terrain), tuple(facts.stones), tuple(facts.walls)
    found = _layouts.pop(key, None) or Layout(facts)
    _layouts[key] = found
    if len(_layouts) > MOST_LAYOUTS:
        _layouts.popitem(last=False)
    return found


def _places(facts: Facts, legal: list[int]) -> list[Json]:
    layout = _layout(facts)
    return [_place(action, layout.sides(action >> 5 & 63)) for action in legal]


@lru_cache(1 << 12)
def _place(action: int, sides: tuple[tuple[str, int], ...]) -> Json:
    """A legal place, and what a step to each neighbour would cost, whose stones on this side are given."""
    hex, rotation, tile = fields_of(action)
    passages = {}
    if TILES[tile].terrain != "volcano":
        stones = TILES[tile].turned(rotation)
        passages = {name: mine + theirs for mine, (name, theirs) in zip(stones, sides, strict=True) if name}
    return {
        "action": notation.text(action),
        "hex": HEX_NAMES[hex],
        "rotation": rotation,
        "passages": {name: cost for name, cost in passages.items() if cost},
    }


def _walks(facts: Facts, legal: list[int]) -> list[Json]:
    """From each hex with a member that may move, the cheapest way to every hex in reach."""
    starts = {(action >> 17 & 63, action >> 5 & 63) for action in legal if kind_of(action) in (MOVE, SHUTTLE)}
    if not starts:
        return []
    layout, seat, ap = _layout(facts), facts.seat, facts.ap
    camps = tuple(hex for hex, owner in enumerate(facts.camp) if owner == seat + 1 or hex == facts.base)
    barred = 0
    if facts.guns:
        barred = sum(1 << hex for hex in range(HEXES) if facts.guns >> hex & 1 and facts.guard[hex] != seat + 1)
    return [
        walk
        for member, start in sorted(starts)
        for walk in layout.walks_from(member, start, camps, barred)
        if walk["cost"] <= ap
    ]


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


def _matters(facts: Facts, hex: int) -> tuple[Any, ...]:
    """What refusals on a hex depend on, besides its name and a leap; and nothing else, so that it comes again often."""
    seat, terrain, ap = facts.seat, facts.terrain[hex], facts.ap
    members, done = facts.members(seat, hex), facts.done(seat, hex)
    if terrain == TEMPLE:
        return terrain, *_at_temple(facts, hex, members, done)
    if terrain == RUIN and facts.tokens[hex]:
        ready = members > done < WORK_LIMIT
        return terrain, min(members, WORK_LIMIT), done, min(ap, DIG_AP) if ready else 0
    entry: tuple[Any, ...] = ()
    if facts.is_camp(seat, hex):
        leader = facts.leader[seat]
        entry = (bool(ap), bool(facts.reserve[seat]), leader if leader >= RESERVE else 0)
    full = facts.camp.count(seat + 1) >= CAMPS
    absent = bool(facts.camp_needs_member and not members)
    ready = not (facts.camp[hex] or full or absent)
    return terrain, entry, bool(facts.camp[hex]), full, absent, min(ap, CAMP_AP) if ready else 0


def _at_temple(facts: Facts, hex: int, members: int, done: int) -> tuple[Any, ...]:
    """The same for a temple."""
    seat, level, lost = facts.seat, facts.level[hex], facts.lost(facts.seat, hex)
    top = 0 if facts.supply[level + 1] else level  # which level it is is told only where it can't be raised
    full = facts.guard.count(seat + 1) >= GUARDS
    work: tuple[Any, ...] = (facts.machine_gun, top, bool(facts.guard[hex]), full, done)
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
    for hex in facts.hexes(BASE, JUNGLE, TEMPLE, RUIN):
        key = (hex, leap, *_matters(facts, hex))
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
    facts = Facts(state)
    held = {hex: facts.holder(hex) for hex in facts.hexes(TEMPLE)}
    rows = []
    for seat in facts.seats():
        temples = {HEX_NAMES[hex]: int(facts.level[hex]) for hex, holder in held.items() if holder == seat}
        counts = facts.treasures[seat * 8 : seat * 8 + 8]
        treasures = {str(kind + 1): SET_POINTS[count] for kind, count in enumerate(counts) if count}
        total = sum(temples.values()) + sum(treasures.values())
        rows.append({"seat": seat + 1, "temples": temples, "treasures": treasures, "total": total})
    return rows

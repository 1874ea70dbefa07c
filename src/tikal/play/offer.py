"""The offer: all that a seat can do now, ready for a client that knows no rules.

`actions`   every legal action with its cost in AP
`walks`     for each member that can move: where it can get to, at what total cost, and the actions that take it there
`refusals`  for each explored hex: the work that can't be done there, and why (codes and sentences)
`places`    for the tile in hand: every legal place, with the passages it would make
"""

from __future__ import annotations

import heapq

from tikal.play import notation
from tikal.play.view import Json, seat_or_none
from tikal.rules import codes
from tikal.rules.codes import (
    ACTING,
    LEADER,
    MOVE,
    PHASES,
    PLACING,
    RUIN,
    SHUTTLE,
    TEMPLE,
    WORKER,
    fields_of,
    kind_of,
    pack,
)
from tikal.rules.core import Moves, State
from tikal.rules.facts import Facts
from tikal.rules.refusals import refusal
from tikal.rules.tables import HEX_NAMES, HEXES, NEIGHBOURS, TILES

SET_POINTS = (0, 1, 3, 6)


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
        "walks": _walks(state, legal) if state.phase == ACTING else [],
        "refusals": _refusals(facts) if state.phase == ACTING else {},
        "places": [_place(facts, action) for action in legal] if state.phase == PLACING else [],
    }


def _place(facts: Facts, action: int) -> Json:
    """A legal place, and what a step to each neighbour would cost."""
    hex, rotation, tile = fields_of(action)
    stones = TILES[tile].turned(rotation)
    passages = {}
    for direction, other in enumerate(NEIGHBOURS[hex]):
        if other >= 0 and facts.enterable(other) and TILES[tile].terrain != "volcano":
            cost = stones[direction] + facts.side(other, (direction + 3) % 6)
            if cost:
                passages[HEX_NAMES[other]] = cost
    return {
        "action": notation.text(action),
        "hex": HEX_NAMES[hex],
        "rotation": rotation,
        "passages": passages,
    }


def _walks(state: State, legal: list[int]) -> list[Json]:
    """From each hex with a member that may move, the cheapest way to every hex in reach."""
    starts = {(r, p) for action in legal if kind_of(action) in (MOVE, SHUTTLE) for p, _q, r in [fields_of(action)]}
    return [walk for member, start in sorted(starts) for walk in _walks_from(state, member, start)]


def _walks_from(state: State, member: int, start: int) -> list[Json]:
    """Dijkstra over the core's own moves: what it would allow step by step is what is offered."""
    best: dict[int, tuple[int, tuple[int, ...]]] = {}
    moves = Moves()
    queue: list[tuple[int, int, tuple[int, ...], State]] = [(0, start, (), state)]
    while queue:
        cost, hex, path, here = heapq.heappop(queue)
        if hex in best:
            continue
        best[hex] = cost, path
        here.legal(moves)
        for action in list(moves):
            p, q, r = fields_of(action)
            if kind_of(action) in (MOVE, SHUTTLE) and (p, r) == (hex, member) and q not in best:
                there = here.clone()
                there.apply(action)
                heapq.heappush(queue, (cost + here.price(action), q, (*path, action), there))
    del best[start]
    return [
        {
            "member": notation.MEMBERS[member],
            "from": HEX_NAMES[start],
            "to": HEX_NAMES[hex],
            "cost": cost,
            "actions": [notation.text(action) for action in path],
        }
        for hex, (cost, path) in sorted(best.items())
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


def _refusals(facts: Facts) -> dict[str, list[Json]]:
    found: dict[str, list[Json]] = {}
    for hex in range(HEXES):
        for action in _candidates(facts, hex):
            why = refusal(facts, action)
            if why:
                row = {"action": notation.text(action), "code": why.code, "rule": why.rule, "text": why.text}
                found.setdefault(HEX_NAMES[hex], []).append(row)
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

# cython: language_level=3, boundscheck=True, wraparound=False, cdivision=True, infer_types=True, annotation_typing=False
"""The offer: everything that a seat can do now, ready for a client that knows no rules.

`actions`   every legal action with its cost in AP
`walks`     for each member that can move: its goals, the total cost of each, and the actions of the walk
`refusals`  for each explored hex: the work that can't be done there, and why (codes and sentences)
`places`    for the current tile: every legal placement, with the passages it would make
`bidding`   in an auction: the lowest bid allowed now, and the highest for each seat that is still in it

A server makes an offer with every action. So this module is compiled, and writes JSON from parts that it caches, instead
of objects that would have to be encoded.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tikal.play import notation
from tikal.play.view import Json
from tikal.rules.codes import PHASES, fields_of, pack
from tikal.rules.core import Moves, State, Ways
from tikal.rules.facts import Facts
from tikal.rules.refusals import circumstances, refusal
from tikal.rules.tables import HEX_NAMES

if TYPE_CHECKING:
    import cython
else:
    from tikal import _nocython as cython

if not cython.compiled:
    from tikal.rules.codes import *  # noqa: F403  # C has them from the .pxd
    from tikal.rules.core import NEIGHBOUR, SET_POINTS, TILE_STONES, TILE_TERRAIN, bit

CACHE_LIMIT = 8192  # size of the cache of refusals


def offer(state: State) -> Json:
    """What the seat can do now.

    >>> from tikal.play import Game
    >>> from tikal.rules.options import Options
    >>> made = offer(Game.new(Options(), seed="42").state)
    >>> made["phase"], len(made["places"]) == len(made["actions"])
    ('place', True)
    """
    made: Json = json.loads(offer_as_json(state))
    return made


def offer_as_json(state: State) -> str:
    """The same as JSON.

    >>> from tikal.play import Game
    >>> from tikal.rules.options import Options
    >>> offer_as_json(Game.new(Options(), seed="42").state)[:31]
    '{"seat":1,"phase":"place","ap":'
    """
    moves = Moves()
    state.legal(moves)
    acting = state.phase == ACTING
    seat = "null" if state.seat == NO_SEAT else str(state.seat + 1)
    bidding = _dumps(bidding_of(Facts(state))) if state.phase == BIDDING else "null"
    return (
        f'{{"seat":{seat},"phase":"{PHASES[state.phase]}","ap":{state.ap},"actions":[{_actions(state, moves)}],'
        f'"walks":[{_walks(state, moves) if acting else ""}],"refusals":{{{_refusals(state) if acting else ""}}},'
        f'"places":[{_places(state, moves) if state.phase == PLACING else ""}],"bidding":{bidding}}}'
    )


def _dumps(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


_rows: dict[int, str] = {}  # an action with its cost, as JSON


def _actions(state: State, legal: Moves) -> str:
    """The legal actions, sorted by their texts. Rows sort like texts: no text has a character that sorts before `"`."""
    rows = []
    for i in range(legal.count):
        action = legal.item[i]
        cost = state.price(action)
        row = _rows.get(action | cost << 24)
        if row is None:
            row = _rows[action | cost << 24] = f'{{"action":"{notation.text(action)}","cost":{cost}}}'
        rows.append(row)
    rows.sort()
    return ",".join(rows)


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


_place_heads: dict[int, str] = {}  # a placement without its passages, as JSON


def _places(state: State, legal: Moves) -> str:
    """The legal placements of the current tile, and what a step to each neighbour would cost."""
    places = []
    for i in range(legal.count):
        action = legal.item[i]
        head = _place_heads.get(action)
        if head is None:
            hex, rotation, _tile = fields_of(action)
            place = f'"hex":"{HEX_NAMES[hex]}","rotation":{rotation}'
            head = _place_heads[action] = f'{{"action":"{notation.text(action)}",{place},"passages":{{'
        places.append(f"{head}{_passages(state, action)}}}}}")
    places.sort()  # by their texts, see `_actions`
    return ",".join(places)


def _passages(state: State, action: int) -> str:
    """The cost of a step from a tile that was placed to each neighbour."""
    hex, rotation, tile = action >> 5 & 63, action >> 11 & 63, action >> 17 & 63
    if TILE_TERRAIN[tile] == VOLCANO:
        return ""
    stones = TILE_STONES[tile * 6 + rotation]
    costs = []
    for direction in range(6):
        other = NEIGHBOUR[hex * 6 + direction]
        if other < 0 or not BASE <= state.terrain[other] <= TREASURE:
            continue
        cost = (stones >> 2 * direction & 3) + (state.stones[other] >> 2 * ((direction + 3) % 6) & 3)
        if cost:
            costs.append(f'"{HEX_NAMES[other]}":{cost}')
    return ",".join(costs)


def _walks(state: State, legal: Moves) -> str:
    """From each hex with a member that may move, the cheapest walk to every hex in reach."""
    workers = leaders = 0
    for i in range(legal.count):
        action = legal.item[i]
        if action & 31 in (MOVE, CAMP_MOVE):
            if action >> 17 & 63 == LEADER:
                leaders |= bit(action >> 5 & 63)
            else:
                workers |= bit(action >> 5 & 63)
    found = Ways()
    parts: list[str] = []
    for start in range(HEXES):
        if workers & bit(start):
            _add_walks(state, WORKER, start, found, parts)
    for start in range(HEXES):
        if leaders & bit(start):
            _add_walks(state, LEADER, start, found, parts)
    return "".join(parts)[len(_WALK_END) :] + _WALK_END[:2] if parts else ""


_WALK_END = "]},"  # each walk begins with the end of the walk before
_STARTS = [
    f'{_WALK_END}{{"member":"{member}","from":"{hex}","to":"' for member in notation.MEMBERS for hex in HEX_NAMES
]
_GOALS = [f'{hex}","cost":{cost},"actions":[' for hex in HEX_NAMES for cost in range(TURN_AP + 1)]


def _add_walks(state: State, member: int, start: int, found: Ways, parts: list[str]) -> None:
    """Adds the walks from a hex, by their goals."""
    state.ways(start, state.ap, found)
    for goal in range(HEXES):
        cost = found.cost[goal]
        if goal != start and cost <= state.ap:
            parts.append(_STARTS[member * HEXES + start])
            parts.append(_GOALS[goal * (TURN_AP + 1) + cost])
            _add_steps(member, start, goal, found, parts)


def _add_steps(member: int, start: int, goal: int, found: Ways, parts: list[str]) -> None:
    """Adds the actions of a walk: those to the hex before, and the last step."""
    last = found.last[goal]
    before = last >> 5 & 63
    if before != start:
        _add_steps(member, start, before, found, parts)
    parts.append(_step(last | member << 17, before != start))


_steps: list[str | None] = [None] * (1 << 15)  # the steps of members, as JSON


def _step(action: int, goes_on: bool) -> str:
    """A step as JSON, with a comma if it goes on. It is a move, or a move between camps: one bit of its kind suffices."""
    place = action >> 5 | (action & 1) << 13 | goes_on << 14
    step = _steps[place]
    if step is None:
        step = _steps[place] = f'{"," if goes_on else ""}"{notation.text(action)}"'
    return step


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


_cache: dict[int, list[str]] = {}  # JSON, cut where it names its hex


def _refusals(state: State) -> str:
    """The refused work of each hex. The same circumstances recur, on one hex or another, so answers are cached."""
    found: list[str] = []
    facts: Facts | None = None
    cache = _cache
    for hex in range(HEXES):
        if not BASE <= state.terrain[hex] <= TREASURE:
            continue
        key = circumstances(state, hex)
        row = cache.get(key)
        if row is None:
            if len(cache) >= CACHE_LIMIT:
                cache.clear()
            facts = facts or Facts(state)
            rows = refused(facts, hex)
            name = HEX_NAMES[hex]
            row = cache[key] = f'"{name}":{_dumps(rows)}'.split(name) if rows else []
        if row:
            found.append(HEX_NAMES[hex].join(row))
    return ",".join(found)


def forecast(state: State) -> list[Json]:
    """What each seat would score now: temple by temple, kind by kind, and in all; and its strength at each temple.

    >>> from tikal.play import Game
    >>> from tikal.rules.options import Options
    >>> forecast(Game.new(Options(), seed="42").state)[0]["total"]
    0
    """
    return [_forecast_of(state, seat) for seat in range(state.players)]


def _forecast_of(state: State, seat: int) -> Json:
    temples, strengths, treasures = {}, {}, {}
    for hex in range(HEXES):
        if state.terrain[hex] == TEMPLE:
            if state.holder(hex) == seat:
                temples[HEX_NAMES[hex]] = state.level[hex]
            strength = state.strength(seat, hex)
            if strength:
                strengths[HEX_NAMES[hex]] = strength
    for kind in range(KINDS):
        count = state.treasures[seat * KINDS + kind]
        if count:
            treasures[str(kind + 1)] = SET_POINTS[count]
    total = state.temple_points(seat) + state.treasure_points(seat)
    return {"seat": seat + 1, "temples": temples, "strengths": strengths, "treasures": treasures, "total": total}

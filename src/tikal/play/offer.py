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
    from tikal.rules.core import NEIGHBOUR, SET_POINTS, TILE_STONES, TILE_TERRAIN

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
    starts = set()
    for i in range(legal.count):
        action = legal.item[i]
        if action & 31 in (MOVE, CAMP_MOVE):
            starts.add((action >> 17 & 63) << 6 | action >> 5 & 63)
    found = Ways()
    walks: list[str] = []
    for start in sorted(starts):
        state.ways(start & 63, state.ap, found)
        walks += _walks_from(start >> 6, start & 63, found)
    return ",".join(walks)


_steps: dict[int, str] = {}  # a step of a member, as JSON
_heads: dict[int, str] = {}  # a walk without its actions: member, start, goal, cost


def _walks_from(member: int, start: int, found: Ways) -> list[str]:
    """Walks by their goals, from the core's result. Each is the walk to the hex before its goal, and one more step."""
    ways = [""] * HEXES
    walks = [""] * HEXES
    for i in range(found.count):
        item = found.item[i]
        before, goal, cost = item >> 5 & 63, item >> 11 & 63, item >> 17
        code = item & WITHOUT_MEMBER | member << 17  # the step of this member
        step = _steps.get(code)
        if step is None:
            step = _steps[code] = f'"{notation.text(code)}"'
        way = step if before == start else ways[before] + "," + step
        ways[goal] = way
        key = ((cost * HEXES + goal) * HEXES + start) * 2 + member
        head = _heads.get(key)
        if head is None:
            head = _heads[key] = _head(notation.MEMBERS[member], HEX_NAMES[start], HEX_NAMES[goal], cost)
        walks[goal] = head + way + "]}"
    return [walk for walk in walks if walk]


def _head(member: str, start: str, goal: str, cost: int) -> str:
    return f'{{"member":"{member}","from":"{start}","to":"{goal}","cost":{cost},"actions":['


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


_cache: dict[tuple[Any, ...], list[str]] = {}  # JSON, cut where it names its hex


def _refusals(state: State) -> str:
    """The refused work of each hex. The same circumstances recur, on one hex or another, so answers are cached."""
    found: list[str] = []
    facts: Facts | None = None
    for hex in range(HEXES):
        if not BASE <= state.terrain[hex] <= TREASURE:
            continue
        key = circumstances(state, hex)
        row = _cache.get(key)
        if row is None:
            if len(_cache) >= CACHE_LIMIT:
                _cache.clear()
            facts = facts or Facts(state)
            rows = refused(facts, hex)
            name = HEX_NAMES[hex]
            row = _cache[key] = f'"{name}":{_dumps(rows)}'.split(name) if rows else []
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

# cython: language_level=3, boundscheck=True, wraparound=False, cdivision=True, infer_types=True, annotation_typing=False
"""What may be known: `status` shows a state to everybody, `view` to one seat (`position` is the inverse).

`view` is the only projection: everything that leaves a game for a player goes through it. It leaves out the
order of the deck within what is public, the kinds of undug treasures, future dice, and others' tokens of a leap
until all have chosen.

A server makes a view with every action, so this module is compiled, and reads the state's own arrays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tikal.rules.codes import PHASES
from tikal.rules.core import State
from tikal.rules.options import Options
from tikal.rules.setup import volcano_limits
from tikal.rules.tables import HEX_NAMES, LEVEL_TILES, NEIGHBOURS, TILES, TOKENS_OF_A_KIND
from tikal.rules.variants import VariantState

if TYPE_CHECKING:
    from collections.abc import Sequence

    import cython
else:
    from tikal import _nocython as cython

if not cython.compiled:
    from tikal.rules.codes import *  # noqa: F403  # C has them from the .pxd
    from tikal.rules.core import bit

Json = dict[str, Any]
ROUNDS = (None, "volcano", "final")
STAGES = (None, "fresh", "walking", "spent")
_TILE_NAMES = tuple(tile.name for tile in TILES)
_TURNED = tuple(tuple(f"{tile.name}^{rotation}" for rotation in range(6)) for tile in TILES)


def seat_or_none(seat: int) -> int | None:
    """A seat as people count it.

    >>> seat_or_none(0), seat_or_none(4)
    (1, None)
    """
    return None if seat == NO_SEAT else seat + 1


def seats_of(mask: int) -> list[int]:
    """The seats in a bit set, counted from 1.

    >>> seats_of(0b101)
    [1, 3]
    """
    return [seat + 1 for seat in range(SEATS) if mask >> seat & 1]


def tiles_of(mask: int) -> list[str]:
    """The tiles in a bit set, sorted."""
    return [_TILE_NAMES[tile] for tile in range(TILE_COUNT) if mask >> tile & 1] if mask else []


def hexes_of(mask: int) -> list[str]:
    """The hexes in a bit set, sorted."""
    return [HEX_NAMES[hex] for hex in range(HEXES) if mask >> hex & 1] if mask else []


def unseen_tiles(state: State) -> list[str]:
    """The tiles that have not been turned up, sorted."""
    mask = 0
    for place in range(state.deck_next, TILE_COUNT):
        mask |= bit(state.deck[place])
    return tiles_of(mask)


def is_empty(value: Any) -> bool:
    """Whether a value is empty: zero, null, or a list or an object of empty values.

    >>> is_empty([{}, {}]), is_empty([{}, {"a2": 1}]), is_empty(0)
    (True, False, True)
    """
    if isinstance(value, dict):
        value = list(value.values())
    elif not isinstance(value, list):
        return not value
    for item in value:  # compiled, this is a loop of C; `all` would call a Python function for each item
        if not is_empty(item):
            return False
    return True


def hidden(state: State) -> Json:
    """All chance still to come, for digests: never show it to anybody."""
    return {
        "deck": [_TILE_NAMES[state.deck[place]] for place in range(TILE_COUNT)],
        "treasures": [state.kinds[place] + 1 for place in range(TOKENS)],
        "dice": _dice(state) if isinstance(state, VariantState) else [],
    }


def _dice(state: VariantState) -> list[int]:
    return [state.dice[roll] for roll in range(DICE_LIMIT)]


def _tile_or_none(tile: int) -> str | None:
    return None if tile == NO_TILE else _TILE_NAMES[tile]


def status(state: State) -> Json:
    """The position in the form of the protocol's `status`; nothing in it is hidden from anybody.

    >>> from tikal.play import Game
    >>> status(Game.new(Options(), seed="42").state)["deck_left"]
    35
    """
    players = state.players
    variant = state if isinstance(state, VariantState) else None
    return {
        "phase": PHASES[state.phase],
        "seat": seat_or_none(state.seat),
        "ap": state.ap,
        "tile": _tile_or_none(state.hand),
        "deck_left": TILE_COUNT - state.deck_next,
        "display": tiles_of(state.display),
        "bid": state.bid if state.phase == BIDDING else 0,
        "scores": [state.score[seat] for seat in range(players)],
        "treasures": [[state.treasures[seat * KINDS + kind] for kind in range(KINDS)] for seat in range(players)],
        "levels": _values_on(state, TEMPLE, state.level),
        "tiles": _tiles(state),
        "workers": [_counts(state.workers, seat * HEXES) for seat in range(players)],
        "leader": [_leader(state.leader[seat]) for seat in range(players)],
        "reserve": [state.reserve[seat] for seat in range(players)],
        "camps": _counts(state.camp, 0),
        "guards": _counts(state.guard, 0),
        "guns": [] if variant is None else hexes_of(variant.guns),
        "obstacles": [] if variant is None else _obstacles(variant),
        "tokens": _values_on(state, TREASURE, state.tokens),
        "supply": {str(level): state.supply[level] for level in LEVEL_TILES},
        "winners": seats_of(state.winners) if state.phase == FINISHED else None,
    }


def _values_on(state: State, terrain: int, row: Sequence[int]) -> dict[str, int]:
    """A value for each hex of a terrain."""
    found = {}
    for hex in range(HEXES):
        if state.terrain[hex] == terrain:
            found[HEX_NAMES[hex]] = row[hex]
    return found


def _counts(row: Sequence[int], start: int) -> dict[str, int]:
    """The non-zero counts, by hex."""
    found = {}
    for hex in range(HEXES):
        if row[start + hex]:
            found[HEX_NAMES[hex]] = row[start + hex]
    return found


def _tiles(state: State) -> dict[str, str]:
    found = {}
    for hex in range(HEXES):
        if state.tile[hex] != NO_TILE:
            found[HEX_NAMES[hex]] = _TURNED[state.tile[hex]][state.rotation[hex]]
    return found


def _leader(at: int) -> str:
    if at == RESERVE:
        return "reserve"
    return "gone" if at == GONE else HEX_NAMES[at]


def _obstacles(state: VariantState) -> list[str]:
    found = []
    for hex in range(HEXES):
        for direction in range(6):
            if state.obstacle_sides[hex] >> direction & 1 and NEIGHBOURS[hex][direction] > hex:
                found.append(f"{HEX_NAMES[hex]}-{HEX_NAMES[NEIGHBOURS[hex][direction]]}")
    return sorted(found)


def view(state: State, options: Options, seat: int | None) -> Json:
    """What a seat (counted from 1; None: a spectator) may know, enough to play from.

    >>> from tikal.play import Game
    >>> Game.new(Options(), seed="42").view(1)["unseen_kinds"]
    [3, 3, 3, 3, 3, 3, 3, 3]
    """
    seen: Json = {"viewer": seat, "options": options.as_dict()}
    seen.update(known(state, seat))
    return seen


def known(state: State, seat: int | None) -> Json:
    """The view without its viewer and options: it differs between viewers only while tokens of a leap are hidden.

    >>> from tikal.play import Game
    >>> known(Game.new(Options(), seed="42").state, None)["phase"]
    'place'
    """
    players = state.players
    seen = status(state)
    seen["unseen_tiles"] = unseen_tiles(state)
    seen["unseen_kinds"] = _unseen_kinds(state)
    seen["top_letter"] = top_letter(state)
    seen["gone"] = tiles_of(state.gone)
    seen["work"] = [_work(state.done_once[seat], state.done_twice[seat]) for seat in range(players)]
    seen["turn_seat"] = state.turn_seat + 1
    seen["volcano_seat"] = seat_or_none(state.volcano_seat)
    seen["scoring"] = _scoring(state)
    seen["auction"] = {
        "had_turn": seats_of(state.had_turn),
        "out": seats_of(state.out),
        "first_out": seat_or_none(state.first_out),
        "bidder": seat_or_none(state.bidder),
    }
    seen.update(_of_variants(state, seat) if isinstance(state, VariantState) else _without_variants(players))
    return seen


def top_letter(state: State) -> str | None:
    """The letter on top of the deck; None if it is empty, or if `sudden_death` shuffles it before the next tile."""
    if state.deck_next == TILE_COUNT:
        return None
    if isinstance(state, VariantState) and state.sudden_death:
        if state.deck_next in volcano_limits(state.players).values():
            return None
    return _TILE_NAMES[state.deck[state.deck_next]][0]


def _unseen_kinds(state: State) -> list[int]:
    return [
        TOKENS_OF_A_KIND - sum([state.treasures[seat * KINDS + kind] for seat in range(SEATS)]) for kind in range(KINDS)
    ]


def _work(once: int, twice: int) -> dict[str, int]:
    """How often something was done on each hex, from the hexes where it was done at least once, and twice."""
    found: dict[str, int] = {}
    if once:
        for hex in range(HEXES):
            if once >> hex & 1:
                found[HEX_NAMES[hex]] = 2 if twice >> hex & 1 else 1
    return found


def _scoring(state: State) -> Json | None:
    if not state.round_kind:
        return None
    order = [state.order[place] + 1 for place in range(state.players)]
    return {"kind": ROUNDS[state.round_kind], "order": order, "place": state.place}


def _without_variants(players: int) -> Json:
    """The result of `_of_variants` for a game without variants."""
    return {
        "worked": [{} for _ in range(players)],
        "lost": [{} for _ in range(players)],
        "fired": [],
        "rolls": 0,
        "volcanoes_taken": 0,
        "round_scored": False,
        "leaps": None,
    }


def _of_variants(state: VariantState, viewer: int | None) -> Json:
    players = state.players
    return {
        "worked": [_counts(state.worked, seat * HEXES) for seat in range(players)],
        "lost": [_work(state.lost_once[seat], state.lost_twice[seat]) for seat in range(players)],
        "fired": hexes_of(state.fired),
        "rolls": state.dice_next,
        "volcanoes_taken": state.volcanoes_taken,
        "round_scored": bool(state.round_scored),
        "leaps": _leaps(state, viewer) if state.leaps else None,
    }


def _leaps(state: VariantState, viewer: int | None) -> Json:
    """The round of leaps: what others chose is shown only when all have chosen."""
    players = state.players
    known = players if state.had_turn == (1 << players) - 1 else state.place
    if state.phase == FINISHED:
        known = 0  # no round is running any more
    walker = ["L" if state.walk_member else "W", HEX_NAMES[state.walk_hex]]
    return {
        "order": [state.order[place] + 1 for place in range(known)],
        "place": state.place,
        "tiles": [_tile_or_none(state.won[seat]) for seat in range(players)],
        "tokens": [state.leap_tokens[seat] for seat in range(players)],
        "chosen": [_chosen(state, seat, viewer) for seat in range(players)],
        "stage": STAGES[state.leap_stage],
        "walker": walker if state.leap_stage == WALKING else None,
        "erupted": bool(state.erupted),
    }


def _chosen(state: VariantState, seat: int, viewer: int | None) -> int | None:
    """The tokens still to be spent; None if they are not chosen yet, or hidden."""
    if state.chosen[seat] == NO_CHOICE or (state.phase == LEAPING and seat + 1 != viewer):
        return None
    return state.chosen[seat]

"""What a tile is worth to a seat, what to bid for the choice, and what to take."""

from __future__ import annotations

import random

from tikal.bots.planner import Planner
from tikal.rules.codes import ACTING, BID, NO_ROUND, TAKE, TAKING, pack
from tikal.rules.core import State

SHARE = 0.6  # of what a choice is worth, so much is bid at the most


def tile_values(planner: Planner, state: State, seat: int, rng: random.Random) -> dict[int, float]:
    """For each tile on display: the value of the position after a quick turn of this seat with it."""
    fields = state.export() | {"phase": TAKING, "seat": seat, "bid": 0, "out": 0, "first_out": 4, "bidder": 4}
    values = {}
    for tile in range(36):
        if state.display >> tile & 1:
            after = state.clone()
            after.restore(fields)
            after.apply(pack(TAKE, tile))
            values[tile] = _turn_value(planner, after, seat, rng)
    return values


def _turn_value(planner: Planner, state: State, seat: int, rng: random.Random) -> float:
    """Plays on quickly, through the scoring round of a volcano, to the end of this seat's own turn."""
    waiting = state.had_turn
    for _ in range(2 * state.players + 2):
        own = state.seat == seat and state.phase == ACTING and state.round_kind == NO_ROUND
        if own:
            return planner.turns(state, 2, 1)[0].value
        planner.play_quick(state, rng)
        if state.had_turn != waiting or state.phase not in (0, ACTING):
            break
    return planner.outcome(state, seat)


def choose_bid(planner: Planner, state: State, rng: random.Random) -> int:
    """Bids one more while the choice is worth it: the best tile against the best that a rival would leave."""
    seat = state.seat
    score = state.export()["score"][seat]
    bid = state.bid + 1
    if bid > score:
        return pack(BID)
    values = tile_values(planner, state, seat, rng)
    best = max(values, key=values.__getitem__)
    away = state.had_turn | state.out | 1 << seat
    rivals = [other for other in range(state.players) if not away >> other & 1]
    left = set(values)
    for rival in rivals[:1]:
        theirs = tile_values(planner, state, rival, rng)
        left.discard(max(theirs, key=theirs.__getitem__))
    worth = values[best] - max(values[tile] for tile in left) if left else 0.0
    return BID | bid << 5 if bid <= SHARE * worth else pack(BID)


def choose_tile(planner: Planner, state: State, rng: random.Random) -> int:
    """The tile whose turn is worth most."""
    values = tile_values(planner, state, state.seat, rng)
    return pack(TAKE, max(values, key=values.__getitem__))

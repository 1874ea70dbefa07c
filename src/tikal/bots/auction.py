"""Chooses bids and tiles: plays the round to its end with quick turns, and compares the outcomes."""

from __future__ import annotations

import random

from tikal.bots.planner import Planner, round_is_over
from tikal.bots.sample import redeal
from tikal.rules.codes import ACTING, BID, NO_ROUND, NO_SEAT, TAKE, TAKING, pack
from tikal.rules.core import State
from tikal.rules.facts import Facts
from tikal.rules.tables import TILES

SHARE = 0.5  # a bid is at most this part of what winning is worth: a rival that wins pays about as much
DEALS = 4  # deals on which the round is played
NARROW = 2  # with a beam this narrow there is time for one deal and two turns only
OPENING = 0.5  # the opening bid is this part of the highest bid


def choose_bid(planner: Planner, state: State, rng: random.Random) -> int:
    """Bids while winning is worth it. It opens with half of its highest bid, so that nobody gets a good turn for 1."""
    facts = Facts(state)
    least = facts.least_bid()
    most = min(int(SHARE * worth_of_winning(planner, state, rng)), facts.most_bids()[state.seat])
    if least > most:
        return pack(BID)
    return pack(BID, max(least, 0 if state.bid else int(OPENING * most)))


def choose_tile(planner: Planner, state: State, rng: random.Random) -> int:
    """The tile after which the round ends best: a good turn with it, and little left for the others."""
    values = tile_values(planner, state, state.seat, rng)
    return pack(TAKE, max(values, key=values.__getitem__))


def worth_of_winning(planner: Planner, state: State, rng: random.Random) -> float:
    """What winning the auction brings the seat to move, compared with the next rival winning it."""
    seat = state.seat
    won = max(tile_values(planner, state, seat, rng).values())
    return won - value_of_passing(planner, state, rng)


def value_of_passing(planner: Planner, state: State, rng: random.Random) -> float:
    """What the seat to move has at the end of the round if another seat wins this auction."""
    rival = state.bidder if state.bidder != NO_SEAT else next_bidder(state)
    deals = _deals(planner)
    total = 0.0
    for _ in range(deals):
        after = won_by(redeal(state, rng), rival)
        total += _end_of_round(planner, after, state.seat, rng)
    return total / deals


def next_bidder(state: State) -> int:
    """The seat that is asked next in the auction."""
    bidders = Facts(state).most_bids()
    return min(bidders, key=lambda seat: (seat - state.seat - 1) % state.players)


def _deals(planner: Planner) -> int:
    return DEALS if planner.width > NARROW else 1


def won_by(state: State, seat: int) -> State:
    """A state in which this seat has won the auction for nothing and is to take a tile."""
    after = state.clone()
    over = {"phase": TAKING, "seat": seat, "bid": 0, "out": 0, "first_out": NO_SEAT, "bidder": NO_SEAT}
    after.restore(state.export() | over)
    return after


def tile_values(planner: Planner, state: State, seat: int, rng: random.Random) -> dict[int, float]:
    """For each tile on display: what the seat has at the end of the round if it takes this tile now."""
    values = dict.fromkeys((tile for tile in range(len(TILES)) if state.display >> tile & 1), 0.0)
    deals = _deals(planner)
    for _ in range(deals):
        deal, seed = redeal(state, rng), rng.getrandbits(32)
        for tile in values:
            after = won_by(deal, seat)
            after.apply_unchecked(pack(TAKE, tile))
            values[tile] += _end_of_round(planner, after, seat, random.Random(seed)) / deals
    return values


def _end_of_round(planner: Planner, state: State, seat: int, rng: random.Random) -> float:
    """Plays the round to its end with quick turns; in `leaps` only until all tiles are placed."""
    deck_next = state.deck_next
    for _ in range(8 * state.players if planner.width > NARROW else 2):
        if round_is_over(state, seat, deck_next):
            break
        if getattr(state, "leaps", 0) and state.phase == ACTING and state.round_kind == NO_ROUND:
            break
        planner.play_quick(state, rng)
    return planner.outcome(state, seat)

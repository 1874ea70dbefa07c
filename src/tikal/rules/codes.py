"""The small integers of the core, by name. `core.pxd` repeats them for C; a test compares the two.

An action is one integer: its kind in the low 5 bits, then three fields of 6 bits (`p`, `q`, `r`).
The kind of a bid is followed by one whole number instead.

>>> kind_of(pack(MOVE, 0, 5, LEADER)) == MOVE
True
"""

from __future__ import annotations

from tikal.rules import tables

# Sizes of the game.
HEXES = tables.HEXES
TILE_COUNT = tables.TILE_COUNT
KINDS = tables.KINDS
TOKENS = tables.TOKENS
DICE_LIMIT = tables.DICE_LIMIT
SEATS = 4

# Terrain of a hex. Members walk on BASE to TREASURE; a volcano tile is explored, but nobody can enter it.
EMPTY, BASE, JUNGLE, TEMPLE, TREASURE, VOLCANO, CLOSED = range(7)

# Phases: the kind of decision. The last two belong to variants.
PLACING, ACTING, BIDDING, TAKING, FINISHED, DECIDING, LEAPING = range(7)
PHASES = ("place", "act", "bid", "take", "over", "decide", "leap")

# Kinds of actions, and the meaning of p, q and r.
END = 0  # -
ENTER = 1  # hex, -, member
MOVE = 2  # from, to, member
CAMP_MOVE = 3  # from camp, to camp, member
EXCAVATE = 4  # hex
DIG = 5  # hex
EXCHANGE = 6  # seat, kind given, kind taken
CAMP = 7  # hex
GUARD = 8  # hex, -, member
PLACE = 9  # hex, rotation, tile
BID = 10  # a whole number instead of fields; 0 is a pass
TAKE = 11  # tile
# Actions of variants:
OBSTACLE = 12  # hex, the neighbour with the later name
GUN = 13  # hex
SHOOT = 14  # hex, seat
DECIDE = 15  # 1: this volcano scores, 0: it does not
LEAP = 16  # tokens

WORKER, LEADER = range(2)

# Prices in AP; moves along a path cost their stones.
ENTER_AP = 1
CAMP_MOVE_AP = 1
EXCAVATE_AP = 2
DIG_AP = 3
EXCHANGE_AP = 3
CAMP_AP = 5
GUARD_AP = 5
TURN_AP = 10
OBSTACLE_AP = 4
GUN_AP = 6
SHOOT_AP = 1
LEADER_STRENGTH = 3
OBSTACLE_COST = 2  # the extra cost of crossing an obstacle
GUN_WORKERS = 2  # workers that a gun takes, and its lead in strength over every other seat
LEAP_LIMIT = 5  # tokens shown at once
LEAP_TOKENS = 10  # tokens in a round
WORK_LIMIT = 2  # levels per temple, or tokens per treasure tile, in one turn

# Where a leader is when it is on no hex; no tile; no seat.
RESERVE = HEXES
GONE = HEXES + 1
NO_TILE = 63
NO_SEAT = 4
NO_CHOICE = 7  # tokens not chosen yet

# The kind of scoring round that is in progress.
NO_ROUND, VOLCANO_ROUND, FINAL_ROUND = range(3)

# `double_volcano`, and a seat's progress in spending the tokens of a leap.
SCORE_ALL, REDRAW, TAKER_DECIDES = range(3)
NO_LEAP, FRESH, WALKING, SPENT = range(4)


MAX_MOVES = 2048  # capacity for legal actions: at most about 300, but there is a bid for each point of the score


def pack(kind: int, p: int = 0, q: int = 0, r: int = 0) -> int:
    """An action as one integer."""
    return kind | p << 5 | q << 11 | r << 17


def kind_of(action: int) -> int:
    """The kind of an action."""
    return action & 31


def fields_of(action: int) -> tuple[int, int, int]:
    """The fields p, q and r of an action; the number of a bid is p.

    >>> fields_of(pack(MOVE, 0, 5, LEADER)), fields_of(pack(BID, 100))
    ((0, 5, 1), (100, 0, 0))
    """
    if kind_of(action) == BID:
        return action >> 5, 0, 0
    return action >> 5 & 63, action >> 11 & 63, action >> 17 & 63

"""A state as plain Python values, for code that need not be fast: refusals, views, drawings.

>>> from tikal.rules.core import State
>>> from tikal.rules.options import Options
>>> facts = Facts(State(Options(), range(36), [0, 1, 2, 3, 4, 5, 6, 7] * 3))
>>> facts.passage(HEX_INDEX["a1"], HEX_INDEX["b2"])
1
"""

from __future__ import annotations

from typing import Any

from tikal.rules.codes import (
    BIDDING,
    EMPTY,
    HEXES,
    JUNGLE,
    MOVE,
    NO_SEAT,
    NO_TILE,
    SEATS,
    TREASURE,
    VOLCANO,
    WORKER,
    pack,
)
from tikal.rules.core import State
from tikal.rules.tables import HEX_INDEX, NEIGHBOURS

__all__ = ["HEX_INDEX", "Facts"]


class Facts:
    """The fields of a state by name, as `State.export` returns them, and questions about them."""

    # Fields of variants, with their values in a game without variants.
    guns: int = 0
    fired: int = 0
    dice_next: int = 0
    dice_count: int = 0
    volcanoes_taken: int = 0
    round_scored: int = 0
    leap_stage: int = 0
    walk_hex: int = 0
    walk_member: int = 0
    erupted: int = 0
    sudden_death: int = 0
    boulders: int = 0
    obstacles: int = 0
    machine_gun: int = 0
    leaps: int = 0
    members_work_once: int = 0
    lost_once: list[int] = [0] * SEATS  # read-only, like all of these
    lost_twice: list[int] = [0] * SEATS
    obstacle_sides: list[int] = [0] * HEXES
    worked: list[int] = [0] * (SEATS * HEXES)
    dice: list[int] = []  # noqa: RUF012
    won: list[int] = [NO_TILE] * SEATS
    leap_tokens: list[int] = [0] * SEATS
    chosen: list[int] = [0] * SEATS

    def __init__(self, state: State) -> None:
        self.state = state
        self.players = state.players
        self.camp_needs_member = state.camp_needs_member
        self.volcano_may_seal = state.volcano_may_seal
        self.leader_may_guard = state.leader_may_guard
        self.auction = state.auction
        self.base = state.base
        if type(state) is not State:
            for name in ("sudden_death", "boulders", "obstacles", "machine_gun", "leaps", "members_work_once"):
                setattr(self, name, getattr(state, name))
        self.fields = state.export()
        self.__dict__.update(self.fields)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(name)  # tells mypy that there are more attributes: the exported fields

    def seats(self) -> range:
        """All seats, from 0."""
        return range(self.players)

    def hexes(self, *terrains: int) -> list[int]:
        """The hexes of these terrains."""
        return [hex for hex, terrain in enumerate(self.terrain) if terrain in terrains]

    def explored(self, hex: int) -> bool:
        """Whether a hex is explored; a volcano tile is, too."""
        return bool(EMPTY < self.terrain[hex] <= VOLCANO)

    def enterable(self, hex: int) -> bool:
        """Whether a member can be there at all."""
        return bool(EMPTY < self.terrain[hex] < VOLCANO)

    def has(self, seat: int, member: int, hex: int) -> bool:
        """Whether a seat has a worker, or its leader, on a hex."""
        return bool(self.workers[seat * HEXES + hex]) if member == WORKER else self.leader[seat] == hex

    def members(self, seat: int, hex: int) -> int:
        """How many members a seat has on a hex."""
        return self.state.members(seat, hex)

    def strength(self, seat: int, hex: int) -> int:
        """Workers count 1, the leader 3."""
        return self.state.strength(seat, hex)

    def rivals(self, seat: int, hex: int) -> int:
        """The greatest strength of any other seat on a hex."""
        return self.state.rivals(seat, hex)

    def done(self, seat: int, hex: int) -> int:
        """Levels or tokens that a seat took on a hex in this turn."""
        return int((self.done_once[seat] >> hex & 1) + (self.done_twice[seat] >> hex & 1))

    def lost(self, seat: int, hex: int) -> int:
        """Workers that a seat lost to boulders on a hex this turn."""
        return (self.lost_once[seat] >> hex & 1) + (self.lost_twice[seat] >> hex & 1)

    def fresh(self, seat: int, hex: int) -> int:
        """Members of a seat on a hex that have not worked this turn; workers lost to boulders there still count."""
        return self.members(seat, hex) + self.lost(seat, hex) - self.worked[seat * HEXES + hex]

    def is_camp(self, seat: int, hex: int) -> bool:
        """Whether a seat's members can enter the game here: the base camp or one of its camps."""
        return hex == self.base or self.camp[hex] == seat + 1

    def is_clearing(self, hex: int) -> bool:
        """Whether a camp could be here: a jungle hex, or a treasure tile with no tokens left."""
        return bool(self.terrain[hex] == JUNGLE or (self.terrain[hex] == TREASURE and not self.tokens[hex]))

    def side(self, hex: int, direction: int) -> int:
        """The stones on a side of a hex."""
        return int(self.stones[hex]) >> 2 * direction & 3

    def passage(self, hex: int, other: int) -> int:
        """The cost of a step from one hex to a neighbour; 0 without a passage."""
        return self.state.price(pack(MOVE, hex, other)) if other in NEIGHBOURS[hex] else 0

    def has_obstacle(self, hex: int, other: int) -> bool:
        """Whether there is an obstacle between two neighbours."""
        return bool(self.obstacle_sides[hex] >> NEIGHBOURS[hex].index(other) & 1)

    def least_bid(self) -> int:
        """The lowest bid allowed now, in an auction."""
        return int(self.bid) + 1

    def most_bids(self) -> dict[int, int]:
        """For each seat that is still in the auction, its highest allowed bid [R4]; empty outside of an auction."""
        if self.phase != BIDDING:
            return {}
        return {seat: self.score[seat] for seat in self.seats() if not (self.had_turn | self.out) >> seat & 1}

    def holder(self, hex: int) -> int | None:
        """The seat that would score a temple now."""
        seat = self.state.holder(hex)
        return None if seat == NO_SEAT else seat

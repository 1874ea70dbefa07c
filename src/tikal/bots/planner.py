"""Plans whole turns: values all places of the tile, searches the better ones narrowly and the best ones widely."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from tikal.bots.bot import Budget
from tikal.bots.search import Search
from tikal.bots.weights import weights
from tikal.rules.codes import (
    ACTING,
    BID,
    BIDDING,
    DIG,
    END,
    FINISHED,
    FRESH,
    NO_ROUND,
    PLACING,
    SPENT,
    TAKING,
    TEMPLE,
    WALKING,
    kind_of,
    pack,
)
from tikal.rules.core import Moves, State
from tikal.rules.facts import Facts
from tikal.rules.setup import DICE, volcano_limits
from tikal.rules.tables import DICE_LIMIT, TILES

NARROW = 2  # width of the first search of a placement
GLANCES = 16  # placements that get a first search, unless the beam is very narrow
PLACES = 5  # placements that get a second search, at full width
QUICK_WIDTH = 1  # width of quick turns: two rounds of them tell a look-ahead more than one round of better turns
WIN = 15.0  # what a won game is worth on top of its margin
BOULDER = 1.5  # points that a worker lost to a boulder costs
VOLCANOES = [index for index, tile in enumerate(TILES) if tile.terrain == "volcano"]
NO_BOULDER = [99] * DICE_LIMIT  # dice that never hit: a plan counts the risk instead


@dataclass(frozen=True, slots=True)
class Turn:
    """The actions of one seat up to the end of its AP, and the value of the position that they lead to."""

    value: float
    actions: tuple[int, ...]


class Planner:
    """Plans turns for states like the given one, and counts the positions that it has valued."""

    def __init__(self, like: State, width: int, own_weights: Sequence[float] | None = None) -> None:
        self.search = Search(like, own_weights or weights(like.players), max(width, QUICK_WIDTH))
        self.width = width
        self.boulders = getattr(like, "boulders", 0)
        self._moves = Moves()
        if self.boulders:
            self.search.set_risk([BOULDER * chance for chance in hit_chances(list(DICE)[self.boulders - 1])])

    @property
    def nodes(self) -> int:
        """Positions valued so far."""
        return int(self.search.nodes)

    def turns(self, state: State, width: int, keep: int, budget: Budget | None = None) -> list[Turn]:
        """The best ways to spend the AP from here, best first."""
        state = self._planned(state)
        if state.phase == PLACING:
            return self._placed(state, width, keep, budget)
        self.search.prepare(state, state.seat)
        return [Turn(value, (*path, END)) for value, path in self.search.plan(state, width, keep)]

    def prepare(self, state: State, seat: int) -> None:
        """Prepares the search for the turn of a seat."""
        if type(state) is not State:
            self._tell_variant(state)
        self.search.prepare(state, seat)

    def _planned(self, state: State) -> State:
        """The state to plan with: with boulders, one whose dice reveal nothing."""
        if type(state) is not State:
            self._tell_variant(state)
            if self.boulders:
                facts = Facts(state)
                state = state.clone()
                state.take_chance(facts.deck, facts.kinds, NO_BOULDER)
        return state

    def _tell_variant(self, state: State) -> None:
        """Gives the search what it can't see: which steps a variant allows, and when it scores."""
        variant: Any = state
        self.search.set_steps(
            exact=variant.leap_stage in (WALKING, SPENT),
            leap=variant.leap_stage == FRESH,
            marks=bool(variant.members_work_once),
        )
        sudden = sorted(volcano_limits(state.players).values()) if variant.sudden_death else ()
        volcanoes = any(tile in VOLCANOES for tile in Facts(state).deck[state.deck_next :])
        self.search.set_variant(sudden, bool(variant.instant_scoring) and volcanoes, bool(variant.erupted))

    def _placed(self, state: State, width: int, keep: int, budget: Budget | None) -> list[Turn]:
        glances = min(GLANCES, 4 + 2 * width)
        first = [self._after(state, action, min(NARROW, width), 1)[0] for action in self._places(state)[:glances]]
        first.sort(key=lambda turn: turn.value, reverse=True)
        found: list[Turn] = []
        for turn in first[:PLACES]:
            if found and budget and not budget.left(self.nodes):
                break
            found += self._after(state, turn.actions[0], width, keep)
        found.sort(key=lambda turn: turn.value, reverse=True)
        return found[:keep]

    def _places(self, state: State) -> list[int]:
        """The placements of the tile; those that are worth most before any action come first."""
        state.legal(self._moves)
        values = {}
        after = state.clone()
        for action in self._moves:
            after.copy_from(state)
            after.apply_unchecked(action)
            self.search.prepare(after, state.seat)
            values[action] = self.search.evaluate(after)
        return sorted(values, key=lambda action: -values[action])

    def _after(self, state: State, place: int, width: int, keep: int) -> list[Turn]:
        """Turns that begin by placing the tile here."""
        after = state.clone()
        after.apply_unchecked(place)
        self.search.prepare(after, state.seat)
        if after.phase != ACTING or after.seat != state.seat:
            return [Turn(self.search.evaluate(after), (place,))]
        return [Turn(value, (place, *path, END)) for value, path in self.search.plan(after, width, keep)]

    # Quick turns, for the look-ahead

    def quick(self, state: State, rng: random.Random) -> tuple[int, ...]:
        """A turn found quickly: the likeliest place and the narrowest beam."""
        if state.phase == PLACING:
            state = self._planned(state)
            return self._after(state, self._places(state)[0], QUICK_WIDTH, 1)[0].actions
        if state.phase == ACTING:
            return self.turns(state, QUICK_WIDTH, 1)[0].actions
        if state.phase == BIDDING:
            return (pack(BID),)
        if state.phase == TAKING:
            return (self.quick_take(state),)
        state.legal(self._moves)
        return (rng.choice(list(self._moves)),)

    def quick_take(self, state: State) -> int:
        """The tile with the best quick turn."""
        state.legal(self._moves)
        values = {}
        for action in list(self._moves):
            after = state.clone()
            after.apply_unchecked(action)
            if after.phase == PLACING and after.seat == state.seat:
                self._planned(after)
                values[action] = self._after(after, self._places(after)[0], QUICK_WIDTH, 1)[0].value
            else:
                values[action] = self.outcome(after, state.seat)
        return max(values, key=values.__getitem__)

    def play_quick(self, state: State, rng: random.Random) -> None:
        """Plays a quick turn."""
        self.play_on(state, self.quick(state, rng))

    def play_on(self, state: State, actions: Iterable[int]) -> None:
        """Plays a planned turn to its end; after a dig it plans the rest again, as a player does at the table."""
        seat = state.seat
        for action in actions:
            if state.seat != seat or (self.boulders and not self._is_legal(state, action)):
                break
            state.apply_unchecked(action)
            if kind_of(action) == DIG and state.phase == ACTING and state.ap:
                self.play_on(state, self.turns(state, QUICK_WIDTH, 1)[0].actions)
                break
        else:
            return
        if self.boulders and state.seat == seat and state.phase == ACTING:
            state.apply_unchecked(END)

    def _is_legal(self, state: State, action: int) -> bool:
        state.legal(self._moves)
        return action in list(self._moves)

    def outcome(self, state: State, seat: int) -> float:
        """The value of a position for any seat, whichever is to move."""
        self.prepare(state, seat)
        value = self.search.evaluate(state)
        if state.phase == FINISHED and state.winners >> seat & 1:
            value += WIN / bin(state.winners).count("1")
        return value


def hit_chances(name: str) -> list[float]:
    """How likely a boulder hits, by the level that was just uncovered.

    >>> hit_chances("1d20")[5]
    0.25
    """
    number, sides = DICE[name]
    sums = [sum(dice) for dice in product(range(1, sides + 1), repeat=number)]
    return [sum(total <= level for total in sums) / len(sums) for level in range(12)]


def leaping(state: State, tokens: int) -> State:
    """The state in which the seat that chooses tokens spends this many, as if it were its turn."""
    after = state.clone()
    after.restore(state.export() | {"phase": ACTING, "ap": tokens, "leap_stage": FRESH})
    return after


def round_is_over(state: State, seat: int, deck_next: int) -> bool:
    """Whether all others have replied: the seat is to place its next tile, or a new round of the auction has begun."""
    if state.phase == FINISHED:
        return True
    if state.auction:
        return state.phase in (BIDDING, TAKING) and state.deck_next != deck_next
    return state.phase == PLACING and state.seat == seat and state.round_kind == NO_ROUND


def signature(state: State, seat: int) -> tuple[object, ...]:
    """What makes two plans differ in kind: everything but the positions of idle workers."""
    facts = Facts(state)
    temples = tuple(facts.strength(seat, hex) for hex in facts.hexes(TEMPLE))
    return temples, *map(tuple, (facts.level, facts.tokens, facts.guard, facts.camp, facts.tile, facts.treasures))

"""Plans of whole turns: every place and rotation of the tile with a narrow beam, the best of them with a wide one."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from tikal.bots.bot import Budget
from tikal.bots.search import Search
from tikal.bots.weights import weights
from tikal.rules.codes import ACTING, BIDDING, END, FINISHED, NO_ROUND, PLACING, TAKING, pack
from tikal.rules.core import Moves, State
from tikal.rules.facts import Facts

NARROW = 2  # width of the first look at every place
PLACES = 5  # places that get a second look
QUICK_PLACES = 6  # places that a quick turn looks at, chosen at random
QUICK_WIDTH = 4
WIN = 15.0  # what a won game is worth on top of its margin


@dataclass(frozen=True, slots=True)
class Turn:
    """Actions of one seat up to the end of its budget, and the value of the position they lead to."""

    value: float
    actions: tuple[int, ...]


class Planner:
    """Plans turns for states like one given; counts the nodes it has looked at."""

    def __init__(self, like: State, width: int, own_weights: Sequence[float] | None = None) -> None:
        self.search = Search(like, own_weights or weights(like.players), max(width, QUICK_WIDTH))
        self.width = width
        self._moves = Moves()

    @property
    def nodes(self) -> int:
        """Positions valued so far."""
        return int(self.search.nodes)

    def turns(self, state: State, width: int, keep: int, budget: Budget | None = None) -> list[Turn]:
        """The best ways to play from here to the end of the budget, best first."""
        if state.phase == PLACING:
            return self._placed(state, width, keep, budget)
        self.search.prepare(state, state.seat)
        return [Turn(value, (*path, END)) for value, path in self.search.plan(state, width, keep)]

    def _placed(self, state: State, width: int, keep: int, budget: Budget | None) -> list[Turn]:
        state.legal(self._moves)
        first = [self._after(state, action, NARROW, 1)[0] for action in list(self._moves)]
        first.sort(key=lambda turn: turn.value, reverse=True)
        found: list[Turn] = []
        for turn in first[:PLACES]:
            if found and budget and not budget.left(self.nodes):
                break
            found += self._after(state, turn.actions[0], width, keep)
        found.sort(key=lambda turn: turn.value, reverse=True)
        return found[:keep]

    def _after(self, state: State, place: int, width: int, keep: int) -> list[Turn]:
        """Turns that begin with this place."""
        after = state.clone()
        after.apply(place)
        self.search.prepare(after, state.seat)
        if after.phase != ACTING or after.seat != state.seat:
            return [Turn(self.search.evaluate(after), (place,))]
        return [Turn(value, (place, *path, END)) for value, path in self.search.plan(after, width, keep)]

    # Quick turns, for looking ahead

    def quick(self, state: State, rng: random.Random) -> tuple[int, ...]:
        """A turn that is found in a moment: a few places, a narrow beam."""
        if state.phase == PLACING:
            state.legal(self._moves)
            places = list(self._moves)
            if len(places) > QUICK_PLACES:
                places = rng.sample(places, QUICK_PLACES)
            best = max((self._after(state, place, 1, 1)[0] for place in places), key=lambda turn: turn.value)
            return self._after(state, best.actions[0], QUICK_WIDTH, 1)[0].actions
        if state.phase == ACTING:
            return self.turns(state, QUICK_WIDTH, 1)[0].actions
        if state.phase == BIDDING:
            return (pack(10),)
        state.legal(self._moves)
        return (rng.choice(list(self._moves)),)

    def play_quick(self, state: State, rng: random.Random) -> None:
        """Plays a quick turn, as far as nothing has changed hands."""
        seat = state.seat
        for action in self.quick(state, rng):
            if state.seat != seat:
                break
            state.apply(action)

    def outcome(self, state: State, seat: int) -> float:
        """The value of a position for a seat that need not be the one to move."""
        self.search.prepare(state, seat)
        value = self.search.evaluate(state)
        if state.phase == FINISHED and state.winners >> seat & 1:
            value += WIN / bin(state.winners).count("1")
        return value

    def worths(self, state: State, seat: int) -> list[float]:
        """What each seat may have in the end, seen by one of them."""
        self.search.prepare(state, seat)
        return list(self.search.seat_worths(state))


def round_is_over(state: State, seat: int, deck_next: int) -> bool:
    """Whether all others have answered: a seat is to place again, or a new round of the auction has begun."""
    if state.phase == FINISHED:
        return True
    if state.auction:
        return state.phase in (BIDDING, TAKING) and state.deck_next != deck_next
    return state.phase == PLACING and state.seat == seat and state.round_kind == NO_ROUND


def signature(state: State, seat: int) -> tuple[object, ...]:
    """What makes a plan different from another in kind, not in where idle workers stand."""
    facts = Facts(state)
    temples = tuple(facts.strength(seat, hex) for hex in facts.hexes(3))
    return temples, *map(tuple, (facts.level, facts.tokens, facts.guard, facts.camp, facts.tile, facts.treasures))

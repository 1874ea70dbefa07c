"""Levels that play like people: each has a taste of its own, and its judgement changes from turn to turn.

An amateur plans whole turns with the same beam and evaluation as the strong levels, so it wastes no AP. Three things
make it weaker and give it a character: its taste (factors on some weights of the evaluation), its mood (how much all
weights vary at random in each turn) and its whims (how many of its actions are random).
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence

from tikal.bots.bot import Budget
from tikal.bots.evaluation import STAGES, WEIGHT_NAMES
from tikal.bots.planner import Planner, Turn
from tikal.bots.thinkers import Thinker
from tikal.bots.weights import weights
from tikal.rules.codes import ACTING, CAMP, DIG, END, ENTER, EXCAVATE, EXCHANGE, MOVE, kind_of
from tikal.rules.core import Moves, State

KEPT = 8  # turns to choose from; analyses show them


class Amateur(Thinker):
    """Plans a turn with the taste of its character and the mood of the moment, and slips in whims.

    `mood` and `whims` are in percent: how much the weights vary, and how many actions are whims.
    """

    def __init__(self, like: State, width: int, mood: int, whims: int, taste: Mapping[str, float]) -> None:
        self.like = like
        self.width = width
        self.mood, self.whims = mood / 100, whims / 100
        self.weights = tasted(weights(like.players), taste)
        self.planner = Planner(like, width, self.weights)

    def turns(self, state: State, rng: random.Random, budget: Budget) -> list[Turn]:
        """The best turns, as it judges them in its mood."""
        found = self._planner(rng).turns(state, self.width, KEPT, budget)
        return [self._distracted(state, found[0], rng)] if self.whims else found

    def _planner(self, rng: random.Random) -> Planner:
        return Planner(self.like, self.width, varied(self.weights, self.mood, rng)) if self.mood else self.planner

    def _distracted(self, state: State, turn: Turn, rng: random.Random) -> Turn:
        """The turn with whims in between; after each whim the bot plans the rest again."""
        here, done, plan = state.clone(), [], turn.actions
        while True:
            whim = rng.random() < self.whims
            action = whim_of(here, rng) if whim else plan[0]
            done.append(action)
            if action == END:
                break
            if kind_of(action) == DIG:  # the token decides how the turn goes on
                done += [END] if whim else plan[1:]
                break
            here.apply_unchecked(action)
            if here.seat != state.seat or here.phase != ACTING:
                break
            plan = self._planner(rng).turns(here, self.width, 1)[0].actions if whim else plan[1:]
        return Turn(turn.value, tuple(done))


APPETITE = {EXCAVATE: 30, DIG: 40, MOVE: 6, ENTER: 8, CAMP: 2, EXCHANGE: 2}
"""How likely each kind of action is as a whim; all others have 1."""


def whim_of(state: State, rng: random.Random) -> int:
    """A random action; it ends the turn only if nothing else can be done."""
    moves = Moves()
    state.legal(moves)
    actions = [action for action in moves if action != END] or [END]
    return rng.choices(actions, [APPETITE.get(kind_of(action), 1) for action in actions])[0]


def tasted(plain: Sequence[float], taste: Mapping[str, float]) -> list[float]:
    """The weights with the taste of a character.

    >>> seen = tasted([0.5] * 2 * len(WEIGHT_NAMES), {"hope": 2.0})
    >>> seen[WEIGHT_NAMES.index("hope")], seen[0]
    (1.0, 0.5)
    """
    names = WEIGHT_NAMES * len(STAGES)
    return [_bounded(weight, taste.get(name, 1.0)) for name, weight in zip(names, plain, strict=True)]


def varied(plain: Sequence[float], mood: float, rng: random.Random) -> list[float]:
    """Weights times random factors, the same in all stages; `mood` is the standard deviation of their logarithms."""
    factors = [math.exp(rng.gauss(0.0, mood)) for _ in WEIGHT_NAMES] * len(STAGES)
    return [_bounded(weight, factor) for weight, factor in zip(plain, factors, strict=True)]


def _bounded(weight: float, factor: float) -> float:
    """A weight times a factor; a weight that is a chance stays at most 1."""
    return min(weight * factor, 1.0) if weight <= 1.0 else weight * factor

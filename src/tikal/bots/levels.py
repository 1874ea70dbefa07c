"""The levels as bots: from a view to actions as text."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping

from tikal.bots.bot import Bot, BotError, Budget, numbers, table
from tikal.bots.thinkers import Digger, Professor, Surveyor, Thinker
from tikal.play import notation
from tikal.play.position import position
from tikal.play.view import Json
from tikal.rules import codes
from tikal.rules.codes import END, kind_of
from tikal.rules.core import Moves, State

Stop = Callable[[], bool]


def dice(state: State, seed: int) -> random.Random:
    """The dice of a bot's own, for a decision."""
    return random.Random(f"{seed}/{state.seat}/{state.deck_next}/{state.phase}/{state.ap}")


def reveals(state: State, action: int) -> bool:
    """Whether chance or another seat speaks after this action, so that a plan must be thought over."""
    kind = kind_of(action)
    if kind == codes.EXCAVATE:
        return bool(getattr(state, "boulders", 0))
    return kind in (codes.DIG, codes.END, codes.BID, codes.DECIDE, codes.LEAP)


class Level:
    """A bot of one of our levels.

    >>> from tikal.play import Game
    >>> from tikal.rules.options import Options
    >>> game = Game.new(Options(), seed="42")
    >>> game.play(*Level("digger", {}).plan(game.view(1), seed=1))
    """

    def __init__(self, name: str, parameters: Mapping[str, str]) -> None:
        if name not in table():
            raise BotError("option", f"{name}: no such level; there are {', '.join(table())}")
        defaults: dict[str, int] = table()[name]["parameters"]
        given = numbers(name, parameters, ("nodes", "time", *defaults))
        if "time" in given:
            defaults = {key: value for key, value in defaults.items() if key != "nodes"}
        self.parameters = defaults | given
        words = ",".join(f"{key}={value}" for key, value in given.items())
        self.level = name
        self.name = f"{name}:{words}" if words else name
        self._thinkers: dict[tuple[type[State], int], Thinker] = {}

    def plan(self, view: Json, seed: int) -> list[str]:
        """The actions to play now."""
        return self.plan_until(view, seed, lambda: False)

    def plan_until(self, view: Json, seed: int, stop: Stop) -> list[str]:
        """The same, interrupted when `stop` says so: then it is the best so far."""
        here = position(view)
        return [notation.text(action) for action in self.actions(here.state, seed, stop)]

    def actions(self, state: State, seed: int, stop: Stop = lambda: False) -> list[int]:
        """The plan for a state that shows no more than its seat may know."""
        rng = dice(state, seed)
        budget = Budget(self.parameters.get("nodes"), self.parameters.get("time"), stop)
        state = state.clone()
        seat, plan = state.seat, []
        while state.seat == seat and state.phase != codes.FINISHED:
            for action in self._decide(state, rng, budget):
                plan.append(action)
                if reveals(state, action):
                    return plan
                state.apply(action)
        return plan

    def _decide(self, state: State, rng: random.Random, budget: Budget) -> tuple[int, ...]:
        if self.level == "tourist":
            return (stroll(state, rng),)
        return self.thinker(state).decide(state, rng, budget)

    def thinker(self, state: State) -> Thinker:
        """What does the thinking for games of this kind."""
        kind = type(state), state.players
        if kind not in self._thinkers:
            self._thinkers[kind] = self._new_thinker(state)
        thinker = self._thinkers[kind]
        thinker.planner.search.reset()
        return thinker

    def _new_thinker(self, state: State) -> Thinker:
        if self.level == "digger":
            return Digger(state)
        if self.level == "surveyor":
            return Surveyor(state, self.parameters["width"])
        return Professor(state, self.parameters["width"], self.parameters["candidates"])

    def close(self) -> None:
        """Nothing was started."""


APPETITE = {codes.EXCAVATE: 30, codes.DIG: 40, codes.MOVE: 6, codes.ENTER: 8, codes.CAMP: 2, codes.SWAP: 2}
"""How much a tourist likes each kind of action; all others 1."""


def stroll(state: State, rng: random.Random) -> int:
    """A random action, sensibly weighted: ends a turn only when there is nothing better, bids low or not at all."""
    moves = Moves()
    state.legal(moves)
    actions = list(moves)
    if state.phase == codes.BIDDING:
        return rng.choice(actions[:2])
    if len(actions) > 1 and actions[0] == END:
        actions.remove(END)
    return rng.choices(actions, [APPETITE.get(kind_of(action), 1) for action in actions])[0]


def new_level(name: str, parameters: Mapping[str, str]) -> Bot:
    """A bot of a level."""
    return Level(name, parameters)

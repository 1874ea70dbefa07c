"""The levels as bots: from a view to actions as text."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping

from tikal._compiled import mode
from tikal.bots.amateurs import Amateur
from tikal.bots.bot import BotError, Budget, numbers, table
from tikal.bots.thinkers import Professor, Surveyor, Thinker
from tikal.play import notation
from tikal.play.action import Action
from tikal.play.position import own_position
from tikal.play.view import Json
from tikal.rules import codes
from tikal.rules.core import State

Stop = Callable[[], bool]


def dice(state: State, seed: int) -> random.Random:
    """The random numbers of a bot for one decision."""
    return random.Random(f"{seed}/{state.seat}/{state.deck_next}/{state.phase}/{state.ap}")


class Level:
    """A bot of one of our levels.

    >>> from tikal.play import Game
    >>> from tikal.rules.options import Options
    >>> game = Game.new(Options(), seed="42")
    >>> game.play(*Level("digger", {}).plan(game.view(1), seed=1))
    """

    def __init__(self, name: str, parameters: Mapping[str, str]) -> None:
        if name not in table():
            known = ", ".join(table())
            raise BotError("option", f"{name}: no such level; there are {known}", "bot_level", bot=name, known=known)
        defaults: dict[str, int] = table()[name]["parameters"]
        if mode()[0] != "compiled":
            defaults = defaults | table()[name].get("uncompiled", {})
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
        """The same; when `stop` returns true, the best plan so far."""
        return [notation.text(action) for action in self.actions(own_position(view).state, seed, stop)]

    def actions(self, state: State, seed: int, stop: Stop = lambda: False) -> list[int]:
        """The plan for a state that contains nothing its seat may not know."""
        rng = dice(state, seed)
        budget = Budget(self.parameters.get("nodes"), self.parameters.get("time"), stop)
        state = state.clone()
        seat, plan = state.seat, []
        while state.seat == seat and state.phase != codes.FINISHED:
            for action in self.thinker(state).decide(state, rng, budget):
                plan.append(action)
                if Action.of(action).is_barrier(state):
                    return plan
                state.apply_unchecked(action)
        return plan

    def thinker(self, state: State) -> Thinker:
        """The thinker for games of this kind; it is made once."""
        kind = type(state), state.players
        if kind not in self._thinkers:
            self._thinkers[kind] = self._new_thinker(state)
        thinker = self._thinkers[kind]
        thinker.planner.search.reset()
        return thinker

    def _new_thinker(self, state: State) -> Thinker:
        row, given = table()[self.level], self.parameters
        if row["thinker"] == "amateur":
            return Amateur(state, given["width"], given["mood"], given["whims"], row["taste"])
        if row["thinker"] == "surveyor":
            return Surveyor(state, given["width"])
        return Professor(state, given["width"], given["candidates"])

    def close(self) -> None:
        """Does nothing: a level starts no processes."""

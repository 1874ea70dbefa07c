"""Positions for the tests of bots: from all kinds of games, in all phases, the same in every run."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache

from tests.kit.games import KINDS, choose, copy, exact_game, finished, options_of
from tikal.play import Game, IllegalAction
from tikal.play.game import may_take_back

FAST = ("tourist", "digger", "surveyor:width=2", "professor:width=2,candidates=2,nodes=200")
"""Every level, with the smallest possible budget."""

PHASES = ("place", "act", "bid", "take", "decide", "leap")


def decisions(kind: str, count: int) -> Iterator[Game]:
    """About this many decisions, spread over a random game; each is a separate game."""
    whole = finished(kind, by_seed=False)
    step = max(1, len(whole.history) // count)
    for at in range(step // 2, len(whole.history), step):
        yield copy(whole, at)


@cache
def by_phase(phase: str) -> tuple[Game, ...]:
    """A decision of this phase from each kind of game that has one. Tests share them, so don't play on."""
    kinds = [kind for kind in KINDS if phase != "decide" or options_of(kind).double_volcano == "taker_decides"]
    found = (_met(kind, phase) for kind in kinds)
    return tuple(game for game in found if game is not None)


def _met(kind: str, phase: str) -> Game | None:
    """One of the first decisions of a phase in random games; hardly any game comes to decide about a volcano."""
    for attempt in range(40 if phase == "decide" else 1):
        rng = random.Random(f"{phase}/{kind}/{attempt}")
        game = exact_game(options_of(kind), rng)
        later = 1 if phase == "decide" else rng.randint(1, 6)
        while not game.over:
            later -= game.phase == phase
            if not later:
                return game
            game.play(choose(game, rng))
    return None


def fault(game: Game, plan: list[str]) -> str:
    """What is wrong with a plan; empty if it is fine."""
    if not plan:
        return "is empty"
    try:
        states, steps = game.foresee(plan)
    except IllegalAction as error:
        return str(error)
    for number, (action, state, step) in enumerate(zip(plan, states, steps, strict=True), start=1):
        done = not may_take_back(step, state)
        if done and number < len(plan):
            return f"goes on after {action}"
        if not done and number == len(plan):
            return f"stops after {action}, though nothing is to be waited for"
    return ""

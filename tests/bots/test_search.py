"""The beam: every plan that it keeps can be played, in every variant, and walks count as one step where they may."""

from __future__ import annotations

import random

import pytest

from tests.bots.samples import decisions
from tests.kit.games import KINDS, choose, exact_game, options_of
from tikal.bots.planner import Planner
from tikal.play import Game
from tikal.play.action import Action
from tikal.rules.codes import ACTING, END
from tikal.rules.core import Moves, State
from tikal.rules.facts import Facts
from tikal.rules.options import Options
from tikal.rules.tables import HEX_NAMES, TILES

WIDTH = 12
KEPT = 48


def plans(game: Game) -> list[list[int]]:
    """Many plans for the decision of a game."""
    planner = Planner(game.state, WIDTH)
    return [list(turn.actions) for turn in planner.turns(game.state, WIDTH, KEPT)]


def is_playable(state: State, plan: list[int]) -> bool:
    """Whether a plan can be played up to its first barrier."""
    state, moves = state.clone(), Moves()
    for action in plan:
        state.legal(moves)
        if action not in list(moves):
            return False
        if Action.of(action).is_barrier(state):
            return True
        state.apply_unchecked(action)
    return True


@pytest.mark.parametrize("kind", KINDS)
def test_every_kept_plan_can_be_played(kind: str) -> None:
    seen = 0
    for game in decisions(kind, 24):
        if game.state.phase == ACTING:
            for plan in plans(game):
                seen += 1
                assert is_playable(game.state, plan), [Action.of(action).text for action in plan]
    assert seen


@pytest.mark.parametrize("kind", ["members work once", "leaps"])
def test_walks_are_single_steps_in_variants_too(kind: str) -> None:
    """A beam of one plans a walk over several hexes only if it takes the walk as one step."""
    longest = 0
    rng = random.Random(kind)
    game = exact_game(options_of(kind), rng)
    while not game.over and longest < 2:
        if game.state.phase == ACTING:
            planner = Planner(game.state, 1)
            for turn in planner.turns(game.state, 1, 11):
                walks = [Action.of(action) for action in turn.actions if Action.of(action).kind == "move"]
                longest = max(longest, len(walks))
        game.play(choose(game, rng))
    assert longest >= 2


def test_a_leap_is_one_action_or_one_walk() -> None:
    for game in decisions("leaps", 60):
        if game.state.phase != ACTING:
            continue
        for plan in plans(game):
            kinds = {Action.of(action).kind for action in plan if action != END}
            if getattr(game.state, "leap_stage", 0):
                assert kinds <= {"move", "camp_move"} or len(plan) <= 2


def test_positions_differ_by_the_members_that_have_worked() -> None:
    """The worker of a2 takes a level. Then it goes to b3 and another replaces it, or the other goes to b3 [R21]."""
    deck = ["A5", *(tile.name for tile in TILES if tile.name != "A5")]
    treasures = [kind for kind in range(1, 9) for _ in range(3)]
    game = Game.new(Options(edition="rio-grande-zh"), deck=deck, treasures=treasures)
    game.play("A5@b3^1", "+W@a1", "+W@a1", "W:a1-a2", ".")
    game.play(next(action for action in game.legal() if "@d" in action or "@c" in action), ".")
    game.play(next(action for action in game.legal() if "@b" not in action))
    planner = Planner(game.state, 512)
    a2, b3 = HEX_NAMES.index("a2"), HEX_NAMES.index("b3")
    marked = set()
    for turn in planner.turns(game.state, 512, 5000):
        state = game.state.clone()
        for action in turn.actions[:-1]:
            state.apply_unchecked(action)
        facts = Facts(state)
        if (facts.ap, facts.members(0, a2), facts.members(0, b3), facts.level[a2]) == (5, 1, 1, 2):
            marked.add((facts.worked[a2], facts.worked[b3]))
    assert {(1, 0), (0, 1)} <= marked

"""The contract: every legal action can be reached by clicks, and every offered control is legal."""

from __future__ import annotations

import pytest

from tests.e2e.positions import Story
from tests.e2e.table import Table
from tests.e2e.visitor import Visitor
from tests.kit.amounts import amounts
from tikal.rules.options import VARIANTS

DECISIONS = 180  # played until the last look, on average

BY_AUCTION = {"auction": "true"}
GAMES = {
    "basic": {},
    "auction": BY_AUCTION,
    "classic": {"edition": "classic"},
    **{name: {name: "true"} for name in VARIANTS},
    "sudden_death": {"sudden_death": "true", **BY_AUCTION},
    "decide": {"sudden_death": "true", "double_volcano": "taker_decides", **BY_AUCTION},
    "leaps": {"leaps": "true", **BY_AUCTION},
}


def check(table: Table) -> None:
    """Every offered action can be clicked, and nothing else."""
    offer = table.offer()
    legal = {choice["action"] for choice in offer["actions"]}
    walks = {" ".join(walk["actions"]) for walk in offer["walks"]}
    reached = table.explore()
    assert reached - legal - walks == set(), "offered, but not legal"
    assert legal - reached == set(), "legal, but not to be reached"
    assert walks - reached == set(), "walks that can't be clicked"


@pytest.mark.parametrize("looks", amounts(1, long=20))
@pytest.mark.parametrize("game", GAMES)
def test_all_legal_actions_can_be_clicked_and_no_others(visitor: Visitor, game: str, looks: int) -> None:
    visitor.become("Ada")
    story = Story.begin(f"{game}-{looks}", players=3, **GAMES[game])
    step = DECISIONS // (looks + 1)
    for look in range(looks):
        if not story.wander(story.chance.randrange(step // 2, 3 * step // 2)):
            assert look, "the first look is at a running game"
            break
        check(story.at_table(visitor))
    visitor.shot(f"game-{game}")

"""Games by clicks, to their end."""

from __future__ import annotations

import random

import pytest

from tests.e2e.table import Table
from tests.e2e.visitor import Visitor


def play_on(table: Table, work: int, most: int = 2000) -> None:
    """Plays by clicks to the end: in each turn the tile and some work at most, then on."""
    turn, done = "", 0
    for _ in range(most):
        if not table.wait_for_turn():
            return
        offer = table.offer()
        if turn != (turn := f"{offer['phase']}{len(table.update()['view']['tiles'])}"):
            done = 0
        done += 1
        table.click_action("." if offer["phase"] == "act" and done > work else table.choose())
    pytest.fail("this game does not end")


@pytest.mark.parametrize(
    ("left", "work"), [pytest.param(6, 2, marks=pytest.mark.slow), pytest.param(36, 10, marks=pytest.mark.long)]
)
def test_a_game_against_a_bot_to_its_end_and_once_more(visitor: Visitor, left: int, work: int) -> None:
    """By clicks as soon as so many tiles are left; all of them are, in a whole game."""
    visitor.become("Ada")
    table = Table(visitor, visitor.new_table("me", "bot:tourist"), random.Random(6))
    table.hurry(left)
    table.open()
    play_on(table, work)
    update = table.update()
    assert update["info"]["state"] == "over"
    assert sum(update["view"]["scores"]) > 0
    visitor.page.get_by_role("button", name="Rematch").click()
    visitor.page.wait_for_selector("[data-board]:not([data-phase=over])")
    assert table.id not in visitor.page.url

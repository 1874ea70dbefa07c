"""Whole games by clicks."""

from __future__ import annotations

import random

import pytest

from tests.e2e.table import Table
from tests.e2e.visitor import Visitor

pytestmark = pytest.mark.slow


def play_on(table: Table, most: int = 2000) -> None:
    """Play by clicks to the end: each turn a little work, then on."""
    for _ in range(most):
        if not table.wait_for_turn():
            return
        table.click_action(table.choose())
    pytest.fail("this game does not end")


def test_a_whole_game_against_a_bot_and_once_more(visitor: Visitor) -> None:
    visitor.become("Ada")
    table = Table(visitor, visitor.new_table("me", "bot:tourist"), random.Random(6)).open()
    play_on(table)
    update = table.update()
    assert update["info"]["state"] == "over"
    assert sum(update["view"]["scores"]) > 0
    visitor.page.get_by_role("button", name="Rematch").click()
    visitor.page.wait_for_selector("[data-board]:not([data-phase=over])")
    assert table.id not in visitor.page.url

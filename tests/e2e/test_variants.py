"""The auction and each variant have their own controls: all of them are used, by clicks, at one screen."""

from __future__ import annotations

import random
import re

import pytest
from playwright.sync_api import expect

from tests.e2e.table import Table
from tests.e2e.visitor import Visitor
from tests.e2e.wandering import wander_to

pytestmark = pytest.mark.slow

# The options, and the actions to look for: those that only they have, or that they change. Rare ones
# (a gun, a taker's decision) are in test_moments.
CONTROLS = {
    "auction": ({"auction": "true"}, [r"B:\d", "B:-", "K:"]),
    "exchange": ({}, ["S:"]),
    "instant_scoring": ({"instant_scoring": "true"}, ["D@"]),
    "boulders": ({"boulders": "3d6"}, ["X@"]),
    "obstacles": ({"obstacles": "true"}, ["O:"]),
    "sudden_death": ({"auction": "true", "sudden_death": "true", "double_volcano": "taker_decides"}, ["K:"]),
    "leaps": ({"auction": "true", "leaps": "true"}, ["J:[1-9]", "J:0"]),
}


@pytest.mark.parametrize("name", CONTROLS)
def test_controls(visitor: Visitor, name: str) -> None:
    options, forms = CONTROLS[name]
    visitor.become("Ada")
    table = Table(visitor, visitor.new_table("me", "person:Ben", options=options), random.Random(3)).open()
    for form in forms:
        action = wander_to(table, form)
        table.caught_up()
        table.uncover()
        table.click_action(action)
        visitor.shot(f"control-{name}")
        told = [event["action"] for event in table.events() if event["kind"] == "play"]
        assert told[-1] in (action, "J:?")  # a secret, even from others at the screen
    if name == "boulders":
        expect(table.page.get_by_text(re.compile(r"beats? level \d"))).to_be_visible()
        last = visitor.ask("GET", f"/tables/{table.id}/replay/0")["of"]
        visitor.open(f"/replay/{table.id}?at={last}", ".revealed svg")  # every viewer sees the dice
        visitor.shot("dice")


def test_secret_choices_at_one_screen_are_covered(visitor: Visitor) -> None:
    visitor.become("Ada")
    options = {"auction": "true", "leaps": "true"}
    table = Table(visitor, visitor.new_table("me", "person:Ben", options=options), random.Random(3)).open()
    wander_to(table, "J:[1-9]")
    table.caught_up()
    cover = table.page.get_by_role("alertdialog")
    expect(cover).to_be_visible()
    assert table.visible() == set(), "what is covered can't be used"
    visitor.shot("cover")
    cover.get_by_role("button").click()
    expect(cover).to_be_hidden()
    assert any(action.startswith("J:") for action in table.visible())


def test_a_whole_auction_game_at_one_screen(visitor: Visitor) -> None:
    """All decisions of three people by clicks, for a while; then quickly on to the last round, and that by clicks."""
    visitor.become("Ada")
    made = visitor.new_table("me", "person:Ben", "person:Cleo", options={"auction": "true"})
    table = Table(visitor, made, random.Random(5)).open()
    for _ in range(60):
        assert table.wait_for_turn()
        table.click_action(table.choose())
    while table.update()["view"]["deck_left"] > 3:
        table.wander(1)
    table.caught_up()
    for _ in range(400):
        if not table.wait_for_turn():
            break
        table.click_action(table.choose())
    update = table.update()
    assert update["info"]["state"] == "over"
    assert update["view"]["winners"]

"""The auction and each variant have controls of their own: all of them used, by clicks, at one screen."""

from __future__ import annotations

import random
import re

import pytest
from playwright.sync_api import expect

from tests.e2e.table import Table
from tests.e2e.visitor import Json, Visitor

pytestmark = pytest.mark.slow

# The options, and what is looked for: actions that only they have, or that they make different. What not every deal
# leads to (a gun, a taker's decision) is in test_moments.
CONTROLS = {
    "auction": ({"auction": "true"}, [r"B:\d", "B:-", "K:"]),
    "exchange": ({}, ["S:"]),
    "instant_scoring": ({"instant_scoring": "true"}, ["D@"]),
    "boulders": ({"boulders": "3d6"}, ["X@"]),
    "obstacles": ({"obstacles": "true"}, ["O:"]),
    "sudden_death": ({"auction": "true", "sudden_death": "true", "double_volcano": "taker_decides"}, ["K:"]),
    "leaps": ({"auction": "true", "leaps": "true"}, ["J:[1-9]", "J:0"]),
}


def wander_to(table: Table, form: str) -> str:
    """Play on, towards treasures and temples, until an action of this form is legal."""
    for _ in range(3000):
        update = table.update()
        assert update["offer"], f"the game ended without {form}"
        found: list[str] = [
            choice["action"] for choice in update["offer"]["actions"] if re.match(form, choice["action"])
        ]
        if found:
            return table.chance.choice(found)
        table.play(*next_step(table, update))
    raise AssertionError(f"no {form} in a long game")


def next_step(table: Table, update: Json) -> list[str]:
    """Tiles that join on, a few members, walks to where there is something to do, treasures; else anything."""
    offer, view = update["offer"], update["view"]
    actions: list[str] = [choice["action"] for choice in offer["actions"]]
    if offer["phase"] == "place":
        return [max(offer["places"], key=lambda place: len(place["passages"]))["action"]]
    if offer["phase"] != "act":
        return [table.choose(offer)]
    digs = [action for action in actions if action.startswith("D@")]
    enter = [action for action in actions if action.startswith("+W")]
    mine = view["workers"][offer["seat"] - 1]
    if digs or (enter and sum(mine.values()) < 6):
        return [(digs or enter)[0]]
    treasures = [hex for hex, left in view["tokens"].items() if left and hex not in mine]
    temples = [hex for hex in view["levels"] if mine.get(hex, 0) == 1]  # a second one makes them strong
    goals = treasures or temples or list(view["levels"])
    walks = [walk for walk in offer["walks"] if walk["to"] in goals and walk["cost"] <= offer["ap"]]
    if walks and view["ap"] > 3:
        return list(min(walks, key=lambda walk: walk["cost"])["actions"])
    return ["."]


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
        assert told[-1] in (action, "J:?")  # a secret, also from who shares the screen
    if name == "boulders":
        expect(table.page.get_by_text(re.compile(r"above level \d"))).to_be_visible()
        last = visitor.ask("GET", f"/tables/{table.id}/replay/0")["of"]
        visitor.open(f"/replay/{table.id}?at={last}", ".revealed svg")  # whoever looks sees the dice
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

"""A shared screen: before each turn it is handed over, and nothing is hidden without need."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.e2e.table import alone, place
from tests.e2e.visitor import Visit, Visitor

pytestmark = pytest.mark.slow

# The colours of the second seat's sign and of the first of its action points.
COLOURS = """() => ['.seats [data-of="2"] svg path[fill]', '.bead .body'].map(
  (what) => getComputedStyle(document.querySelector(what)).fill)"""


def test_a_turn_begins_with_a_handover(visitor: Visitor) -> None:
    table = alone(visitor)
    page = visitor.page
    handover = page.locator("[data-handover]")
    expect(handover).to_have_count(0)  # the first player is assumed to be there
    place(table)
    table.click_action(".")
    expect(handover).to_contain_text("Ben’s turn")
    expect(handover.get_by_role("button")).to_be_focused()
    expect(page.locator("[data-board]")).to_have_attribute("data-yours", "")
    assert not page.locator("main").get_attribute("inert"), "the board stays in sight"
    visitor.check_axe(within="[data-handover]")
    visitor.shot("handover")
    page.keyboard.press("Enter")
    expect(handover).to_have_count(0)
    expect(page.locator("[data-board]")).to_have_attribute("data-seat", "2")
    place(table)
    seat, bead = page.evaluate(COLOURS)
    assert bead == seat, "the points have the colour of the seat that spends them"


def test_an_action_confirms_the_handover(visitor: Visitor) -> None:
    table = alone(visitor)
    place(table)
    table.click_action(".")
    handover = visitor.page.locator("[data-handover]")
    expect(handover).to_contain_text("Ben’s turn")
    visitor.page.locator(f'[data-hex="{table.offer()["places"][0]["hex"]}"]').click()
    expect(handover).to_have_count(0)


def test_a_game_with_one_person_asks_for_no_handover(visit: Visit) -> None:
    visitor = visit("phone")
    visitor.become("Ada")
    visitor.open(f"/table/{visitor.new_table('me', 'bot:tourist')}", "[data-board][data-yours]")
    expect(visitor.page.locator("[data-handover]")).to_have_count(0)

"""Cards: what a thing is, what it is worth, what can be done with it; by mouse, finger and keyboard."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.table import Table, alone, enter, place
from tests.e2e.visitor import Visit, Visitor
from tests.e2e.volcano import BEFORE, practise

pytestmark = pytest.mark.slow

OPENED = "[data-card]"


def press(page: Page, what: Locator, x: float = 0.5, y: float = 0.5) -> None:
    """Hold a finger on something until its card opens."""
    box = what.bounding_box()
    assert box
    point = {"x": box["x"] + box["width"] * x, "y": box["y"] + box["height"] * y}
    touch = page.context.new_cdp_session(page)
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    page.wait_for_selector(OPENED)
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def ask(page: Page, what: Locator) -> Locator:
    """Opens a card by the keyboard."""
    what.focus()
    page.keyboard.press("?")
    card = page.locator(OPENED)
    expect(card).to_be_focused()
    return card


def hover(page: Page, what: str) -> Locator:
    """Rest the pointer on something; its card."""
    page.mouse.move(2, 2)
    page.locator(what).first.hover()
    return page.locator(OPENED)


def test_the_pointer_rests_on_things_of_every_kind(visitor: Visitor) -> None:
    visitor.become("Ada")
    table = practise(visitor, "me", "bot:tourist", opening=BEFORE).open()
    page = visitor.page
    view = table.update()["view"]
    temple = max(view["levels"], key=lambda hex: view["levels"][hex])
    treasure_tile = next(hex for hex, count in view["tokens"].items() if count)
    things = {
        "[data-hex=h5]": "unexplored",
        "[data-hex=a1]": "base_camp",
        f"[data-hex={temple}]": "temple",
        f"[data-hex={treasure_tile}]": "treasure_tile",
        "[data-about=score]": "score",
        "[data-about=forecast]": "forecast",
        "[data-about=reserve]": "reserve",
        "[data-about=guard]": "guard",
        "[data-deck]": "deck",
        "[data-about=bot]": "bot",
    }
    for what, kind in things.items():
        card = hover(page, what)
        expect(card).to_have_attribute("data-card", kind)
        assert card.locator("a[href^='/rules/']").count() or kind == "bot"  # which no rule is about
    visitor.shot("card")
    page.mouse.move(2, 2)
    expect(page.locator(OPENED)).to_have_count(0)


def test_every_hex_and_every_control_has_a_card_by_keyboard(visitor: Visitor) -> None:
    table = alone(visitor)
    page = visitor.page
    place(table)
    enter(table, 2)
    table.look_at("a2")
    asked = ".dock :is(button[data-about], button[data-action], [data-refused] > summary):visible, .seats button.name"
    for control in page.locator(asked).all():
        card = ask(page, control)
        assert card.inner_text().strip()
        page.keyboard.press("Escape")
        expect(card).to_have_count(0)
        expect(control).to_be_focused()
    card = ask(page, page.locator("[data-hex=a2]"))
    expect(card).to_contain_text("Temple of level")
    expect(card).to_contain_text("Not now")
    visitor.check_axe(within="[data-card]")
    card.locator("[data-card-also=stones]").click()
    expect(card).to_have_attribute("data-card", "stones")
    with page.context.expect_page() as opened:
        card.locator("a").last.click()
    opened.value.wait_for_selector("#moving")
    opened.value.close()


def test_a_long_press_opens_a_card_and_does_nothing_else(visit: Visit) -> None:
    visitor = visit("phone")
    table = alone(visitor)
    page = visitor.page
    place(table)
    seq = table.board("seq")
    press(page, page.locator("[data-hex=a2] polygon").first)
    card = page.locator(OPENED)
    expect(card).to_have_attribute("data-card", "temple")
    assert page.locator("[data-hex=a2]").get_attribute("aria-pressed") == "false", "nothing is selected by it"
    assert table.board("seq") == seq
    visitor.check_axe(within="[data-card]")
    visitor.shot("card-phone")
    card.get_by_role("button", name="Close").click()
    expect(card).to_have_count(0)
    page.locator("[data-hex=a1]").tap()
    expect(page.locator("[data-hex=a1]")).to_have_attribute("aria-pressed", "true")


def test_impossible_actions_explain_why_on_the_spot(visitor: Visitor) -> None:
    table = alone(visitor)
    page = visitor.page
    card = page.locator(OPENED)
    table.click_hex("h5")
    expect(card.locator("[data-card-why]")).to_contain_text("not next to an explored one")
    visitor.shot("card-refused")
    place(table)
    page.click("[data-exchange]", force=True)  # it looks disabled, but answers
    expect(card.locator("[data-card-why]")).to_be_visible()
    page.keyboard.press("Escape")
    table.look_at("a2")
    refused = page.locator("[data-refused]").first
    refused.locator("summary").click() if refused.get_attribute("open") is None else None
    expect(refused.locator("a")).to_have_attribute("href", "/rules/rulings#r5")


def test_cards_do_not_disturb_players(visitor: Visitor) -> None:
    """A click closes a card and does what it always does; the right button still goes back a step."""
    table = alone(visitor)
    page = visitor.page
    place(table)
    enter(table)
    card = hover(page, "[data-hex=a2]")
    expect(card).to_be_visible()
    table.click_hex("a1")
    expect(card).to_have_count(0)
    expect(page.locator("[data-hex=a1]")).to_have_attribute("aria-pressed", "true")
    page.locator("[data-hex=a1]").click(button="right")
    page.locator("[data-hex=a1]").click(button="right")
    expect(page.locator("[data-hex=a1]")).to_have_attribute("aria-pressed", "false")
    expect(card).to_have_count(0)


def test_cards_of_an_edition_tell_its_rule(visitor: Visitor) -> None:
    visitor.become("Ada")
    Table(visitor, visitor.new_table("me", "bot:tourist", options={"edition": "rio-grande"})).open()
    page = visitor.page
    card = hover(page, "[data-about=camp]")
    expect(card).to_contain_text("none of your people needs to be there")

"""Announcements: whose turn it is and what to do, volcanoes, scoring rounds, the deck."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.e2e.visitor import Visit, Visitor
from tests.e2e.volcano import BEFORE, practise
from tests.e2e.windows import DESKTOP, LAPTOP, PHONE, SIDEWAYS, resize

pytestmark = pytest.mark.slow

# How far the card of the deck is from the deck, in pixels.
GAP = """() => {
  const box = (what) => document.querySelector(what).getBoundingClientRect();
  const [card, deck] = [box('[data-deck-told]'), box('[data-deck]')];
  const across = Math.max(card.left - deck.right, deck.left - card.right, 0);
  return across + Math.max(card.top - deck.bottom, deck.top - card.bottom, 0);
}"""
BESIDE = 10


def test_a_volcano_that_one_draws_oneself(visitor: Visitor) -> None:
    visitor.become("Ada")
    table = practise(visitor, "me", "person:Blue", opening=BEFORE).open()
    page = visitor.page
    assert table.board("round") == "none"
    table.play(".")
    card = page.locator("[data-event=volcano]")
    expect(card).to_be_visible()
    expect(card).to_contain_text("volcano")
    assert card.locator("xpath=..").get_attribute("aria-live") == "assertive"
    visitor.shot("volcano")
    card.get_by_role("button").focus()  # the card closes by itself after a while, but not under somebody's hand
    visitor.check_axe(within="[data-event]")
    card.get_by_role("button").click()
    expect(card).to_have_count(0)
    assert table.board("round") == "volcano"
    expect(page.locator("[data-status]")).to_contain_text("spend 10 points, then you score")
    expect(page.locator("[data-status]")).to_contain_text("Blue")
    expect(page.locator("[data-to-score]")).to_have_count(2)
    for size, room in ((DESKTOP, True), (LAPTOP, False), (PHONE, False), (SIDEWAYS, False)):
        resize(page, size)  # the mark stands above the board, never over its tiles
        expect(page.locator("[data-round-mark]")).to_be_visible(visible=room)
    resize(page, DESKTOP)
    visitor.check_axe(within="[data-status], .seats")
    table.play(".")
    expect(page.locator('[data-scored="1"]')).to_have_count(1)
    expect(page.locator("[data-status]")).to_contain_text("You’re the last to score")
    table.play(".")
    page.wait_for_selector('[data-board][data-round="none"]')
    expect(page.locator("[data-status]")).to_contain_text("place the volcano")
    expect(page.get_by_text("draws a volcano", exact=False).first).to_be_visible()


def test_a_volcano_that_a_bot_draws(visitor: Visitor) -> None:
    visitor.become("Ada")
    table = practise(visitor, "bot:tourist", "me", opening=BEFORE).open()
    table.click_action(".")
    expect(visitor.page.locator("[data-event=volcano]")).to_be_visible()
    visitor.page.wait_for_selector('[data-board][data-round="volcano"]')
    table.wait_for_turn()
    expect(visitor.page.locator("[data-status]")).to_contain_text("Scoring round")


def test_a_volcano_is_announced_when_the_picture_gets_there(visit: Visit) -> None:
    """A bot's turn brings it: as long as its earlier actions are shown, nothing tells of it."""
    visitor = visit(reduced_motion="no-preference")
    visitor.become("Ada")
    table = practise(visitor, "me", "bot:tourist", opening=BEFORE[:-2]).open()
    page = visitor.page
    table.play(".")
    page.get_by_role("button", name="Pause").click()
    page.wait_for_selector('[data-board][data-round="volcano"]')
    card, mark = page.locator("[data-event=volcano]"), page.locator("[data-round-mark]")
    expect(mark).to_have_count(0)
    expect(card).to_have_count(0)
    expect(page.locator(".hex.start")).to_have_count(0)  # nor does the board show what can be done then
    page.get_by_role("button", name="Skip to now").click()
    expect(mark).to_be_visible()
    expect(card).to_be_visible()
    expect(page.locator(".hex.start").first).to_be_visible()


def test_the_final_round(visitor: Visitor) -> None:
    visitor.become("Ada")
    table = practise(visitor, "me", "person:Blue", opening=BEFORE)
    while True:  # to the turn of the last tile, without the page
        update = table.update()
        view = update["view"]
        if not view["deck_left"] and view["phase"] == "act" and view["scoring"] is None:
            break
        ends = view["phase"] == "act"
        table.play("." if ends else update["offer"]["places"][0]["action"])
    table.open()
    table.play(".")
    expect(visitor.page.locator("[data-event=final]")).to_be_visible()
    assert table.board("round") == "final"
    expect(visitor.page.locator("[data-status]")).to_contain_text("final round")
    visitor.shot("final-round")
    table.play(".")
    table.play(".")
    visitor.page.wait_for_selector('[data-board][data-phase="over"][data-round="none"]')


def test_the_deck_shows_the_remaining_tiles(visit: Visit) -> None:
    visitor = visit("phone")
    visitor.become("Ada")
    table = practise(visitor, "me", "person:Blue", opening=BEFORE).open()
    page = visitor.page
    told = table.update()["prospect"]
    assert (told["letter"], told["left"], told["volcano"]) == ("B", 6, 1 / 6)
    page.click("[data-deck]")
    more = page.locator("[data-deck-told]")
    page.wait_for_function(f"most => ({GAP})() <= most", arg=BESIDE)  # it is placed just after it has opened
    expect(more).to_contain_text("6 B tiles left")
    expect(more).to_contain_text("17%")
    expect(more).to_contain_text("D: 5 tiles, including a volcano")
    visitor.check_axe(within="[data-deck-told]")
    visitor.shot("deck-phone")

"""From the start page to a game: at once, or at a table with chosen settings."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.visitor import Visit, Visitor
from tests.e2e.windows import SIZES, resize
from tests.kit.amounts import sampled

pytestmark = pytest.mark.slow


def test_play_now_needs_one_click_and_no_form(visitor: Visitor) -> None:
    page = visitor.open("/", "h1")
    visitor.shot("start")
    page.get_by_role("button", name="Play now").click()
    page.wait_for_selector("[data-board][data-yours][data-phase=place]")
    assert re.search(r"/table/[\w-]+$", page.url)
    assert visitor.ask("GET", "/me")["name"]
    page.goto("/")
    page.locator("main a[href^='/table/']").first.click()
    page.wait_for_selector("[data-board][data-yours]")


def test_play_now_is_in_every_window(visitor: Visitor) -> None:
    page = visitor.open("/", "h1")
    for size in SIZES:
        resize(page, size)
        expect(page.get_by_role("button", name="Play now")).to_be_in_viewport(ratio=1)


def test_a_new_table_and_a_friend_who_joins_by_link(visitor: Visitor, visit: Visit) -> None:
    page = visitor.open("/", "h1")
    page.get_by_role("link", name="New table").click()
    page.wait_for_selector("form")
    leaps, auction, instant = (page.get_by_role("switch", name=name) for name in ("Leaps", "Auction", "Instant"))
    expect(leaps).to_be_disabled()
    expect(page.locator("label", has=leaps)).to_contain_text("Needs: auction")
    auction.check()
    leaps.check()
    expect(instant).to_be_disabled()
    expect(page.locator("label", has=instant)).to_contain_text("Can’t be combined with: leaps")
    visitor.shot("new-table")
    auction.uncheck()
    patience = page.get_by_role("group", name="If someone is away")
    expect(patience).to_be_hidden()  # nobody could be
    page.get_by_label("Who sits in seat 2?").select_option("open")
    expect(patience).to_be_visible()
    page.get_by_label("Your name").fill("Ada")
    page.get_by_role("button", name="Create table").click()
    expect(page.get_by_role("listitem").filter(has_text="Ada")).to_be_visible()
    code = page.get_by_role("img", name="QR code")
    expect(code).to_be_visible()
    address = page.get_by_label("Link to the table").input_value()
    assert address == page.url
    visitor.shot("waiting")

    friend = visit()
    friend.open(address.removeprefix(visitor.base), "form")
    expect(friend.page.get_by_role("heading", level=1)).to_have_text("A seat is waiting for you")
    expect(friend.page.get_by_role("button", name="Sit here")).to_be_hidden()  # there is only one seat to take
    friend.page.get_by_label("Your name").fill("Ben")
    friend.page.get_by_role("button", name="Take a seat").click()
    expect(page.get_by_role("listitem").filter(has_text="Seat 2").filter(has_text="Ben")).to_be_visible()
    page.get_by_role("button", name="Start the game").click()
    for one in (page, friend.page):
        one.wait_for_selector("[data-board][data-phase=place]")
    assert {one.locator("[data-board][data-yours]").count() for one in (page, friend.page)} == {0, 1}


def test_bots_fill_the_free_seats(visitor: Visitor) -> None:
    visitor.become("Ada")
    page = visitor.open(f"/table/{visitor.new_table('me', 'open', 'open')}", "h1")
    expect(page.get_by_role("button", name="Start the game")).to_be_disabled()
    page.get_by_role("button", name="Fill open seats").click()
    page.get_by_role("button", name="Start the game").click()
    page.wait_for_selector("[data-board][data-yours]")


def test_a_phone_shows_first_what_matters_most(visit: Visit) -> None:
    visitor = visit("phone")
    page = visitor.open("/", "h1")
    expect(page.get_by_role("button", name="Play now")).to_be_in_viewport(ratio=1)
    visitor.become("Ada")
    visitor.open(f"/table/{visitor.make_table('me', 'bot:surveyor', 'open')}", "h1")
    expect(page.get_by_label("Who sits in seat 2?").locator("option:checked")).to_have_text("Bot: Surveyor")
    link, chat = (page.get_by_label(name).bounding_box() for name in ("Link to the table", "Write a message"))
    assert link and chat and link["y"] < chat["y"], "the invitation is above the chat"


SPEAKS, SPEAKS_NOT = ("fr-FR", "fr", "Jouer"), ("ja-JP", "en", "Play now")


@pytest.mark.parametrize(("locale", "language", "play"), sampled((SPEAKS, SPEAKS_NOT), SPEAKS_NOT))
def test_the_browsers_language_is_spoken_where_we_can(visit: Visit, locale: str, language: str, play: str) -> None:
    visitor = visit(locale=locale)
    page = visitor.open("/", "h1")
    expect(page.locator("html")).to_have_attribute("lang", language)
    expect(page.get_by_role("button", name=re.compile(play))).to_be_visible()


def test_an_unknown_address_shows_a_page(visitor: Visitor) -> None:
    page = visitor.open("/no/such/page", "main")
    expect(page.get_by_role("link", name="Back to the start page", exact=True)).to_be_visible()
    expect(page).to_have_title("Page not found · Tikal")
    page = visitor.open("/table/nosuchtablenosuchtab", "h1")
    expect(page.get_by_text("Table not found")).to_be_visible()
    expect(page).to_have_title("Table not found · Tikal")

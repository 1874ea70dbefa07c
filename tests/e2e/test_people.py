"""People: names, other devices, settings, chat; refusals where they belong."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.visitor import Visit, Visitor

pytestmark = pytest.mark.slow


def header(page: Page, name: str) -> None:
    """Waits until the header shows the person."""
    expect(page.locator("header").get_by_role("button", name=name)).to_be_visible()


def rename(page: Page, name: str) -> None:
    page.get_by_label("Your name", exact=True).fill(name)
    page.get_by_role("button", name="Save").first.click()
    header(page, name)


def personal_link(page: Page) -> str:
    """Make a personal link on the page of settings."""
    page.get_by_role("button", name="Create a link").click()
    expect(page.get_by_role("img", name="QR code")).to_be_visible()
    return page.get_by_label("Personal link").input_value()


def test_a_personal_link_works_once_and_leaves_no_trace_in_the_address(visitor: Visitor, visit: Visit) -> None:
    page = visitor.open("/me", "form")
    rename(page, "Ada of the link")
    link = personal_link(page)
    path = link.removeprefix(visitor.base)
    assert re.fullmatch(r"/link#[\w-]{20,}", path)

    phone = visit("phone")
    phone.open(path, "main p")
    expect(phone.page.get_by_text("Welcome back, Ada of the link")).to_be_visible()
    assert "#" not in phone.page.url
    assert phone.ask("GET", "/me")["name"] == "Ada of the link"

    late = visit()
    late.open(path, "main p")
    expect(late.page.get_by_text("This link has already been used")).to_be_visible()
    assert late.ask("GET", "/me")["name"] is None


def test_a_link_asks_before_it_replaces_an_identity(visitor: Visitor, visit: Visit) -> None:
    page = visitor.open("/me", "form")
    rename(page, "Ada")
    path = personal_link(page).removeprefix(visitor.base)
    other = visit()
    other.become("Ben")
    other.open(path, "main button")
    assert other.ask("GET", "/me")["name"] == "Ben"
    other.page.get_by_role("button", name="Use the link").click()
    expect(other.page.get_by_text("Welcome back, Ada")).to_be_visible()
    header(other.page, "Ada")


def test_a_password_leads_back_from_anywhere_and_other_devices_can_be_logged_out(
    visitor: Visitor, visit: Visit
) -> None:
    page = visitor.open("/me", "form")
    rename(page, "Ada Password")
    page.get_by_text("Name and password", exact=True).click()
    page.get_by_label("New password").fill("short")
    page.get_by_label("New password").fill("correct horse")
    page.get_by_role("button", name="Set password").click()
    expect(page.get_by_text("You can log in as Ada Password")).to_be_visible()

    elsewhere = visit()
    there = elsewhere.open("/me", "form")
    there.get_by_text("I already have a name and password").click()
    form = there.locator("form", has=there.get_by_role("button", name="Log in"))
    form.get_by_label("Login name").fill("Ada Password")
    form.get_by_label("Password", exact=True).fill("wrong horse")
    form.get_by_role("button", name="Log in").click()
    expect(form.get_by_role("alert")).to_contain_text("name and password don’t match")
    form.get_by_label("Password", exact=True).fill("correct horse")
    form.get_by_role("button", name="Log in").click()
    header(there, "Ada Password")

    page.get_by_role("button", name="Log out other devices").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    assert elsewhere.ask("GET", "/me")["name"] == "Ada Password", "nothing happens without a yes"
    page.get_by_role("button", name="Log out other devices").click()
    dialog.get_by_role("button", name="Log out", exact=True).click()
    expect(page.get_by_text("Only this device is still logged in")).to_be_visible()
    there.goto("/")
    expect(there.locator("header").get_by_role("button", name="Ada Password")).to_be_hidden()


def test_an_invalid_name_is_refused_at_its_field(visitor: Visitor) -> None:
    page = visitor.open("/me", "form")
    field = page.get_by_label("Your name", exact=True)
    field.fill("<b>")
    page.get_by_role("button", name="Save").first.click()
    expect(page.get_by_role("alert").filter(has_text="1 to 24 letters")).to_be_visible()
    expect(field).to_have_attribute("aria-invalid", "true")


def test_settings_are_stored(visitor: Visitor) -> None:
    page = visitor.open("/me", "form")
    page.get_by_role("radio", name="Dark").check()
    page.get_by_role("radio", name="Fran").check()
    page.get_by_role("radio", name="Instantan").check()
    page.reload()
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(page.get_by_role("radio", name="Instantan")).to_be_checked()


def test_the_last_table_is_offered_again_and_a_refusal_is_at_its_field(visitor: Visitor) -> None:
    page = visitor.open("/new", "form")
    page.get_by_role("button", name="Add a player").click()
    page.get_by_label("Who sits in seat 2?").select_option("person")
    start = page.get_by_role("button", name="Start the game")
    start.click()
    expect(page.get_by_text("Enter a name")).to_be_visible()
    page.get_by_label("Name of the player in seat 2").fill("Ben")
    page.get_by_role("switch", name="Obstacles").check()
    page.get_by_role("radio", name="By the day").check()
    page.get_by_text("Advanced").click()
    word = page.get_by_label("Your word for the shuffle")
    word.fill("two words")
    start.click()
    expect(page.locator("#nonce").get_by_role("alert")).to_contain_text("word for the shuffle")
    word.fill("word")
    start.click()
    page.wait_for_selector("[data-board]")

    visitor.open("/new", "form")
    expect(page.get_by_label("Name of the player in seat 2")).to_have_value("Ben")
    expect(page.get_by_role("switch", name="Obstacles")).to_be_checked()
    expect(page.get_by_role("radio", name="By the day")).to_be_checked()
    page.get_by_text("Advanced").click()
    expect(word).to_have_value("")


def test_players_chat_and_see_unread_lines(visitor: Visitor, visit: Visit) -> None:
    visitor.become("Ada")
    table = visitor.new_table("me", "open", "bot:tourist")
    friend = visit()
    friend.become("Ben")
    friend.ask("POST", f"/tables/{table}/join", {})
    visitor.ask("POST", f"/tables/{table}/start")
    page = visitor.open(f"/table/{table}", "[data-board]")
    friend.ask("POST", f"/tables/{table}/chat", {"text": "<i>well</i> dug"})
    tab = page.get_by_role("tab", name="Chat")
    expect(tab).to_contain_text("1")
    tab.click()
    expect(page.get_by_text("<i>well</i> dug")).to_be_visible()
    expect(tab).not_to_contain_text("1")
    page.get_by_label("Write a message").fill("thanks")
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_text("thanks")).to_be_visible()
    watcher = visit()
    there = watcher.open(f"/table/{table}", "[data-board]")
    there.get_by_role("tab", name="Chat").click()
    expect(there.get_by_text("Only players at this table can chat")).to_be_visible()

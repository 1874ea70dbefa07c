"""The rules in the app: contents, search, anchors, figures."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.e2e.visitor import Visit, Visitor
from tests.kit.amounts import sampled

pytestmark = pytest.mark.slow


def test_a_rule_is_found_by_search_and_by_its_address(visitor: Visitor) -> None:
    page = visitor.open("/rules", "article h1")
    assert page.locator("[data-figure] svg").count() == 4
    page.get_by_role("searchbox").fill("boulder leader")
    page.click('nav a[href="/rules/variants#boulders"]')
    expect(page.locator(".found")).to_have_id("boulders")
    visitor.open("/rules/rulings#r5", "article h1")
    expect(page.locator(".found")).to_have_id("r5")
    visitor.check_axe()


def test_an_edition_lists_its_options(visitor: Visitor) -> None:
    page = visitor.open("/rules", "article h1")
    page.get_by_label("In this edition").select_option("classic")
    expect(page.get_by_text("A volcano may never cut a hex off")).to_be_visible()


@pytest.mark.parametrize("name", sampled(("game", "editions", "variants", "rulings"), "editions"))
def test_every_page_fits_a_phone_in_the_dark(visit: Visit, name: str) -> None:
    visitor = visit("phone")
    visitor.page.emulate_media(color_scheme="dark")
    page = visitor.open(f"/rules/{name}", "article h1")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    visitor.check_axe()
    visitor.shot(f"rules-{name}-phone-dark")

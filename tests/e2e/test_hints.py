"""Hints in the dock: shown on the board and in words, step by step, and played only after a confirmation."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.e2e.table import Table
from tests.e2e.visitor import Visitor
from tests.e2e.windows import DESKTOP, OUT_OF_REACH, SIDEWAYS, SIZES, resize

pytestmark = pytest.mark.slow


def test_a_hint_is_shown_stepped_through_and_taken(visitor: Visitor) -> None:
    visitor.become("Ada")
    table = Table(visitor, visitor.new_table("me", "bot:tourist", hints=True)).open()
    page = visitor.page
    expect(page.get_by_text("isn’t rated")).to_be_visible()  # before the first hint
    assert not table.update()["info"]["hinted"]
    page.click("[data-hint-ask]")
    page.wait_for_selector('[data-hint="shown"]')
    steps = page.locator("[data-hint-step]")
    count = steps.count()
    sketch = page.locator("[data-sketch]")
    assert sketch.get_attribute("data-sketch") == str(count)
    page.get_by_role("button", name="Previous step").click()
    expect(sketch).to_have_attribute("data-sketch", str(count - 1))
    assert page.locator("[data-gains]").inner_text()
    visitor.check_axe(within="[data-hint]")
    visitor.shot("hint")
    for size in SIZES:
        resize(page, size)
        assert page.evaluate(OUT_OF_REACH) == [], size
    resize(page, SIDEWAYS)
    for step in range(count - 2, 0, -1):  # the sentence of each step, however long
        page.get_by_role("button", name="Previous step").click()
        expect(sketch).to_have_attribute("data-sketch", str(step))
        assert page.evaluate(OUT_OF_REACH) == [], step
    resize(page, DESKTOP)
    seq = table.update()["seq"]
    first = str(steps.first.get_attribute("data-hint-step"))
    assert table.update()["seq"] == seq, "nothing is played before it is confirmed"
    page.get_by_role("button", name="Play step 1").click()
    table.caught_up(seq + 1)
    assert table.events()[-1]["action"] == first
    expect(steps).to_have_count(count - 1)
    page.locator("[data-hint] .primary").click()
    table.caught_up(seq + 2)
    assert table.update()["seq"] > seq + 1

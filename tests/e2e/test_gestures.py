"""Gestures: a turn needs few, none does anything unexpected, and dragging is as good as clicking."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.positions import Story
from tests.e2e.table import FREE_POINT, Table, alone, enter, place
from tests.e2e.visitor import Visit, Visitor
from tests.e2e.windows import DESKTOP, OUT_OF_REACH, SIZES, resize

pytestmark = pytest.mark.slow

MIDDLE = """(what) => {
  const { x, y, width, height } = document.querySelector(what).getBoundingClientRect();
  return [x + width / 2, y + height / 2];
}"""


def middle(page: Page, what: str) -> tuple[float, float]:
    """The middle of something on the screen."""
    x, y = page.evaluate(MIDDLE, what)
    return x, y


def free(page: Page, hex: str) -> tuple[float, float]:
    """A point of a hex without a member of the player."""
    x, y = page.evaluate(FREE_POINT, hex)
    return x, y


def drag(page: Page, start: tuple[float, float], end: tuple[float, float]) -> None:
    """Drag with the mouse."""
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2, steps=3)
    page.mouse.move(*end, steps=3)
    page.wait_for_function("() => document.querySelector('.dragged, .ghost')")
    page.mouse.up()


def ap(table: Table, left: int) -> None:
    """So many points must be left."""
    expect(table.page.locator("[data-board]")).to_have_attribute("data-ap", str(left))


def workers(table: Table) -> dict[str, int]:
    """Where the workers of seat 1 are."""
    found: dict[str, int] = table.update()["view"]["workers"][0]
    return found


def test_a_typical_turn_takes_eight_gestures(visitor: Visitor) -> None:
    """Place, workers from the reserve to the temple a2, uncover twice; a third worker would be one gesture more."""
    table = alone(visitor)
    page = table.page
    gestures = 0

    def click(what: str) -> None:
        nonlocal gestures
        page.locator(what).last.click()
        gestures += 1

    table.click_hex(table.offer()["places"][0]["hex"])
    gestures += 1
    click("button.primary[data-action*='^']")
    expect(page.locator("[data-board]")).to_have_attribute("data-phase", "act")
    click("[data-enter=W]")
    click("[data-more]")
    goal = page.locator("[data-hex=a2][data-action='+W@a1 +W@a1 W:a1-a2 W:a1-a2']")
    expect(goal).to_be_visible()
    table.click_hex("a2")
    gestures += 1
    ap(table, 4)
    click("button[data-action='X@a2']")
    ap(table, 2)
    click("button[data-action='X@a2']")
    ap(table, 0)
    assert gestures <= 7
    assert workers(table) == {"a2": 2}
    assert table.update()["view"]["levels"]["a2"] == 3


def test_a_click_never_walks_a_member_back(visitor: Visitor) -> None:
    table = alone(visitor)
    place(table)
    enter(table, 3)
    for hex in ("a1", "b2", "a1", "b2"):
        table.page.wait_for_function("() => !document.querySelector('.dock button:disabled[data-member]')")
        table.click_hex(hex)
        table.page.wait_for_timeout(0)
    ap(table, 5)
    assert workers(table) == {"a1": 1, "b2": 2}
    expect(table.page.locator("[data-hex=a1]")).to_have_attribute("aria-pressed", "true")


def test_several_walk_together_and_come_back_with_one_request(visitor: Visitor) -> None:
    table = alone(visitor)
    page = table.page
    place(table)
    enter(table, 3)
    table.look_at("a1")
    page.click("[data-more]")
    page.click("[data-more]")
    expect(page.locator("[data-hex=b2]")).to_have_attribute("data-action", "W:a1-b2 W:a1-b2 W:a1-b2")
    table.click_hex("b2")
    ap(table, 4)
    assert workers(table) == {"b2": 3}
    before = table.update()["seq"]
    page.get_by_role("button", name="Undo").click()
    ap(table, 7)
    assert table.update()["seq"] == before + 1
    assert workers(table) == {"a1": 3}


def test_a_refused_undo_explains_why(visitor: Visitor) -> None:
    page = alone(visitor).page
    undo = page.get_by_role("button", name="Undo")
    expect(undo).to_be_disabled()
    undo.click(force=True)
    expect(page.get_by_text("You haven’t done anything yet this turn.")).to_be_visible()


def test_a_guard_names_the_members_that_leave_and_asks(visitor: Visitor) -> None:
    table = alone(visitor)
    places = table.offer()["places"]
    table.play(places[0]["action"], "+W@a1", "+W@a1", "W:a1-a2", "W:a1-a2", ".")
    table.play(table.offer()["places"][0]["action"], ".")
    table.play(table.offer()["places"][0]["action"])
    table.caught_up()
    table.look_at("a2")
    guard = table.page.locator("[data-action='GW@a2']")
    guard.click()
    ask = table.page.get_by_role("alertdialog")
    expect(ask).to_contain_text("Your other member here leaves the game for good.")
    visitor.check_axe(within="[role=alertdialog]")
    for size in SIZES:
        resize(table.page, size)
        assert table.page.evaluate(OUT_OF_REACH) == [], size
    resize(table.page, DESKTOP)
    ask.get_by_role("button", name="Cancel").click()
    ap(table, 10)
    table.click_action("GW@a2")
    ap(table, 5)


def test_a_bid_of_more_than_half_the_points_asks_first(visitor: Visitor) -> None:
    table = alone(visitor, auction="true")
    page = table.page
    table.play("B:12")
    table.caught_up()
    table.uncover()
    before = table.update()["seq"]
    page.click("button[data-action='B:13']")
    ask = page.get_by_role("alertdialog")
    expect(ask).to_contain_text("Bid 13 points?")
    ask.get_by_role("button", name="Cancel").click()
    assert table.update()["seq"] == before
    table.click_action("B:13")
    assert table.update()["view"]["bid"] == 13


def test_high_bids_are_on_a_ruler(visitor: Visitor) -> None:
    table = alone(visitor, auction="true")
    page = table.page
    page.click("[data-tool=bids]")
    ask = page.get_by_role("alertdialog")
    expect(ask).to_contain_text("Bid 4 points?")
    page.keyboard.press("Enter")  # on the button that opened it: it closes again, and nothing is bid
    expect(ask).to_have_count(0)
    page.click("[data-tool=bids]")
    page.locator(".ruler [data-action='B:9']").click()
    expect(ask).to_contain_text("Bid 9 points?")
    expect(page.locator(".ruler [aria-pressed=true]")).to_have_text("9")
    expect(page.locator(".ruler [data-action='B:10']")).to_have_text("10")
    page.keyboard.press("ArrowRight")
    page.get_by_role("button", name="One point more").click()
    expect(ask).to_contain_text("Bid 11 points?")
    page.mouse.move(*middle(page, ".ruler [data-action='B:11']"))
    page.mouse.down()
    page.mouse.move(*middle(page, ".ruler [data-action='B:20']"), steps=3)
    page.mouse.up()
    expect(ask).to_contain_text("Bid 20 points?")
    assert table.update()["view"]["bid"] == 0
    visitor.check_axe(within="[role=alertdialog]")
    ask.get_by_role("button", name="Bid 20").click()
    page.wait_for_selector("[data-board][data-seat='2']")
    assert table.update()["view"]["bid"] == 20


def test_treasures_that_cant_be_exchanged_look_like_it(visitor: Visitor) -> None:
    visitor.become("Ada")
    story = Story.begin("1", players=4)
    story.wander_to("S:")
    table = story.at_table(visitor)
    page = table.page
    possible = {one["action"] for one in table.offer()["actions"] if one["action"].startswith("S:")}
    kinds = sorted({action[4] for action in possible})
    page.click("[data-exchange]")
    if len(kinds) == 1:
        expect(page.locator(f'[data-give="{kinds[0]}"]')).to_have_attribute("aria-pressed", "true")
    for give in kinds:
        page.click(f'[data-give="{give}"]')
        for button in page.locator("[data-take]").all():
            seat, take = str(button.get_attribute("data-take")).split(":")
            fits = f"S:{seat}:{give}/{take}" in possible
            assert ("refused" in str(button.get_attribute("class"))) != fits, (give, seat, take)


def test_a_turn_by_dragging_with_the_mouse(visitor: Visitor) -> None:
    table = alone(visitor)
    page = table.page
    hex = table.offer()["places"][0]["hex"]
    drag(page, middle(page, ".place .tile"), middle(page, f"[data-hex={hex}]"))
    expect(page.locator("button.primary[data-action*='^']")).to_be_visible()
    assert table.board("phase") == "place"
    page.click("button.primary[data-action*='^']")
    expect(page.locator("[data-board]")).to_have_attribute("data-phase", "act")
    page.click("[data-enter=W]")
    page.wait_for_selector("[data-hex=b2][data-action]")
    page.keyboard.press("Escape")
    drag(page, middle(page, "[data-enter=W]"), free(page, "a1"))
    ap(table, 9)
    drag(page, middle(page, "[data-hex=a1] [data-own=W]"), free(page, "b2"))
    ap(table, 8)
    assert workers(table) == {"b2": 1}
    drag(page, middle(page, "[data-hex=b2] [data-own=W]"), middle(page, ".dock"))
    ap(table, 8)  # let go beside the board: nothing happens


def test_dragging_a_member_with_a_finger(visit: Visit) -> None:
    visitor = visit("phone")
    table = alone(visitor)
    place(table)
    enter(table)
    page = table.page
    fingers = page.context.new_cdp_session(page)
    (x, y), (to_x, to_y) = middle(page, "[data-hex=a1] [data-own=W]"), free(page, "b2")

    def touch(kind: str, *points: tuple[float, float]) -> None:
        where = [{"x": at_x, "y": at_y, "id": 1} for at_x, at_y in points]
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": where})

    touch("touchStart", (x, y))
    for step in range(1, 9):
        touch("touchMove", (x + (to_x - x) * step / 8, y + (to_y - y) * step / 8))
    touch("touchEnd")
    ap(table, 8)
    assert workers(table) == {"b2": 1}


def test_the_right_button_cancels(visitor: Visitor) -> None:
    table = alone(visitor)
    place(table)
    enter(table)
    table.look_at("a1")
    for _ in range(2):
        table.page.mouse.click(*free(table.page, "b2"), button="right")
    expect(table.page.locator("[data-hex][aria-pressed=true]")).to_have_count(0)
    ap(table, 9)

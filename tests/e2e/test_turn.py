"""A turn in detail: placing, walking, undo and its barriers, ending, the keyboard, the command line."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.positions import Story
from tests.e2e.table import Table, alone, enter, hexes_of, place
from tests.e2e.visitor import SIZES, Visit, Visitor
from tests.kit.amounts import sampled

pytestmark = pytest.mark.slow


def test_a_tile_is_previewed_and_turned_among_legal_rotations(visitor: Visitor) -> None:
    table = alone(visitor)
    places = table.offer()["places"]
    hex = next(one["hex"] for one in places if len([two for two in places if two["hex"] == one["hex"]]) > 1)
    turns = [one for one in places if one["hex"] == hex]
    table.click_hex(hex)
    button = table.page.locator("button.primary[data-action]")
    seen = []
    for _ in turns:
        seen.append(button.get_attribute("data-action"))
        table.page.keyboard.press("r")
        expect(button).not_to_have_attribute("data-action", seen[-1])
    expect(button).to_have_attribute("data-action", seen[0])
    assert set(seen) == {one["action"] for one in turns}
    visitor.shot("placing")
    button.click()
    table.page.wait_for_selector("[data-board][data-phase=act][data-ap='10']")
    assert table.update()["view"]["tiles"][hex]


def test_a_walk_of_several_steps_is_one_click(visitor: Visitor) -> None:
    table = alone(visitor)
    place(table)
    enter(table)
    walks = [walk for walk in table.offer()["walks"] if len(walk["actions"]) > 1]
    walk = walks[0]
    table.click_action(" ".join(walk["actions"]))
    expect(table.page.locator("[data-board]")).to_have_attribute("data-ap", str(10 - 1 - walk["cost"]))
    assert walk["to"] in table.update()["view"]["workers"][0]


def test_refused_actions_are_listed_with_the_reason(visitor: Visitor) -> None:
    table = alone(visitor)
    place(table)
    refused = table.offer()["refusals"]
    hex = next(hex for hex, found in refused.items() if found)
    table.click_hex(hex)
    for one in refused[hex]:
        shown = table.page.locator(f'[data-refused="{one["action"]}"]')
        expect(shown).to_have_attribute("data-why", one["code"])
        expect(shown.locator("small")).not_to_be_empty()


def test_undo_redo_and_start_again(visitor: Visitor) -> None:
    table = alone(visitor)
    page, board = table.page, table.page.locator("[data-board]")
    undo, redo = page.get_by_role("button", name="Undo"), page.get_by_role("button", name="Redo")
    restart = page.get_by_role("button", name="Restart")
    expect(undo).to_be_disabled()
    place(table)
    enter(table, 2)
    expect(board).to_have_attribute("data-ap", "8")
    walk = next(walk for walk in table.offer()["walks"] if len(walk["actions"]) > 1)
    table.click_action(" ".join(walk["actions"]))
    undo.click()
    expect(board).to_have_attribute("data-ap", "8")  # the whole walk
    undo.click()
    expect(board).to_have_attribute("data-ap", "9")
    redo.click()
    expect(board).to_have_attribute("data-ap", "8")
    redo.click()
    expect(board).to_have_attribute("data-ap", str(8 - walk["cost"]))
    restart.click()
    expect(board).to_have_attribute("data-phase", "place")
    expect(undo).to_be_disabled()


def test_when_nothing_can_be_undone_button_and_key_say_why(visitor: Visitor) -> None:
    page = alone(visitor).page
    said = page.get_by_role("status").filter(has_text="haven’t done anything yet")
    expect(said).to_have_count(0)
    page.keyboard.press("u")
    expect(said).to_be_visible()


def test_a_turn_that_was_ended_or_a_treasure_that_was_dug_stays(visitor: Visitor) -> None:
    visitor.become("Ada")
    story = Story.begin("1")
    dig = story.wander_to("D@")
    table = story.at_table(visitor)
    undo = table.page.get_by_role("button", name="Undo")
    table.click_action(dig)
    expect(undo).to_be_disabled()
    expect(table.page.get_by_text("A treasure!")).to_be_visible()
    visitor.shot("dug")
    seat = table.board("seat")
    table.click_action(".")
    expect(table.page.locator("[data-board]")).not_to_have_attribute("data-seat", seat)
    expect(undo).to_be_disabled()


def test_ending_a_turn_asks_only_if_points_are_left(visitor: Visitor) -> None:
    table = alone(visitor)
    place(table)
    page = table.page
    page.locator("[data-action='.']").click()
    ask = page.get_by_role("alertdialog")
    expect(ask).to_contain_text("You have 10 action points left")
    ask.get_by_role("button", name="Keep playing").click()
    expect(ask).to_be_hidden()
    assert table.board("seat") == "1"
    table.play(*["+W@a1"] * 10)
    table.caught_up()
    page.locator("[data-action='.']").click()
    expect(page.locator("[data-board]")).to_have_attribute("data-seat", "2")


def test_a_whole_turn_by_keyboard_alone(visitor: Visitor) -> None:
    table = alone(visitor)
    page, board = table.page, table.page.locator("[data-board]")
    goal = table.offer()["places"][0]["hex"]
    page.keyboard.press("b")
    go_to(table, goal)
    page.keyboard.press("Enter")
    page.keyboard.press("r")
    page.keyboard.press("Enter")
    expect(board).to_have_attribute("data-phase", "act")
    go_to(table, "a1")
    page.keyboard.press("Enter")
    tab_to(page, "button[data-action='+W@a1']")
    page.keyboard.press("Enter")
    expect(board).to_have_attribute("data-ap", "9")
    walk = table.offer()["walks"][0]
    page.keyboard.press("b")
    go_to(table, walk["to"])
    page.keyboard.press("Enter")
    expect(board).to_have_attribute("data-ap", str(9 - walk["cost"]))
    page.keyboard.press("u")
    expect(board).to_have_attribute("data-ap", "9")
    page.keyboard.press("y")
    expect(board).to_have_attribute("data-ap", str(9 - walk["cost"]))
    page.keyboard.press("e")
    expect(page.locator("[data-action='.']:focus")).to_be_visible()  # points are left, so the table asks first
    page.keyboard.press("Enter")
    expect(board).to_have_attribute("data-seat", "2")
    page.keyboard.press("/")
    action = table.offer()["places"][-1]["action"]
    page.keyboard.type(action)
    page.keyboard.press("Enter")
    expect(board).to_have_attribute("data-phase", "act")
    assert hexes_of(action)[0] in table.update()["view"]["tiles"]


def go_to(table: Table, hex: str) -> None:
    """Move the focus on the board by arrow keys."""
    focused = "document.activeElement?.dataset?.hex ?? ''"
    for _ in range(40):
        now = str(table.page.evaluate(focused))
        assert now, "the focus is not on the board"
        if now == hex:
            return
        table.page.keyboard.press(arrow(now, hex))
    pytest.fail(f"{hex} can't be reached by arrows")


def arrow(now: str, goal: str) -> str:
    """First along the letters, then along the numbers."""
    if now[0] != goal[0]:
        return "ArrowRight" if now[0] < goal[0] else "ArrowLeft"
    return "ArrowUp" if now[1] < goal[1] else "ArrowDown"


def tab_to(page: Page, selector: str) -> None:
    """Press Tab until the focus is there."""
    for _ in range(80):
        if page.evaluate("(selector) => document.activeElement?.matches(selector) ?? false", selector):
            return
        page.keyboard.press("Tab")
    pytest.fail(f"{selector} can't be reached by Tab")


def test_a_phone_plays_a_turn_by_touch(visit: Visit) -> None:
    visitor = visit("phone")
    table = alone(visitor)
    place(table)
    enter(table)
    visitor.shot("turn-phone")
    width = table.page.evaluate("document.documentElement.scrollWidth")
    assert width <= 390, "the page is wider than the phone"
    table.click_action(".")
    expect(table.page.locator("[data-board]")).to_have_attribute("data-seat", "2")


# Points of a hex that are covered by something else: its middle, and near its corners.
COVERED_HEXES = """() => [...document.querySelectorAll('[data-hex]')].filter((hex) => {
  const { left, top, width, height } = hex.querySelector('.rim').getBoundingClientRect();
  const near = [0, 1, 2, 3, 4, 5].map((corner) => [Math.cos(corner * Math.PI / 3), Math.sin(corner * Math.PI / 3)]);
  return [[0, 0], ...near].some(([dx, dy]) => {
    const there = document.elementFromPoint(left + width * (0.5 + 0.4 * dx), top + height * (0.5 + 0.45 * dy));
    return there?.closest('[data-hex]') !== hex;
  });
}).map((hex) => hex.dataset.hex)"""


@pytest.mark.parametrize("size", sampled(SIZES, "phone", "desktop"))
def test_nothing_covers_a_hex_until_the_player_zooms(visit: Visit, size: str) -> None:
    page = alone(visit(size)).page
    assert page.evaluate(COVERED_HEXES) == []
    closer, away = page.get_by_role("button", name="Zoom in"), page.get_by_role("button", name="Zoom out")
    expect(away).to_be_hidden()
    closer.click()
    assert page.evaluate(COVERED_HEXES) != []
    away.click()
    expect(closer).to_be_focused()
    assert page.evaluate(COVERED_HEXES) == []


def test_two_fingers_look_closer(visit: Visit) -> None:
    page = alone(visit("phone")).page
    fingers = page.context.new_cdp_session(page)

    def touch(kind: str, *points: tuple[int, int]) -> None:
        where = [{"x": x, "y": y, "id": finger} for finger, (x, y) in enumerate(points)]
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": where})

    touch("touchStart", (200, 250))
    touch("touchStart", (200, 250), (200, 290))
    for step in range(10):
        touch("touchMove", (200, 250 - 8 * step), (200, 290 + 8 * step))
    touch("touchEnd")
    expect(page.get_by_role("button", name="Show the whole board")).to_be_visible()
    assert page.evaluate("scrollY") == 0


def test_a_click_on_the_leader_chooses_the_leader(visitor: Visitor) -> None:
    table = alone(visitor)
    place(table)
    enter(table)
    table.click_action("+L@a1")
    page = table.page
    for member in ("L", "W"):
        page.locator(f"[data-hex=a1] [data-own={member}]").click()
        expect(page.locator(f"[data-member={member}]")).to_have_attribute("aria-pressed", "true")


def test_the_members_of_a_crowded_board_have_names_that_contain_what_is_written(visitor: Visitor) -> None:
    visitor.become("Ada")
    story = Story.begin("1", players=4)
    story.fill()
    page = story.at_table(visitor).page
    expect(page.get_by_role("button", name=re.compile("^[a-h][1-5]: .*worker")).first).to_be_visible()
    visitor.check_axe("label-content-name-mismatch")

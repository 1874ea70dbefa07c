"""Space: the board's share of the window, and no control is ever out of reach."""

from __future__ import annotations

from itertools import product

import pytest
from playwright.sync_api import expect

from tests.e2e.picture import open_table
from tests.e2e.positions import Story
from tests.e2e.table import Table
from tests.e2e.visitor import Json, Visitor
from tests.e2e.volcano import BEFORE, practise
from tests.e2e.windows import DESKTOP, HUGE, LAPTOP, LARGE, OUT_OF_REACH, PHONE, SIDEWAYS, SIZES, resize
from tests.kit.amounts import amounts, sampled

pytestmark = pytest.mark.slow

SHARES = {LAPTOP: 0.45, DESKTOP: 0.5, LARGE: 0.5, HUGE: 0.5}
# The board with its frame: the picture keeps its shape within the element.
BOARD = """() => {
  const svg = document.querySelector('[data-board] > svg');
  const { width, height } = svg.getBoundingClientRect();
  const { width: w, height: h } = svg.viewBox.baseVal;
  const scale = Math.min(width / w, height / h);
  return [w * scale, h * scale];
}"""
# The tabs, folded or not, are within the window.
TABS = """() => {
  const { top, bottom } = document.querySelector('[role=tablist]').getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight + 0.5;
}"""
MIDDLE = """(what) => {
  const { x, y, width, height } = document.querySelector(what).getBoundingClientRect();
  return [x + width / 2, y + height / 2];
}"""


def four(visitor: Visitor) -> Table:
    """A game of four at one screen: every decision is made here."""
    visitor.become("Ada")
    return Story.begin("7", players=4).at_table(visitor)


def test_the_board_has_the_space(visitor: Visitor) -> None:
    table = four(visitor)
    for phase in ("place", "act"):
        expect(table.page.locator("[data-board]")).to_have_attribute("data-phase", phase)
        for size in SIZES:
            resize(table.page, size)
            width, height = table.page.evaluate(BOARD)
            assert width * height >= SHARES.get(size, 0) * size[0] * size[1], (size, width, height)
            assert table.page.evaluate(TABS), size
            if size == PHONE:
                assert width == pytest.approx(390, abs=1)
            if size == SIDEWAYS:
                assert height == pytest.approx(390, abs=1)
        table.play(table.offer()["places"][0]["action"]) if phase == "place" else None
        table.caught_up()


# Looks at each of these hexes, and takes up each tool there (a tool lights up the whole board, or shows all bids).
# Returns the controls that were out of reach.
LOOKS = (
    f"async (hexes) => {{\n  const outOfReach = {OUT_OF_REACH};"
    """
  const shown = (selector) => [...document.querySelectorAll(selector)].filter((it) => it.checkVisibility());
  const drawn = async () => { for (let turn = 0; turn < 5; turn++) await null; };  // to measure is to lay out
  const press = async (it) => {
    it.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, shiftKey: true }));
    await drawn();
  };
  const escape = async () => {
    window.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
    await drawn();
  };
  const found = [['at first', outOfReach()]];
  const tools = async (where) => {
    for (const tool of shown('[data-tool]')) {
      await press(tool);
      found.push([`${where}, ${tool.dataset.tool}`, outOfReach()]);
      await press(tool);
    }
  };
  await tools('at first');
  for (const hex of hexes) {
    await press(document.querySelector(`[data-hex="${hex}"]`));
    if (!document.querySelector(`[data-hex="${hex}"][aria-pressed=true]`)) throw new Error(`${hex} is not chosen`);
    found.push([hex, outOfReach()]);
    await tools(hex);
    for (let step = 0; step < 4 && document.querySelector('[data-hex][aria-pressed=true]'); step++) await escape();
  }
  return found.filter(([, controls]) => controls.length);
}"""
)


@pytest.mark.parametrize("moments", amounts(1, long=8))
@pytest.mark.parametrize("game", ["obstacles", "machine_gun", "auction", "leaps"])
def test_no_control_of_the_dock_is_out_of_reach(visitor: Visitor, game: str, moments: int) -> None:
    """With four players, on the hexes with the most options, at every size."""
    visitor.become("Ada")
    options = {game: "true"} | ({"auction": "true"} if game == "leaps" else {})
    story = Story.begin(f"{game}-{moments}", players=4, **options)
    for _ in range(moments):
        story.wander(150 // moments)
        table = story.at_table(visitor)
        table.uncover()
        offer = table.offer()
        hexes = [hex for hex, _ in sorted(offer["refusals"].items(), key=lambda one: -len(one[1]))[:3]]
        if offer["phase"] != "act":
            hexes = [one["hex"] for one in offer["places"][:1]]
        for size in SIZES:
            resize(table.page, size)
            assert table.page.evaluate(LOOKS, hexes) == [], size


def test_nothing_is_out_of_reach_beside_the_coach(visitor: Visitor) -> None:
    """A newcomer's game: the coach speaks, and on a phone in landscape opens over the dock."""
    visitor.settings(coach=True)
    visitor.become("Ada")
    practise(visitor, "me", "bot:tourist", opening=[*BEFORE, "."]).open()  # a scoring round: Red is to act
    page = visitor.page
    said = page.locator("[data-coach] .said")
    expect(said).to_contain_text("Scoring round")
    for size in SIZES:
        resize(page, size)
        assert page.evaluate(LOOKS, ["a1", "a2", "b3"]) == [], size
        assert page.evaluate(TABS), size
    resize(page, SIDEWAYS)
    line = said.get_by_role("button")
    line.click()
    expect(said.locator("p").first).to_be_visible()
    visitor.check_axe()
    page.get_by_role("button", name="Got it").click()
    expect(line).to_have_attribute("aria-expanded", "false")


def test_everything_has_room_late_in_a_game_of_four(visitor: Visitor) -> None:
    """Treasures at every seat, and members on many hexes."""
    page = open_table(visitor)
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")  # nothing is chosen: the dock lists all places to start from
    for size in SIZES:
        resize(page, size)
        assert page.evaluate(OUT_OF_REACH) == [], size
        assert page.evaluate(TABS), size


def test_focus_shows_the_board_the_points_and_the_turn(visitor: Visitor) -> None:
    page = four(visitor).page
    before = page.evaluate(BOARD)
    page.keyboard.press("f")
    expect(page.locator(".dock")).to_be_hidden()
    expect(page.get_by_role("tablist")).to_be_hidden()
    expect(page.locator("[aria-current=true]")).to_be_visible()
    assert page.evaluate(BOARD) > before
    visitor.check_axe()
    page.get_by_role("button", name="Show everything").click()
    expect(page.locator(".dock")).to_be_visible()


def test_zooming_keeps_the_chosen_hex_in_the_middle(visitor: Visitor) -> None:
    table = four(visitor)
    table.play(table.offer()["places"][0]["action"])
    table.caught_up()
    table.look_at("b2")
    page = table.page
    left, top = page.evaluate(MIDDLE, "[data-hex=b2] .rim")
    for _ in range(3):
        page.get_by_role("button", name="Zoom in").click()
    x, y = page.evaluate(MIDDLE, "[data-hex=b2] .rim")
    all_x, all_y = page.evaluate(MIDDLE, "[data-board]")
    assert abs(x - all_x) < abs(left - all_x) / 2 and abs(y - all_y) < abs(top - all_y) / 2


# Names on seat cards that are cut, once everybody has the widest score there is; and marks of which only a part shows.
CUT_NAMES = """() => {
  for (const score of document.querySelectorAll('.seats .score > [aria-hidden]')) {
    score.textContent = '188';
    score.closest('.head').style.setProperty('--digits', 3);
  }
  return [...document.querySelectorAll('.seats .name')]
    .filter((name) => name.checkVisibility())
    .filter((name) => {
      const [own, room] = [name, name.parentElement].map((one) => one.getBoundingClientRect());
      return name.scrollWidth > name.clientWidth || own.right > room.right + 0.5 || own.bottom > room.bottom + 0.5;
    })
    .concat([...document.querySelectorAll('.seats .mark')].filter((mark) => {
      const [own, room] = [mark, mark.parentElement].map((one) => one.getBoundingClientRect());
      return own.top < room.bottom - 0.5 && own.bottom > room.bottom + 0.5;
    }))
    .map((one) => one.textContent);
}"""
TWELVE = ("Maximilianna", "Wm. Warramum", "Constantinos")
CLOCK = {"kind": "live", "bank_s": 3599}


OTHERS = {
    "a bot": ["bot:tourist"],
    "a person": [f"person:{TWELVE[0]}"],
    "three": ["bot:tourist", f"person:{TWELVE[1]}"],
    "four": [f"person:{name}" for name in TWELVE],
}


@pytest.mark.parametrize(
    ("others", "time"),
    sampled(product(OTHERS, ("untimed", "timed")), ("a bot", "untimed"), ("four", "timed")),
)
def test_names_of_twelve_letters_are_shown_whole(visitor: Visitor, others: str, time: str) -> None:
    visitor.become("Bartholomew2")
    clock: Json = {"clock": CLOCK} if time == "timed" else {}
    table = Table(visitor, visitor.new_table("me", *OTHERS[others], **clock)).open()
    for size in SIZES:
        resize(table.page, size)
        assert table.page.evaluate(CUT_NAMES) == [], size

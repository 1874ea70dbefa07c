"""Scorings and the end: scores agree everywhere, the end is an event, and bots have characters."""

from __future__ import annotations

import random
import re

import pytest
from playwright.sync_api import expect

from tests.e2e.table import Table
from tests.e2e.visitor import SIZES, Visit, Visitor
from tests.e2e.volcano import BEFORE, practise
from tests.e2e.windows import OUT_OF_REACH, SIDEWAYS, resize
from tests.kit.amounts import sampled

pytestmark = pytest.mark.slow

# Notes every moment of a scoring: the scores on the track, and those of the seats.
WATCH = """() => {
  window.moments = [];
  const numbers = (what) => [...document.querySelectorAll(`[${what}]`)].map((one) => one.getAttribute(what));
  const look = () => {
    if (document.querySelector('[data-counting]')) window.moments.push([numbers('data-token'), numbers('data-score')]);
  };
  new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true });
}"""

# Notes whether points are still counted when the podium appears.
EARLY = """() => {
  window.early = false;
  window.counted = false;
  const look = () => {
    const counting = document.querySelector('[data-counting]') !== null;
    window.counted ||= counting;
    window.early ||= counting && document.querySelector('[data-finale]') !== null;
  };
  new MutationObserver(look).observe(document.body, { subtree: true, childList: true });
}"""

# Names and scores on the podium that do not stand on their step as a whole.
CUT = """() => [...document.querySelectorAll('.podium :is(.name, b)')].filter((name) => {
  const [box, step] = [name, name.closest('.step')].map((one) => one.getBoundingClientRect());
  return box.height < 10 || box.bottom > step.bottom;
}).map((name) => name.textContent)"""


def ended(visitor: Visitor, *seats: str) -> Table:
    """A game to its end, as short as possible: tiles are placed, and two seats have a worker at a temple each."""
    visitor.become("Ada")
    table = Table(visitor, visitor.new_table("me", *seats))
    table.play(table.offer()["places"][0]["action"], "+W@a1", "W:a1-a2", "X@a2", ".")
    table.play(table.offer()["places"][0]["action"], "+W@a1", "W:a1-b1", ".")
    while table.update()["view"]["seat"] is not None:
        table.play(*[place["action"] for place in table.offer()["places"][:1]], ".")
    return table.open()


def test_totals_and_tokens_agree_at_every_moment(visit: Visit) -> None:
    visitor = visit(reduced_motion="no-preference")
    visitor.become("Ada")
    table = practise(visitor, "me", "person:Blue", opening=BEFORE).open()
    table.play(".")
    table.caught_up()
    visitor.page.evaluate(WATCH)
    table.play(".")  # Red scores
    visitor.page.wait_for_selector("[data-counting]")
    visitor.page.wait_for_selector("[data-counting]", state="detached")
    moments = visitor.page.evaluate("window.moments")
    assert len({tuple(tokens) for tokens, _ in moments}) > 1, "the score has grown"
    for tokens, scores in moments:
        assert tokens == scores


def test_the_podium_waits_for_the_last_point(visit: Visit) -> None:
    visitor = visit(reduced_motion="no-preference")
    visitor.become("Ada")
    table = Table(visitor, visitor.new_table("me", "person:Ben"))
    for temple in ("a2", "b1"):
        table.play(table.offer()["places"][0]["action"], "+W@a1", f"W:a1-{temple}", ".")
    while (update := table.update())["prospect"]["round"] != "final" or len(update["prospect"]["to_score"]) > 1:
        table.play(*[place["action"] for place in table.offer()["places"][:1]], ".")
    table.open()
    visitor.page.evaluate(EARLY)
    table.play(".")
    expect(visitor.page.locator("[data-finale]")).to_be_visible()
    assert visitor.page.evaluate("window.counted")
    assert not visitor.page.evaluate("window.early")


def test_a_scoring_does_not_cover_the_board(visit: Visit) -> None:
    visitor = visit(reduced_motion="no-preference")
    visitor.become("Ada")
    table = practise(visitor, "me", "person:Blue", opening=BEFORE).open()
    table.play(".")
    table.caught_up()
    table.play(".")
    shown = visitor.page.wait_for_selector("[data-counting]")
    board = visitor.page.wait_for_selector("[data-board]")
    assert shown and board
    box, frame = shown.bounding_box(), board.bounding_box()
    assert box and frame
    assert box["x"] >= frame["x"] + frame["width"] or box["y"] >= frame["y"] + frame["height"]


@pytest.mark.parametrize("size", sampled(("phone", "desktop"), "phone"))
def test_the_end_is_an_event(visit: Visit, size: str) -> None:
    visitor = visit(size)
    ended(visitor, "person:Ben", "person:Cleo", "person:Dora")
    page = visitor.page
    finale = page.locator("[data-finale]")
    expect(finale).to_contain_text("Ada wins")  # at one screen everybody is "you"
    expect(finale.get_by_role("listitem")).to_have_count(4)
    expect(page.locator("[data-moments] li").first).to_contain_text("Ada")
    expect(page.get_by_role("heading", name="Ada wins")).to_be_visible()
    for window in (size, "tablet") if size == "desktop" else (size,):
        resize(page, SIZES[window])
        assert page.evaluate(CUT) == []
        visitor.check_axe()
        visitor.shot(f"end-{window}-light")
        page.emulate_media(color_scheme="dark")
        visitor.check_axe("color-contrast")
        visitor.shot(f"end-{window}-dark")
        page.emulate_media(color_scheme="light")
    if size == "phone":
        resize(page, SIDEWAYS)
        assert page.evaluate(OUT_OF_REACH) == []
    finale.get_by_role("button").click()
    expect(finale).to_have_count(0)
    expect(page.get_by_role("link", name="Watch the replay")).to_be_visible()
    expect(page.get_by_role("button", name="Rematch")).to_be_visible()


def test_the_winner_is_congratulated_and_may_climb_a_level(visitor: Visitor) -> None:
    visitor.become("Ada")
    table = Table(visitor, visitor.new_table("me", "bot:tourist"), random.Random(3))
    table.hurry(0)
    table.open()
    while table.wait_for_turn():
        table.play(*[place["action"] for place in table.offer()["places"][:1]], ".")
        table.caught_up()
    won = table.update()["view"]["winners"] == [1]
    expect(visitor.page.get_by_role("heading", name="You win!" if won else "wins")).to_be_visible()
    step = visitor.page.get_by_role("button", name="Next level: digger")
    expect(step).to_have_count(1 if won else 0)  # no level is weaker than a tourist


def test_whoever_resigns_has_lost_wherever_the_result_is_shown(visitor: Visitor) -> None:
    visitor.become("Ada")
    table = Table(visitor, visitor.new_table("me", "bot:tourist", substitute="surveyor")).open()
    page = visitor.page
    page.get_by_role("tab", name="Table").click()
    page.get_by_role("button", name="Resign…").click()
    page.get_by_role("button", name="Resign for Ada").click()
    other = table.update()["info"]["seats"][1]["name"]
    expect(page.locator("[data-finale]")).to_contain_text(f"{other} wins")
    expect(page.locator("[data-finale]")).to_contain_text("A bot finished the game for Ada.")
    expect(page.locator("[data-event]")).to_have_count(0)  # no card of the last rounds lies over the podium
    expect(page.locator("li[data-of='2']").get_by_role("img", name="wins")).to_be_visible()
    visitor.shot("resigned")
    page = visitor.open("/games?show=over", "h1")
    expect(page.get_by_text(re.compile(f"^{other}.* won"))).to_be_visible()


def test_bots_have_names_and_faces_and_think(visitor: Visitor) -> None:
    visitor.become("Ada")
    bots = ["bot:surveyor"] * 3
    table = Table(visitor, visitor.new_table("me", *bots)).open()
    names = [seat["name"] for seat in table.update()["info"]["seats"]]
    assert len(set(names)) == 4 and "surveyor" not in names
    again = visitor.new_table("me", *bots)
    assert [seat["name"] for seat in visitor.ask("GET", f"/tables/{again}")["info"]["seats"]] == names
    seats = visitor.page.get_by_role("list", name="Players")
    for name in names[1:]:
        expect(
            seats.get_by_role("listitem").filter(has_text=name).get_by_role("img", name="Surveyor, planner")
        ).to_be_visible()
    visitor.page.evaluate(
        """() => new MutationObserver(() => {
          if (document.querySelector('[aria-label="thinking…"]')) window.thought = true;
        }).observe(document.body, { subtree: true, childList: true })"""
    )
    table.play(table.offer()["places"][0]["action"], ".")
    table.wait_for_turn()
    assert visitor.page.evaluate("window.thought")

"""A first game with the coach: offered to newcomers; it speaks before turns, warns, and explains scorings."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.e2e.table import Table
from tests.e2e.visitor import Visit, Visitor
from tests.e2e.volcano import BEFORE, practise

pytestmark = pytest.mark.slow

COACH = "[data-coach]"


def begin(visitor: Visitor) -> Table:
    """Play now, as a newcomer does: without changing anything."""
    page = visitor.open("/", "form [type=radio]")
    expect(page.get_by_text("Your first game?")).to_be_visible()
    expect(page.locator("[type=radio][value=tourist]")).to_be_checked()
    page.get_by_role("button", name="Play now").click()
    page.wait_for_selector("[data-board][data-yours]")
    return Table(visitor, page.url.rpartition("/")[2])


def test_a_newcomer_is_offered_an_easy_game_with_a_coach(visitor: Visitor) -> None:
    table = begin(visitor)
    page = visitor.page
    coach = page.locator(COACH)
    expect(coach).to_be_visible()
    assert table.update()["info"]["seats"][1]["level"] == "tourist"
    said = page.locator("[data-coach] .said")
    expect(said).to_be_visible()
    expect(said).not_to_contain_text("have a look")
    assert coach.locator(".said p").count()
    visitor.check_axe(within="[data-coach]")
    visitor.shot("coach")
    coach.locator("[data-coach-off]").click()
    expect(coach).to_have_count(0)
    visitor.open("/", "form [type=radio]")
    expect(page.get_by_text("Your first game?")).to_have_count(0)
    expect(page.get_by_role("switch", name="Play with a coach")).not_to_be_checked()


def test_when_the_tile_lies_the_coach_looks_again(visitor: Visitor) -> None:
    """Its advice where to place the tile is out of date then."""
    table = begin(visitor)
    page = visitor.page
    said = page.locator("[data-coach] .said")
    expect(said).to_be_visible()
    expect(said).not_to_contain_text("have a look")
    with page.expect_response(lambda got: "quick=true" in got.url):
        table.click_action(table.offer()["places"][0]["action"])
    expect(page.locator(COACH)).not_to_contain_text("Place your temple")


@pytest.mark.long
def test_a_whole_first_game_with_the_coach(visitor: Visitor) -> None:
    """Turn after turn, some work and then the end; if the coach objects, the player insists."""
    table = begin(visitor)
    page = visitor.page
    warned = explained = 0
    while table.wait_for_turn():
        update = table.update()
        if update["info"]["state"] == "over" or not update["offer"]:
            break
        explained += page.locator("[data-coach=explains]").count()
        if update["offer"]["phase"] == "place":
            table.play(update["offer"]["places"][0]["action"])
        table.caught_up()
        assert not page.locator("[data-coach=explains]").count(), "who goes on has read it"
        seq = int(table.board("seq"))
        page.click("[data-action='.'] >> nth=0")
        ask = page.locator("[role=alertdialog] [data-action='.']")
        if ask.count():
            ask.click()
        page.wait_for_function(
            "(seq) => document.querySelector('[data-coach=warns]')"
            " || Number(document.querySelector('[data-board]').dataset.seq) > seq",
            arg=seq,
        )
        if page.locator("[data-coach=warns]").count():
            if not warned:
                visitor.shot("coach-warns")
                visitor.check_axe(within="[data-coach]")
            warned += 1
            page.locator("[data-coach-end]").click()
        table.caught_up(seq + 1)
    assert warned, "who never does anything is warned"
    assert explained, "each scoring is explained"
    expect(page.locator(COACH)).to_have_count(0)


def test_the_coach_warns_before_a_turn_ends_with_all_points_left(visit: Visit) -> None:
    visitor = visit("phone")
    visitor.settings(coach=True)
    visitor.become("Ada")
    table = practise(visitor, "me", "bot:tourist", opening=[*BEFORE, "."]).open()  # a scoring round: Red is to act
    page = visitor.page
    expect(page.locator(COACH)).to_contain_text("Scoring round")
    visitor.shot("coach-phone")
    table.page.click("[data-action='.'] >> nth=0")
    page.click("[role=alertdialog] [data-action='.']")
    expect(page.locator("[data-coach=warns]")).to_contain_text("Wait a moment")
    visitor.check_axe(within="[data-coach]")
    seq = table.board("seq")
    page.get_by_role("button", name="Think again").click()
    assert table.board("seq") == seq, "the turn goes on"
    page.click("[data-action='.'] >> nth=0")
    page.click("[role=alertdialog] [data-action='.']")
    table.caught_up(int(seq) + 1)
    expect(page.locator("[data-coach=explains]")).to_contain_text("score")


def test_the_coach_explains_a_scoring_of_a_turn_that_was_played_at_once(visitor: Visitor) -> None:
    visitor.settings(coach=True)
    visitor.become("Ada")
    table = practise(visitor, "me", "bot:tourist", opening=[*BEFORE, "."]).open()
    expect(visitor.page.locator(COACH)).to_contain_text("Scoring round")
    level = next(one["action"] for one in table.offer()["actions"] if one["action"].startswith("X@"))
    before = table.update()["view"]["scores"][0]
    forecast = next(row["total"] for row in table.update()["forecast"] if row["seat"] == 1)
    table.play(level, ".")
    points = table.update()["view"]["scores"][0] - before
    assert points > forecast, "the turn has changed what it scores"
    expect(visitor.page.locator("[data-coach=explains]")).to_contain_text(f"You score {points} points")

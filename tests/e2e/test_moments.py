"""Rare moments: a known deal or a played opening leads to them, and the rest is done by clicks."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

import pytest
from playwright.sync_api import expect

from tests.e2e.positions import Story
from tests.e2e.table import Table, hexes_of
from tests.e2e.visitor import SIZES, Visitor
from tests.e2e.windows import resize
from tikal.play.chance import deal
from tikal.rules.options import Options
from tikal.rules.tables import VOLCANOES

pytestmark = pytest.mark.slow

PLAYERS = 2


def dealt(fits: Callable[[int, int, int], bool], **options: str) -> Story:
    """A game from the first seed whose volcanoes come in rounds that fit."""
    rules = Options.parse({"players": str(PLAYERS), **options})
    seed = next(seed for seed in map(str, count()) if fits(*rounds_of_volcanoes(rules, seed)))
    return Story.begin(seed, PLAYERS, **options)


def rounds_of_volcanoes(options: Options, seed: str) -> list[int]:
    """The rounds (counted from 1) in which the three volcanoes are turned up."""
    deck = deal(options, seed).deck
    return [place // PLAYERS + 1 for place, tile in enumerate(deck) if tile in VOLCANOES]


def pictures(visitor: Visitor, name: str) -> None:
    """Screenshots of the decision at every size; axe must find nothing on a phone."""
    for size, window in SIZES.items():
        resize(visitor.page, window)
        visitor.page.locator("[data-action]:visible").last.scroll_into_view_if_needed()
        visitor.shot(f"{name}-{size}")
        if size == "phone":
            visitor.check_axe()


def test_the_taker_of_a_volcano_decides_whether_it_scores(visitor: Visitor) -> None:
    """Two volcanoes in a round: the first scores, so the second need not."""
    options = {"auction": "true", "sudden_death": "true", "double_volcano": "taker_decides"}
    story = dealt(lambda first, second, third: first == second < min(third, 11), **options)
    visitor.become("Ada")

    story.wander_to(r"V:\+")
    table = story.at_table(visitor)
    board, told = table.page.locator("[data-board]"), table.page.get_by_role("tabpanel")
    asked = table.update()
    expect(board).to_have_attribute("data-phase", "decide")
    assert table.visible() == {"V:+", "V:-"}
    pictures(visitor, "decide")
    table.click_action("V:+")
    expect(board).to_have_attribute("data-phase", "act")
    expect(board).to_have_attribute("data-ap", "10")
    expect(told).to_contain_text("lets this volcano score")

    story.game.play("V:+")
    story.wander_to("V:-")
    table = story.at_table(visitor)
    scored = table.update()["view"]
    assert scored["seat"] != asked["view"]["seat"]
    assert sum(scored["scores"]) > sum(asked["view"]["scores"])
    assert table.visible() == {"V:+", "V:-"}
    table.click_action("V:-")
    expect(board).to_have_attribute("data-phase", "place")
    expect(told).to_contain_text("skips scoring for this volcano")
    assert table.update()["view"]["scores"] == scored["scores"]


def place(table: Table, *actions: str) -> None:
    """Place the tile somewhere, then do this, without the page."""
    table.play(table.offer()["places"][0]["action"], *actions)


def refused(table: Table, action: str, why: str, text: str) -> None:
    """Refused actions on a hex are greyed out, with the reason in words."""
    table.caught_up()
    table.look_at(hexes_of(action)[0])
    shown = table.page.locator(f'[data-refused="{action}"]')
    expect(shown).to_have_attribute("data-why", why)
    expect(shown).to_contain_text(text)


def test_a_gun_is_placed_and_shoots(visitor: Visitor) -> None:
    """Ada has three workers at the temple a2, which is there from the start, Ben has one."""
    visitor.become("Ada")
    table = dealt(lambda first, *_: first > 4, machine_gun="true").at_table(visitor)
    temple, told = table.page.locator("[data-hex=a2]"), table.page.get_by_role("tabpanel")
    place(table, *["+W@a1"] * 3, *["W:a1-a2"] * 3, ".")
    place(table, "+W@a1", "W:a1-a2", ".")
    place(table)
    table.caught_up()
    table.click_action("M@a2")
    expect(temple).to_have_accessible_name("a2, temple, level 1, guarded by you with a gun, one of Ben’s workers")
    refused(table, "R:2@a2", "limit", "this gun has already fired this turn, or was only just placed")
    table.play(".")
    place(table)
    refused(table, "R:1@a2", "gun", "this gun isn’t yours")
    table.play(".")

    place(table)
    table.caught_up()
    table.look_at("a2")
    assert table.visible() >= {"R:2@a2"}
    pictures(visitor, "gun")
    table.click_action("R:2@a2")
    expect(table.page.locator("[data-board]")).to_have_attribute("data-ap", "9")
    expect(temple).to_have_accessible_name("a2, temple, level 1, guarded by you with a gun")
    expect(told).to_contain_text("shoots one of Ben’s workers on a2")
    refused(table, "R:2@a2", "limit", "this gun has already fired this turn")
    assert table.update()["view"]["workers"][1] == {}
    table.play(".")
    place(table, ".")
    place(table)
    refused(table, "R:2@a2", "absent", "this player has no worker here")

"""Two browsers at one table: visibility, a cut connection, a second tab, a spectator."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.e2e.table import Table
from tests.e2e.visitor import Visit, Visitor
from tests.e2e.wire import Wire

pytestmark = pytest.mark.slow


def two(visit: Visit, wire: Wire | None = None, **wishes: object) -> tuple[Table, Table]:
    """Ada and Ben at one table, each with a browser; Ada begins. Ben's connection may be one that can be cut."""
    ada, ben = visit(), visit(at=wire.base) if wire else visit()
    ben.deaf = wire is not None
    ada.become("Ada")
    ben.become("Ben")
    made = ada.new_table("me", "open", **wishes)
    ben.ask("POST", f"/tables/{made}/join", {})
    ada.ask("POST", f"/tables/{made}/start")
    return Table(ada, made).open(), Table(ben, made).open()


def test_players_see_each_other_s_actions_and_act_only_in_turn(visit: Visit) -> None:
    ada, ben = two(visit)
    assert ada.wait_for_turn()
    assert ben.visible() == set()
    ada.click_action(ada.offer()["places"][0]["action"])
    ben.caught_up()
    expect(ben.page.locator("[data-board]")).to_have_attribute("data-phase", "act")
    assert ben.visible() == set()
    ada.click_action(".")
    ben.page.wait_for_selector("[data-board][data-yours]")
    assert ben.page.locator("[data-hex][data-action]").count()
    assert ada.visible() == set()


def test_a_cut_connection_is_shown_and_resumes_by_itself(visit: Visit, wire: Wire) -> None:
    ada, ben = two(visit, wire)
    ada.click_action(ada.offer()["places"][0]["action"])
    ben.caught_up()
    wire.cut()
    expect(ben.page.get_by_text("Connection lost")).to_be_visible()
    ben.visitor.shot("no-connection")
    ada.click_action("+W@a1")
    ada.click_action(".")
    wire.mend()
    ben.caught_up()
    ben.page.wait_for_selector("[data-board][data-yours]")
    expect(ben.page.get_by_text("Connection lost")).to_be_hidden()
    ben.click_action(ben.offer()["places"][0]["action"])
    ada.caught_up()
    assert ada.board("phase") == "act"


def test_an_action_without_a_connection_is_played_once_after_reconnecting(visit: Visit, wire: Wire) -> None:
    ada, ben = two(visit, wire)
    ada.play(ada.offer()["places"][0]["action"])
    ada.play(".")
    ben.page.wait_for_selector("[data-board][data-yours]")
    ben.click_action(ben.offer()["places"][0]["action"])
    ben.look_at("a1")
    wire.cut()
    expect(ben.page.get_by_text("Connection lost")).to_be_visible()
    ben.page.locator("button[data-action='+W@a1']:visible").click()
    assert ada.update()["view"]["ap"] == 10
    wire.mend()
    expect(ben.page.locator("[data-board]")).to_have_attribute("data-ap", "9")
    ada.caught_up()
    assert ada.board("ap") == "9"
    assert ada.update()["view"]["workers"][1] == {"a1": 1}


def test_two_tabs_stay_in_step(visitor: Visitor) -> None:
    visitor.become("Ada")
    first = Table(visitor, visitor.new_table("me", "person:Ben")).open()
    page = visitor.context.new_page()
    page.goto(f"/table/{first.id}")
    page.wait_for_selector("[data-board][data-yours]")
    first.click_action(first.offer()["places"][0]["action"])
    expect(page.locator("[data-board]")).to_have_attribute("data-phase", "act")
    page.locator("[data-hex=a1]").click()
    page.locator("button[data-action='+W@a1']").click()
    expect(first.page.locator("[data-board]")).to_have_attribute("data-ap", "9")


def test_spectators_see_the_board_and_no_controls(visit: Visit) -> None:
    ada, _ = two(visit, public=True)
    stranger = Table(visit(), ada.id).open()
    ada.click_action(ada.offer()["places"][0]["action"])
    stranger.caught_up()
    expect(stranger.page.locator("[data-board]")).to_have_attribute("data-phase", "act")
    expect(stranger.page.get_by_text("It’s Ada’s turn.")).to_be_visible()
    expect(ada.page.get_by_text("It’s Ada’s turn.")).to_be_hidden()  # Ada reads what to do instead
    assert stranger.explore() == set()


def test_people_chat_and_resign(visit: Visit) -> None:
    ada, ben = two(visit)
    ada.page.get_by_role("tab", name="Chat").click()
    box = ada.page.get_by_role("tabpanel").get_by_role("textbox")
    box.fill("Good luck!")
    box.press("Enter")
    ben.page.get_by_role("tab", name="Chat").click()
    expect(ben.page.get_by_text("Good luck!")).to_be_visible()
    ben.page.get_by_role("tab", name="Table").click()
    ben.page.get_by_role("button", name="Resign…").click()
    ben.page.get_by_role("button", name="Resign for Ben").click()
    expect(ada.page.get_by_role("img", name="A bot is playing for Ben")).to_be_visible()
    assert ada.update()["info"]["seats"][1]["substituted"]

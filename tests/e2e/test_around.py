"""Around the table: the player's games, turns elsewhere, the tab's title and icon, keyboard help, pictures."""

from __future__ import annotations

import re
from base64 import b64encode
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.table import Table, play_a_rated_game
from tests.e2e.visitor import Visit, Visitor

pytestmark = pytest.mark.slow

REEL = "input[type=range]"
DAY = 86_400_000


def icon(page: Page) -> str | None:
    """The icon of the browser's tab."""
    return page.locator("link[rel=icon]").get_attribute("href")


def games(visitor: Visitor, **days: int) -> Page:
    """The page of the player's games, this many days from now."""
    if days:
        visitor.page.clock.install(time=visitor.page.evaluate("Date.now()") + days["later"] * DAY)
    return visitor.open("/games", "h1")


def test_results_filters_and_names(visit: Visit) -> None:
    ada, ben = visit(), visit()
    ada.become("Ada")
    ben.become("Ben Bernhard")
    won = play_a_rated_game(ada, ben)
    mine = ada.new_table("me", "person:Cleo")
    ada.new_table("me", "open")
    page = games(ada)
    row = page.get_by_role("listitem")
    expect(page.get_by_role("radio", name="Your turn (1)")).to_be_checked()
    expect(row).to_have_count(1)
    expect(row.get_by_role("link")).to_have_attribute("href", f"/table/{mine}")
    page.get_by_role("radio", name="Waiting for players (1)").check()
    expect(row).to_contain_text("1 open seat")
    page.get_by_role("radio", name="Finished (1)").check()
    expect(page).to_have_url(f"{ada.base}/games?show=over")
    scores = won.update()["view"]["scores"]
    expect(row).to_contain_text("You won")
    expect(row).to_contain_text(str(scores[0]))
    expect(row.get_by_role("link")).to_have_attribute("href", f"/replay/{won.id}")
    page.get_by_label("Find a player").fill("bernh")
    expect(row).to_have_count(1)
    page.get_by_label("Find a player").fill("zoe")
    expect(page.get_by_text("No game with a player of that name.")).to_be_visible()
    page.reload()
    expect(page.get_by_role("radio", name="Finished (1)")).to_be_checked()
    ada.check_axe()
    ada.shot("games")
    there = games(ben)
    there.get_by_role("radio", name="Finished (1)").check()
    expect(there.get_by_role("listitem")).to_contain_text("You came 2nd of 2")


def test_abandoned_games_are_archived_and_stop_asking(visit: Visit) -> None:
    ada = visit()
    ada.become("Ada")
    made = ada.new_table("me", "person:Ben")
    page = games(ada)
    expect(page.get_by_role("radio", name="Your turn (1)")).to_be_checked()
    expect(page.locator("header").get_by_role("link", name="Your turn")).to_be_visible()
    later = visit(storage_state=ada.context.storage_state())
    page = games(later, later=15)
    expect(page.get_by_role("radio", name="Archive (1)")).to_be_checked()
    expect(page.get_by_role("listitem").get_by_role("link")).to_have_attribute("href", f"/table/{made}")
    expect(page.get_by_text("nobody has touched for 14 days")).to_be_visible()
    expect(page.locator("header").get_by_role("link", name="Your turn")).to_be_hidden()
    expect(page).to_have_title("My games · Tikal")


def test_a_turn_elsewhere_is_one_click_away_and_can_be_dismissed(visit: Visit) -> None:
    ada, ben = visit(), visit()
    ada.become("Ada")
    ben.become("Ben")
    here = ada.new_table("bot:tourist", "bot:tourist")
    there = ada.new_table("me", "open")
    ben.ask("POST", f"/tables/{there}/join", {})
    ada.ask("POST", f"/tables/{there}/start")
    page = ada.open(f"/table/{here}", "[data-board]")
    notice = page.locator("header").get_by_role("link", name="Your turn elsewhere")
    expect(notice).to_be_visible()
    expect(page).to_have_title(re.compile(r"^\(1\) "))
    assert icon(page) == "/icon-turn.svg"
    ada.shot("turn-elsewhere")
    page.get_by_role("button", name="Not now").click()
    expect(notice).to_be_hidden()
    expect(page).to_have_title(re.compile("^A game"))
    assert icon(page) == "/icon.svg"
    with page.expect_response("**/api/me/tables"):
        page.reload()
    page.wait_for_selector("[data-board]")
    expect(notice).to_be_hidden()
    # The next turn at the same table shows the notice again, and one click leads there.
    seats = Table(ada, there)
    seats.play(seats.offer()["places"][0]["action"], ".")
    seats = Table(ben, there)
    seats.play(seats.offer()["places"][0]["action"], ".")
    notice.click()
    expect(page).to_have_url(f"{ada.base}/table/{there}")
    expect(page).to_have_title(re.compile(r"^\(1\) Your turn"))
    assert icon(page) == "/icon-turn.svg"
    seats = Table(ada, there)
    seats.play(seats.offer()["places"][0]["action"], ".")
    expect(page).to_have_title(re.compile("^A game"))
    assert icon(page) == "/icon.svg"


def test_a_question_mark_shows_the_keys(visitor: Visitor, finished: str) -> None:
    page = visitor.open(f"/replay/{finished}?at=3", REEL)
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Keyboard shortcuts")
    expect(dialog).to_be_visible()
    expect(dialog.get_by_role("heading", level=3).first).to_have_text("In a replay")
    visitor.check_axe(within="dialog, [role=dialog]")
    visitor.shot("keys")
    page.keyboard.press("ArrowRight")  # keys of the page rest meanwhile
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(page.locator(REEL)).to_have_value("3")
    page = visitor.open("/me", "h1")
    name = page.get_by_label("Your name", exact=True)
    name.press("?")
    expect(name).to_have_value(re.compile(r"\?$"))
    expect(dialog).to_be_hidden()
    page.locator("h1").click()
    page.keyboard.press("?")
    expect(dialog.get_by_role("heading", level=3).first).to_have_text("Everywhere")


def test_replay_by_turn_and_by_scoring(visitor: Visitor, finished: str) -> None:
    page = visitor.open(f"/replay/{finished}?at=0", REEL)
    line = [event for event in Table(visitor, finished).events() if event["kind"] == "play"]
    turns = [number for number, event in enumerate(line, 1) if event["action"] == "."]
    scorings = [int(mark.get_attribute("data-scoring") or 0) for mark in page.locator("[data-scoring]").all()]
    assert scorings
    for number in scorings:
        before, after = line[number - 2]["after"]["scores"], line[number - 1]["after"]["scores"]
        assert any(new > old for old, new in zip(before, after, strict=True))
    reel = page.locator(REEL)
    page.get_by_role("button", name="Next turn").click()
    expect(reel).to_have_value(str(turns[0]))
    page.keyboard.press("PageDown")
    expect(reel).to_have_value(str(turns[1]))
    page.keyboard.press("PageUp")
    expect(reel).to_have_value(str(turns[0]))
    page.get_by_role("button", name="Next scoring").click()
    expect(reel).to_have_value(str(scorings[0]))
    page.locator("body").press("s")
    expect(reel).to_have_value(str(scorings[1]))
    page.get_by_role("button", name="Previous scoring").click()
    expect(reel).to_have_value(str(scorings[0]))
    visitor.shot("replay-marks")


def test_play_on_from_a_moment(visitor: Visitor, finished: str) -> None:
    line = [event for event in Table(visitor, finished).events() if event["kind"] == "play"]
    turn = next(number for number, event in enumerate(line, 1) if event["action"] == ".")
    page = visitor.open(f"/replay/{finished}?at={turn}", REEL)
    button = page.get_by_role("button", name="Play on from here")
    button.click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("radio", name="digger").check()
    visitor.check_axe(within="dialog, [role=dialog]")
    visitor.shot("play-on")
    board = page.locator("[data-board]")
    seat = board.get_attribute("data-seat")
    dialog.get_by_role("button", name="Play on").click()
    expect(page).to_have_url(re.compile("/table/"))
    expect(board).to_have_attribute("data-yours", "")
    expect(board).to_have_attribute("data-seat", str(seat))
    info = visitor.ask("GET", f"/tables/{page.url.rpartition('/')[2]}")["info"]
    assert info["practice"] and info["you"]["seats"] == [int(str(seat))]
    assert {one["level"] for one in info["seats"]} == {None, "digger"}


def test_at_the_end_there_is_nothing_to_play_on(visitor: Visitor, finished: str) -> None:
    page = visitor.open(f"/replay/{finished}?at=99999", REEL)
    expect(page.locator("[data-board]")).to_have_attribute("data-phase", "over")
    page.get_by_role("button", name="Play on from here").click()
    expect(page.get_by_role("dialog")).to_contain_text("Go back a little")


def test_a_picture_of_the_board(visitor: Visitor, finished: str, tmp_path: Path) -> None:
    page = visitor.open(f"/replay/{finished}?at=150", REEL)
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as a picture").click()
    assert download.value.suggested_filename == "tikal-150.png"
    file = tmp_path / "board.png"
    download.value.save_as(file)
    data = file.read_bytes()
    assert data.startswith(b"\x89PNG")
    width, height = (int.from_bytes(data[at : at + 4], "big") for at in (16, 20))
    assert width == 1600 and 0.7 < height / width < 0.9
    # The picture has the board's colours: it is not one flat area.
    colours = page.evaluate(
        """async (url) => {
          const image = new Image(); image.src = url; await image.decode();
          const canvas = Object.assign(document.createElement('canvas'), { width: 160, height: 130 });
          const brush = canvas.getContext('2d'); brush.drawImage(image, 0, 0, 160, 130);
          const seen = new Set(), { data } = brush.getImageData(0, 0, 160, 130);
          for (let at = 0; at < data.length; at += 4) seen.add(data.slice(at, at + 3).map((x) => x >> 5).join());
          return seen.size; }""",
        f"data:image/png;base64,{b64encode(data).decode()}",
    )
    assert colours > 30

"""A game that is over: how it ended, the replay with its links, records out and in, the proof of the shuffle."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.e2e.visitor import Visitor
from tests.e2e.windows import SIZES, resize

pytestmark = pytest.mark.slow

REEL = "input[type=range]"


def at(visitor: Visitor) -> int:
    """The move that is shown."""
    return int(visitor.page.locator(REEL).input_value())


def test_slider_keys_and_links(visitor: Visitor, finished: str) -> None:
    page = visitor.open(f"/replay/{finished}?at=40", REEL)
    expect(page.locator(REEL)).to_have_value("40")
    page.keyboard.press("ArrowRight")
    expect(page.locator(REEL)).to_have_value("41")
    expect(page).to_have_url(f"{visitor.base}/replay/{finished}?at=41")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(REEL)).to_have_value("39")
    page.keyboard.press("End")
    expect(page.locator("[data-board]")).to_have_attribute("data-phase", "over")
    last = at(visitor)
    assert last == visitor.ask("GET", f"/tables/{finished}/replay/0")["of"]
    page.keyboard.press("Home")
    expect(page.locator(REEL)).to_have_value("0")
    page.locator(REEL).fill(str(last // 2))
    expect(page.locator(REEL)).to_have_value(str(last // 2))
    expect(page).to_have_url(f"{visitor.base}/replay/{finished}?at={last // 2}")
    page.reload()
    expect(page.locator(REEL)).to_have_value(str(last // 2))


def test_playing_on_needs_no_scrolling(visitor: Visitor, finished: str) -> None:
    """Not even at the moment with the longest caption, which takes two lines on some screens."""
    page = visitor.open(f"/replay/{finished}?at=0", REEL)

    def caption(moment: int) -> str:
        page.locator(REEL).fill(str(moment))
        expect(page).to_have_url(f"{visitor.base}/replay/{finished}?at={moment}")
        return page.locator(".caption").inner_text()

    longest = max(range(60), key=lambda moment: len(caption(moment)))
    caption(longest)
    for size in SIZES:
        resize(page, size)
        box = page.get_by_role("button", name="Play on from here").bounding_box()
        assert box and box["y"] >= 0 and box["y"] + box["height"] <= size[1], size


def test_through_anybodys_eyes(visitor: Visitor, finished: str) -> None:
    page = visitor.open(f"/replay/{finished}?at=30&seat=2", REEL)
    eyes = page.get_by_label("Whose view")
    expect(eyes).to_have_value("2")
    eyes.select_option("1")
    expect(page).to_have_url(f"{visitor.base}/replay/{finished}?at=30&seat=1")


def test_a_record_can_be_downloaded_and_uploaded(visitor: Visitor, finished: str, tmp_path: Path) -> None:
    page = visitor.open(f"/replay/{finished}?at=0", REEL)
    of = page.locator(REEL).get_attribute("max")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the game").click()
    record = tmp_path / "game.tikal"
    download.value.save_as(record)
    page.goto("/replay/upload")
    page.locator("input[type=file]").set_input_files(record)
    expect(page.locator(REEL)).to_have_attribute("max", str(of))
    page.get_by_role("button", name="Check the shuffle").click()
    dialog = page.get_by_role("dialog")
    for what in ("Actions", "Result", "Shuffle", "Commitment"):
        expect(dialog.get_by_role("listitem").filter(has_text=f"{what}: correct")).to_be_visible()
    visitor.shot("verify")


def test_a_record_that_is_none_is_refused_in_words(visitor: Visitor, tmp_path: Path) -> None:
    (tmp_path / "no.tikal").write_text("this is no record")
    page = visitor.open("/replay/upload", "h1")
    page.locator("input[type=file]").set_input_files(tmp_path / "no.tikal")
    expect(page.get_by_role("alert")).to_contain_text("This isn’t the record of a game")


def test_how_it_ended(visitor: Visitor) -> None:
    visitor.become("Ada")
    made = visitor.new_table("me", "bot:tourist")
    visitor.ask("POST", f"/tables/{made}/resign", {"id": "resign", "seat": 1})
    page = visitor.open(f"/table/{made}", "[data-board][data-phase=over]")
    winners = visitor.ask("GET", f"/tables/{made}")["view"]["winners"]
    expect(page.get_by_text("win" if len(winners) == 1 else "share the win").first).to_be_visible()
    visitor.shot("end")
    page.get_by_role("button", name="How the game went").click()
    expect(page.get_by_role("dialog").get_by_role("heading", name="Points by scoring round and source")).to_be_visible()
    visitor.shot("how-it-went")
    visitor.check_axe(within="dialog, [role=dialog]")

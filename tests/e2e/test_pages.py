"""Every page at every size, light and dark: it fits, and axe finds nothing."""

from __future__ import annotations

import random
import re
from typing import Literal

import pytest

from tests.e2e.positions import Story
from tests.e2e.table import Table, play_a_rated_game
from tests.e2e.visitor import ROOT, SIZES, Visit, Visitor
from tests.e2e.windows import resize
from tests.kit.amounts import sampled

pytestmark = pytest.mark.slow

ColorScheme = Literal["light", "dark"]


def routes() -> set[str]:
    """The first parts of all addresses that have a page."""
    app = (ROOT / "web" / "src" / "App.svelte").read_text("utf-8")
    found = re.findall(r"^    '?(\w*)'?: \(\) => import\('./pages/", app, re.MULTILINE)
    assert len(found) == app.count("import('./pages/") - 1, "all but the page of addresses where there is none"
    return set(found)


def check(visitor: Visitor, name: str, within: str | None = None) -> None:
    """Checks the page as it is now, light and dark. The dark one differs only in its colours."""
    wide = visitor.page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert wide[0] <= wide[1], f"{name} is wider than the screen: {wide}"
    rules: dict[ColorScheme, str | None] = {"light": None, "dark": "color-contrast"}
    for scheme, rule in rules.items():
        visitor.page.emulate_media(color_scheme=scheme)
        visitor.shot(f"{name}-{scheme}")
        visitor.check_axe(rule, within)


# Most of what breaks breaks on a phone.
@pytest.mark.parametrize("size", sampled(SIZES, "phone"))
def test_every_page(visit: Visit, finished: str, size: str) -> None:
    visitor, friend = visit(size), visit()
    visitor.become("Ada")
    friend.become("Ben")
    play_a_rated_game(visitor, friend)
    running = visitor.new_table("me", "person:Ben", "bot:tourist")
    closed = visitor.new_table("me", "open")
    visitor.ask("POST", f"/tables/{closed}/leave")
    pages = {
        "start": ("/", "h1"),
        "new": ("/new", "form"),
        "me": ("/me", "h1"),
        "link": ("/link#nothing", "main"),
        "ranking": ("/ranking", "tr.you"),
        "games": ("/games", "h1"),
        "learn": ("/learn", "h1"),
        "rules": ("/rules", "article h1"),
        "nowhere": ("/nowhere", "main"),
        "no-table": ("/table/nosuchtablenosuchtab", "h1"),
        "closed-table": (f"/table/{closed}", "h1"),
        "waiting": (f"/table/{visitor.new_table('me', 'open', 'bot:digger')}", "h1"),
        "placing": (f"/table/{running}", "[data-board]"),
        "over": (f"/table/{finished}", "[data-board][data-phase=over]"),
        "replay": (f"/replay/{finished}?at=150", "input[type=range]"),
        "upload": ("/replay/upload", "h1"),
    }
    assert {path.split("/")[1].split("#")[0] for path, _ in pages.values()} >= routes()
    for name, (path, ready) in pages.items():
        visitor.open(path, ready)
        check(visitor, f"{name}-{size}")


@pytest.mark.parametrize("size", sampled(SIZES, "phone"))
def test_a_turn_and_every_tab_of_a_table(visit: Visit, size: str) -> None:
    visitor = visit(size)
    visitor.become("Ada")
    table = Table(visitor, visitor.new_table("me", "person:Ben", "bot:tourist"), random.Random(2)).open()
    for tab in ("Standing", "Chat", "Table", "Log"):
        visitor.page.get_by_role("tab", name=tab).click()
        check(visitor, f"{tab.lower()}-{size}", "[role=tabpanel]")
    visitor.page.keyboard.press("Escape")  # on a phone an open panel lies over the board
    table.click_action(table.offer()["places"][0]["action"])
    table.look_at("a1")
    check(visitor, f"acting-{size}")


@pytest.mark.parametrize("size", sampled(("phone", "desktop"), "desktop"))
def test_pages_of_a_visitor_without_a_name(visit: Visit, size: str) -> None:
    visitor = visit(size)
    for path in ("/", "/new", "/me", "/link", "/ranking", "/nowhere"):
        visitor.open(path, "main h1")
        check(visitor, f"unnamed{path.replace('/', '-')}-{size}")
    fill = "(part) => getComputedStyle(part).fill"
    assert visitor.page.locator("main svg .stone").first.evaluate(fill) != "rgb(0, 0, 0)", "the ruin has colours"


@pytest.mark.parametrize("size", sampled(SIZES, "phone"))
def test_the_fullest_board(visitor: Visitor, size: str) -> None:
    """Readable with 40 tiles and 76 members: for people to judge by the pictures."""
    visitor.become("Ada")
    story = Story.begin("full", players=4)
    story.fill()
    page = story.at_table(visitor).page
    assert page.locator("[data-hex]").count() == 40
    resize(page, SIZES[size])
    wide = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert wide[0] <= wide[1], f"wider than the screen: {wide}"
    visitor.shot(f"full-{size}")
    visitor.check_axe()

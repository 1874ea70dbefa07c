"""Every page at every size, light and dark: it fits, axe has nothing to say, and there is a picture to look at."""

from __future__ import annotations

import random
import re

import pytest

from tests.e2e.crowd import fill
from tests.e2e.table import Table
from tests.e2e.visitor import ROOT, SIZES, Visit, Visitor

pytestmark = pytest.mark.slow


def routes() -> set[str]:
    """The first words of all addresses that the client has a page for."""
    app = (ROOT / "web" / "src" / "App.svelte").read_text("utf-8")
    found = re.findall(r"^    '?(\w*)'?: \(\) => import\('./pages/", app, re.MULTILINE)
    assert len(found) == app.count("import('./pages/") - 1, "all but the page of addresses where there is none"
    return set(found)


def check(visitor: Visitor, name: str) -> None:
    """The page as it is now."""
    wide = visitor.page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert wide[0] <= wide[1], f"{name} is wider than the screen: {wide}"
    visitor.shot(name)
    visitor.check_axe()


def play_a_rated_game(visitor: Visitor, other: Visitor) -> None:
    """As short as can be: tiles are placed, and the visitor wins by the one worker who goes to a temple."""
    made = visitor.new_table("me", "open")
    other.ask("POST", f"/tables/{made}/join", {})
    visitor.ask("POST", f"/tables/{made}/start")
    seats = [Table(visitor, made), Table(other, made)]
    seats[0].play(seats[0].offer()["places"][0]["action"], "+W@a1", "W:a1-a2", ".")
    while (seat := seats[0].update()["view"]["seat"]) is not None:
        places = seats[seat - 1].offer()["places"]
        seats[seat - 1].play(*[place["action"] for place in places[:1]], ".")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_every_page(visit: Visit, finished: str, size: str, scheme: str) -> None:
    visitor, friend = visit(size, color_scheme=scheme), visit()
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
        check(visitor, f"{name}-{size}-{scheme}")
    table = Table(visitor, running, random.Random(2)).open()
    for tab in ("Standing", "Chat", "Table", "Story"):
        visitor.page.get_by_role("tab", name=tab).click()
        check(visitor, f"{tab.lower()}-{size}-{scheme}")
    table.click_action(table.offer()["places"][0]["action"])
    table.look_at("a1")
    check(visitor, f"acting-{size}-{scheme}")


def test_the_fullest_board(visit: Visit) -> None:
    """Readable with 40 tiles and 76 members: for people to judge by the pictures."""
    ada, ben = visit(), visit()
    ada.become("Ada")
    ben.become("Ben")
    made = ada.new_table("me", "open", "person:Cleo", "person:Dan")
    ben.ask("POST", f"/tables/{made}/join", {})
    ada.ask("POST", f"/tables/{made}/start")
    mine, his = Table(ada, made).open(), Table(ben, made)
    fill(mine, {1: mine, 2: his, 3: mine, 4: mine})
    assert mine.page.locator("[data-hex]").count() == 40
    for size, (width, height) in SIZES.items():
        ada.page.set_viewport_size({"width": width, "height": height})
        check(ada, f"full-{size}")

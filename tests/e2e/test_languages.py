"""The client in every language and in the pseudo-language, on a phone and on a desktop: no key instead of a text, no
label cut, nothing for axe to complain about; and the language of the first visit.
"""

from __future__ import annotations

import re

import pytest

from tests.e2e.table import Table, alone
from tests.e2e.visitor import Visit, Visitor
from tests.e2e.volcano import BEFORE, practise
from tests.kit.amounts import sampled
from tikal.words.texts import PSEUDO, languages

pytestmark = pytest.mark.slow

# What does not fit or is not translated is found by the longest language and the pseudo-language.
STRANGE, GERMAN = (PSEUDO, "phone"), ("de", "desktop")
ALL = [(language, size) for language in (*languages(), PSEUDO) for size in ("phone", "desktop")]
LOCALES = {"en": "en-GB", "fr": "fr-CA", "es": "es-ES", "it": "it-IT", "de": "de-AT", "zh": "zh-CN"}
PAGES = {
    "start": ("/", "h1"),
    "new": ("/new", "form"),
    "me": ("/me", "h1"),
    "games": ("/games", "h1"),
    "ranking": ("/ranking", "h1"),
    "learn": ("/learn", "h1"),
    "lesson": ("/learn/walk", "[data-lesson] [data-next]"),
    "rules": ("/rules", "article h1"),
    "rulings": ("/rules/rulings", "article h1"),
}
RAW_KEY = re.compile(
    r"(?<![\w./@-])(?:table|ui|start|lobby|newtable|settings|log|status|seats|rules|end)\.[a-z]+_[a-z_]+"
)
# Labels, and whatever a style cuts off. Only names of more than twelve letters may end with an ellipsis.
CUT = """() => [...document.querySelectorAll('body *')]
    .filter((it) => it.clientWidth > 4 && it.scrollWidth > it.clientWidth + 1 && it.checkVisibility())
    .filter((it) => !it.closest('input, tbody th') && !it.matches('.who'))
    .filter((it) => !it.matches('.name') || it.textContent.trim().length <= 12)
    .filter((it) => it.matches('button, .button, h1, h2, label, legend, summary, th') ||
        getComputedStyle(it).textOverflow === 'ellipsis')
    .map((it) => it.textContent.trim().slice(0, 60))"""


def check(visitor: Visitor, name: str) -> None:
    """The current page: its texts are texts, they fit, and axe finds nothing."""
    page = visitor.page
    visitor.shot(f"language-{name}")
    wide = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert wide[0] <= wide[1], f"{name} is wider than the screen: {wide}"
    assert page.evaluate(CUT) == [], name
    assert RAW_KEY.findall(page.inner_text("body")) == [], name
    visitor.check_axe(colours=False)


@pytest.mark.parametrize(("language", "size"), sampled(ALL, STRANGE))
def test_the_main_pages(visit: Visit, language: str, size: str) -> None:
    visitor = visit(size)
    visitor.become("Ada")
    for name, (path, ready) in PAGES.items():
        visitor.open(f"{path}?lang={language}", ready)
        assert visitor.page.get_attribute("html", "lang") == ("en" if language == PSEUDO else language)
        check(visitor, f"{language}-{size}-{name}")


@pytest.mark.parametrize(("language", "size"), sampled(ALL, GERMAN))
def test_a_turn_at_a_table(visit: Visit, language: str, size: str) -> None:
    visitor = visit(size)
    table = alone(visitor)
    visitor.open(f"/table/{table.id}?lang={language}", "[data-board]")
    table.caught_up()
    check(visitor, f"{language}-{size}-place")
    table.play(table.offer()["places"][0]["action"], "+W@a1", "+W@a1", "W:a1-a2")
    table.caught_up()
    check(visitor, f"{language}-{size}-act")


@pytest.mark.parametrize(("language", "size"), sampled(ALL, STRANGE))
def test_auction_scoring_and_end(visit: Visit, finished: str, language: str, size: str) -> None:
    visitor = visit(size)
    visitor.settings(coach=True)
    visitor.become("Ada")
    bidding = visitor.new_table("me", "person:Ben", "person:Cleo", options={"auction": "true"})
    visitor.open(f"/table/{bidding}?lang={language}", "[data-board][data-phase=bid]")
    check(visitor, f"{language}-{size}-bid")
    table = practise(visitor, "me", "bot:tourist", opening=BEFORE)
    visitor.open(f"/table/{table.id}?lang={language}", "[data-coach] .said p")
    table.wait_for_turn()
    check(visitor, f"{language}-{size}-coach")
    ask_about(table, "[data-deck]")
    check(visitor, f"{language}-{size}-card")
    visitor.page.keyboard.press("Escape")
    table.play(".")
    table.caught_up()
    check(visitor, f"{language}-{size}-scoring")
    visitor.open(f"/table/{finished}?lang={language}", "[data-finale], [data-board][data-phase=over]")
    check(visitor, f"{language}-{size}-end")
    visitor.open(f"/replay/{finished}?at=60&lang={language}", "[data-board]")
    check(visitor, f"{language}-{size}-replay")


def ask_about(table: Table, what: str) -> None:
    """Open the card of a thing by the keyboard."""
    table.page.locator(what).first.focus()
    table.page.keyboard.press("?")
    table.page.wait_for_selector("[data-card]")


@pytest.mark.parametrize("language", sampled(languages(), "de"))
def test_the_first_visit_speaks_the_language_of_the_browser(visit: Visit, language: str) -> None:
    visitor = visit("phone", locale=LOCALES[language])
    page = visitor.open("/", "h1")
    assert page.get_attribute("html", "lang") == language
    assert page.get_attribute("html", "dir") == "ltr"
    assert page.locator(f'link[rel=alternate][hreflang="{language}"]').count() == 1


def test_the_server_stores_the_chosen_language(visit: Visit) -> None:
    visitor = visit()
    visitor.become("Ada")
    page = visitor.open("/me", "h1")
    with page.expect_response(lambda answer: answer.url.endswith("/api/me") and answer.request.method == "PATCH"):
        page.locator("header select").select_option("fr")
    assert visitor.ask("GET", "/me")["language"] == "fr"
    page.reload()
    page.wait_for_selector("html[lang=fr] h1")

"""Lessons in a browser: using the controls that the page marks with `data-next` finishes every one of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.e2e.visitor import ROOT, Visit, Visitor
from tests.kit.amounts import sampled

pytestmark = pytest.mark.slow

LESSONS = sorted(path.stem for path in Path(ROOT, "web", "src", "learn", "lessons").glob("*.json"))
# What has changed since the last control: the step, the marked control, or the end of the lesson.
CHANGED = """(before) => {
  const root = document.querySelector('[data-lesson]');
  const next = root.querySelector('[data-next]');
  const now = [root.dataset.step, root.querySelector('[data-board]')?.dataset.seq].join();
  return 'lessonDone' in root.dataset || (next && (next !== window.used || now !== before));
}"""


def begin(visitor: Visitor, lesson: str) -> None:
    visitor.open(f"/learn/{lesson}", f'[data-lesson="{lesson}"] [data-next]')


def is_done(visitor: Visitor) -> bool:
    return visitor.page.locator("[data-lesson-done]").count() == 1


def finish(visitor: Visitor, by_keyboard: bool = False) -> list[str]:
    """Uses the marked control again and again; returns the steps that were seen."""
    page = visitor.page
    seen: list[str] = []
    for _ in range(120):
        if is_done(visitor):
            return seen
        step = str(page.get_attribute("[data-lesson]", "data-step"))
        seen.append(step)
        before = f"{step},{page.get_attribute('[data-board]', 'data-seq') or ''}"
        page.evaluate("() => { window.used = document.querySelector('[data-next]'); }")
        if by_keyboard:
            page.keyboard.press("n")
            page.keyboard.press("Enter")
        else:
            page.locator("[data-next]").click()
        page.wait_for_function(CHANGED, arg=before)
    raise AssertionError(f"the lesson does not end: {seen[-10:]}")


CLICKS = ("guards", "leaps")  # questions and secrets; the keyboard has the rest
KEYBOARD = ("auction", "explore", "treasures")  # together they have every kind of control


@pytest.mark.parametrize("lesson", sampled(LESSONS, *CLICKS))
def test_using_the_marked_controls_finishes_every_lesson(visitor: Visitor, lesson: str) -> None:
    begin(visitor, lesson)
    steps = json.loads(Path(ROOT, "web", "src", "learn", "lessons", f"{lesson}.json").read_text("utf-8"))["steps"]
    seen = finish(visitor)
    assert list(dict.fromkeys(seen)) == [step["key"] for step in steps]
    visitor.check_axe()
    expect(visitor.page.get_by_text("you", exact=True)).to_have_count(0)  # every seat is played here
    assert visitor.ask("GET", "/me/tables")["tables"] == []


@pytest.mark.parametrize("lesson", sampled(LESSONS, *KEYBOARD))
def test_a_lesson_by_keyboard_alone(visitor: Visitor, lesson: str) -> None:
    begin(visitor, lesson)
    finish(visitor, by_keyboard=True)


@pytest.mark.parametrize("lesson", sampled(["explore", "camps"], "camps"))
def test_a_lesson_on_a_phone(visit: Visit, lesson: str) -> None:
    visitor = visit("phone")
    begin(visitor, lesson)
    visitor.shot(f"lesson-{lesson}-phone")
    finish(visitor)


def test_wrong_actions_are_explained_and_not_played(visitor: Visitor) -> None:
    begin(visitor, "walk")
    page = visitor.page
    seq = page.get_attribute("[data-board]", "data-seq")
    page.locator("[data-next]").click()
    page.click('button[data-action="+W@a1"]')
    expect(page.get_by_role("status").filter(has_text="The leader goes first")).to_be_visible()
    assert page.get_attribute("[data-board]", "data-seq") == seq
    page.locator("[data-next]").click()
    page.wait_for_selector('[data-step="way"]')


def test_a_lesson_is_resumed_repeated_and_marked_as_done(visitor: Visitor) -> None:
    begin(visitor, "temples")
    page = visitor.page
    for step in ("one", "two"):
        page.locator("[data-next]").click()
        page.wait_for_selector(f'[data-step="{step}"] [data-next]')
        if step == "one":
            page.locator("[data-next]").click()
            page.wait_for_selector('[data-step="one"] button[data-next]')
    page.reload()
    page.wait_for_selector('[data-step="two"] [data-next]')
    assert page.locator("[data-board]").get_attribute("data-ap") == "8"
    finish(visitor)
    page.goto("/learn")
    expect(page.locator('a[href="/learn/temples"]')).to_contain_text("done")
    visitor.check_axe()
    visitor.shot("lessons")
    begin(visitor, "temples")
    page.wait_for_selector('[data-step="strength"]')

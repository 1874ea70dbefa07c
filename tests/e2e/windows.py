"""Windows of all sizes, and whether everything is within them."""

from __future__ import annotations

from playwright.sync_api import Page

LAPTOP, DESKTOP, LARGE, HUGE = (1366, 650), (1440, 900), (1920, 1080), (2560, 1440)
PHONE, SIDEWAYS, TABLET = (390, 844), (844, 390), (820, 1180)
SIZES = (LAPTOP, DESKTOP, LARGE, HUGE, PHONE, SIDEWAYS, TABLET)
# Controls of the dock that are not entirely within the window.
OUT_OF_REACH = """() => [...document.querySelectorAll('.below :is(button, summary, input, select)')]
  .filter((control) => {
  if (!control.checkVisibility()) return false;
  const { left, top, right, bottom } = control.getBoundingClientRect();
  return left < 0 || top < 0 || right > innerWidth + 0.5 || bottom > innerHeight + 0.5;
}).map((control) => control.outerHTML.slice(0, 120))"""


def resize(page: Page, size: tuple[int, int]) -> None:
    """Resizes the window, and waits until the page has followed."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

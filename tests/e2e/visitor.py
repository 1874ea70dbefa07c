"""A visitor with a browser: pages without errors, the API with the same cookies, screenshots, axe."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize

Json = dict[str, Any]
ROOT = Path(__file__).parents[2]
SHOTS = os.environ.get("TIKAL_SHOTS")  # a folder for pictures; without it none are taken
AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
PATIENCE = 60_000  # milliseconds: a machine with other work to do is no reason to fail
SIZES = {"phone": (390, 844), "tablet": (820, 1180), "desktop": (1440, 900)}
# Painting is half of a browser's work. A transparent page is not painted, but laid out, read and clicked as ever.
UNPAINTED = """
window.unpainted = new CSSStyleSheet();
window.unpainted.replaceSync('html { opacity: 0 }');
document.adoptedStyleSheets = [...document.adoptedStyleSheets, window.unpainted];
"""
RUN_AXE = """async ([within, wishes]) => {
  if (window.unpainted) window.unpainted.disabled = true;
  const { violations } = await axe.run(within ?? document, wishes);
  if (window.unpainted) window.unpainted.disabled = false;
  return violations;
}"""
REFUSED = re.compile(r"the server responded with a status of 4\d\d")  # browsers report refusals as errors


def _viewport(size: str) -> ViewportSize:
    width, height = SIZES[size]
    return {"width": width, "height": height}


@dataclass
class Visitor:
    """A separate browser: its own cookies and settings; its errors are collected."""

    base: str
    context: BrowserContext
    page: Page
    size: str = "desktop"
    problems: list[str] = field(default_factory=list)
    deaf: bool = False  # failed requests are expected when the network is cut

    @classmethod
    def arrive(cls, browser: Browser, base: str, size: str = "desktop", **wishes: Any) -> Visitor:
        """Opens a browser window of a size; `wishes` are arguments of Playwright's new_context."""
        touch = {"has_touch": True, "is_mobile": True} if size == "phone" else {}
        chosen: Any = {"reduced_motion": "reduce", "locale": "en-GB", "accept_downloads": True, **touch, **wishes}
        context = browser.new_context(base_url=base, viewport=_viewport(size), **chosen)
        context.set_default_timeout(PATIENCE)
        visitor = cls(base, context, context.new_page(), size)
        context.on("page", visitor._watch)
        visitor._watch(visitor.page)
        return visitor

    def unpainted(self) -> Visitor:
        """Paints nothing, unless somebody wants pictures."""
        if not SHOTS:
            self.context.add_init_script(UNPAINTED)
        return self

    def _watch(self, page: Page) -> None:
        page.on("pageerror", lambda error: self.problems.append(f"error: {error}"))
        page.on("console", lambda said: self._heard(said.type, said.text))
        page.on("request", lambda asked: self._asked(asked.url))

    def _heard(self, kind: str, text: str) -> None:
        if kind in ("error", "warning") and not REFUSED.search(text) and not (self.deaf and "net::" in text):
            self.problems.append(f"{kind}: {text}")

    def _asked(self, url: str) -> None:
        if not url.startswith((f"{self.base}/", "data:", "blob:")):
            self.problems.append(f"asked another host: {url}")

    def leave(self) -> None:
        """Closes the browser; it must have had no errors."""
        self.context.close()
        assert not self.problems, "\n".join(self.problems)

    def forget(self) -> None:
        """Becomes somebody else: cleans the window, but keeps its caches. There must have been no errors.

        A new window for every test would need a new process, which would have to compile the client again.
        """
        for page in self.context.pages:
            if page is not self.page:
                page.close()
        self.page.goto("/icon.svg")  # not a blank page, which would end the process that has the client compiled
        self.page.set_viewport_size(_viewport(self.size))
        self.page.emulate_media(color_scheme="light")
        self.page.mouse.move(0, 0)
        self.context.clear_cookies()
        session = self.context.new_cdp_session(self.page)
        session.send("Storage.clearDataForOrigin", {"origin": self.base, "storageTypes": "all"})
        session.detach()
        problems, self.problems = self.problems, []
        assert not problems, "\n".join(problems)

    # The API, with this browser's cookies

    def ask(self, method: str, path: str, body: Any = None) -> Json:
        """An answer of the server; a refusal fails the test."""
        answer = self.context.request.fetch(
            f"/api{path}",
            method=method,
            data=None if body is None else json.dumps(body),
            headers={"content-type": "application/json", "origin": self.base},
        )
        assert answer.ok, f"{method} {path}: {answer.status} {answer.text()}"
        told: Json = answer.json() if answer.body() else {}
        return told

    def become(self, name: str) -> None:
        """Becomes a guest with a name, before any page is open."""
        self.ask("POST", "/people", {"name": name})

    def make_table(self, *seats: str, **wishes: Any) -> str:
        """A new table with these seats (`me`, `bot:LEVEL`, `person:NAME`, `open`); its game has not begun."""
        return str(self.ask("POST", "/tables", {"seats": list(seats), **wishes})["id"])

    def new_table(self, *seats: str, **wishes: Any) -> str:
        """The same, started if no other person must join."""
        made = self.make_table(*seats, **wishes)
        if "open" not in seats:
            self.ask("POST", f"/tables/{made}/start")
        return made

    # The page

    def open(self, path: str, ready: str) -> Page:
        """Opens a page and waits for an element that shows it is ready."""
        self.page.goto(path)
        self.page.wait_for_selector(ready)
        return self.page

    def settings(self, **chosen: Any) -> None:
        """Chooses settings, before any page is open."""
        self.page.goto("/icon.svg")
        self.page.evaluate("(chosen) => { localStorage['tikal.settings'] = JSON.stringify(chosen); }", chosen)

    def shot(self, name: str) -> None:
        """Takes a picture for people to look at, if TIKAL_SHOTS says where to put it."""
        if SHOTS:
            self.page.screenshot(path=Path(SHOTS, f"{name}.png"), animations="disabled")

    def check_axe(self, rule: str | None = None, within: str | None = None, colours: bool = True) -> None:
        """Checks that axe-core finds no violation on the current page, of any rule or of this one.

        A whole table takes two seconds, half of them for the contrast of colours. So tests of one thing look only
        `within` that thing, and tests of languages, which don't change colours, leave out `colours`.
        """
        if not self.page.evaluate("'axe' in window"):
            self.page.evaluate(AXE.read_text("utf-8"))
        rules: Json = {"runOnly": [rule]} if rule else {"rules": {"color-contrast": {"enabled": colours}}}
        found = self.page.evaluate(RUN_AXE, [within, {"resultTypes": ["violations"], **rules}])
        told = [
            f"{one['id']}: {one['help']}: {node['html'][:200]} {node.get('failureSummary', '')}"
            for one in found
            for node in one["nodes"]
        ]
        assert not told, "\n".join(told)


Visit = Callable[..., Visitor]

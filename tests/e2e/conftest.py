"""A real server, a real browser, and people who use both. One server and one browser at a time per worker."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.running import browsing, serving
from tests.e2e.visitor import PATIENCE, Visit, Visitor
from tests.e2e.wire import Wire

expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="session")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server."""
    with serving(tmp_path_factory.mktemp("server")) as address:
        yield address


# Not for the whole session: while Playwright runs, no other test of this process could run an event loop.
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """The browser that all people share; each has a profile of their own."""
    with browsing() as started:
        yield started


@pytest.fixture(scope="package")
def windows(browser: Browser) -> list[Visitor]:
    """Windows of earlier tests, like new."""
    return []


@pytest.fixture
def visit(request: pytest.FixtureRequest, browser: Browser, windows: list[Visitor], base: str) -> Iterator[Visit]:
    """Opens browsers for several people. When the test ends, none of them may have had an error.

    They get windows that earlier tests have used, unless they need other settings or an unused window (`fresh`).
    """
    lent: list[Visitor] = []
    own: list[Visitor] = []

    def arrive(size: str = "desktop", at: str = base, fresh: bool = False, **wishes: Any) -> Visitor:
        if fresh or wishes or at != base:
            own.append(Visitor.arrive(browser, at, size, **wishes).unpainted())
            return own[-1]
        found = next((visitor for visitor in windows if visitor.size == size), None)
        if found:
            windows.remove(found)
        lent.append(found or Visitor.arrive(browser, base, size).unpainted())
        return lent[-1]

    failed = request.session.testsfailed
    yield arrive
    for visitor in own:
        visitor.leave()
    for visitor in lent:
        if request.session.testsfailed > failed:  # the window may be in any state
            visitor.leave()
        else:
            visitor.forget()
            windows.append(visitor)


@pytest.fixture
def wire(base: str) -> Iterator[Wire]:
    """A wire to the server that can be cut."""
    wire = Wire(base)
    yield wire
    wire.close()


@pytest.fixture
def visitor(visit: Visit) -> Visitor:
    """One person at a desktop."""
    return visit()


@pytest.fixture(scope="session")
def games() -> dict[str, str]:
    """Games that are played once for all tests of a worker: a name, and the table."""
    return {}


@pytest.fixture
def finished(visit: Visit, games: dict[str, str]) -> str:
    """A table where a game of two bots is over; the same for all tests of a worker."""
    if "finished" not in games:
        owner = visit()
        owner.become("Zoe")
        games["finished"] = owner.new_table("bot:tourist", "bot:tourist")
        while owner.ask("GET", f"/tables/{games['finished']}")["info"]["state"] != "over":
            owner.page.wait_for_timeout(200)
    return games["finished"]

"""A real server, a real browser, and people who use both. One server and one browser at a time per worker."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.running import browsing, serving
from tests.e2e.visitor import PATIENCE, Visit, Visitor
from tests.e2e.wire import Wire

expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the server keeps its games."""
    return tmp_path_factory.mktemp("server")


@pytest.fixture(scope="session")
def base(folder: Path) -> Iterator[str]:
    """The address of a server."""
    with serving(folder) as address:
        yield address


# Not for the whole session: while Playwright runs, no other test of this process could run an event loop.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """The browser that all people of a module share; each has a profile of their own."""
    with browsing() as started:
        yield started


@pytest.fixture
def visit(browser: Browser, base: str) -> Iterator[Visit]:
    """Creates browsers for several people; none of them may have had an error in the end."""
    visitors: list[Visitor] = []

    def arrive(size: str = "desktop", at: str = base, **wishes: Any) -> Visitor:
        visitors.append(Visitor.arrive(browser, at, size, **wishes))
        return visitors[-1]

    yield arrive
    for visitor in visitors:
        visitor.leave()


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
        owner.open(f"/table/{games['finished']}", "[data-board][data-phase=over]")
    return games["finished"]

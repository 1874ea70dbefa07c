"""How much JavaScript the page of a table loads: in bytes, which do not depend on the load of the machine."""

from __future__ import annotations

import gzip

import pytest
from playwright.sync_api import Response

from tests.e2e.table import Table
from tests.e2e.visitor import Visit

pytestmark = pytest.mark.slow

MOST = 150_000  # bytes, each file compressed by gzip


def test_a_table_loads_little(visit: Visit) -> None:
    visitor = visit(fresh=True)  # nothing is cached
    scripts: list[Response] = []
    visitor.page.on("response", lambda got: scripts.append(got) if got.url.endswith(".js") else None)
    visitor.become("Ada")
    Table(visitor, visitor.new_table("me", "bot:tourist")).open()
    sizes = {script.url.rpartition("/")[2]: len(gzip.compress(script.body())) for script in scripts}
    assert len(sizes) > 1
    assert sum(sizes.values()) <= MOST, sizes

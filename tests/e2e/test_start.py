"""The start page and the way to a table."""

from __future__ import annotations

import pytest

from tests.e2e.visitor import Visitor

pytestmark = pytest.mark.slow


def test_page(visitor: Visitor) -> None:
    visitor.open("/", "h1")
    visitor.check_axe()
    visitor.shot("start")

"""`tikal` in a test, as in tests/cli."""

from __future__ import annotations

from tests.kit.commands import home, tikal

__all__ = ["home", "tikal"]

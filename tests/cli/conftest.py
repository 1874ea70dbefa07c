"""`tikal` in a test."""

from __future__ import annotations

from tests.kit.commands import home, tikal

__all__ = ["home", "tikal"]

"""Errors of matches."""

from __future__ import annotations

from tikal.rules.errors import TikalError


class ArenaError(TikalError):
    """A match that can't be played or resumed.

    >>> str(ArenaError("usage", "--games 0: must be 1 or more"))
    '--games 0: must be 1 or more'
    """

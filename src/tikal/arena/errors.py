"""What can be wrong with a match."""

from __future__ import annotations

from tikal.rules.errors import TikalError


class ArenaError(TikalError):
    """A match that can't be played or gone on with.

    >>> str(ArenaError("usage", "--games 0: must be 1 or more"))
    '--games 0: must be 1 or more'
    """

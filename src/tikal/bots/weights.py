"""The weights of the evaluation, learned from self-play by `tikal.bots.learn`; the numbers are data in the package."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

PATH = Path(__file__).parent / "data" / "weights.json"


@cache
def stored() -> dict[str, Any]:
    """The stored weights, with what is known of how they were made.

    >>> sorted(stored())
    ['made', 'names', 'spread', 'weights']
    """
    found: dict[str, Any] = json.loads(PATH.read_text("utf-8"))
    return found


def weights(players: int) -> list[float]:
    """The weights for so many players: one row of features for each number of scorings left."""
    return [value for row in stored()["weights"][str(players)] for value in row]


def spread(players: int, scorings: int) -> float:
    """How far a seat's final score lies from the estimate, as a standard deviation, with so many scorings left."""
    row: list[float] = stored()["spread"][str(players)]
    return row[min(scorings, len(row) - 1)]

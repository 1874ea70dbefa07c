"""The weights of the evaluation, tuned by `tikal learn`; the numbers are data in the package."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from tikal.bots.evaluation import STAGES

PATH = Path(__file__).parent / "data" / "weights.json"


@cache
def stored() -> dict[str, Any]:
    """The stored weights, with a note on how they were made.

    >>> sorted(stored())
    ['made', 'names', 'spread', 'weights']
    """
    found: dict[str, Any] = json.loads(PATH.read_text("utf-8"))
    return found


def weights(players: int) -> list[float]:
    """The early weights for a number of players, then the late ones, in the order of `evaluation.WEIGHT_NAMES`."""
    found: dict[str, list[float]] = stored()["weights"][str(players)]
    return [weight for stage in STAGES for weight in found[stage]]


def spread(players: int, scorings: int) -> float:
    """The standard deviation of a seat's final score around the estimate, by the number of scorings left."""
    row: list[float] = stored()["spread"][str(players)]
    return row[min(scorings, len(row) - 1)]

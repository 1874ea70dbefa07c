"""The code that a worker runs: a bot's decision or analysis, from a view alone. It imports nothing of the server."""

from __future__ import annotations

from typing import Any

from tikal.bots.levels import Level


def think(level: str, view: dict[str, Any], seed: int, ms: int) -> list[str]:
    """Returns the actions that a level plays, given only a view.

    >>> from tikal.play import Game
    >>> from tikal.rules.options import Options
    >>> think("digger", Game.new(Options(), seed="42").view(1), 1, 50)[-1]
    '.'
    """
    return Level(level, {"time": str(ms)}).plan(view, seed)


def explain(view: dict[str, Any], ms: int) -> dict[str, Any]:
    """Returns a bot's analysis of a position, given only a view."""
    from tikal.bots.analyse import analyse

    return analyse(view, f"professor:time={ms}")


def answer() -> bool:
    """Nothing but an answer: the worker is there, and has loaded the bots."""
    return True

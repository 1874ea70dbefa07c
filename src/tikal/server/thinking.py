"""What a worker does: a bot's move or its opinion, from a view alone. It loads the bots and nothing of the server."""

from __future__ import annotations

from typing import Any

from tikal.bots.levels import Level

FALLBACK = "tourist"  # needs no time: it can think in our own process


def think(level: str, view: dict[str, Any], seed: int, ms: int) -> list[str]:
    """What a level plays, knowing only a view.

    >>> from tikal.play import Game
    >>> from tikal.rules.options import Options
    >>> think("digger", Game.new(Options(), seed="42").view(1), 1, 50)[-1]
    '.'
    """
    parameters = {} if level == FALLBACK else {"time": str(ms)}
    return Level(level, parameters).plan(view, seed)


def explain(view: dict[str, Any], ms: int) -> dict[str, Any]:
    """A bot explains a position, knowing only a view."""
    from tikal.bots.analyse import analyse

    return analyse(view, f"professor:time={ms}")


def fallback(view: dict[str, Any], seed: int) -> list[str]:
    """A move that needs no time: the simplest level, in our own process."""
    return think(FALLBACK, view, seed, 1)

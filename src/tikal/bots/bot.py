"""Bots, their specs, and their budgets.

A bot gets what its seat may know (a view) and nothing else. A spec names it: a level, an entry point of the group
`tikal.bots`, or `program:COMMAND` for any program that speaks the engine protocol. Parameters follow the name:
`surveyor:width=200`, `professor:nodes=50000`.
"""

from __future__ import annotations

import time
import tomllib
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from tikal.play.view import Json
from tikal.rules.errors import TikalError


class BotError(TikalError):
    """A spec that is wrong (`code` is `option`), or a bot that fails (`code` is `bot`)."""


class Bot(Protocol):
    """A player."""

    name: str

    def plan(self, view: Json, seed: int) -> list[str]:
        """The actions to play now, up to the next decision that depends on something not yet revealed; at least one."""

    def close(self) -> None:
        """Stop everything that the bot has started."""


@dataclass(slots=True)
class Budget:
    """How long a bot may think: a number of nodes (then the seed decides everything), milliseconds, or until `stop`.

    >>> Budget(nodes=10).left(10)
    False
    """

    nodes: int | None = None
    ms: int | None = None
    stop: Callable[[], bool] = field(default=lambda: False)
    started: float = field(default_factory=time.perf_counter)

    def left(self, nodes: int) -> bool:
        """Whether the bot may go on thinking after so many nodes."""
        if self.stop() or (self.nodes is not None and nodes >= self.nodes):
            return False
        return self.ms is None or (time.perf_counter() - self.started) * 1000 < self.ms

    def after(self, nodes: int) -> Budget:
        """The same budget for a counter that begins at so many nodes.

        >>> Budget(nodes=10).after(50).nodes
        60
        """
        return replace(self, nodes=None if self.nodes is None else self.nodes + nodes)


@cache
def table() -> dict[str, dict[str, Any]]:
    """The levels, weakest first, with a sentence and the parameters of each.

    >>> list(table())
    ['tourist', 'digger', 'mason', 'adventurer', 'surveyor', 'professor']
    """
    return tomllib.loads((Path(__file__).parent / "data" / "levels.toml").read_text("utf-8"))


LIMITS = {
    "nodes": (1, 10**9),
    "time": (1, 3_600_000),
    "width": (1, 512),
    "candidates": (1, 64),
    "mood": (0, 1000),
    "whims": (0, 100),
}
"""The parameters of levels, with their least and greatest values."""


def split_spec(spec: str) -> tuple[str, dict[str, str]]:
    """The name in a spec, and its parameters as strings.

    >>> split_spec("surveyor:width=200,nodes=5")
    ('surveyor', {'width': '200', 'nodes': '5'})
    """
    name, _, rest = spec.partition(":")
    pairs: dict[str, str] = {}
    for word in filter(None, rest.split(",")):
        key, equals, value = word.partition("=")
        if not equals or key in pairs:
            text = f"{spec}: give parameters as key=value,key=value, each once, not {word!r}"
            raise BotError("option", text, "bot_parameters", bot=spec, text=word)
        pairs[key] = value
    return name, pairs


def numbers(spec: str, pairs: Mapping[str, str], allowed: Collection[str]) -> dict[str, int]:
    """The parameters of a level as numbers; unknown names and values out of range are refused.

    >>> numbers("digger", {"nodes": "0"}, ["nodes"])
    Traceback (most recent call last):
    tikal.bots.bot.BotError: digger: nodes=0 must be a number from 1 to 1000000000
    """
    found: dict[str, int] = {}
    for key, value in pairs.items():
        if key not in allowed:
            known = ", ".join(allowed)
            text = f"{spec}: no parameter {key}; there are {known}"
            raise BotError("option", text, "bot_parameter", bot=spec, name=key, known=known)
        least, most = LIMITS[key]
        if not (value.isascii() and value.isdigit() and len(value) < 12 and least <= int(value) <= most):
            text = f"{spec}: {key}={value} must be a number from {least} to {most}"
            raise BotError("option", text, "bot_number", bot=spec, name=key, value=value, least=least, most=most)
        found[key] = int(value)
    if "nodes" in found and "time" in found:
        raise BotError("option", f"{spec}: nodes and time exclude each other; give one of them", "bot_budget", bot=spec)
    return found

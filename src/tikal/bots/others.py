"""Bots of other packages, which register them as entry points of the group `tikal.bots`.

In the package's `pyproject.toml`, for a spec `archaeologist` or `archaeologist:depth=3`:

    [project.entry-points."tikal.bots"]
    archaeologist = "dig_site.bot:Archaeologist"

The entry point is called with the parameters of the spec, a dict of strings, and returns a `tikal.bots.Bot`. It is
imported only when that bot is used, so a broken package harms nothing else.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib.metadata import EntryPoint, entry_points

from tikal.bots.bot import Bot, BotError
from tikal.rules.errors import TikalError

GROUP = "tikal.bots"


def registered() -> dict[str, Callable[[dict[str, str]], Bot]]:
    """The factory of each registered bot, by name.

    >>> "tourist" in registered()  # our own levels need no entry points
    False
    """
    return {point.name: partial(_make, point) for point in sorted(entry_points(group=GROUP), key=lambda p: p.name)}


def _make(point: EntryPoint, parameters: dict[str, str]) -> Bot:
    try:
        bot: Bot = point.load()(parameters)
    except TikalError:
        raise
    except Exception as error:
        whose = f" of {point.dist.name} {point.dist.version}" if point.dist else ""
        why = " ".join(f"{type(error).__name__}: {error}".split())[:200]
        text = f"{point.name}: the bot{whose} ({point.value}) can't be made: {why}"
        raise BotError("bot", text, "bot_make", bot=point.name, code=point.value, why=why) from error
    missing = [part for part in ("plan", "close") if not callable(getattr(bot, part, None))]
    missing += [] if isinstance(getattr(bot, "name", None), str) else ["name"]
    if missing:
        parts = ", ".join(missing)
        text = f"{point.name}: {point.value} does not return a bot; it lacks {parts}"
        raise BotError("bot", text, "bot_lacks", bot=point.name, code=point.value, parts=parts)
    return bot

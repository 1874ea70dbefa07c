"""Bots of other packages: whatever they register by an entry point of the group `tikal.bots`.

In the package's `pyproject.toml`, for a spec `archaeologist` or `archaeologist:depth=3`:

    [project.entry-points."tikal.bots"]
    archaeologist = "dig_site.bot:Archaeologist"

What it names is called with the parameters of the spec as a dict of texts, and gives a `tikal.bots.Bot`. It is
imported only when it is asked for: one that is broken harms nobody else.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib.metadata import EntryPoint, entry_points

from tikal.bots.bot import Bot, BotError
from tikal.rules.errors import TikalError

GROUP = "tikal.bots"


def registered() -> dict[str, Callable[[dict[str, str]], Bot]]:
    """What makes each registered bot, by name.

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
        raise BotError("bot", f"{point.name}: the bot{whose} ({point.value}) can't be made: {why}") from error
    missing = [part for part in ("plan", "close") if not callable(getattr(bot, part, None))]
    missing += [] if isinstance(getattr(bot, "name", None), str) else ["name"]
    if missing:
        raise BotError("bot", f"{point.name}: what {point.value} makes is no bot; it lacks {', '.join(missing)}")
    return bot

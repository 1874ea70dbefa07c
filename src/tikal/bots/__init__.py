"""Computer opponents: our levels, from weak to strong, and bots of other packages and programs.

>>> from tikal.play import Game
>>> from tikal.rules.options import Options
>>> game = Game.new(Options(players=2), seed="42")
>>> bot = make("digger")
>>> game.play(*bot.plan(game.view(game.seat), seed=1))
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING
from zlib import crc32

from tikal.bots.bot import Bot, BotError, split_spec, table

if TYPE_CHECKING:
    from tikal.play.position import Position

__all__ = ["LEVELS", "USUAL", "Bot", "BotError", "best", "given_name", "make"]

LEVELS: tuple[str, ...] = tuple(table())
USUAL: str = next(name for name, row in table().items() if row.get("usual"))
"""The default level."""


def given_name(level: str, key: str, seat: int) -> str:
    """What a bot is called at a seat: always the same for a key, and different on every seat.

    >>> given_name("digger", "ann", 2) == given_name("digger", "ann", 2)
    True
    >>> len({given_name("digger", "ann", seat) for seat in (1, 2, 3, 4)})
    4
    """
    names: list[str] = table()[level]["names"]
    return names[(crc32(key.encode()) + seat) % len(names)]


def make(spec: str) -> Bot:
    """The bot that a spec names: `surveyor`, `professor:nodes=50000`, an entry point's name, `program:COMMAND`.

    >>> make("guide")
    Traceback (most recent call last):
    tikal.bots.bot.BotError: guide: no such bot; there are tourist, digger, mason, ..., professor and program:COMMAND
    """
    if spec.startswith("program:"):
        from tikal.bots.program import Program

        return Program(spec.removeprefix("program:"))
    name, parameters = split_spec(spec)
    if name in LEVELS:
        from tikal.bots.levels import Level

        return Level(name, parameters)
    from tikal.bots.others import registered

    others = registered()
    if name in others:
        return others[name](parameters)
    known = ", ".join([*LEVELS, *others])
    text = f"{name}: no such bot; there are {known} and program:COMMAND"
    raise BotError("option", text, "bot_unknown", bot=name, known=f"{known}, program:COMMAND")


def best(here: Position, settings: Mapping[str, str]) -> list[str]:
    """What a level would play in a position: the protocol's `best level=NAME [time=MS or nodes=N] [seed=INT]`."""
    from tikal.bots.levels import Level
    from tikal.play import notation
    from tikal.rules.codes import FINISHED

    rest = dict(settings)
    name = rest.pop("level", "")
    if name not in LEVELS:
        raise BotError("option", f"level={name}: must be one of {', '.join(LEVELS)}")
    seed = rest.pop("seed", "0")
    if not seed.removeprefix("-").isdigit() or len(seed) > 20 or not seed.isascii():
        raise BotError("option", f"seed={seed[:30]}: must be a whole number")
    unknown = sorted(set(rest) - {"time", "nodes"})
    if unknown:
        raise BotError("option", f"{unknown[0]}: no such setting; there are level, time, nodes, seed")
    if here.state.phase == FINISHED:
        raise BotError("usage", "the game is over; there is nothing to play")
    return [notation.text(action) for action in Level(name, rest).actions(here.state, int(seed))]

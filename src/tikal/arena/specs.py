"""Splits a list of players, each a spec string `LEVEL[:key=value[,key=value…]]`.

Commas separate players, and also the parameters of one player. A part with `=` and without `:` before it is a
parameter of the previous player.
"""

from __future__ import annotations

from tikal.arena.errors import ArenaError


def split_players(text: str) -> list[str]:
    """The players of a list.

    >>> split_players("professor:nodes=1000,width=20,digger")
    ['professor:nodes=1000,width=20', 'digger']
    >>> split_players("program:engine --depth=3,digger")
    ['program:engine --depth=3', 'digger']
    """
    found: list[str] = []
    for part in text.split(","):
        if not part.strip():
            raise ArenaError("usage", f"players {text}: a name is missing beside a comma")
        if "=" not in part or ":" in part.split("=")[0]:
            found.append(part.strip())
        elif found:
            found[-1] += "," + part.strip()
        else:
            raise ArenaError("usage", f"players {text}: {part} is a parameter without a player before it")
    return found


def short(name: str, longest: int) -> str:
    """A name shortened in the middle to fit.

    >>> short("program:engines/gold/engine --deep", 20)
    'program:en…ne --deep'
    """
    if len(name) <= longest:
        return name
    return name[: longest // 2] + "…" + name[len(name) - (longest - 1) // 2 :]

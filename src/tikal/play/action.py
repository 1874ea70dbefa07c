"""`Action`: an action with its parts, parsed once from its text or from the core's integer.

>>> action = Action.parse("L:a1-b2")
>>> action.kind, action.member, action.hexes
('move', 'L', ('a1', 'b2'))
>>> Action.of(action.code).text
'L:a1-b2'
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from tikal.play import notation
from tikal.rules import codes
from tikal.rules.codes import fields_of, kind_of
from tikal.rules.core import State
from tikal.rules.tables import HEX_NAMES, TILES, VOLCANOES

KINDS = (
    "place", "enter", "move", "camp_move", "excavate", "dig", "exchange", "camp", "guard", "end", "bid", "pass", "take",
    "obstacle", "gun", "shoot", "score_volcano", "skip_volcano", "leap",
)  # fmt: skip
"""What an action does; the browser client has the same names."""
BARRIERS = ("end", "bid", "pass", "dig", "score_volcano", "skip_volcano", "leap")


@dataclass(frozen=True, slots=True)
class Action:
    """An action and its parts; parts that do not apply to its kind are empty, None or 0."""

    kind: str
    text: str
    code: int  # the core's integer
    hexes: tuple[str, ...] = ()  # in the order of the text
    member: str = ""  # W or L
    tile: str = ""
    rotation: int = 0
    seat: int | None = None  # the other seat of an exchange or a shot
    give: int | None = None  # kinds of treasures
    take: int | None = None
    number: int = 0  # points bid, or tokens chosen; a pass is 0

    @classmethod
    def parse(cls, text: str) -> Action:
        """The action that a text describes; raises `NotationError` if it is not an action.

        >>> Action.parse("B:5").number, Action.parse("B:-").kind
        (5, 'pass')
        """
        return cls.of(notation.parse(text))

    @classmethod
    def of(cls, code: int) -> Action:
        """The action for an integer of the core."""
        return _made(code)

    def cost(self, state: State) -> int:
        """The cost of the action in AP in this state.

        >>> from tikal.play import Game
        >>> from tikal.rules.options import Options
        >>> Action.parse("W:a1-a2").cost(Game.new(Options(), seed=1).state)
        2
        """
        return state.price(self.code)

    def is_barrier(self, state: State) -> bool:
        """Whether the action reveals something or passes the turn. It then can't be taken back, and plans stop there.

        Barriers are `.`, bids, `V:`, `J:`, digs, levels where boulders roll, and taking a volcano.

        >>> from tikal.play import Game
        >>> from tikal.rules.options import Options
        >>> state = Game.new(Options(), seed=1).state
        >>> Action.parse("D@b3").is_barrier(state), Action.parse("X@a2").is_barrier(state)
        (True, False)
        """
        if self.kind == "excavate":
            return bool(getattr(state, "boulders", False))
        return self.kind in BARRIERS or (self.kind == "take" and self.tile in VOLCANOES)


@lru_cache(1 << 13)  # about 2,500 actions occur in games
def _made(code: int) -> Action:
    name, parts = _PARTS[kind_of(code)](*fields_of(code))
    return Action(name, notation.text(code), code, **parts)


_Parts = tuple[str, dict[str, Any]]


def _on_hex(name: str) -> Callable[[int, int, int], _Parts]:
    return lambda p, _q, _r: (name, {"hexes": (HEX_NAMES[p],)})


def _by_member(name: str) -> Callable[[int, int, int], _Parts]:
    return lambda p, _q, r: (name, {"hexes": (HEX_NAMES[p],), "member": notation.MEMBERS[r]})


def _walk(name: str) -> Callable[[int, int, int], _Parts]:
    return lambda p, q, r: (name, {"hexes": (HEX_NAMES[p], HEX_NAMES[q]), "member": notation.MEMBERS[r]})


_PARTS: dict[int, Callable[[int, int, int], _Parts]] = {
    codes.END: lambda _p, _q, _r: ("end", {}),
    codes.PLACE: lambda p, q, r: ("place", {"hexes": (HEX_NAMES[p],), "tile": TILES[r].name, "rotation": q}),
    codes.ENTER: _by_member("enter"),
    codes.MOVE: _walk("move"),
    codes.CAMP_MOVE: _walk("camp_move"),
    codes.EXCAVATE: _on_hex("excavate"),
    codes.DIG: _on_hex("dig"),
    codes.EXCHANGE: lambda p, q, r: ("exchange", {"seat": p + 1, "give": q + 1, "take": r + 1}),
    codes.CAMP: _on_hex("camp"),
    codes.GUARD: _by_member("guard"),
    codes.BID: lambda p, _q, _r: ("bid", {"number": p}) if p else ("pass", {}),
    codes.TAKE: lambda p, _q, _r: ("take", {"tile": TILES[p].name}),
    codes.OBSTACLE: lambda p, q, _r: ("obstacle", {"hexes": (HEX_NAMES[p], HEX_NAMES[q])}),
    codes.GUN: _on_hex("gun"),
    codes.SHOOT: lambda p, q, _r: ("shoot", {"hexes": (HEX_NAMES[p],), "seat": q + 1}),
    codes.DECIDE: lambda p, _q, _r: ("score_volcano" if p else "skip_volcano", {}),
    codes.LEAP: lambda p, _q, _r: ("leap", {"number": p}),
}

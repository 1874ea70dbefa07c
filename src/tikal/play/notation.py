"""Actions as text and back.

>>> text(parse("L:a1-b2"))
'L:a1-b2'
>>> parse("a1-b2")
Traceback (most recent call last):
tikal.play.notation.NotationError: a1-b2: no action is written like that (for example: A5@b3^0 +W@a1 L:a1-b2 X@a2 B:5 .)
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from tikal.rules import codes
from tikal.rules.codes import fields_of, kind_of, pack
from tikal.rules.errors import TikalError
from tikal.rules.tables import HEX_INDEX, HEX_NAMES, TILE_INDEX, TILES

MEMBERS = "WL"
EXAMPLES = "A5@b3^0 +W@a1 L:a1-b2 X@a2 B:5 ."


class NotationError(TikalError):
    """A text that is not an action."""


_HEX = "([a-h][1-5])"
_TILE = "([A-G][1-6])"
_SEAT = "([1-4])"
_KIND = "([1-8])"


def _hex(name: str) -> int:
    return HEX_INDEX[name]


def _tile(name: str) -> int:
    return TILE_INDEX[name]


def _digit(text: str) -> int:
    return int(text) - 1


_member = MEMBERS.index

# Each form: its kind, its pattern, and how each group becomes a field.
_FORMS: tuple[tuple[int, str, tuple[tuple[str, Callable[[str], int]], ...]], ...] = (
    (codes.PLACE, rf"{_TILE}@{_HEX}\^([0-5])", (("r", _tile), ("p", _hex), ("q", int))),
    (codes.ENTER, rf"\+([WL])@{_HEX}", (("r", _member), ("p", _hex))),
    (codes.MOVE, rf"([WL]):{_HEX}-{_HEX}", (("r", _member), ("p", _hex), ("q", _hex))),
    (codes.CAMP_MOVE, rf"([WL]):{_HEX}={_HEX}", (("r", _member), ("p", _hex), ("q", _hex))),
    (codes.EXCAVATE, rf"X@{_HEX}", (("p", _hex),)),
    (codes.DIG, rf"D@{_HEX}", (("p", _hex),)),
    (codes.EXCHANGE, rf"S:{_SEAT}:{_KIND}/{_KIND}", (("p", _digit), ("q", _digit), ("r", _digit))),
    (codes.CAMP, rf"C@{_HEX}", (("p", _hex),)),
    (codes.GUARD, rf"G([WL])@{_HEX}", (("r", _member), ("p", _hex))),
    (codes.END, r"\.", ()),
    (codes.BID, r"B:-", ()),
    (codes.BID, r"B:([1-9][0-9]{0,8})", (("p", int),)),
    (codes.TAKE, rf"K:{_TILE}", (("p", _tile),)),
    (codes.OBSTACLE, rf"O:{_HEX}-{_HEX}", (("p", _hex), ("q", _hex))),
    (codes.GUN, rf"M@{_HEX}", (("p", _hex),)),
    (codes.SHOOT, rf"R:{_SEAT}@{_HEX}", (("q", _digit), ("p", _hex))),
    (codes.DECIDE, r"V:([+-])", (("p", "-+".index),)),
    (codes.LEAP, r"J:([0-5])", (("p", int),)),
)
_PATTERNS = tuple((kind, re.compile(pattern), fields) for kind, pattern, fields in _FORMS)
_BRACKET = re.compile(rf"(?P<action>[XD]@{_HEX})\((?P<value>[1-9][0-9]?)\)")
_GONE = re.compile(rf"{_TILE}@-")
_HEX_IN_CAPITALS = re.compile(r"(?<=[@:=-])[A-H][1-5]")


@lru_cache(1 << 13)  # about 2,500 actions occur in games
def parse(action: str) -> int:
    """The action that a text describes; it need not be legal."""
    for kind, pattern, fields in _PATTERNS:
        found = pattern.fullmatch(action)
        if found:
            try:
                return pack(
                    kind,
                    **{name: read(part) for (name, read), part in zip(fields, found.groups(), strict=True)},
                )
            except KeyError:
                break  # G6, for example, looks like a tile but does not exist
    shown = action if len(action) <= 40 else action[:40] + "…"
    message = f"{shown}: no action is written like that (for example: {EXAMPLES})"
    raise NotationError("illegal", message, "not_an_action", text=shown, examples=EXAMPLES)


def split(action: str) -> tuple[str, int | None]:
    """An action without the chance value in brackets, and that value if there is one.

    >>> split("D@b3(3)"), split(".")
    (('D@b3', 3), ('.', None))
    """
    found = _BRACKET.fullmatch(action)
    return (found["action"], int(found["value"])) if found else (action, None)


def gone_text(tile: str) -> str:
    """How a record writes a tile that left the game.

    >>> gone_text("A5")
    'A5@-'
    """
    return f"{tile}@-"


def gone_tile(text: str) -> str | None:
    """The tile that left the game, if that is what the text says.

    >>> gone_tile("A5@-"), gone_tile("A5@b3^0")
    ('A5', None)
    """
    found = _GONE.fullmatch(text)
    return found[1] if found and found[1] in TILE_INDEX else None


def spelled(action: str) -> str:
    """An action with its upper and lower case corrected; a text that is not an action is returned unchanged.

    >>> spelled("w:a1-B2"), spelled("a5@b3^2"), spelled("k:a5"), spelled("hello")
    ('W:a1-b2', 'A5@b3^2', 'K:A5', 'hello')
    """
    capitals = action.upper()
    for candidate in (_HEX_IN_CAPITALS.sub(lambda found: found[0].lower(), capitals), capitals):
        try:
            parse(split(candidate)[0])
        except NotationError:
            continue
        return candidate
    return action


@lru_cache(1 << 13)
def text(action: int) -> str:
    """The text of an action."""
    return _WRITERS[kind_of(action)](*fields_of(action))


_WRITERS: dict[int, Callable[[int, int, int], str]] = {
    codes.PLACE: lambda p, q, r: f"{TILES[r].name}@{HEX_NAMES[p]}^{q}",
    codes.ENTER: lambda p, _q, r: f"+{MEMBERS[r]}@{HEX_NAMES[p]}",
    codes.MOVE: lambda p, q, r: f"{MEMBERS[r]}:{HEX_NAMES[p]}-{HEX_NAMES[q]}",
    codes.CAMP_MOVE: lambda p, q, r: f"{MEMBERS[r]}:{HEX_NAMES[p]}={HEX_NAMES[q]}",
    codes.EXCAVATE: lambda p, _q, _r: f"X@{HEX_NAMES[p]}",
    codes.DIG: lambda p, _q, _r: f"D@{HEX_NAMES[p]}",
    codes.EXCHANGE: lambda p, q, r: f"S:{p + 1}:{q + 1}/{r + 1}",
    codes.CAMP: lambda p, _q, _r: f"C@{HEX_NAMES[p]}",
    codes.GUARD: lambda p, _q, r: f"G{MEMBERS[r]}@{HEX_NAMES[p]}",
    codes.END: lambda _p, _q, _r: ".",
    codes.BID: lambda p, _q, _r: f"B:{p or '-'}",
    codes.TAKE: lambda p, _q, _r: f"K:{TILES[p].name}",
    codes.OBSTACLE: lambda p, q, _r: f"O:{HEX_NAMES[p]}-{HEX_NAMES[q]}",
    codes.GUN: lambda p, _q, _r: f"M@{HEX_NAMES[p]}",
    codes.SHOOT: lambda p, q, _r: f"R:{q + 1}@{HEX_NAMES[p]}",
    codes.DECIDE: lambda p, _q, _r: f"V:{'-+'[p]}",
    codes.LEAP: lambda p, _q, _r: f"J:{p}",
}

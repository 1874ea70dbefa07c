"""The look of the terminal: the glyphs (Unicode, or plain ASCII) and the colours.

Colour never carries meaning alone: each seat also has its number, and each terrain its own glyph.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Glyphs:
    """The characters of a drawing, each one cell wide.

    >>> UNICODE.temple, ASCII.temple
    ('▲', '^')
    """

    rising: str
    falling: str
    flat: str
    stone: str
    temple: str
    treasure: str
    dug_out: str
    jungle: str
    volcano: str
    base: str
    lake: str
    camp: str
    guard: str
    gun: str
    leader: str
    times: str
    worked: str
    obstacle: str
    bead: str
    spent: str
    turn: str
    target: str
    pips: str
    none: str

    def terrain(self, name: str) -> str:
        """The glyph of a terrain; a space for an empty hex."""
        return {
            "temple": self.temple,
            "treasure": self.treasure,
            "jungle": self.jungle,
            "volcano": self.volcano,
            "base": self.base,
            "lake": self.lake,
        }.get(name, " ")


UNICODE = Glyphs(
    rising="╱",
    falling="╲",
    flat="▁",
    stone="•",
    temple="▲",
    treasure="◆",
    dug_out="◇",
    jungle="♣",
    volcano="▼",
    base="⌂",
    lake="≈",
    camp="⌂",
    guard="♜",
    gun="¤",
    leader="★",
    times="×",
    worked="✓",
    obstacle="╳",
    bead="●",
    spent="○",
    turn="▶",
    target="+",
    pips="¹²³",
    none="·",
)

ASCII = Glyphs(
    rising="/",
    falling="\\",
    flat="_",
    stone="o",
    temple="^",
    treasure="$",
    dug_out="-",
    jungle="&",
    volcano="V",
    base="#",
    lake="~",
    camp="C",
    guard="G",
    gun="M",
    leader="L",
    times="x",
    worked="'",
    obstacle="#",
    bead="*",
    spent=".",
    turn=">",
    target="+",
    pips=".:*",
    none="-",
)

GROUND = "#0c1512"
INK = "#e9e4d4"
FAINT = "#6f8578"
LINE = "#3b4f45"
COST = "bold #ffd75f"
STONE = "bold #fff3d0"
GOLD = "bold #ffe27a"
LEAF = "bold #8fe3a0"
OBSTACLE = "bold #ff8a5c"

PAPER = {
    "empty": "#14241c",
    "off": GROUND,
    "jungle": "#1f5a34",
    "temple": "#5d5142",
    "treasure": "#6b5312",
    "volcano": "#5b1f17",
    "base": "#27506b",
    "lake": "#14506e",
}

# Four hues that colour-blind people can tell apart, each with a readable ink.
_SEATS = (("#d7402b", "#ffffff"), ("#3f8fe0", "#ffffff"), ("#f2c230", "#1a1a1a"), ("#e8e3f2", "#2a1a3a"))


def seat_paper(seat: int) -> str:
    """The background of a seat's pieces, seats from 1."""
    return _SEATS[seat - 1][0]


def seat_ink(seat: int) -> str:
    """The ink that is readable on `seat_paper`."""
    return f"bold {_SEATS[seat - 1][1]}"


def seat_style(seat: int) -> str:
    """Ink and background of a seat's pieces, as one rich style."""
    return f"{seat_ink(seat)} on {seat_paper(seat)}"

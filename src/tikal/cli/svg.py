"""The board as an SVG drawing: jungle, stepped pyramids, path stones, tents and all members.

Seats differ by shape and number as well as by colour. It uses the viewer's fonts and loads nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import cos, radians, sin, sqrt
from typing import Any
from xml.sax.saxutils import escape, quoteattr
from zlib import crc32

from tikal.cli.scene import Group, Place, Scene
from tikal.rules.tables import COLUMNS, HEX_NAMES, NEIGHBOURS, ROWS

SIDE = 64.0
TALL = SIDE * sqrt(3)
MARGIN = 34.0
FOOT = 64.0
WIDTH = (1.5 * (len(COLUMNS) - 1) + 2) * SIDE + 2 * MARGIN
HEIGHT = (ROWS + 0.5) * TALL + 2 * MARGIN + FOOT

SEATS = (("#c8371f", "#ffffff"), ("#2f72c4", "#ffffff"), ("#f0b92b", "#2a1d00"), ("#ece7f5", "#2b1c3d"))
GROUNDS = {
    "empty": ("#1d3a2b", "#16301f"),
    "jungle": ("#3f8f4d", "#2b6d3b"),
    "temple": ("#cdb68a", "#a98f62"),
    "treasure": ("#d9a441", "#a8761f"),
    "volcano": ("#6d4038", "#40201c"),
    "base": ("#7fb0b8", "#4d838f"),
    "lake": ("#4fa3c7", "#2c7aa0"),
}
BOARD, FRAME, EDGE, INK, WALL = "#0f2418", "#6b4f2a", "#0c1c12", "#1e1608", "#6d5a35"


def draw_svg(scene: Scene, names: Sequence[str] = (), scores: Sequence[int] = ()) -> str:
    """The drawing of a scene, with a line of names and scores below it."""
    body = [
        f"<title>{escape('Tikal: the board')}</title>",
        _defs(),
        tag("rect", x=0, y=0, width=WIDTH, height=HEIGHT, rx=22, fill=FRAME),
        tag("rect", x=8, y=8, width=WIDTH - 16, height=HEIGHT - 16, rx=16, fill=BOARD),
    ]
    seen = [(index, place) for index, place in enumerate(scene.places) if place.terrain != "off"]
    body += [_hex(index, place) for index, place in seen]
    body += [_cost(scene, index, side) for index, _ in seen for side in range(3) if scene.costs[index][side]]
    body.append(_legend(names, scores))
    attributes = {
        "xmlns": "http://www.w3.org/2000/svg",
        "viewBox": f"0 0 {WIDTH:.0f} {HEIGHT:.0f}",
        "width": f"{WIDTH:.0f}",
        "height": f"{HEIGHT:.0f}",
        "role": "img",
        "font-family": "Verdana, 'DejaVu Sans', sans-serif",
    }
    return tag("svg", "\n".join(body), attributes) + "\n"


def tag(element: str, inside: str = "", more: Mapping[str, str] | None = None, /, **attributes: Any) -> str:
    """One element; underscores in attribute names become hyphens, numbers are rounded.

    >>> tag("circle", r=2.5, stroke_width=1)
    '<circle r="2.5" stroke-width="1"/>'
    """
    every = {**(more or {}), **{name.replace("_", "-"): value for name, value in attributes.items()}}
    words = [element, *(f"{name}={quoteattr(_plain(value))}" for name, value in every.items())]
    return f"<{' '.join(words)}>{inside}</{element}>" if inside else f"<{' '.join(words)}/>"


def centre(index: int) -> tuple[float, float]:
    """The middle of a hex on the drawing."""
    x, row = divmod(index, ROWS)
    return MARGIN + SIDE + 1.5 * SIDE * x, MARGIN + TALL * (ROWS - row - 0.5 + (x % 2) / 2)


def _plain(value: Any) -> str:
    return f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else str(value)


def _defs() -> str:
    """Gradients of the grounds, and the clip that keeps art inside its hex."""
    gradients = "".join(
        tag(
            "radialGradient",
            tag("stop", offset="0", stop_color=inner) + tag("stop", offset="1", stop_color=outer),
            id=f"ground-{terrain}",
            r="0.75",
        )
        for terrain, (inner, outer) in GROUNDS.items()
    )
    return tag("defs", gradients + tag("clipPath", tag("polygon", points=_outline(SIDE - 2)), id="hex"))


def _outline(side: float) -> str:
    corners = ((side * cos(radians(60 * i)), side * sin(radians(60 * i))) for i in range(6))
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)


def _hex(index: int, place: Place) -> str:
    """One hex with everything on it, drawn around its middle."""
    x, y = centre(index)
    art = _ART.get(place.terrain)
    parts = [
        tag("polygon", points=_outline(SIDE - 1), fill=f"url(#ground-{place.terrain})", **lined(EDGE, 2)),
        tag("g", art(place), clip_path="url(#hex)") if art else "",
        *(_stones(side, count) for side, count in enumerate(place.stones) if count),
        _name(place),
        _tent(place.camp, 18, -14, 0.62) if place.camp else "",
        _guard(place) if place.guard else "",
        _members(place.groups),
    ]
    return tag("g", "".join(parts), {"data-hex": place.name}, transform=f"translate({x:.1f} {y:.1f})")


def _name(place: Place) -> str:
    if place.terrain == "empty":
        return text(place.name, x=0, y=4, font_size=15, fill="#47705a")
    if place.terrain in ("jungle", "volcano"):  # light on dark, with a rim against the leaves
        look = {"fill": "#f2ecd6", **lined("#14301c", 3), "stroke_linejoin": "round", "paint_order": "stroke"}
        return text(place.name, x=-20, y=-29, font_size=11, **look)
    return text(place.name, x=-20, y=-29, font_size=11, fill=INK)


def lined(colour: str, width: float) -> dict[str, Any]:
    """The attributes of an outline."""
    return {"stroke": colour, "stroke_width": width}


def text(words: str, **attributes: Any) -> str:
    """A piece of text, centred at x, y by default."""
    return tag("text", escape(words), {"text-anchor": "middle"}, **attributes)


def _stones(side: int, count: int) -> str:
    """Path stones along a side, just inside of it."""
    stones = []
    for i in range(count):
        along = (i - (count - 1) / 2) * 15
        shade = ("#e7e2d6", "#d5cdbb", "#efe9dc")[(i + side) % 3]
        stones.append(
            tag(
                "rect",
                x=along - 6,
                y=8 - TALL / 2,
                width=12,
                height=8,
                rx=3.6,
                fill=shade,
                **lined("#4a4234", 1),
            )
        )
    return tag("g", "".join(stones), transform=f"rotate({60 * side})")


# Positions of trees: mostly along the rim, so that there is room for tents and members.
_RIM = (
    (-42, -4),
    (-30, -24),
    (-12, -34),
    (10, -32),
    (30, -24),
    (44, 0),
    (36, 22),
    (18, 40),
    (-4, 42),
    (-24, 36),
)
_GROVE = (*_RIM, (-38, 18), (-10, -10), (14, -8), (2, 14))


def _jungle(place: Place) -> str:
    """Round trees. Each is a little off its position, by an amount that depends only on the hex's name."""
    trees = []
    for i, spot in enumerate(_GROVE):
        chance = crc32(f"{place.name} {i}".encode())
        x, y, r = spot[0] + chance % 11 - 5, spot[1] + chance // 11 % 11 - 5, 7 + chance // 121 % 5
        shade = tag("circle", cx=x, cy=y + 2, r=r, fill="#1c4c29")
        crown = tag("circle", cx=x - 1.5, cy=y, r=r - 1.5, fill="#4fa75c")
        light = tag("circle", cx=x - 3.5, cy=y - 3, r=r / 3, fill="#7fcb86")
        trees.append((y, shade + crown + light))
    return "".join(tree for _, tree in sorted(trees))


def _temple(place: Place) -> str:
    """A stepped pyramid, one more step for every two levels, with its level on a plate."""
    steps = 3 + place.level // 3
    parts = []
    for i in range(steps):
        width = 70 - 46 * i / (steps - 1)
        y = 12 - 38 / steps * (i + 1)
        fill = ("#efe3c2", "#e0d0a6")[i % 2]
        step = tag("rect", x=-width / 2, y=y, width=width, height=38 / steps, fill=fill, **lined(WALL, 1.4))
        parts.append(step)
    parts.append(tag("rect", x=-5, y=-24, width=10, height=36, fill="#cdb888", **lined(WALL, 1)))
    parts.append(tag("rect", x=-13, y=-19, width=26, height=22, rx=4, fill="#fff8e3", **lined(WALL, 1.6)))
    parts.append(text(str(place.level), x=0, y=-1.5, font_size=18, font_weight="bold", fill=INK))
    return "".join(parts)


def _treasure(place: Place) -> str:
    """A pit with one golden disc for each token that is left."""
    pit = tag("ellipse", cx=0, cy=-8, rx=36, ry=20, fill="#5b3d10", opacity="0.55")
    discs = []
    for i in range(place.tokens):
        x, y = (i - (place.tokens - 1) / 2) * 17, -8 - (i % 2) * 5
        discs.append(tag("circle", cx=x, cy=y, r=9.5, fill="#ffd95a", **lined("#7a5410", 1.6)))
        discs.append(tag("circle", cx=x, cy=y, r=6.2, fill="none", **lined("#b8862a", 1.2)))
        discs.append(tag("polygon", points=_ring(x, y, 4, 4, 0), fill="#2f9e7a", **lined("#7a5410", 0.8)))
    return pit + "".join(discs)


def _volcano(_: Place) -> str:
    cone = tag("polygon", points="-50,36 -14,-22 14,-22 50,36", fill="#2e1714", **lined("#1a0c0a", 2))
    lava = tag("polygon", points="-14,-22 14,-22 11,-12 17,10 5,-2 0,24 -6,-4 -15,8 -11,-12", fill="#ff6a2b")
    puffs = ((0, -34, 8), (9, -41, 7), (-8, -42, 6))
    smoke = [tag("circle", cx=x, cy=y, r=r, fill="#a98d86", opacity=0.7) for x, y, r in puffs]
    return "".join([*smoke, cone, lava])


def _base(_: Place) -> str:
    sheet = tag("polygon", points="-30,12 0,-34 30,12", fill="#f6efdc", **lined("#5b4a2b", 2))
    return sheet + tag("polygon", points="-7,12 0,-14 7,12", fill="#5b4a2b")


def _lake(_: Place) -> str:
    wave = "M-36 {y} q9 -8 18 0 t18 0 t18 0 t18 0"
    waves = (wave.format(y=y) for y in (-16, 0, 16))
    return "".join(tag("path", d=path, fill="none", **lined("#bfe6f5", 2.5)) for path in waves)


_ART = {
    "jungle": _jungle,
    "temple": _temple,
    "treasure": _treasure,
    "volcano": _volcano,
    "base": _base,
    "lake": _lake,
}


def _tent(seat: int, x: float, y: float, scale: float) -> str:
    """A camp: a tent in its owner's colour, with the seat's number."""
    paint, ink = SEATS[seat - 1]
    sheet = tag("polygon", points="-28,18 0,-24 28,18", fill=paint, **lined(INK, 2.5))
    door = tag("polygon", points="-7,18 0,-4 7,18", fill=INK)
    number = text(str(seat), x=-13, y=14, font_size=15, font_weight="bold", fill=ink)
    return tag("g", sheet + door + number, transform=f"translate({x} {y}) scale({scale})")


def _guard(place: Place) -> str:
    """A guard: a banner in the owner's colour on the temple; one with a gun has a sight on it."""
    paint, ink = SEATS[place.guard - 1]
    parts = [
        tag("path", d="M14 4V-46", stroke=INK, stroke_width=2.5),
        tag("polygon", points="15,-46 42,-46 36,-36 42,-26 15,-26", fill=paint, stroke=INK, stroke_width=1.6),
        text(str(place.guard), x=25, y=-31, font_size=14, font_weight="bold", fill=ink),
    ]
    if place.gun:
        parts.append(tag("circle", cx=4, cy=-38, r=7, fill=paint, stroke=INK, stroke_width=1.6))
        parts.append(tag("path", d="M4 -47v7M4 -36v7M-5 -38h7M6 -38h7", stroke=INK, stroke_width=1.6))
    return "".join(parts)


def _members(groups: Sequence[Group]) -> str:
    """A column per seat: the leader above, the workers with their number below."""
    parts = []
    for i, group in enumerate(groups):
        x = (i - (len(groups) - 1) / 2) * 21
        if group.leader:
            parts.append(_piece(group.seat, x, 9 if group.workers else 24, 10.5, "★"))
        if group.workers:
            parts.append(_piece(group.seat, x, 27, 10, str(group.workers)))
    return "".join(parts)


def _piece(seat: int, x: float, y: float, r: float, words: str) -> str:
    """A member in its seat's colour and shape, with a label on it."""
    paint, ink = SEATS[seat - 1]
    # Circle, square, diamond, hexagon: a ring with this many corners, turned by this many degrees.
    reach, corners, turn = ((1.0, 24, 0), (1.3, 4, 45), (1.22, 4, 0), (1.1, 6, 30))[seat - 1]
    shape = tag("polygon", points=_ring(x, y, r * reach, corners, turn), fill=paint, **lined(INK, 1.6))
    return shape + text(words, x=x, y=y + 4.2, font_size=11.5, font_weight="bold", fill=ink)


def _ring(x: float, y: float, r: float, count: int, turn: float) -> str:
    angles = (radians(turn + 360 * i / count) for i in range(count))
    return " ".join(f"{x + r * cos(angle):.1f},{y + r * sin(angle):.1f}" for angle in angles)


def _cost(scene: Scene, index: int, side: int) -> str:
    """The cost of a step across a side, on the border; an obstacle makes it red."""
    x, y = centre(index)
    angle = radians(60 * side - 90)
    mx, my = x + TALL / 2 * cos(angle), y + TALL / 2 * sin(angle)
    other = NEIGHBOURS[index][side]
    obstacle = (min(index, other), max(index, other)) in scene.obstacles
    plate = tag("circle", cx=mx, cy=my, r=8.5, fill="#b3261e" if obstacle else INK, **lined("#f3d27a", 1.2))
    cost = str(scene.costs[index][side])
    number = text(cost, x=mx, y=my + 4, font_size=11.5, font_weight="bold", fill="#fff2c9")
    return tag("g", plate + number, {"data-passage": "-".join(sorted((HEX_NAMES[index], HEX_NAMES[other])))})


def _legend(names: Sequence[str], scores: Sequence[int]) -> str:
    """Seats with their shapes, names and scores."""
    step = (WIDTH - 2 * MARGIN) / max(len(names), 1)
    parts = []
    for i, (name, score) in enumerate(zip(names, scores, strict=True)):
        x, y = MARGIN + 16 + i * step, HEIGHT - MARGIN - 8
        parts.append(_piece(i + 1, x, y, 13, str(i + 1)))
        words = tag("tspan", escape(name)) + tag("tspan", str(score), {"font-weight": "bold"}, dx=10)
        parts.append(tag("text", words, x=x + 22, y=y + 6, font_size=18, fill="#f3ead2"))
    return "".join(parts)

"""The board as text: flat-topped hexes in two sizes, with stones, costs and everybody on it.

On the border of two hexes stands what a step across costs. In the full size the stones of a tile lie along
its sides; the compact size (for 80 columns) shows only those that look at a hex not yet explored, as a glyph
on the border.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from rich.text import Text

from tikal.cli import theme
from tikal.cli.canvas import Canvas
from tikal.cli.scene import Group, Place, Scene
from tikal.cli.theme import UNICODE, Glyphs
from tikal.rules.tables import COLUMNS, NEIGHBOURS, ROWS

N, NE, SE, S, SW, NW = range(6)


@dataclass(frozen=True, slots=True)
class Size:
    """How large a hex is drawn: `half` its lines above the middle, `pitch` from one column to the next.

    >>> FULL.width, FULL.height
    (99, 34)
    >>> COMPACT.width, COMPACT.height
    (74, 23)
    """

    half: int
    pitch: int

    @property
    def flat(self) -> int:
        """The length of the flat sides."""
        return self.pitch - self.half

    @property
    def width(self) -> int:
        """Columns of the whole board."""
        return len(COLUMNS) * self.pitch + self.half

    @property
    def height(self) -> int:
        """Lines of the whole board."""
        return (2 * ROWS + 1) * self.half + 1

    def corner(self, index: int) -> tuple[int, int]:
        """Where the box of a hex begins: its left column and its first line."""
        x, row = divmod(index, ROWS)
        return x * self.pitch, (ROWS - 1 - row) * 2 * self.half + x % 2 * self.half + 1

    def line(self, i: int) -> tuple[int, int]:
        """Line `i` of a hex: where it starts within the box (after the border) and how long it is."""
        inset = self.half - 1 - i if i < self.half else i - self.half
        return inset + 1, self.flat + 2 * (self.half - 1 - inset)


FULL = Size(half=3, pitch=12)
COMPACT = Size(half=2, pitch=9)


def fitting(columns: int, lines: int) -> Size:
    """The size for a terminal; `lines` is what the board may take.

    >>> fitting(120, 50) is FULL, fitting(80, 24) is COMPACT
    (True, True)
    """
    return FULL if columns >= FULL.width and lines >= FULL.height else COMPACT


def draw_board(scene: Scene, size: Size = FULL, glyphs: Glyphs = UNICODE, targets: Collection[str] = ()) -> Text:
    """The whole board; hexes named in `targets` (where the tile in hand may go) carry a mark."""
    canvas = Canvas(size.width, size.height, theme.LINE, theme.GROUND)
    seen = [index for index, place in enumerate(scene.places) if place.terrain != "off"]
    for index in seen:
        _Pen(canvas, *size.corner(index), size, glyphs).ground(scene.places[index])
    for index in seen:
        pen = _Pen(canvas, *size.corner(index), size, glyphs)
        pen.contents(scene.places[index], scene.places[index].name in targets)
    for index in seen:
        pen = _Pen(canvas, *size.corner(index), size, glyphs)
        for side in (N, NE, SE, S, SW, NW):
            other = NEIGHBOURS[index][side]
            # A passage belongs to two hexes; it is written once, by the one further left or below.
            if scene.costs[index][side]:
                if side in (N, NE, SE):
                    pair = (min(index, other), max(index, other))
                    pen.cost(side, scene.costs[index][side], pair in scene.barred)
            elif size is COMPACT and other >= 0 and scene.places[other].terrain == "empty":
                pen.outlook(side, scene.places[index].stones[side])
    return canvas.text()


def tile_width(size: Size) -> int:
    """Columns of a tile drawn by itself.

    >>> tile_width(FULL), tile_width(COMPACT)
    (15, 11)
    """
    return size.pitch + size.half


def draw_tile(tile: Place, size: Size = FULL, glyphs: Glyphs = UNICODE) -> Text:
    """A tile by itself; in the compact size its stones are glyphs on the border."""
    canvas = Canvas(tile_width(size), 2 * size.half + 1)
    pen = _Pen(canvas, 0, 1, size, glyphs)
    pen.ground(tile)
    pen.contents(tile, False)
    if size is COMPACT:
        for side, stones in enumerate(tile.stones):
            pen.outlook(side, stones)
    return canvas.text()


@dataclass(frozen=True, slots=True)
class _Pen:
    """Draws one hex on the canvas, its box at (x, y)."""

    canvas: Canvas
    x: int
    y: int
    size: Size
    glyphs: Glyphs

    def ground(self, place: Place) -> None:
        """The terrain's colour and the border."""
        half, flat = self.size.half, self.size.flat
        for i in range(2 * half):
            start, length = self.size.line(i)
            self.canvas.fill(self.x + start, self.y + i, length, theme.PAPER[place.terrain])
            slopes = (self.glyphs.rising, self.glyphs.falling)
            left, right = slopes if i < half else slopes[::-1]
            self._write(start - 1, i, left, theme.LINE)
            self._write(start + length, i, right, theme.LINE)
        self._write(half, -1, self.glyphs.flat * flat, theme.LINE)
        below = theme.LINE if place.terrain == "empty" else theme.GROUND
        self._write(half, 2 * half - 1, self.glyphs.flat * flat, below)

    def contents(self, place: Place, target: bool) -> None:
        """What lies and stands on the hex."""
        first, *lines = (1, 2, 3) if self.size is FULL else (0, 1, 2)
        self._spread(first, self._title(place, target))
        chips = [self._chip(group) for group in place.groups]
        for line, row in zip(lines, (chips[:2], chips[2:]), strict=True):
            self._spread(line, [part for chip in row for part in ((" ", ""), chip)][1:])
        if place.terrain == "volcano":
            self._spread(lines[0], [("volcano", theme.INK)])
        if self.size is FULL:
            self._stones(place)

    def cost(self, side: int, cost: int, barred: bool) -> None:
        """What a step over a side costs, with a mark when an obstacle stands there."""
        ink = theme.BARRED if barred else theme.COST
        x, i = self._middle(side)
        if side == N:
            mark = self.glyphs.obstacle if barred else " "
            self._write(x - 1, i, f"{mark}{cost}{mark}", ink, theme.GROUND)
            return
        self._write(x, i, str(cost), ink)
        if barred:
            self._write(x + (-1 if side == NE else 1), i - 1, self.glyphs.obstacle, ink)

    def outlook(self, side: int, stones: int) -> None:
        """Stones on a side that looks at an unexplored hex, as one glyph on the border."""
        if stones:
            x, i = self._middle(side)
            self._write(x, i, self.glyphs.pips[stones - 1], theme.COST)

    def _title(self, place: Place, target: bool) -> list[tuple[str, str]]:
        """The first line of a hex, as texts with styles: name, terrain, level or tokens, camp or guard."""
        faint = place.terrain in ("empty", "lake")
        parts = [(place.name or place.tile, theme.FAINT if faint else theme.INK)]
        if place.terrain == "treasure":
            glyph = self.glyphs.treasure if place.tokens else self.glyphs.dug_out
            parts.append((f"{glyph}{place.tokens}", theme.GOLD))
        elif place.terrain == "temple":
            parts.append((f"{self.glyphs.temple}{place.level}", theme.STONE))
        elif place.terrain == "empty":
            parts += [(self.glyphs.target, theme.COST)] if target else []
        else:
            ink = theme.LEAF if place.terrain == "jungle" else theme.INK
            parts.append((self.glyphs.terrain(place.terrain), ink))
        for seat, glyph in ((place.camp, self.glyphs.camp), (place.guard, self._guard(place))):
            if seat:
                parts.append((f"{glyph}{seat}", theme.seat_style(seat)))
        # Blanks between the pieces as far as there is room, those at the end first.
        room = 7 - sum(len(text) for text, _ in parts)
        spaced = parts[-1:]
        for piece in reversed(parts[:-1]):
            spaced = [piece, (" ", ""), *spaced] if room > 0 else [piece, *spaced]
            room -= 1
        return spaced

    def _guard(self, place: Place) -> str:
        return self.glyphs.gun if place.gun else self.glyphs.guard

    def _chip(self, group: Group) -> tuple[str, str]:
        """The members of a seat: `1★4` leader and 4 workers, `1×4` 4 workers, `1★` the leader alone."""
        glyph = self.glyphs.leader if group.leader else self.glyphs.times
        return f"{group.seat}{glyph}{group.workers or ''}", theme.seat_style(group.seat)

    def _stones(self, place: Place) -> None:
        half = self.size.half
        for side, count in enumerate(place.stones):
            if side in (N, S) and count:
                line = 0 if side == N else 2 * half - 2
                self._spread(line, [(" ".join(self.glyphs.stone * count), theme.COST)])
                continue
            for step in {0: (), 1: (1,), 2: (0, 2), 3: (0, 1, 2)}[count]:
                i = step if side in (NW, NE) else half + step
                start, length = self.size.line(i)
                x = start if side in (NW, SW) else start + length - 1
                self._write(x, i, self.glyphs.stone, theme.COST)

    def _middle(self, side: int) -> tuple[int, int]:
        """The cell in the middle of a side."""
        half, flat = self.size.half, self.size.flat
        if side in (N, S):
            return half + flat // 2, -1 if side == N else 2 * half - 1
        i = half // 2 + (0 if side in (NW, NE) else half)
        start, length = self.size.line(i)
        return (start - 1 if side in (NW, SW) else start + length), i

    def _spread(self, i: int, parts: list[tuple[str, str]]) -> None:
        """Pieces of text, one after the other, in the middle of line `i`."""
        start, length = self.size.line(i)
        x = start + (length - sum(len(text) for text, _ in parts)) // 2
        for text, style in parts:
            ink, _, paper = style.partition(" on ")
            self._write(x, i, text, ink, paper)
            x += len(text)

    def _write(self, x: int, i: int, text: str, ink: str, paper: str = "") -> None:
        self.canvas.write(self.x + x, self.y + i, text, ink, paper)

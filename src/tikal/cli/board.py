"""The board as text: flat-topped hexes in two sizes, with stones, costs and all pieces.

The border between two hexes shows the cost of a step across it. In the full size the stones of a tile are along
its sides; the compact size (for 80 columns) shows only stones that face an unexplored hex, as a glyph
on the border.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from rich.cells import cell_len
from rich.text import Text

from tikal.cli import theme
from tikal.cli.canvas import Canvas
from tikal.cli.language import spoken_word
from tikal.cli.scene import Group, Place, Scene
from tikal.cli.theme import UNICODE, Glyphs
from tikal.rules.tables import COLUMNS, NEIGHBOURS, ROWS

N, NE, SE, S, SW, NW = range(6)


@dataclass(frozen=True, slots=True)
class Size:
    """The size of a drawn hex: `half` its lines above the middle, `pitch` from one column to the next.

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
        """The origin of a hex's box: its left column and its first line."""
        x, row = divmod(index, ROWS)
        return x * self.pitch, (ROWS - 1 - row) * 2 * self.half + x % 2 * self.half + 1

    def line(self, i: int) -> tuple[int, int]:
        """Line `i` of a hex: where it starts within the box (after the border) and how long it is."""
        inset = self.half - 1 - i if i < self.half else i - self.half
        return inset + 1, self.flat + 2 * (self.half - 1 - inset)


FULL = Size(half=3, pitch=12)
COMPACT = Size(half=2, pitch=9)


def fitting(columns: int, lines: int) -> Size:
    """The size for a terminal; the board may take `lines` lines.

    >>> fitting(120, 50) is FULL, fitting(80, 24) is COMPACT
    (True, True)
    """
    return FULL if columns >= FULL.width and lines >= FULL.height else COMPACT


def draw_board(scene: Scene, size: Size = FULL, glyphs: Glyphs = UNICODE, targets: Collection[str] = ()) -> Text:
    """The whole board; hexes in `targets` (legal for the current tile) have a mark."""
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
            # A passage belongs to two hexes; the one further left or below draws it.
            if scene.costs[index][side]:
                if side in (N, NE, SE):
                    pair = (min(index, other), max(index, other))
                    pen.cost(side, scene.costs[index][side], pair in scene.obstacles)
            elif size is COMPACT and other >= 0 and scene.places[other].terrain == "empty":
                pen.outlook(side, scene.places[index].stones[side])
    return canvas.text()


def tile_width(size: Size) -> int:
    """Columns of a single tile.

    >>> tile_width(FULL), tile_width(COMPACT)
    (15, 11)
    """
    return size.pitch + size.half


def draw_tile(tile: Place, size: Size = FULL, glyphs: Glyphs = UNICODE) -> Text:
    """A single tile; in the compact size its stones are glyphs on the border."""
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
        """What is on the hex."""
        first, *lines = (1, 2, 3) if self.size is FULL else (0, 1, 2)
        self._spread(first, self._title(place, target))
        chips = [self._chip(group) for group in place.groups]
        for line, row in zip(lines, (chips[:2], chips[2:]), strict=True):
            self._spread(line, [part for chip in row for part in ((" ", ""), chip)][1:])
        if place.terrain == "volcano":
            self._spread(lines[0], [(spoken_word("volcano"), theme.INK)])
        if self.size is FULL:
            self._stones(place)

    def cost(self, side: int, cost: int, obstacle: bool) -> None:
        """The cost of a step across a side, with a mark if there is an obstacle."""
        ink = theme.OBSTACLE if obstacle else theme.COST
        x, i = self._middle(side)
        if side == N:
            mark = self.glyphs.obstacle if obstacle else " "
            self._write(x - 1, i, f"{mark}{cost}{mark}", ink, theme.GROUND)
            return
        self._write(x, i, str(cost), ink)
        if obstacle:
            self._write(x + (-1 if side == NE else 1), i - 1, self.glyphs.obstacle, ink)

    def outlook(self, side: int, stones: int) -> None:
        """Stones on a side that faces an unexplored hex, as one glyph on the border."""
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
        # Blanks between the parts if there is room, from the end.
        room = 7 - sum(len(text) for text, _ in parts)
        spaced = parts[-1:]
        for piece in reversed(parts[:-1]):
            spaced = [piece, (" ", ""), *spaced] if room > 0 else [piece, *spaced]
            room -= 1
        return spaced

    def _guard(self, place: Place) -> str:
        return self.glyphs.gun if place.gun else self.glyphs.guard

    def _chip(self, group: Group) -> tuple[str, str]:
        """The members of a seat: `1★4` leader and 4 workers, `1×4` 4 workers, `1★` the leader alone.

        A mark at the end means that some of them have worked and can't work again this turn.
        """
        glyph = self.glyphs.leader if group.leader else self.glyphs.times
        mark = self.glyphs.worked if group.worked else ""
        return f"{group.seat}{glyph}{group.workers or ''}{mark}", theme.seat_style(group.seat)

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
        x = start + (length - sum(cell_len(text) for text, _ in parts)) // 2
        for text, style in parts:
            ink, _, paper = style.partition(" on ")
            self._write(x, i, text, ink, paper)
            x += cell_len(text)

    def _write(self, x: int, i: int, text: str, ink: str, paper: str = "") -> None:
        self.canvas.write(self.x + x, self.y + i, text, ink, paper)

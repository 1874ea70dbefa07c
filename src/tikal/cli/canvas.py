"""A grid of character cells to draw on, and its conversion to text for rich."""

from __future__ import annotations

from rich.cells import cell_len
from rich.text import Text


class Canvas:
    """A rectangle of cells, each a character and a style; drawing outside of it is ignored.

    >>> canvas = Canvas(5, 1)
    >>> canvas.write(1, 0, "abc")
    >>> canvas.text().plain
    ' abc '
    """

    def __init__(self, width: int, height: int, ink: str = "", paper: str = "") -> None:
        self.width = width
        self.height = height
        self._chars = [[" "] * width for _ in range(height)]
        self._inks = [[ink] * width for _ in range(height)]
        self._papers = [[paper] * width for _ in range(height)]

    def fill(self, x: int, y: int, length: int, paper: str) -> None:
        """Sets the background of `length` cells from (x, y) on; their characters stay."""
        for i in range(x, x + length):
            if self._inside(i, y):
                self._papers[y][i] = paper

    def write(self, x: int, y: int, text: str, ink: str = "", paper: str = "") -> None:
        """Write `text` from (x, y) on; without `paper` the background stays as it is."""
        cells = (cell for char in text for cell in (char, *[""] * (cell_len(char) - 1)))  # some are two cells wide
        for i, cell in enumerate(cells, start=x):
            if self._inside(i, y):
                self._chars[y][i] = cell
                self._inks[y][i] = ink
                if paper:
                    self._papers[y][i] = paper

    def centre(self, x: int, y: int, width: int, text: str, ink: str = "", paper: str = "") -> None:
        """Write `text` in the middle of `width` cells from (x, y) on."""
        self.write(x + (width - cell_len(text)) // 2, y, text, ink, paper)

    def text(self) -> Text:
        """All lines as one rich text; cells of the same style are joined."""
        lines = Text(no_wrap=True)
        for y in range(self.height):
            if y:
                lines.append("\n")
            start = 0
            for x in range(1, self.width + 1):
                if x == self.width or self._style(x, y) != self._style(start, y):
                    lines.append("".join(self._chars[y][start:x]), self._style(start, y) or None)
                    start = x
        return lines

    def _style(self, x: int, y: int) -> str:
        paper = self._papers[y][x]
        return f"{self._inks[y][x]} on {paper}".strip() if paper else self._inks[y][x]

    def _inside(self, x: int, y: int) -> bool:
        return 0 <= x < self.width and 0 <= y < self.height

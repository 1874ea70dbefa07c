"""The whole screen: board and panel, laid out for the terminal at hand."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, fields

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from tikal.cli.board import FULL, draw_board, fitting
from tikal.cli.panel import Desk, panel, tile_row, tiles_shown
from tikal.cli.plain import plain
from tikal.cli.scene import Scene
from tikal.cli.theme import ASCII, UNICODE, Glyphs

PANEL_WIDTH = 59  # what the panel needs beside the board
PANEL_LINES = 10  # what it takes below the board, with the prompt
TILE_LINES = 9


@dataclass(frozen=True, slots=True)
class Terminal:
    """Where we draw: the console, the glyphs it can show, and whether somebody watches (and it may be cleared)."""

    console: Console
    glyphs: Glyphs
    live: bool

    def fresh(self) -> None:
        """Begin a new screen; in a pipe just go on."""
        if self.live:
            self.console.clear()

    def tell(self, text: str) -> None:
        """A line of text; a long one is left to the terminal to wrap, so that it can be copied."""
        self.console.print(plain(text), markup=False, soft_wrap=True)

    @contextmanager
    def waiting(self, what: str) -> Iterator[None]:
        """Show that somebody thinks, for as long as it takes; in a pipe nobody waits."""
        with self.console.status(Text(plain(what))) if self.live else nullcontext():
            yield


def terminal(ascii_only: bool = False) -> Terminal:
    """Standard output as a terminal."""
    live = sys.stdout.isatty()
    # Nobody looks at the size of a pipe: a fixed one keeps scripts and tests the same everywhere.
    console = Console(highlight=False) if live else Console(highlight=False, width=100, height=60)
    try:
        "".join(getattr(UNICODE, field.name) for field in fields(UNICODE)).encode(console.encoding)
    except UnicodeEncodeError:
        ascii_only = True
    return Terminal(console, ASCII if ascii_only else UNICODE, live)


def screen(console: Console, scene: Scene, desk: Desk, targets: Collection[str] = ()) -> RenderableType:
    """Board and panel side by side where the terminal is wide enough, else one below the other."""
    if console.width >= FULL.width + 2 + PANEL_WIDTH and console.height > FULL.height:
        room = console.width - FULL.width - 2
        table = Table.grid(padding=(0, 2, 0, 0))
        table.add_column(width=FULL.width)
        table.add_row(draw_board(scene, FULL, desk.glyphs, targets), panel(desk, room, beside=True))
        return table
    size = fitting(console.width, console.height - PANEL_LINES)
    board = draw_board(scene, size, desk.glyphs, targets)
    parts: list[RenderableType] = [board, panel(desk, console.width, beside=False)]
    shown = tiles_shown(desk)
    if shown and console.height >= size.height + PANEL_LINES + TILE_LINES:
        parts.append(tile_row(shown, console.width, desk.glyphs))
    return Group(*parts)

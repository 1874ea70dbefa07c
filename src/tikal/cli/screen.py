"""The whole screen: board and panel, laid out for the terminal's size."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, fields

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from tikal.cli.board import COMPACT, FULL, draw_board, fitting
from tikal.cli.language import use_plain_punctuation
from tikal.cli.panel import PanelContent, panel, summary, tile_row, tiles_shown
from tikal.cli.plain import plain
from tikal.cli.reader import HIGH
from tikal.cli.scene import Scene
from tikal.cli.theme import ASCII, UNICODE, Glyphs
from tikal.cli.wrap import wrapped

PANEL_WIDTH = 59  # columns for the panel beside the board
PANEL_LINES = 10  # lines for it below the board, with the prompt
TILE_LINES = 9


@dataclass(frozen=True, slots=True)
class Terminal:
    """The output: the console, the glyphs it can show, and whether a person is watching (and it may be cleared)."""

    console: Console
    glyphs: Glyphs
    live: bool

    def fresh(self) -> None:
        """Start a new screen; a pipe just continues."""
        if self.live:
            self.console.clear()

    @property
    def low(self) -> bool:
        """Whether board, panel and prompt are too high for the screen."""
        return self.live and self.console.height < HIGH

    def tell(self, text: str) -> None:
        """Print a text, in lines of the terminal's width if a person is watching."""
        lines = wrapped(plain(text), self.console.width) if self.live else [plain(text)]
        for line in lines:
            self.console.print(line, markup=False, soft_wrap=True)

    @contextmanager
    def waiting(self, what: str) -> Iterator[None]:
        """Show a spinner while a bot thinks; not in a pipe."""
        with self.console.status(Text(plain(what))) if self.live else nullcontext():
            yield


def terminal(ascii_only: bool = False) -> Terminal:
    """Standard output as a terminal."""
    live = sys.stdout.isatty()
    # A pipe has no size: a fixed one gives scripts and tests the same output everywhere.
    console = Console(highlight=False) if live else Console(highlight=False, width=100, height=60)
    try:
        "".join(getattr(UNICODE, field.name) for field in fields(UNICODE)).encode(console.encoding)
    except UnicodeEncodeError:
        ascii_only = True
    use_plain_punctuation(ascii_only)
    return Terminal(console, ASCII if ascii_only else UNICODE, live)


def present(
    shown: Terminal, scene: Scene, desk: PanelContent, messages: Iterable[str] = (), targets: Collection[str] = ()
) -> None:
    """Draws a fresh screen. The messages are above the board, so that it stays in sight however many there are.

    A pipe gets the messages after the board, in the order of the events.
    """
    shown.fresh()
    drawn = (low_screen if shown.low else screen)(shown.console, scene, desk, targets)
    if not shown.live:
        shown.console.print(drawn)
    for line in messages:
        shown.tell(line)
    if shown.live:
        shown.console.print(drawn)


LOW_LINES = COMPACT.height  # of `low_screen`


def low_screen(console: Console, scene: Scene, desk: PanelContent, targets: Collection[str] = ()) -> RenderableType:
    """The board and one line about the game: together with the prompt they fill 24 lines."""
    board = draw_board(scene, COMPACT, desk.glyphs, targets).split("\n")
    line = summary(desk)
    line.truncate(console.width, overflow="ellipsis")
    return Group(Text("\n").join(board[1:]), line)  # the first line is only the border of the uppermost hexes


def screen(console: Console, scene: Scene, desk: PanelContent, targets: Collection[str] = ()) -> RenderableType:
    """Board and panel side by side if the terminal is wide enough, else one below the other."""
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

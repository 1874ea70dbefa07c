"""`tikal replay RECORD`: steps through a game."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tikal.cli.reader import Reader, reader_for_stdin
from tikal.cli.records import at_step, open_record
from tikal.cli.scene import scene_of
from tikal.cli.screen import Terminal, screen, terminal
from tikal.cli.table import desk_of, news, tell_step
from tikal.play import Game, Step
from tikal.rules.errors import TikalError

KEYS = [
    ("n", "next (Enter and the right arrow too)"),
    ("p", "previous (the left arrow too)"),
    ("first", "to the beginning"),
    ("last", "to the end"),
    ("NUMBER", "to that action"),
    ("q", "quit"),
]
EPILOG = (
    "At the prompt:\n"
    + "\n".join(f"  {key:<8} {meaning}" for key, meaning in KEYS)
    + """

examples:
  tikal replay game.tikal
  tikal replay game.tikal --seat 2               stop only where seat 2 has just acted
  tikal replay game.tikal --at 40 --no-input     print one position and leave
"""
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The record and where to look."""
    parser.epilog = EPILOG
    parser.add_argument("record", type=Path, metavar="RECORD", help="a game record; - is standard input")
    parser.add_argument("--at", type=int, metavar="N", help="start after so many actions (with --no-input: all)")
    parser.add_argument("--seat", type=int, metavar="S", help="n and p stop only after actions of this seat")
    parser.add_argument("--no-input", action="store_true", help="print the position and leave")
    parser.add_argument("--ascii", action="store_true", help="draw with plain ASCII characters")


def run(args: argparse.Namespace) -> int:
    """Show the game, step by step."""
    game, names = open_record(args.record)
    if args.seat is not None and not 1 <= args.seat <= len(names):
        raise TikalError("usage", f"--seat {args.seat}: this game has seats 1 to {len(names)}")
    default = None if args.no_input else 0
    show = Show(game, names, terminal(args.ascii), list(game.history), args.seat)
    show.go(at_step(args.at if args.at is not None else default, len(show.steps)))
    show.draw()
    if not args.no_input:
        # A record that came through standard input leaves nobody to ask.
        show.run(reader_for_stdin())
    return 0


@dataclass
class Show:
    """A game that is being looked at; `game` always stands after the first `at` steps."""

    game: Game
    names: Sequence[str]
    terminal: Terminal
    steps: Sequence[Step]
    seat: int | None

    @property
    def at(self) -> int:
        """How many steps have been taken."""
        return len(self.game.history)

    def run(self, reader: Reader) -> None:
        """Follow the keys until there are no more, or `q`."""
        while (line := reader.read(f"{self.at}/{len(self.steps)}> ", lambda: KEYS, keys=ARROWS)) not in (
            None,
            "q",
            "quit",
        ):
            assert line is not None
            try:
                self.go(self._target(line))
                self.draw()
            except TikalError as error:
                self.terminal.tell(f"No: {error}")

    def go(self, at: int) -> None:
        """Go to after step `at`."""
        if at < self.at:
            self.game.undo(self.at - at)
        for step in self.steps[self.at : at]:
            self.game.play(step.action if step.revealed is None else f"{step.action}({step.revealed})")

    def draw(self) -> None:
        """Board, panel, and what the last step was."""
        self.terminal.fresh()
        console = self.terminal.console
        scene = scene_of(self.game.status(), self.game.options.table)
        console.print(screen(console, scene, desk_of(self.game, self.names, self.terminal.glyphs)))
        told = [f"action {self.at} of {len(self.steps)}"]
        if self.at:
            after = self.game.status()
            self.go(self.at - 1)
            before = self.game.status()
            self.go(self.at + 1)
            told += [tell_step(self.steps[self.at - 1], self.names), *news(before, after, self.names)]
        for line in told:
            self.terminal.tell(line)

    def _target(self, line: str) -> int:
        if line in ("first", "last"):
            return 0 if line == "first" else len(self.steps)
        if line.isdecimal():
            return at_step(int(line[:9]), len(self.steps))
        if line not in ("", "n", "next", "p", "prev", "previous"):
            raise TikalError("usage", f"{line}: must be n, p, first, last, a number or q")
        step = -1 if line.startswith("p") else 1
        at = self.at + step
        while 0 < at < len(self.steps) and self.seat not in (None, self.steps[at - 1].seat):
            at += step
        return min(max(at, 0), len(self.steps))


ARROWS = {"right": "n", "left": "p", "home": "first", "end": "last"}

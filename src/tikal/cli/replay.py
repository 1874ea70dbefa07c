"""`tikal replay RECORD`: steps through a game."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tikal.cli.language import add_language_argument, choose, explained, t
from tikal.cli.reader import Reader, reader_for_stdin
from tikal.cli.records import at_step, open_record
from tikal.cli.scene import scene_of
from tikal.cli.screen import Terminal, present, terminal
from tikal.cli.table import desk_of, news, step_line
from tikal.play import Game, Step
from tikal.rules.errors import TikalError

KEYS = ("n", "p", "t", "b", "first", "last", "number", "q")
EPILOG = """\
At the prompt:
  n        next action (also Enter or the right arrow)
  p        previous action (also the left arrow)
  t        to the end of this turn, or of the next (also Page Down)
  b        back to the start of this turn, or of the one before (also Page Up)
  first    to the beginning
  last     to the end
  NUMBER   to that action
  q        quit

examples:
  tikal replay game.tikal
  tikal replay game.tikal --seat 2               stop only after seat 2's actions
  tikal replay game.tikal --at 40 --no-input     print one position and exit
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The record and the position."""
    parser.epilog = EPILOG
    parser.add_argument("record", type=Path, metavar="RECORD", help="a game record; - is standard input")
    parser.add_argument("--at", type=int, metavar="N", help="start after N actions (with --no-input: at the end)")
    parser.add_argument("--seat", type=int, metavar="S", help="stop only after this seat's actions")
    parser.add_argument("--no-input", action="store_true", help="print the position and exit")
    parser.add_argument("--ascii", action="store_true", help="draw with plain ASCII characters")
    add_language_argument(parser)


def run(args: argparse.Namespace) -> int:
    """Show the game, step by step."""
    choose(args.language)
    game, names = open_record(args.record)
    if args.seat is not None and not 1 <= args.seat <= len(names):
        raise TikalError("usage", t("arg_seat", seat=args.seat, seats=len(names)))
    default = None if args.no_input else 0
    show = Show(game, names, terminal(args.ascii), list(game.history), args.seat)
    show.go(at_step(args.at if args.at is not None else default, len(show.steps)))
    show.draw()
    if not args.no_input:
        # If the record comes from standard input, no keys can be read.
        show.run(reader_for_stdin())
    return 0


def _keys() -> list[tuple[str, str]]:
    """The commands, each with its meaning."""
    return [(key, t(f"key_{key}")) for key in KEYS]


@dataclass
class Show:
    """A game that is being replayed; `game` is always after the first `at` steps."""

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
        """Follows the keys until the input ends, or `q`."""
        while (line := reader.read(f"{self.at}/{len(self.steps)}> ", _keys, keys=ARROWS)) not in (
            None,
            "q",
            "quit",
        ):
            assert line is not None
            try:
                self.go(self._target(line))
                self.draw()
            except TikalError as error:
                self.terminal.tell(t("no", why=explained(error)))

    def go(self, at: int) -> None:
        """Go to after step `at`."""
        if at < self.at:
            self.game.undo(self.at - at)
        for step in self.steps[self.at : at]:
            self.game.play(step.text)

    def draw(self) -> None:
        """Board, panel, and the last step."""
        scene = scene_of(self.game.view(None), self.game.options.table)
        desk = desk_of(self.game, self.names, self.terminal.glyphs)
        messages = [t("replay_at", at=self.at, all=len(self.steps))]
        if self.at:
            after = self.game.status()
            self.go(self.at - 1)
            before = self.game.status()
            self.go(self.at + 1)
            messages += [step_line(self.steps[self.at - 1], self.names), *news(before, after, self.names)]
        present(self.terminal, scene, desk, messages)

    def _target(self, line: str) -> int:
        if line in ("first", "last"):
            return 0 if line == "first" else len(self.steps)
        if line.isdecimal():
            return at_step(int(line[:9]), len(self.steps))
        if line not in MOVES:
            raise TikalError("usage", t("replay_type", text=line))
        way, by_turn = MOVES[line]
        at = self.at + way
        while 0 < at < len(self.steps) and not self._stops(at, by_turn):
            at += way
        return min(max(at, 0), len(self.steps))

    def _stops(self, at: int, by_turn: bool) -> bool:
        """Whether to stop after step `at`: a replay goes by step or by turn, of every seat or of one."""
        step = self.steps[at - 1]
        return self.seat in (None, step.seat) and (not by_turn or step.parsed.kind == "end")


MOVES = {
    **dict.fromkeys(("", "n", "next"), (1, False)),
    **dict.fromkeys(("p", "prev", "previous"), (-1, False)),
    **dict.fromkeys(("t", "turn"), (1, True)),
    **dict.fromkeys(("b", "back"), (-1, True)),
}
"""The commands that step: the direction, and whether by whole turns."""
ARROWS = {"right": "n", "left": "p", "pagedown": "t", "pageup": "b", "home": "first", "end": "last"}

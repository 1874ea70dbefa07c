"""A game at one terminal: the table with all seats, and the loop that asks one after the other.

Each seat has a controller: a human at the keyboard (`human.Human`), a bot (`opponent.Opponent`), or anything else
that plays through `Table.play`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol

from tikal.cli.board import draw_board, fitting
from tikal.cli.language import shared, t
from tikal.cli.panel import PanelContent, headline
from tikal.cli.say import say, say_name, say_tile
from tikal.cli.scene import Scene, scene_of
from tikal.cli.screen import Terminal, present
from tikal.play import Action, Step
from tikal.rules.tables import TILE_BY_NAME

if TYPE_CHECKING:
    from tikal.cli.save import Autosave
    from tikal.cli.theme import Glyphs
    from tikal.play import Game


class Controller(Protocol):
    """Decides for a seat."""

    def decide(self, table: Table) -> bool:
        """Acts at the table, usually by playing an action; returns False to leave the game."""

    def close(self) -> None:
        """Called when another controller takes the seat, or the game has ended."""


Seating = Callable[[Sequence[str]], Sequence[Controller]]
"""Returns the controllers for seats of these names."""


class Table:
    """A game with its controllers, their screen, and its file."""

    def __init__(
        self,
        game: Game,
        names: Sequence[str],
        seating: Seating,
        terminal: Terminal,
        autosave: Autosave,
        greeting: str = "",
    ) -> None:
        self.game = game
        self.names = list(names)
        self.seating = seating
        self.controllers = list(seating(names))
        self.terminal = terminal
        self.console = terminal.console
        self.tell = terminal.tell
        self.autosave = autosave
        self.messages = [greeting] if greeting else []  # messages since the last input
        self._undone: list[str] = []
        self._reported = len(self.game.public_history)

    def run(self) -> int:
        """Play until the game is over or a person leaves; returns the exit code."""
        try:
            return self._run()
        finally:
            self._dismiss()

    def _run(self) -> int:
        self._keep()
        self.messages[:0] = self._board_note()
        self.show()
        while not self.game.over:
            seat = self.game.seat
            assert seat is not None
            if not self.controllers[seat - 1].decide(self):
                self._show_last()
                self.tell(t("kept"))
                return 0
        self._show_last()
        if path := self.autosave.finish(self.record()):
            self.tell(t("record_is", path=str(path)))
        return 0

    def play(self, *actions: str) -> None:
        """Play actions, all or none; then report the results."""
        before = self.game.status()
        self.game.play(*actions)
        self._undone.clear()
        self._changed(before)

    def take_back(self, steps: int = 1) -> int:
        """Takes back up to this many actions of the current turn; returns how many."""
        before = self.game.status()
        steps = min(steps, self.game.can_take_back())
        for _ in range(steps):
            self._undone.append(self.game.history[-1].action)
            self.game.take_back()
        self._reported = min(self._reported, len(self.game.history))
        if steps:
            self._changed(before, t("taken_back", count=steps))
        return steps

    def redo(self) -> bool:
        """Replay the actions that were taken back last."""
        if not self._undone:
            return False
        before = self.game.status()
        self.game.play(self._undone[-1])
        self._undone.pop()
        self._changed(before)
        return True

    def change_game(self, game: Game, names: Sequence[str]) -> None:
        """Continues with another game; the people stay."""
        controllers = list(self.seating(names))
        self._dismiss()
        self.controllers, self.game, self.names = controllers, game, list(names)
        self.messages = self._board_note()
        self._undone.clear()
        self._reported = len(self.game.public_history)
        self._keep()
        self.show()

    def record(self) -> str:
        """The record of the game, with everything that is needed to resume it."""
        return self.game.record(self.names, date=f"{datetime.now().astimezone():%Y-%m-%d}", reveal=True)

    def desk(self) -> PanelContent:
        """The panel's current content."""
        return desk_of(self.game, self.names, self.terminal.glyphs)

    def show(self) -> None:
        """Draw board and panel, and the messages; in a terminal on a fresh screen."""
        present(self.terminal, self._scene(), self.desk(), self.messages, self._targets())

    def show_board(self) -> None:
        """Draw the board alone."""
        size = fitting(self.console.width, self.console.height)
        self.console.print(draw_board(self._scene(), size, self.terminal.glyphs, self._targets()))

    def _scene(self) -> Scene:
        return scene_of(self.game.view(None), self.game.options.table)

    def _targets(self) -> set[str]:
        """The legal hexes for the current tile."""
        if self.game.phase != "place":
            return set()
        return {hex_ for action in self.game.legal() for hex_ in Action.parse(action).hexes}

    def _changed(self, before: Mapping[str, Any], first_line: str = "") -> None:
        self._keep()
        steps = self.game.public_history
        lines = [first_line] if first_line else []
        lines += [step_line(step, self.names) for step in steps[self._reported :]]
        self._reported = len(steps)
        after = self.game.status()
        lines += news(before, after, self.names)
        self.messages += lines
        if self.terminal.live:  # a fresh screen must repeat what the others have done since the last input
            self.show()
            return
        for line in lines:
            self.tell(line)
        self.console.print(headline(self.desk()))

    def _board_note(self) -> list[str]:
        """The note about a board other than the original."""
        return [shared("options.classic_note")] if self.game.options.board != "original" else []

    def _show_last(self) -> None:
        """In a pipe the board is drawn at the start, at the end and on request."""
        if not self.terminal.live:
            self.messages.clear()
            self.show()

    def _dismiss(self) -> None:
        for controller in self.controllers:
            controller.close()

    def _keep(self) -> None:
        self.autosave.keep(self.record())


def desk_of(game: Game, names: Sequence[str], glyphs: Glyphs) -> PanelContent:
    """The panel's content for a game."""
    return PanelContent(game.view(game.seat), names, [row["total"] for row in game.forecast()], glyphs)


def step_line(step: Step, names: Sequence[str]) -> str:
    """A step of the history in words, with its notation.

    >>> step_line(Step(1, "D@b3", 5), ["Ann"])
    '1 Ann: dig up a treasure at b3: frog [D@b3(5)]'
    """
    name, what = say_name(names[step.seat - 1]), say(step.action, step.revealed)
    line = t("step", seat=step.seat, name=name, what=what, notation=step.text)
    return t("semicolon").join([line, *(t("gone", tile=say_tile(gone.tile)) for gone in step.gone)])


def news(before: Mapping[str, Any], after: Mapping[str, Any], names: Sequence[str]) -> list[str]:
    """Other changes: scores, a volcano that comes up.

    >>> news({"scores": [3, 0], "tile": None}, {"scores": [3, 7], "tile": "B6"}, ["Ann", "Bob"])
    ['2 Bob scores 7: now 7', 'B6 (volcano) turns up: a scoring round']
    """
    lines = []
    for seat, (old, new) in enumerate(zip(before["scores"], after["scores"], strict=True), start=1):
        if new > old:
            lines.append(t("scores", seat=seat, name=say_name(names[seat - 1]), points=new - old, total=new))
        elif new < old:
            lines.append(t("pays", seat=seat, name=say_name(names[seat - 1]), points=old - new, total=new))
    tile = after["tile"]
    if tile and tile != before["tile"] and TILE_BY_NAME[tile].terrain == "volcano":
        lines.append(t("volcano_up", tile=say_tile(tile)))
    return lines

"""A game at one terminal: the table that all seats sit at, and the loop that asks one after the other.

Who decides for a seat is its controller: a human at the keyboard (`human.Human`), a bot (`opponent.Opponent`), or
anything else that plays through `Table.play`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol

from tikal.cli.board import draw_board, fitting
from tikal.cli.panel import Desk, headline
from tikal.cli.say import say, say_tile
from tikal.cli.scene import Scene, scene_of
from tikal.cli.screen import Terminal, screen
from tikal.play import Step
from tikal.rules.tables import TILE_BY_NAME

if TYPE_CHECKING:
    from tikal.cli.save import Autosave
    from tikal.cli.theme import Glyphs
    from tikal.play import Game


class Controller(Protocol):
    """Decides for a seat."""

    def decide(self, table: Table) -> bool:
        """Do something at the table, at best play an action; False to leave the game."""

    def close(self) -> None:
        """The seat is somebody else's, or the game has ended."""


Seating = Callable[[Sequence[str]], Sequence[Controller]]
"""Who decides for the seats of these names."""


class Table:
    """A game with those around it, their screen, and the file that it is kept in."""

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
        self.heard = [greeting] if greeting else []  # what was told since somebody last typed something
        self._undone: list[str] = []
        self._told = len(self.public_steps())

    def run(self) -> int:
        """Play until the game is over or somebody leaves; the exit code."""
        try:
            return self._run()
        finally:
            self._dismiss()

    def _run(self) -> int:
        self._keep()
        self.show()
        self._tell_board()
        for line in self.heard:
            self.tell(line)
        while not self.game.over:
            seat = self.game.seat
            assert seat is not None
            if not self.controllers[seat - 1].decide(self):
                self._show_last()
                self.tell("The game is kept: `tikal play --resume` goes on with it.")
                return 0
        self._show_last()
        if path := self.autosave.finish(self.record()):
            self.tell(f"The record of this game is in {path}")
        return 0

    def play(self, *actions: str) -> None:
        """Play actions, all or none; then tell what came of them."""
        before = self.game.status()
        self.game.play(*actions)
        self._undone.clear()
        self._changed(before)

    def take_back(self, steps: int = 1) -> int:
        """Take back up to so many actions of the own turn; how many it were."""
        before = self.game.status()
        steps = min(steps, self.game.can_take_back())
        for _ in range(steps):
            self._undone.append(self.game.history[-1].action)
            self.game.take_back()
        self._told = min(self._told, len(self.game.history))
        if steps:
            self._changed(before, f"taken back: {steps}")
        return steps

    def redo(self) -> bool:
        """Play again what was taken back last."""
        if not self._undone:
            return False
        before = self.game.status()
        self.game.play(self._undone[-1])
        self._undone.pop()
        self._changed(before)
        return True

    def change_game(self, game: Game, names: Sequence[str]) -> None:
        """Go on with another game; the people stay."""
        controllers = list(self.seating(names))
        self._dismiss()
        self.controllers, self.game, self.names = controllers, game, list(names)
        self.heard.clear()
        self._undone.clear()
        self._told = len(self.public_steps())
        self._keep()
        self.show()
        self._tell_board()

    def record(self) -> str:
        """The record of the game, with all that is needed to go on with it."""
        return self.game.record(self.names, date=f"{datetime.now().astimezone():%Y-%m-%d}", reveal=True)

    def desk(self) -> Desk:
        """What the panel shows now."""
        return desk_of(self.game, self.names, self.terminal.glyphs)

    def show(self) -> None:
        """Draw board and panel; in a terminal on a fresh screen."""
        self.terminal.fresh()
        self.console.print(screen(self.console, self._scene(), self.desk(), self._targets()))

    def show_board(self) -> None:
        """Draw the board alone, for terminals with few lines."""
        size = fitting(self.console.width, self.console.height)
        self.console.print(draw_board(self._scene(), size, self.terminal.glyphs, self._targets()))

    def _scene(self) -> Scene:
        return scene_of(self.game.status(), self.game.options.table)

    def _targets(self) -> set[str]:
        """Where the tile in hand may go."""
        return {action[3:5] for action in self.game.legal()} if self.game.phase == "place" else set()

    def public_steps(self) -> Sequence[Step]:
        """The history that everybody may hear: tokens of a leap only when all have chosen."""
        steps = self.game.history
        hidden = 0
        while self.game.phase == "leap" and hidden < len(steps) and steps[-1 - hidden].action.startswith("J:"):
            hidden += 1
        return steps[: len(steps) - hidden]

    def _changed(self, before: Mapping[str, Any], told_first: str = "") -> None:
        self._keep()
        steps = self.public_steps()
        told = [told_first] if told_first else []
        told += [tell_step(step, self.names) for step in steps[self._told :]]
        self._told = len(steps)
        after = self.game.status()
        told += news(before, after, self.names)
        self.heard += told
        if self.terminal.live:
            self.show()
        # A fresh screen must tell all that others did meanwhile, in a pipe it still stands there.
        for line in self.heard if self.terminal.live else told:
            self.tell(line)
        if not self.terminal.live:
            self.console.print(headline(self.desk()))

    def _tell_board(self) -> None:
        """Boards other than the original have something to say for themselves."""
        if self.game.options.board != "original":
            self.tell(self.game.options.table.note)

    def _show_last(self) -> None:
        """In a pipe the board is drawn at the beginning, at the end and when it is asked for."""
        if not self.terminal.live:
            self.show()

    def _dismiss(self) -> None:
        for controller in self.controllers:
            controller.close()

    def _keep(self) -> None:
        self.autosave.keep(self.record())


def desk_of(game: Game, names: Sequence[str], glyphs: Glyphs) -> Desk:
    """The panel's data of a game."""
    return Desk(game.view(game.seat), names, [row["total"] for row in game.forecast()], glyphs)


def tell_step(step: Step, names: Sequence[str]) -> str:
    """A step of the history in words, with its notation.

    >>> tell_step(Step(1, "D@b3", 5), ["Ann"])
    '1 Ann: dig a treasure on b3: kind 5 [D@b3(5)]'
    """
    told = f"{step.seat} {names[step.seat - 1]}: {say(step.action, step.revealed)} [{step.text}]"
    return "; ".join([told, *(say(f"{gone.tile}@-") for gone in step.gone)])


def news(before: Mapping[str, Any], after: Mapping[str, Any], names: Sequence[str]) -> list[str]:
    """What else has changed: scores, a volcano that comes up.

    >>> news({"scores": [3, 0], "tile": None}, {"scores": [3, 7], "tile": "B6"}, ["Ann", "Bob"])
    ['2 Bob scores 7: now 7', 'B6 (volcano) comes up: a scoring round']
    """
    told = []
    for seat, (old, new) in enumerate(zip(before["scores"], after["scores"], strict=True), start=1):
        if new > old:
            told.append(f"{seat} {names[seat - 1]} scores {new - old}: now {new}")
        elif new < old:
            told.append(f"{seat} {names[seat - 1]} pays {old - new}: {new} left")
    tile = after["tile"]
    if tile and tile != before["tile"] and TILE_BY_NAME[tile].terrain == "volcano":
        told.append(f"{say_tile(tile)} comes up: a scoring round")
    return told

"""Somebody at the keyboard: actions by notation, choices by number, and commands."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rich.columns import Columns
from rich.text import Text

from tikal.cli.advice import advice, advice_lines
from tikal.cli.files import write_text
from tikal.cli.menu import BACK, Choice, Walk, find, menu_of
from tikal.cli.panel import rotations, tile_row
from tikal.cli.records import open_running
from tikal.cli.say import say
from tikal.cli.table import tell_step
from tikal.rules.errors import TikalError

if TYPE_CHECKING:
    from tikal.cli.reader import Reader
    from tikal.cli.table import Table


class Human:
    """A seat, or all of them, at the keyboard."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self._menu: tuple[Choice, ...] = ()
        self._asked = -1  # the length of the history when the menu was shown last

    def decide(self, table: Table) -> bool:
        """Read one line and do what it says; False when there are no more lines, or to leave."""
        secret = table.game.phase == "leap"
        if self.reader.interactive and self._asked != len(table.game.history):
            self._asked = len(table.game.history)
            if secret and table.controllers.count(self) > 1:
                self._cover(table)
            show_menu(table, menu_for(table))
        line = self.reader.read(self._prompt(table), lambda: completions_for(table), secret)
        if line is None:
            return False
        table.heard.clear()
        try:
            return self._obey(table, line)
        except TikalError as error:
            table.tell(f"No: {error}")
            return True

    def close(self) -> None:
        """People go by themselves."""

    def _obey(self, table: Table, line: str) -> bool:
        word, _, argument = line.partition(" ")
        if not word:
            self._menu = ()
            return True
        if command := COMMANDS.get(ALIASES.get(word, word)):
            self._menu = ()
            return command.run(table, argument.strip())
        if line.isdigit():
            self._choose(table, line)
            return True
        self._menu = ()
        table.play(*line.split())
        return True

    def _choose(self, table: Table, key: str) -> None:
        """Go one step into the menu, or play what was chosen."""
        menu = self._menu or menu_for(table)
        choice = find(menu, key)
        if choice is None and key == BACK and self._menu:
            self._menu = ()
            show_menu(table, menu_for(table))
            return
        if choice is None:
            raise TikalError("usage", f"{key}: no such choice; `menu` shows what there is")
        self._menu = choice.choices
        if choice.actions:
            table.play(*choice.actions)
            return
        table.tell(f"{choice.label} ({BACK} to go back)")
        if table.game.phase == "place":
            show_tiles(table, [f"{action[:2]}{action[5:]}" for turn in choice.choices for action in turn.actions])
        show_menu(table, choice.choices)

    def _prompt(self, table: Table) -> str:
        seat = table.game.seat or 1
        return f"{seat} {table.names[seat - 1]}> "

    def _cover(self, table: Table) -> None:
        """A hidden choice: who sits at the keyboard must change places first, and nothing of it is shown."""
        table.terminal.fresh()
        self.reader.read(f"{self._prompt(table)}press Enter when only you can see. ")
        table.show()


def menu_for(table: Table) -> tuple[Choice, ...]:
    """The first menu of the decision at hand."""
    offer = table.game.offer()
    costs = {row["action"]: row["cost"] for row in offer["actions"]}
    walks = [Walk(tuple(row["actions"]), row["cost"]) for row in offer["walks"]]
    joined = {row["action"]: passages(row["passages"]) for row in offer["places"]}
    return menu_of(list(costs), walks, costs, joined)


def passages(costs: Mapping[str, int]) -> str:
    """What a placement would join.

    >>> passages({"b2": 1, "a3": 3})
    ' (b2 for 1, a3 for 3)'
    """
    return f" ({', '.join(f'{hex_} for {cost}' for hex_, cost in costs.items())})" if costs else ""


def show_menu(table: Table, menu: Sequence[Choice]) -> None:
    """The lines of a menu, in columns where they fit."""
    lines = [Text(f"{choice.key:>2} {choice.label}") for choice in menu]
    table.console.print(Columns(lines, padding=(0, 3), equal=True))


def show_tiles(table: Table, tiles: Sequence[str]) -> None:
    """Tiles side by side."""
    table.console.print(tile_row(tiles, table.console.width, table.terminal.glyphs))


def completions_for(table: Table) -> list[tuple[str, str]]:
    """What may be typed: legal actions and commands, each with what it means."""
    actions = [(action, say(action)) for action in table.game.legal()]
    return actions + [(name, command.help) for name, command in COMMANDS.items()]


def _help(table: Table, _: str) -> bool:
    table.tell(
        HELP.format(**asdict(table.terminal.glyphs))
        + "\n".join(f"  {command.usage:<14} {command.help}" for command in COMMANDS.values())
    )
    return True


def _show_menu(table: Table, _: str) -> bool:
    show_menu(table, menu_for(table))
    return True


def _board(table: Table, _: str) -> bool:
    table.show_board()
    return True


def _tile(table: Table, argument: str) -> bool:
    tile = argument or table.game.status()["tile"]
    if not tile:
        raise TikalError("usage", "there is no tile in hand; `tile A5` draws any tile")
    try:
        shown = rotations(tile)
    except KeyError:
        raise TikalError("usage", f"{tile}: no such tile; tiles are A1 to G4") from None
    show_tiles(table, shown)
    return True


def _legal(table: Table, argument: str) -> bool:
    actions = [action for action in table.game.legal() if action.startswith(argument)]
    table.console.print(Columns(actions, padding=(0, 2)) if actions else f"nothing that starts with {argument}")
    return True


def _hint(table: Table, argument: str) -> bool:
    game = table.game
    with table.terminal.waiting("thinking about a hint"):
        told = advice(game.view(game.seat), argument or HINT, len(game.history))
    for line in advice_lines(told, table.names):
        table.tell(line)
    return True


def _log(table: Table, argument: str) -> bool:
    count = _number(argument, 20)
    for step in table.public_steps()[-count:] if count else ():
        table.tell(tell_step(step, table.names))
    return True


def _undo(table: Table, argument: str) -> bool:
    if not table.take_back(_number(argument, 1)):
        raise TikalError("undo", "there is nothing to take back: what was revealed or ended stays")
    return True


def _restart(table: Table, _: str) -> bool:
    if not table.take_back(table.game.can_take_back()):
        raise TikalError("undo", "there is nothing to take back: what was revealed or ended stays")
    return True


def _redo(table: Table, _: str) -> bool:
    if not table.redo():
        raise TikalError("undo", "nothing was taken back")
    return True


def _save(table: Table, argument: str) -> bool:
    path = _path(argument, "save")
    write_text(path, table.record())
    table.tell(f"saved: {path} (it tells the hidden tiles too: look into it after the game)")
    return True


def _load(table: Table, argument: str) -> bool:
    table.change_game(*open_running(_path(argument, "load")))
    return True


def _quit(_: Table, __: str) -> bool:
    return False


def _number(argument: str, default: int) -> int:
    if not argument:
        return default
    if not argument.isdecimal() or len(argument) > 6:
        raise TikalError("usage", f"{argument}: must be a number")
    return int(argument)


def _path(argument: str, command: str) -> Path:
    if not argument:
        raise TikalError("usage", f"name a file: {command} game.tikal")
    return Path(argument).expanduser()


@dataclass(frozen=True, slots=True)
class Command:
    """What can be typed at the prompt besides actions."""

    usage: str
    help: str
    run: Callable[[Table, str], bool]


COMMANDS = {
    "help": Command("help", "this text", _help),
    "menu": Command("menu", "numbered choices for this decision", _show_menu),
    "board": Command("board", "draw the board again", _board),
    "tile": Command("tile [NAME]", "the tile in hand, or any, in all its rotations", _tile),
    "legal": Command("legal [START]", "all legal actions", _legal),
    "hint": Command("hint [LEVEL]", "what a bot would do, why, and who is likely to win", _hint),
    "log": Command("log [N]", "the last actions in words", _log),
    "undo": Command("undo [N]", "take back the last actions of this turn", _undo),
    "restart": Command("restart", "start this turn again", _restart),
    "redo": Command("redo", "play again what was taken back", _redo),
    "save": Command("save FILE", "write the record of the game", _save),
    "load": Command("load FILE", "go on with another game", _load),
    "quit": Command("quit", "leave; the game is kept for `tikal play --resume`", _quit),
}
HINT = "surveyor"  # whose advice it is, if nobody else is asked
ALIASES = {"?": "help", "q": "quit", "exit": "quit", "u": "undo", "b": "board", "m": "menu"}

HELP = """\
Type actions, one or more on a line, or the number of a choice, or a command.

Actions (hexes a1 to h5; W is a worker, L the leader):
  A5@b3^2    place tile A5 on b3, turned by 2      +W@a1      enter a worker on a1        1 AP
  L:a1-b2    the leader walks from a1 to b2        W:a1=d3    a worker changes camps      1 AP
  X@a2       excavate a temple          2 AP       D@b3       dig a treasure              3 AP
  S:2:3/5    exchange 3 for seat 2's 5  3 AP       C@b2       found a camp                5 AP
  GW@c3 GL@c3  a worker or the leader   5 AP       .          end the turn
               becomes the guard
  B:5 B:-    bid 5, pass                           K:A5       take tile A5
The board: numbers on the borders are what a step costs, {stone} are path stones. `1{leader}4` is seat 1's leader
with four workers, `1{times}4` four workers. {temple} temple with its level, {treasure} treasures left, {jungle} jungle,
{volcano} volcano, {camp}1 camp of seat 1, {guard}1 guard of seat 1, {gun}1 one with a gun, {obstacle} an obstacle.
In the small drawing {pips} stand for 1, 2, 3 stones that look at an unexplored hex.

Commands:
"""

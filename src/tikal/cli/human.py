"""A person at the keyboard: actions by notation, choices by number, and commands."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rich.columns import Columns
from rich.text import Text

from tikal.cli.advice import advice, advice_lines
from tikal.cli.files import write_text
from tikal.cli.language import refusal, t
from tikal.cli.menu import BACK, Choice, Walk, find, menu_of
from tikal.cli.panel import panel, rotations, tile_row
from tikal.cli.records import open_running
from tikal.cli.say import say, say_name
from tikal.cli.screen import LOW_LINES
from tikal.cli.table import step_line
from tikal.play import Action, notation
from tikal.rules.errors import TikalError

if TYPE_CHECKING:
    from tikal.cli.reader import Reader
    from tikal.cli.table import Table


class Human:
    """A seat, or all of them, at the keyboard."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self._menu: tuple[Choice, ...] = ()
        self._asked = -1  # length of the history when the menu was last shown

    def decide(self, table: Table) -> bool:
        """Reads one line and carries it out; returns False at the end of the input, or to leave."""
        secret = table.game.phase == "leap"
        if self.reader.interactive and self._asked != len(table.game.history):
            self._asked = len(table.game.history)
            if secret and table.controllers.count(self) > 1:
                self._cover(table)
            show_menu(table, menu_for(table), asked=False)
        line = self.reader.read(self._prompt(table), lambda: completions_for(table), secret)
        if line is None:
            return False
        table.messages.clear()
        try:
            return self._obey(table, line)
        except TikalError as error:
            table.tell(refusal(error, table.game.phase))
            return True

    def close(self) -> None:
        """A person has nothing to close."""

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
        table.play(*map(notation.spelled, line.split()))
        return True

    def _choose(self, table: Table, key: str) -> None:
        """Go one step into the menu, or play the choice."""
        menu = self._menu or menu_for(table)
        choice = find(menu, key)
        if choice is None and key == BACK and self._menu:
            self._menu = ()
            show_menu(table, menu_for(table))
            return
        if choice is None:
            raise TikalError("usage", t("no_choice", key=key))
        self._menu = choice.choices
        if choice.actions:
            table.play(*choice.actions)
            return
        table.tell(t("menu_into", what=choice.label, key=BACK))
        if table.game.phase == "place":
            places = [Action.parse(action) for turn in choice.choices for action in turn.actions]
            show_tiles(table, [f"{place.tile}^{place.rotation}" for place in places])
        show_menu(table, choice.choices)

    def _prompt(self, table: Table) -> str:
        seat = table.game.seat or 1
        name = say_name(table.names[seat - 1])
        return f"{t('prompt_low', seat=seat, name=name) if table.terminal.low else f'{seat} {name}'}> "

    def _cover(self, table: Table) -> None:
        """Before a secret choice, the players change places at the keyboard; the screen shows nothing of the choice."""
        table.terminal.fresh()
        seat = table.game.seat or 1
        self.reader.read(t("prompt_cover", who=f"{seat} {table.names[seat - 1]}"))
        table.show()


def menu_for(table: Table) -> tuple[Choice, ...]:
    """The first menu of the current decision."""
    offer = table.game.offer()
    costs = {row["action"]: row["cost"] for row in offer["actions"]}
    walks = [Walk(tuple(row["actions"]), row["cost"]) for row in offer["walks"]]
    joined = {row["action"]: passages(row["passages"]) for row in offer["places"]}
    return menu_of(list(costs), walks, costs, joined)


def passages(costs: Mapping[str, int]) -> str:
    """The passages that a placement would make.

    >>> passages({"b2": 1, "a3": 3})
    'b2 for 1, a3 for 3'
    """
    return t("comma").join(t("menu_passage", hex=hex_, cost=cost) for hex_, cost in costs.items())


def show_menu(table: Table, menu: Sequence[Choice], asked: bool = True) -> None:
    """Shows a menu in columns. A menu that nobody asked for is only shown if the board stays on the screen."""
    shown = Columns([Text(f"{choice.key:>2} {choice.label}") for choice in menu], padding=(0, 3), equal=True)
    console = table.console
    if asked or not table.terminal.low or LOW_LINES + 1 + len(console.render_lines(shown)) <= console.height:
        console.print(shown)


def show_tiles(table: Table, tiles: Sequence[str]) -> None:
    """Tiles side by side."""
    table.console.print(tile_row(tiles, table.console.width, table.terminal.glyphs))


def completions_for(table: Table) -> list[tuple[str, str]]:
    """Possible input: legal actions and commands, each with its meaning."""
    actions = [(action, say(action)) for action in table.game.legal()]
    return actions + [(name, t(f"command_{name}")) for name in COMMANDS]


def _help(table: Table, _: str) -> bool:
    table.tell(t("help_intro"))
    table.tell(f"\n{t('help_actions')}")
    rows = [Text(f"  {example:<12} {t(f'help_{key}')}") for key, example in EXAMPLES.items()]
    table.console.print(Columns(rows, padding=(0, 2), equal=True))
    table.tell(f"\n{t('legend', **asdict(table.terminal.glyphs))}")
    table.tell(f"\n{t('help_commands')}")
    for name, command in COMMANDS.items():
        table.tell(f"  {command.usage:<14} {t(f'command_{name}')}")
    return True


def _show_menu(table: Table, _: str) -> bool:
    show_menu(table, menu_for(table))
    return True


def _board(table: Table, _: str) -> bool:
    table.show_board()
    return True


def _seats(table: Table, _: str) -> bool:
    table.console.print(panel(table.desk(), table.console.width, beside=False))
    return True


def _tile(table: Table, argument: str) -> bool:
    tile = argument or table.game.status()["tile"]
    if not tile:
        raise TikalError("usage", t("no_tile_in_hand"))
    try:
        shown = rotations(tile)
    except KeyError:
        raise TikalError("usage", t("no_such_tile", tile=tile)) from None
    show_tiles(table, shown)
    return True


def _legal(table: Table, argument: str) -> bool:
    actions = [action for action in table.game.legal() if action.startswith(argument)]
    table.console.print(Columns(actions, padding=(0, 2)) if actions else t("nothing_starts", start=argument))
    return True


def _hint(table: Table, argument: str) -> bool:
    game = table.game
    with table.terminal.waiting(t("thinking_hint")):
        analysis = advice(game.view(game.seat), argument or HINT, len(game.history))
    for line in advice_lines(analysis, table.names):
        table.tell(line)
    return True


def _log(table: Table, argument: str) -> bool:
    count = _number(argument, 20)
    for step in table.game.public_history[-count:] if count else ():
        table.tell(step_line(step, table.names))
    return True


def _undo(table: Table, argument: str) -> bool:
    if not table.take_back(_number(argument, 1)):
        raise TikalError("undo", t("nothing_to_undo"))
    return True


def _restart(table: Table, _: str) -> bool:
    if not table.take_back(table.game.can_take_back()):
        raise TikalError("undo", t("nothing_to_undo"))
    return True


def _redo(table: Table, _: str) -> bool:
    if not table.redo():
        raise TikalError("undo", t("nothing_undone"))
    return True


def _save(table: Table, argument: str) -> bool:
    path = _path(argument, "save")
    new = not path.parent.exists()
    write_text(path, table.record())
    if new:
        table.tell(t("folder_made", folder=str(path.parent)))
    table.tell(t("saved", path=str(path)))
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
        raise TikalError("usage", t("not_a_number", text=argument))
    return int(argument)


def _path(argument: str, command: str) -> Path:
    if not argument:
        raise TikalError("usage", t("name_a_file", command=command))
    return Path(argument).expanduser()


@dataclass(frozen=True, slots=True)
class Command:
    """Commands at the prompt; the message `command_NAME` describes each."""

    usage: str
    run: Callable[[Table, str], bool]


COMMANDS = {
    "help": Command("help", _help),
    "menu": Command("menu", _show_menu),
    "board": Command("board", _board),
    "seats": Command("seats", _seats),
    "tile": Command("tile [NAME]", _tile),
    "legal": Command("legal [START]", _legal),
    "hint": Command("hint [LEVEL]", _hint),
    "log": Command("log [N]", _log),
    "undo": Command("undo [N]", _undo),
    "restart": Command("restart", _restart),
    "redo": Command("redo", _redo),
    "save": Command("save FILE", _save),
    "load": Command("load FILE", _load),
    "quit": Command("quit", _quit),
}
HINT = "surveyor"  # the level that gives advice by default
ALIASES = {"?": "help", "q": "quit", "exit": "quit", "u": "undo", "b": "board", "m": "menu", "s": "seats"}

EXAMPLES = {
    "place": "A5@b3^2",
    "enter": "+W@a1",
    "move": "L:a1-b2",
    "camp_move": "W:a1=d3",
    "excavate": "X@a2",
    "dig": "D@b3",
    "exchange": "S:2:3/5",
    "camp": "C@b2",
    "guard": "GW@c3 GL@c3",
    "bid": "B:5 B:-",
    "take": "K:A5",
    "end": ".",
}
"""The forms of actions; the message `help_KIND` describes each."""

"""The first questions after a plain `tikal play`. Enter is always a good answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rich.cells import cell_len, set_cell_size

from tikal.bots import LEVELS, USUAL
from tikal.cli.language import shared, t
from tikal.cli.reader import Reader
from tikal.cli.say import BOT, say_name

PLAYERS = ("2", "3", "4")
PEOPLE = "people"


@dataclass(frozen=True, slots=True)
class Answers:
    """The answers: the number of players and their opponents; or the last game."""

    players: int = 2
    opponents: str = USUAL
    resume: bool = False

    @property
    def bots(self) -> dict[int, str]:
        """The players of the seats besides the first.

        >>> Answers(3, "digger").bots, Answers(3, PEOPLE).bots
        ({2: 'digger', 3: 'digger'}, {})
        """
        return {} if self.opponents == PEOPLE else dict.fromkeys(range(2, self.players + 1), self.opponents)


def welcome(reader: Reader, tell: Callable[[str], None], can_resume: bool) -> Answers | None:
    """Ask for the number of players and their opponents; None if the user leaves."""
    names = {level: say_name(f"{BOT}{level}") for level in LEVELS}
    tell(t("welcome_again" if can_resume else "welcome", level=names[USUAL]))
    words = [*PLAYERS, *(["r"] if can_resume else [])]
    answer = _ask(reader, tell, t("ask_players"), {word: word for word in words}, "")
    if answer is None:
        return None
    if answer in ("", "r"):
        return Answers(resume=answer == "r")
    others = {str(number): level for number, level in enumerate(LEVELS, start=1)} | {str(len(LEVELS) + 1): PEOPLE}
    room = max(map(cell_len, names.values()))
    for number, level in enumerate(LEVELS, start=1):
        tell(f" {number}  {set_cell_size(names[level], room)}  {shared(f'start.level.{level}')}")
    tell(f" {len(LEVELS) + 1}  {t('people')}")
    choices = others | {word: word for word in others.values()} | {names[level].casefold(): level for level in LEVELS}
    opponents = _ask(reader, tell, t("ask_opponents", level=names[USUAL]), choices, USUAL)
    return None if opponents is None else Answers(int(answer), opponents)


def _ask(reader: Reader, tell: Callable[[str], None], prompt: str, choices: dict[str, str], default: str) -> str | None:
    """One of the choices; Enter is the default. None at the end of the input, or if the user leaves."""
    while (line := reader.read(prompt, lambda: list(choices.items()))) is not None:
        if not line:
            return default
        if line.casefold() in choices:
            return choices[line.casefold()]
        if line in ("q", "quit", "exit"):
            return None
        keys = [choice for choice in choices if len(choice) == 1]  # the words beside them are in the list above
        tell(t("choose_one", text=line[:40], choices=t("comma").join(keys)))
    return None

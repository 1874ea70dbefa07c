"""The first questions to somebody who types `tikal play` and nothing else. Enter is always a good answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tikal.bots import LEVELS
from tikal.bots.bot import table
from tikal.cli.reader import Reader

PLAYERS = ("2", "3", "4")
OPPONENT = "digger"
PEOPLE = "people"
GREETING = "Type the number of a choice, `hint` for advice, `help` for everything else."


@dataclass(frozen=True, slots=True)
class Wish:
    """What somebody wants to play: so many players, and who the others are; or the game that was played last."""

    players: int = 2
    opponents: str = OPPONENT
    resume: bool = False

    @property
    def bots(self) -> dict[int, str]:
        """Who plays the seats besides the first.

        >>> Wish(3, "digger").bots, Wish(3, PEOPLE).bots
        ({2: 'digger', 3: 'digger'}, {})
        """
        return {} if self.opponents == PEOPLE else dict.fromkeys(range(2, self.players + 1), self.opponents)


def welcome(reader: Reader, tell: Callable[[str], None], can_resume: bool) -> Wish | None:
    """Ask for the number of players and their opponents; None when somebody leaves."""
    again = ", r to go on with your last game" if can_resume else ""
    tell(f"Welcome to Tikal. Enter to play against a {OPPONENT}; or 2, 3 or 4 for so many players{again}.")
    words = [*PLAYERS, *(["r"] if can_resume else [])]
    answer = _ask(reader, tell, "players [2]> ", {word: word for word in words}, "")
    if answer is None:
        return None
    if answer in ("", "r"):
        return Wish(resume=answer == "r")
    others = {str(number): level for number, level in enumerate(LEVELS, start=1)} | {str(len(LEVELS) + 1): PEOPLE}
    for number, name in others.items():
        tell(f" {number} {name:<10} {table()[name]['sentence'] if name in LEVELS else 'Everybody at this keyboard.'}")
    choices = others | {name: name for name in others.values()}
    opponents = _ask(reader, tell, f"opponents [{OPPONENT}]> ", choices, OPPONENT)
    return None if opponents is None else Wish(int(answer), opponents)


def _ask(reader: Reader, tell: Callable[[str], None], prompt: str, choices: dict[str, str], default: str) -> str | None:
    """One of the choices; Enter is the default. None at the end of the input, or to leave."""
    while (line := reader.read(prompt, lambda: list(choices.items()))) is not None:
        if not line:
            return default
        if line in choices:
            return choices[line]
        if line in ("q", "quit", "exit"):
            return None
        tell(f"No: {line[:40]}: must be one of {', '.join(choices)}, or just Enter; q to leave")
    return None

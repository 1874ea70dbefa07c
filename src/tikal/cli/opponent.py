"""Bots at the table: which seat is played by one, and how its turns are shown."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from time import sleep
from typing import TYPE_CHECKING

from tikal.cli.panel import BOT
from tikal.rules.errors import TikalError

if TYPE_CHECKING:
    from tikal.bots import Bot
    from tikal.cli.table import Controller, Table

PACE = 0.3  # seconds between the actions of a bot, where somebody watches


class Opponent:
    """A seat that a bot plays. If it fails, somebody else takes over."""

    def __init__(self, bot: Bot, stand_in: Controller) -> None:
        self.bot = bot
        self.stand_in = stand_in

    def decide(self, table: Table) -> bool:
        """Ask the bot, and play what it says, action by action."""
        seat = table.game.seat
        assert seat is not None
        try:
            with table.terminal.waiting(f"{seat} {table.names[seat - 1]} is thinking"):
                plan = self.bot.plan(table.game.view(seat), len(table.game.history))
            for action in plan:
                if table.game.seat != seat:
                    raise TikalError("bot", f"{action}: goes on though it is not its turn any more")
                table.play(action)
                if table.terminal.live:
                    sleep(PACE)
            if not plan:
                raise TikalError("bot", "answered with no action at all")
        except Exception as error:  # a bot may be anybody's code: it must not end the game
            why = str(error) if isinstance(error, TikalError) else f"{type(error).__name__}: {error}"
            self._hand_over(table, seat, why)
        return True

    def _hand_over(self, table: Table, seat: int, why: str) -> None:
        self.close()
        table.controllers[seat - 1] = self.stand_in
        line = f"{seat} {table.names[seat - 1]} fails: {' '.join(why.split())}. This seat is yours now."
        table.heard.append(line)
        table.tell(line)

    def close(self) -> None:
        """End what the bot has started."""
        self.bot.close()


def bots_given(words: Iterable[str], players: int) -> dict[int, str]:
    """The specs of bots by seat, from words like `2=digger`.

    >>> bots_given(["2=surveyor:width=200", "3=program:my-bot --level=2"], 3)
    {2: 'surveyor:width=200', 3: 'program:my-bot --level=2'}
    """
    given: dict[int, str] = {}
    for word in words:
        seat, equals, spec = word.partition("=")
        if not equals or not spec or seat not in map(str, range(1, players + 1)):
            raise TikalError(
                "usage", f"--bot {word}: must be SEAT=SPEC with a seat from 1 to {players}, such as 2=digger"
            )
        if int(seat) in given:
            raise TikalError("usage", f"--bot {word}: seat {seat} has a bot already")
        given[int(seat)] = spec
    return given


def seats_of(names: Sequence[str], human: Controller, given: Collection[str]) -> list[Controller]:
    """Who decides for seats of these names: a bot where the name says so, else the human.

    A record may come from anywhere: the programs that it names are only run if they are `given` by whoever plays.
    """
    seats: list[Controller] = []
    for number, name in enumerate(names, start=1):
        spec = name.removeprefix(BOT)
        if spec == name:
            seats.append(human)
            continue
        if spec.startswith("program:") and spec not in given:
            raise TikalError("usage", f"seat {number} was played by a program; let it play on by --bot {number}={spec}")
        from tikal.bots import make

        seats.append(Opponent(make(spec), human))
    return seats


def named(names: Sequence[str], bots: Mapping[int, str]) -> list[str]:
    """The names of all seats; those of bots say so.

    >>> named(["Ann", "Blue"], {2: "digger"})
    ['Ann', 'bot:digger']
    """
    return [f"{BOT}{bots[seat]}" if seat in bots else name for seat, name in enumerate(names, start=1)]

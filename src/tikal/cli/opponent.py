"""Bots at the table: their seats, and how their turns are shown."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from time import sleep
from typing import TYPE_CHECKING

from tikal.cli.language import explained, t
from tikal.cli.say import BOT, say_name
from tikal.rules.errors import TikalError

if TYPE_CHECKING:
    from tikal.bots import Bot
    from tikal.cli.table import Controller, Table

PACE = 0.3  # seconds between the actions of a bot, if a person is watching


class Opponent:
    """A seat that a bot plays. If the bot fails, a person takes over."""

    def __init__(self, bot: Bot, stand_in: Controller) -> None:
        self.bot = bot
        self.stand_in = stand_in

    def decide(self, table: Table) -> bool:
        """Run the bot, and play its answer, action by action."""
        seat = table.game.seat
        assert seat is not None
        try:
            with table.terminal.waiting(t("thinking", seat=seat, name=say_name(table.names[seat - 1]))):
                plan = self.bot.plan(table.game.view(seat), len(table.game.history))
            for action in plan:
                if table.game.seat != seat:
                    raise TikalError("bot", t("bot_went_on", action=action))
                table.play(action)
                if table.terminal.live:
                    sleep(PACE)
            if not plan:
                raise TikalError("bot", t("bot_silent"))
        except Exception as error:  # a bot may be third-party code: it must not end the game
            why = explained(error) if isinstance(error, TikalError) else f"{type(error).__name__}: {error}"
            self._hand_over(table, seat, why)
        return True

    def _hand_over(self, table: Table, seat: int, why: str) -> None:
        self.close()
        table.controllers[seat - 1] = self.stand_in
        line = t("bot_fails", seat=seat, name=say_name(table.names[seat - 1]), why=" ".join(why.split()))
        table.messages.append(line)
        table.tell(line)

    def close(self) -> None:
        """Ends processes that the bot started."""
        self.bot.close()


def bots_given(words: Iterable[str], players: int) -> dict[int, str]:
    """The specs of bots by seat, from words such as `2=digger`.

    >>> bots_given(["2=surveyor:width=200", "3=program:my-bot --level=2"], 3)
    {2: 'surveyor:width=200', 3: 'program:my-bot --level=2'}
    """
    given: dict[int, str] = {}
    for word in words:
        seat, equals, spec = word.partition("=")
        if not equals or not spec or seat not in map(str, range(1, players + 1)):
            raise TikalError("usage", t("arg_bot", text=word, seats=players))
        if int(seat) in given:
            raise TikalError("usage", t("arg_bot_twice", text=word, seat=seat))
        given[int(seat)] = spec
    return given


def seats_of(names: Sequence[str], human: Controller, given: Collection[str]) -> list[Controller]:
    """The controllers for seats of these names: a bot if the name is a bot's, else the human.

    A record may come from anywhere: the programs that it names are run only if the user has `given` them.
    """
    seats: list[Controller] = []
    for number, name in enumerate(names, start=1):
        spec = name.removeprefix(BOT)
        if spec == name:
            seats.append(human)
            continue
        if spec.startswith("program:") and spec not in given:
            raise TikalError("usage", t("arg_program", seat=number, spec=spec))
        from tikal.bots import make

        seats.append(Opponent(make(spec), human))
    return seats


def named(names: Sequence[str], bots: Mapping[int, str]) -> list[str]:
    """The names of all seats; the names of bots are marked.

    >>> named(["Ann", "Blue"], {2: "digger"})
    ['Ann', 'bot:digger']
    """
    return [f"{BOT}{bots[seat]}" if seat in bots else name for seat, name in enumerate(names, start=1)]

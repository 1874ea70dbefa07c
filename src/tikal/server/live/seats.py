"""Seats in words, as clients send them: me, open, bot:LEVEL, or person:NAME for a person at the same screen."""

from __future__ import annotations

from collections.abc import Sequence

from tikal.bots import LEVELS, given_name
from tikal.server.accounts.names import check_name
from tikal.server.database.rows import Person, Seat, Table
from tikal.server.database.settings import SettingsStore
from tikal.server.errors import Refused

BOT = "bot:"


def check_level(level: str) -> str:
    """A level that clients may choose: one of ours, never a program.

    >>> check_level("program:rm")
    Traceback (most recent call last):
    tikal.server.errors.Refused: bot: must be one of tourist, digger, mason, adventurer, surveyor, professor
    """
    if level not in LEVELS:
        known = ", ".join(LEVELS)
        raise Refused("option", f"bot: must be one of {known}", "bot_level", bot=level, known=known)
    return level


async def seat_of(settings: SettingsStore, number: int, word: str, me: Person, nonce: str | None = None) -> Seat:
    """A seat from a word.

    A bot has the same name at all tables of this person, so that a rematch is against the same bot.
    """
    await settings.check_levels([word.removeprefix(BOT)])
    kind, _, rest = word.partition(":")
    if word == "open":
        return Seat(number, "open")
    if word == "me":
        return Seat(number, "person", me.id, me.name, nonce=nonce)
    if kind == "bot":
        return Seat(number, "bot", None, given_name(check_level(rest), me.id, number), rest)
    if kind == "person":
        return Seat(number, "person", me.id, check_name(rest))
    raise Refused("seat", f"seat {number}: must be me, open, bot:LEVEL or person:NAME", "seat_word", seat=number)


async def seats_of(
    settings: SettingsStore, me: Person, words: Sequence[str], nonce: str | None = None
) -> tuple[Seat, ...]:
    """The seats of a new table."""
    seats = [await seat_of(settings, number, word, me, nonce) for number, word in enumerate(words, 1)]
    if sum(word == "me" for word in words) > 1:
        raise Refused("seat", "seats: me may occur only once; others at this screen are person:NAME", "seat_yours")
    return tuple(seats)


def word_of(seat: Seat) -> str:
    """A seat as its owner sees it: open, bot:LEVEL or person:NAME.

    >>> word_of(Seat(2, "bot", None, "Teo", "digger")), word_of(Seat(3, "open"))
    ('bot:digger', 'open')
    """
    return "open" if seat.kind == "open" else f"{seat.kind}:{seat.level or seat.name}"


def own_seat(table: Table, me: Person) -> int:
    """Which of the person's seats at one screen is their own: the one with their name."""
    mine = sorted(table.held_by(me.id))
    return next((number for number in mine if table.seats[number - 1].name == me.name), mine[0])


def words_for_rematch(old: Table, me: Person) -> list[str]:
    """The seats of a rematch: the caller's and the bots' as they were, all others open (even after a resignation)."""
    mine, own = old.held_by(me.id), own_seat(old, me)
    words = {own: "me"}
    for seat in old.seats:
        kept = seat.seat in mine or (seat.kind == "bot" and not seat.substituted)
        words.setdefault(seat.seat, word_of(seat) if kept else "open")
    return [words[seat.seat] for seat in old.seats]

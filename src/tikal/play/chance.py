"""Deck, treasure order and dice from a seed, by a documented stream that anybody can check.

Version 1. The stream of a purpose (`deck`, `treasures`, `dice`) is made of blocks; block i = 0, 1, … is

    HMAC-SHA256(key = the seed, message = "tikal/1/PURPOSE/i" followed by "/" + nonce for each nonce)

all in UTF-8, and gives eight unsigned 32-bit big-endian words. A number below n is the next word modulo n;
words of 2^32 - 2^32 mod n and above are skipped. A list is shuffled from its end: for i from the last index down to 1
it swaps the items i and (a number below i + 1). `docs/fairness.md` explains it to players.

>>> deal(Options(), "42").deck[0][0]
'A'
>>> commit("42") == commit("43")
False
"""

from __future__ import annotations

import hashlib
import hmac
import re
import struct
from collections.abc import Iterator, Sequence
from itertools import count
from typing import TypeVar

from tikal.rules.errors import TikalError
from tikal.rules.options import Options
from tikal.rules.setup import DICE, Chance, extra_volcanoes, volcano_limits
from tikal.rules.tables import DICE_LIMIT, KINDS, LETTERS, TILES, TOKENS_OF_A_KIND, VOLCANOES

T = TypeVar("T")
STREAM_VERSION = 1
_BY_LETTER = tuple(tuple(tile.name for tile in TILES if tile.name[0] == letter) for letter in LETTERS)
# Printable ASCII without spaces and quotation marks, which delimit a record's tags. Slashes separate nonces.
SEED = re.compile(r"[!#-~]{1,200}")
NONCE = re.compile(r"[!#-.0-~]{1,200}")


class SeedError(TikalError):
    """A seed or a nonce that can't be written into a record."""


class Stream:
    """Numbers from a seed, for one purpose.

    >>> Stream("42", "deck").below(6) in range(6)
    True
    """

    def __init__(self, seed: str, purpose: str, nonces: Sequence[str] = ()) -> None:
        self._words = _words(seed, purpose, nonces)

    def below(self, n: int) -> int:
        """A number from 0 to n - 1, all equally likely."""
        limit = 2**32 - 2**32 % n
        word = next(self._words)
        while word >= limit:
            word = next(self._words)
        return word % n

    def shuffle(self, items: list[T]) -> list[T]:
        """Shuffles a list in place, and returns it."""
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]
        return items


def _words(seed: str, purpose: str, nonces: Sequence[str]) -> Iterator[int]:
    tail = "".join(f"/{nonce}" for nonce in nonces)
    for i in count():  # pragma: no branch  # it never ends
        block = hmac.digest(seed.encode(), f"tikal/{STREAM_VERSION}/{purpose}/{i}{tail}".encode(), "sha256")
        yield from struct.unpack(">8I", block)


def new_seed() -> str:
    """A fresh seed of 256 bits.

    >>> len(new_seed())
    64
    """
    import secrets

    return secrets.token_hex(32)


def check_seed(seed: str | int) -> str:
    """The seed as text; raises `SeedError` if it is not valid.

    >>> check_seed(42)
    '42'
    >>> check_seed("two words")
    Traceback (most recent call last):
    tikal.play.chance.SeedError: seed: must be 1 to 200 printable ASCII characters without spaces or quotation marks
    """
    if type(seed) is int:
        seed = str(seed)
    if not isinstance(seed, str) or not SEED.fullmatch(seed):
        right = "1 to 200 printable ASCII characters without spaces or quotation marks"
        raise SeedError("option", f"seed: must be {right}", "option_seed")
    return seed


def check_nonces(nonces: Sequence[str]) -> tuple[str, ...]:
    """The nonces; raises `SeedError` if one is not valid.

    >>> check_nonces(["ann's", "bob/2"])
    Traceback (most recent call last):
    tikal.play.chance.SeedError: nonce: must be 1 to 200 printable ASCII characters without spaces, quotation marks or /
    """
    for nonce in nonces:
        if not NONCE.fullmatch(nonce):
            right = "1 to 200 printable ASCII characters without spaces, quotation marks or /"
            raise SeedError("option", f"nonce: must be {right}", "option_nonce")
    return tuple(nonces)


def commit(seed: str) -> str:
    """The commitment: a table publishes it before the game, so that the seed can't be changed afterwards.

    A seed of 256 bits can't be found from it; a short one can be guessed.
    """
    return hashlib.sha256(f"tikal/{STREAM_VERSION}/commit/{seed}".encode()).hexdigest()


def deal(options: Options, seed: str, nonces: Sequence[str] = ()) -> Chance:
    """All the chance of a game with this seed."""
    check_seed(seed)
    check_nonces(nonces)
    deck = Stream(seed, "deck", nonces)
    tiles = _sudden_deck(options, deck) if options.sudden_death else _letter_deck(deck)
    kinds = [kind for kind in range(1, KINDS + 1) for _ in range(TOKENS_OF_A_KIND)]
    treasures = Stream(seed, "treasures", nonces).shuffle(kinds)
    return Chance(tuple(tiles), tuple(treasures), _dice(options, Stream(seed, "dice", nonces)))


def _letter_deck(stream: Stream) -> list[str]:
    """The tiles of each letter, shuffled; A on top."""
    return [name for group in _BY_LETTER for name in stream.shuffle([*group])]


def _sudden_deck(options: Options, stream: Stream) -> list[str]:
    """All tiles but volcanoes, shuffled; volcanoes are shuffled in later, and again if `redraw` puts them back."""
    deck = stream.shuffle([tile.name for tile in TILES if tile.name not in VOLCANOES])
    volcano_after = {tiles: name for name, tiles in volcano_limits(options.players).items()}
    listing: list[str] = []
    out = 0
    while deck:
        if out in volcano_after:
            deck = stream.shuffle([*deck, volcano_after[out]])
        shown, deck = deck[: options.players], deck[options.players :]
        listing += shown
        while options.double_volcano == "redraw" and deck:
            extra = extra_volcanoes(shown)
            if not extra:
                break
            deck = stream.shuffle([*deck, *extra])
            drawn, deck = deck[: len(extra)], deck[len(extra) :]
            shown = [name for name in shown if name not in extra] + drawn
            listing += drawn
        out += options.players
    return listing


def _dice(options: Options, stream: Stream) -> tuple[int, ...]:
    if not options.boulders:
        return ()
    number, sides = DICE[str(options.boulders)]
    return tuple(sum(stream.below(sides) + 1 for _ in range(number)) for _ in range(DICE_LIMIT))

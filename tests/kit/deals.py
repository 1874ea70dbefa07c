"""Random options and decks in a known order, for tests of the rules and of everything that plays by them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from tikal.rules.options import VALUES, VARIANTS, OptionError, Options
from tikal.rules.tables import TILES


def random_options(rng: random.Random, **fixed: Any) -> Options:
    """A random legal combination with these values; all turn structures are equally likely."""
    while True:
        structure = rng.choice(("basic", "auction", "sudden_death", "leaps"))
        chosen = {item.name: rng.choice(VALUES[item.name]) for item in fields(Options)}
        if rng.random() < 0.3:  # otherwise hardly any game would be without variants
            chosen |= dict.fromkeys(VARIANTS, False)
        chosen |= {"auction": structure != "basic", "sudden_death": False, "leaps": False, structure: True} | fixed
        chosen.pop("basic", None)
        try:
            return Options(**chosen)
        except OptionError:
            continue


def letter_deck(*first: str, last: Sequence[str] = ()) -> list[str]:
    """All tiles in letter order, some of them at the front or at the end of their letters.

    >>> letter_deck("A5", "A6", last=["A1"])[:6]
    ['A5', 'A6', 'A2', 'A3', 'A4', 'A1']
    """
    names = [tile.name for tile in TILES]
    return sorted(names, key=lambda name: (name[0], name in last, (*first, name).index(name), name))


def ordered_treasures() -> list[int]:
    """The supply of treasures as 1, 1, 1, 2, 2, 2 …"""
    return [kind for kind in range(1, 9) for _ in range(3)]

"""Deals again what a seat can't know: the deck to come, the kinds of undug treasures, the dice."""

from __future__ import annotations

import random

from tikal.rules.core import State
from tikal.rules.facts import Facts
from tikal.rules.setup import DICE, volcano_limits
from tikal.rules.tables import DICE_LIMIT, HEXES, TILES

DICE_KINDS = (None, *DICE)


def redeal(state: State, rng: random.Random) -> State:
    """A copy with another deck to come, other kinds of undug treasures and other dice, as likely as the real ones.

    >>> from tikal.play import Game
    >>> from tikal.rules.options import Options
    >>> state = Game.new(Options(), seed="42").state
    >>> redeal(state, random.Random(1)).export()["deck_next"]
    1
    """
    facts = Facts(state)
    copy = state.clone()
    copy.take_chance(_deck(facts, rng), _kinds(facts, rng), _dice(facts, rng))
    return copy


def _deck(facts: Facts, rng: random.Random) -> list[int]:
    """The letters of the tiles to come are public, so only tiles of the same letter are shuffled."""
    seen, coming = facts.deck[: facts.deck_next], facts.deck[facts.deck_next :]
    if facts.sudden_death:
        return [*seen, *_sudden(facts, coming, rng)]
    rng.shuffle(coming)
    return [*seen, *sorted(coming, key=lambda tile: TILES[tile].name[0])]


def _sudden(facts: Facts, coming: list[int], rng: random.Random) -> list[int]:
    """`sudden_death` has no letters: draws each tile from those in the deck at that point; volcanoes join it later."""
    limits = volcano_limits(facts.players)
    top = None if facts.deck_next in limits.values() else [TILES[tile].name[0] for tile in coming[:1]]
    drawn: list[int] = []
    for place in range(facts.deck_next, len(TILES)):
        ready = [tile for tile in coming if limits.get(TILES[tile].name, 0) <= place]
        if top and not drawn:
            ready = [tile for tile in ready if TILES[tile].name[0] in top]
        drawn.append(rng.choice(ready))
        coming.remove(drawn[-1])
    return drawn


def _kinds(facts: Facts, rng: random.Random) -> list[int]:
    """Shuffles the kinds not yet dug over all the places where they may lie."""
    kinds = list(facts.kinds)
    places = list(range(facts.kind_next, len(kinds)))
    for hex in range(HEXES):
        places += range(facts.token_at[hex], facts.token_at[hex] + facts.tokens[hex])
    hidden = [kinds[place] for place in places]
    rng.shuffle(hidden)
    for place, kind in zip(places, hidden, strict=True):
        kinds[place] = kind
    return kinds


def _dice(facts: Facts, rng: random.Random) -> list[int]:
    name = DICE_KINDS[facts.boulders]
    if name is None:
        return []
    number, sides = DICE[name]
    return [sum(rng.randint(1, sides) for _ in range(number)) for _ in range(DICE_LIMIT)]

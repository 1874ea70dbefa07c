"""What a seat can't know, dealt anew: one of the ways in which the jungle may turn out."""

from __future__ import annotations

import random

from tikal.rules.core import State
from tikal.rules.facts import Facts
from tikal.rules.setup import DICE, VOLCANOES, stage
from tikal.rules.tables import TILES

DICE_KINDS = (None, *DICE)


def redeal(state: State, rng: random.Random) -> State:
    """A copy with another deck to come, other kinds of undug treasures and other dice, all as likely as the real ones.

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
    """Letters are public, and so is the letter on top."""
    seen, coming = facts.deck[: facts.deck_next], facts.deck[facts.deck_next :]
    if facts.sudden_death:
        return [*seen, *_sudden(facts, coming, rng)]
    rng.shuffle(coming)
    return [*seen, *sorted(coming, key=lambda tile: TILES[tile].name[0])]


def _sudden(facts: Facts, coming: list[int], rng: random.Random) -> list[int]:
    """Without letters; a volcano that is not shuffled in yet comes after its stage."""
    if not coming:
        return []
    top = TILES[coming[0]].name[0]
    limits = {name: stage(facts.players) * (i + 1) for i, name in enumerate(VOLCANOES)}
    for _ in range(200):
        rng.shuffle(coming)
        late = (limits.get(TILES[tile].name, 0) > facts.deck_next + i for i, tile in enumerate(coming))
        if TILES[coming[0]].name[0] == top and not any(late):
            break
    return coming


def _kinds(facts: Facts, rng: random.Random) -> list[int]:
    """The kinds not dug yet, over all the places where they may lie."""
    kinds = list(facts.kinds)
    places = list(range(facts.kind_next, len(kinds)))
    for hex in range(40):
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
    return [sum(rng.randint(1, sides) for _ in range(number)) for _ in range(48)]

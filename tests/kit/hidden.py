"""Games that look the same to a viewer, but differ in everything hidden."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from tests.oracle.chance import DICE, put_back_volcanoes, run_sudden_death_deck
from tikal.play import Game
from tikal.rules.codes import TREASURE
from tikal.rules.facts import Facts
from tikal.rules.setup import Chance
from tikal.rules.tables import TILES


def lookalike(game: Game, viewer: int | None, rng: random.Random) -> Game:
    """A game that looks the same to a viewer, with another deck, other tokens, dice and secret choices."""
    facts = Facts(game.state)
    chance = Chance(_deck(game, facts, rng), _treasures(game, facts, rng), _dice(game, facts, rng))
    twin = Game(game.options, chance)
    twin.play(*_actions(game, viewer, rng))
    return twin


def _deck(game: Game, facts: Facts, rng: random.Random) -> tuple[str, ...]:
    if not game.options.sudden_death:
        rest = list(game.chance.deck[facts.deck_next :])
        rng.shuffle(rest)
        return (*game.chance.deck[: facts.deck_next], *sorted(rest, key=lambda name: name[0]))
    redraw = game.options.double_volcano == "redraw"
    known = _came_up(game.chance.deck, game.options.players, facts.deck_next, redraw)
    letter = game.view(None)["top_letter"]
    while True:
        deck = run_sudden_death_deck(game.options.players, redraw, _draws(known, rng))
        if letter in (None, *(name[0] for name in deck[len(known) : len(known) + 1])):
            return tuple(deck)


def _draws(known: list[str], rng: random.Random) -> Callable[[list[str]], str]:
    coming = iter(known)
    return lambda left: next(coming, None) or rng.choice(left)


def _came_up(deck: tuple[str, ...], players: int, stayed: int, redraw: bool) -> list[str]:
    """The part of a listing that has been turned up when this many tiles have stayed."""
    coming = iter(deck)
    known: list[str] = []
    for turned_up in range(0, stayed, players):
        display: list[str] = []
        while len(display) < players:
            known.append(next(coming))
            display.append(known[-1])
            if len(display) == players and redraw and turned_up + players < len(TILES):
                display, _ = put_back_volcanoes(display)
    return known


def _treasures(game: Game, facts: Facts, rng: random.Random) -> tuple[int, ...]:
    dug: set[int] = set()
    for hex in facts.hexes(TREASURE):
        taken = TILES[facts.tile[hex]].value - facts.tokens[hex]
        dug |= set(range(facts.token_at[hex] - taken, facts.token_at[hex]))
    hidden = [kind for at, kind in enumerate(game.chance.treasures) if at not in dug]
    rng.shuffle(hidden)
    coming = iter(hidden)
    return tuple(kind if at in dug else next(coming) for at, kind in enumerate(game.chance.treasures))


def _dice(game: Game, facts: Facts, rng: random.Random) -> tuple[int, ...]:
    if not game.options.boulders:
        return ()
    number, sides = DICE[str(game.options.boulders)]
    rest = [sum(rng.randint(1, sides) for _ in range(number)) for _ in game.chance.dice[facts.dice_next :]]
    return (*game.chance.dice[: facts.dice_next], *rest)


def _actions(game: Game, viewer: int | None, rng: random.Random) -> Iterator[str]:
    """The history; secret choices of others are replaced."""
    steps = list(game.history)
    last = len(steps)
    while game.phase == "leap" and steps[last - 1].action.startswith("J:"):
        last -= 1
    tokens = Facts(game.state).leap_tokens
    for number, step in enumerate(steps):
        secret = number >= last and step.seat != viewer
        yield f"J:{rng.randint(0, min(5, tokens[step.seat - 1]))}" if secret else step.action

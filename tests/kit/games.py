"""Whole games for the tests of `play` and `engine`: every kind of game, played at random so that much happens."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from tests.kit.amounts import COMPILED, sampled
from tests.kit.deals import letter_deck, ordered_treasures
from tests.oracle import random_chance
from tikal.play import Game
from tikal.rules.options import Options
from tikal.rules.tables import HEX_INDEX, HEX_NAMES, NEIGHBOURS, TILES

if TYPE_CHECKING:
    from _pytest.mark.structures import ParameterSet

VOLCANOES = ("B6", "D5", "F5")

# Games that together have every phase, every action and every way for a turn to go.
KINDS: dict[str, dict[str, Any]] = {
    "basic": {},
    "four": {"players": 4, "final_start": "after_last_volcano", "leader_may_guard": False},
    "classic": {"players": 3, "edition": "classic"},
    "rio grande": {"players": 2, "edition": "rio-grande", "machine_gun": True},
    "auction": {"players": 3, "auction": True},
    "instant": {"players": 2, "instant_scoring": True, "boulders": "3d6"},
    "boulders": {"players": 3, "boulders": "2d6", "obstacles": True, "machine_gun": True},
    "auction, all but turns": {
        "players": 4, "auction": True, "boulders": "1d20", "obstacles": True, "machine_gun": True,
        "instant_scoring": True,
    },
    "sudden death": {"players": 4, "auction": True, "sudden_death": True},
    "redraw": {"players": 2, "auction": True, "sudden_death": True, "double_volcano": "redraw"},
    "redraw of three": {
        "players": 3, "auction": True, "sudden_death": True, "double_volcano": "redraw", "boulders": "2d6",
    },
    "taker decides": {"players": 4, "auction": True, "sudden_death": True, "double_volcano": "taker_decides"},
    "taker decides at once": {
        "players": 3, "auction": True, "sudden_death": True, "double_volcano": "taker_decides",
        "instant_scoring": True,
    },
    "members work once": {"players": 3, "edition": "rio-grande-zh"},
    "members work once, leaps": {
        "players": 3, "auction": True, "leaps": True, "members_work_once": True, "boulders": "2d6", "obstacles": True,
        "machine_gun": True,
    },
    "leaps": {"players": 2, "auction": True, "leaps": True},
    "leaps with all": {
        "players": 4, "auction": True, "leaps": True, "boulders": "2d6", "obstacles": True, "machine_gun": True,
    },
}  # fmt: skip


EVERY = 1 if COMPILED else 4


def kinds(first: int) -> list[ParameterSet]:
    """The kinds of games for a test: all of them, or every fourth from `first` on if the core is not compiled.

    Uncompiled, two of these are the sample for `make test`. Tests have different `first`s, so their samples differ.
    (Golden games have every variant in both modes.)
    """
    chosen = list(KINDS)[first % EVERY :: EVERY]
    return sampled(chosen, *(chosen if COMPILED else chosen[first % 2 :: 2][:2]))


def scaled(number: int) -> int:
    """This number of examples, or fewer if the core is not compiled."""
    return number // EVERY


def options_of(kind: str) -> Options:
    return Options(**KINDS[kind])


def new(deck: Sequence[str] | None = None, dice: Sequence[int] | None = None, **options: Any) -> Game:
    """A game whose chance is known: all tiles and treasures in order, or a deck and dice of the caller's."""
    return Game.new(Options(**options), deck=deck or letter_deck(), treasures=ordered_treasures(), dice=dice)


def exact_game(options: Options, rng: random.Random) -> Game:
    """A new game with exact chance from the oracle, independent of our own stream."""
    deck, treasures, dice = random_chance(options.as_dict(), rng)
    return Game.new(options, deck=deck, treasures=treasures, dice=dice if options.boulders else None)


def choose(game: Game, rng: random.Random) -> str:
    """A random action: low bids, few ends of turns, rare actions more often."""
    legal = game.legal()
    if game.phase == "bid":
        return "B:-" if len(legal) == 1 or rng.random() < 0.5 else f"B:{game.status()['bid'] + 1}"
    volcanoes = [action for action in legal if action[2:] in VOLCANOES]
    if game.phase == "take" and volcanoes and rng.random() < 0.5:
        return rng.choice(volcanoes)
    groups: dict[str, list[str]] = {}
    for action in legal:
        groups.setdefault(action[:2] if action[1:2] in ":@" or action[0] in "+G" else action[2:3], []).append(action)
    weights = {"C@": 0.3, "GW": 0.1, "GL": 0.1, "O:": 0.1, ".": 0.3, "+W": 2.0, "M@": 3.0}
    names = sorted(groups)
    (name,) = rng.choices(names, [weights.get(each, 1.0) for each in names])
    return rng.choice(groups[name])


def moments(game: Game, rng: random.Random, share: float = 1.0) -> Iterator[Game]:
    """Plays a game to its end; yields it at a share of its decisions, and at the end."""
    while not game.over:
        if rng.random() < share:
            yield game
        game.play(choose(game, rng))
    yield game


@cache
def finished(kind: str, seed: int = 0, by_seed: bool = True) -> Game:
    """A whole game of a kind, from a seed or from exact chance. It is shared: don't change it."""
    rng = random.Random(seed)
    options = options_of(kind)
    game = Game.new(options, seed=f"{kind.replace(' ', '-')}/{seed}") if by_seed else exact_game(options, rng)
    for _ in moments(game, rng):
        pass
    return game


def copy(game: Game, actions: int | None = None) -> Game:
    """An independent copy of a game after this number of its actions, by default all."""
    twin = Game(game.options, game.chance, game.seed, game.nonces)
    twin.play(*[step.action for step in game.history[:actions]])
    return twin


# With volcanoes on these three hexes the two in the corner are out of reach.
GATE = ("g1", "g2", "h3")
CORNER = ("h1", "h2")


def sealed_game(**options: Any) -> Game:
    """A game with 34 tiles on the board, in which the two remaining hexes are out of reach. No AP were spent."""
    game = new(letter_deck(last=VOLCANOES), **options)
    while len(game.status()["tiles"]) < 34:
        game.play(_sealing(game))
    return game


def _sealing(game: Game) -> str:
    if game.phase == "place":
        if game.status()["tile"] in VOLCANOES:
            return next(action for action in game.legal() if action[3:5] in GATE)
        places = [action for action in game.legal() if action[3:5] not in GATE + CORNER]
        # The gate is needed early, so tiles lead there first; each is turned so that the next one fits.
        return min(places, key=lambda action: (_distance(action[3:5], "g2"), action))
    return idle(game)


@cache
def _distance(start: str, goal: str) -> int:
    reached, steps = {HEX_INDEX[start]}, 0
    while HEX_INDEX[goal] not in reached:
        reached |= {other for hex in reached for other in NEIGHBOURS[hex] if other >= 0}
        steps += 1
    return steps


def seats(game: Game) -> Sequence[int | None]:
    """All viewers: every seat, and a spectator."""
    return (None, *range(1, game.options.players + 1))


HEXES = HEX_NAMES


def idle(game: Game) -> str:
    """The action that does the least: passes, takes and places what comes first, ends turns."""
    quiet = {"act": ".", "bid": "B:-", "decide": "V:-", "leap": "J:0"}
    return quiet.get(game.phase) or game.legal()[0]


def idle_until(game: Game, reached: Callable[[Game], bool]) -> Game:
    """Plays idle actions until a condition is met."""
    while not reached(game):
        game.play(idle(game))
    return game


def sudden_deck(*fixed: tuple[int, str]) -> list[str]:
    """All tiles by name, volcanoes last, except these at fixed places."""
    rest = sorted((tile.name for tile in TILES), key=lambda name: (name in VOLCANOES, name))
    for _, name in fixed:
        rest.remove(name)
    for at, name in sorted(fixed):
        rest.insert(at, name)
    return rest

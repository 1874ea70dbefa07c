"""Whole random games: options, chance, and ways of choosing that reach the rare actions."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from tests.kit.amounts import COMPILED
from tests.kit.deals import letter_deck, random_options
from tests.oracle import random_chance
from tikal.rules import codes
from tikal.rules.core import Moves, State
from tikal.rules.options import Options
from tikal.rules.setup import Chance, new_state

UNCOMPILED_SHARE = 0.1  # uncompiled, and measured for coverage, everything takes about fifty times as long
LONGEST = 5000  # decisions; no game comes close


def scaled(games: int) -> int:
    """This number of games, or a share of it if the core is not compiled."""
    return games if COMPILED else max(1, round(games * UNCOMPILED_SHARE))


def deal(options: Options, rng: random.Random) -> Chance:
    """Random chance for a game with these options."""
    deck, treasures, dice = random_chance(options.as_dict() | {"board": "original"}, rng)
    chance = Chance(tuple(deck), tuple(treasures), tuple(dice))
    chance.check(options)
    return chance


def start(options: Options, rng: random.Random) -> State:
    """The first state of a game with random chance."""
    return new_state(options, deal(options, rng))


def known_game(*first: str, treasures: Sequence[int] = (1, 2, 3, 4, 5, 6, 7, 8) * 3, **options: Any) -> State:
    """The first state of a game in which these tiles come first of their letters."""
    return new_state(Options(**options), Chance(tuple(letter_deck(*first)), tuple(treasures)))


class Player:
    """Chooses at random, the kind of action first, with random preferences: some love guards, some never end a turn.

    >>> Player(random.Random(1)).choose([codes.END])
    0
    """

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.weights = [4.0 ** rng.uniform(-2, 1) for _ in range(17)]
        self.weights[codes.END] = 4.0 ** rng.uniform(-4, -1)
        self.weights[codes.GUN] = self.weights[codes.SHOOT] = 20.0  # hardly ever possible, so nearly always taken
        self.pass_chance = rng.uniform(0.2, 0.8)

    def choose(self, moves: Sequence[int]) -> int:
        """One of these actions."""
        if moves[0] & 31 == codes.BID:
            return self._bid(moves)
        by_kind: dict[int, list[int]] = {}
        for action in moves:
            by_kind.setdefault(action & 31, []).append(action)
        kinds = list(by_kind)
        (kind,) = self.rng.choices(kinds, [self.weights[each] for each in kinds])
        return self.rng.choice(by_kind[kind])

    def _bid(self, moves: Sequence[int]) -> int:
        if self.rng.random() < self.pass_chance:
            return moves[0]
        return self.rng.choice(moves[: 1 + self.rng.choice((1, 3, 20))])


def steps(state: State, rng: random.Random) -> Iterator[tuple[list[int], int]]:
    """Plays a state to its end: yields the legal actions and the chosen one before it is applied to the state."""
    player, moves = Player(rng), Moves()
    for _ in range(LONGEST):
        if not state.legal(moves):
            assert state.phase == codes.FINISHED, "a decision without a legal action"
            return
        choices = list(moves)
        action = player.choose(choices)
        yield choices, action
        state.apply_unchecked(action)
    raise AssertionError("the game does not end")


def sampled_states(games: int, share: float, seed: int) -> Iterator[State]:
    """States from random games with random options; each state is taken with this probability."""
    for game in range(games):
        rng = random.Random(seed * 1_000_003 + game)
        state = start(random_options(rng), rng)
        for _ in steps(state, rng):
            if rng.random() < share:
                yield state


@cache
def imaginable() -> tuple[int, ...]:
    """Every action that can be written, except bids, whether or not it makes sense."""
    board, members, table = range(40), range(2), range(4)
    pairs = [(p, q) for p in board for q in board]
    found = [
        codes.END,
        *(codes.pack(codes.DECIDE, p) for p in range(2)),
        *(codes.pack(codes.LEAP, p) for p in range(6)),
    ]
    found += [codes.pack(kind, p, 0, r) for kind in (codes.ENTER, codes.GUARD) for p in board for r in members]
    found += [codes.pack(kind, p, q, r) for kind in (codes.MOVE, codes.CAMP_MOVE) for p, q in pairs for r in members]
    found += [codes.pack(kind, p) for kind in (codes.EXCAVATE, codes.DIG, codes.CAMP, codes.GUN) for p in board]
    found += [codes.pack(codes.EXCHANGE, p, q, r) for p in table for q in range(8) for r in range(8)]
    found += [codes.pack(codes.PLACE, p, q, r) for p in board for q in range(6) for r in range(36)]
    found += [codes.pack(codes.TAKE, p) for p in range(36)]
    found += [codes.pack(codes.OBSTACLE, p, q) for p, q in pairs]
    found += [codes.pack(codes.SHOOT, p, q) for p in board for q in table]
    return tuple(found)

# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, infer_types=True, annotation_typing=False
"""Loops that run the core millions of times: counting action sequences and playing at random."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tikal.rules.core import Moves, State

if TYPE_CHECKING:
    import cython
else:
    from tikal import _nocython as cython

if not cython.compiled:

    def next_random(x: int) -> int:
        """Marsaglia's xorshift of 64 bits; its state must not be 0."""
        x ^= x << 13 & 2**64 - 1
        x ^= x >> 7
        return x ^ x << 17 & 2**64 - 1


def perft(state: State, depth: int) -> int:
    """The number of action sequences of this length; one that ends the game early counts 1.

    >>> from tikal.rules.core import State
    >>> from tikal.rules.options import Options
    >>> perft(State(Options(), range(36), [0, 1, 2, 3, 4, 5, 6, 7] * 3), 0)
    1
    """
    if depth == 0:
        return 1
    moves = Moves()
    count = state.legal(moves)
    if count == 0:
        return 1
    if depth == 1:
        return count
    total = 0
    child = state.clone()
    for i in range(count):
        child.copy_from(state)
        child.apply_unchecked(moves.item[i])
        total += perft(child, depth - 1)
    return total


def playout(state: State, moves: Moves, seed: int) -> int:
    """Plays a state to its end with uniformly random legal actions; returns how many it played.

    >>> from tikal.rules.core import Moves, State
    >>> from tikal.rules.options import Options
    >>> state = State(Options(), range(36), [0, 1, 2, 3, 4, 5, 6, 7] * 3)
    >>> playout(state, Moves(), 1) > 36 and state.winners > 0
    True
    """
    decisions = 0
    count = state.legal(moves)
    while count:
        seed = next_random(seed)
        state.apply_unchecked(moves.item[(seed >> 32) * count >> 32])
        decisions += 1
        count = state.legal(moves)
    return decisions


def playouts(state: State, games: int, seed: int) -> int:
    """Plays random games from a state, which does not change; returns how many actions they had in total."""
    moves = Moves()
    game = state.clone()
    total = 0
    for _ in range(games):
        game.copy_from(state)
        seed = next_random(seed)
        total += playout(game, moves, seed)
    return total

"""Valid input, changed at random."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from typing import Any

from hypothesis import strategies as st

from tests.kit.games import HEXES, KINDS, exact_game, moments, options_of

View = dict[str, Any]


@cache
def pool() -> list[View]:
    """Views from all kinds of games, for several seats."""
    made: list[View] = []
    for kind in KINDS:
        rng = random.Random(f"pool {kind}")
        for game in moments(exact_game(options_of(kind), rng), rng, share=0.03):
            made += [game.view(game.seat), game.view(None)]
    return made


def paths(value: Any, here: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths to all parts of a JSON value."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in items:
        yield (*here, key)
        yield from paths(part, (*here, key))


STRANGE: list[Any] = [
    None, True, False, -1, 0, 1, 2, 3, 4, 5, 7, 10, 40, 10**30, 1.5, float("nan"), "", "a1", "b3", "h5", "A5", "B6",
    "reserve", "gone", "act", "place", "bid", "take", "leap", "decide", "over", "volcano", "final", "walking", "\ud800",
    [], {}, [1], [1, 2], {"a1": 1}, {"b2": 1}, [[[[]]]],
]  # fmt: skip


def spoil(seen: View, rng: random.Random) -> None:
    """Changes a part of a view: a number slightly, or any value to any other."""
    *path, last = rng.choice(list(paths(seen)))
    where: Any = seen
    for key in path:
        where = where[key]
    way = rng.random()
    if way < 0.4 and type(where[last]) is int:
        where[last] += rng.choice((-1, 1, 2))
    elif way < 0.5:
        del where[last]
    elif way < 0.6 and isinstance(where, list):
        where.append(where[last])
    elif way < 0.7 and isinstance(where, dict) and path:
        where[rng.choice(HEXES)] = where[last]
    else:
        where[last] = rng.choice(STRANGE)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)

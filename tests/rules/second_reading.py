"""One game in the core and in the oracle at once: the same legal actions and the same status at every step."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping

from tests.kit.states import deal, steps
from tests.oracle import Oracle
from tikal.play.notation import text
from tikal.play.view import status, view
from tikal.rules.options import Options
from tikal.rules.setup import new_state


def play_both(options: Options, rng: random.Random, board: Mapping[str, object] | None = None) -> Counter[str]:
    """Plays one random game; returns how often each kind of action was played.

    `board` is the oracle's form of the options' board, if that is not a printed one.
    """
    chance = deal(options, rng)
    given = options.as_dict() | ({"board": board} if board else {})
    oracle = Oracle(given, list(chance.deck), list(chance.treasures), list(chance.dice))
    state = new_state(options, chance)
    played: list[str] = []
    for choices, action in steps(state, rng):
        legal = sorted(map(text, choices))
        assert legal == oracle.legal(), f"{options} after {played[-20:]}"
        assert status(state) == oracle.status(), f"{options} after {played[-20:]}"
        if options.members_work_once and oracle.phase == "act" and oracle.seat:
            counts = view(state, options, None)["worked"][oracle.seat - 1]
            assert counts == dict(+oracle.limits[oracle.seat].worked), f"{options} after {played[-20:]}"
        played.append(text(action))
        oracle.play(played[-1])
    assert status(state) == oracle.status(), f"{options} after {played[-20:]}"
    assert oracle.legal() == []
    return Counter(map(kind, played))


def kind(action: str) -> str:
    """An action's kind: its first character, for members also how they move, for guards and entries which member.

    >>> [kind(action) for action in ("A5@b3^0", "+W@a1", "W:a1=b2", "X@a2", "B:-")]
    ['place', '+W', 'W=', 'X', 'B-']
    """
    if "^" in action:
        return "place"
    if action[:2] in ("W:", "L:"):
        return action[0] + action[4]
    if action == "B:-":
        return "B-"
    return action[:2] if action[0] in "+G" else action[0]

"""The fast core against the plain second reading in `tests/oracle`: whole random games over random options."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from tests.kit.amounts import COMPILED, amounts
from tests.kit.deals import random_options
from tests.kit.states import scaled
from tests.rules.second_reading import play_both
from tikal.rules.options import VARIANTS

OFFICIAL = {"place", "+W", "+L", "W-", "W=", "L-", "L=", "X", "D", "S", "C", "GW", "GL", "."}
AUCTION = OFFICIAL | {"B", "B-", "K"}
FIRST = 300  # ten games from this seed on show every kind of action in every part
GAMES = amounts(10, long=35) if COMPILED else amounts(1, long=4)
# What all games of a part have in common, and the kinds of actions that they must contain to prove something.
PARTS: dict[str, tuple[dict[str, Any], set[str]]] = {
    "any options": ({}, AUCTION | {"O"}),
    "official": (dict.fromkeys(VARIANTS, False), AUCTION),
    "basic": ({"auction": False, "sudden_death": False, "leaps": False}, OFFICIAL),
    "guns": ({"machine_gun": True, "auction": False}, OFFICIAL | {"M", "R"}),
    "boulders and obstacles": ({"boulders": "2d6", "obstacles": True}, OFFICIAL | {"O"}),
    "leaps": ({"auction": True, "leaps": True, "machine_gun": True}, AUCTION | {"J", "M"}),
    "members work once": ({"members_work_once": True}, AUCTION),
    "members work once, with boulders and obstacles": (
        {"members_work_once": True, "boulders": "2d6", "obstacles": True, "machine_gun": True},
        OFFICIAL | {"O"},
    ),
    "members work once in leaps": (
        {"members_work_once": True, "auction": True, "leaps": True, "machine_gun": True, "obstacles": True},
        AUCTION | {"J"},
    ),
    "sudden death": ({"auction": True, "sudden_death": True, "double_volcano": "redraw"}, AUCTION),
    "takers decide": (
        {"players": 4, "auction": True, "sudden_death": True, "double_volcano": "taker_decides"},
        AUCTION | {"V"},
    ),
}


def play_many(first: int, games: int, **fixed: Any) -> Counter[str]:
    seen: Counter[str] = Counter()
    for game in range(first, first + games):
        rng = random.Random(game)
        seen += play_both(random_options(rng, **fixed), rng)
    return seen


@pytest.mark.slow
@pytest.mark.parametrize("games", GAMES)
@pytest.mark.parametrize("part", PARTS)
def test_core_and_oracle_agree_at_every_step(part: str, games: int) -> None:
    fixed, kinds = PARTS[part]
    seen = play_many(FIRST, games, **fixed)
    wanted = kinds if COMPILED else {"place", "."}  # few games can't show everything
    assert wanted <= set(seen)


@pytest.mark.soak
@pytest.mark.parametrize("part", range(100))
def test_core_and_oracle_agree_in_thousands_of_games(part: int) -> None:
    assert set(play_many(1_000_000 + part * 1000, scaled(100))) >= AUCTION

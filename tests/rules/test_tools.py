"""The tools of these tests do what their examples say."""

from __future__ import annotations

import doctest
import random
from types import ModuleType

import pytest

from tests.kit import positions, states
from tests.kit.deals import random_options
from tests.kit.positions import Position
from tests.rules import second_reading
from tikal.play.view import status
from tikal.rules.options import Options


@pytest.mark.parametrize("module", [states, positions, second_reading], ids=lambda module: module.__name__)
def test_examples_of_the_tools_hold(module: ModuleType) -> None:
    result = doctest.testmod(module)
    assert (result.failed, result.attempted > 0) == (0, True)


def test_a_position_is_as_it_was_described() -> None:
    state = Position(
        options=Options(players=3, machine_gun=True, obstacles=True),
        seat=2,
        ap=7,
        tiles="B2@c3^1 C3@d3^2 E2@e3^0",
        levels={"c3": 5},
        tokens={"d3": 1},
        members={1: "c3:LWW a1:W", 3: "gone d3:W"},
        camps={"b2": 3},
        guards={"a2": 2, "e3": 1},
        guns="e3",
        obstacles="a1-b2",
        treasures={2: {4: 2}},
        scores={1: 9},
        supply={5: 7},
    ).state()
    shown = status(state)
    assert (shown["phase"], shown["seat"], shown["ap"], shown["deck_left"]) == ("act", 2, 7, 33)
    assert shown["tiles"] == {"c3": "B2^1", "d3": "C3^2", "e3": "E2^0"}
    assert (shown["levels"]["c3"], shown["levels"]["e3"], shown["tokens"]) == (5, 6, {"d3": 1})
    assert shown["workers"] == [{"a1": 1, "c3": 2}, {}, {"d3": 1}]
    assert (shown["leader"], shown["reserve"]) == (["c3", "reserve", "gone"], [15, 18, 17])
    assert (shown["camps"], shown["guards"], shown["guns"]) == ({"b2": 3}, {"a2": 2, "e3": 1}, ["e3"])
    assert (shown["obstacles"], shown["scores"], shown["supply"]["5"]) == (["a1-b2"], [9, 0, 0], 7)
    assert shown["treasures"][1] == [0, 0, 0, 2, 0, 0, 0, 0]


def test_all_turn_structures_come_up_with_and_without_variants() -> None:
    found = {
        (options.auction, options.sudden_death, options.leaps, bool(options.variants))
        for options in map(random_options, map(random.Random, range(300)))
    }
    basic_and_auction = {(auction, False, False, variants) for auction in (False, True) for variants in (False, True)}
    assert found == basic_and_auction | {(True, True, False, True), (True, False, True, True)}
    guns = [random_options(random.Random(seed), machine_gun=True, players=4) for seed in range(20)]
    assert all(options.machine_gun and options.players == 4 for options in guns)

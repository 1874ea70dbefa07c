"""The worked examples of the rules, one by one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.kit.positions import Position, cost, legal, play, refused, scores, seat_of, worth
from tests.kit.states import known_game
from tikal.play.view import status
from tikal.rules.codes import PHASES
from tikal.rules.core import State
from tikal.rules.options import Options
from tikal.rules.setup import Chance, new_state
from tikal.rules.tables import TILES

AUCTION_OF_4 = Options(players=4, auction=True)


def phase(state: State) -> tuple[str, int]:
    """The decision, and its seat."""
    return PHASES[state.phase], seat_of(state)


def place_anywhere(state: State) -> State:
    return play(state, legal(state)[0])


def play_out_turn(state: State) -> State:
    """Takes the first tile, places it anywhere, and spends nothing."""
    return play(place_anywhere(place_anywhere(state)), ".")


def test_example_01_first_turns() -> None:
    state = play(known_game("A5", "A6"), "A5@b3^0")
    for action, left in (("+L@a1", 9), ("L:a1-b2", 8), ("L:b2-b3", 7), ("D@b3", 4)):
        state = play(state, action)
        assert state.ap == left
    assert refused(state, "D@b3") == "members"
    state = play(state, "+W@a1", "+W@a1")
    assert state.ap == 2
    state = play(state, "W:a1-a2")
    assert state.ap == 0
    assert legal(state) == ["."]
    state = play(state, ".")
    assert phase(state) == ("place", 2)
    assert status(state)["tile"] == "A6"
    state = play(place_anywhere(state), "+W@a1", "+W@a1")
    assert state.ap == 8
    state = play(state, "W:a1-a2", "W:a1-a2")
    assert state.ap == 4
    state = play(state, "X@a2", "X@a2")
    assert (state.ap, status(state)["levels"]["a2"]) == (0, 3)
    assert phase(play(state, ".")) == ("place", 1)


def test_example_02_printed_costs() -> None:
    state = known_game()
    pairs = (("a1", "b2"), ("a1", "a2"), ("a1", "b1"), ("b2", "a2"), ("b2", "b1"))
    assert [cost(state, *pair) for pair in pairs] == [1, 2, 2, 0, 0]
    assert [cost(state, goal, start) for start, goal in pairs] == [1, 2, 2, 0, 0]
    worker_on_the_jungle = Position(members={1: "b2:W"}).state()
    assert legal(worker_on_the_jungle, "W:") == ["W:b2-a1"]


def test_example_03_scoring() -> None:
    temples = Position(
        tiles="B2@c3^0 D1@d3^0 D2@e3^0 E2@f3^0",
        levels={"f3": 8},
        members={1: "c3:WW d3:WW e3:L f3:WW", 2: "c3:W d3:W e3:W f3:W"},
    )
    assert worth(temples.state(), 1) == 21
    assert worth(temples.state(), 2) == 0
    treasures = {1: {1: 2, 2: 2, 3: 1, 4: 1}}
    assert worth(Position(treasures=treasures).state(), 1) == 8
    both = replace(temples, treasures=treasures, scoring="volcano", order=(1, 2), hand="B6")
    assert scores(play(both.state(), ".")) == [29, 0]


def test_example_04_three_stones_on_one_side() -> None:
    there = Position(tiles="C1@c3^0 E4@c4^1", members={1: "c3:W"}, ap=3)
    assert cost(there.state(), "c3", "c4") == 3
    assert play(there.state(), "W:c3-c4").ap == 0
    assert refused(replace(there, ap=2).state(), "W:c3-c4") == "ap"


def test_example_04_stones_towards_a_volcano_never_help() -> None:
    beside = Position(tiles="C1@h3^0 B6@h4^0", members={1: "h3:W"})
    assert cost(beside.state(), "h3", "h4") == 0
    assert refused(beside.state(), "W:h3-h4") == "volcano"
    # h5 has no other explored neighbour: neither the new tile's stones nor anybody's lead there
    placing = replace(beside, phase="place", hand="A1").state()
    assert legal(placing, "A1@h5") == []
    assert {refused(placing, f"A1@h5^{k}") for k in range(6)} == {"stones"}
    assert legal(placing, "A1@g3") != []  # next to h3 as well


def test_example_05_three_tokens_in_two_turns() -> None:
    state = Position(tiles="C3@c3^0", members={1: "c3:WWW"}).state()
    state = play(state, "D@c3", "D@c3")
    assert state.ap == 4
    assert refused(state, "D@c3") == "limit"
    state = play(place_anywhere(play(state, ".")), ".")
    state = place_anywhere(state)
    assert phase(state) == ("act", 1)
    assert status(play(state, "D@c3"))["tokens"]["c3"] == 0


def test_example_06_guard() -> None:
    temple = Position(tiles="E2@c3^0", members={1: "c3:LW", 2: "c3:WWW"})
    state = play(temple.state(), "GL@c3")
    shown = status(state)
    assert (shown["guards"], shown["leader"][0]) == ({"c3": 1}, "gone")
    assert shown["workers"] == [{}, {"c3": 3}]
    assert shown["reserve"] == [17, 15]  # the worker left the game, it did not come back
    assert (worth(state, 1), worth(state, 2)) == (6, 0)
    for seat in (1, 2):
        raising = replace(temple, guards={"c3": 1}, seat=seat)
        assert refused(raising.state(), "X@c3") == "guarded"
    leader_alone = replace(temple, members={1: "c3:L", 2: "c3:WWW"}).state()
    assert refused(leader_alone, "GL@c3") == "strength"


def test_example_07_a_tie_scores_for_nobody_and_a_temple_for_two() -> None:
    tied = Position(members={1: "a2:W", 2: "a2:W"}, scoring="volcano", order=(1, 2), hand="B6").state()
    assert (worth(tied, 1), worth(tied, 2)) == (0, 0)
    assert scores(play(tied, ".", ".")) == [0, 0]
    state = play(tied, "+W@a1", "W:a1-a2", ".")
    assert (scores(state), seat_of(state)) == ([1, 0], 2)
    state = play(state, "+L@a1", "L:a1-a2", ".")
    assert (scores(state), phase(state)) == ([1, 1], ("place", 1))


def test_example_08_exchange() -> None:
    position = Position(treasures={1: {1: 2, 2: 1, 3: 1}, 2: {4: 2, 3: 1, 5: 1}})
    state = position.state()
    assert legal(state, "S") == ["S:2:2/3", "S:2:2/5", "S:2:3/5"]
    assert refused(state, "S:2:1/5") == "give"
    assert refused(state, "S:2:2/4") == "take"
    state = play(state, "S:2:2/3")
    assert status(state)["treasures"] == [[2, 0, 2, 0, 0, 0, 0, 0], [0, 1, 0, 2, 1, 0, 0, 0]]
    assert state.ap == 7


def test_example_09_a_round_of_auctions() -> None:
    state = known_game(players=4, auction=True)
    assert phase(state) == ("bid", 1)
    state = play(state, "B:4", "B:5", "B:-", "B:-", "B:-")
    assert (phase(state), scores(state)) == (("take", 2), [20, 15, 20, 20])
    state = play_out_turn(state)
    assert phase(state) == ("bid", 3)
    state = play(state, "B:-", "B:3", "B:4", "B:-")
    assert (phase(state), scores(state)) == (("take", 1), [16, 15, 20, 20])
    state = play_out_turn(state)
    assert phase(state) == ("bid", 3)
    state = play(state, "B:-", "B:-")
    assert (phase(state), scores(state)) == (("take", 3), [16, 15, 20, 20])
    state = play_out_turn(state)
    assert (phase(state), len(legal(state))) == (("take", 4), 1)
    state = play_out_turn(state)
    assert (phase(state), scores(state)) == (("bid", 1), [16, 15, 20, 20])
    assert len(status(state)["display"]) == 4


def test_example_10_bids_in_detail() -> None:
    state = known_game(players=4, auction=True)
    asked = []
    for action in ("B:1", "B:2", "B:-", "B:3", "B:4", "B:5", "B:-", "B:-"):
        asked.append(seat_of(state))
        if state.bid:
            assert refused(state, f"B:{state.bid}") == "high"
        state = play(state, action)
    assert asked == [1, 2, 3, 4, 1, 2, 4, 1]
    assert (phase(state), scores(state)) == (("take", 2), [20, 15, 20, 20])


def test_example_11_level_supply() -> None:
    temple = Position(tiles="B2@c3^0", members={1: "c3:WW", 2: "c3:W"})
    assert legal(temple.state(), "X") == ["X@c3"]
    used_up = replace(temple, supply={4: 0})
    for seat in (1, 2):
        state = replace(used_up, seat=seat).state()
        assert legal(state, "X") == []
        assert refused(state, "X@c3") == "supply"


def test_example_12_final_order_of_the_auction_game() -> None:
    last_turn = Position(
        options=AUCTION_OF_4, seat=2, had_turn=(1, 3, 4), deck_left=0, scores={1: 12, 2: 30, 3: 12, 4: 25}
    )
    state = last_turn.state()
    order = []
    while PHASES[(state := play(state, ".")).phase] != "over":
        order.append(seat_of(state))
    assert order == [3, 1, 4, 2]


def test_example_13_two_ways_of_equal_cost() -> None:
    state = play(known_game("A5"), "A5@b3^1", "+W@a1", "+W@a1")
    by_jungle = play(state, "W:a1-b2", "W:b2-b3")
    by_temple = play(state, "W:a1-a2", "W:a2-b3")
    assert [cost(state, *step) for step in (("a1", "b2"), ("b2", "b3"), ("a1", "a2"), ("a2", "b3"))] == [1, 2, 2, 1]
    assert by_jungle.ap == by_temple.ap == 8 - 3
    assert by_jungle.key() == by_temple.key()


def test_example_14_work_at_several_temples() -> None:
    state = Position(tiles="B2@c3^0 C2@d3^0", members={1: "c3:W d3:WWW"}).state()
    state = play(state, "X@c3", "X@d3", "X@d3")
    shown = status(state)["levels"]
    assert (shown["c3"], shown["d3"], state.ap) == (4, 6, 4)
    assert legal(state, "X") == []
    assert refused(state, "X@d3") == "limit"  # a third member gives no third level
    assert refused(state, "X@c3") == "members"


def test_example_14_work_at_several_treasure_tiles() -> None:
    state = Position(tiles="A5@b3^0 A4@c2^0", members={1: "b3:WWW"}).state()
    assert cost(state, "b3", "c2") == 1
    state = play(state, "D@b3", "D@b3", "W:b3-c2", "D@c2")
    assert state.ap == 0


def test_example_15_a_walk() -> None:
    # a temple d3, a jungle d4, a treasure tile e3, another temple c3
    state = Position(tiles="C1@d3^0 B4@d4^0 F3@e3^5 A1@c3^1", members={1: "d3:L"}).state()
    assert cost(state, "d3", "d4") == 3
    assert cost(state, "d4", "e3") == 3
    assert cost(state, "d3", "e3") == 0
    assert cost(state, "d3", "c3") == 1
    assert play(state, "L:d3-d4", "L:d4-e3").ap == 10 - 6
    assert refused(state, "L:d3-e3") == "passage"


def test_example_16_a_stone_on_one_side_is_enough() -> None:
    # c4 is next to c3 only; d3 is next to c3 only
    state = Position(phase="place", tiles="C1@c3^0", hand="C5").state()
    assert legal(state, "C5@c4") == [f"C5@c4^{k}" for k in range(6)]  # the neighbour's stones
    assert legal(state, "C5@d3") == ["C5@d3^5"]  # the new tile's own, when they face northwest
    assert refused(state, "C5@d3^0") == "stones"
    both = play(state, "C5@c4^3")
    assert cost(both, "c3", "c4") == 6


def test_example_16_a_detour_beats_a_direct_passage() -> None:
    way = Position(tiles="C1@c4^3 A6@d4^4 E4@c3^2", members={1: "c3:W"}, ap=3)
    assert [cost(way.state(), *step) for step in (("c3", "c4"), ("c3", "d4"), ("d4", "c4"))] == [3, 1, 1]
    assert play(way.state(), "W:c3-c4").ap == 0
    assert play(way.state(), "W:c3-d4", "W:d4-c4").ap == 1
    assert refused(replace(way, ap=2).state(), "W:c3-c4") == "ap"


@pytest.mark.parametrize("first", ["V:+", "V:-"])
def test_example_17_three_volcanoes_in_one_round(first: str) -> None:
    others = [tile.name for tile in TILES if tile.terrain != "volcano"]
    deck = (*others[:24], "B6", "D5", "F5", *others[24:])
    options = Options(players=4, auction=True, sudden_death=True, double_volcano="taker_decides")
    chance = Chance(deck, (1, 2, 3, 4, 5, 6, 7, 8) * 3)
    chance.check(options)
    state = new_state(options, chance)
    while status(state)["deck_left"] != 36 - 28:
        state = play(state, "." if state.phase == PHASES.index("act") else legal(state)[-1])
    assert {"B6", "D5", "F5"} < set(status(state)["display"])

    def take(state: State, tile: str) -> State:
        while state.phase == PHASES.index("bid"):
            state = play(state, "B:-")
        return play(state, f"K:{tile}")

    def end_budgets(state: State) -> State:
        while state.phase == PHASES.index("act"):
            state = play(state, ".")
        return state

    for tile, says in (("B6", first), ("D5", "V:-")):
        state = take(state, tile)
        assert (PHASES[state.phase], legal(state)) == ("decide", ["V:+", "V:-"])
        state = play(state, says)
        assert PHASES[state.phase] == ("act" if says == "V:+" else "place")
        state = end_budgets(state)
        state = end_budgets(place_anywhere(state))
    state = take(state, "F5")
    assert phase(state)[0] == "act", "the third must score: nobody is asked"
    assert state.round_kind
    state = end_budgets(state)
    assert PHASES[state.phase] == "place"
    state = place_anywhere(state)
    assert (PHASES[state.phase], legal(state)) == ("over", [])

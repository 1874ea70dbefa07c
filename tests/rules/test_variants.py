"""The variants that change the course of a game: instant scoring, sudden death and leaps."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.kit.positions import SEALING, Position, legal, play, refused, scores, seat_of
from tests.kit.states import known_game
from tikal.play.view import status, view
from tikal.rules.codes import PHASES
from tikal.rules.core import State
from tikal.rules.options import Options
from tikal.rules.setup import Chance, ChanceError, new_state
from tikal.rules.tables import TILES

KINDS = (1, 2, 3, 4, 5, 6, 7, 8) * 3
PLAIN_TILES = [tile.name for tile in TILES if tile.terrain != "volcano"]


def phase(state: State) -> tuple[str, int]:
    """The decision, and its seat."""
    return PHASES[state.phase], seat_of(state)


# ---------------------------------------------------------------- instant scoring


def test_instant_scoring_scores_all_at_once_without_ap() -> None:
    before = Position(
        options=Options(players=3, instant_scoring=True),
        seat=3,
        tiles="A1@b3^3 A2@c3^0 A3@c4^0 A4@d3^0 A5@d4^0 A6@c2^0 B1@e3^0 B2@e4^0 B3@e5^0 B4@f3^0 B5@f4^0",
        members={1: "a2:W", 2: "b1:W", 3: "b2:W"},
        treasures={3: {1: 2}},
        deck_left=25,
    ).state()
    state = play(before, ".")
    assert (phase(state), status(state)["tile"], scores(state)) == (("place", 1), "B6", [1, 1, 3])
    state = play(state, legal(state)[0])
    assert (phase(state), state.ap) == (("act", 1), 10)


def test_instant_scoring_leaves_the_final_round_as_it_is() -> None:
    state = Position(options=Options(instant_scoring=True), deck_left=0, members={2: "a2:W"}).state()
    state = play(state, ".")
    assert (phase(state), state.ap, scores(state)) == (("act", 2), 10, [0, 0])
    state = play(state, "+W@a1", ".")
    assert (phase(state), scores(state)) == (("act", 1), [0, 1])


def test_instant_scoring_in_the_auction_game() -> None:
    options = Options(auction=True, instant_scoring=True)
    taking = Position(options=options, phase="take", seat=2, display="B6 B1", members={1: "a2:W"})
    state = play(taking.state(), "K:B6")
    assert (phase(state), scores(state)) == (("place", 2), [21, 20])


def test_without_it_a_volcano_gives_everybody_10_ap_first() -> None:
    taking = Position(options=Options(auction=True), phase="take", seat=2, display="B6 B1", members={1: "a2:W"})
    state = play(taking.state(), "K:B6")
    assert (phase(state), state.ap, status(state)["tile"]) == (("act", 2), 10, "B6")
    state = play(state, ".")
    assert (phase(state), state.ap, scores(state)) == (("act", 1), 10, [20, 20])
    state = play(state, ".")
    assert (phase(state), scores(state)) == (("place", 2), [21, 20])


# ---------------------------------------------------------------- sudden death


def sudden(display: str, **options: str | bool) -> Position:
    return Position(
        options=Options(auction=True, sudden_death=True, **options),  # type: ignore[arg-type]
        phase="take",
        display=display,
        had_turn=(),
    )


@pytest.mark.parametrize("instant", [True, False])
def test_the_third_volcano_scores_is_placed_and_ends_the_game(instant: bool) -> None:
    third = replace(
        sudden("F5 G4", instant_scoring=instant),
        volcanoes_taken=2,
        seat=2,
        members={1: "a2:W"},
        tiles="B6@g3^0 D5@g4^0",
    )
    state = play(third.state(), "K:F5")
    if not instant:
        assert (phase(state), state.ap) == (("act", 2), 10)
        state = play(state, ".", ".")
    assert (phase(state), scores(state)) == (("place", 2), [21, 20])
    state = play(state, legal(state)[0])
    assert (PHASES[state.phase], legal(state), scores(state)) == ("over", [], [21, 20])
    shown = status(state)
    assert (shown["display"], shown["winners"], shown["ap"], shown["tile"]) == (["G4"], [1], 0, None)


def test_a_third_volcano_that_fits_nowhere_ends_the_game_all_the_same() -> None:
    options = Options(auction=True, sudden_death=True, instant_scoring=True, volcano_may_seal=False)
    third = Position(options=options, phase="take", tiles=SEALING, display="F5", had_turn=(2,), volcanoes_taken=2)
    state = play(third.state(), "K:F5")
    assert (PHASES[state.phase], view(state, options, None)["gone"]) == ("over", ["F5"])


def test_the_first_two_volcanoes_do_not_end_the_game() -> None:
    state = play(replace(sudden("D5 G4", instant_scoring=True), volcanoes_taken=1).state(), "K:D5")
    state = play(state, legal(state)[0])
    assert (phase(state), state.ap) == (("act", 1), 10)


def test_double_volcano_score_all() -> None:
    first = replace(sudden("B6 D5", instant_scoring=True), members={1: "a2:W"})
    state = play(first.state(), "K:B6")
    assert scores(state) == [21, 20]
    state = play(state, legal(state)[0], ".", "K:D5")
    assert scores(state) == [22, 20]


@pytest.mark.parametrize(
    ("display", "taken", "round_scored", "asked"),
    [
        ("B6 D5", 0, False, True),  # the first of two
        ("B6 D5", 0, True, True),
        ("B6 G4", 0, False, False),  # the last of its round, and none has scored
        ("B6 G4", 1, True, True),  # the last of its round, but one has scored
        ("B6 D5", 2, False, False),  # the third of the game
        ("B6 G4", 2, True, False),
    ],
)
def test_double_volcano_taker_decides(display: str, taken: int, round_scored: bool, asked: bool) -> None:
    taking = replace(
        sudden(display, double_volcano="taker_decides", instant_scoring=True),
        volcanoes_taken=taken,
        round_scored=round_scored,
        members={1: "a2:W"},
    )
    state = play(taking.state(), "K:B6")
    if asked:
        assert (phase(state), status(state)["tile"], scores(state)) == (("decide", 1), "B6", [20, 20])
        assert legal(state) == ["V:+", "V:-"]
        assert scores(play(state, "V:-")) == [20, 20]
        assert phase(play(state, "V:-")) == ("place", 1)
        state = play(state, "V:+")
    assert (phase(state), scores(state)) == (("place", 1), [21, 20])


def test_a_new_round_forgets_that_one_has_scored() -> None:
    options = Options(auction=True, sudden_death=True, double_volcano="taker_decides", instant_scoring=True)
    deck = (*PLAIN_TILES[:16], "B6", PLAIN_TILES[16], "D5", *PLAIN_TILES[17:32], "F5", PLAIN_TILES[32])
    chance = Chance(deck, KINDS)
    chance.check(options)
    state = new_state(options, chance)
    asked = []
    while PHASES[state.phase] != "over":
        if PHASES[state.phase] == "decide":
            asked.append(status(state)["tile"])
        state = play(state, "." if PHASES[state.phase] == "act" else legal(state)[0])
    assert asked == [], "one volcano in a round must score, whatever the round before did"


def test_double_volcano_redraw_puts_all_but_the_first_back() -> None:
    options = Options(auction=True, sudden_death=True, double_volcano="redraw")
    # B6 and D5 come up together as tiles 17 and 18: D5 goes back, PLAIN_TILES[16] comes instead, D5 comes up later
    deck = [*PLAIN_TILES[:16], "B6", "D5", *PLAIN_TILES[16:20], "D5", *PLAIN_TILES[20:], "F5"]
    Chance(tuple(deck), KINDS).check(options)
    state = new_state(options, Chance(tuple(deck), KINDS))
    rounds = []
    while PHASES[state.phase] != "over":
        if status(state)["display"] and len(status(state)["display"]) == 2 and not state.had_turn:
            shown = (status(state)["display"], status(state)["deck_left"])
            rounds += [shown] if shown not in rounds else []
        state = play(state, "." if PHASES[state.phase] == "act" else legal(state)[0])
    assert rounds[8] == (sorted(["B6", PLAIN_TILES[16]]), 18)
    assert rounds[9] == (sorted(PLAIN_TILES[17:19]), 16)
    assert rounds[10] == (sorted([PLAIN_TILES[19], "D5"]), 14)


@pytest.mark.parametrize(
    ("deck", "text"),
    [
        ((*PLAIN_TILES[:16], "B6", "D5", *PLAIN_TILES[16:], "F5"), "ends within a round"),
        ((*PLAIN_TILES[:16], "B6", PLAIN_TILES[16], "B6", *PLAIN_TILES[17:], "D5", "F5"), "without having gone back"),
        ((*PLAIN_TILES[:7], "B6", *PLAIN_TILES[7:], "D5", "F5"), "B6 can't be among the first 8"),
        ((*PLAIN_TILES, "B6", "D5", "F5", "A1"), "A1 occurs 2 times"),
    ],
)
def test_a_deck_that_redraw_could_not_turn_up_is_refused(deck: tuple[str, ...], text: str) -> None:
    options = Options(auction=True, sudden_death=True, double_volcano="redraw")
    with pytest.raises(ChanceError, match=text):
        Chance(deck, KINDS).check(options)


def test_with_an_empty_deck_all_volcanoes_stay() -> None:
    options = Options(players=3, auction=True, sudden_death=True, double_volcano="redraw", instant_scoring=True)
    deck = (*PLAIN_TILES, "B6", "D5", "F5")
    Chance(deck, KINDS).check(options)
    state = new_state(options, Chance(deck, KINDS))
    while status(state)["deck_left"]:
        state = play(state, "." if PHASES[state.phase] == "act" else legal(state)[0])
    assert status(state)["display"] == ["B6", "D5", "F5"]


# ---------------------------------------------------------------- leaps

LEAPS = Options(players=3, auction=True, leaps=True)


def test_leaps_auction_all_tiles_first_and_a_volcano_moves_its_winner_to_the_front() -> None:
    tiles = "A1@b3^3 A2@c3^0 A3@c4^0 A4@d3^0 A5@d4^0 A6@c2^0 B1@e3^0 B2@e4^0 B3@e5^0"
    state = Position(options=LEAPS, phase="bid", seat=2, display="B4 B5 B6", tiles=tiles).state()
    state = play(state, "B:1", "B:-", "B:-", "K:B4")
    assert phase(state) == ("bid", 3), "left of the winner"
    state = play(state, "B:2", "B:-", "K:B5")
    assert phase(state) == ("take", 1)
    state = play(state, "K:B6")
    assert scores(state) == [20, 19, 18]
    order = []
    for tile in ("B6", "B4", "B5"):
        assert (PHASES[state.phase], status(state)["tile"]) == ("place", tile)
        order.append(seat_of(state))
        state = play(state, legal(state)[0])
    assert order == [1, 2, 3]
    assert (phase(state), state.ap) == (("leap", 1), 10)


def leaping(**more: object) -> Position:
    """The round's order is 3, 1, 2; everybody has 10 tokens."""
    position = Position(
        options=LEAPS,
        phase="leap",
        seat=3,
        ap=10,
        leap_tokens={1: 10, 2: 10, 3: 10},
        order=(3, 1, 2),
        had_turn=(1, 2, 3),
        tiles="B2@c3^0 A6@c4^3",
    )
    return replace(position, **more)  # type: ignore[arg-type]


def test_leaps_are_chosen_in_order_and_played_from_the_fewest_up() -> None:
    state = leaping().state()
    for action, asked in (("J:3", 3), ("J:2", 1), ("J:2", 2)):
        assert (phase(state), state.ap) == (("leap", asked), 10)
        state = play(state, action)
    for seat, ap in ((1, 2), (2, 2), (3, 3)):
        assert (phase(state), state.ap) == (("act", seat), ap)
        state = play(state, ".")
    assert [(phase(state), state.ap)] == [(("leap", 3), 7)]
    state = play(state, "J:5")
    assert (phase(state), state.ap) == (("leap", 1), 8)


def test_chosen_tokens_are_hidden_until_all_have_chosen() -> None:
    states = [play(leaping().state(), f"J:{n}") for n in (1, 5)]
    for viewer in (1, 2, None):
        assert view(states[0], LEAPS, viewer) == view(states[1], LEAPS, viewer)
    assert view(states[0], LEAPS, 3) != view(states[1], LEAPS, 3)


def test_a_leap_buys_one_action() -> None:
    state = play(leaping().state(), "J:5", "J:5", "J:5", "+W@a1")
    assert (state.ap, legal(state)) == (4, ["."])
    assert refused(state, "+W@a1") == "leap"
    state = play(state, ".")
    assert phase(state) == ("act", 1), "equals in the round's order"


def test_a_leap_buys_one_walk() -> None:
    walker = leaping(members={3: "c3:WW c4:W"}, camps={"b2": 3})
    state = play(walker.state(), "J:5", "J:5", "J:5")
    assert {"W:c3-c4", "W:c4-c3", "+W@a1", "X@c3"} <= set(legal(state))
    state = play(state, "W:c4-c3")
    assert legal(state) == ["."], "2 AP are left: too few for the way back, and the others may not go"
    again = play(leaping(members={3: "b2:WW a1:W"}, camps={"b2": 3}).state(), "J:5", "J:5", "J:5")
    again = play(again, "W:b2-a1")
    assert legal(again) == [".", "W:a1-a2", "W:a1-b1", "W:a1-b2", "W:a1=b2"]
    assert play(again, "W:a1=b2", "W:b2-a1", "W:a1-b2", ".").seat == 0


def test_limits_hold_for_the_whole_round() -> None:
    state = leaping(members={3: "c3:WWW"}, leap_tokens={3: 10}).state()
    for _ in range(2):
        state = play(state, "J:2", "X@c3", ".")
    state = play(state, "J:2")
    assert refused(state, "X@c3") == "limit"
    state = play(state, ".", "J:0")
    assert phase(state) == ("bid", 3), "left of the last in the round's order"
    assert state.export()["done_twice"] == [0, 0, 0, 0]


def test_after_a_round_with_a_volcano_all_score_and_its_taker_has_10_ap_with_limits_of_their_own() -> None:
    erupted = leaping(members={1: "a2:W", 3: "c3:WWW"}, leap_tokens={3: 4}, last_volcano=3).state()
    erupted.restore(erupted.export() | {"erupted": 1})
    state = play(erupted, "J:2", "X@c3", ".", "J:2", "X@c3", ".")
    assert (phase(state), state.ap, scores(state)) == (("act", 3), 10, [21, 20, 25])
    state = play(state, "X@c3", "X@c3", ".")
    assert (phase(state), scores(state)) == (("bid", 3), [21, 20, 25])


def test_a_gun_can_be_had_only_in_the_10_ap_after_a_volcano() -> None:
    options = Options(players=3, auction=True, leaps=True, machine_gun=True)
    armed = leaping(options=options, members={3: "c3:WWW", 1: "c3:W"}, leap_tokens={3: 10}, last_volcano=3).state()
    armed.restore(armed.export() | {"erupted": 1})
    state = play(armed, "J:5")
    assert refused(state, "M@c3") == "ap"
    state = play(state, ".", "J:0")
    assert (phase(state), state.ap) == (("act", 3), 10)
    state = play(state, "M@c3")
    assert refused(state, "R:1@c3") == "limit"


def test_a_gun_fires_once_a_round() -> None:
    options = Options(players=3, auction=True, leaps=True, machine_gun=True)
    armed = leaping(options=options, members={1: "c3:WWW"}, guards={"c3": 3}, guns="c3", leap_tokens={3: 10}).state()
    state = play(armed, "J:1", "R:1@c3", ".", "J:1")
    assert refused(state, "R:1@c3") == "limit"
    state = play(state, ".", "J:0")
    assert PHASES[state.phase] == "bid"
    assert state.export()["fired"] == 0


def test_leaps_open_a_round_left_of_the_last_in_the_order() -> None:
    state = play(leaping(leap_tokens={1: 1, 2: 1, 3: 1}).state(), "J:0", "J:0", "J:0")
    assert phase(state) == ("bid", 3), "seat 2 was last in the round's order"


def test_a_whole_round_of_leaps_from_the_start() -> None:
    state = known_game(players=3, auction=True, leaps=True)
    state = play(state, "B:-", "B:-", "B:-", "K:A1", "B:-", "B:-", "K:A2", "K:A3")
    while PHASES[state.phase] == "place":
        state = play(state, legal(state)[0])
    assert (phase(state), view(state, LEAPS, None)["leaps"]["order"]) == (("leap", 1), [1, 2, 3])
    state = play(state, "J:0", "J:0", "J:0")
    assert (phase(state), len(status(state)["display"])) == (("bid", 1), 3)

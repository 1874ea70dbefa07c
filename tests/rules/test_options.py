"""Editions and options: the effect of each, and impossible ones."""

from __future__ import annotations

import pickle
from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from tests.kit.positions import Position, legal, play, scores, seat_of
from tests.kit.states import known_game
from tests.oracle.chance import EDITIONS as EDITIONS_AGAIN
from tests.oracle.chance import VALUES as VALUES_AGAIN
from tikal.play.view import seats_of, status
from tikal.rules.codes import PHASES
from tikal.rules.core import State
from tikal.rules.options import EDITIONS, OF_EDITION, VALUES, OptionError, Options
from tikal.rules.setup import blank
from tikal.rules.variants import VariantState


def phase(state: State) -> str:
    return PHASES[state.phase]


# ---------------------------------------------------------------- editions


def test_editions_set_the_options_as_the_table_says() -> None:
    assert {name: dict(row) for name, row in EDITIONS.items()} == EDITIONS_AGAIN
    for edition, row in EDITIONS_AGAIN.items():
        options = Options(edition=edition)
        assert {name: getattr(options, name) for name in OF_EDITION} == row


def test_options_and_their_values_are_those_of_the_notation() -> None:
    assert {name: tuple(values) for name, values in VALUES.items()} == VALUES_AGAIN


@pytest.mark.parametrize(("edition", "name"), list(product(EDITIONS, OF_EDITION)))
def test_an_option_of_an_edition_can_be_set_on_its_own(edition: str, name: str) -> None:
    for value in VALUES[name]:
        options = Options(edition=edition, **{name: value})
        others = [other for other in OF_EDITION if other != name]
        assert getattr(options, name) == value
        assert [getattr(options, other) for other in others] == [EDITIONS[edition][other] for other in others]


def test_the_edition_by_default_is_super_meeple() -> None:
    assert Options() == Options(players=2, edition="super-meeple")


# ---------------------------------------------------------------- each option's effect


@pytest.mark.parametrize("players", [2, 3, 4])
def test_players_take_turns_clockwise(players: int) -> None:
    state = known_game(players=players)
    order = []
    for _ in range(5):
        order.append(seat_of(state))
        state = play(state, legal(state)[0], ".")
    assert order == [turn % players + 1 for turn in range(5)]


def test_camp_needs_member() -> None:
    for needed in (True, False):
        state = Position(options=Options(camp_needs_member=needed), tiles="C5@c3^0", members={1: "c3:W"}).state()
        assert legal(state, "C") == (["C@c3"] if needed else ["C@b2", "C@c3"])


def last_budget(options: Options, **more: Any) -> State:
    """Seat 2 ends the final round: nothing on the board, scores 30 and 30."""
    position = Position(
        options=options, seat=2, scoring="final", order=(1, 2), place=1, deck_left=0, scores={1: 30, 2: 30}
    )
    return replace(position, **more).state()


@pytest.mark.parametrize(
    ("more", "winners"),
    [
        ({}, [1, 2]),
        ({"guards": {"a2": 1}, "scores": {1: 30, 2: 30}}, [1]),
        ({"guards": {"a2": 1, "b1": 2}, "levels": {"b1": 4}, "scores": {1: 30, 2: 26}}, [2]),
        ({"guards": {"a2": 1, "b1": 2}, "scores": {1: 30, 2: 29}}, [1, 2]),
        ({"treasures": {2: {1: 1, 2: 1, 3: 1}}, "scores": {1: 30, 2: 27}}, [2]),
        # fewer tokens that count more: their number decides
        ({"treasures": {1: {1: 1, 2: 1, 3: 1, 4: 1}, 2: {5: 3}}, "scores": {1: 30, 2: 24}}, [1]),
        # the guard comes before the treasures
        ({"guards": {"b1": 2}, "treasures": {1: {1: 1}}, "scores": {1: 30, 2: 29}}, [2]),
    ],
)
def test_tie_break(more: dict[str, Any], winners: list[int]) -> None:
    by_guard = play(last_budget(Options(tie_break="guard_then_treasures"), **more), ".")
    assert (phase(by_guard), seats_of(by_guard.winners)) == ("over", winners)
    shared = play(last_budget(Options(tie_break="shared"), **more), ".")
    assert (scores(shared), seats_of(shared.winners)) == ([30, 30], [1, 2])


@pytest.mark.parametrize("tie_break", ["guard_then_treasures", "shared"])
def test_one_point_more_comes_before_any_tie_break(tie_break: str) -> None:
    more = {"guards": {"a2": 1}, "levels": {"a2": 10}, "treasures": {1: {1: 3}}, "scores": {1: 30, 2: 31}}
    assert seats_of(play(last_budget(Options(tie_break=tie_break), **more), ".").winners) == [2]


def test_a_tie_of_three_is_broken_among_those_tied_only() -> None:
    final = Position(
        options=Options(players=4),
        seat=4,
        scoring="final",
        order=(1, 2, 3, 4),
        place=3,
        deck_left=0,
        scores={1: 30, 2: 30, 3: 30, 4: 20},
        guards={"a2": 2, "b1": 4},
        levels={"b1": 9},
    )
    assert seats_of(play(final.state(), ".").winners) == [2]


def test_volcano_may_seal() -> None:
    # h1 has two neighbours, g1 and h2: a volcano on the second of them would cut it off
    tiles = "A6@g2^0 B6@g1^0"
    for may_seal in (True, False):
        state = Position(options=Options(volcano_may_seal=may_seal), phase="place", hand="D5", tiles=tiles).state()
        assert ("D5@h2^0" in legal(state)) == may_seal
        assert "D5@h1^0" in legal(state), "the hex itself may be taken"
        assert "D5@g3^0" in legal(state)


@pytest.mark.parametrize(
    ("final_start", "auction", "order"),
    [
        ("next_player", False, [3, 1, 2]),
        ("after_last_volcano", False, [1, 2, 3]),
        ("next_player", True, [3, 1, 2]),
        ("after_last_volcano", True, [3, 1, 2]),
    ],
)
def test_final_start(final_start: str, auction: bool, order: list[int]) -> None:
    options = Options(players=3, final_start=final_start, auction=auction)
    state = Position(options=options, seat=2, last_volcano=3, deck_left=0, had_turn=(1, 3)).state()
    found = []
    while phase(state := play(state, ".")) != "over":
        found.append(seat_of(state))
    assert found == order


def test_final_start_remembers_who_drew_the_last_volcano() -> None:
    state = known_game(players=3, final_start="after_last_volcano")
    drew = 0
    while status(state)["deck_left"] or state.round_kind or phase(state) == "place":
        if status(state)["tile"] in ("B6", "D5", "F5") and phase(state) == "place":
            drew = seat_of(state)
        state = play(state, "." if phase(state) == "act" else legal(state)[0])
    assert seat_of(play(state, ".")) == drew % 3 + 1


def test_board_original_and_classic_are_played_alike() -> None:
    states = [known_game(board=board) for board in ("original", "classic")]
    assert states[0].export() == states[1].export()


def test_auction() -> None:
    basic, auction = known_game(), known_game(auction=True)
    assert (phase(basic), scores(basic), status(basic)["display"]) == ("place", [0, 0], [])
    assert (phase(auction), scores(auction), status(auction)["display"]) == ("bid", [20, 20], ["A1", "A2"])
    assert status(auction)["tile"] is None


def test_only_variants_need_the_state_of_the_variants() -> None:
    assert blank(Options(auction=True, double_volcano="redraw")) is State
    for name, value in (("instant_scoring", "true"), ("obstacles", "true"), ("machine_gun", "true"),
                        ("boulders", "1d20"), ("sudden_death", "true"), ("leaps", "true")):  # fmt: skip
        assert blank(Options.parse({"auction": "true", name: value})) is VariantState


# ---------------------------------------------------------------- what can't be


@pytest.mark.parametrize(
    ("given", "code", "text"),
    [
        ({"players": 1}, "players", "players=1: must be one of 2, 3, 4"),
        ({"players": 5}, "players", "players=5: must be one of 2, 3, 4"),
        ({"players": "2"}, "players", "players=2: must be one of 2, 3, 4"),
        ({"players": None}, "players", "players=None: must be one of 2, 3, 4"),
        (
            {"edition": "gold"},
            "option",
            "edition=gold: must be one of super-meeple, rio-grande, rio-grande-fr, rio-grande-zh, classic",
        ),
        ({"auction": 1}, "option", "auction=1: must be one of false, true"),
        ({"board": "round"}, "option", "board=round: must be one of original, classic"),
        ({"tie_break": "dice"}, "option", "tie_break=dice: must be one of guard_then_treasures, shared"),
        ({"boulders": "4d6"}, "option", "boulders=4d6: must be one of false, 3d6, 1d20, 2d6"),
        ({"sudden_death": True}, "option", "sudden_death needs auction=true"),
        ({"leaps": True}, "option", "leaps needs auction=true"),
        (
            {"auction": True, "leaps": True, "sudden_death": True},
            "option",
            "leaps and sudden_death exclude each other; leave one of them out",
        ),
        (
            {"auction": True, "leaps": True, "instant_scoring": True},
            "option",
            "leaps and instant_scoring exclude each other; leave one of them out",
        ),
    ],
)
def test_impossible_values_and_combinations(given: dict[str, Any], code: str, text: str) -> None:
    with pytest.raises(OptionError) as error:
        Options(**given)
    assert (error.value.code, error.value.text) == (code, text)
    assert str(pickle.loads(pickle.dumps(error.value))) == text


def test_every_other_combination_of_variants_plays() -> None:
    names = ("auction", "instant_scoring", "boulders", "obstacles", "machine_gun", "sudden_death", "leaps")
    possible = 0
    for values in product((False, True), repeat=len(names)):
        given: dict[str, Any] = dict(zip(names, values, strict=True))
        wrong = (given["sudden_death"] or given["leaps"]) and not given["auction"]
        wrong = wrong or (given["leaps"] and (given["sudden_death"] or given["instant_scoring"]))
        given["boulders"] = "3d6" if given["boulders"] else False
        if wrong:
            with pytest.raises(OptionError):
                Options(**given)
        else:
            possible += 1
            state = known_game(**given)
            assert legal(state)
    assert possible == 16 + 16 + 16 + 8


@pytest.mark.parametrize(
    ("pairs", "text"),
    [
        ({"colour": "red"}, "colour: no such option; there are players, edition"),
        ({"auction": "yes"}, "auction=yes: must be one of false, true"),
        ({"auction": "True"}, "auction=True: must be one of false, true"),
        ({"players": "02"}, "players=02: must be one of 2, 3, 4"),
        ({"boulders": "d6"}, "boulders=d6: must be one of false, 3d6, 1d20, 2d6"),
        ({"leaps": "true"}, "leaps needs auction=true"),
    ],
)
def test_impossible_texts(pairs: dict[str, str], text: str) -> None:
    with pytest.raises(OptionError) as error:
        Options.parse(pairs)
    assert error.value.text.startswith(text)


def test_texts_are_read() -> None:
    read = Options.parse({"players": "4", "auction": "true", "boulders": "true", "camp_needs_member": "false"})
    assert read == Options(players=4, auction=True, boulders="3d6", camp_needs_member=False)
    assert read.variants == ("boulders",)


def test_pairs_contain_only_differences_from_the_edition() -> None:
    assert Options(edition="classic").pairs() == {"players": "2"}
    options = Options(players=3, edition="classic", volcano_may_seal=True, auction=True, boulders="2d6")
    assert options.pairs() == {"players": "3", "volcano_may_seal": "true", "auction": "true", "boulders": "2d6"}
    assert Options.parse({"edition": "classic", **options.pairs()}) == options
    assert Options(**options.as_dict()) == options


def test_options_can_not_be_changed() -> None:
    with pytest.raises(AttributeError):
        Options().players = 3  # type: ignore[misc]

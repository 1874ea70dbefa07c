"""`status`, word by word as in the notation, in every phase; and which decisions a seat has."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from tests.kit.deals import letter_deck
from tests.kit.games import VOLCANOES, choose, idle_until, kinds, new, options_of, sealed_game, sudden_deck
from tests.oracle import Oracle, random_chance
from tikal.play import Game

KEYS = [
    "phase", "seat", "ap", "tile", "deck_left", "display", "bid", "scores", "treasures", "levels", "tiles", "workers",
    "leader", "reserve", "camps", "guards", "guns", "obstacles", "tokens", "supply", "winners",
]  # fmt: skip
HEXES = {f"{column}{row}" for column in "abcdefgh" for row in range(1, 6)}
PHASES = ("place", "act", "bid", "take", "decide", "leap", "over")


def is_int(value: object) -> bool:
    return type(value) is int


def check_types(status: dict[str, Any], players: int) -> None:
    """Every key, every type, every range of the table."""
    assert list(status) == KEYS
    assert json.loads(json.dumps(status)) == status
    assert status["phase"] in PHASES
    assert status["seat"] is None if status["phase"] == "over" else status["seat"] in range(1, players + 1)
    assert is_int(status["ap"]) and 0 <= status["ap"] <= 10
    assert status["ap"] == 0 or status["phase"] in ("act", "leap")
    assert is_int(status["bid"]) and (status["bid"] == 0 or status["phase"] == "bid")
    assert is_int(status["deck_left"]) and 0 <= status["deck_left"] <= 35
    assert status["display"] == sorted(status["display"])
    for name in ("scores", "treasures", "workers", "leader", "reserve"):
        assert isinstance(status[name], list) and len(status[name]) == players
    assert all(is_int(number) for name in ("scores", "reserve") for number in status[name])
    assert all(len(counts) == 8 and all(is_int(count) for count in counts) for counts in status["treasures"])
    for name in ("levels", "tiles", "camps", "guards", "tokens"):
        assert set(status[name]) <= HEXES
    for counts in status["workers"]:
        assert set(counts) <= HEXES and all(is_int(count) and count > 0 for count in counts.values())
    assert all(where in HEXES | {"reserve", "gone"} for where in status["leader"])
    assert list(status["supply"]) == [str(level) for level in range(2, 11)]
    assert status["guns"] == sorted(status["guns"]) and set(status["guns"]) <= set(status["guards"])
    assert status["obstacles"] == sorted(status["obstacles"])
    assert all(pair[:2] < pair[3:] and pair[2] == "-" for pair in status["obstacles"])
    if status["phase"] == "over":
        assert status["winners"] == sorted(status["winners"]) and status["winners"]
    else:
        assert status["winners"] is None


@pytest.mark.parametrize("kind", kinds(2))
@pytest.mark.parametrize("seed", [1, 2])
def test_status_matches_the_notation_through_whole_games(kind: str, seed: int) -> None:
    """The oracle has read the same table, and has the same status after every action."""
    rng = random.Random(f"{kind}{seed}")
    options = options_of(kind)
    deck, treasures, dice = random_chance(options.as_dict(), rng)
    game = Game.new(options, deck=deck, treasures=treasures, dice=dice if options.boulders else None)
    oracle = Oracle(options.as_dict(), deck, treasures, dice)
    while True:
        status = game.status()
        check_types(status, options.players)
        assert status == oracle.status()
        assert game.legal() == oracle.legal()
        assert (game.phase, game.seat, game.over) == (status["phase"], status["seat"], status["phase"] == "over")
        if game.over:
            return
        action = choose(game, rng)
        game.play(action)
        oracle.play(action)


def ask(game: Game) -> tuple[Any, ...]:
    """The kind of decision, and its facts."""
    status = game.status()
    return status["phase"], status["seat"], status["ap"], status["tile"]


def test_at_the_start_of_the_basic_game() -> None:
    status = new(players=3).status()
    assert status == {
        "phase": "place", "seat": 1, "ap": 0, "tile": "A1", "deck_left": 35, "display": [], "bid": 0,
        "scores": [0, 0, 0], "treasures": [[0] * 8] * 3, "levels": {"a2": 1, "b1": 1}, "tiles": {},
        "workers": [{}, {}, {}], "leader": ["reserve"] * 3, "reserve": [18] * 3, "camps": {}, "guards": {},
        "guns": [], "obstacles": [], "tokens": {}, "winners": None,
        "supply": {"2": 3, "3": 6, "4": 9, "5": 11, "6": 8, "7": 5, "8": 3, "9": 2, "10": 1},
    }  # fmt: skip


def test_at_the_start_of_the_auction() -> None:
    status = new(players=4, auction=True).status()
    assert (status["phase"], status["seat"], status["deck_left"], status["scores"]) == ("bid", 1, 32, [20] * 4)
    assert (status["display"], status["bid"], status["tile"]) == (["A1", "A2", "A3", "A4"], 0, None)


def test_bids_are_shown_while_they_are_made() -> None:
    game = new(players=3, auction=True)
    game.play("B:2", "B:5")
    assert (game.status()["bid"], game.seat) == (5, 3)
    game.play("B:-", "B:-")
    assert (game.status()["bid"], ask(game), game.status()["scores"]) == (0, ("take", 2, 0, None), [20, 15, 20])
    game.play("K:A2")
    assert (ask(game), game.status()["display"]) == (("place", 2, 0, "A2"), ["A1", "A3"])


def turn(game: Game, seat: int) -> Game:
    """Idles until a seat has AP."""
    return idle_until(game, lambda game: ask(game)[:2] == ("act", seat))


def test_a_tile_that_is_dug_out_is_shown_with_no_tokens() -> None:
    game = new(letter_deck(last=("A1", "A2", "A3", "A6")))
    game.play("A4@b3^0", *["+W@a1"] * 2, *["W:a1-b2"] * 2, *["W:b2-b3"] * 2, "D@b3", ".")
    assert game.status()["tokens"] == {"b3": 3}
    turn(game, 1).play("D@b3", "D@b3", ".")
    turn(game, 1).play("D@b3")
    status = game.status()
    assert (status["tokens"]["b3"], status["treasures"]) == (0, [[3, 1, 0, 0, 0, 0, 0, 0], [0] * 8])


def test_level_tiles_that_are_used_up_are_shown_with_zero() -> None:
    game = new()
    game.play("A1@b3^0", *["+W@a1"] * 3, "W:a1-a2", "X@a2", "W:a1-b1", ".")
    turn(game, 1).play("X@b1", "W:a1-b2", "W:b2-b3", "X@b3")
    status = game.status()
    assert (status["levels"]["a2"], status["levels"]["b1"], status["levels"]["b3"]) == (2, 2, 2)
    assert list(status["supply"].items())[:2] == [("2", 0), ("3", 6)]


def test_a_volcano_is_shown_through_its_scoring_round_until_it_is_placed() -> None:
    game = idle_until(new(players=2), lambda game: game.status()["tile"] == "B6")
    assert ask(game) == ("act", 2, 10, "B6")
    game.play(".")
    assert ask(game) == ("act", 1, 10, "B6")
    game.play(".")
    assert ask(game) == ("place", 2, 0, "B6")
    game.play(game.legal()[0])
    assert ask(game) == ("act", 2, 10, None)


def test_in_a_scoring_round_the_seat_is_the_one_that_spends() -> None:
    game = idle_until(new(players=4, auction=True), lambda game: game.status()["display"] == ["B3", "B4", "B5", "B6"])
    game.play("B:-", "B:-", "B:-", "B:-", "K:B6")
    first = game.seat
    assert ask(game) == ("act", first, 10, "B6")
    seen = [first]
    for _ in range(3):
        game.play(".")
        seen.append(game.seat)
        assert ask(game) == ("act", game.seat, 10, "B6")
    assert first is not None
    assert seen == [(first - 1 + i) % 4 + 1 for i in range(4)]


def test_instant_scoring_goes_straight_to_the_place_of_the_volcano() -> None:
    game = idle_until(new(players=2, instant_scoring=True), lambda game: game.status()["tile"] == "B6")
    assert ask(game) == ("place", 2, 0, "B6")


def take(game: Game, tile: str) -> None:
    """Idles until a tile can be taken, and takes it."""
    idle_until(game, lambda game: f"K:{tile}" in game.legal()).play(f"K:{tile}")


def two_volcanoes(**more: Any) -> Game:
    """`taker_decides`, in the round of four in which B6 and D5 are on display."""
    deck = sudden_deck((16, "B6"), (17, "D5"))
    game = new(deck, players=4, auction=True, sudden_death=True, double_volcano="taker_decides", **more)
    return idle_until(game, lambda game: "B6" in game.status()["display"])


def test_decide_shows_the_volcano_and_asks_its_taker() -> None:
    game = two_volcanoes()
    assert game.status()["display"] == ["B6", "D1", "D2", "D5"]
    game.play("B:-", "B:-", "B:-", "B:-", "K:B6")
    taker = game.history[-1].seat
    assert ask(game) == ("decide", taker, 0, "B6")
    assert game.legal() == ["V:+", "V:-"]
    game.play("V:-")
    assert ask(game) == ("place", taker, 0, "B6")


@pytest.mark.parametrize(("first", "asked"), [("V:-", "act"), ("V:+", "decide")])
def test_the_last_volcano_of_its_round_must_score_if_none_has(first: str, asked: str) -> None:
    game = two_volcanoes()
    game.play("B:-", "B:-", "B:-", "B:-", "K:B6", first)
    idle_until(game, lambda game: game.phase == "take")
    game.play("K:D5")
    assert (game.phase, game.status()["tile"]) == (asked, "D5")


def test_a_single_volcano_needs_no_decision() -> None:
    deck = sudden_deck((16, "B6"))
    game = new(deck, players=4, auction=True, sudden_death=True, double_volcano="taker_decides")
    take(game, "B6")
    assert ask(game) == ("act", game.seat, 10, "B6")


def test_the_third_volcano_needs_no_decision_and_ends_the_game() -> None:
    deck = sudden_deck((24, "B6"), (25, "D5"), (26, "F5"))
    game = new(deck, players=4, auction=True, sudden_death=True, double_volcano="taker_decides")
    for volcano in VOLCANOES:
        take(game, volcano)
        assert game.phase == ("act" if volcano == "F5" else "decide")
    assert ask(game)[3] == "F5"
    idle_until(game, lambda game: game.over)
    status = game.status()
    assert (status["deck_left"], status["display"], status["tile"], status["ap"]) == (8, ["E5"], None, 0)


def test_leaps_shows_a_tile_only_while_it_is_placed() -> None:
    game = new(players=2, auction=True, leaps=True)
    game.play("B:-", "B:-", "K:A2", "K:A1")
    assert ask(game) == ("place", 1, 0, "A2")
    game.play("A2@b3^0")
    assert ask(game) == ("place", 2, 0, "A1")
    game.play("A1@a3^0")
    assert ask(game) == ("leap", 1, 10, None)


def test_ap_of_leaps_are_the_tokens_left_and_then_those_shown() -> None:
    game = new(players=3, auction=True, leaps=True)
    idle_until(game, lambda game: game.phase == "leap")
    assert (ask(game), game.legal()) == (("leap", 1, 10, None), [f"J:{n}" for n in range(6)])
    game.play("J:3")
    assert ask(game) == ("leap", 2, 10, None)
    game.play("J:2", "J:2")
    assert ask(game) == ("act", 2, 2, None)
    game.play("+W@a1")
    assert ask(game) == ("act", 2, 1, None)
    game.play(".", ".")
    assert ask(game) == ("act", 1, 3, None)
    game.play(".")
    assert ask(game) == ("leap", 1, 7, None)
    game.play("J:5", "J:5", "J:5", ".", ".", ".")
    assert (ask(game), game.legal()) == (("leap", 1, 2, None), ["J:0", "J:1", "J:2"])


def test_a_seat_without_tokens_does_not_choose() -> None:
    game = new(players=3, auction=True, leaps=True)
    idle_until(game, lambda game: game.phase == "leap")
    game.play("J:0", "J:4", "J:0")
    assert ask(game) == ("act", 2, 4, None)
    game.play(".")
    assert ask(game) == ("leap", 2, 6, None)
    game.play("J:0")
    assert game.phase == "bid"


def test_after_a_volcano_of_leaps_its_taker_has_ten_ap_and_no_tile() -> None:
    game = new(players=2, auction=True, leaps=True)
    take(game, "B6")
    taker = game.history[-1].seat
    idle_until(game, lambda game: game.phase == "leap")
    assert ask(game) == ("leap", taker, 10, None)
    game.play("J:0", "J:0")
    assert ask(game) == ("act", taker, 10, None)


def test_leaders_are_in_reserve_on_a_hex_or_gone() -> None:
    game = new()
    game.play("A1@b3^0", "+L@a1", "L:a1-a2")
    assert game.status()["leader"] == ["a2", "reserve"]
    game.play("GL@a2")
    status = game.status()
    assert (status["leader"], status["guards"], status["guns"]) == (["gone", "reserve"], {"a2": 1}, [])


def test_a_guard_with_a_gun_is_a_guard_too() -> None:
    game = new(machine_gun=True)
    game.play("A1@b3^0", "+W@a1", "+W@a1", "W:a1-a2", "W:a1-a2", ".")
    turn(game, 1).play("M@a2")
    status = game.status()
    assert (status["guards"], status["guns"], status["workers"][0], status["reserve"][0]) == ({"a2": 1}, ["a2"], {}, 16)


def test_obstacles_are_named_in_the_order_of_their_hexes() -> None:
    game = new(obstacles=True)
    game.play("A1@b3^0", "+W@a1", "O:a1-b2", "O:a1-a2")
    assert game.status()["obstacles"] == ["a1-a2", "a1-b2"]


def test_camps_belong_to_seats() -> None:
    game = new()
    game.play("A1@b3^0", "+W@a1", "W:a1-b2", "C@b2")
    assert (game.status()["camps"], game.status()["workers"][0]) == ({"b2": 1}, {"b2": 1})


# The engine never plays an action for a seat


def test_a_stretch_of_ap_is_ended_by_the_seat_even_with_none_left() -> None:
    game = new()
    game.play("A1@b3^0", *["+W@a1"] * 10)
    assert ask(game) == ("act", 1, 0, None)
    assert game.legal() == ["."]


def test_a_seat_without_points_passes_by_itself() -> None:
    game = new(players=2, auction=True)
    game.play("B:20", "B:-", "K:A1", "A1@b3^0", ".", "K:A2")
    idle_until(game, lambda game: game.phase == "bid" and game.seat == 1)
    assert game.status()["scores"][0] == 0
    assert game.legal() == ["B:-"]


def test_the_last_tile_of_a_round_is_taken_by_the_seat() -> None:
    game = new(players=2, auction=True)
    game.play("B:-", "B:-", "K:A1", "A1@b3^0", ".")
    assert (ask(game), game.legal()) == (("take", 2, 0, None), ["K:A2"])


def test_a_tile_that_fits_nowhere_needs_no_decision() -> None:
    game = sealed_game(players=2)
    assert ask(game) == ("act", 2, 10, None)
    game.play(".")
    assert ask(game) == ("act", 1, 10, None)
    assert (game.status()["deck_left"], len(game.status()["tiles"])) == (1, 34)
    game.play(".")
    assert ask(game) == ("act", 2, 10, None)
    assert game.status()["deck_left"] == 0


def test_in_the_auction_a_tile_that_fits_nowhere_is_taken_first() -> None:
    game = sealed_game(players=2, auction=True)
    game.play(".", "B:-", "B:-")
    assert ask(game)[0] == "take"
    game.play(game.legal()[0])
    assert ask(game) == ("act", game.history[-1].seat, 10, None)


@pytest.mark.parametrize(
    ("options", "ends", "takes"),
    [
        ({"players": 2}, 36 + 4 * 2, 0),
        ({"players": 4}, 36 + 4 * 4, 0),
        ({"players": 3, "instant_scoring": True}, 36 + 3, 0),
        ({"players": 3, "auction": True}, 36 + 4 * 3, 36),
        ({"players": 4, "auction": True, "instant_scoring": True}, 36 + 4, 36),
        ({"players": 3, "auction": True, "leaps": True}, 3, 36),
    ],
)
def test_every_budget_is_ended_and_every_tile_taken_by_a_seat(options: dict[str, Any], ends: int, takes: int) -> None:
    """An idle game: every turn, every seat's part of the three volcanoes' and of the final scoring round."""
    actions = [step.action for step in idle_until(new(**options), lambda game: game.over).history]
    assert actions.count(".") == ends
    assert len([action for action in actions if action.startswith("K:")]) == takes

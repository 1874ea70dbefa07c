"""Views: the view of a seat does not change when everything hidden from it is swapped."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from tests.kit.actions import all_actions
from tests.kit.deals import letter_deck, ordered_treasures
from tests.kit.games import (
    KINDS,
    choose,
    copy,
    exact_game,
    finished,
    idle_until,
    kinds,
    moments,
    new,
    options_of,
    seats,
    sudden_deck,
)
from tests.kit.hidden import lookalike
from tikal.play import Game, TikalError
from tikal.rules.options import OptionError, Options

EXTRA = [
    "unseen_tiles", "unseen_kinds", "top_letter", "gone", "work", "turn_seat", "volcano_seat", "scoring", "auction",
    "worked", "lost", "fired", "rolls", "volcanoes_taken", "round_scored", "leaps",
]  # fmt: skip
PROBES = [*random.Random(0).sample(all_actions(), 40), "J:5", "X@a2(99)", "D@b3(9)", "K:B6", "nonsense"]


def public(game: Game, viewer: int | None) -> str:
    """All the bytes that leave a game for a viewer."""
    shown: dict[str, Any] = {
        "view": game.view(viewer),
        "status": game.status(),
        "record": game.record() if not game.over else "shows everything when the game is over",
        "forecast": game.forecast(),
        "free": game.can_take_back(),
    }
    if viewer == game.seat:
        shown |= {"legal": game.legal(), "offer": game.offer(), "errors": [complaint(game, each) for each in PROBES]}
    return json.dumps(shown)


def complaint(game: Game, action: str) -> str:
    """The refusal of an action; it is not played."""
    try:
        game.foresee([action])
    except TikalError as error:
        return f"{error.code} {error}"
    return "legal"


@pytest.mark.parametrize("kind", kinds(3))
def test_swapping_hidden_information_changes_no_view(kind: str) -> None:
    rng = random.Random(kind)
    swapped = 0
    for game in moments(exact_game(options_of(kind), rng), rng, share=0.05):
        for viewer in seats(game) if game.phase == "leap" else (None,):
            twin = lookalike(game, viewer, rng)
            swapped += twin.to_json() != game.to_json()
            for each in (viewer,) if game.phase == "leap" else seats(game):
                assert public(twin, each) == public(game, each)
    assert swapped >= 5


def test_tokens_chosen_in_secret_are_seen_by_their_chooser_only() -> None:
    game = Game.new(Options(players=3, auction=True, leaps=True), seed="tokens")
    idle_until(game, lambda game: game.phase == "leap")
    game.play("J:4", "J:2")
    assert [game.view(seat)["leaps"]["chosen"] for seat in seats(game)] == [
        [None, None, None],
        [4, None, None],
        [None, 2, None],
        [None, None, None],
    ]
    assert "J:" not in game.record()
    assert "J:4 " not in game.record() + json.dumps(game.status())
    game.play("J:2")
    assert {json.dumps(game.view(seat)["leaps"]["chosen"]) for seat in seats(game)} == {"[4, 2, 2]"}
    assert game.record().splitlines()[-3:] == ["1 J:4", "2 J:2", "3 J:2"]
    assert (game.view(1)["leaps"]["tokens"], game.view(1)["leaps"]["stage"]) == ([6, 8, 8], "fresh")


def test_the_seed_is_in_nothing_but_its_commitment() -> None:
    rng = random.Random(1)
    seeded = Game.new(options_of("boulders"), seed="f00d")
    exact = Game(seeded.options, seeded.chance)
    while not seeded.over:
        action = choose(seeded, rng)
        seeded.play(action)
        exact.play(action)
        if seeded.over:
            break
        assert "f00d" not in public(seeded, None)
        for viewer in seats(seeded):
            assert seeded.view(viewer) == exact.view(viewer)
        lines = [line for line in seeded.record().splitlines() if not line.startswith("[Commitment ")]
        assert lines == exact.record().splitlines()
    assert "f00d" in seeded.record()


@pytest.mark.parametrize("kind", kinds(0))
def test_a_view_has_the_status_the_options_and_the_memory_of_a_player(kind: str) -> None:
    game = exact_game(options_of(kind), random.Random(kind))
    for viewer in seats(game):
        seen = game.view(viewer)
        status = game.status()
        assert list(seen) == ["viewer", "options", *status, *EXTRA]
        assert {name: seen[name] for name in status} == status
        assert (seen["viewer"], seen["options"]) == (viewer, game.options.as_dict())
        assert json.loads(json.dumps(seen)) == seen


@pytest.mark.parametrize("seat", [0, 3, -1, 99])
def test_a_view_is_for_a_seat_of_the_game(seat: int) -> None:
    with pytest.raises(OptionError, match=f"seat {seat}: must be from 1 to 2") as caught:
        Game.new(Options(), seed="1").view(seat)
    assert caught.value.code == "usage"


@pytest.mark.parametrize("kind", kinds(1))
def test_unseen_tiles_are_those_not_on_the_table(kind: str) -> None:
    rng = random.Random(f"unseen {kind}")
    for game in moments(exact_game(options_of(kind), rng), rng, share=0.2):
        seen = game.view(None)
        status = game.status()
        held = [tile for tile in (seen["leaps"] or {"tiles": []})["tiles"] if tile]
        out = [tile[:2] for tile in status["tiles"].values()] + status["display"] + seen["gone"] + held
        out += [status["tile"]] if status["tile"] else []
        assert sorted(out + seen["unseen_tiles"]) == letter_deck()
        assert len(seen["unseen_tiles"]) == status["deck_left"]
        held_kinds = [sum(counts[kind] for counts in status["treasures"]) for kind in range(8)]
        assert [hidden + dug for hidden, dug in zip(seen["unseen_kinds"], held_kinds, strict=True)] == [3] * 8
        if not game.options.sudden_death:
            assert seen["top_letter"] == min((tile[0] for tile in seen["unseen_tiles"]), default=None)


def test_the_letter_on_top_is_that_of_the_next_tile() -> None:
    rng = random.Random(3)
    for kind in ("sudden death", "redraw", "taker decides"):
        game = exact_game(options_of(kind), rng)
        top, left, checked = game.view(None)["top_letter"], game.status()["deck_left"], 0
        known = game.status()["display"]
        while not game.over:
            game.play(choose(game, rng))
            seen = game.view(None)
            if seen["deck_left"] < left:
                fresh = [tile for tile in seen["display"] if tile not in known]
                assert top is None or top in [tile[0] for tile in fresh]
                checked += top is not None
                known, left, top = seen["display"], seen["deck_left"], seen["top_letter"]
        assert checked > 3


@pytest.mark.parametrize(("players", "stages"), [(2, (8, 16, 24)), (3, (9, 18, 27)), (4, (8, 16, 24))])
def test_a_deck_that_is_shuffled_before_the_next_tile_has_no_letter_on_top(
    players: int, stages: tuple[int, ...]
) -> None:
    options = Options(players=players, auction=True, sudden_death=True)
    game = Game.new(options, deck=sudden_deck(), treasures=ordered_treasures())
    nothing = set()
    while not game.over:
        if game.view(None)["top_letter"] is None:
            nothing.add(36 - game.status()["deck_left"])
        idle_until(game, lambda game: game.phase == "take" or game.over)
        if not game.over:
            game.play(game.legal()[0])
    assert nothing == {*stages, 36}


def test_work_of_this_turn_is_remembered_per_hex() -> None:
    game = new()
    game.play("A1@b3^0", "+W@a1", "+W@a1", "W:a1-a2", "W:a1-a2", "X@a2", "X@a2")
    assert game.view(2)["work"] == [{"a2": 2}, {}]
    game.play(".")
    assert game.view(2)["work"] == [{}, {}]


def test_members_that_have_worked_are_seen_by_all_and_undo_forgets_them() -> None:
    game = new(members_work_once=True)
    game.play("A1@b3^0", "+W@a1", "+W@a1", "W:a1-a2", "X@a2", "W:a2-a1")
    for viewer in seats(game):
        assert game.view(viewer)["worked"] == [{"a1": 1}, {}]
    game.undo(1)
    assert game.view(None)["worked"] == [{"a2": 1}, {}]
    game.play("W:a2-a1", ".")
    assert game.view(None)["worked"] == [{}, {}]


def test_workers_that_boulders_took_are_remembered_through_the_turn() -> None:
    options = Options(boulders="2d6")
    game = Game.new(options, deck=letter_deck(), treasures=ordered_treasures(), dice=[2, 12])
    game.play("A1@b3^0", "+W@a1", "+W@a1", "W:a1-a2", "W:a1-a2", "X@a2")
    seen = game.view(1)
    assert (seen["lost"], seen["rolls"], seen["workers"][0]) == ([{"a2": 1}, {}], 1, {"a2": 1})
    game.play("X@a2", ".")
    assert (game.view(1)["lost"], game.view(1)["rolls"]) == ([{}, {}], 2)


def test_guns_that_fired_are_remembered_through_the_turn() -> None:
    game = new(machine_gun=True)
    game.play("A1@b3^0", *["+W@a1"] * 2, *["W:a1-a2"] * 2, ".")
    idle_until(game, lambda game: (game.phase, game.seat) == ("act", 1)).play("M@a2")
    assert game.view(2)["fired"] == ["a2"]
    game.play(".")
    assert game.view(2)["fired"] == []


def test_an_auction_is_remembered() -> None:
    game = new(players=4, auction=True)
    game.play("B:-", "B:3")
    assert game.view(4)["auction"] == {"had_turn": [], "out": [1], "first_out": 1, "bidder": 2}
    game.play("B:-", "B:-", "K:A2", "A2@b3^0", ".")
    assert game.view(4)["auction"] == {"had_turn": [2], "out": [], "first_out": None, "bidder": None}
    assert (game.view(4)["turn_seat"], game.seat) == (2, 3)


def test_a_scoring_round_is_remembered() -> None:
    game = idle_until(new(players=3), lambda game: game.status()["tile"] == "B6")
    assert game.seat == 3
    game.play(".")
    seen = game.view(2)
    assert seen["scoring"] == {"kind": "volcano", "order": [3, 1, 2], "place": 1}
    assert (seen["volcano_seat"], seen["turn_seat"]) == (3, 3)
    idle_until(game, lambda game: game.status()["deck_left"] == 0 and game.phase == "act").play(".", ".")
    assert game.view(2)["scoring"] == {"kind": "final", "order": [1, 2, 3], "place": 1}
    assert new().view(1)["scoring"] is None
    assert new().view(1)["volcano_seat"] is None


def test_a_round_of_leaps_is_remembered() -> None:
    game = new(players=3, auction=True, leaps=True)
    game.play("B:-", "B:-", "B:2", "K:A3")
    seen = game.view(1)["leaps"]
    assert (seen["order"], seen["tiles"], seen["tokens"]) == ([3], [None, None, "A3"], [0, 0, 0])
    idle_until(game, lambda game: game.phase == "leap")
    game.play("J:5", "J:2", "J:0")
    seen = game.view(1)["leaps"]
    assert (seen["order"], seen["tokens"], seen["chosen"], seen["erupted"]) == ([3, 1, 2], [8, 0, 5], [2, 0, 5], False)
    game.play("+W@a1")
    assert game.view(1)["leaps"]["stage"] == "spent"
    game.play(".", "+W@a1", ".")
    idle_until(game, lambda game: game.phase == "leap")
    game.play("J:5", "J:3")
    idle_until(game, lambda game: game.phase != "leap")
    seat = game.seat
    assert seat is not None
    game.play("W:a1-b2")
    seen = game.view(2)["leaps"]
    assert (seen["stage"], seen["walker"]) == ("walking", ["W", "b2"])


def test_volcanoes_and_scorings_of_a_round_of_sudden_death_are_remembered() -> None:
    options = Options(players=4, auction=True, sudden_death=True, double_volcano="taker_decides")
    game = Game.new(options, deck=sudden_deck((16, "B6"), (17, "D5")), treasures=ordered_treasures())
    idle_until(game, lambda game: "B6" in game.status()["display"])
    game.play("B:-", "B:-", "B:-", "B:-", "K:B6")
    assert (game.view(1)["volcanoes_taken"], game.view(1)["round_scored"]) == (1, False)
    game.play("V:+")
    assert (game.view(1)["volcanoes_taken"], game.view(1)["round_scored"]) == (1, True)


def test_a_finished_game_can_be_viewed() -> None:
    for kind in KINDS:
        game = copy(finished(kind))
        for viewer in seats(game):
            seen = game.view(viewer)
            assert (seen["phase"], seen["seat"], seen["scoring"]) == ("over", None, None)

"""Undo: any number of actions for programs, up to the last barrier for a player."""

from __future__ import annotations

import random

import pytest

from tests.kit.deals import letter_deck
from tests.kit.games import (
    choose,
    copy,
    exact_game,
    finished,
    idle_until,
    kinds,
    new,
    options_of,
    sealed_game,
    sudden_deck,
)
from tikal.play import Game
from tikal.play.game import CHECKPOINT, UndoError


def snapshot(game: Game) -> tuple[object, ...]:
    return game.state.key(), game.status(), game.legal(), list(game.history)


@pytest.mark.parametrize("kind", kinds(1))
def test_undo_goes_back_over_anything_to_every_earlier_moment(kind: str) -> None:
    rng = random.Random(kind)
    game = copy(finished(kind))
    actions = [step.action for step in game.history]
    again = Game(game.options, game.chance, game.seed)
    before = [snapshot(again)]
    for action in actions:
        again.play(action)
        before.append(snapshot(again))
    while game.history:
        back = rng.randint(1, min(9, len(game.history)))
        game.undo(back)
        assert snapshot(game) == before[len(game.history)]
        if rng.random() < 0.3:
            ahead = actions[len(game.history) : len(game.history) + back // 2]
            game.play(*ahead)
            assert snapshot(game) == before[len(game.history)]
    assert snapshot(game) == before[0]


def test_undo_takes_back_one_action_by_default() -> None:
    game = new()
    game.play("A1@b3^0", "+W@a1")
    game.undo()
    assert [step.action for step in game.history] == ["A1@b3^0"]


@pytest.mark.parametrize(
    ("actions", "right"), [(3, "must be from 1 to 2"), (0, "must be from 1 to 2"), (-1, "from 1 to 2")]
)
def test_more_than_was_played_is_refused_and_changes_nothing(actions: int, right: str) -> None:
    game = new()
    game.play("A1@b3^0", "+W@a1")
    before = snapshot(game)
    with pytest.raises(UndoError, match=f"^can't take back {actions} actions: .*{right}") as caught:
        game.undo(actions)
    assert caught.value.code == "undo"
    assert snapshot(game) == before


def test_with_nothing_played_there_is_nothing_to_take_back() -> None:
    with pytest.raises(UndoError, match=r"^can't take back 1 actions: nothing has been played$"):
        new().undo()


# Barriers, one by one


def free(game: Game, *actions: str) -> int:
    """Plays these; returns how many actions can be taken back after them."""
    game.play(*actions)
    return game.can_take_back()


def test_actions_that_reveal_nothing_can_be_taken_back() -> None:
    game = new(letter_deck(last=("A1", "A2", "A3", "A4", "A5")), obstacles=True)
    assert game.can_take_back() == 0
    assert free(game, "A6@b3^0") == 1
    assert free(game, "+W@a1") == 2
    assert free(game, "W:a1-b2") == 3
    assert free(game, "O:a1-b2") == 4
    assert free(game, "+L@a1") == 5
    game = new()
    assert free(game, "A1@b3^0", "+W@a1", "W:a1-a2", "X@a2", "+W@a1", "W:a1-b2") == 6
    game = new()
    assert free(game, "A1@b3^0", "+W@a1", "W:a1-b2", "C@b2", "W:b2=a1") == 5
    game = new()
    assert free(game, "A1@b3^0", "+W@a1", "W:a1-a2", "GW@a2") == 4


def test_the_end_of_a_turn_is_a_barrier() -> None:
    game = new()
    assert free(game, "A1@b3^0", "+W@a1", ".") == 0
    assert free(game, "A2@a3^0") == 1


def test_the_seat_s_earlier_turn_is_out_of_reach() -> None:
    """With a final scoring round, a seat can have two turns in a row: the dot is between them."""
    game = idle_until(new(players=2, final_start="after_last_volcano"), lambda game: bool(game.view(1)["scoring"]))
    idle_until(game, lambda game: game.view(1)["scoring"] is None)
    assert game.can_take_back() == 0
    assert (game.phase, game.history[-1].action) == ("place", ".")


def test_a_dig_is_a_barrier() -> None:
    game = new(letter_deck(last=("A1", "A2", "A3", "A6")))
    assert free(game, "A4@b3^0", "+W@a1", "W:a1-b2", "W:b2-b3") == 4
    assert free(game, "D@b3") == 0
    assert free(game, "+W@a1", "W:a1-b2") == 2


def test_dice_are_a_barrier_and_a_level_without_dice_is_none() -> None:
    way = ("A1@b3^0", "+W@a1", "W:a1-a2", "X@a2")
    assert free(new(boulders="3d6", dice=[11]), *way) == 0
    assert free(new(), *way) == 4


def test_bids_are_barriers() -> None:
    game = new(players=2, auction=True)
    assert free(game, "B:1") == 0
    assert free(game, "B:-") == 0
    assert (game.phase, game.seat) == ("take", 1)


def test_taking_a_tile_can_be_taken_back() -> None:
    game = new(players=2, auction=True)
    assert free(game, "B:1", "B:-", "K:A1") == 1
    assert free(game, "A1@b3^0", "+W@a1") == 3


def test_taking_a_volcano_is_a_barrier() -> None:
    game = idle_until(new(players=2, auction=True), lambda game: "K:B6" in game.legal())
    assert free(game, "K:B6") == 0
    assert free(game, "+W@a1") == 1
    game = idle_until(new(players=2, auction=True, instant_scoring=True), lambda game: "K:B6" in game.legal())
    assert free(game, "K:B6") == 0
    assert game.phase == "place"


def test_a_volcano_drawn_is_a_barrier() -> None:
    for at_once in (False, True):
        game = idle_until(new(players=2, instant_scoring=at_once), lambda game: game.status()["tile"] == "B6")
        assert game.can_take_back() == 0


def test_deciding_whether_a_volcano_scores_is_a_barrier() -> None:
    deck = sudden_deck((16, "B6"), (17, "D5"))
    game = new(deck, players=4, auction=True, sudden_death=True, double_volcano="taker_decides")
    idle_until(game, lambda game: "K:B6" in game.legal())
    assert free(game, "K:B6") == 0
    assert free(game, "V:-") == 0
    assert free(game, game.legal()[0]) == 1


def test_tokens_are_barriers() -> None:
    game = idle_until(new(players=2, auction=True, leaps=True), lambda game: game.phase == "leap")
    assert free(game, "J:3") == 0
    assert free(game, "J:3") == 0
    assert free(game, "+W@a1") == 1
    assert free(game, ".") == 0


def test_actions_of_another_seat_are_out_of_reach() -> None:
    game = new(players=2, auction=True, leaps=True)
    assert free(game, "B:-", "B:-", "K:A1") == 0  # seat 2 is asked now
    assert free(game, "K:A2") == 0
    assert free(game, "A1@b3^0") == 0


def test_when_the_game_is_over_nothing_can_be_taken_back() -> None:
    game = copy(finished("basic"))
    assert game.can_take_back() == 0
    with pytest.raises(UndoError):
        game.take_back()


def test_a_tile_that_left_the_game_comes_back_with_the_take() -> None:
    game = sealed_game(players=2, auction=True)
    game.play(".", "B:-", "B:-")
    tile = game.legal()[0]
    assert free(game, tile, "+W@a1") == 2
    game.restart_turn()
    assert (game.phase, game.legal()[0], game.view(1)["gone"]) == ("take", tile, [])


# Doing it


def test_taking_back_goes_one_action_to_the_barrier_and_no_further() -> None:
    game = new(letter_deck(last=("A1", "A2", "A3", "A6")))
    game.play("A4@b3^0", "+W@a1", "W:a1-b2", "W:b2-b3", "D@b3", "+W@a1", "W:a1-b2")
    game.take_back()
    assert game.history[-1].action == "+W@a1"
    game.take_back()
    before = snapshot(game)
    why = "this turn has no action since the last thing that was revealed"
    for undo, what in ((game.take_back, "take back"), (game.restart_turn, "start again")):
        with pytest.raises(UndoError, match=f"^nothing to {what}: {why}$") as caught:
            undo()
        assert caught.value.code == "undo"
    assert snapshot(game) == before
    assert game.history[-1].text == "D@b3(1)"


def test_starting_a_turn_again_goes_to_the_barrier_in_one_step() -> None:
    game = new()
    before = snapshot(game)
    game.play("A1@b3^0", "+W@a1", "W:a1-a2", "X@a2")
    game.restart_turn()
    assert snapshot(game) == before


@pytest.mark.parametrize("kind", kinds(2))
def test_only_the_seat_s_own_actions_without_revelations_are_taken_back(kind: str) -> None:
    rng = random.Random(f"barrier {kind}")
    game = exact_game(options_of(kind), rng)
    while not game.over:
        game.play(choose(game, rng))
        seat, back = game.seat, game.can_take_back()
        steps = list(game.history)[len(game.history) - back :]
        assert all(step.seat == seat and step.revealed is None for step in steps)
        assert not any(step.action[0] in ".BVJD" and step.action[1:2] in ("", ":") for step in steps)
        if back and rng.random() < 0.2:
            seen = game.view(None)
            twin = copy(game, len(game.history) - back)
            game.restart_turn()
            assert snapshot(game) == snapshot(twin)
            assert game.seat == seat
            after = game.view(None)
            assert (after["unseen_kinds"], after["unseen_tiles"]) == (seen["unseen_kinds"], seen["unseen_tiles"])
            game.play(*[step.action for step in steps])


@pytest.mark.parametrize("kind", kinds(0))
def test_every_state_of_a_game_can_be_had_again_and_gone_back_to(kind: str) -> None:
    """Only the state of every 64th action is kept; the others are replayed."""
    game = copy(finished(kind))  # the finished one is shared
    played = Game(game.options, game.chance)
    keys = [played.state.key()]
    for step in game.history:
        played.play(step.action)
        keys.append(played.state.key())
    assert [state.key() for state in game.states()] == keys
    assert [game.state_at(at).key() for at in range(len(keys))] == keys
    rng = random.Random(kind)
    while game.history:
        game.undo(rng.randint(1, min(CHECKPOINT + 5, len(game.history))))
        assert game.state.key() == keys[len(game.history)]
        assert game.state_at(len(game.history) // 2).key() == keys[len(game.history) // 2]
    game.play(*(step.action for step in played.history))
    assert [state.key() for state in game.states()] == keys
    assert game.history == played.history

"""How a game begins: its chance, and the loops that run the core."""

from __future__ import annotations

import pickle
import random

import pytest

from tests.kit.deals import letter_deck, random_options
from tests.kit.positions import Position, legal, play
from tests.kit.states import known_game, scaled, start
from tikal.rules.core import Moves, State
from tikal.rules.options import Options
from tikal.rules.setup import Chance, ChanceError, new_state
from tikal.rules.tree import perft, playout, playouts

DECK = tuple(letter_deck())
KINDS = (1, 2, 3, 4, 5, 6, 7, 8) * 3
SUDDEN = Options(auction=True, sudden_death=True)


@pytest.mark.parametrize(
    ("options", "chance", "code", "text"),
    [
        (Options(), Chance((*DECK[:-1], "Z9"), KINDS), "deck", "deck: no tile is called 'Z9'; list all 36"),
        (Options(), Chance((*DECK, "A1"), KINDS), "deck", "deck: A1 occurs 2 times; list all 36"),
        (Options(), Chance((*DECK, "B6"), KINDS), "deck", "deck: B6 occurs 2 times"),
        (Options(), Chance(DECK[:-1], KINDS), "deck", "deck: 1 tile is missing: it is G4; list all 36"),
        (Options(), Chance(DECK[:-3], KINDS), "deck", "deck: 3 tiles are missing, the first is G2"),
        (
            Options(),
            Chance(DECK[::-1], KINDS),
            "deck",
            "deck: F5 can't come after G1; letters come in the order ABCDEFG",
        ),
        (SUDDEN, Chance((*DECK, "B6"), KINDS), "deck", "deck: B6 occurs 2 times"),
        (Options(), Chance(DECK, KINDS[:-1]), "treasures", "treasures: must be 24 kinds, 3 of each from 1 to 8"),
        (Options(), Chance(DECK, (*KINDS[:-1], 1)), "treasures", "treasures: must be 24 kinds"),
        (Options(), Chance(DECK, (*KINDS[:-1], 9)), "treasures", "treasures: must be 24 kinds"),
        (Options(), Chance(DECK, (*KINDS, 1)), "treasures", "treasures: must be 24 kinds"),
        (Options(), Chance(DECK, KINDS, (7,)), "dice", "dice: only the variant boulders rolls dice"),
        (Options(boulders="3d6"), Chance(DECK, KINDS, (7,) * 49), "dice", "dice: 49 sums are too many; 48 always"),
        (Options(boulders="3d6"), Chance(DECK, KINDS, (2,)), "dice", "dice: every sum of 3d6 is from 3 to 18"),
        (Options(boulders="3d6"), Chance(DECK, KINDS, (19,)), "dice", "dice: every sum of 3d6 is from 3 to 18"),
        (Options(boulders="1d20"), Chance(DECK, KINDS, (21,)), "dice", "dice: every sum of 1d20 is from 1 to 20"),
        (Options(boulders="2d6"), Chance(DECK, KINDS, (1,)), "dice", "dice: every sum of 2d6 is from 2 to 12"),
    ],
)
def test_impossible_chance_is_refused(options: Options, chance: Chance, code: str, text: str) -> None:
    with pytest.raises(ChanceError) as error:
        chance.check(options)
    assert error.value.code == code
    assert error.value.text.startswith(text)
    assert str(pickle.loads(pickle.dumps(error.value))) == error.value.text


@pytest.mark.parametrize(("boulders", "sums"), [("3d6", (3, 18)), ("1d20", (1, 20)), ("2d6", (2, 12))])
def test_possible_dice_are_accepted(boulders: str, sums: tuple[int, ...]) -> None:
    Chance(DECK, KINDS, sums).check(Options(boulders=boulders))
    Chance(DECK, KINDS, sums * 24).check(Options(boulders=boulders))


def test_tiles_and_tokens_come_up_in_the_order_given() -> None:
    state = new_state(Options(), Chance(tuple(letter_deck("A4", "A2")), tuple(sorted(KINDS, reverse=True))))
    fields = state.export()
    assert fields["deck"][:2] == [3, 1]
    assert fields["kinds"][:4] == [7, 7, 7, 6]


# ---------------------------------------------------------------- perft and playouts


def count(state: State, depth: int) -> int:
    """Action sequences, counted as plainly as possible."""
    actions = legal(state)
    if depth == 0 or not actions:
        return 1
    return sum(count(play(state, action), depth - 1) for action in actions)


def test_perft_counts_action_sequences() -> None:
    acting = Position(members={1: "a1:W"}, ap=3).state()
    near_the_end = Position(seat=2, scoring="final", order=(1, 2), place=1, deck_left=0, ap=2).state()
    for state in (known_game(), acting, near_the_end, known_game(auction=True)):
        key = state.key()
        assert [perft(state, depth) for depth in range(3)] == [count(state, depth) for depth in range(3)]
        assert state.key() == key
    assert perft(Position(phase="over").state(), 5) == 1
    assert perft(near_the_end, 4) == count(near_the_end, 4), "a finished game ends a sequence early"


def test_a_playout_plays_to_the_end() -> None:
    for game in range(scaled(50)):
        rng = random.Random(game)
        state = start(random_options(rng), rng)
        other = state.clone()
        decisions = playout(state, Moves(), game + 1)
        assert decisions > 36 / state.players
        assert state.winners
        assert state.legal(Moves()) == 0
        assert playout(other, Moves(), game + 1) == decisions
        assert other.key() == state.key(), "the same seed plays the same game"


def test_playouts_leave_the_state_as_it_is() -> None:
    state = known_game(players=3)
    key = state.key()
    assert playouts(state, 0, 5) == 0
    many = playouts(state, 5, 5)
    assert many > playouts(state, 4, 5) > 4 * 36
    assert state.key() == key


def test_a_list_of_moves() -> None:
    moves = Moves()
    assert (len(moves), list(moves)) == (0, [])
    size = known_game().legal(moves)
    assert [moves[index] for index in range(size)] == list(moves)
    for wrong in (-1, size):
        with pytest.raises(IndexError):
            moves[wrong]

"""What is in the box: the checks under the table of tiles, and the start board."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from tests.kit.positions import cost
from tests.kit.states import known_game
from tests.oracle import tables as typed_again
from tikal.play.view import status
from tikal.rules import tables
from tikal.rules.tables import BOARDS, HEX_INDEX, HEX_NAMES, NEIGHBOURS, TILE_BY_NAME, TILES, Board, BoardError, Tile


def test_the_board_has_40_hexes_in_8_columns_of_5() -> None:
    assert len(HEX_NAMES) == 40
    assert (HEX_NAMES[0], HEX_NAMES[5], HEX_NAMES[39]) == ("a1", "b1", "h5")


def test_neighbours_are_as_the_table_of_steps_says() -> None:
    for name, index in HEX_INDEX.items():
        around = [typed_again.neighbour(name, direction) for direction in range(6)]
        assert [HEX_NAMES[other] if other >= 0 else None for other in NEIGHBOURS[index]] == around
        for direction, other in enumerate(NEIGHBOURS[index]):
            assert other < 0 or NEIGHBOURS[other][(direction + 3) % 6] == index


def test_tiles_are_those_of_a_second_typing_of_the_table() -> None:
    again = [(tile.name, tile.terrain, tile.value, tile.stones) for tile in typed_again.TILES.values()]
    assert [(tile.name, tile.terrain, tile.value, tile.stones) for tile in TILES] == again


def test_there_are_so_many_tiles_of_each_terrain() -> None:
    assert Counter(tile.terrain for tile in TILES) == {"temple": 15, "jungle": 10, "treasure": 8, "volcano": 3}
    assert Counter(tile.name[0] for tile in TILES) == {"A": 6, "B": 6, "C": 5, "D": 5, "E": 5, "F": 5, "G": 4}


def test_temples_have_these_values() -> None:
    assert Counter(tile.value for tile in TILES if tile.terrain == "temple") == {1: 1, 2: 3, 3: 4, 4: 3, 5: 3, 6: 1}


def test_treasure_tiles_take_all_24_tokens() -> None:
    assert sum(tile.value for tile in TILES if tile.terrain == "treasure") == 24 == tables.TOKENS
    assert (tables.KINDS, tables.TOKENS_OF_A_KIND) == (8, 3)


def test_three_stones_on_every_tile_but_volcanoes() -> None:
    assert {tile.name: sum(tile.stones) for tile in TILES if sum(tile.stones) != 3} == {"B6": 0, "D5": 0, "F5": 0}


def test_volcanoes_are_in_b_d_and_f() -> None:
    assert [tile.name for tile in TILES if tile.terrain == "volcano"] == ["B6", "D5", "F5"]


def test_only_e4_and_e5_are_alike_within_a_letter() -> None:
    def alike(one: Tile, other: Tile) -> bool:
        return (one.terrain, one.value) == (other.terrain, other.value) and other.stones in map(one.turned, range(6))

    pairs = [(a.name, b.name) for a, b in combinations(TILES, 2) if a.name[0] == b.name[0] and alike(a, b)]
    assert pairs == [("E4", "E5")]


def test_a_side_turns_clockwise_with_the_tile() -> None:
    for tile in TILES:
        for rotation in range(6):
            turned = tile.turned(rotation)
            assert all(turned[(side + rotation) % 6] == tile.stones[side] for side in range(6))


def test_rotations_that_are_alike_are_named_by_the_smallest() -> None:
    few = {tile.name: tile.rotations() for tile in TILES if len(tile.rotations()) < 6}
    assert few == {"B6": (0,), "D5": (0,), "F5": (0,), "D4": (0, 1)}
    assert TILE_BY_NAME["A5"].rotations() == (0, 1, 2, 3, 4, 5)


def test_level_tiles_and_pieces() -> None:
    assert tables.LEVEL_TILES == {2: 3, 3: 6, 4: 9, 5: 11, 6: 8, 7: 5, 8: 3, 9: 2, 10: 1}
    assert sum(tables.LEVEL_TILES.values()) == 48
    assert (tables.WORKERS, tables.CAMPS, tables.GUARDS) == (18, 2, 2)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_everything_is_in_the_reserve_at_the_start(players: int) -> None:
    shown = status(known_game(players=players))
    assert shown["reserve"] == [18] * players
    assert shown["leader"] == ["reserve"] * players
    assert shown["scores"] == [0] * players
    assert shown["levels"] == {"a2": 1, "b1": 1}
    assert shown["supply"] == {str(level): count for level, count in tables.LEVEL_TILES.items()}
    assert shown["deck_left"] == 35


@pytest.mark.parametrize("name", ["original", "classic"])
def test_the_start_board(name: str) -> None:
    board = BOARDS[name]
    printed = {hex_: (row.terrain, row.level, row.stones) for hex_, row in board.printed.items()}
    again = {hex_: row for hex_, row in typed_again.ORIGINAL_BOARD.items() if row != "empty"}
    assert printed == again
    assert (board.base, bool(board.note)) == ("a1", True)


def test_start_board_costs() -> None:
    state = known_game()
    costs = {(a, b): cost(state, a, b) for a, b in combinations(("a1", "a2", "b1", "b2"), 2)}
    assert costs == {
        ("a1", "b2"): 1,
        ("a1", "a2"): 2,
        ("a1", "b1"): 2,
        ("a2", "b2"): 0,
        ("b1", "b2"): 0,
        ("a2", "b1"): 0,
    }


BASE = ["base", 0, [1, 0, 0, 0, 0, 0]]


@pytest.mark.parametrize(
    ("rows", "text"),
    [
        ({}, "board mine: there must be exactly one base camp, not 0"),
        ({"a1": BASE, "a2": BASE}, "board mine: there must be exactly one base camp, not 2"),
        ({"a1": BASE, "i1": "lake"}, "i1: no such hex; hexes are a1 to h5"),
        ({"a1": BASE, "a2": "swamp"}, "a2: must be"),
        ({"a1": BASE, "a2": ["jungle", 0]}, "a2: must be"),
        ({"a1": BASE, "a2": ["treasure", 0, [0] * 6]}, "a2: must be"),
        ({"a1": BASE, "a2": ["temple", 0, [0] * 6]}, "a2: a temple has a level of 1 to 10"),
        ({"a1": BASE, "a2": ["temple", 11, [0] * 6]}, "a2: a temple has a level of 1 to 10"),
        ({"a1": BASE, "a2": ["jungle", 1, [0] * 6]}, "a2: a temple has a level of 1 to 10"),
        ({"a1": BASE, "a2": ["jungle", 0, [0] * 5]}, "a2: stones are six numbers from 0 to 3"),
        ({"a1": BASE, "a2": ["jungle", 0, [4, 0, 0, 0, 0, 0]]}, "a2: stones are six numbers from 0 to 3"),
    ],
)
def test_invalid_boards_are_refused(rows: dict[str, object], text: str) -> None:
    with pytest.raises(BoardError) as error:
        Board.from_data("mine", rows)
    assert str(error.value).startswith(text)

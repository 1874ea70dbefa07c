"""Boards as data: lakes, printed volcanoes and hexes off the board, in the core and in the oracle."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass
from typing import Any

import pytest

from tests.kit.deals import letter_deck, random_options
from tests.kit.positions import Position, legal, refused
from tests.kit.states import imaginable, scaled
from tests.oracle import Oracle
from tests.rules.second_reading import play_both
from tikal.play.notation import text
from tikal.play.view import status
from tikal.rules.facts import Facts
from tikal.rules.options import VALUES, Options
from tikal.rules.refusals import refusal
from tikal.rules.tables import BOARDS, HEX_NAMES, Board

START: dict[str, Any] = {
    "a1": ["base", 0, [1, 1, 1, 0, 0, 0]],
    "a2": ["temple", 1, [1, 1, 0, 1, 0, 0]],
    "b2": ["jungle", 0, [1, 1, 1, 0, 0, 0]],
}
# Stones of the base camp point at a lake (b1), stones of b2 at a printed volcano (c2); four columns only. The corner
# d5 is shut in by a printed volcano (d4) and a lake (c5); a5 is a lake.
SHORE = START | {"b1": "lake", "c2": "volcano", "d4": "volcano", "c4": "lake", "c5": "lake", "a5": "lake"}
SHORE |= {name: "off" for name in HEX_NAMES if name[0] in "efgh"}
# No hex is cut off from the start: for games in which no volcano may seal.
BAY = START | {"b1": "lake", "c2": "volcano", "a5": "lake", "d2": "off"}
BAY |= {name: "off" for name in HEX_NAMES if name[0] in "efgh" and name not in ("e1", "e2", "e3", "f2", "f3")}


@dataclass
class Both:
    """The same board in the core and in the oracle; both must agree."""

    name: str
    rows: dict[str, Any]

    @property
    def for_oracle(self) -> dict[str, object]:
        """The board as the oracle takes it: every hex named, rows as tuples."""
        named = dict.fromkeys(HEX_NAMES, "empty") | self.rows
        return {hex_: row if isinstance(row, str) else (row[0], row[1], tuple(row[2])) for hex_, row in named.items()}

    def options(self, **more: Any) -> Options:
        return Options(board=self.name, **more)

    def oracle(self, options: Options, tiles: str = "") -> Oracle:
        given = options.as_dict() | {"board": self.for_oracle}
        oracle = Oracle(given, list(letter_deck()), [1, 2, 3, 4, 5, 6, 7, 8] * 3)
        for word in tiles.split():
            oracle.put_tile(word[:2], word[3:5], int(word[6]))
        return oracle

    def places(self, tile: str, tiles: str = "", **more: Any) -> set[str]:
        """The hexes where a tile can be placed."""
        options = self.options(**more)
        found = legal(Position(options=options, phase="place", hand=tile, tiles=tiles).state())
        assert found == sorted(self.oracle(options, tiles).places(tile))
        return {action[3:5] for action in found}

    def steps(self, start: str, tiles: str = "") -> set[str]:
        """The hexes to which a worker can go from a hex."""
        options = self.options()
        found = legal(Position(options=options, tiles=tiles, members={1: f"{start}:W"}).state(), "W:")
        oracle = self.oracle(options, tiles)
        oracle.put_members(1, start, workers=1)
        assert found == sorted(action for action in oracle.actions(1) if action.startswith("W:"))
        return {action[5:] for action in found}


def install(monkeypatch: pytest.MonkeyPatch, name: str, rows: dict[str, Any]) -> Both:
    monkeypatch.setitem(BOARDS, name, Board.from_data(name, rows))
    monkeypatch.setitem(VALUES, "board", [*VALUES["board"], name])
    return Both(name, rows)


@pytest.fixture
def shore(monkeypatch: pytest.MonkeyPatch) -> Both:
    return install(monkeypatch, "shore", SHORE)


@pytest.fixture
def bay(monkeypatch: pytest.MonkeyPatch) -> Both:
    return install(monkeypatch, "bay", BAY)


def test_nobody_enters_a_lake_or_a_printed_volcano(shore: Both) -> None:
    assert shore.steps("a1") == {"a2", "b2"}
    assert shore.steps("b2", "A6@c1^5") == {"a1", "c1"}
    for start, goal in (("a1", "b1"), ("b2", "c2")):
        state = Position(options=shore.options(), members={1: f"{start}:W"}).state()
        assert refused(state, f"W:{start}-{goal}") == "unexplored"
        assert set(status(state)["levels"]) == {"a2"}


def test_no_tile_is_placed_on_them_nor_off_the_board(shore: Both) -> None:
    closed = {name for name, row in SHORE.items() if isinstance(row, str)}
    tiles = "A1@a3^0 A2@a4^0 A3@b3^0 A4@b4^0 A5@b5^0 B1@c1^0 B2@c3^0 C1@d1^0 C2@d2^0"
    for tile in ("A6", "D5"):
        places = shore.places(tile, tiles)
        assert places and not places & closed
        state = Position(options=shore.options(), phase="place", hand=tile, tiles=tiles).state()
        for name in ("b1", "c2", "e3"):
            assert refused(state, f"{tile}@{name}^0") == "occupied"
    assert shore.places("D5", tiles) == {"d3"}


def test_lakes_need_not_stay_connected(bay: Both) -> None:
    # a5 is a lake between a4 and b5: it may be cut off, while on the original board a5 may not
    tiles = "A6@b4^0 A1@b3^0 B6@a4^0"
    assert "b5" in bay.places("D5", tiles, volcano_may_seal=False)
    original = Position(options=Options(volcano_may_seal=False), phase="place", hand="D5", tiles=tiles).state()
    assert refused(original, "D5@b5^0") == "seals"


def test_they_join_nothing(bay: Both) -> None:
    # a4's only neighbours are a3, b4, b5 and the lake a5: with volcanoes on two of the three, the third must stay
    tiles = "A1@b3^0 A6@a3^0 B6@b4^0"
    assert {"b5", "a4"} <= bay.places("D5", tiles, volcano_may_seal=False)
    sealed = "A1@b3^0 A6@c3^0 A2@c4^0 B6@b4^0 D5@b5^0"
    assert "a3" not in bay.places("F5", sealed, volcano_may_seal=False), "the lake a5 is no way to a4"
    assert "a3" in bay.places("F5", sealed, volcano_may_seal=True)


def test_a_tile_next_to_nothing_but_lakes_and_volcanoes_is_not_accessible(shore: Both) -> None:
    # around d3: d4 printed volcano, c3, d2, c2 printed volcano; with volcano tiles on c3 and d2 nothing leads there
    tiles = "B6@c3^0 D5@d2^0 A6@b3^0"
    assert "d3" not in shore.places("A1", tiles)
    state = Position(options=shore.options(), phase="place", hand="A1", tiles=tiles).state()
    assert {refused(state, f"A1@d3^{k}") for k in range(6)} == {"stones"}
    # a volcano tile may lie there: the two tiles are explored hexes
    assert "d3" in shore.places("F5", tiles)


def test_a_volcano_tile_can_not_lie_next_to_nothing_but_them(shore: Both) -> None:
    everywhere = "A1@a3^0 A2@a4^0 A3@b3^0 A4@b4^0 A5@b5^0 A6@c1^0 B1@c3^0 B2@d1^0 B3@d2^0 B4@d3^0"
    for tile in ("B6", "B5"):
        assert shore.places(tile, everywhere) == set()
        state = Position(options=shore.options(), phase="place", hand=tile, tiles=everywhere).state()
        assert refused(state, f"{tile}@d5^0") == "apart"


def test_a_hex_that_is_cut_off_from_the_start_forbids_every_volcano(shore: Both) -> None:
    # d5 is not a lake, and nothing connects it to the base camp: the rule, taken literally
    assert shore.places("B6", volcano_may_seal=False) == set()
    assert shore.places("B6", volcano_may_seal=True) == {"a3", "b3", "c1"}


def test_refusals_know_every_hex_of_a_board_with_nothing_but_a_base_camp(monkeypatch: pytest.MonkeyPatch) -> None:
    board = install(monkeypatch, "camp", {"a1": ["base", 0, [0, 0, 0, 0, 0, 0]]})
    options = board.options(edition="classic")
    for hand in ("A5", "C1", "B6"):
        state = Position(options=options, phase="place", hand=hand, tiles="A6@b2^4").state()
        facts = Facts(state)
        not_refused = {action for action in imaginable() if refusal(facts, action) is None}
        assert {text(action) for action in not_refused} == set(legal(state))
        assert {action[3:5] for action in legal(state)} >= {"a2", "b1"}
    assert board.places("C1") == {"a2", "b1", "b2"}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["shore", "bay"])
def test_whole_games_on_small_boards_agree_with_the_oracle(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # most tiles fit nowhere after a while, and leave the game
    board = install(monkeypatch, name, {"shore": SHORE, "bay": BAY}[name])
    played: Counter[str] = Counter()
    for game in range(scaled(25)):
        rng = random.Random(game)
        played += play_both(random_options(rng, board=name), rng, board.for_oracle)
    assert played["place"] < played["."]

"""The oracle by itself: the worked examples of rules.md section 11, the rulings, and the variants."""

from __future__ import annotations

import random

import pytest

from . import DiceError, Oracle, random_chance
from .chance import check_deck, resolve, run_sudden_death_deck, sudden_death_limits
from .tables import ORIGINAL_BOARD, TILES, VOLCANOES, rotations

FIRST = "the first legal action"
TREASURES = [1, 2, 3, 4, 5, 6, 7, 8] * 3


def letter_deck(*first: str) -> list[str]:
    """A deck in letter order, with these tiles at the front of their letters."""
    return sorted(TILES, key=lambda tile: (tile[0], first.index(tile) if tile in first else 99, tile))


def new_game(*first: str, dice: list[int] | None = None, **options: object) -> Oracle:
    return Oracle({"players": 2} | options, letter_deck(*first), TREASURES, dice)


def acting_game(*first: str, dice: list[int] | None = None, **options: object) -> Oracle:
    """Seat 1 has placed A6 far from where the examples play (it shows only at b3) and has 10 AP."""
    g = new_game("A6", *first, dice=dice, **options)
    if g.phase == "bid":
        play(g, "B:-", *["B:-"] * (len(g.seats) - 1), "K:A6")
    g.play("A6@b3^0")
    return g


def play(g: Oracle, *actions: str) -> None:
    for action in actions:
        g.play(g.legal()[0] if action == FIRST else action)


def illegal(g: Oracle, action: str) -> bool:
    before = g.status()
    with pytest.raises(ValueError, match="not legal"):
        g.play(action)
    return action not in g.legal() and g.status() == before


def legal_of(g: Oracle, start: str) -> list[str]:
    return [action for action in g.legal() if action.startswith(start)]


def play_dull(g: Oracle) -> None:
    """One dull action: pass, take or place the first, end the turn, choose no tokens, let volcanoes score."""
    dull = {"act": ".", "bid": "B:-", "decide": "V:+", "leap": "J:0"}
    g.play(dull.get(g.phase) or g.legal()[0])


def to_last_round(g: Oracle) -> None:
    while g.tiles_unseen or g.phase != "bid":
        play_dull(g)


# ------------------------------------------------------------------ tables


def test_tiles_and_board_pass_the_checks_of_section_1() -> None:
    terrains = [tile.terrain for tile in TILES.values()]
    assert [terrains.count(t) for t in ("temple", "jungle", "treasure", "volcano")] == [15, 10, 8, 3]
    values = [tile.value for tile in TILES.values() if tile.terrain == "temple"]
    assert [values.count(v) for v in range(1, 7)] == [1, 3, 4, 3, 3, 1]
    assert sum(tile.value for tile in TILES.values() if tile.terrain == "treasure") == 24
    assert all(sum(tile.stones) == (0 if tile.terrain == "volcano" else 3) for tile in TILES.values())
    assert [name for name, tile in TILES.items() if tile.terrain == "volcano"] == list(VOLCANOES)
    alike = [
        (a.name, b.name)
        for a in TILES.values()
        for b in TILES.values()
        if a.name < b.name
        and a.name[0] == b.name[0]
        and (a.terrain, a.value) == (b.terrain, b.value)
        and b.stones in [stones for _, stones in rotations(a)]
    ]
    assert alike == [("E4", "E5")]


def test_rotations_are_named_by_the_smallest_k() -> None:
    assert [k for k, _ in rotations(TILES["D4"])] == [0, 1]
    assert [k for k, _ in rotations(TILES["B6"])] == [0]
    assert [k for k, _ in rotations(TILES["A5"])] == [0, 1, 2, 3, 4, 5]


# ------------------------------------------------------------------ the worked examples


def test_example_1_first_turns() -> None:
    g = new_game("A5", "A6")
    assert (g.phase, g.seat, g.tile, g.tiles_unseen, g.ap) == ("place", 1, "A5", 35, 0)
    g.play("A5@b3^0")
    for action, left in (("+L@a1", 9), ("L:a1-b2", 8), ("L:b2-b3", 7), ("D@b3", 4)):
        g.play(action)
        assert g.ap == left
    assert g.players[1].treasures[1] == 1
    assert illegal(g, "D@b3")
    play(g, "+W@a1", "+W@a1", "W:a1-a2")
    assert g.ap == 0
    assert g.legal() == ["."]
    g.play(".")
    assert (g.seat, g.tile) == (2, "A6")
    g.play(g.legal()[0])
    play(g, "+W@a1", "+W@a1", "W:a1-a2", "W:a1-a2", "X@a2", "X@a2")
    assert g.ap == 0
    assert g.hexes["a2"].level == 3
    g.play(".")
    assert (g.seat, g.phase) == (1, "place")


def test_example_2_printed_costs() -> None:
    g = new_game()
    pairs = (("a1", "b2"), ("a1", "a2"), ("a1", "b1"), ("b2", "a2"), ("b2", "b1"), ("a2", "b1"))
    assert [g.crossing_cost(*pair) for pair in pairs] == [1, 2, 2, None, None, None]


def test_example_3_scoring() -> None:
    g = acting_game()
    for tile, name, level in (("B2", "c3", 3), ("D1", "d3", 5), ("D2", "e3", 5), ("E2", "f3", 8)):
        g.put_tile(tile, name)
        g.hexes[name].level = level
        g.put_members(1, name, workers=2)
        g.put_members(2, name, workers=1)
    assert g.worth(1) == 21
    g.players[1].treasures |= {1: 2, 2: 2, 3: 1, 4: 1}
    assert g.worth(1) == 29
    g.players[1].treasures |= {1: 3, 2: 0, 3: 0, 4: 0}
    assert g.worth(1) == 27
    assert g.worth(2) == 0


def test_example_4_three_stones_on_one_side_and_a_volcano() -> None:
    g = acting_game()
    g.put_tile("C1", "d3")
    g.put_tile("E4", "d4", 1)
    g.put_members(1, "d3", workers=1)
    assert g.crossing_cost("d3", "d4") == 3
    g.ap = 2
    assert illegal(g, "W:d3-d4")
    g.ap = 3
    g.play("W:d3-d4")
    assert g.ap == 0

    g = new_game("A1", "B6")
    g.put_tile("C1", "h3")
    g.put_tile("B6", "h4")
    assert g.crossing_cost("h3", "h4") is None
    # the volcano is the only explored neighbour of h5 and of g4: for another volcano that will do [R1]
    assert not [p for p in g.places("A1") if p[3:5] in ("h5", "g4")]
    assert {p[3:5] for p in g.places("D5")} >= {"h5", "g4"}


def test_example_5_three_tokens_in_two_turns() -> None:
    g = acting_game()
    g.put_tile("C3", "c3")
    g.put_members(1, "c3", workers=3)
    play(g, "D@c3", "D@c3")
    assert g.ap == 4
    assert illegal(g, "D@c3")
    play(g, ".", FIRST, ".", FIRST)
    g.play("D@c3")
    assert g.hexes["c3"].tokens == []
    assert g.status()["tokens"] == {"c3": 0}
    assert illegal(g, "D@c3")
    assert "C@c3" in g.legal()


def test_example_6_guard_by_the_leader() -> None:
    g = acting_game()
    g.put_tile("E2", "c3")
    g.put_members(1, "c3", workers=1, leader=True)
    g.put_members(2, "c3", workers=3)
    assert legal_of(g, "G") == ["GL@c3", "GW@c3"]
    g.play("GL@c3")
    assert g.ap == 5
    assert (g.players[1].leader, g.players[1].workers, g.players[1].gone) == ("gone", {}, 1)
    assert g.players[2].workers == {"c3": 3}
    assert (g.worth(1), g.worth(2)) == (6, 0)
    play(g, ".", FIRST)
    assert illegal(g, "X@c3")

    g = acting_game()
    g.put_tile("E2", "c3")
    g.put_members(1, "c3", leader=True)
    g.put_members(2, "c3", workers=3)
    assert illegal(g, "GL@c3")


def test_example_7_ties_and_a_temple_scored_twice() -> None:
    g = new_game("A6", "B6", players=2)
    while g.tile != "B6":
        play_dull(g)
    assert (g.phase, g.seat, g.ap) == ("act", 1, 10)
    g.put_members(2, "a2", workers=1)
    g.put_members(1, "a2", workers=1)
    assert (g.worth(1), g.worth(2)) == (0, 0)
    play(g, "+W@a1", "W:a1-a2", ".")
    assert (g.seat, g.tile, g.players[1].score) == (2, "B6", 1)
    play(g, "+L@a1", "L:a1-a2", ".")
    assert g.players[2].score == 1
    assert (g.phase, g.seat, g.tile) == ("place", 1, "B6")
    g.play(g.legal()[0])
    assert (g.phase, g.seat, g.ap) == ("act", 1, 10)


def test_example_8_exchange() -> None:
    g = acting_game()
    g.players[1].treasures |= {1: 2, 2: 1, 3: 1}
    g.players[2].treasures |= {4: 2, 3: 1, 5: 1}
    assert legal_of(g, "S") == ["S:2:2/3", "S:2:2/5", "S:2:3/5"]
    g.play("S:2:2/3")
    assert g.status()["treasures"] == [[2, 0, 2, 0, 0, 0, 0, 0], [0, 1, 0, 2, 1, 0, 0, 0]]
    assert g.ap == 7


def test_example_9_a_round_of_auctions() -> None:
    g = new_game(players=4, auction=True)
    assert (g.phase, g.seat, len(g.display), g.tiles_unseen) == ("bid", 1, 4, 32)
    play(g, "B:4", "B:5", "B:-", "B:-", "B:-")
    assert (g.phase, g.seat, g.bid, g.players[2].score) == ("take", 2, 0, 15)
    play(g, FIRST, FIRST, ".")
    assert (g.phase, g.seat) == ("bid", 3)
    play(g, "B:-", "B:3", "B:4", "B:-")
    assert (g.phase, g.seat, g.players[1].score) == ("take", 1, 16)
    play(g, FIRST, FIRST, ".")
    assert (g.phase, g.seat) == ("bid", 3)
    play(g, "B:-", "B:-")
    assert (g.phase, g.seat, g.players[3].score) == ("take", 3, 20)
    play(g, FIRST, FIRST, ".")
    assert (g.phase, g.seat, len(g.legal()), g.players[4].score) == ("take", 4, 1, 20)
    play(g, FIRST, FIRST, ".")
    assert (g.phase, g.seat, len(g.display)) == ("bid", 1, 4)


def test_example_10_bids_in_detail() -> None:
    g = new_game(players=4, auction=True)
    order = []
    for action in ("B:1", "B:2", "B:-", "B:3", "B:4", "B:5", "B:-", "B:-"):
        order.append(g.seat)
        assert action == "B:-" or illegal(g, f"B:{g.bid}")
        g.play(action)
    assert order == [1, 2, 3, 4, 1, 2, 4, 1]
    assert (g.phase, g.seat, g.players[2].score) == ("take", 2, 15)


def test_example_11_level_supply() -> None:
    g = acting_game()
    g.put_tile("B2", "c3")
    g.put_members(1, "c3", workers=2)
    assert "X@c3" in g.legal()
    g.level_supply[4] = 0
    assert illegal(g, "X@c3")


@pytest.mark.parametrize(
    ("scores", "wanted"),
    [
        ((12, 30, 12, 25), [3, 1, 4, 2]),
        ((20, 20, 20, 20), [3, 4, 1, 2]),  # [R18]
    ],
)
def test_example_12_final_order_of_the_auction_game(scores: tuple[int, ...], wanted: list[int]) -> None:
    g = new_game(players=4, auction=True)
    to_last_round(g)
    play(g, "B:-", "B:-", "B:1", "B:-")
    while g.phase != "act" or g.seat != 2 or g.display:
        play_dull(g)
    for seat, score in enumerate(scores, start=1):
        g.players[seat].score = score
    g.play(".")
    order = []
    while g.phase != "over":
        assert g.phase == "act"
        order.append(g.seat)
        g.play(".")
    assert order == wanted


def test_example_13_two_ways_of_equal_cost() -> None:
    g = new_game("A5")
    play(g, "A5@b3^1", "+W@a1", "+W@a1", "W:a1-b2", "W:b2-b3")
    assert g.ap == 5
    play(g, "W:a1-a2", "W:a2-b3")
    assert g.ap == 2


def test_example_14_work_on_several_hexes() -> None:
    g = acting_game()
    g.put_tile("B2", "c3")
    g.put_tile("C2", "d3")
    g.put_members(1, "c3", workers=1)
    g.put_members(1, "d3", workers=3)
    play(g, "X@c3", "X@d3", "X@d3")
    assert (g.hexes["c3"].level, g.hexes["d3"].level, g.ap) == (4, 6, 4)
    assert legal_of(g, "X") == []

    g = new_game("A5")
    g.play("A5@b3^0")
    g.put_tile("A4", "c2")
    g.put_members(1, "b3", workers=3)
    play(g, "D@b3", "D@b3", "W:b3-c2", "D@c2")
    assert g.ap == 0


def test_example_15_a_walk() -> None:
    g = acting_game()
    for tile, name, k in (("C1", "d3", 0), ("B4", "d4", 0), ("F3", "e3", 5), ("A1", "c3", 1)):
        g.put_tile(tile, name, k)
    pairs = (("d3", "d4"), ("d4", "e3"), ("d3", "e3"), ("d3", "c3"))
    assert [g.crossing_cost(*pair) for pair in pairs] == [3, 3, None, 1]
    g.put_members(1, "d3", leader=True)
    play(g, "L:d3-d4", "L:d4-e3")
    assert g.ap == 4


def test_example_16_one_sided_placements_and_a_detour() -> None:
    g = new_game("A1")
    # b3 has b2 to the south (a stone towards it) and a2 to the southwest (a stone towards it)
    assert legal_of(g, "A1@b3") == [f"A1@b3^{k}" for k in range(6)]
    # c1 has b1 to the northwest (no stone) and b2 further up: b2's side SE points at c1
    assert legal_of(g, "A1@c1") == [f"A1@c1^{k}" for k in range(6)]
    # a4 is not next to anything explored; a3 has a2's stone to the south
    assert legal_of(g, "A1@a4") == []
    g.put_tile("C1", "c3")
    # c4 is next to c3 only, whose three stones point at it; d3 (c3's SE side) needs a stone of its own
    assert legal_of(g, "A1@c4") == [f"A1@c4^{k}" for k in range(6)]
    assert legal_of(g, "A1@d3") == ["A1@d3^4", "A1@d3^5"]

    detour = {
        "a1": ("base", 0, (3, 1, 0, 0, 0, 0)),
        "a2": ("temple", 1, (0, 0, 0, 0, 0, 0)),
        "b2": ("jungle", 0, (1, 0, 0, 0, 0, 1)),
        "b3": "empty",
    }
    g = new_game("A1", board=detour)
    play(g, "A1@b3^0", "+W@a1", "+W@a1", "W:a1-a2")
    assert g.ap == 5
    play(g, "W:a1-b2", "W:b2-a2")
    assert g.ap == 3


def three_volcanoes_at_once(**options: object) -> Oracle:
    """`sudden_death`, four players, all three volcanoes in the seventh round."""

    def draw(in_deck: list[str]) -> str:
        volcanoes = [tile for tile in in_deck if tile in VOLCANOES]
        others = [tile for tile in in_deck if tile not in VOLCANOES]
        return volcanoes[0] if volcanoes and len(others) <= 9 else others[0]

    deck = run_sudden_death_deck(4, False, draw)
    settings = {"players": 4, "auction": True, "sudden_death": True} | options
    g = Oracle(settings, deck, TREASURES)
    while g.phase != "bid" or g.round_volcanoes < 3:
        play_dull(g)
    return g


@pytest.mark.parametrize(("first", "points"), [("V:+", 1), ("V:-", 0)])
def test_example_17_three_volcanoes_in_one_round(first: str, points: int) -> None:
    g = three_volcanoes_at_once(double_volcano="taker_decides", instant_scoring=True)
    g.put_members(3, "a2", workers=1)
    play(g, *["B:-"] * 4, "K:B6")
    assert (g.phase, g.seat, g.tile, g.legal()) == ("decide", 1, "B6", ["V:+", "V:-"])
    g.play(first)
    assert g.players[3].score == 20 + points
    play(g, FIRST, ".", *["B:-"] * 3, "K:D5")
    assert (g.phase, g.seat) == ("decide", 2)
    play(g, "V:-", FIRST, ".", *["B:-"] * 2, "K:F5")
    assert (g.phase, g.seat, g.tile, g.players[3].score) == ("place", 3, "F5", 20 + points + 1)
    g.play(g.legal()[0])
    assert (g.phase, g.seat, g.tile, g.legal(), g.winners) == ("over", None, None, [], [3])
    assert len(g.display) == 1


# ------------------------------------------------------------------ rulings and conditions


def test_actions_cost_what_the_table_says() -> None:
    g = acting_game(obstacles=True, machine_gun=True)
    g.put_tile("A1", "c3")
    g.put_members(1, "a1", workers=1)
    g.put_members(1, "a2", workers=2)
    g.put_members(1, "b2", workers=1)
    g.camps["b3"] = 1
    costs = g.actions(1)
    wanted = {
        "+W@a1": 1, "+L@b3": 1, "W:a1-b2": 1, "W:a1-a2": 2, "W:a1=b3": 1, "X@a2": 2, "C@b2": 5,
        "GW@a2": 5, "M@a2": 6, "O:a1-a2": 4,
    }  # fmt: skip
    assert {action: costs[action] for action in wanted} == wanted


def test_camps() -> None:
    g = acting_game(edition="rio-grande")
    assert legal_of(g, "C") == ["C@b2", "C@b3"]
    g = acting_game()
    assert legal_of(g, "C") == []
    g.put_members(1, "b2", workers=1)
    g.put_members(1, "a1", workers=1)
    assert legal_of(g, "C") == ["C@b2"]
    g.play("C@b2")
    assert g.status()["camps"] == {"b2": 1}
    assert {"+W@b2", "W:a1=b2", "W:b2=a1", "W:a1-b2"} <= set(g.legal())  # [R13]
    g.put_members(2, "b2", workers=1)
    play(g, ".", FIRST)
    assert not {"C@b2", "+W@b2", "W:b2=a1"} & set(g.legal())  # [R7]
    g = acting_game()
    g.camps = {"c3": 1, "d3": 1}
    g.put_members(1, "b2", workers=1)
    assert legal_of(g, "C") == []


def test_guards_are_two_at_most_and_leaders_may_be_excluded() -> None:
    g = acting_game(leader_may_guard=False)
    g.put_members(1, "a2", workers=1, leader=True)
    assert legal_of(g, "G") == ["GW@a2"]
    g.play("GW@a2")
    assert (g.players[1].leader, g.players[1].gone) == ("gone", 1)
    g.put_members(1, "b1", workers=1)
    assert legal_of(g, "G") == ["GW@b1"]
    g.guards["c3"] = 1
    assert legal_of(g, "G") == []


def test_r2_a_tile_that_fits_nowhere_leaves_the_game() -> None:
    board = dict.fromkeys(ORIGINAL_BOARD, "off") | {
        name: ORIGINAL_BOARD[name] for name in ("a1", "a2", "b1", "b2", "b3")
    }
    g = new_game("A5", "A6", board=board)
    play(g, "A5@b3^0", ".")
    assert (g.phase, g.seat, g.tile, g.ap, g.discarded) == ("act", 2, None, 10, ["A6"])
    assert g.status()["tokens"] == {"b3": 4}


def test_r2_in_the_auction_it_is_taken_first() -> None:
    board = dict.fromkeys(ORIGINAL_BOARD, "off") | {name: ORIGINAL_BOARD[name] for name in ("a1", "b2")}
    g = new_game("A5", "A6", board=board, auction=True)
    play(g, "B:-", "B:-", "K:A6")
    assert (g.phase, g.seat, g.tile, g.display) == ("act", 1, None, ["A5"])


def test_r3_limits_start_anew_after_a_scoring_turn() -> None:
    g = new_game("A6", "B6")
    while g.tile != "B6":
        play_dull(g)
    g.put_members(1, "a2", workers=2)
    play(g, "X@a2", "X@a2")
    assert illegal(g, "X@a2")
    play(g, ".", ".", FIRST, "X@a2")


def test_r4_bids_up_to_the_score() -> None:
    g = new_game(auction=True)
    assert g.legal() == sorted(["B:-"] + [f"B:{n}" for n in range(1, 21)])
    g.players[1].score = 0
    assert g.legal() == ["B:-"]
    g.play("B:-")
    assert "B:20" in g.legal()
    g.play("B:20")
    assert (g.phase, g.seat, g.players[2].score) == ("take", 2, 0)


def test_lakes_and_printed_volcanoes() -> None:
    names = ("a1", "a2", "b1", "b2", "a3", "a4", "b3", "b4", "c2", "c1")
    board = {name: ORIGINAL_BOARD[name] for name in names} | {"a3": "lake", "b3": "volcano", "c1": "lake"}
    g = new_game("A1", board=board, volcano_may_seal=False)
    assert {p[3:5] for p in g.places("A1")} == {"c2"}
    assert g.places("B6") == []  # a4 and b4 are cut off from the start
    del g.hexes["a4"], g.hexes["b4"]
    assert g.places("B6") == ["B6@c2^0"]
    g = new_game("A1", board=board)
    assert g.places("B6") == ["B6@c2^0"]  # not a4, not b4: lakes and printed volcanoes are not explored


def test_volcano_may_not_seal_where_it_is_forbidden() -> None:
    board = {name: ORIGINAL_BOARD[name] for name in ("a1", "a2", "a3", "a4", "b2")}
    for may_seal, wanted in ((True, ["B6@a3^0"]), (False, [])):
        assert new_game(board=board, volcano_may_seal=may_seal).places("B6") == wanted


@pytest.mark.parametrize(("final_start", "order"), [("next_player", [1, 2, 3]), ("after_last_volcano", [3, 1, 2])])
def test_final_start(final_start: str, order: list[int]) -> None:
    g = new_game("F4", "F5", players=3, final_start=final_start)  # F5 is tile 29: seat 2 draws it
    while g.tiles_unseen:
        play_dull(g)
    play(g, FIRST, ".")  # the last tile: seat 3
    seats = []
    while g.phase != "over":
        seats.append(g.seat)
        g.play(".")
    assert seats == order


def test_tie_breaks() -> None:
    g = new_game(players=4)
    g.put_tile("E2", "c3")
    for seat, score in ((1, 30), (2, 30), (3, 30), (4, 29)):
        g.players[seat].score = score
    assert g.find_winners() == [1, 2, 3]
    g.players[3].treasures[1] = 3
    assert g.find_winners() == [3]
    g.guards = {"c3": 1, "a2": 2, "b1": 4}
    assert g.find_winners() == [1]
    g.options["tie_break"] = "shared"
    assert g.find_winners() == [1, 2, 3]


@pytest.mark.parametrize(
    "options",
    [
        {"sudden_death": True},
        {"leaps": True},
        {"leaps": True, "auction": True, "sudden_death": True},
        {"leaps": True, "auction": True, "instant_scoring": True},
        {"players": 5},
        {"boulders": "1d6"},
        {"colour": "red"},
    ],
)
def test_impossible_options_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"needs|excludes|can't be"):
        resolve({"players": 2} | options)


# ------------------------------------------------------------------ variants


def test_instant_scoring_scores_everybody_without_ap() -> None:
    g = new_game("A6", "B6", instant_scoring=True)
    while g.tiles_unseen > 30:
        play_dull(g)
    while g.seat != 2 or g.phase != "act":
        play_dull(g)
    g.put_members(1, "a2", workers=1)
    g.put_members(2, "b1", leader=True)
    g.play(".")
    assert (g.phase, g.seat, g.tile, g.players[1].score, g.players[2].score) == ("place", 1, "B6", 1, 1)


def test_boulders() -> None:
    g = acting_game(boulders="1d20", dice=[2, 4, 3, 1], obstacles=True)
    g.put_members(1, "a2", workers=2)
    g.put_members(2, "a2", workers=1)
    g.play("X@a2")  # level 2, rolled 2: hit
    assert (g.players[1].workers, g.players[1].gone, g.worth(1)) == ({"a2": 1}, 1, 0)
    assert "O:a1-a2" in g.legal()  # one there, one lost, one level
    g.play("X@a2")  # the lost one counts: a second level, rolled 4 against 3: nothing
    assert g.players[1].workers == {"a2": 1}
    assert not legal_of(g, "O")
    g.put_members(1, "b1", leader=True)
    g.hexes["b1"].level = 3
    g.play("X@b1")  # rolled 3 against 4, but leaders are never hit [R10]
    assert (g.players[1].leader, g.dice) == ("b1", [1])
    g.dice.clear()
    play(g, ".", FIRST)
    assert "X@a2" in g.legal()
    before = g.status()
    with pytest.raises(DiceError):
        g.play("X@a2")
    assert g.status() == before


def test_obstacles() -> None:
    g = acting_game(obstacles=True)
    assert legal_of(g, "O") == []
    g.put_members(1, "a1", leader=True)
    assert legal_of(g, "O") == []
    g.put_members(1, "a1", workers=1)
    assert legal_of(g, "O") == ["O:a1-a2", "O:a1-b1", "O:a1-b2"]
    play(g, "O:a1-a2", "O:a1-b2")
    assert g.status()["obstacles"] == ["a1-a2", "a1-b2"]
    assert (g.crossing_cost("a1", "a2"), g.crossing_cost("b2", "a1")) == (4, 3)
    assert illegal(g, "O:a1-a2")
    assert illegal(g, "W:a1-b2")
    g.camps["b2"] = 1
    g.play("W:a1=b2")

    g = acting_game(obstacles=True)
    g.put_members(1, "a2", workers=1)
    g.play("X@a2")
    assert legal_of(g, "O") == []
    g.put_members(1, "a2", leader=True)
    assert "O:a1-a2" in g.legal()


def test_machine_gun() -> None:
    g = acting_game(machine_gun=True)
    g.put_members(1, "a2", workers=3)
    g.put_members(2, "a2", workers=2)
    assert (legal_of(g, "M"), legal_of(g, "G")) == ([], ["GW@a2"])
    g.put_members(1, "a2", leader=True)
    g.play("M@a2")
    assert (g.ap, g.guards, g.guns) == (4, {"a2": 1}, {"a2"})
    assert (g.players[1].workers, g.players[1].leader, g.players[1].gone) == ({}, "gone", 3)
    assert legal_of(g, "R") == []  # from the next budget on
    g.put_members(1, "a1", workers=1)
    assert "W:a1-a2" in g.legal()
    g.put_members(2, "a1", workers=1)
    play(g, ".", FIRST)
    assert not {"W:a1-a2", "X@a2"} & set(g.legal())
    assert "W:a2-a1" in g.legal()
    play(g, ".", FIRST)
    g.play("R:2@a2")
    assert (g.ap, g.players[2].workers["a2"], g.players[2].gone) == (9, 1, 1)
    assert legal_of(g, "R") == []  # once per turn and gun

    g = acting_game(machine_gun=True)
    g.put_members(1, "a2", workers=1, leader=True)
    assert legal_of(g, "M") == []


@pytest.mark.parametrize(("first", "phase"), [("V:+", "decide"), ("V:-", "place")])
def test_taker_decides_one_of_two_must_score(first: str, phase: str) -> None:
    g = three_volcanoes_at_once(double_volcano="taker_decides", instant_scoring=True)
    g.display = ["B6", "D5", "G1", "G2"]
    g.round_volcanoes = 2
    g.put_members(4, "a2", workers=1)
    play(g, *["B:-"] * 4, "K:B6", first, FIRST, ".", *["B:-"] * 3, "K:D5")
    assert (g.phase, g.seat, g.players[4].score) == (phase, 2, 21)


def test_taker_decides_does_not_ask_for_a_single_volcano() -> None:
    g = three_volcanoes_at_once(double_volcano="taker_decides")
    g.display = ["B6", "G1", "G2", "G3"]
    g.round_volcanoes = 1
    play(g, *["B:-"] * 4, "K:B6")
    assert (g.phase, g.seat, g.ap, g.tile) == ("act", 1, 10, "B6")


def test_third_volcano_scores_with_ap_and_ends_the_game() -> None:
    g = three_volcanoes_at_once()
    play(g, *["B:-"] * 4, "K:B6", *["."] * 4, FIRST, ".")
    play(g, *["B:-"] * 3, "K:F5", *["."] * 4, FIRST, ".")
    play(g, *["B:-"] * 2, "K:D5")
    seats = []
    while g.phase == "act":
        seats.append(g.seat)
        g.play(".")
    assert seats == [3, 4, 1, 2]
    assert (g.phase, g.seat, g.tile) == ("place", 3, "D5")
    g.play(g.legal()[0])
    assert g.phase == "over"


def test_redraw_puts_later_volcanoes_back() -> None:
    options: dict[str, object] = {
        "players": 4, "auction": True, "sudden_death": True, "double_volcano": "redraw",
    }  # fmt: skip
    deck = [tile for tile in TILES if tile not in VOLCANOES]
    deck[16:16] = ["D5", "B6"]
    deck[20:20] = ["B6"]  # drawn again at once, so it goes back again
    deck += ["B6", "F5"]
    assert len(deck) == 38
    g = Oracle(options, deck, TREASURES)
    while g.tiles_unseen > 16:
        play_dull(g)
    assert g.tiles_unseen == 16
    assert [tile for tile in g.display if tile in VOLCANOES] == ["D5"]
    assert len(g.display) == 4
    assert len(g.deck) == 16


def test_redraw_with_an_empty_deck_lets_all_stay() -> None:
    options: dict[str, object] = {
        "players": 4, "auction": True, "sudden_death": True, "double_volcano": "redraw",
    }  # fmt: skip
    g = Oracle(options, [tile for tile in TILES if tile not in VOLCANOES] + list(VOLCANOES), TREASURES)
    to_last_round(g)
    assert g.round_volcanoes == 3


@pytest.mark.parametrize("players", [2, 3, 4])
def test_sudden_death_decks_keep_their_limits(players: int) -> None:
    options = resolve({"players": players, "auction": True, "sudden_death": True})
    for seed in range(50):
        deck, _, _ = random_chance(options, random.Random(seed))
        for volcano, limit in sudden_death_limits(players).items():
            assert deck.index(volcano) >= limit
    plain = [tile for tile in TILES if tile not in VOLCANOES]
    limit = sudden_death_limits(players)["D5"]
    good = [*plain[:limit], "D5", *plain[limit:], "B6", "F5"]
    check_deck(options, good)
    too_early = [*plain[: limit - 1], "D5", *plain[limit - 1 :], "B6", "F5"]
    for bad in (too_early, good[:-1], [*good, "B6"], [*good[:-1], "A1"]):
        with pytest.raises(ValueError, match="deck"):
            check_deck(options, bad)


def to_leaps(g: Oracle) -> None:
    while g.phase != "leap":
        play_dull(g)


def test_leaps_tokens_order_and_single_actions() -> None:
    g = new_game(players=3, auction=True, leaps=True)
    play(g, "B:-", "B:2", "B:-", "K:A3")
    assert (g.phase, g.seat, g.tile, g.players[2].score) == ("bid", 3, None, 18)
    play(g, "B:-", "B:-", "K:A2", "K:A1")
    assert (g.phase, g.seat, g.tile, g.display) == ("place", 2, "A3", [])
    g.play(g.legal()[0])
    assert (g.phase, g.seat, g.tile) == ("place", 3, "A2")
    g.play(g.legal()[0])
    g.play(g.legal()[0])
    assert (g.phase, g.seat, g.ap) == ("leap", 2, 10)
    assert g.legal() == [f"J:{n}" for n in range(6)]
    play(g, "J:5", "J:3", "J:3")
    assert (g.phase, g.seat, g.ap) == ("act", 3, 3)
    g.play("+W@a1")
    assert (g.ap, g.legal()) == (2, ["."])
    g.play(".")
    assert (g.seat, g.ap) == (1, 3)
    play(g, "+W@a1", ".", "+W@a1", ".")
    assert (g.phase, g.seat, g.ap) == ("leap", 2, 5)
    play(g, "J:0", "J:4", "J:1")
    assert (g.phase, g.seat) == ("act", 1)
    g.put_members(1, "b2", workers=1)
    g.play("W:a1-b2")
    assert (g.ap, g.legal()) == (0, ["."])
    g.play(".")
    g.put_members(3, "b2", workers=1)
    g.put_members(3, "a1", workers=1)
    g.play("W:a1-b2")
    assert all(action == "." or action.startswith("W:b2-") for action in g.legal())
    g.play("W:b2-a1")
    play(g, "W:a1-b2", "W:b2-a1")
    assert g.legal() == ["."]
    g.play(".")
    assert (g.phase, g.seat, g.ap) == ("leap", 3, 3)
    assert g.legal() == ["J:0", "J:1", "J:2", "J:3"]
    play(g, "J:3", "J:0", ".")
    # nobody has tokens: the next round is opened left of the last in the order 2, 3, 1
    assert (g.phase, g.seat) == ("bid", 2)


def test_leaps_limits_are_per_round() -> None:
    g = new_game(auction=True, leaps=True)
    to_leaps(g)
    g.put_members(1, "a2", workers=3)
    play(g, "J:2", "J:0", "X@a2", ".", "J:2", "X@a2", ".", "J:2")
    assert illegal(g, "X@a2")
    play(g, ".", "J:0")
    to_leaps(g)
    play(g, "J:0", "J:2") if g.seat == 2 else play(g, "J:2", "J:0")
    assert "X@a2" in g.legal()


def test_leaps_volcano_moves_its_winner_to_the_front_and_scores_at_the_end() -> None:
    g = new_game("B6", players=3, auction=True, leaps=True)
    while "B6" not in g.display:
        play_dull(g)
    opener = g.seat
    assert opener == 1
    play(g, *["B:-"] * 3, next(f"K:{tile}" for tile in g.display if tile != "B6"))
    play(g, *["B:-"] * 2, "K:B6", FIRST)
    assert (g.phase, g.seat, g.tile) == ("place", 2, "B6")
    to_leaps(g)
    g.put_members(1, "a2", workers=1)
    play(g, "J:0", "J:0", "J:0")
    assert (g.phase, g.seat, g.ap, g.players[1].score) == ("act", 2, 10, 21)
    play(g, "+W@a1", "+W@a1", ".")
    # the round's order was 2, 1, 3: left of 3 is 1
    assert (g.phase, g.seat) == ("bid", 1)


def test_leaps_end_with_a_scoring_without_ap() -> None:
    g = new_game(auction=True, leaps=True)
    while g.tiles_unseen or g.phase != "leap":
        play_dull(g)
    g.put_members(1, "a2", workers=1)
    before = g.players[1].score
    play(g, "J:0", "J:0")
    assert (g.phase, g.players[1].score, g.winners) == ("over", before + 1, [1])

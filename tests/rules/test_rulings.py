"""The rulings R1 to R21: what the rulebooks leave open, and what holds here."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.kit.positions import SEALED, SEALING, Position, cost, legal, play, refused, scores, seat_of, worth
from tests.kit.states import known_game
from tikal.play.notation import parse
from tikal.play.view import status, view
from tikal.rules.codes import PHASES
from tikal.rules.core import State
from tikal.rules.facts import Facts
from tikal.rules.options import EDITIONS, Options
from tikal.rules.refusals import refusal
from tikal.rules.setup import Chance, ChanceError, new_state, stage
from tikal.rules.tables import HEX_NAMES, TILES

TREASURES = (1, 2, 3, 4, 5, 6, 7, 8) * 3
VOLCANOES = ("B6", "D5", "F5")


def phase(state: State) -> str:
    return PHASES[state.phase]


def test_r01_a_volcano_lies_beside_anything_explored_and_needs_no_stones() -> None:
    # may a volcano lie next to volcano tiles only? does it need stones?
    state = Position(phase="place", hand="D5", tiles="B6@g4^0").state()
    beside_the_volcano = {"f4", "f5", "g3", "g5", "h4", "h5"}
    beside_the_start = {"a3", "b3", "c1", "c2"}
    assert set(legal(state)) == {f"D5@{name}^0" for name in beside_the_volcano | beside_the_start}
    assert refused(state, "D5@d3^0") == "apart"
    assert refused(state, "D5@h5^1") == "rotation"


def test_r02_a_tile_that_fits_nowhere_leaves_the_game_and_the_turn_goes_on() -> None:
    # a drawn tile that fits nowhere
    state = play(Position(tiles=SEALED).state(), ".")
    seen = view(state, Options(), None)
    assert (phase(state), seat_of(state), state.ap) == ("act", 2, 10)
    assert (seen["gone"], seen["tile"], seen["deck_left"]) == (["G4"], None, 0)


def test_r02_in_the_auction_game_it_is_taken_and_then_leaves_the_game() -> None:
    # a drawn tile that fits nowhere
    options = Options(auction=True)
    state = Position(options=options, tiles=SEALED, phase="take", seat=2, had_turn=(1,), display="G4").state()
    assert legal(state) == ["K:G4"]
    state = play(state, "K:G4")
    assert (phase(state), seat_of(state), view(state, options, None)["gone"]) == ("act", 2, ["G4"])


def test_r02_where_sealing_is_forbidden_a_volcano_may_fit_nowhere() -> None:
    # a drawn tile that fits nowhere
    for may_seal in (True, False):
        state = Position(options=Options(volcano_may_seal=may_seal), tiles=SEALING).state()
        state = play(state, ".")
        assert status(state)["tile"] == "F5", "it scores first"
        state = play(state, ".", ".")
        assert phase(state) == ("place" if may_seal else "act")
        assert legal(state, "F5") == (["F5@g1^0"] if may_seal else [])
        assert bool(state.gone) != may_seal


def test_r03_every_budget_of_ap_is_a_turn_of_its_own() -> None:
    # do the per-turn limits run on from a scoring turn into the normal turn after it?
    scoring = Position(
        tiles="B2@c3^0", members={1: "c3:WW"}, scoring="volcano", order=(1, 2), hand="B6", last_volcano=1
    )
    state = play(scoring.state(), "X@c3", "X@c3")
    assert refused(state, "X@c3") == "limit"
    state = play(state, ".", ".")
    state = play(state, legal(state)[0], "X@c3", "X@c3")
    assert status(state)["levels"]["c3"] == 7
    assert refused(state, "X@c3") == "limit"


def test_r04_bids_go_from_1_to_the_bidder_s_score() -> None:
    # how high may a bid be, and may it be 0?
    auction = Position(options=Options(auction=True), phase="bid", display="A1 A2", scores={1: 3, 2: 7})
    assert legal(auction.state()) == ["B:-", "B:1", "B:2", "B:3"]
    assert refused(auction.state(), "B:4") == "score"
    assert legal(replace(auction, scores={1: 0}).state()) == ["B:-"]
    assert legal(replace(auction, seat=2, bid=5, bidder=1).state()) == ["B:-", "B:6", "B:7"]


def test_r05_presence_counts_whoever_it_is() -> None:
    # one member per level: the same member, or present?
    temple = Position(tiles="B2@c3^0 A6@c4^3", members={1: "c3:W c4:L"}).state()
    assert cost(temple, "c4", "c3") == 3
    state = play(temple, "X@c3")
    assert refused(state, "X@c3") == "members"
    arrived = play(state, "L:c4-c3", "X@c3")
    assert status(arrived)["levels"]["c3"] == 5
    swapped = play(state, "L:c4-c3", "W:c3-c4")
    assert refused(swapped, "X@c3") == "members"  # another member, but only one


def test_r05_a_member_may_work_here_and_then_there() -> None:
    # one member per level: the same member, or present?
    state = Position(tiles="B2@c3^0 C2@c4^0", members={1: "c3:W"}).state()
    state = play(state, "X@c3", "W:c3-c4", "X@c4")
    assert [status(state)["levels"][name] for name in ("c3", "c4")] == [4, 5]


def test_r06_the_leader_may_be_the_guard() -> None:
    # may the leader be the guard?
    temple = Position(tiles="B2@c3^0", members={1: "c3:LW"})
    assert legal(temple.state(), "G") == ["GL@c3", "GW@c3"]
    forbidden = replace(temple, options=Options(leader_may_guard=False)).state()
    assert legal(forbidden, "G") == ["GW@c3"]
    assert refused(forbidden, "GL@c3") == "leader"
    assert status(play(forbidden, "GW@c3"))["leader"] == ["gone", "reserve"]
    for edition in EDITIONS:
        assert Options(edition=edition).leader_may_guard


def test_r07_nobody_enters_in_anothers_camp() -> None:
    # may members be entered in other players' camps?
    state = Position(tiles="C5@c3^0", camps={"c3": 2, "b2": 1}).state()
    assert legal(state, "+W") == ["+W@a1", "+W@b2"]
    assert refused(state, "+W@c3") == "camp"


def test_r07_no_path_must_lead_to_a_new_camp() -> None:
    # must a path lead to a new camp?
    state = Position(options=Options(edition="rio-grande"), tiles="C5@g4^0").state()
    assert legal(state, "C") == ["C@b2", "C@g4"]
    inside = Position(tiles="C5@g4^0", members={1: "g4:W"}).state()
    assert legal(inside, "C") == ["C@g4"]


def test_r08_tokens_are_drawn_when_the_tile_is_placed_and_dug_from_the_top() -> None:
    # when are a treasure tile's tokens drawn?
    state = known_game("A4", "A5", treasures=(1, 2, 3, 4, 5, 6, 7, 8) * 3)
    state = play(state, "A4@b3^0", ".", "A5@c2^0")  # the first takes 1 to 4, the second 5 to 8
    state = play(state, "+W@a1", "+W@a1", "W:a1-b2", "W:a1-b2", "W:b2-c2", "D@c2")
    assert status(state)["treasures"][1] == [0, 0, 0, 0, 1, 0, 0, 0]
    state = play(state, ".")
    state = play(state, legal(state)[0], "+W@a1", "W:a1-b2", "W:b2-b3", "D@b3")
    assert status(state)["treasures"][0] == [1, 0, 0, 0, 0, 0, 0, 0]
    assert status(state)["tokens"] == {"b3": 3, "c2": 3}


@pytest.mark.parametrize("left", [3, 0])
def test_r08_a_short_supply_gives_what_there_is(left: int) -> None:
    # when are a treasure tile's tokens drawn?
    state = Position(options=Options(edition="rio-grande"), phase="place", hand="A4").state()
    state.restore(state.export() | {"kind_next": 24 - left})
    state = play(state, "A4@b3^0")
    assert status(state)["tokens"] == {"b3": left}
    assert legal(state, "C@b3") == ([] if left else ["C@b3"])
    assert state.kind_next == 24


def test_r09_members_never_come_back() -> None:
    # do members ever come back to the reserve?
    options = Options(boulders="3d6", machine_gun=True)
    temples = Position(
        options=options,
        tiles="E2@c3^0 D1@d3^0 D2@e3^0",
        members={1: "c3:LWW d3:W", 2: "e3:WW"},
        guards={"e3": 1},
        guns="e3",
        dice=(3,),
    )
    before = status(temples.state())
    assert before["reserve"] == [15, 16]
    guarded = status(play(temples.state(), "GW@c3"))
    assert (guarded["reserve"], guarded["leader"][0], guarded["workers"][0]) == ([15, 16], "gone", {"d3": 1})
    hit = status(play(temples.state(), "X@d3"))
    assert (hit["reserve"], hit["workers"][0]) == ([15, 16], {"c3": 2})
    shot = status(play(temples.state(), "R:2@e3"))
    assert (shot["reserve"], shot["workers"][1]) == ([15, 16], {"e3": 1})


def test_r10_a_boulder_never_hits_the_leader() -> None:
    # a boulder and a lone leader
    temple = Position(options=Options(boulders="3d6"), tiles="B2@c3^0", members={1: "c3:L"}, dice=(3, 3))
    state = play(temple.state(), "X@c3")
    assert status(state)["leader"][0] == "c3"
    assert view(state, temple.options, None)["rolls"] == 1
    with_worker = play(replace(temple, members={1: "c3:LW"}).state(), "X@c3")
    assert (status(with_worker)["leader"][0], status(with_worker)["workers"][0]) == ("c3", {})


def test_r11_after_the_last_round_of_leaps_all_score_without_ap() -> None:
    # leaps: who scores last, and how
    options = Options(players=3, auction=True, leaps=True)
    last_choice = Position(
        options=options,
        phase="leap",
        seat=2,
        ap=4,
        leap_tokens={2: 4},
        order=(3, 1, 2),
        place=2,
        had_turn=(1, 2, 3),
        deck_left=0,
        members={1: "a2:W", 2: "b1:W"},
        treasures={3: {1: 2}},
    )
    state = play(last_choice.state(), "J:0")
    assert (phase(state), legal(state)) == ("over", [])
    assert scores(state) == [21, 21, 23]


def test_r12_a_kind_is_not_exchanged_for_the_same() -> None:
    # exchange of a kind for the same kind
    state = Position(treasures={1: {3: 1}, 2: {3: 1, 4: 1}}).state()
    assert legal(state, "S") == ["S:2:3/4"]
    assert refused(state, "S:2:3/3") == "same"


def test_r13_a_path_and_a_move_between_camps_are_two_actions() -> None:
    # a move between camps that are also joined by a path
    state = Position(tiles="A6@b3^3", members={1: "b2:W"}, camps={"b2": 1, "b3": 1}).state()
    assert legal(state, "W:b2") == ["W:b2-a1", "W:b2-b3", "W:b2=a1", "W:b2=b3"]
    by_path, by_camps = play(state, "W:b2-b3"), play(state, "W:b2=b3")
    assert (by_path.ap, by_camps.ap) == (8, 9)
    assert status(by_path)["workers"] == status(by_camps)["workers"]


def test_r14_scores_have_no_limit_but_0() -> None:
    # the score track has 100 spaces
    scoring = Position(members={1: "a2:W"}, scoring="volcano", order=(1, 2), hand="B6", scores={1: 99})
    assert scores(play(scoring.state(), ".")) == [100, 0]
    assert scores(play(replace(scoring, scores={1: 1000}).state(), ".")) == [1001, 0]
    auction = Position(options=Options(auction=True), phase="bid", display="A1 A2", scores={1: 150, 2: 5})
    assert legal(auction.state())[-1] == "B:99"
    assert refused(auction.state(), "B:151") == "score"
    assert scores(play(auction.state(), "B:150", "B:-")) == [0, 5]


def test_r15_misprints_of_single_texts() -> None:
    # the Chinese text's sums, the Italian "at most 2 tiles per turn", the Spanish tokens "face up" and "right of B"
    assert worth(Position(treasures={1: {1: 2, 2: 1, 3: 1}}).state(), 1) == 5
    temples = Position(tiles="B2@c3^0 C2@d3^0", members={1: "c3:WW d3:WW"}).state()
    assert play(temples, "X@c3", "X@c3", "X@d3", "X@d3").ap == 2
    options = Options(tie_break="shared")
    sites = [Position(options=options, tiles="A5@c3^0").state() for _ in range(2)]
    sites[1].take_chance(sites[1].export()["deck"], list(reversed(sites[1].export()["kinds"])))
    assert sites[0].key() != sites[1].key()
    assert view(sites[0], options, 1) == view(sites[1], options, 1), "tokens are face down until they are dug"
    opened = play(known_game(players=4, auction=True), "B:1", "B:2", "B:-", "B:-", "B:-")
    opened = play(opened, legal(opened)[0])
    opened = play(opened, legal(opened)[0], ".")
    assert seat_of(opened) == 3, "left of seat 2"


def test_r16_no_tokens_means_out_for_the_round() -> None:
    # leaps: may one stop?
    choosing = Position(
        options=Options(auction=True, leaps=True),
        phase="leap",
        ap=10,
        leap_tokens={1: 10, 2: 10},
        order=(1, 2),
        had_turn=(1, 2),
    )
    assert legal(choosing.state()) == [f"J:{n}" for n in range(6)]
    state = play(choosing.state(), "J:0", "J:4")
    assert (phase(state), seat_of(state), state.ap) == ("act", 2, 4)
    state = play(state, ".")
    assert (phase(state), seat_of(state), state.ap) == ("leap", 2, 6)
    state = play(state, "J:0")
    assert (phase(state), len(status(state)["display"])) == ("bid", 2)


@pytest.mark.parametrize(
    ("workers", "held"), [("W", True), ("WW", True), ("WWW", False), ("WWWW", False)], ids=["1", "2", "3", "4"]
)
def test_r17_majority_is_strength(workers: str, held: bool) -> None:
    # majority: pieces or strength?
    state = Position(tiles="D1@c3^0", members={1: "c3:L", 2: f"c3:{workers}"}).state()
    assert (worth(state, 1), worth(state, 2)) == (5 if held else 0, 5 if len(workers) > 3 else 0)
    assert state.strength(0, HEX_NAMES.index("c3")) == 3


def test_r18_the_player_of_the_last_tile_is_last_of_the_equals() -> None:
    # final order in the auction game for the player of the last tile, among equals
    options = Options(players=4, auction=True)
    for last, wanted in ((2, [3, 4, 1, 2]), (4, [1, 2, 3, 4])):
        others = tuple(seat for seat in (1, 2, 3, 4) if seat != last)
        state = Position(options=options, seat=last, had_turn=others, deck_left=0).state()
        order = []
        while phase(state := play(state, ".")) != "over":
            order.append(seat_of(state))
        assert order == wanted


def test_r19_a_gun_needs_two_more_in_strength_and_comes_with_its_guard() -> None:
    # machine_gun: majority of workers or strength; a gun for an old guard?
    temple = Position(options=Options(machine_gun=True), tiles="D1@c3^0", members={1: "c3:LWW", 2: "c3:WWW"})
    assert legal(temple.state(), "M") == ["M@c3"]  # 5 against 3, though 2 workers against 3
    fewer = replace(temple, members={1: "c3:WWW", 2: "c3:WW"}).state()
    assert (legal(fewer, "GW"), refused(fewer, "M@c3")) == (["GW@c3"], "strength")
    against_a_leader = replace(temple, members={1: "c3:WWWW", 2: "c3:L"}).state()
    assert refused(against_a_leader, "M@c3") == "strength"
    old_guard = replace(temple, guards={"c3": 1}).state()
    assert refused(old_guard, "M@c3") == "guarded"


@pytest.mark.parametrize(("players", "s"), [(2, 8), (3, 9), (4, 8)])
def test_r20_sudden_death_with_fewer_players(players: int, s: int) -> None:
    # sudden_death with 2 or 3 players; the backs of the tiles
    options = Options(players=players, auction=True, sudden_death=True)
    assert (stage(players), s % players) == (s, 0)
    others = [tile.name for tile in TILES if tile.name not in VOLCANOES]
    for number, name in enumerate(VOLCANOES, start=1):
        at = number * s
        deck = [*others[:at], name, *others[at:]]
        early = [*others[: at - 1], name, *others[at - 1 :]]
        rest = [volcano for volcano in VOLCANOES if volcano != name]
        Chance((*deck, *rest), TREASURES).check(options)
        with pytest.raises(ChanceError, match=f"{name} can't be among the first {at} tiles"):
            Chance((*early, *rest), TREASURES).check(options)
    state = new_state(options, Chance((*others, *VOLCANOES), TREASURES))
    assert view(state, options, None)["top_letter"] == others[players][0]


ONCE = Options(members_work_once=True)
TWO_TEMPLES = Position(options=ONCE, tiles="B2@c3^0 C2@c4^0", members={1: "c3:W"})  # a step between them costs 3


def worked(state: State, options: Options = ONCE) -> list[dict[str, int]]:
    """How many members of each seat have worked, by hex, as everybody sees it."""
    counts: list[dict[str, int]] = view(state, options, None)["worked"]
    return counts


def why(state: State, action: str) -> str:
    """The sentence that refuses an action, with its rule."""
    found = refusal(Facts(state), parse(action))
    assert found is not None, f"{action} is legal"
    return f"{found.text} [{found.rule}]"


def test_r21_a_member_that_worked_walks_to_another_temple_and_cannot_work_there() -> None:
    # members_work_once: which members have worked?
    state = play(TWO_TEMPLES.state(), "X@c3")
    assert worked(state) == [{"c3": 1}, {}]
    state = play(state, "W:c3-c4")
    assert worked(state) == [{"c4": 1}, {}]
    assert refused(state, "X@c4") == "worked"
    assert why(state, "X@c4") == "these members have already worked this turn [R21]"
    without = play(replace(TWO_TEMPLES, options=Options()).state(), "X@c3", "W:c3-c4")
    assert legal(without, "X") == ["X@c4"]


def test_r21_digging_and_excavating_count_alike() -> None:
    # members_work_once: which members have worked?
    site = replace(TWO_TEMPLES, tiles="B2@c3^0 A4@c4^0", members={1: "c3:L"})
    dug = play(site.state(), "X@c3", "L:c3-c4")
    assert refused(dug, "D@c4") == "worked"
    levels = play(replace(site, members={1: "c4:L"}).state(), "D@c4", "L:c4-c3")
    assert refused(levels, "X@c3") == "worked"


@pytest.mark.parametrize(("first", "second"), [("L", "W"), ("W", "L")])
def test_r21_of_two_members_the_fresh_one_leaves_first(first: str, second: str) -> None:
    # members_work_once: which members have worked?
    pair = play(replace(TWO_TEMPLES, members={1: "c3:LW"}).state(), "X@c3")
    state = play(pair, f"{first}:c3-c4")
    assert worked(state) == [{"c3": 1}, {}], "leader or worker alike"
    assert refused(state, "X@c3") == "members"
    assert worked(play(state, "X@c4")) == [{"c3": 1, "c4": 1}, {}]
    both = play(state, f"{second}:c3-c4")
    assert worked(both) == [{"c4": 1}, {}]
    assert legal(both, "X") == ["X@c4"]


def test_r21_with_no_fresh_member_left_one_that_has_worked_leaves_and_still_counts() -> None:
    # members_work_once: which members have worked?
    state = play(replace(TWO_TEMPLES, members={1: "c3:WW"}).state(), "X@c3", "X@c3", "W:c3-c4")
    assert worked(state) == [{"c3": 1, "c4": 1}, {}]
    assert refused(state, "X@c4") == "worked"


def test_r21_all_other_conditions_still_hold() -> None:
    # members_work_once: which members have worked?
    three = play(replace(TWO_TEMPLES, members={1: "c3:WWW"}).state(), "X@c3", "X@c3")
    assert refused(three, "X@c3") == "limit"
    relieved = replace(TWO_TEMPLES, members={1: "c3:W c4:W"}, done={1: {"c3": 1}}, worked={1: {"c4": 1}}).state()
    assert refused(relieved, "X@c3") == "members", "two must be there for the second level, though one is fresh"


def test_r21_a_new_budget_starts_anew() -> None:
    # members_work_once: which members have worked?
    scoring = replace(TWO_TEMPLES, scoring="volcano", order=(1, 2), hand="B6", last_volcano=1)
    state = play(scoring.state(), "X@c3", "W:c3-c4")
    assert refused(state, "X@c4") == "worked"
    state = play(state, ".", ".")
    state = play(state, legal(state)[0])
    assert worked(state) == [{}, {}]
    assert legal(state, "X") == ["X@c4"]


def test_r21_workers_lost_to_boulders_still_count_as_members_there() -> None:
    # members_work_once: which members have worked?
    options = replace(ONCE, boulders="3d6")
    pair = replace(TWO_TEMPLES, options=options, members={1: "c3:WW"}, dice=(3, 18, 18))
    hit = play(pair.state(), "X@c3")
    assert (worked(hit, options), status(hit)["workers"][0]) == ([{"c3": 1}, {}], {"c3": 1})
    again = play(hit, "X@c3")
    assert worked(again, options) == [{"c3": 2}, {}]
    assert refused(play(again, "W:c3-c4"), "X@c4") == "worked", "both have worked"
    gone = play(hit, "W:c3-c4")
    assert worked(gone, options) == [{"c3": 1}, {}], "the one that was hit had worked; the other is fresh"
    assert legal(gone, "X") == ["X@c4"]


def test_r21_a_free_worker_is_one_that_has_not_worked() -> None:
    # members_work_once: which members have worked?
    options = replace(ONCE, obstacles=True)
    arrived = play(replace(TWO_TEMPLES, options=options).state(), "X@c3", "W:c3-c4")
    assert legal(arrived, "O:c3-c4") == []
    assert refused(arrived, "O:c3-c4") == "members"
    by_hex = play(replace(TWO_TEMPLES, options=Options(obstacles=True)).state(), "X@c3", "W:c3-c4")
    assert legal(by_hex, "O:c3-c4") == ["O:c3-c4"], "without the option work elsewhere is not counted"
    fresh = replace(TWO_TEMPLES, options=options, done={1: {"c3": 1}}, members={1: "c3:W c4:W"}, worked={1: {"c4": 1}})
    assert legal(fresh.state(), "O:c3-c4") == ["O:c3-c4"], "nor is work that others did there"


def test_r21_in_leaps_members_work_once_in_a_round() -> None:
    # members_work_once: which members have worked?
    options = Options(auction=True, leaps=True, members_work_once=True)
    leap = replace(
        TWO_TEMPLES,
        options=options,
        phase="leap",
        ap=10,
        leap_tokens={1: 10},
        order=(1, 2),
        had_turn=(1, 2),
        last_volcano=1,
    )
    state = leap.state()
    state.restore(state.export() | {"erupted": 1})
    state = play(state, "J:2", "X@c3", ".", "J:4", "W:c3-c4", ".", "J:2")
    assert refused(state, "X@c4") == "worked"
    state = play(state, ".", "J:0")
    assert (phase(state), state.ap, worked(state, options)) == ("act", 10, [{}, {}]), "limits of their own"
    assert legal(state, "X") == ["X@c4"]


def test_r21_members_that_a_guard_or_a_gun_costs_are_counted_no_more() -> None:
    # members_work_once: which members have worked?
    guarded = play(replace(TWO_TEMPLES, members={1: "c3:WW c4:W"}).state(), "X@c3", "GW@c3", "W:c4-c3")
    assert worked(guarded) == [{}, {}]
    options = replace(ONCE, machine_gun=True, auction=True, leaps=True)
    shot = replace(
        TWO_TEMPLES, options=options, members={2: "c3:WW"}, guards={"c3": 1}, guns="c3", worked={2: {"c3": 1}}, ap=2,
        done={2: {"c4": 1}}, stage="fresh", order=(1, 2), had_turn=(1, 2),
    )  # fmt: skip
    assert worked(play(shot.state(), "R:2@c3"), options) == [{}, {"c3": 1}], "the fresh one is hit first"
    both = replace(shot, worked={2: {"c3": 2}}, done={2: {"c4": 2}}).state()
    assert worked(play(both, "R:2@c3"), options) == [{}, {"c3": 1}]


def test_r21_is_the_rule_of_the_chinese_edition_only() -> None:
    # members_work_once: which members have worked?
    assert {name for name in EDITIONS if Options(edition=name).members_work_once} == {"rio-grande-zh"}
    assert EDITIONS["rio-grande-zh"] | {"members_work_once": False} == EDITIONS["rio-grande"]

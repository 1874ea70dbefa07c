"""The offer: legal actions with their costs, walks, refusals and previews; and the forecast of a scoring."""

from __future__ import annotations

import heapq
import json
import random
from itertools import product
from typing import Any

import pytest

from tests.kit.amounts import sampled
from tests.kit.deals import letter_deck, random_options
from tests.kit.games import (
    choose,
    copy,
    exact_game,
    finished,
    idle_until,
    kinds,
    moments,
    new,
    options_of,
    scaled,
    sealed_game,
)
from tikal.play import Game, IllegalAction, notation
from tikal.play.offer import offer, refused
from tikal.rules.codes import ACTING, CAMP_MOVE, MOVE, fields_of, kind_of
from tikal.rules.core import Moves, State
from tikal.rules.facts import Facts
from tikal.rules.options import Options
from tikal.rules.tables import HEX_INDEX, HEX_NAMES, NEIGHBOURS

KEYS = ["seat", "phase", "ap", "actions", "walks", "refusals", "places", "bidding"]


def after(game: Game, *actions: str) -> Game:
    twin = copy(game)
    twin.play(*actions)
    return twin


@pytest.mark.parametrize("kind", kinds(1))
def test_an_offer_has_all_legal_actions_with_their_costs(kind: str) -> None:
    rng = random.Random(f"offer {kind}")
    for game in moments(exact_game(options_of(kind), rng), rng, share=0.08):
        made = game.offer()
        assert list(made) == KEYS
        assert json.loads(json.dumps(made)) == made
        assert [row["action"] for row in made["actions"]] == game.legal()
        status = game.status()
        assert (made["seat"], made["phase"], made["ap"]) == (status["seat"], status["phase"], status["ap"])
        for row in made["actions"]:
            if game.phase == "act" and row["action"] != ".":
                states, _ = game.foresee([row["action"]])
                assert row["cost"] == game.state.ap - states[0].ap > 0
            else:
                assert row["cost"] == 0


# Walks


def distances(game: Game) -> dict[tuple[str, str], int]:
    """The cheapest way between any two hexes for the seat, by trying all hexes in between."""
    facts = Facts(game.state)
    far = 1000
    cost = {(start, goal): 0 if start == goal else far for start, goal in product(HEX_NAMES, HEX_NAMES)}
    for a, around in enumerate(NEIGHBOURS):
        for b in around:
            barred = b >= 0 and facts.guns >> b & 1 and facts.guard[b] != facts.seat + 1
            if b >= 0 and facts.passage(a, b) and not barred:
                cost[HEX_NAMES[a], HEX_NAMES[b]] = facts.passage(a, b)
    camps = [hex for hex in range(40) if facts.is_camp(facts.seat, hex)]
    for a, b in product(camps, camps):
        if a != b:
            cost[HEX_NAMES[a], HEX_NAMES[b]] = 1
    for via, start, goal in product(HEX_NAMES, HEX_NAMES, HEX_NAMES):
        cost[start, goal] = min(cost[start, goal], cost[start, via] + cost[via, goal])
    return cost


def where(game: Game, member: str) -> dict[str, int]:
    """The hexes on which the seat has workers, or its leader."""
    status, seat = game.status(), game.state.seat
    if member == "W":
        return dict(status["workers"][seat])
    return {status["leader"][seat]: 1} if status["leader"][seat] in HEX_INDEX else {}


@pytest.mark.parametrize("kind", kinds(2))
def test_walks_are_playable_have_the_right_cost_and_are_the_cheapest(kind: str) -> None:
    rng = random.Random(f"walks {kind}")
    checked = 0
    for game in moments(exact_game(options_of(kind), rng), rng, share=0.03):
        if game.phase != "act":
            continue
        walks = game.offer()["walks"]
        singles = [row for row in game.offer()["actions"] if row["action"][:2] in ("W:", "L:")]
        by_end = {(walk["member"], walk["from"], walk["to"]): walk for walk in walks}
        assert len(by_end) == len(walks)
        facts = Facts(game.state)
        cheapest = distances(game)
        reach = {
            (member, start, goal)
            for member in "WL"
            for start in where(game, member)
            for goal in HEX_NAMES
            if start != goal and cheapest[start, goal] <= facts.ap
        }
        if facts.leap_stage == 3:
            reach = set()
        if facts.leap_stage == 2:
            walker = ("WL"[facts.walk_member], HEX_NAMES[facts.walk_hex])
            reach = {each for each in reach if each[:2] == walker}
        assert set(by_end) == reach
        for (member, start, goal), walk in by_end.items():
            assert walk["cost"] == cheapest[start, goal]
            alone = [
                row
                for row in singles
                if (row["action"][0], row["action"][2:4], row["action"][-2:]) == (member, start, goal)
            ]
            if any(row["cost"] == walk["cost"] for row in alone):
                assert len(walk["actions"]) == 1, "a single step that costs no more is the walk"
        for (member, start, goal), walk in rng.sample(sorted(by_end.items()), min(6, len(by_end))):
            twin = after(game, *walk["actions"])
            assert game.state.ap - twin.state.ap == walk["cost"]
            counts = where(game, member)
            counts[start] -= 1
            counts[goal] = counts.get(goal, 0) + 1
            assert where(twin, member) == {name: count for name, count in counts.items() if count}
            checked += 1
    assert checked > 10


def test_a_detour_that_is_cheaper_is_taken() -> None:
    """Base camp to a2 is 2 directly; with an obstacle in between it is 4, and 3 by the tile on b3."""
    game = new(letter_deck(last=("A1", "A2", "A3", "A4", "A5")), obstacles=True)
    game.play("A6@b3^5", "+W@a1", "O:a1-a2")
    walks = {walk["to"]: walk for walk in game.offer()["walks"]}
    direct = next(row["cost"] for row in game.offer()["actions"] if row["action"] == "W:a1-a2")
    assert direct == 4
    assert walks["a2"]["cost"] == 3
    assert walks["a2"]["actions"] == ["W:a1-b2", "W:b2-b3", "W:b3-a2"]


def test_camps_shorten_walks() -> None:
    game = new()
    game.play("A1@b3^0", "+W@a1", "W:a1-b2", "C@b2", "+L@a1")
    walks = {(walk["member"], walk["to"]): walk for walk in game.offer()["walks"]}
    assert walks["L", "b2"]["cost"] == 1
    assert walks["W", "a1"]["actions"] in (["W:b2-a1"], ["W:b2=a1"])


def test_a_leap_offers_the_walk_that_was_begun_and_nothing_after_another_action() -> None:
    game = idle_until(new(players=2, auction=True, leaps=True), lambda game: game.phase == "leap")
    game.play("J:1", "J:1", "+W@a1")
    assert game.offer()["walks"] == []
    assert [row["action"] for row in game.offer()["actions"]] == ["."]
    idle_until(game, lambda game: game.phase == "leap" and game.seat == 1)
    game.play("J:5", "J:5")
    idle_until(game, lambda game: game.seat == 1)
    assert {walk["from"] for walk in game.offer()["walks"]} <= {"a1"}


# Refusals


@pytest.mark.parametrize("kind", kinds(3))
def test_refusals_match_those_of_playing_and_are_never_legal(kind: str) -> None:
    rng = random.Random(f"refusals {kind}")
    for game in moments(exact_game(options_of(kind), rng), rng, share=0.03):
        made = game.offer()
        legal = set(game.legal())
        for hex, rows in made["refusals"].items():
            for row in rows:
                assert hex in row["action"]
                assert row["action"] not in legal
                with pytest.raises(IllegalAction) as caught:
                    game.play(row["action"])
                error = caught.value
                assert (row["code"], row["rule"]) == (error.code, error.rule)
                assert str(error).startswith(f"{row['action']}: {row['text']} [")
        if game.phase != "act":
            assert (made["refusals"], made["walks"]) == ({}, [])


@pytest.mark.parametrize("kind", kinds(0))
def test_all_work_on_a_hex_is_legal_or_refused_with_a_reason(kind: str) -> None:
    rng = random.Random(f"work {kind}")
    for game in moments(exact_game(options_of(kind), rng), rng, share=0.05):
        if game.phase != "act":
            continue
        made, status = game.offer(), game.status()
        explained = set(game.legal()) | {row["action"] for rows in made["refusals"].values() for row in rows}
        thought_of = {f"{work}@{hex}" for hex in status["levels"] for work in ("X", "GW", "GL")}
        thought_of |= {f"{'D' if left else 'C'}@{hex}" for hex, left in status["tokens"].items()} | {"C@b2"}
        camps = ["a1", *(hex for hex, seat in status["camps"].items() if seat == game.seat)]
        thought_of |= {f"+{member}@{hex}" for member in "WL" for hex in camps}
        if game.options.machine_gun:
            others = [seat for seat in range(1, game.options.players + 1) if seat != game.seat]
            thought_of |= {f"M@{hex}" for hex in status["levels"]}
            thought_of |= {f"R:{seat}@{hex}" for seat in others for hex in status["guns"]}
        assert thought_of <= explained


# Places


@pytest.mark.parametrize("kind", kinds(1))
def test_the_preview_of_a_placement_matches_its_passages(kind: str) -> None:
    rng = random.Random(f"places {kind}")
    seen = 0
    for game in moments(exact_game(options_of(kind), rng), rng, share=0.2):
        places = game.offer()["places"]
        if game.phase != "place":
            assert places == []
            continue
        assert [place["action"] for place in places] == game.legal()
        for place in rng.sample(places, min(8, len(places))):
            tile, hex, rotation = place["action"][:2], place["action"][3:5], int(place["action"][6])
            assert (place["hex"], place["rotation"], game.status()["tile"]) == (hex, rotation, tile)
            states, _ = game.foresee([place["action"]])
            facts = Facts(states[0])
            here = HEX_INDEX[hex]
            around = [other for other in NEIGHBOURS[here] if other >= 0]
            costs = {HEX_NAMES[other]: facts.passage(here, other) for other in around if facts.passage(here, other)}
            assert place["passages"] == costs
            assert costs or tile in ("B6", "D5", "F5")
            seen += 1
    assert seen > 20


def test_members_that_have_worked_are_refused_with_that_reason() -> None:
    game = new(edition="rio-grande-zh")
    game.play("A1@b3^0", "+W@a1", "W:a1-a2", "X@a2", "W:a2-a1", "W:a1-b1")
    rows = {row["action"]: row for row in game.offer()["refusals"]["b1"]}
    assert (rows["X@b1"]["code"], rows["X@b1"]["rule"]) == ("worked", "R21")
    with pytest.raises(IllegalAction, match=r"X@b1: these members have already worked this turn \[R21\]"):
        game.play("X@b1")


def test_a_finished_game_offers_nothing() -> None:
    assert finished("leaps").offer() == {
        "seat": None, "phase": "over", "ap": 0, "actions": [], "walks": [], "refusals": {}, "places": [],
        "bidding": None,
    }  # fmt: skip


def test_offering_changes_nothing() -> None:
    game = new()
    game.play("A1@b3^0", "+W@a1", "W:a1-b2")
    before = game.state.key(), game.legal(), list(game.history)
    game.offer()
    game.forecast()
    assert (game.state.key(), game.legal(), list(game.history)) == before


# The forecast


@pytest.mark.parametrize("kind", kinds(2))
def test_the_forecast_equals_the_points_of_a_scoring(kind: str) -> None:
    rng = random.Random(f"forecast {kind}")
    game = exact_game(options_of(kind), rng)
    scored = 0
    while not game.over:
        before, scoring = game.status()["scores"], game.view(None)["scoring"]
        promised = [row["total"] for row in game.forecast()]
        seat, high = game.seat, game.status()["bid"]
        action = choose(game, rng)
        game.play(action)
        gained = [new - old for new, old in zip(game.status()["scores"], before, strict=True)]
        paid = max(high, int(action[2:]) if action[2:].isdigit() else 0)
        for each, (gain, promise) in enumerate(zip(gained, promised, strict=True), 1):
            ends = scoring and action == "." and each == seat
            assert gain == promise if ends else gain in (0, promise, -paid)
            scored += gain > 0
    assert scored >= 3


def test_the_forecast_is_by_temple_and_by_kind() -> None:
    """Worked example 3 in small: a temple controlled, one tied, one taken by a leader; a pair and a single."""
    game = new(letter_deck(last=("A1", "A2", "A3", "A6")))
    game.play("A4@b3^0", *["+W@a1"] * 2, *["W:a1-b2"] * 2, *["W:b2-b3"] * 2, "D@b3", ".")
    idle_until(game, lambda game: (game.phase, game.seat) == ("act", 1)).play("D@b3", "D@b3", "+W@a1", "W:a1-a2", ".")
    game.undo(1)
    assert game.forecast()[0] == {
        "seat": 1,
        "temples": {"a2": 1},
        "strengths": {"a2": 1},
        "treasures": {"1": 6},
        "total": 7,
    }
    game.play(".")
    idle_until(game, lambda game: (game.phase, game.seat) == ("act", 1)).play("D@b3", "+W@a1", "W:a1-b1", "X@b1", ".")
    assert game.forecast()[0] == {
        "seat": 1,
        "temples": {"a2": 1, "b1": 2},
        "strengths": {"a2": 1, "b1": 1},
        "treasures": {"1": 6, "2": 1},
        "total": 10,
    }
    idle_until(game, lambda game: (game.phase, game.seat) == ("act", 2)).play("+W@a1", "W:a1-a2", "+L@a1", "L:a1-b1")
    assert game.forecast() == [
        {"seat": 1, "temples": {}, "strengths": {"a2": 1, "b1": 1}, "treasures": {"1": 6, "2": 1}, "total": 7},
        {"seat": 2, "temples": {"b1": 2}, "strengths": {"a2": 1, "b1": 3}, "treasures": {}, "total": 2},
    ]


def test_a_guard_controls_a_temple_whatever_the_strengths() -> None:
    game = new()
    game.play("A1@b3^0", "+W@a1", "W:a1-a2", "GW@a2", ".")
    idle_until(game, lambda game: (game.phase, game.seat) == ("act", 2)).play("+L@a1", "L:a1-a2")
    assert [row["temples"] for row in game.forecast()] == [{"a2": 1}, {}]


def test_a_game_with_tiles_that_left_it_is_offered_as_any_other() -> None:
    game = idle_until(sealed_game(players=2), lambda game: bool(game.view(1)["gone"]))
    assert [row["action"] for row in game.offer()["actions"]] == game.legal()


# Caches between offers


def walks_of_the_core(state: State, member: int, start: int) -> list[dict[str, Any]]:
    """Dijkstra over the core's own moves, with a state for each step: exactly these walks must be offered."""
    best: dict[int, tuple[int, tuple[int, ...]]] = {}
    moves = Moves()
    queue: list[tuple[int, int, int, tuple[int, ...], State]] = [(0, start, 0, (), state)]
    while queue:
        cost, hex, steps, path, here = heapq.heappop(queue)
        if hex in best:
            continue
        best[hex] = cost, path
        here.legal(moves)
        for action in list(moves):
            p, q, r = fields_of(action)
            if kind_of(action) in (MOVE, CAMP_MOVE) and (p, r) == (hex, member) and q not in best:
                there = here.clone()
                there.apply(action)
                heapq.heappush(queue, (cost + here.price(action), q, steps + 1, (*path, action), there))
    del best[start]
    names = {"member": notation.MEMBERS[member], "from": HEX_NAMES[start]}
    return [
        {**names, "to": HEX_NAMES[hex], "cost": cost, "actions": [notation.text(action) for action in path]}
        for hex, (cost, path) in sorted(best.items())
    ]


def made_anew(state: State) -> dict[str, Any]:
    """The cached parts of an offer, made without the cache."""
    moves = Moves()
    state.legal(moves)
    if state.phase != ACTING:
        return {"walks": [], "refusals": {}}
    starts = {(fields_of(action)[2], fields_of(action)[0]) for action in moves if kind_of(action) in (MOVE, CAMP_MOVE)}
    rows = {HEX_NAMES[hex]: refused(Facts(state), hex) for hex in range(40)}
    return {
        "walks": [walk for member, start in sorted(starts) for walk in walks_of_the_core(state, member, start)],
        "refusals": {name: found for name, found in rows.items() if found},
    }


@pytest.mark.parametrize("number", sampled(range(scaled(12)), *range(scaled(4))))
def test_cached_parts_equal_fresh_ones(number: int) -> None:
    """Games with all kinds of options, one after another in one process: no cache may mix them up."""
    rng = random.Random(f"kept {number}")
    for game in moments(exact_game(random_options(rng), rng), rng, share=0.3):
        made = game.offer()
        assert {name: made[name] for name in ("walks", "refusals")} == made_anew(game.state)


def test_keeping_less_changes_no_offer(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random("less")
    game = exact_game(Options(players=3, machine_gun=True), rng)
    places = [len(game.history) for game in moments(game, rng, share=0.1)]
    game = copy(game)
    before = [offer(game.state_at(at)) for at in places]
    monkeypatch.setattr("tikal.play.offer.CACHE_LIMIT", 1)
    monkeypatch.setattr("tikal.play.offer._cache", {})
    assert [offer(game.state_at(at)) for at in places] == before


def test_in_an_auction_the_least_and_the_most_of_each_bidder_are_stated() -> None:
    game = new(players=3, auction=True)
    assert game.offer()["bidding"] == {"least": 1, "most": {"1": 20, "2": 20, "3": 20}}
    game.play("B:5", "B:-")
    assert game.offer()["bidding"] == {"least": 6, "most": {"1": 20, "3": 20}}, "who has passed is out"
    game.play("B:-")
    assert game.offer()["bidding"] is None
    game.play(game.legal()[0])
    while game.phase != "bid":
        game.play(game.legal()[0] if game.phase == "place" else ".")
    offered = game.offer()
    assert offered["bidding"] == {"least": 1, "most": {"2": 20, "3": 20}}, "whose turn it has been bids no more"
    bids = [row["action"] for row in offered["actions"] if row["action"] != "B:-"]
    assert sorted(bids) == sorted(f"B:{points}" for points in range(1, 21))

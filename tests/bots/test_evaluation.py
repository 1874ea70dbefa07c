"""The evaluation: its parts add up, the tables agree with the plain count, and better positions are worth more."""

from __future__ import annotations

import math

import pytest

from tests.bots.samples import by_phase, decisions
from tests.kit.games import KINDS
from tikal.bots import learn
from tikal.bots.evaluation import PART_NAMES, STAGES, WEIGHT_NAMES
from tikal.bots.planner import Planner, hit_chances
from tikal.bots.search import Search
from tikal.bots.weights import stored, weights
from tikal.play.notation import parse
from tikal.play.position import position
from tikal.rules.codes import ACTING
from tikal.rules.core import Moves, State
from tikal.rules.options import Options
from tikal.rules.tables import TILE_INDEX, TILES


def after(*actions: str) -> State:
    """The position after some actions of a game whose first tile is A5, with four tokens."""
    tiles = sorted(range(36), key=lambda tile: (TILES[tile].name[0], tile != TILE_INDEX["A5"]))
    state = State(Options(), tiles, [kind for _ in range(3) for kind in range(8)])
    for action in actions:
        state.apply_unchecked(parse(action))
    return state


def search_for(state: State) -> Search:
    """A search that is prepared for the current turn."""
    found = Search(state, weights(state.players))
    found.prepare(state, state.seat)
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_the_value_is_the_seat_s_parts_minus_the_rivals(kind: str) -> None:
    moves = Moves()
    for game in decisions(kind, 6):
        state = position(game.view(game.seat)).state
        search = search_for(state)
        state.legal(moves)
        ends = [state]
        if state.phase == ACTING:
            for action in list(moves)[1:12]:
                ends.append(state.clone())
                ends[-1].apply_unchecked(action)
        for end in ends:
            rows = search.parts(end)
            assert all(len(row) == len(PART_NAMES) for row in rows)
            told = sum(share * math.fsum(row) for share, row in zip(search.shares(), rows, strict=True))
            assert search.evaluate(end) == pytest.approx(told)


def test_rivals_count_as_much_as_the_seat_itself() -> None:
    for game in by_phase("act"):
        state = position(game.view(game.seat)).state
        assert math.fsum(search_for(state).shares()) == pytest.approx(0)


def test_there_is_a_weight_for_every_name() -> None:
    assert stored()["names"] == list(WEIGHT_NAMES)
    for players in (2, 3, 4):
        assert len(weights(players)) == len(STAGES) * len(WEIGHT_NAMES)
        assert all(weight > 0 for weight in weights(players))


def parts_after(*actions: str) -> dict[str, float]:
    """The parts of the first seat's worth after actions of its first turn."""
    search = search_for(after(actions[0]))
    return dict(zip(PART_NAMES, search.parts(after(*actions))[0], strict=True))


def test_a_temple_counts_as_reach_until_it_is_held() -> None:
    near = parts_after("A5@b3^0", "+W@a1")
    held = parts_after("A5@b3^0", "+W@a1", "W:a1-a2")
    assert near["temples"] == 0 < near["reach"]
    assert held["reach"] < near["reach"]
    assert held["temples"] > near["reach"] - held["reach"]


def test_a_stronger_hold_and_a_higher_level_are_worth_more() -> None:
    """The rival's leader alone beats two workers, but not three."""
    worker = ("+W@a1", "W:a1-a2")
    held = parts_after("A5@b3^0", *worker)
    stronger = parts_after("A5@b3^0", *worker, *worker, *worker)
    higher = parts_after("A5@b3^0", "+W@a1", "W:a1-a2", "X@a2")
    assert held["temples"] < stronger["temples"] < higher["temples"]


def test_members_on_a_treasure_tile_claim_its_tokens() -> None:
    away = parts_after("A5@b3^0", "+W@a1")
    there = parts_after("A5@b3^0", "+W@a1", "W:a1-b2", "W:b2-b3")
    assert 0 < away["ruins"] < there["ruins"]


def test_a_camp_near_the_goals_is_worth_more_than_one_at_the_base() -> None:
    far = after("A5@b3^0", "+L@a1", "L:a1-b2", "L:b2-b3", "D@b3", ".")
    far.restore(far.export() | {"phase": ACTING, "ap": 10, "seat": 0, "tokens": [0] * 40})
    search = search_for(far)
    camp = PART_NAMES.index("camps")
    values = {}
    for hex in ("b2", "b3"):
        end = far.clone()
        end.apply_unchecked(parse(f"C@{hex}"))  # as if a member were there
        values[hex] = search.parts(end)[0][camp]
    assert values["b3"] > values["b2"]


@pytest.mark.parametrize("width", [1, 4, 16])
def test_the_search_walks_to_a_treasure_tile_and_digs(width: int) -> None:
    """Entering and walking to the treasure tile brings nothing before the dig: single steps would not lead there."""
    state = after("A5@b3^0")
    actions = Planner(state, width).turns(state, width, 1)[0].actions
    assert parse("D@b3") in actions


def test_a_plan_spends_its_points() -> None:
    for game in by_phase("act"):
        state = position(game.view(game.seat)).state
        if not getattr(state, "leap_stage", 0):
            rest = state.clone()
            for action in Planner(state, 8).turns(state, 8, 1)[0].actions[:-1]:
                rest.apply_unchecked(action)
            assert rest.ap <= 1


def test_boulders_hit_as_often_as_the_dice_say() -> None:
    assert hit_chances("1d20")[10] == 0.5
    assert hit_chances("3d6")[2] == 0
    assert hit_chances("3d6")[3] == pytest.approx(1 / 216)
    assert hit_chances("2d6")[10] == pytest.approx(33 / 36)


def test_weights_move_from_their_early_to_their_late_value() -> None:
    """Half of the tiles are drawn, so a late value of four times the early one counts twice."""
    state = after("A5@b3^0", "+L@a1", "L:a1-b2", ".")
    state.restore(state.export() | {"deck_next": len(TILES) // 2})
    undug, size = WEIGHT_NAMES.index("undug"), len(WEIGHT_NAMES)
    plain = learn.by_stage(weights(2))["early"]
    raised, doubled = [*plain, *plain], [*plain, *plain]
    raised[size + undug] *= 4
    doubled[undug] *= 2
    doubled[size + undug] *= 2
    values = []
    for own in (raised, doubled, [*plain, *plain]):
        search = Search(state, own)
        search.prepare(state, state.seat)
        values.append(search.evaluate(state))
    assert values[0] == pytest.approx(values[1]) != pytest.approx(values[2])

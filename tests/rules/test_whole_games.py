"""Whole random games over random legal combinations of all options keep the invariants, and they end."""

from __future__ import annotations

import random
from collections import Counter
from itertools import product
from typing import Any

import pytest

from tests.kit.amounts import COMPILED, amounts, sampled
from tests.kit.deals import random_options
from tests.kit.states import deal, imaginable, sampled_states, scaled, start, steps
from tests.rules.invariants import bits, check_state, check_step, worth
from tikal.rules import codes
from tikal.rules.codes import FINISHED, kind_of
from tikal.rules.core import Moves, State
from tikal.rules.facts import Facts
from tikal.rules.options import Options
from tikal.rules.refusals import refusal
from tikal.rules.setup import new_state

PARTS = sampled(range(8), 0)  # all parts prove the same


def assert_derived(state: State) -> None:
    """The data that actions keep up to date equals the data derived from scratch."""
    copy = state.clone()
    copy.rebuild()
    assert copy.key() == state.key()


@pytest.mark.slow
@pytest.mark.parametrize("part", PARTS)
def test_every_state_and_every_step_keeps_the_invariants(part: int) -> None:
    kinds: Counter[int] = Counter()
    for game in range(scaled(24)):
        rng = random.Random(part * 1000 + game)
        options = random_options(rng)
        state = start(options, rng)
        before = state.export()
        check_state(before, options)
        played = None
        for _, action in steps(state, rng):
            if played is not None:
                after = state.export()
                check_step(before, played, after, options)
                check_state(after, options)
                before = after
            kinds[kind_of(action)] += 1
            played = action
        assert played is not None
        check_step(before, played, state.export(), options)
        check_state(state.export(), options)
    if COMPILED and not part:  # every part is a small sample, in which a rare kind may be missing
        assert set(kinds) >= set(range(codes.SHOOT)), "every kind of action of AP was played"


@pytest.mark.slow
@pytest.mark.parametrize("part", PARTS)
def test_thousands_of_games_end_and_derived_data_is_right_at_every_step(part: int) -> None:
    ends: Counter[str] = Counter()
    uncompiled = 20 if part else 5  # deriving anew is what takes long there
    for game in range(scaled(375) if COMPILED else uncompiled):
        rng = random.Random(part * 100_000 + game)
        options = random_options(rng)
        state = start(options, rng)
        for choices, _ in steps(state, rng):
            assert choices
            assert_derived(state)
        assert_derived(state)
        check_end(state, options)
        ends["early" if state.deck_next < 36 else "whole"] += 1
        ends["shared" if state.winners & (state.winners - 1) else "won"] += 1
    if COMPILED:
        assert set(ends) == {"early", "whole", "shared", "won"}


def check_end(state: State, options: Options) -> None:
    """A finished game has winners with the best score; only sudden death ends it with tiles in the deck."""
    now = state.export()
    best = max(now["score"][: options.players])
    winners = bits(now["winners"])
    assert winners and all(now["score"][seat] == best for seat in winners)
    assert (now["seat"], now["ap"], now["hand"]) == (codes.NO_SEAT, 0, codes.NO_TILE)
    if options.sudden_death:
        assert now["volcanoes_taken"] == 3
    else:
        assert now["deck_next"] == 36 and not now["display"]


def test_controlled_temples_are_the_scored_ones() -> None:
    held = 0
    for state in sampled_states(scaled(30), share=0.05, seed=2):
        facts = Facts(state)
        holders = {hex: facts.holder(hex) for hex in facts.hexes(codes.TEMPLE)}
        for seat in facts.seats():
            levels = [facts.level[hex] for hex, holder in holders.items() if holder == seat]
            assert state.temple_points(seat) == sum(levels)
            assert state.temple_points(seat) + state.treasure_points(seat) == worth(state.export(), state.players, seat)
            held += len(levels)
    assert held > scaled(300)


def test_facts_know_the_fields_of_a_state_and_no_others() -> None:
    state = start(Options(), random.Random(1))
    facts = Facts(state)
    assert (facts.reserve, facts.base) == (state.export()["reserve"], 0)
    with pytest.raises(AttributeError, match="colour"):
        facts.colour  # noqa: B018


@pytest.mark.slow
def test_no_action_on_a_copy_changes_an_earlier_state() -> None:
    tried = 0
    for state in sampled_states(scaled(40), share=0.1, seed=3):
        key, fields = state.key(), state.export()
        moves = Moves()
        state.legal(moves)
        for action in list(moves)[:60]:
            copy = state.clone()
            assert type(copy) is type(state)
            copy.apply(action)
            assert state.key() == key
            assert copy.key() != key, "an action changes something"
            tried += 1
        assert state.export() == fields
    assert tried > scaled(10_000)


def test_the_states_of_a_game_stay_as_they_were() -> None:
    for game in range(scaled(10)):
        rng = random.Random(50 + game)
        state = start(random_options(rng), rng)
        kept = [(state.clone(), state.key(), state.export()) for _ in steps(state, rng)]
        for copy, key, fields in kept:
            assert copy.key() == key and copy.export() == fields
        assert len({key for _, key, _ in kept}) == len({repr(fields) for _, _, fields in kept})


def test_a_copy_and_an_exported_state_play_on_alike() -> None:
    for game in range(scaled(20)):
        rng = random.Random(80 + game)
        options = random_options(rng)
        chance = deal(options, rng)
        state, other = new_state(options, chance), new_state(options, chance)
        third = new_state(options, deal(options, rng))
        moves = Moves()
        for choices, action in steps(state, rng):
            other.legal(moves)
            assert list(moves) == choices
            if rng.random() < 0.05:
                third.restore(other.export())
                other = third.clone()
            elif rng.random() < 0.05:
                third.copy_from(other)
                other, third = third, other
            other.apply(action)
            assert other.key() != state.key()
        assert other.export() == state.export()
        assert other.key() == state.key()


@pytest.mark.slow
def test_equal_states_have_equal_keys_and_others_do_not() -> None:
    """Two actions in either order often lead to the same position; exports show whether they do."""
    met = apart = 0
    for state in sampled_states(scaled(60), share=0.03, seed=4):
        moves = Moves()
        state.legal(moves)
        rng = random.Random(met + apart)
        choices = rng.sample(list(moves), min(8, len(moves)))
        for one, other in product(choices, choices):
            ways = [two_steps(state, *pair) for pair in ((one, other), (other, one))]
            if one < other and ways[0] is not None and ways[1] is not None:
                same = ways[0].export() == ways[1].export()
                assert (ways[0].key() == ways[1].key()) == same
                met, apart = met + same, apart + (not same)
    assert met > scaled(1000) and apart > scaled(50)


def two_steps(state: State, first: int, second: int) -> State | None:
    """The state after two actions, if the second is legal after the first."""
    copy, moves = state.clone(), Moves()
    copy.apply(first)
    copy.legal(moves)
    if second not in list(moves):
        return None
    copy.apply(second)
    return copy


def test_every_field_is_part_of_the_key() -> None:
    everything = Options(players=4, auction=True, leaps=True, boulders="3d6", obstacles=True, machine_gun=True)
    for options in (Options(players=4), everything):
        state = start(options, random.Random(5))
        fields = state.export()
        for name, value in fields.items():
            for change in changes(value):
                other = state.clone()
                other.restore(fields | {name: change})
                assert other.export()[name] == change
                assert other.key() != state.key(), f"{name} is no part of the key"
                other.restore(fields)
                assert other.key() == state.key()


def changes(value: int | list[int]) -> list[Any]:
    """The value with one of its numbers changed, in every possible way."""
    if isinstance(value, int):
        return [value ^ 1]
    return [[*value[:at], value[at] ^ 1, *value[at + 1 :]] for at in range(len(value))]


@pytest.mark.parametrize("games", amounts(20, long=50) if COMPILED else [50])
def test_an_action_is_legal_if_and_only_if_no_refusal_is_found(games: int) -> None:
    phases: Counter[int] = Counter()
    for state in sampled_states(scaled(games), share=0.01, seed=6):
        phases[state.phase] += 1
        facts, moves = Facts(state), Moves()
        state.legal(moves)
        bids = [codes.pack(codes.BID) | bid << 5 for bid in range(max(facts.score) + 3)]
        not_refused = {action for action in (*imaginable(), *bids) if refusal(facts, action) is None}
        assert not_refused == set(moves)
        assert len(set(moves)) == len(moves)
    assert sum(phases.values()) > scaled(games)
    if COMPILED:
        assert set(phases) >= {codes.PLACING, codes.ACTING, codes.BIDDING, codes.TAKING, codes.LEAPING}


def test_a_finished_game_allows_nothing() -> None:
    for game in range(scaled(4)):
        rng = random.Random(game)
        state = start(random_options(rng), rng)
        for _ in steps(state, rng):
            pass
        facts = Facts(state)
        assert state.phase == FINISHED
        assert state.legal(Moves()) == 0
        assert {refusal(facts, action).code for action in imaginable()} == {"phase"}  # type: ignore[union-attr]


@pytest.mark.soak
@pytest.mark.parametrize("part", range(20))
def test_tens_of_thousands_of_games(part: int) -> None:
    for game in range(scaled(1500)):
        rng = random.Random(10_000_000 + part * 100_000 + game)
        options = random_options(rng)
        state = start(options, rng)
        for _ in steps(state, rng):
            assert_derived(state)
        check_state(state.export(), options)
        check_end(state, options)

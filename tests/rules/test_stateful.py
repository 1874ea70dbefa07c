"""Games that hypothesis drives: it chooses options, actions and detours, and minimises what fails."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from tests.kit.amounts import COMPILED, amounts
from tests.kit.positions import legal
from tests.kit.states import Player, scaled, start
from tests.rules.invariants import Fields, check_state, check_step
from tikal.play.notation import parse, text
from tikal.rules.codes import FINISHED
from tikal.rules.core import Moves, State
from tikal.rules.options import EXCLUDES, NEEDS, VALUES, Options


def possible(chosen: dict[str, Any]) -> bool:
    """Whether options go together."""
    needs = all(chosen[needed] or not chosen[name] for name, needed in NEEDS.items())
    return needs and not any(chosen[one] and chosen[other] for one, other in EXCLUDES)


any_options = (
    st.fixed_dictionaries({name: st.sampled_from(values) for name, values in VALUES.items()})
    .filter(possible)
    .map(lambda chosen: Options(**chosen))
)


class GameMachine(RuleBasedStateMachine):
    """One game, with copies of earlier states kept aside."""

    @initialize(options=any_options, seed=st.integers(0, 2**32 - 1))
    def begin(self, options: Options, seed: int) -> None:
        self.options = options
        self.state = start(options, random.Random(seed))
        self.kept: list[tuple[State, int, Fields]] = []

    def choices(self) -> list[int]:
        moves = Moves()
        self.state.legal(moves)
        return list(moves)

    def step(self, action: int) -> None:
        before = self.state.export()
        self.state.apply_unchecked(action)
        check_step(before, action, self.state.export(), self.options)

    @precondition(lambda self: self.state.phase != FINISHED)
    @rule(data=st.data())
    def play_one(self, data: st.DataObject) -> None:
        self.step(data.draw(st.sampled_from(sorted(self.choices())), label="action"))

    @precondition(lambda self: self.state.phase != FINISHED)
    @rule(seed=st.integers(0, 2**16), actions=st.integers(1, 120))
    def play_on(self, seed: int, actions: int) -> None:
        player = Player(random.Random(seed))
        for _ in range(actions):
            if choices := self.choices():
                self.step(player.choose(choices))

    @rule()
    def keep_a_copy(self) -> None:
        self.kept.append((self.state.clone(), self.state.key(), self.state.export()))

    @precondition(lambda self: self.kept)
    @rule(data=st.data())
    def go_back(self, data: st.DataObject) -> None:
        copy, key, fields = data.draw(st.sampled_from(self.kept), label="kept")
        self.state = copy.clone()
        assert (self.state.key(), self.state.export()) == (key, fields)

    @rule()
    def export_and_restore(self) -> None:
        other = self.state.clone()
        other.restore(self.state.export())
        assert other.key() == self.state.key()
        self.state = other

    @invariant()
    def all_is_well(self) -> None:
        if not hasattr(self, "state"):
            return
        check_state(self.state.export(), self.options)
        actions = legal(self.state)
        assert bool(actions) == (self.state.phase != FINISHED)
        assert [text(parse(action)) for action in actions] == actions
        copy = self.state.clone()
        copy.rebuild()
        assert copy.key() == self.state.key()

    def teardown(self) -> None:
        for copy, key, fields in getattr(self, "kept", ()):
            assert (copy.key(), copy.export()) == (key, fields)


def run(examples: int, derandomize: bool) -> None:
    run_state_machine_as_test(
        GameMachine,
        settings=settings(
            max_examples=examples,
            stateful_step_count=25,
            deadline=None,
            derandomize=derandomize,
            suppress_health_check=list(HealthCheck),
        ),
    )


@pytest.mark.parametrize("examples", amounts(60, long=250) if COMPILED else amounts(4, long=25))
def test_whatever_is_played_the_invariants_hold(examples: int) -> None:
    run(examples, derandomize=True)


@pytest.mark.soak
def test_whatever_is_played_the_invariants_hold_at_length() -> None:
    run(scaled(3000), derandomize=False)

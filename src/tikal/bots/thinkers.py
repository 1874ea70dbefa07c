"""The surveyor and the professor. They differ only in how they choose a turn; the weaker levels are in `amateurs.py`.

`Thinker.decide` answers any decision. `levels.py` makes a bot of a thinker: it reads views and writes actions as text.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from tikal.bots import auction
from tikal.bots.bot import Budget
from tikal.bots.planner import Planner, Turn, leaping, round_is_over, signature
from tikal.bots.sample import redeal
from tikal.rules.codes import (
    ACTING,
    BIDDING,
    DECIDE,
    END,
    FINISHED,
    LEAP,
    LEAP_LIMIT,
    LEAPING,
    PLACING,
    TAKING,
    pack,
)
from tikal.rules.core import State

SURVEYOR_WIDTHS = (4, 8, 16, 32, 64, 128, 256, 512)
PRIOR = 4  # the value at the end of the turn counts as much as this many deals: a few deals alone are mostly luck
HALVINGS = (4, 8, 16, 32, 64)  # deals after which the worse half of the field is dropped
ROUNDS = 2  # rounds that the professor looks ahead: in one it would not see what its own next turn gains
MOST_DEALS = 4096


class Thinker:
    """Answers any decision; subclasses choose the turns."""

    def __init__(self, like: State, width: int) -> None:
        self.planner = Planner(like, width)

    def decide(self, state: State, rng: random.Random, budget: Budget) -> tuple[int, ...]:
        """The actions for this decision. After an action that reveals something the bot decides again."""
        if state.phase in (PLACING, ACTING):
            return self.turns(state, rng, budget)[0].actions
        if state.phase == BIDDING:
            return (auction.choose_bid(self.planner, state, rng),)
        if state.phase == TAKING:
            return (auction.choose_tile(self.planner, state, rng),)
        if state.phase == LEAPING:
            return (self.choose_tokens(state),)
        return (self.choose_scoring(state),)

    def turns(self, state: State, rng: random.Random, budget: Budget) -> list[Turn]:
        """The best turns, best first."""
        raise NotImplementedError

    def choose_scoring(self, state: State) -> int:
        """`taker_decides`: the volcano scores if the seat gets at least the mean of its rivals."""
        points = [state.temple_points(seat) + state.treasure_points(seat) for seat in range(state.players)]
        others = sum(points) - points[state.seat]
        return pack(DECIDE, int(points[state.seat] * (state.players - 1) >= others))

    def choose_tokens(self, state: State) -> int:
        """`leaps`: the number of tokens with the greatest gain per token."""
        before = self.planner.outcome(state, state.seat)
        best, choice = 0.0, 1
        for tokens in range(1, min(LEAP_LIMIT, state.ap) + 1):
            turn = self.planner.turns(leaping(state, tokens), 4, 1)[0]
            gain = (turn.value - before) / tokens
            if gain > best:
                best, choice = gain, tokens
        return pack(LEAP, choice)


class Surveyor(Thinker):
    """Plans the whole turn by beam search; with a budget the beam is as wide as the budget allows."""

    def __init__(self, like: State, width: int) -> None:
        super().__init__(like, width)
        self.width = width

    def turns(self, state: State, rng: random.Random, budget: Budget) -> list[Turn]:  # noqa: ARG002
        """Searches with wider and wider beams, up to its width or the end of the budget."""
        inner = budget.after(self.planner.nodes)
        if budget.nodes is None and budget.ms is None:
            return self.planner.turns(state, self.width, 8, inner)
        found: list[Turn] = []
        for width in SURVEYOR_WIDTHS:
            if found and (width > max(self.width, 4) or not inner.left(self.planner.nodes)):
                break
            found = self.planner.turns(state, width, 8, inner)
        return found


@dataclass(slots=True)
class Trial:
    """A turn, and its values on the deals that it has played."""

    turn: Turn
    values: list[float] = field(default_factory=list)

    def mean(self, deals: int | None = None) -> float:
        """The mean over the first deals (or all); the value at the end of the turn counts for `PRIOR` deals."""
        played = self.values[:deals]
        return (PRIOR * self.turn.value + sum(played)) / (PRIOR + len(played))


def judged(trials: Iterable[Trial], best: Trial) -> list[Turn]:
    """The turns, best first. A turn that was dropped early is compared with the best on the deals that both played."""
    found = []
    for trial in trials:
        behind = best.mean(len(trial.values)) - trial.mean()
        found.append(Turn(best.mean() - behind, trial.turn.actions))
    return sorted(found, key=lambda turn: (turn.value, turn.actions == best.turn.actions), reverse=True)


class Professor(Thinker):
    """Tries its best turns on many deals, each played on with quick turns of all seats; the best ones most often."""

    def __init__(self, like: State, width: int, candidates: int) -> None:
        super().__init__(like, width)
        self.width = width
        self.candidates = candidates

    def turns(self, state: State, rng: random.Random, budget: Budget) -> list[Turn]:
        """Sequential halving: all candidates play the same deals, then the better half plays more of them."""
        inner = budget.after(self.planner.nodes)
        turns = self._different(state, self.planner.turns(state, self.width, 64, inner))
        if len(turns) < 2:
            return turns
        trials = [Trial(turn) for turn in turns]
        left = trials
        deals = 0
        while deals < MOST_DEALS:
            values = self._values(state, [trial.turn for trial in left], rng, inner, finish=not deals)
            if values is None:
                break
            for trial, value in zip(left, values, strict=True):
                trial.values.append(value)
            deals += 1
            if len(left) > 2 and deals in HALVINGS:
                left = sorted(left, key=lambda trial: -trial.mean())[: (len(left) + 1) // 2]
        return judged(trials, max(left, key=Trial.mean))

    def _values(
        self, state: State, field: Sequence[Turn], rng: random.Random, budget: Budget, finish: bool
    ) -> list[float] | None:
        """The values of turns on one new deal; None if the budget ends before, unless it must `finish`."""
        deal = redeal(state, rng)
        seed = rng.getrandbits(32)
        values = []
        for turn in field:
            if not finish and not budget.left(self.planner.nodes):
                return None
            values.append(self._ahead(deal, turn, seed))
        return values

    def _different(self, state: State, turns: Iterable[Turn]) -> list[Turn]:
        """The best turn of each kind, up to the number of candidates."""
        found: dict[object, Turn] = {}
        for turn in turns:
            after = state.clone()
            for action in turn.actions:
                if action != END:
                    after.apply_unchecked(action)
            found.setdefault(signature(after, state.seat), turn)
            if len(found) == self.candidates:
                break
        return list(found.values())

    def _ahead(self, deal: State, turn: Turn, seed: int) -> float:
        """The value of this turn on a deal, after `ROUNDS` rounds of quick turns."""
        state = deal.clone()
        seat = state.seat
        self.planner.play_on(state, turn.actions)
        rng = random.Random(seed)
        self._reply(state, seat, rng)
        for _ in range(ROUNDS - 1):
            if state.phase != FINISHED:
                self.planner.play_quick(state, rng)  # the seat's own next turn, or the next round's first bid
                self._reply(state, seat, rng)
        return self.planner.outcome(state, seat)

    def _reply(self, state: State, seat: int, rng: random.Random) -> None:
        """Plays on until all others have replied to the seat."""
        deck_next = state.deck_next
        for _ in range(6 * state.players):
            if round_is_over(state, seat, deck_next):
                return
            self.planner.play_quick(state, rng)

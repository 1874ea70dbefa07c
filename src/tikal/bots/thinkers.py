"""The levels that plan: digger, surveyor and professor. They differ in how they choose a turn, and in nothing else.

`decide` answers any decision for a position; the rest of a bot (views, seeds, text) is in `levels.py`.
"""

from __future__ import annotations

import random
from collections.abc import Iterable

from tikal.bots import auction
from tikal.bots.bot import Budget
from tikal.bots.planner import Planner, Turn, round_is_over, signature
from tikal.bots.sample import redeal
from tikal.rules.codes import ACTING, BIDDING, DECIDE, END, LEAP, LEAP_LIMIT, LEAPING, PLACING, TAKING, pack
from tikal.rules.core import Moves, State

SURVEYOR_WIDTHS = (4, 8, 16, 32, 64, 128, 256, 512)


class Thinker:
    """Answers any decision; a level says how it chooses its turn."""

    def __init__(self, like: State, width: int) -> None:
        self.planner = Planner(like, width)

    def decide(self, state: State, rng: random.Random, budget: Budget) -> tuple[int, ...]:
        """The actions for the decision at hand; only the first is sure when chance has its say in between."""
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
        """`taker_decides`: score if that gives more than the rivals get on average."""
        points = [state.temple_points(seat) + state.treasure_points(seat) for seat in range(state.players)]
        others = sum(points) - points[state.seat]
        return pack(DECIDE, int(points[state.seat] * (state.players - 1) >= others))

    def choose_tokens(self, state: State) -> int:
        """`leaps`: as many tokens as bring the most each."""
        purse = state.ap
        self.planner.search.prepare(state, state.seat)
        before = self.planner.search.evaluate(state)
        best, choice = 0.0, 1
        for tokens in range(1, min(LEAP_LIMIT, purse) + 1):
            turn = self._leap(state, tokens)
            gain = (turn.value - before) / tokens
            if gain > best:
                best, choice = gain, tokens
        return pack(LEAP, choice)

    def _leap(self, state: State, tokens: int) -> Turn:
        """The best leap with so many tokens, as if the seat were the one to act."""
        after = state.clone()
        after.restore(state.export() | {"phase": ACTING, "ap": tokens, "leap_stage": 1})
        return self.planner.turns(after, 4, 1)[0]


class Digger(Thinker):
    """Takes the best next action, one after the other, until none makes it better."""

    def __init__(self, like: State) -> None:
        super().__init__(like, 1)
        self._moves = Moves()

    def turns(self, state: State, rng: random.Random, budget: Budget) -> list[Turn]:  # noqa: ARG002
        """One turn: the first thing that comes to mind."""
        here = state.clone()
        actions: list[int] = []
        value = 0.0
        while here.seat == state.seat and here.phase in (PLACING, ACTING):
            value, action = self._greedy(here)
            actions.append(action)
            if action == END:
                break
            here.apply(action)
        return [Turn(value, tuple(actions))]

    def _greedy(self, state: State) -> tuple[float, int]:
        search = self.planner.search
        search.prepare(state, state.seat)
        state.legal(self._moves)
        best = (search.evaluate(state), END) if state.phase == ACTING else (-1e9, END)
        for action in list(self._moves):
            if action == END:
                continue
            after = state.clone()
            after.apply(action)
            if state.phase == PLACING:  # a new hex: what was measured before knows nothing of it
                search.prepare(after, state.seat)
            value = search.evaluate(after)
            if value > best[0]:
                best = value, action
        return best


class Surveyor(Thinker):
    """Plans the whole turn by beam search; a budget makes the beam as wide as it allows."""

    def __init__(self, like: State, width: int) -> None:
        super().__init__(like, width)
        self.width = width

    def turns(self, state: State, rng: random.Random, budget: Budget) -> list[Turn]:  # noqa: ARG002
        """Wider and wider beams, up to the width or as far as the budget goes."""
        start = self.planner.nodes
        inner = Budget(None if budget.nodes is None else start + budget.nodes, budget.ms, budget.stop, budget.started)
        if budget.nodes is None and budget.ms is None:
            return self.planner.turns(state, self.width, 8, inner)
        found: list[Turn] = []
        for width in SURVEYOR_WIDTHS:
            if found and (width > max(self.width, 4) or not inner.left(self.planner.nodes)):
                break
            found = self.planner.turns(state, width, 8, inner)
        return found


class Professor(Thinker):
    """Takes its best turns, plays each on against quick answers over many deals, and asks most where it matters."""

    def __init__(self, like: State, width: int, candidates: int) -> None:
        super().__init__(like, width)
        self.width = width
        self.candidates = candidates

    def turns(self, state: State, rng: random.Random, budget: Budget) -> list[Turn]:
        """Sequential halving: all candidates on the same deals, then the better half on more."""
        start = self.planner.nodes
        inner = Budget(None if budget.nodes is None else start + budget.nodes, budget.ms, budget.stop, budget.started)
        turns = self._different(state, self.planner.turns(state, self.width, 64, inner))
        if len(turns) < 2:
            return turns
        totals = {turn.actions: 0.0 for turn in turns}
        counts = dict.fromkeys(totals, 0)
        field = turns
        deals = 0
        while inner.left(self.planner.nodes) and deals < 4096:
            deal = redeal(state, rng)
            seed = rng.getrandbits(32)
            for turn in field:
                totals[turn.actions] += self._ahead(deal, turn, seed)
                counts[turn.actions] += 1
                if not inner.left(self.planner.nodes) and min(counts.values()):
                    break
            deals += 1
            if len(field) > 2 and deals in (4, 8, 16, 32, 64):
                field = sorted(field, key=lambda turn: -totals[turn.actions] / counts[turn.actions])
                field = field[: (len(field) + 1) // 2]
        judged = [Turn(totals[t.actions] / counts[t.actions], t.actions) for t in turns if counts[t.actions]]
        rest = [turn for turn in turns if not counts[turn.actions]]
        deep = {turn.actions for turn in field}
        judged.sort(key=lambda turn: (turn.actions in deep, turn.value), reverse=True)
        return judged + rest

    def _different(self, state: State, turns: Iterable[Turn]) -> list[Turn]:
        """The best turn of each kind, up to the number of candidates."""
        found: dict[object, Turn] = {}
        for turn in turns:
            after = state.clone()
            for action in turn.actions:
                if action != END:
                    after.apply(action)
            found.setdefault(signature(after, state.seat), turn)
            if len(found) == self.candidates:
                break
        return list(found.values())

    def _ahead(self, deal: State, turn: Turn, seed: int) -> float:
        """The value after everybody has answered this turn."""
        state = deal.clone()
        seat = state.seat
        for action in turn.actions:
            state.apply(action)
        rng = random.Random(seed)
        deck_next = state.deck_next
        for _ in range(6 * state.players):
            if round_is_over(state, seat, deck_next):
                break
            self.planner.play_quick(state, rng)
        return self.planner.outcome(state, seat)

"""Where a score comes from: every scoring of a game by its sources, bids paid, and the score after each tile.

>>> from tikal.play import Game
>>> from tikal.rules.options import Options
>>> game = Game.new(Options(auction=True), seed="42")
>>> game.play("B:3", "B:-")
>>> [points.total for points in balance(game)]
[17, 20]
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate, pairwise

from tikal.play.game import Game, Step
from tikal.play.view import status
from tikal.rules.codes import ACTING, DECIDING, FINAL_ROUND, FINISHED, LEAPING, NO_LEAP, NO_ROUND, TAKING
from tikal.rules.core import State
from tikal.rules.options import Options
from tikal.rules.tables import TILES


@dataclass(frozen=True, slots=True)
class Scoring:
    """A seat's scoring: the scoring round (from 1), the points by source, and after how many actions."""

    round: int
    final: bool
    seat: int
    temples: int
    treasures: int
    actions: int

    @property
    def total(self) -> int:
        """The points of this scoring.

        >>> Scoring(1, False, 2, temples=14, treasures=4, actions=120).total
        18
        """
        return self.temples + self.treasures


@dataclass(frozen=True, slots=True)
class Points:
    """A seat's score by its sources.

    >>> Points(start=20, temples=60, treasures=21, bids=9).total
    92
    """

    start: int
    temples: int
    treasures: int
    bids: int

    @property
    def total(self) -> int:
        """The score, after bids were paid."""
        return self.start + self.temples + self.treasures - self.bids


def scorings(game: Game) -> list[Scoring]:
    """Every scoring of a seat so far, including those with 0 points.

    >>> from tikal.rules.options import Options
    >>> scorings(Game.new(Options(), seed="42"))
    []
    """
    found: list[Scoring] = []
    rounds = 0
    for number, (step, (before, after)) in enumerate(zip(game.history, pairwise(game.states()), strict=True)):
        seats = _scorers(before, step, after)
        if seats:
            # The action that makes seats score does not change the board, so their points can be read before it.
            rounds += before.round_kind == NO_ROUND or before.place == 0
            final = after.phase == FINISHED if before.round_kind == NO_ROUND else before.round_kind == FINAL_ROUND
            found += [
                Scoring(rounds, final, seat + 1, before.temple_points(seat), before.treasure_points(seat), number + 1)
                for seat in seats
            ]
    return found


def _scorers(before: State, step: Step, after: State) -> range:
    """The seats that an action made score."""
    everybody, nobody = range(before.players), range(0)
    if before.round_kind != NO_ROUND:
        return range(before.seat, before.seat + 1) if step.parsed.kind == "end" else nobody
    if getattr(before, "leaps", False):
        return everybody if _ends_leaps(before, after) else nobody
    if getattr(before, "instant_scoring", False):
        taken = _of(after, "volcanoes_taken") > _of(before, "volcanoes_taken")
        return everybody if step.parsed.kind == "score_volcano" or (taken and after.phase != DECIDING) else nobody
    return nobody


def _ends_leaps(before: State, after: State) -> bool:
    """In `leaps` all score after the last token of a round with a volcano, and after the last round."""
    leaping = before.phase == LEAPING or _of(before, "leap_stage") != NO_LEAP
    erupted = leaping and after.phase == ACTING and _of(after, "leap_stage") == NO_LEAP
    return erupted or after.phase == FINISHED


def _of(state: State, name: str) -> int:
    """A field that only exists in games with variants."""
    return int(getattr(state, name))


def payments(game: Game) -> Iterator[tuple[int, int, int]]:
    """Bids paid: after how many actions, by which seat, how much.

    >>> from tikal.rules.options import Options
    >>> game = Game.new(Options(auction=True), seed="42")
    >>> game.play("B:3", "B:-")
    >>> list(payments(game))
    [(2, 1, 3)]
    """
    for number, (step, (before, after)) in enumerate(zip(game.history, pairwise(game.states()), strict=True)):
        if step.parsed.kind in ("bid", "pass") and after.phase == TAKING:
            paid = max(step.parsed.number, before.bid)
            if paid:
                yield number + 1, after.seat + 1, paid


def balance(game: Game) -> list[Points]:
    """Each seat's score so far by its sources."""
    scored, paid = scorings(game), list(payments(game))
    return [
        Points(
            start=start,
            temples=sum(row.temples for row in scored if row.seat == seat),
            treasures=sum(row.treasures for row in scored if row.seat == seat),
            bids=sum(bid for _actions, payer, bid in paid if payer == seat),
        )
        for seat, start in enumerate(_first_scores(game), start=1)
    ]


def _first_scores(game: Game) -> list[int]:
    """Each seat's score at the start."""
    scores: list[int] = status(game.state_at(0))["scores"]
    return scores


@dataclass(frozen=True, slots=True)
class Tied:
    """A seat with the highest score, and what breaks ties: the best temple that it guards, and its treasures."""

    seat: int
    guard: int
    treasures: int


@dataclass(frozen=True, slots=True)
class Tie:
    """A tie for first place and what decided it.

    `by` is `guard` or `treasures`; `shared` if these are equal too; `rule` if the edition compares nothing.
    """

    by: str
    seats: list[Tied]


def tie(state: State, options: Options) -> Tie | None:
    """The tie for first place; None without one, and while the game is running.

    >>> tie(Game.new(Options(), seed="42").state, Options()) is None
    True
    """
    now = status(state)
    scores = now["scores"]
    best = [seat for seat, score in enumerate(scores) if score == max(scores)]
    if state.phase != FINISHED or len(best) < 2:
        return None
    seats = [Tied(seat + 1, state.best_guarded(seat), state.treasure_count(seat)) for seat in best]
    if options.tie_break == "shared":
        return Tie("rule", seats)
    if len(now["winners"]) > 1:
        return Tie("shared", seats)
    highest = max(row.guard for row in seats)
    return Tie("guard" if sum(row.guard == highest for row in seats) == 1 else "treasures", seats)


def course(game: Game) -> list[list[int]]:
    """Each seat's score over the tiles turned up: at the start, then at the end of each tile's turn; the last is now.

    >>> from tikal.rules.options import Options
    >>> course(Game.new(Options(auction=True), seed="42"))[0][-1]
    20
    """
    changes = [(row.actions, row.seat, row.total) for row in scorings(game)]
    changes += [(actions, seat, -paid) for actions, seat, paid in payments(game)]
    curves = [[0] * (len(TILES) + 1) for _ in range(game.options.players)]
    for actions, seat, change in changes:
        # An action that ends a turn may also turn up the next tile; its points still belong to the tile of that turn.
        curves[seat - 1][game.state_at(actions - 1).deck_next] += change
    # Before the first tile nothing changes.
    return [
        list(accumulate(curve[1:], initial=start)) for start, curve in zip(_first_scores(game), curves, strict=True)
    ]

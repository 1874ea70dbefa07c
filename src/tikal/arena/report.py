"""The results of a match as numbers, per player and in total; `tables` formats them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from tikal.arena.match import Match
from tikal.arena.outcome import FAULTS, Outcome
from tikal.arena.ratings import rate
from tikal.arena.sprt import Verdict
from tikal.arena.stats import Estimate, elo, mean, proportion, quantile

FORMAT = 1

Deals = list[list[Outcome]]


@dataclass(frozen=True, slots=True)
class PlayerReport:
    """The results of one entry. Estimates are None without games; means cover games without a fault."""

    spec: str
    games: int
    wins: float
    win_rate: Estimate | None
    place: Estimate | None
    places: list[int]
    score: Estimate | None
    temples: Estimate | None
    treasures: Estimate | None
    bids: Estimate | None
    rounds: list[Estimate]  # points of each scoring round; the final one last
    ahead: list[Estimate | None]  # how often it finished ahead of each other entry; ties count half
    course: list[float]  # the mean score after each tile
    ms_per_turn: float | None
    ms_per_turn_p95: float | None
    ms_per_bid: float | None
    turns: int
    faults: dict[str, int]
    rating: Estimate | None = None

    def as_json(self, players: int) -> dict[str, Any]:
        """The line of a player in the report, as `--json` prints it."""
        rate, score = self.win_rate, self.score
        return {
            "spec": self.spec,
            "wins": round(self.wins, 6),
            "games": self.games,
            "win_rate": _number(rate.value if rate else None, 6),
            "ci95": _interval(rate, 6),
            "elo": _elo(rate, players),
            "mean_score": _number(score.value if score else None, 4),
            "mean_score_ci95": _interval(score, 4),
            "temples": _estimate(self.temples),
            "treasures": _estimate(self.treasures),
            "bids": _estimate(self.bids),
            "scoring_rounds": [_estimate(estimate) for estimate in self.rounds],
            "places": self.places,
            "mean_place": _estimate(self.place),
            "ahead_of": [_estimate(estimate) for estimate in self.ahead],
            "rating": _estimate(self.rating),
            "ms_per_turn": _number(self.ms_per_turn, 3),
            "ms_per_turn_p95": _number(self.ms_per_turn_p95, 3),
            "ms_per_bid": _number(self.ms_per_bid, 3),
            "turns": self.turns,
            "faults": self.faults,
        }


@dataclass(frozen=True, slots=True)
class Report:
    """The results of the complete deals of a match; games of incomplete deals are not counted."""

    match: Match
    players: list[PlayerReport]
    deals: int
    games: int
    outcomes: list[Outcome]
    verdict: Verdict | None = None
    interrupted: bool = False

    @property
    def finished(self) -> bool:
        """Whether all games were played, or the sequential test reached a decision."""
        return self.deals >= self.match.deals or (self.verdict is not None and self.verdict.accepted is not None)

    @property
    def faults(self) -> list[Outcome]:
        """The games that ended by a fault."""
        return [outcome for outcome in self.outcomes if outcome.fault]

    def as_json(self) -> dict[str, Any]:
        """The report as `--json` prints it."""
        return {
            "format": FORMAT,
            "players": [player.as_json(len(self.players)) for player in self.players],
            "games": self.games,
            "deals": self.deals,
            "games_wanted": self.match.games,
            "finished": self.finished,
            "interrupted": self.interrupted,
            "seed": self.match.seed,
            "edition": self.match.options.edition,
            "options": self.match.options.pairs(),
            "sprt": self._sprt(),
            "faults": [
                {"deal": outcome.deal + 1, "rotation": outcome.rotation + 1, **_fault(outcome)}
                for outcome in self.faults
            ],
        }

    def _sprt(self) -> dict[str, Any] | None:
        test, verdict = self.match.sprt, self.verdict
        if test is None or verdict is None:
            return None
        h0, h1 = test.rates(len(self.match.side), len(self.players))
        return {
            **test.as_json(),
            "rates": [round(h0, 6), round(h1, 6)],
            "llr": round(verdict.llr, 4),
            "bounds": [round(verdict.lower, 4), round(verdict.upper, 4)],
            "accepted": verdict.accepted,
            "deals": verdict.deals,
        }


def _fault(outcome: Outcome) -> dict[str, Any]:
    assert outcome.fault is not None
    return {"player": outcome.fault.entry + 1, "kind": outcome.fault.kind, "text": outcome.fault.text}


def _number(value: float | None, digits: int) -> float | None:
    return None if value is None or not math.isfinite(value) else round(value, digits)


def _interval(estimate: Estimate | None, digits: int) -> list[float | None]:
    if estimate is None:
        return [None, None]
    return [_number(estimate.low, digits), _number(estimate.high, digits)]


def _estimate(estimate: Estimate | None) -> dict[str, Any] | None:
    if estimate is None:
        return None
    return {"mean": _number(estimate.value, 4), "ci95": _interval(estimate, 4)}


def _elo(rate: Estimate | None, players: int) -> dict[str, Any] | None:
    """Elo against the rest of the table; None means infinite."""
    points = elo_of(rate, players)
    return None if points is None else {"value": _number(points.value, 1), "ci95": _interval(points, 1)}


def elo_of(rate: Estimate | None, players: int) -> Estimate | None:
    """The Elo difference to the rest of the table that a win rate implies.

    >>> elo_of(Estimate(0.5, 0.5, 1.0), players=2)
    Estimate(value=0.0, low=0.0, high=inf)
    """
    if rate is None:
        return None
    return Estimate(*(elo(part, 1, players) for part in (rate.value, rate.low, rate.high)))


def whole_deals(outcomes: Iterable[Outcome], players: int) -> Deals:
    """The outcomes of complete deals, by deal and rotation."""
    by_deal: Deals = []
    for outcome in sorted(outcomes, key=lambda outcome: outcome.fixture):
        if not by_deal or by_deal[-1][0].deal != outcome.deal:
            by_deal.append([])
        by_deal[-1].append(outcome)
    return [deal for deal in by_deal if len(deal) == players]


def side_share(deal: Sequence[Outcome], side: Sequence[int]) -> float:
    """The share of a deal's games that a side won.

    >>> side_share([Outcome(0, 0, [1.0, 0.0], [1, 2]), Outcome(0, 1, [0.5, 0.5], [1, 1])], side=[0])
    0.75
    """
    return sum(outcome.shares[entry] for outcome in deal for entry in side) / len(deal)


def summarise(
    match: Match, outcomes: Iterable[Outcome], verdict: Verdict | None = None, interrupted: bool = False
) -> Report:
    """The report of a match, from the games that were played."""
    deals = whole_deals(outcomes, len(match.players))
    if verdict is not None and verdict.accepted:
        deals = deals[: verdict.deals]  # games that were in progress when the test was decided are not counted
    played = [outcome for deal in deals for outcome in deal]
    ratings = rate([[outcome.places for outcome in deal] for deal in deals], len(match.players)) if deals else None
    players = [_player(match, deals, entry, ratings[entry] if ratings else None) for entry in range(len(match.players))]
    return Report(match, players, len(deals), len(played), played, verdict, interrupted)


def _player(match: Match, deals: Deals, entry: int, rating: Estimate | None) -> PlayerReport:
    played = [outcome for deal in deals for outcome in deal]
    ended = [outcome for outcome in played if outcome.fault is None]
    turns = [ms for outcome in played for ms in _times_of(outcome.turn_ms, entry)]
    bids = [ms for outcome in played for ms in _times_of(outcome.bid_ms, entry)]
    own = [outcome.fault for outcome in played if outcome.fault and outcome.fault.entry == entry]
    places = [outcome.places[entry] for outcome in played]
    return PlayerReport(
        spec=match.players[entry],
        games=len(played),
        wins=math.fsum(outcome.shares[entry] for outcome in played),
        win_rate=proportion([[outcome.shares[entry] for outcome in deal] for deal in deals]),
        place=mean([[outcome.places[entry] for outcome in deal] for deal in deals]),
        places=[places.count(place + 1) for place in range(len(match.players))],
        score=_mean(deals, lambda outcome: outcome.scores[entry]),
        temples=_mean(deals, lambda outcome: outcome.temples[entry]),
        treasures=_mean(deals, lambda outcome: outcome.treasures[entry]),
        bids=_mean(deals, lambda outcome: outcome.bids[entry]) if match.options.auction else None,
        rounds=_rounds(deals, entry),
        ahead=[_ahead(deals, entry, other) for other in range(len(match.players))],
        course=[sum(scores) / len(ended) for scores in zip(*(outcome.course[entry] for outcome in ended), strict=True)],
        ms_per_turn=quantile(turns, 0.5) if turns else None,
        ms_per_turn_p95=quantile(turns, 0.95) if turns else None,
        ms_per_bid=quantile(bids, 0.5) if bids else None,
        turns=len(turns),
        faults={kind: sum(fault.kind == kind for fault in own) for kind in FAULTS},
        rating=rating,
    )


def _times_of(times: Sequence[Sequence[float]], entry: int) -> Sequence[float]:
    """The thinking times of an entry; a game has none if its worker died."""
    return times[entry] if times else ()


def _mean(deals: Deals, value: Callable[[Outcome], float]) -> Estimate | None:
    """The mean over games that ended normally."""
    return mean([[value(outcome) for outcome in deal if outcome.fault is None] for deal in deals])


def _rounds(deals: Deals, entry: int) -> list[Estimate]:
    """The mean points of each scoring round, for those numbers of rounds that games have."""
    ended = [[outcome.rounds[entry] for outcome in deal if outcome.fault is None] for deal in deals]
    most = max((len(rounds) for deal in ended for rounds in deal), default=0)
    means = (mean([[rounds[n] for rounds in deal if n < len(rounds)] for deal in ended]) for n in range(most))
    return [estimate for estimate in means if estimate is not None]


def _ahead(deals: Deals, entry: int, other: int) -> Estimate | None:
    if entry == other:
        return None

    def part(places: Sequence[int]) -> float:
        return 0.5 if places[entry] == places[other] else float(places[entry] < places[other])

    return proportion([[part(outcome.places) for outcome in deal] for deal in deals])

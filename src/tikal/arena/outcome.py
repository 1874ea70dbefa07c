"""`Outcome`: the result of a game. Every list has one item per entry, in the order of the players argument."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, fields
from typing import Any

from tikal.arena.schedule import Fixture

FAULTS = ("crash", "illegal", "timeout")


@dataclass(frozen=True, slots=True)
class Fault:
    """Why an entry lost a game before its end: it crashed, played something illegal, or thought too long."""

    entry: int
    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a game that ended normally or by a fault (then it has no scores)."""

    deal: int
    rotation: int
    shares: list[float]  # share of the win
    places: list[int]
    scores: list[int] = field(default_factory=list)
    temples: list[int] = field(default_factory=list)
    treasures: list[int] = field(default_factory=list)
    bids: list[int] = field(default_factory=list)
    rounds: list[list[int]] = field(default_factory=list)  # points in each scoring round, the final one last
    course: list[list[int]] = field(default_factory=list)  # the score after each tile
    turn_ms: list[list[float]] = field(default_factory=list)  # thinking time of each turn
    bid_ms: list[list[float]] = field(default_factory=list)  # thinking time of each bid, choice of tokens, …
    fault: Fault | None = None

    @property
    def fixture(self) -> Fixture:
        """Which game of the match it was."""
        return Fixture(self.deal, self.rotation)

    def as_json(self) -> dict[str, Any]:
        """The outcome in the journal's form."""
        return asdict(self)

    def without_times(self) -> dict[str, Any]:
        """The outcome without times: equal whenever and wherever the game is played."""
        return {name: value for name, value in self.as_json().items() if name not in ("turn_ms", "bid_ms")}

    @classmethod
    def from_json(cls, stored: dict[str, Any]) -> Outcome:
        """Reads the journal's form.

        >>> outcome = forfeit(Fixture(0, 1), 2, Fault(1, "crash", "ValueError: no"))
        >>> Outcome.from_json(outcome.as_json()) == outcome
        True
        """
        known = {name.name for name in fields(cls)}
        fault = Fault(**stored["fault"]) if stored["fault"] else None
        return cls(**{**{name: value for name, value in stored.items() if name in known}, "fault": fault})


def forfeit(fixture: Fixture, players: int, fault: Fault) -> Outcome:
    """A game lost by a fault: the others share the win.

    >>> forfeit(Fixture(0, 0), 3, Fault(1, "crash", "ValueError: no")).shares
    [0.5, 0.0, 0.5]
    """
    others = players - 1
    return Outcome(
        fixture.deal,
        fixture.rotation,
        shares=[0.0 if entry == fault.entry else 1 / others for entry in range(players)],
        places=[players if entry == fault.entry else 1 for entry in range(players)],
        fault=fault,
    )

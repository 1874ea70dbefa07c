"""`Match`: everything that determines which games are played, but not how (workers, files, displays)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tikal.arena.errors import ArenaError
from tikal.arena.schedule import Fixture, schedule
from tikal.arena.sprt import Sprt
from tikal.play.chance import check_seed
from tikal.rules import RULES_VERSION
from tikal.rules.options import VALUES, Options

MOST_GAMES = 10_000_000


@dataclass(frozen=True, slots=True)
class Match:
    """The entries (a spec string each), the number of games, the seed and the options.

    >>> match = Match.of(["digger", "tourist", "tourist"], games=10)
    >>> match.deals, match.games
    (4, 12)
    """

    players: tuple[str, ...]
    games: int
    seed: str
    options: Options
    sprt: Sprt | None = None

    @classmethod
    def of(
        cls,
        players: Sequence[str],
        games: int = 100,
        seed: str = "1",
        options: Mapping[str, Any] | None = None,
        sprt: Sprt | None = None,
    ) -> Match:
        """A validated match; the number of games is rounded up to whole deals."""
        seats = VALUES["players"]
        if len(players) not in seats:
            few = f"{len(players)} given" if players else "none given"
            raise ArenaError("players", f"players: {few}, must be {seats[0]} to {seats[-1]}")
        if not 1 <= games <= MOST_GAMES:
            raise ArenaError("usage", f"games {games}: must be 1 to {MOST_GAMES}")
        match = cls(tuple(players), games, check_seed(seed), Options(**{**(options or {}), "players": len(players)}))
        return match.with_games(games).with_sprt(sprt)

    def with_games(self, games: int) -> Match:
        """The same match with another number of games, rounded up to whole deals."""
        return replace(self, games=-(-games // len(self.players)) * len(self.players))

    def with_sprt(self, sprt: Sprt | None) -> Match:
        """The same match with a sequential test, which needs two different players."""
        if sprt is not None:
            if len(set(self.players)) == 1:
                raise ArenaError("usage", "sprt: compares the first player with others, but all players are the same")
            sprt.rates(len(self.side), len(self.players))
        return replace(self, sprt=sprt)

    @property
    def deals(self) -> int:
        """How many deals are played."""
        return self.games // len(self.players)

    @property
    def side(self) -> tuple[int, ...]:
        """The entries that a sequential test judges: the first, and all with the same spec.

        >>> Match.of(["digger", "tourist", "digger"]).side
        (0, 2)
        """
        return tuple(entry for entry, spec in enumerate(self.players) if spec == self.players[0])

    def fixtures(self) -> Iterator[Fixture]:
        """All games of the match, deal by deal."""
        return schedule(self.deals, len(self.players))

    def as_json(self) -> dict[str, Any]:
        """The match as a journal stores it."""
        return {
            "players": list(self.players),
            "games": self.games,
            "seed": self.seed,
            "options": self.options.as_dict(),
            "sprt": self.sprt.as_json() if self.sprt else None,
            "rules": RULES_VERSION,
        }

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Match:
        """The match of a journal.

        >>> match = Match.of(["digger", "tourist"], games=4, seed="7")
        >>> Match.from_json(match.as_json()) == match
        True
        """
        if stored["rules"] != RULES_VERSION:
            raise ArenaError("load", f"was played by rules {stored['rules']}; these are rules {RULES_VERSION}")
        sprt = Sprt(**stored["sprt"]) if stored["sprt"] else None
        return cls.of(stored["players"], stored["games"], stored["seed"], stored["options"], sprt)

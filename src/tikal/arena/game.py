"""One game of a match: asks the bots, plays their answers, and records the outcome.

A bot gets the view of its seat and a seed, and answers with actions. A bot that raises an error, answers with an
illegal action or tries to play for another seat loses the game; the others share the win.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Any, Protocol

from tikal import bots
from tikal.arena.match import Match
from tikal.arena.outcome import Fault, Outcome, forfeit
from tikal.arena.schedule import Fixture, bot_stream, deal_seed
from tikal.bots.skill import places
from tikal.play import Game, IllegalAction
from tikal.play.chance import Stream
from tikal.play.scores import balance, course, scorings
from tikal.rules.errors import TikalError

SEEDS = 2**31
LONGEST_TEXT = 200


class Watch(Protocol):
    """Learns which bot is thinking, so that another process can find out which bot hangs."""

    def thinks(self, entry: int | None) -> None:
        """An entry starts to think; None means that it has answered."""


class Unwatched:
    """A watch that ignores what it is told."""

    def thinks(self, entry: int | None) -> None:
        """See `Watch`."""


class Forfeit(Exception):
    """Ends a game because a bot is at fault."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.text)
        self.fault = fault


@dataclass(slots=True)
class SeatedBot:
    """A bot at the table: its entry, its seeds, and the time it has spent."""

    entry: int
    spec: str
    seeds: Stream
    watch: Watch
    bot: Any = None
    turn: float = 0.0
    turn_ms: list[float] = field(default_factory=list)
    bid_ms: list[float] = field(default_factory=list)

    @contextmanager
    def thinking(self) -> Iterator[None]:
        """Blame this bot for every error raised in the `with` block."""
        self.watch.thinks(self.entry)
        try:
            yield
        except TikalError as error:
            kind = error.code if error.code == "timeout" else "crash"
            raise Forfeit(Fault(self.entry, kind, _line(str(error)))) from error
        except (Exception, SystemExit) as error:
            raise Forfeit(Fault(self.entry, "crash", _line(f"{type(error).__name__}: {error}"))) from error
        finally:
            self.watch.thinks(None)

    def open(self) -> None:
        """Make the bot. Each game gets fresh bots, so that no game depends on earlier ones."""
        with self.thinking():
            self.bot = bots.make(self.spec)

    def close(self) -> None:
        """Close the bot; errors no longer matter, because the game is over."""
        if self.bot is not None:
            with suppress(Forfeit), self.thinking():
                self.bot.close()

    def plan(self, game: Game, seat: int) -> list[str]:
        """Ask for actions, and measure the time."""
        view, seed, bids = game.view(seat), self.seeds.below(SEEDS), game.phase in ("bid", "leap")
        start = perf_counter()
        with self.thinking():
            answer = self.bot.plan(view, seed)
        spent = 1000 * (perf_counter() - start)
        if bids:
            self.bid_ms.append(round(spent, 3))
        else:
            self.turn += spent
        return self._checked(answer)

    def _checked(self, answer: object) -> list[str]:
        if not isinstance(answer, list | tuple) or not all(isinstance(action, str) for action in answer):
            raise self.illegal(f"answered {answer!r}, which is not a list of actions")
        if not answer:
            raise self.illegal("the bot gave no answer")
        return list(answer)

    def illegal(self, text: str) -> Forfeit:
        """The fault for an answer that can't be played."""
        return Forfeit(Fault(self.entry, "illegal", _line(text)))

    def end_turn(self) -> None:
        """End the timing of a turn: a budget of AP, with the tile taken and placed before it."""
        self.turn_ms.append(round(self.turn, 3))
        self.turn = 0.0


def _line(text: str) -> str:
    """The text in one line, shortened if it is long."""
    return " ".join(text.split())[:LONGEST_TEXT]


def play_game(match: Match, fixture: Fixture, watch: Watch | None = None) -> tuple[Outcome, str]:
    """Play one game of a match; returns its outcome and its record.

    >>> outcome, record = play_game(Match.of(["tourist", "tourist"]), Fixture(deal=0, rotation=1))
    >>> sum(outcome.shares), record.splitlines()[0]
    (1.0, '[Game "Tikal"]')
    """
    players = len(match.players)
    game = Game.new(match.options, seed=deal_seed(match.seed, fixture.deal))
    seated = [
        SeatedBot(entry, spec, bot_stream(match.seed, fixture, entry), watch or Unwatched())
        for entry, spec in enumerate(match.players)
    ]
    by_seat = [seated[fixture.entry_at(seat, players)] for seat in range(1, players + 1)]
    outcome = None
    try:
        for one in by_seat:
            one.open()
        while game.seat is not None:
            _ask(game, by_seat[game.seat - 1], game.seat)
    except Forfeit as end:
        outcome = forfeit(fixture, players, end.fault)
    finally:
        for one in by_seat:
            one.close()
    outcome = outcome or _finished(game, fixture)
    times = replace(outcome, turn_ms=[one.turn_ms for one in seated], bid_ms=[one.bid_ms for one in seated])
    return times, record_text(game, match, fixture, outcome.fault)


def _ask(game: Game, one: SeatedBot, seat: int) -> None:
    """Ask a bot, and play its answer."""
    for action in one.plan(game, seat):
        if game.seat != seat:
            raise one.illegal(f"{action}: the bot kept playing after its turn had ended")
        budget = game.phase == "act"
        try:
            game.play(action)
        except IllegalAction as error:
            raise one.illegal(str(error)) from error
        except TikalError as error:
            raise one.illegal(f"{action}: {error}") from error
        if budget and game.history[-1].parsed.kind == "end":
            one.end_turn()


def _finished(game: Game, fixture: Fixture) -> Outcome:
    """The outcome of a game that ended normally."""
    players = game.options.players
    status = game.status()
    winners = [seat - 1 for seat in status["winners"]]
    ranks = places(status["scores"], winners)
    points, curves, scored = balance(game), course(game), scorings(game)
    rounds = [[row.total for row in scored if row.seat == seat] for seat in range(1, players + 1)]
    seats = [fixture.seat_of(entry, players) - 1 for entry in range(players)]
    return Outcome(
        fixture.deal,
        fixture.rotation,
        shares=[1 / len(winners) if seat in winners else 0.0 for seat in seats],
        places=[ranks[seat] for seat in seats],
        scores=[status["scores"][seat] for seat in seats],
        temples=[points[seat].temples for seat in seats],
        treasures=[points[seat].treasures for seat in seats],
        bids=[points[seat].bids for seat in seats],
        rounds=[rounds[seat] for seat in seats],
        course=[curves[seat] for seat in seats],
    )


def record_text(game: Game, match: Match, fixture: Fixture, fault: Fault | None) -> str:
    """The record of a game with its seed; a fault appears in it as a comment."""
    names = _names(match.players, fixture)
    text = game.record(names, reveal=True)
    return f"{text}# {match.players[fault.entry]} lost by a fault ({fault.kind}): {fault.text}\n" if fault else text


def _names(players: Sequence[str], fixture: Fixture) -> list[str]:
    return [players[fixture.entry_at(seat, len(players))] for seat in range(1, len(players) + 1)]

"""`run_match`: plays a match, writes a journal and records on request, and reports."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from tikal import bots
from tikal.arena.errors import ArenaError
from tikal.arena.game import play_game
from tikal.arena.journal import Journal, read_journal
from tikal.arena.match import Match
from tikal.arena.outcome import Outcome
from tikal.arena.report import Report, side_share, summarise
from tikal.arena.schedule import Fixture
from tikal.arena.sprt import Sprt, Verdict

MOST_WORKERS = 256
LIMIT = 120.0

Listener = Callable[[Outcome, Verdict | None], None]


def run_match(
    players: Sequence[str],
    games: int = 100,
    seed: str = "1",
    *,
    options: Mapping[str, Any] | None = None,
    sprt: Sprt | None = None,
    workers: int = 0,
    limit: float = LIMIT,
    journal: Path | None = None,
    records: Path | None = None,
    listener: Listener | None = None,
) -> Report:
    """Play a match of bots and report.

    `workers` is the number of worker processes; with 0 this process plays, and nothing stops a bot that hangs. A bot
    may think `limit` seconds about one answer. With a `journal`, every game is on disk as soon as it ends, and
    `resume_match` plays the missing ones. `records` is a folder for a `.tikal` file per game. `listener` receives
    each outcome.

    >>> report = run_match(["tourist", "tourist"], games=2, seed="7")
    >>> report.games, sum(player.wins for player in report.players)
    (2, 2.0)
    """
    match = Match.of(players, games, seed, options, sprt)
    check_players(match)
    return play_match(match, {}, workers=workers, limit=limit, journal=journal, records=records, listener=listener)


def resume_match(
    journal: Path,
    games: int | None = None,
    *,
    workers: int = 0,
    limit: float = LIMIT,
    records: Path | None = None,
    listener: Listener | None = None,
) -> Report:
    """Resume the match of a journal: plays exactly its missing games. A larger `games` extends the match."""
    match, done = read_journal(journal)
    if games is not None:
        match = match.with_games(games)
    check_players(match)
    return play_match(match, done, workers=workers, limit=limit, journal=journal, records=records, listener=listener)


def check_players(match: Match) -> None:
    """Make each bot once, so that an invalid spec is refused before the first game."""
    for spec in dict.fromkeys(match.players):
        bots.make(spec).close()


def play_match(
    match: Match,
    done: Mapping[Fixture, Outcome],
    *,
    workers: int,
    limit: float,
    journal: Path | None = None,
    records: Path | None = None,
    listener: Listener | None = None,
) -> Report:
    """Play the missing games of a match and report on all. Ctrl-C stops the match and keeps finished games."""
    if not 0 <= workers <= MOST_WORKERS:
        raise ArenaError("usage", f"workers {workers}: must be 0 (this process) to {MOST_WORKERS}")
    if not limit > 0:
        raise ArenaError("usage", f"limit {limit:g}: must be more than 0 seconds")
    keeper = Keeper(match, done)
    interrupted = False
    with ExitStack() as stack:
        if journal is not None:
            keeper.journal = Journal.resume(journal, match, done.values()) if done else Journal.create(journal, match)
            stack.callback(keeper.journal.close)
        keeper.records = _folder(records)
        try:
            for outcome, record in _games(stack, match, keeper.missing(), workers, limit):
                verdict = keeper.take(outcome, record)
                if listener is not None:
                    listener(outcome, verdict)
                if verdict is not None and verdict.accepted:
                    break
        except KeyboardInterrupt:
            interrupted = True
    return summarise(match, keeper.outcomes.values(), keeper.verdict, interrupted)


def _games(
    stack: ExitStack, match: Match, fixtures: Iterable[Fixture], workers: int, limit: float
) -> Iterator[tuple[Outcome, str]]:
    if not workers:
        return (play_game(match, fixture) for fixture in fixtures)
    from tikal.arena.pool import Pool

    return stack.enter_context(Pool(match, workers, limit)).play(fixtures)


def _folder(path: Path | None) -> Path | None:
    if path is not None:
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ArenaError("file", f"{path}: can't be created as the folder for records: {error.strerror}") from None
    return path


class Keeper:
    """Stores finished games and feeds the sequential test, deal by deal.

    The test receives deals in the order of the schedule, not in the order in which they end, so its decision does not
    depend on the number of workers.
    """

    def __init__(self, match: Match, done: Mapping[Fixture, Outcome]) -> None:
        self.match = match
        self.outcomes = {fixture: outcome for fixture, outcome in done.items() if fixture.deal < match.deals}
        self.journal: Journal | None = None
        self.records: Path | None = None
        self._test = match.sprt.start(len(match.side), len(match.players)) if match.sprt else None
        self._ask_test()

    @property
    def verdict(self) -> Verdict | None:
        """The state of the sequential test, if there is one."""
        return self._test.verdict if self._test else None

    def missing(self) -> Iterator[Fixture]:
        """The games still to play; none once the test is decided."""
        if self.verdict is not None and self.verdict.accepted:
            return iter(())
        return (fixture for fixture in self.match.fixtures() if fixture not in self.outcomes)

    def take(self, outcome: Outcome, record: str) -> Verdict | None:
        """Store a finished game: the record first, because a game in the journal is never played again."""
        if self.records is not None:
            write_whole(self.records / record_name(outcome.fixture), record)
        if self.journal is not None:
            self.journal.add(outcome)
        self.outcomes[outcome.fixture] = outcome
        self._ask_test()
        return self.verdict

    def _ask_test(self) -> None:
        while self._test is not None and not self._test.verdict.accepted:
            number = self._test.verdict.deals
            games = [Fixture(number, rotation) for rotation in range(len(self.match.players))]
            if not all(fixture in self.outcomes for fixture in games):
                return
            self._test.add(side_share([self.outcomes[fixture] for fixture in games], self.match.side))


def record_name(fixture: Fixture) -> str:
    """The name of a game's record: deals and rotations count from 1 for people.

    >>> record_name(Fixture(deal=41, rotation=0))
    'deal-00042-rotation-1.tikal'
    """
    return f"deal-{fixture.deal + 1:05}-rotation-{fixture.rotation + 1}.tikal"


def write_whole(path: Path, text: str) -> None:
    """Write a file atomically: it exists completely or not at all."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        beside.write_text(text, "utf-8", newline="\n")
        beside.replace(path)
    except OSError as error:
        raise ArenaError("file", f"{path}: can't be written: {error.strerror}") from None

"""Progress of a running match on standard error: a bar with the time left, and a table of results.

If standard error is not a terminal, a plain line appears after each tenth of the games instead.
"""

from __future__ import annotations

from collections.abc import Iterable
from types import TracebackType
from typing import Self

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from tikal.arena.match import Match
from tikal.arena.outcome import Outcome
from tikal.arena.report import whole_deals
from tikal.arena.specs import short
from tikal.arena.sprt import Verdict
from tikal.arena.stats import proportion
from tikal.arena.tables import COLOURS, fault_line, wins_text

PARTS = 10  # plain lines in all


class Display:
    """Shows a match; use it in a `with` statement and pass `Display.take` as the listener."""

    def __init__(self, match: Match, done: Iterable[Outcome], console: Console) -> None:
        self._match = match
        self._console = console
        self._outcomes = list(done)
        self._verdict: Verdict | None = None
        self._bar = Progress(
            TextColumn("[bold]games"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(elapsed_when_finished=False),
            console=console,
        )
        self._task = self._bar.add_task("games", total=match.games, completed=len(self._outcomes))
        self._live = Live(get_renderable=self._body, console=console, refresh_per_second=4, transient=True)

    def __enter__(self) -> Self:
        if self._console.is_terminal:
            self._live.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._console.is_terminal:
            self._live.stop()

    def take(self, outcome: Outcome, verdict: Verdict | None) -> None:
        """Show the result of a finished game."""
        before = self._tenths()
        self._outcomes.append(outcome)
        self._verdict = verdict
        self._bar.update(self._task, completed=len(self._outcomes))
        if outcome.fault:
            self._console.print(Text(fault_line(self._match.players, outcome), style="red"))
        if not self._console.is_terminal and before < self._tenths():
            self._console.print(self._line())

    def _tenths(self) -> int:
        return len(self._outcomes) * PARTS // self._match.games

    def _line(self) -> str:
        left = self._bar.tasks[0].time_remaining
        wins = ", ".join(
            f"{spec} {wins_text(sum(outcome.shares[entry] for outcome in self._outcomes))}"
            for entry, spec in enumerate(self._match.players)
        )
        wait = f", about {left:.0f} s left" if left else ""
        return f"{len(self._outcomes)} of {self._match.games} games{wait}; wins: {wins}"

    def _body(self) -> RenderableType:
        lines: list[RenderableType] = [self._table(), self._bar]
        if self._verdict is not None:
            verdict = self._verdict
            lines.append(Text(f"sequential test: LLR {verdict.llr:.2f} ({verdict.lower:.2f}, {verdict.upper:.2f})"))
        return Group(*lines)

    def _table(self) -> Table:
        table = Table(box=None, pad_edge=False)
        for name in ("player", "wins", "win rate", "95 %", "mean score", "faults"):
            table.add_column(name, justify="left" if name == "player" else "right")
        outcomes = list(self._outcomes)  # drawn by a thread of its own
        deals = whole_deals(outcomes, len(self._match.players))
        ended = [outcome for outcome in outcomes if outcome.fault is None]
        for entry, spec in enumerate(self._match.players):
            rate = proportion([[outcome.shares[entry] for outcome in deal] for deal in deals])
            wins = sum(outcome.shares[entry] for outcome in outcomes)
            faults = sum(outcome.fault is not None and outcome.fault.entry == entry for outcome in outcomes)
            table.add_row(
                Text(f"{entry + 1} {short(spec, 30)}", style=COLOURS[entry]),
                wins_text(wins),
                f"{100 * wins / len(outcomes):.1f} %" if outcomes else "–",
                f"{100 * rate.low:.1f} … {100 * rate.high:.1f}" if rate else "–",
                f"{sum(outcome.scores[entry] for outcome in ended) / len(ended):.1f}" if ended else "–",
                str(faults),
            )
        return table

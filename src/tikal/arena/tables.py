"""The report of a match as tables for a terminal."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

from rich import box
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from tikal.arena.outcome import Outcome
from tikal.arena.report import PlayerReport, Report, elo_of
from tikal.arena.specs import short
from tikal.arena.stats import Estimate

PLAIN_WIDTH = 120  # width if the output is not a terminal
MOST_FAULTS = 10
LONGEST_NAME = 1000
COLOURS = ("cyan", "yellow", "magenta", "green")


def show(report: Report, console: Console) -> None:
    """Print the whole report."""
    console.print(Group(*_parts(report)))


def console_for(file: object, width: int | None = None) -> Console:
    """A console for a stream; if it is not a terminal, it is wide enough for the tables."""
    console = Console(file=file, highlight=False, width=width)  # type: ignore[arg-type]
    return console if console.is_terminal or width else console_for(file, PLAIN_WIDTH)


def _parts(report: Report) -> Iterator[RenderableType]:
    if not report.games:
        yield Text("No deal was played in all its rotations, so there is nothing to report.")
        return
    yield results(report)
    yield sources(report)
    yield rounds(report)
    if len(report.players) > 2:
        yield ahead(report)
    yield times(report)
    yield Text("\n" + _foot(report), style="dim")
    if report.match.sprt is not None:
        yield Text(sprt_line(report), style="bold")
    yield from _fault_lines(report)


def _table(title: str, *columns: str) -> Table:
    caption = f"\n{title}"
    table = Table(title=caption, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD,
                  show_edge=False, pad_edge=False)  # fmt: skip
    table.add_column("player", overflow="fold")
    for name in columns:
        table.add_column(name, justify="right")
    return table


def _name(entry: int, player: PlayerReport, longest: int = 24) -> Text:
    return Text(f"{entry + 1} {short(player.spec, longest)}", style=COLOURS[entry])


def results(report: Report) -> Table:
    """Wins and places."""
    players = len(report.players)
    ordinals = ("1st", "2nd", "3rd", "4th")[:players]
    table = _table("Results, here and below with 95 % intervals", "wins", "win rate", "Elo", *ordinals, "faults")
    for entry, player in enumerate(report.players):
        points = elo_of(player.win_rate, players)
        table.add_row(
            _name(entry, player),
            f"{wins_text(player.wins)} of {player.games}",
            _range(player.win_rate, lambda rate: f"{100 * rate:.1f}", " %"),
            _range(points, _signed),
            *(str(count) for count in player.places),
            str(sum(player.faults.values())),
        )
    return table


def wins_text(wins: float) -> str:
    """Wins, with decimals only if some were shared.

    >>> wins_text(1203.0), wins_text(7.5), wins_text(2 + 1 / 3)
    ('1203', '7.5', '2.33')
    """
    return f"{wins:.2f}".rstrip("0").rstrip(".")


def _range(estimate: Estimate | None, formatted: Callable[[float], str], unit: str = "") -> str:
    if estimate is None:
        return "–"
    return f"{formatted(estimate.value)}{unit} ({formatted(estimate.low)} … {formatted(estimate.high)})"


def _signed(value: float) -> str:
    if not math.isfinite(value):
        return "+∞" if value > 0 else "-∞"
    return f"{round(value):+d}" if round(value) else "0"


def _mean(estimate: Estimate | None) -> str:
    if estimate is None:
        return "–"
    return f"{estimate.value:.1f} ± {estimate.half:.1f}" if math.isfinite(estimate.half) else f"{estimate.value:.1f}"


def sources(report: Report) -> Table:
    """Mean scores by source."""
    auction = report.match.options.auction
    names = ["score", "temples", "treasures", *(["bids paid"] if auction else [])]
    table = _table("Mean scores by source", *names)
    for entry, player in enumerate(report.players):
        paid = [_mean(player.bids)] if auction else []
        table.add_row(_name(entry, player), _mean(player.score), _mean(player.temples), _mean(player.treasures), *paid)
    return table


def rounds(report: Report) -> Table:
    """Mean points by scoring round."""
    names = [f"round {number + 1}" for number in range(max(len(player.rounds) for player in report.players))]
    if names and not report.match.options.sudden_death:
        names[-1] = "final"
    table = _table("Mean points by scoring round", *names)
    for entry, player in enumerate(report.players):
        table.add_row(_name(entry, player), *(_mean(estimate) for estimate in player.rounds))
    return table


def ahead(report: Report) -> Table:
    """How often each player finished ahead of each other."""
    columns = [f"player {entry + 1}" for entry in range(len(report.players))]
    table = _table("How often each finished ahead of another (ties count half)", *columns)
    for entry, player in enumerate(report.players):
        cells = [_range(part, lambda rate: f"{100 * rate:.1f}", " %") if part else "" for part in player.ahead]
        table.add_row(_name(entry, player), *cells)
    return table


def times(report: Report) -> Table:
    """Ratings and thinking times; here all names are complete."""
    bids = any(player.ms_per_bid is not None for player in report.players)
    columns = ["rating", "median", "p95", "turns", *(["median of a bid"] if bids else [])]
    table = _table("Ratings, and thinking time per turn", *columns)
    for entry, player in enumerate(report.players):
        spent = [_ms(player.ms_per_turn), _ms(player.ms_per_turn_p95), str(player.turns)]
        row = [
            _range(player.rating, lambda rating: f"{rating:.1f}"),
            *spent,
            *([_ms(player.ms_per_bid)] if bids else []),
        ]
        table.add_row(_name(entry, player, LONGEST_NAME), *row)
    return table


def _ms(value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value / 1000:.2f} s" if value >= 1000 else f"{value:.3g} ms" if value < 100 else f"{value:.0f} ms"


def _foot(report: Report) -> str:
    match = report.match
    options = " ".join(f"{name}={value}" for name, value in match.options.pairs().items())
    whole = "" if report.finished else f" of {match.games}"
    return (
        f"{report.games}{whole} games, each deal in all {len(match.players)} rotations of the seats; "
        f"seed {match.seed}; {match.options.edition}, {options}. "
        "Intervals are clustered by deal. Elo is against the rest of the table; ratings start at 25."
    )


def sprt_line(report: Report) -> str:
    """The verdict of the sequential test, in a sentence."""
    test, verdict = report.match.sprt, report.verdict
    assert test is not None and verdict is not None
    name = report.match.players[0]
    h0, h1 = (f"{100 * rate:.1f} %" for rate in test.rates(len(report.match.side), len(report.players)))
    decision = {
        "H1": f"{name} is better (H1, {h1} of the wins, is accepted against H0, {h0})",
        "H0": f"{name} is not better (H0, {h0} of the wins, is accepted against H1, {h1})",
        None: f"undecided between H0, {h0} of the wins for {name}, and H1, {h1}",
    }[verdict.accepted]
    numbers = f"LLR {verdict.llr:.2f} ({verdict.lower:.2f}, {verdict.upper:.2f})"
    return f"Sequential test after {verdict.deals} deals: {decision}; {numbers}."


def _fault_lines(report: Report) -> Iterator[Text]:
    faults = report.faults
    for outcome in faults[:MOST_FAULTS]:
        yield Text(fault_line(report.match.players, outcome), style="red")
    if len(faults) > MOST_FAULTS:
        yield Text(f"… and {len(faults) - MOST_FAULTS} more games ended by a fault.", style="red")


def fault_line(players: tuple[str, ...], outcome: Outcome) -> str:
    """A game that ended by a fault, in a sentence.

    >>> from tikal.arena.outcome import Fault, forfeit
    >>> from tikal.arena.schedule import Fixture
    >>> fault_line(("digger", "mine"), forfeit(Fixture(0, 1), 2, Fault(1, "crash", "ValueError: no")))
    'Deal 1, rotation 2: player 2 (mine) lost by a fault (crash): ValueError: no'
    """
    fault = outcome.fault
    assert fault is not None
    where = f"Deal {outcome.deal + 1}, rotation {outcome.rotation + 1}"
    return f"{where}: player {fault.entry + 1} ({players[fault.entry]}) lost by a fault ({fault.kind}): {fault.text}"

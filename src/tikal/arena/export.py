"""The report of a match as a file: JSON with everything, or CSV with a row per game and player."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tikal.arena.errors import ArenaError
from tikal.arena.outcome import Outcome
from tikal.arena.report import Report
from tikal.arena.run import write_whole
from tikal.arena.stats import quantile

FORMATS = (".json", ".csv")
COLUMNS = (
    "deal", "rotation", "seat", "player", "spec", "win", "place", "score", "temples", "treasures", "bids",
    "turns", "ms_per_turn", "fault", "fault_text",
)  # fmt: skip


def check_name(path: Path) -> Path:
    """The path itself, if its suffix names a known format.

    >>> check_name(Path("run.xml"))
    Traceback (most recent call last):
    tikal.arena.errors.ArenaError: run.xml: must end in .json or .csv
    """
    if path.suffix not in FORMATS:
        raise ArenaError("usage", f"{path}: must end in {' or '.join(FORMATS)}")
    return path


def write_report(report: Report, path: Path) -> None:
    """Write the report in the format that the file's suffix names."""
    write_whole(path, to_csv(report) if path.suffix == ".csv" else to_json(report))


def to_json(report: Report) -> str:
    """The report as `--json` prints it, with every game."""
    games = [_counted_from_1(outcome) for outcome in report.outcomes]
    rows = ",\n".join(f"  {json.dumps(game, ensure_ascii=False)}" for game in games)
    head = json.dumps(report.as_json(), ensure_ascii=False, indent=1)
    return f'{head[:-2]},\n "played": [\n{rows}\n ]\n}}\n'


def _counted_from_1(outcome: Outcome) -> dict[str, Any]:
    """A game with deals, rotations and entries counted from 1, as in records and tables."""
    row = outcome.as_json()
    row["deal"], row["rotation"] = outcome.deal + 1, outcome.rotation + 1
    if outcome.fault:
        row["fault"] = {**row["fault"], "entry": outcome.fault.entry + 1}
    return row


def to_csv(report: Report) -> str:
    """A row per game and player, with a heading."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for outcome in report.outcomes:
        writer.writerows(_rows(report, outcome))
    return text.getvalue()


def _rows(report: Report, outcome: Outcome) -> Iterator[list[object]]:
    players = len(report.players)
    for entry, player in enumerate(report.players):
        values = [
            row[entry] if row else "" for row in (outcome.scores, outcome.temples, outcome.treasures, outcome.bids)
        ]
        times = outcome.turn_ms[entry] if outcome.turn_ms else []
        own = outcome.fault if outcome.fault and outcome.fault.entry == entry else None
        yield [
            outcome.deal + 1,
            outcome.rotation + 1,
            outcome.fixture.seat_of(entry, players),
            entry + 1,
            player.spec,
            round(outcome.shares[entry], 6),
            outcome.places[entry],
            *values,
            len(times),
            round(quantile(times, 0.5), 3) if times else "",
            own.kind if own else "",
            own.text if own else "",
        ]

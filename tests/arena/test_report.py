"""Reports: what they count and what they say."""

from __future__ import annotations

import csv
import io
import json
import xml.etree.ElementTree as ET
from itertools import pairwise
from pathlib import Path

import pytest
from rich.console import Console

from tikal.arena import Match, Report, Sprt, run_match
from tikal.arena.export import to_csv, to_json
from tikal.arena.live import Display
from tikal.arena.outcome import Fault, Outcome, forfeit
from tikal.arena.plot import Scale, chart
from tikal.arena.report import summarise
from tikal.arena.schedule import Fixture
from tikal.arena.specs import short
from tikal.arena.tables import show


def outcome(deal: int, rotation: int, scores: list[int], ms: float = 1.0) -> Outcome:
    best = max(scores)
    return Outcome(
        deal,
        rotation,
        shares=[(score == best) / scores.count(best) for score in scores],
        places=[1 + sum(other > score for other in scores) for score in scores],
        scores=scores,
        temples=[score - 5 for score in scores],
        treasures=[5 for _ in scores],
        bids=[0 for _ in scores],
        rounds=[[score - 5, 5] for score in scores],
        course=[[0] * 36 + [score] for score in scores],
        turn_ms=[[ms, 2 * ms, 30 * ms] for _ in scores],
        bid_ms=[[] for _ in scores],
    )


def test_numbers_by_hand() -> None:
    match = Match.of(["a", "b"], 4)
    report = summarise(match, [outcome(0, 0, [50, 40]), outcome(0, 1, [60, 60]), outcome(1, 0, [30, 70]),
                               outcome(1, 1, [80, 70])])  # fmt: skip
    first, second = report.players
    assert (first.wins, second.wins) == (2.5, 1.5)
    assert first.win_rate is not None and first.win_rate.value == 0.625
    assert (first.places, second.places) == ([3, 1], [2, 2])
    assert first.place is not None and first.place.value == 1.25
    assert first.score is not None and first.score.value == 55
    assert first.temples is not None and first.temples.value == 50
    assert [estimate.value for estimate in first.rounds] == [50, 5]
    assert first.ahead[0] is None and first.ahead[1] is not None and first.ahead[1].value == 0.625
    assert (first.ms_per_turn, first.turns) == (2.0, 12)
    assert first.course[36] == 55
    assert report.finished


def test_only_whole_deals_are_counted() -> None:
    match = Match.of(["a", "b"], 6)
    report = summarise(match, [outcome(1, 1, [9, 8]), outcome(0, 0, [9, 8]), outcome(2, 0, [8, 9]),
                               outcome(1, 0, [9, 8])])  # fmt: skip
    assert (report.games, report.deals, report.finished) == (2, 1, False)
    assert report.players[0].wins == 2


def test_a_fault_counts_as_a_loss_but_not_for_scores() -> None:
    match = Match.of(["a", "b"], 4)
    lost = forfeit(Fixture(1, 0), 2, Fault(0, "timeout", "slept"))
    report = summarise(match, [outcome(0, 0, [9, 8]), outcome(0, 1, [7, 8]), lost, outcome(1, 1, [11, 8])])
    first, second = report.players
    assert (first.wins, first.games, second.wins) == (2, 4, 2)
    assert first.score is not None and first.score.value == 9
    assert first.faults == {"crash": 0, "illegal": 0, "timeout": 1}
    assert second.faults == {"crash": 0, "illegal": 0, "timeout": 0}
    assert report.as_json()["faults"] == [{"deal": 2, "rotation": 1, "player": 1, "kind": "timeout", "text": "slept"}]


def test_with_nothing_but_faults_there_are_no_scores() -> None:
    report = run_match(["crasher", "passive"], 2)
    written = report.as_json()["players"]
    assert [row["mean_score"] for row in written] == [None, None]
    assert [row["wins"] for row in written] == [0, 2]
    chart(report)
    show(report, Console(file=io.StringIO()))


def test_without_games_there_is_nothing_to_report() -> None:
    report = summarise(Match.of(["a", "b"]), [], interrupted=True)
    written = report.as_json()
    assert [(row["games"], row["win_rate"], row["ci95"]) for row in written["players"]] == [(0, None, [None, None])] * 2
    assert ET.fromstring(chart(report)) is not None
    out = io.StringIO()
    show(report, Console(file=out, width=100))
    assert "nothing to report" in out.getvalue()


@pytest.fixture(scope="module")
def report() -> Report:
    games = [outcome(n // 2, n % 2, [50 + n % 7, 48 + n % 5], ms=1 + n) for n in range(60)]
    games[5] = forfeit(Fixture(2, 1), 2, Fault(1, "crash", "ValueError: no"))
    match = Match.of(["surveyor:width=200", "program:engine --deep=7 & <more>"], 60, sprt=Sprt(0, 50))
    test = match.sprt.start(1, 2) if match.sprt else None
    assert test is not None
    verdict = next(v for v in (test.add((i % 3) / 2) for i in range(30)) if v.deals == 30)
    return summarise(match, games, verdict)


def test_csv_has_a_row_per_game_and_player(report: Report) -> None:
    rows = list(csv.DictReader(io.StringIO(to_csv(report))))
    assert len(rows) == 120
    assert rows[0] | {"win": float(rows[0]["win"])} == {
        "deal": "1", "rotation": "1", "seat": "1", "player": "1", "spec": "surveyor:width=200", "win": 1.0,
        "place": "1", "score": "50", "temples": "45", "treasures": "5", "bids": "0", "turns": "3",
        "ms_per_turn": "2.0", "fault": "", "fault_text": "",
    }  # fmt: skip
    assert [row["seat"] for row in rows[:4]] == ["1", "2", "2", "1"]
    assert (rows[11]["fault"], rows[11]["score"], rows[10]["win"]) == ("crash", "", "1.0")


def test_json_has_the_report_and_every_game(report: Report) -> None:
    written = json.loads(to_json(report))
    games = written.pop("played")
    assert written == json.loads(json.dumps(report.as_json()))
    assert len(games) == 60
    assert (games[0]["deal"], games[0]["rotation"], games[0]["scores"]) == (1, 1, [50, 48])
    assert games[5]["fault"] == {"entry": 2, "kind": "crash", "text": "ValueError: no"}


def test_tables_contain_the_report(report: Report) -> None:
    out = io.StringIO()
    show(report, Console(file=out, width=160))
    said = out.getvalue()
    rate = report.players[0].win_rate
    assert rate is not None
    for text in (
        "surveyor:width=200",
        f"{100 * rate.value:.1f} % ({100 * rate.low:.1f} … {100 * rate.high:.1f})",
        f"{report.players[0].places[0]}",
        "60 games, each deal in all 2 rotations of the seats; seed 1; super-meeple, players=2.",
        "Deal 3, rotation 2: player 2 (program:engine --deep=7 & <more>) lost by a fault (crash): ValueError: no",
        "Sequential test after 30 deals: undecided between H0, 50.0 % of the wins for surveyor:width=200, and",
    ):
        assert text in said


def test_only_some_faults_are_listed_one_by_one() -> None:
    report = run_match(["crasher", "passive"], 24)
    out = io.StringIO()
    show(report, Console(file=out, width=160))
    assert out.getvalue().count("lost by a fault (crash)") == 10
    assert "… and 14 more games ended by a fault." in out.getvalue()


def texts(svg: str) -> list[str]:
    return [node.text or "" for node in ET.fromstring(svg).iter() if node.tag.endswith("text")]


def test_the_chart_shows_every_panel_and_player(report: Report) -> None:
    said = texts(chart(report))
    for title in ("Win rate", "Score through the game", "Points by source", "How it settled", "Sequential test"):
        assert title in said
    rates = [player.win_rate for player in report.players]
    assert all(rate is not None and f"{100 * rate.value:.1f} %" in said for rate in rates)
    assert sum(text.startswith("1 survey") for text in said) == 4
    assert sum(text.startswith("2 progra") for text in said) == 4


def test_everything_in_the_chart_is_within_it(report: Report) -> None:
    root = ET.fromstring(chart(report))
    width, height = float(root.get("width", "0")), float(root.get("height", "0"))
    for node in root.iter():
        for name in ("x", "x1", "x2", "cx"):
            assert 0 <= float(node.get(name, "0")) <= width
        for name in ("y", "y1", "y2", "cy"):
            assert 0 <= float(node.get(name, "0")) <= height
        for pair in node.get("points", "").split():
            x, y = map(float, pair.split(","))
            assert 0 <= x <= width and 0 <= y <= height


def test_text_stays_within_its_panel(report: Report) -> None:
    panels = [(28, 508), (532, 1012)]
    for node in ET.fromstring(chart(report)).iter():
        if node.tag.endswith("text") and float(node.get("y", "0")) > 84:
            size = float(node.get("font-size", "12")) * (0.7 if node.get("font-weight") else 0.6)
            x, length = float(node.get("x", "0")), len(node.text or "") * size
            left = x - {"end": length, "middle": length / 2}.get(node.get("text-anchor", ""), 0)
            assert any(start <= left and left + length <= end for start, end in panels), node.text


def test_without_a_test_there_is_no_panel_for_it(tmp_path: Path) -> None:
    said = texts(chart(run_match(["wanderer", "passive"], 2)))
    assert "Sequential test" not in said and "Win rate" in said


@pytest.mark.parametrize("name", ["digger", "x" * 20, "professor:nodes=20000,seed=3", "program:a very long command"])
def test_names_are_cut_in_their_middle(name: str) -> None:
    cut = short(name, 20)
    assert len(cut) == min(20, len(name))
    assert cut[:8] == name[:8] and cut[-8:] == name[-8:] if len(name) > 20 else cut == name


@pytest.mark.parametrize(("low", "high"), [(0, 1), (-33, 61), (0, 117), (0, 0.004), (-3.4, 3.4), (0, 5000)])
def test_ticks_are_round_and_within(low: float, high: float) -> None:
    ticks = Scale(low, high, 0, 100).ticks()
    assert 3 <= len(ticks) <= 7
    assert all(low <= tick <= high for tick in ticks)
    steps = {round(b - a, 9) for a, b in pairwise(ticks)}
    assert len(steps) == 1
    assert f"{steps.pop():e}"[0] in "125"


@pytest.mark.parametrize("terminal", [True, False])
def test_progress_is_shown_as_games_end(terminal: bool) -> None:
    out = io.StringIO()
    console = Console(file=out, force_terminal=terminal, width=100)
    match = Match.of(["a", "b"], 20, sprt=Sprt(0, 50))
    done = [outcome(0, 0, [9, 8]), outcome(0, 1, [9, 8])]
    with Display(match, done, console) as display:
        for n in range(2, 20):
            display.take(outcome(n // 2, n % 2, [9, 8]), None)
        display.take(forfeit(Fixture(9, 1), 2, Fault(1, "crash", "ValueError: no")), None)
    said = out.getvalue()
    assert "Deal 10, rotation 2: player 2 (b) lost by a fault (crash): ValueError: no" in said
    if terminal:
        assert "win rate" in said and "/20" in said and "left" in said
    else:
        lines = [line for line in said.splitlines() if " of 20 games" in line]
        assert [line.split()[0] for line in lines] == ["4", "6", "8", "10", "12", "14", "16", "18", "20"]
        assert lines[-1].endswith("wins: a 20, b 0")

"""`tikal bench`: it measures and prints what it claims; the tests never check a speed."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from tests.kit.commands import Run
from tikal._compiled import mode
from tikal.cli import bench
from tikal.rules.codes import ACTING, NO_ROUND
from tikal.rules.errors import TikalError
from tikal.rules.options import VARIANTS, Options

ASKED_FOR = {
    "compiled",
    "playout_decisions_per_s",
    "auction_decisions_per_s",
    "games_per_s",
    "clone_ns",
    "pure_decisions_per_s",
}


@pytest.mark.slow
def test_json_is_one_line_with_every_figure(tikal: Run) -> None:
    answer = tikal("bench", "--json", "--seconds", "0.1")
    assert (answer.code, answer.err, answer.out.count("\n")) == (0, "", 1)
    told = json.loads(answer.out)
    assert set(told) >= ASKED_FOR
    assert told["compiled"] == (mode()[0] == "compiled")
    assert sorted(told["variants"]) == sorted(VARIANTS)
    figures = [value for value in {**told, **told["variants"]}.values() if type(value) in (int, float)]
    assert len(figures) >= len(ASKED_FOR) - 1 + len(VARIANTS)
    assert all(figure > 0 for figure in figures)


@pytest.mark.slow
def test_the_table_has_the_same_figures(tikal: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    answer = tikal("bench", "--seconds", "0.1")
    assert (answer.code, answer.err) == (0, "")
    for measure in bench.all_measures():
        assert measure.what in answer.out
    assert "whole games" in answer.out
    assert "uncompiled, random games" in answer.out


@pytest.mark.parametrize("seconds", ["0", "-1", "nan", "1e9"])
def test_seconds_must_make_sense(tikal: Run, seconds: str) -> None:
    answer = tikal("bench", f"--seconds={seconds}")
    assert answer.code == 2
    assert answer.complaint.endswith("must be more than 0, and 3600 at the most")


def test_every_measure_does_something() -> None:
    assert [measure.key for measure in bench.all_measures() if measure.run() <= 0] == []


def test_a_random_game_gives_its_decisions_and_the_next_is_another() -> None:
    play: Callable[[], int] = bench.random_games(Options(players=4))
    games = [play() for _ in range(bench.DEALS)]
    assert min(games) > 36 * 2  # each tile is placed and each turn ends, at least
    assert len(set(games)) > 1


def test_both_loops_play_whole_games() -> None:
    options = Options(players=4)
    assert bench.driven_games(options)() > 36 * 2
    assert bench.checked_games(options)() > 36 * 2


def test_the_middle_of_a_game_is_a_seat_s_turn() -> None:
    state = bench.middle(Options(players=4), 1)
    assert (state.phase, state.ap, state.round_kind) == (ACTING, 10, NO_ROUND)
    assert state.deck_next >= bench.HALFWAY


def test_measures_take_turns() -> None:
    turns: list[str] = []

    def noting(name: str) -> bench.Measure:
        def run() -> int:
            turns.append(name)
            return 1

        return bench.Measure(name, "", run)

    bench.measured([noting("a"), noting("b")], 0)
    assert turns == ["a", "b"] * bench.ROUNDS


def test_a_figure_is_the_median_of_its_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    rates = iter([9.0, 1.0, 2.0, 8.0, 3.0, 100.0, 4.0])
    monkeypatch.setattr(bench, "rate", lambda _run, _seconds: next(rates))
    assert bench.measured([bench.Measure("a", "", int)], 0) == {"a": 4.0}


def test_durations_are_printed_in_nanoseconds() -> None:
    assert bench.Measure("x", "", int, "ns").value(2e7) == 50
    assert bench.Measure("x", "", int, "µs").value(2e4) == 50
    assert bench.Measure("x", "", int).value(2e4) == 2e4


def test_a_failing_uncompiled_run_is_one_line_of_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "sys", type("Sys", (), {"executable": "false"}))
    with pytest.raises(TikalError, match="could not be measured: it said nothing"):
        bench.pure_rate(0.01)

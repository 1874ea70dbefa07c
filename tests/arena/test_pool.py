"""Workers: any number of them plays the same games; bots that hang, die or print do no harm."""

from __future__ import annotations

from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import pytest

from tests.arena.toys import die_at_once
from tests.kit.processes import ended
from tikal.arena import ArenaError, Match, Report, run_match
from tikal.arena.outcome import Fault, Outcome
from tikal.arena.pool import ATTEMPTS, Pool
from tikal.play import Game


def bare(report: Report) -> list[dict[str, object]]:
    return [outcome.without_times() for outcome in report.outcomes]


@pytest.mark.slow
def test_results_do_not_depend_on_the_number_of_workers(tmp_path: Path) -> None:
    reports = [
        run_match(["wanderer", "passive", "wanderer"], 6, "3", workers=workers, records=tmp_path / str(workers))
        for workers in (0, 1, 2)
    ]
    assert bare(reports[0]) == bare(reports[1]) == bare(reports[2])
    assert reports[0].games == 6
    records = [{path.name: path.read_bytes() for path in (tmp_path / name).iterdir()} for name in "012"]
    assert records[0] == records[1] == records[2]
    assert len(records[0]) == 6


def faults(report: Report) -> list[Fault | None]:
    return [outcome.fault for outcome in report.outcomes]


@pytest.mark.parametrize(
    ("bad", "text"),
    [("killed:at=9", "its process ended with exit code -9"), ("leaver:at=9", "its process ended")],
)
def test_a_bot_that_takes_its_process_down_loses_its_games_only(bad: str, text: str) -> None:
    report = run_match(["passive", bad, "wanderer"], 3, workers=2)
    assert faults(report) == [Fault(1, "crash", text)] * 3
    assert [player.wins for player in report.players] == [1.5, 0, 1.5]
    assert report.finished


def test_a_hanging_bot_is_killed_with_its_child_processes(toys: Path, tmp_path: Path) -> None:
    report = run_match(["hanger", "passive"], 2, workers=2, limit=1.0, records=tmp_path)
    assert faults(report) == [Fault(0, "timeout", "thought longer than 1 s")] * 2
    assert [player.wins for player in report.players] == [0, 2]
    programs = [int(path.name.split("-")[1]) for path in toys.glob("program-*")]
    assert len(programs) == 2
    assert all(ended(program) for program in programs)
    for record in tmp_path.iterdir():
        assert Game.from_record(record.read_text()).history == []
        assert "thought longer than 1 s" in record.read_text()


@pytest.mark.parametrize("workers", [1, 2])
def test_when_all_workers_are_gone_there_are_new_ones(workers: int) -> None:
    match = Match.of(["wanderer", "passive"], 6)
    with Pool(match, workers, 60) as pool:
        played: list[Outcome] = []
        for outcome, _record in pool.play(match.fixtures()):
            if not played:
                pool._pool._pool_manager.handle_broken_pool(BrokenProcessPool("as when all have died"))
            played.append(outcome)
    assert sorted(outcome.fixture for outcome in played) == list(match.fixtures())
    assert not any(outcome.fault for outcome in played)


def test_a_game_that_kills_its_workers_before_anybody_thinks_ends_the_match(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tikal.arena.pool._work", die_at_once)
    match = Match.of(["wanderer", "wanderer"], 2)
    with Pool(match, 1, 60) as pool, pytest.raises(ArenaError, match=f"its worker died {ATTEMPTS} times"):
        list(pool.play(match.fixtures()))


def test_output_of_bots_does_not_mix_with_the_results(capfd: pytest.CaptureFixture[str]) -> None:
    report = run_match(["talker", "passive"], 2, workers=1)
    printed = capfd.readouterr()
    assert report.games == 2
    assert printed.out == ""
    assert "I think, therefore I print" in printed.err and "and so do my libraries" in printed.err

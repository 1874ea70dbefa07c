"""The journal: complete after a crash, and refused if the file is something else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tikal.arena import ArenaError, Match, resume_match, run_match
from tikal.arena.journal import Journal, read_journal
from tikal.arena.outcome import Fault, forfeit
from tikal.arena.report import Report
from tikal.arena.schedule import Fixture


def bare(report: Report) -> list[dict[str, object]]:
    return [outcome.without_times() for outcome in report.outcomes]


def test_exactly_the_missing_games_are_played(tmp_path: Path) -> None:
    path = tmp_path / "run.journal"
    whole = run_match(["wanderer", "passive"], 8, "5", journal=path)
    lines = path.read_bytes().splitlines(keepends=True)
    assert len(lines) == 9
    # games 2, 5 and 6 are lost, and the last line was not written to its end
    path.write_bytes(b"".join([*lines[:2], *lines[3:5], *lines[7:8], lines[8][:40]]))
    played: list[Fixture] = []
    again = resume_match(path, listener=lambda outcome, _verdict: played.append(outcome.fixture))
    assert played == [Fixture(0, 1), Fixture(2, 0), Fixture(2, 1), Fixture(3, 1)]
    assert bare(again) == bare(whole)
    assert sorted(map(fixture_of, path.read_bytes().splitlines()[1:])) == sorted(map(fixture_of, lines[1:]))


def fixture_of(line: bytes) -> tuple[int, int]:
    row = json.loads(line)
    return row["deal"], row["rotation"]


def test_more_games_can_be_played_later(tmp_path: Path) -> None:
    path = tmp_path / "run.journal"
    run_match(["wanderer", "passive"], 4, "5", journal=path)
    more = resume_match(path, games=8)
    assert bare(more) == bare(run_match(["wanderer", "passive"], 8, "5"))
    assert read_journal(path)[0].games == 8


def test_every_game_is_on_disk_when_it_has_ended(tmp_path: Path) -> None:
    path = tmp_path / "run.journal"
    counts = []
    run_match(
        ["passive", "passive"], 6, journal=path, listener=lambda *_: counts.append(len(path.read_bytes().splitlines()))
    )
    assert counts == [2, 3, 4, 5, 6, 7]


def test_games_beyond_the_match_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "run.journal"
    run_match(["wanderer", "passive"], 8, "5", journal=path)
    assert resume_match(path, games=4).games == 4


HEAD = json.dumps({"arena": 1, **Match.of(["passive", "passive"], 2).as_json()})
GAME = json.dumps(forfeit(Fixture(0, 0), 2, Fault(0, "crash", "x")).as_json())
STRANGER = json.dumps(forfeit(Fixture(0, 0), 3, Fault(0, "crash", "x")).as_json())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is not the journal of a match (its first line is missing)"),
        (HEAD, "is not the journal of a match (its first line is missing)"),
        ("hello\n", "is not the journal of a match"),
        ("[]\n", "is not the journal of a match"),
        ("{}\n", "is not the journal of a match"),
        (HEAD.replace('"arena": 1', '"arena": 2') + "\n", "has format 2; this version reads 1"),
        (HEAD.replace('"rules": 1', '"rules": 77') + "\n", "was played by rules 77; these are rules 1"),
        (HEAD.replace("super-meeple", "homebrew") + "\n", "edition=homebrew: must be one of"),
        (f"{HEAD}\n{GAME}\nnoise\n{GAME}\n", "line 3 is not a game of this match"),
        (f"{HEAD}\n{GAME}\n{STRANGER}\n", "line 3 is not a game of this match"),
        (f"{HEAD}\n{{}}\n", "line 2 is not a game of this match"),
    ],
)
def test_other_files_are_refused_as_journals(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "run.journal"
    path.write_text(text)
    with pytest.raises(ArenaError) as caught:
        read_journal(path)
    assert str(caught.value).startswith(f"{path}: {message}")
    assert path.read_text() == text


def test_a_missing_journal_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ArenaError, match="there is no such journal, so nothing to resume"):
        read_journal(tmp_path / "none.journal")
    with pytest.raises(ArenaError, match="can't be read: Is a directory"):
        read_journal(tmp_path)


def test_a_journal_that_cant_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ArenaError, match="can't be written"):
        Journal.create(tmp_path / "file" / "run.journal", Match.of(["passive", "passive"]))

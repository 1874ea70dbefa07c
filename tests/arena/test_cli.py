"""`tikal arena`: its output, its files, its refusals, and resuming an interrupted match."""

from __future__ import annotations

import csv
import json
import signal
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from time import sleep
from typing import Any

import pytest

from tests.kit.processes import ended
from tikal.cli.main import main
from tikal.play.records import verify

START = "import sys; from tikal.cli.main import main; sys.exit(main())"


def arena(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    """Run in this process: code, standard output, standard error."""
    code = main(["arena", "--workers", "0", *words])
    printed = capsys.readouterr()
    return code, printed.out, printed.err


def last_json(text: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(text.splitlines()[-1])
    return found


def timeless(report: dict[str, Any]) -> dict[str, Any]:
    """A report without the values that differ between runs."""
    players = [{k: v for k, v in row.items() if not k.startswith("ms_")} for row in report["players"]]
    games = [{k: v for k, v in game.items() if not k.endswith("_ms")} for game in report.get("played", [])]
    return {**report, "players": players, "played": games, "interrupted": None}


def test_the_last_line_is_the_report_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = arena(capsys, "--players", "wanderer,passive,passive", "--games", "5", "--seed", "1", "--json")
    assert code == 0
    assert len(out.splitlines()) == 1
    report = last_json(out)
    players = report["players"]
    assert [row["spec"] for row in players] == ["wanderer", "passive", "passive"]
    assert [row["games"] for row in players] == [6, 6, 6]
    assert [row["wins"] for row in players] == [6, 0, 0]
    for row in players:
        assert row["win_rate"] == row["wins"] / row["games"]
        low, high = row["ci95"]
        assert 0 <= low <= row["win_rate"] <= high <= 1
        assert row["ms_per_turn"] > 0
    assert players[0]["mean_score"] > players[1]["mean_score"] == 0
    assert (report["games"], report["deals"], report["seed"], report["finished"]) == (6, 2, "1", True)
    assert "5 games are rounded up to 6: whole deals, every rotation of the seats" in err
    assert "6 of 6 games" in err and "Mean scores by source" in err


def test_shared_wins_count_their_part(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = arena(capsys, "--players", "passive,passive", "--games", "4", "--json")
    assert [row["wins"] for row in last_json(out)["players"]] == [2, 2]


def test_without_json_the_tables_are_the_output(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = arena(capsys, "--players", "wanderer,passive", "--games", "2")
    assert code == 0
    assert "2 of 2   100.0 %" in out and "thinking time per turn" in out
    assert "Results" not in err and "2 of 2 games" in err
    assert arena(capsys, "--players", "wanderer,passive", "--games", "2", "--quiet")[2] == ""


def test_options_in_every_way(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--players", "passive,passive", "--games", "2", "--json"]
    _, out, _ = arena(capsys, *words, "--options", "auction,boulders=2d6", "--option", "obstacles=true")
    report = last_json(out)
    assert report["options"] == {"players": "2", "auction": "true", "boulders": "2d6", "obstacles": "true"}
    assert report["players"][0]["bids"] == {"mean": 0.0, "ci95": [None, None]}
    _, out, _ = arena(capsys, *words, "--edition", "classic")
    assert last_json(out)["edition"] == "classic"


def test_players_one_by_one_are_not_taken_apart(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--player", "cheat:how=nothing,at=3", "--player", "passive", "--games", "2", "--json"]
    _, out, err = arena(capsys, *words)
    report = last_json(out)
    assert [row["spec"] for row in report["players"]] == ["cheat:how=nothing,at=3", "passive"]
    assert [row["faults"]["illegal"] for row in report["players"]] == [2, 0]
    assert err.count("lost by a fault (illegal): the bot gave no answer") == 4  # as it happens, and in the end


def test_files(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    words = ["--players", "wanderer,passive", "--games", "4", "--seed", "8", "--quiet", "--json"]
    out, records, plot = tmp_path / "new" / "run.json", tmp_path / "games", tmp_path / "pictures" / "run.svg"
    _, printed, _ = arena(capsys, *words, "--out", str(out), "--records", str(records), "--plot", str(plot))
    kept = json.loads(out.read_text())
    assert len(kept.pop("played")) == 4
    assert kept == last_json(printed)
    assert ET.parse(plot).getroot().tag.endswith("svg")
    names = [f"deal-0000{deal}-rotation-{rotation}.tikal" for deal in (1, 2) for rotation in (1, 2)]
    assert sorted(path.name for path in records.iterdir()) == names
    assert all(verify(path.read_text()).ok for path in records.iterdir())
    table = tmp_path / "run.csv"
    arena(capsys, *words, "--out", str(table))
    assert [row["win"] for row in csv.DictReader(table.read_text().splitlines())] == ["1.0", "0.0"] * 4


def test_a_finished_match_may_be_replaced_but_not_an_unfinished_one(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    out = tmp_path / "run.json"
    words = ["--players", "wanderer,passive", "--games", "4", "--quiet", "--out", str(out)]
    assert arena(capsys, *words)[0] == 0
    assert arena(capsys, *words)[0] == 0
    journal = tmp_path / "run.json.journal"
    journal.write_bytes(b"".join(journal.read_bytes().splitlines(keepends=True)[:3]))
    before = journal.read_bytes()
    code, _, err = arena(capsys, *words)
    assert code == 2
    assert err == (
        f"tikal: {journal}: has 2 of 4 games of a match that is not finished; go on with --resume {out}, or delete it\n"
    )
    assert journal.read_bytes() == before


def test_resume_needs_no_more_than_the_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = tmp_path / "run.json"
    words = ["--players", "wanderer,passive", "--games", "6", "--seed", "3", "--options", "auction"]
    arena(capsys, *words, "--out", str(out), "--quiet")
    whole = json.loads(out.read_text())
    journal = tmp_path / "run.json.journal"
    half = b"".join(journal.read_bytes().splitlines(keepends=True)[:4])
    for resume in (
        ["--resume", str(out)],
        ["--resume", str(journal)],
        [*words, "--out", str(out), "--resume", str(out)],
    ):
        journal.write_bytes(half)
        out.unlink()
        code, printed, err = arena(capsys, *resume, "--json")
        assert code == 0
        assert timeless(last_json(printed)) == {**timeless(whole), "played": []}
        assert timeless(json.loads(out.read_text())) == timeless(whole)
        assert err.splitlines()[0].startswith("4 of 6 games")
    code, printed, _ = arena(capsys, "--resume", str(out), "--games", "8", "--json")
    assert (code, last_json(printed)["games"]) == (0, 8)


def test_the_sequential_test_stops_when_it_is_decided(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    words = ["--players", "wanderer,passive", "--games", "300", "--sprt", "0,200", "--json"]
    code, out, err = arena(capsys, *words, "--out", str(tmp_path / "run.json"))
    report = last_json(out)
    assert code == 0
    assert report["sprt"]["accepted"] == "H1" and report["sprt"]["llr"] >= report["sprt"]["bounds"][1]
    assert report["deals"] == report["sprt"]["deals"] < 20
    assert report["finished"] and report["games_wanted"] == 300
    assert "wanderer is better (H1, 76.0 % of the wins, is accepted against H0, 50.0 %)" in " ".join(err.split())
    code, out, _ = arena(capsys, "--resume", str(tmp_path / "run.json"), "--json")
    assert (code, timeless(last_json(out))) == (0, timeless(report))
    code, out, err = arena(capsys, "--players", "passive,wanderer", "--games", "300", "--sprt", "50%,80%", "--json")
    assert (code, last_json(out)["sprt"]["accepted"]) == (1, "H0")
    code, out, err = arena(capsys, "--players", "wanderer,passive", "--games", "2", "--sprt", "0,5", "--json")
    assert (code, last_json(out)["sprt"]["accepted"]) == (1, None)
    assert "undecided" in err


BAD = [
    ([], "--players is missing, such as --players surveyor,digger"),
    (["--players", "passive"], "players: 1 given, must be 2 to 4"),
    (["--players", "passive,passive,passive,passive,passive"], "players: 5 given, must be 2 to 4"),
    (["--players", "passive,,passive"], "players passive,,passive: a name is missing beside a comma"),
    (["--players", "a=1,passive"], "players a=1,passive: a=1 is a parameter without a player before it"),
    (["--players", "passive,passive", "--player", "passive"], "--players and --player: give one or the other"),
    (["--players", "passive,archaeologist"], "archaeologist"),
    (["--players", "passive,passive", "--games", "0"], "games 0: must be 1 to 10000000"),
    (["--players", "passive,passive", "--seed", ""], "seed: 1 to 200 printable ASCII characters"),
    (["--players", "passive,passive", "--workers", "-1"], "workers -1: must be 0 (this process) to 256"),
    (["--players", "passive,passive", "--workers", "9999"], "workers 9999: must be 0 (this process) to 256"),
    (["--players", "passive,passive", "--limit", "0"], "limit 0: must be more than 0 seconds"),
    (["--players", "passive,passive", "--limit", "nan"], "limit nan: must be more than 0 seconds"),
    (["--players", "passive,passive", "--options", "auktion"], "auktion: no such option; there are"),
    (["--players", "passive,passive", "--options", "leaps"], "leaps needs auction=true"),
    (["--players", "passive,passive", "--option", "auction"], "--option auction: must be KEY=VALUE"),
    (["--players", "passive,passive", "--options", "auction", "--option", "auction=false"], "auction: given twice"),
    (["--players", "passive,passive", "--option", "players=3"], "option players: is as many as there are in --players"),
    (["--players", "passive,passive", "--out", "run.xml"], "run.xml: must end in .json or .csv"),
    (["--players", "passive,passive", "--plot", "run.png"], "run.png: must end in .svg"),
    (["--players", "passive,passive", "--sprt", "0,20"], "sprt: compares the first player with others"),
    (["--players", "passive,wanderer", "--sprt", "20"], "sprt 20: must be two numbers"),
    (["--players", "passive,wanderer", "--sprt-errors", "0.1,0.1"], "--sprt-errors goes with --sprt"),
    (["--resume", "nothing.json"], "nothing.json.journal: there is no such journal, so nothing to resume"),
    (["--resume", "a.json", "--out", "b.json"], "--out b.json: --resume continues a.json; omit --out"),
]


@pytest.mark.parametrize(("words", "message"), BAD, ids=[message for _, message in BAD])
def test_bad_input_gets_one_line_and_leaves_nothing(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    words: list[str],
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = arena(capsys, *words)
    assert (code, out, len(err.splitlines())) == (2, "", 1)
    assert err.startswith("tikal: ") and message in err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "name"),
    [
        (["--players", "passive,passive"], "--players"),
        (["--seed", "4"], "--seed"),
        (["--options", "auction"], "the game's options"),
    ],
)
def test_another_match_cant_be_resumed(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, words: list[str], name: str
) -> None:
    out = tmp_path / "run.json"
    arena(capsys, "--players", "wanderer,passive", "--games", "2", "--seed", "3", "--out", str(out), "--quiet")
    code, _, err = arena(capsys, "--resume", str(out), *words)
    assert code == 2
    assert err == f"tikal: {name}: differs from the match in {out}; leave it out to continue the match\n"


def test_folders_in_place_of_files(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    folder = tmp_path / "run.json"
    folder.mkdir()
    words = ["--players", "passive,passive", "--games", "2"]
    assert arena(capsys, *words, "--out", str(folder))[2] == f"tikal: {folder}: is a folder, not a file\n"
    file = tmp_path / "file"
    file.touch()
    assert f"{file}: can't be created as the folder for records" in arena(capsys, *words, "--records", str(file))[2]


# Interrupted runs


def started(tmp_path: Path, out: Path, *words: str) -> subprocess.Popen[str]:
    """A run with its own workers, which has noted at least three games, and both games of one deal.

    The last game of the journal does not count: it may be on disk a moment before the program has noted it.
    """
    command = [sys.executable, "-c", START, "arena", "--out", str(out), *words]
    run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path)
    journal = out.with_name(out.name + ".journal")
    noted: list[int] = []
    while len(noted) < 3 or len(noted) == len(set(noted)):
        assert run.poll() is None
        sleep(0.01)
        lines = journal.read_bytes().splitlines(keepends=True) if journal.exists() else []
        noted = [json.loads(line)["deal"] for line in lines[1:] if line.endswith(b"\n")][:-1]
    return run


WORDS = ("--players", "slow,wanderer", "--games", "8", "--seed", "6", "--json", "--workers", "2")


@pytest.mark.slow
@pytest.mark.usefixtures("interruptible")
def test_ctrl_c_keeps_what_is_done_and_resume_goes_on(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = tmp_path / "run.json"
    run = started(tmp_path, out, *WORDS)
    run.send_signal(signal.SIGINT)
    printed, err = run.communicate()
    assert run.returncode == 130
    assert f"to continue: tikal arena --resume {out}" in err
    assert "Traceback" not in err
    report = last_json(printed)
    assert report["interrupted"] and not report["finished"]
    kept = json.loads(out.read_text())
    assert len(kept["played"]) == report["games"] >= 2
    check_resumed(capsys, out)


@pytest.mark.slow
def test_a_killed_run_can_be_resumed_and_leaves_no_process(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, toys: Path
) -> None:
    out = tmp_path / "run.json"
    run = started(tmp_path, out, *WORDS)
    run.kill()
    run.communicate()
    workers = [int(path.name.split("-")[1]) for path in toys.glob("worker-*")]
    assert workers and all(ended(worker) for worker in workers)
    check_resumed(capsys, out)


def check_resumed(capsys: pytest.CaptureFixture[str], out: Path) -> None:
    """A resumed match is the same as one that was never interrupted."""
    journal = out.with_name(out.name + ".journal")
    before = journal.read_bytes().splitlines()[1:]
    code, printed, _ = arena(capsys, "--resume", str(out), "--json")
    assert code == 0
    assert set(journal.read_bytes().splitlines()[1:]) > set(filter(complete, before))
    code, whole, _ = arena(capsys, *WORDS[:-2])
    assert timeless(last_json(printed)) == timeless(last_json(whole))


def complete(line: bytes) -> bool:
    return line.endswith(b"}")

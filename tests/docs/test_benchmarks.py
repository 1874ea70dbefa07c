"""The benchmarks run, and calculate correctly; no test checks a speed."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from argparse import Namespace
from importlib.metadata import PackageNotFoundError
from itertools import pairwise
from pathlib import Path

import pytest

from benchmarks import bots, database, instructions, load, startup, versus_catanatron
from benchmarks.rounds import interleaved
from tikal.bots import LEVELS
from tikal.rules.options import VARIANTS

ROOT = Path(__file__).parents[2]


def run(module: str, *arguments: str) -> str:
    words = [sys.executable, "-m", f"benchmarks.{module}", *arguments]
    return subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize(
    "module", ["bots", "client", "database", "instructions", "load", "startup", "versus_catanatron"]
)
def test_help_says_how_to_run_it(module: str) -> None:
    assert f"-m benchmarks.{module}" in run(module, "--help")


def test_sides_take_turns_and_the_median_counts() -> None:
    calls: list[str] = []
    figures = iter([1.0, 50.0, 2.0, 70.0, 900.0, 60.0])

    def side(name: str) -> dict[str, float]:
        calls.append(name)
        return {"x": next(figures)}

    assert interleaved({"a": lambda: side("a"), "b": lambda: side("b")}, 3) == {"a": {"x": 2.0}, "b": {"x": 60.0}}
    assert calls == ["a", "b"] * 3


def test_the_cpu_of_a_process_includes_its_children() -> None:
    before = database.family_cpu(os.getpid())
    subprocess.run([sys.executable, "-c", "for n in range(10**6): pass"], check=True)
    assert database.family_cpu(os.getpid()) > before


@pytest.mark.slow
def test_startup_prints_every_figure() -> None:
    figures = json.loads(run("startup", "--rounds", "1", "--json"))
    assert set(figures["ms"]) > set(startup.BARS)
    assert figures["ms"]["bare interpreter"] > 0


def test_the_peer_is_locked_by_hash() -> None:
    lock = (ROOT / "benchmarks" / "requirements.txt").read_text("utf-8")
    assert f"{versus_catanatron.PEER}=={versus_catanatron.WANTED} " in lock
    packages = re.sub(r" *\\\n *", " ", lock).splitlines()
    assert all(re.fullmatch(r"[a-z]+==[\d.]+( --hash=sha256:[0-9a-f]{64})+", line) for line in packages)


def test_without_the_peer_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def version(_: str) -> str:
        raise PackageNotFoundError

    monkeypatch.setattr(versus_catanatron, "version", version)
    with pytest.raises(SystemExit, match=r"3\.2\.1 is needed, and is not installed: .*benchmarks/requirements"):
        versus_catanatron._check_peer()


def test_another_version_of_the_peer_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(versus_catanatron, "version", lambda _: "3.3.0")
    with pytest.raises(SystemExit, match=r"3\.2\.1 is needed, not 3\.3\.0"):
        versus_catanatron._check_peer()


def test_ratios_compare_like_with_like() -> None:
    ours = {"basic": 900.0, "auction": 600.0, "basic, set up too": 90.0, "auction, set up too": 60.0}
    times = versus_catanatron.ratios(ours | {"basic, from Python": 30.0}, {"games": 3.0, "played only": 6.0})
    assert times == {
        "basic: games": 300.0,
        "basic: played only": 150.0,
        "basic: set up too": 30.0,
        "auction: games": 200.0,
        "auction: played only": 100.0,
        "auction: set up too": 20.0,
        "basic: from Python": 10.0,
    }


def test_our_side_measures_the_compared_figures() -> None:
    ours = versus_catanatron.tikal_side(0.0)()
    assert all(figure > 0 for figure in ours.values())
    assert versus_catanatron.ratios(ours, {"games": 1.0, "played only": 1.0})["basic: games"] == ours["basic"]


def test_trees_that_play_other_games_are_not_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    def run(tree: Path, times: dict[str, int], *_: str) -> subprocess.CompletedProcess[str]:
        done = {kind: [count + (tree.name == "after" and kind == "perft"), 1.0] for kind, count in times.items()}
        return subprocess.CompletedProcess([], 0, json.dumps(done), "")

    monkeypatch.setattr(instructions, "run", run)
    with pytest.raises(SystemExit, match="perft: not the same games"):
        instructions.same_games({"before": Path("before"), "after": Path("after")})
    instructions.same_games({"before": Path("before"), "again": Path("again")})


def test_instructions_are_those_of_one_game_more(monkeypatch: pytest.MonkeyPatch) -> None:
    price = {"basic": 300, "auction": 200, "perft": 1000, "clone": 7}

    def run(_tree: Path, times: dict[str, int], *_: str) -> subprocess.CompletedProcess[str]:
        total = 10_000 + sum(price[kind] * count for kind, count in times.items())
        return subprocess.CompletedProcess([], 0, "", f"==1== Collected : {total}\n")

    monkeypatch.setattr(instructions, "run", run)
    assert instructions.instructions(Path("any")) == price


def test_an_unknown_revision_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="no-such-revision: "):
        instructions.checked_out("no-such-revision", tmp_path)


@pytest.mark.slow
def test_the_load_tool_runs_and_prints_every_figure() -> None:
    # with fewer tables at saturation, a fast machine would exceed the limit of messages for each person
    small = ["--tables", "2", "--sockets", "6", "--saturation-tables", "12", "--stored", "3", "--kept", "2"]
    figures = json.loads(run("load", "--json", "--seconds", "1", "--stored-actions", "5", "--restarts", "1", *small))
    assert set(figures) > set(load.BARS)
    assert figures["steady"]["actions"] > 0 < figures["saturation"]["actions"]
    assert [figures[part]["first_error"] for part in ("steady", "saturation")] == [None, None]
    assert [figures[part]["errors"] for part in ("steady", "saturation")] == [0, 0]
    assert figures["stored"]["open_ms"] > 0 < figures["stored"]["restart_s"]


def test_the_offer_of_an_update_is_found_without_parsing_everything() -> None:
    update = (
        b'{"type":"update","table":"t","seq":17,"events":[{"action":"."}],"view":{"seq":3},'
        b'"offer":{"seat":1,"actions":[{"action":"+W@a1","cost":1},{"action":".","cost":0}],"walks":[{"actions":["x"]}]}}'
    )
    assert load.offered(update) == ["+W@a1", "."]
    assert load.number_after(update, b'"seq":') == 17


def test_the_bots_meet_the_release_everywhere_and_each_level_the_one_below() -> None:
    listed = run("bots", "--list")
    matches = [line.split(maxsplit=1)[1] for line in listed.splitlines()]
    assert len(matches) == len(set(matches)) == len(list(bots.bars()))
    for variant in VARIANTS:
        assert any(match.partition("professor v 0.1.0 professor, ")[2].endswith(variant) for match in matches)
    for below, level in pairwise(LEVELS):
        assert f"{level} v {below}" in matches


@pytest.mark.parametrize(("old_time", "time"), [(None, 70), (120, 120)])
def test_both_sides_of_a_match_get_the_same_time_unless_the_old_one_gets_its_own(
    old_time: int | None, time: int, tmp_path: Path
) -> None:
    bar = next(bar for bar in bots.bars() if bar.key == "professor-auction-4")
    words = bots.command(bar, Path("old folder/tikal"), asked(tmp_path, old_time=old_time))
    players = [words[at + 1] for at, word in enumerate(words) if word == "--player"]
    assert players[0] == "professor:time=70"
    assert len(players) == 4
    for player in players[1:]:
        assert player.startswith(f"program:level=professor time={time} ")
        assert player.endswith("bots_release.py 'old folder/tikal' engine")
    assert "--options auction" in " ".join(words)


def test_the_speed_of_the_beam_is_measured_in_positions_a_second() -> None:
    assert bots.speed(1, games=1) > 0


def asked(out: Path, *, resume: bool = False, old_time: int | None = None) -> Namespace:
    return Namespace(games=2, seed="5", time=70, old_time=old_time, workers=0, out=out, resume=resume)


def test_a_match_of_bots_is_played_reported_and_resumed(tmp_path: Path) -> None:
    bar = bots.Bar("tourists", ("tourist", "tourist:nodes=5"), 0.7, 0.85)
    row = bots.play(bar, Path("tikal"), asked(tmp_path))
    assert (row["games"], row["faults"]) == (2, 0)
    assert row["command"].startswith("tikal arena --player tourist --player tourist:nodes=5 ")
    said = "\n".join(bots.lines(row))
    assert f"tourist v tourist:nodes=5: {100 * row['won']:.1f} % (" in said
    assert "wanted: 70 to 85 %: NOT reached" in said
    with pytest.raises(SystemExit, match="add --resume"):
        bots.play(bar, Path("tikal"), asked(tmp_path))
    again = bots.play(bar, Path("tikal"), asked(tmp_path, resume=True))
    assert {**row, "command": ""} == {**again, "command": ""}


def test_an_unknown_bar_is_refused() -> None:
    words = [sys.executable, "-m", "benchmarks.bots", "--only", "chess"]
    answer = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert answer.returncode == 1
    assert answer.stderr.startswith("chess: no such bar; there are professor, ")

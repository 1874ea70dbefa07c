"""Records: replay, verify, picture and perft, and files that are none."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from tests.kit.commands import Run, random_game
from tikal.cli.replay import Show
from tikal.cli.say import treasure_name
from tikal.play import Game


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """A whole game of three, on disk."""
    path = tmp_path / "game.tikal"
    path.write_text(random_game("players=3", seed=11).record(["Ann", "Bob", "Cleo"]))
    return path


def places(out: str) -> list[int]:
    """Where a replay stopped."""
    return [int(number) for number in re.findall(r"^action (\d+) of", out, re.MULTILINE)]


def test_stepping(tikal: Run, record: Path) -> None:
    last = len(Game.from_record(record.read_text()).history)
    answer = tikal("replay", record, stdin="n\n\np\nlast\nn\nfirst\np\n12\nq\nn\n")
    assert (answer.code, answer.err) == (0, "")
    assert places(answer.out) == [0, 1, 2, 1, last, last, 0, 0, 12]


def test_the_end_of_the_input_is_the_end(tikal: Run, record: Path) -> None:
    assert places(tikal("replay", record, "--at", "5", stdin="n").out) == [5, 6]


def test_each_step_is_described_in_words_with_the_scores(tikal: Run, record: Path) -> None:
    game = Game.from_record(record.read_text())
    at = next(i for i, step in enumerate(game.history, start=1) if step.action.startswith("D@"))
    answer = tikal("replay", record, "--at", str(at), "--no-input")
    step = game.history[at - 1]
    assert f"dig up a treasure at {step.action[2:]}: {treasure_name(step.revealed or 0)} [{step.text}]" in answer.out
    game.undo(len(game.history) - at)
    for name, score in zip(("Ann", "Bob", "Cleo"), game.status()["scores"], strict=True):
        assert re.search(rf"{name} +{score} ", answer.out)


def test_points_are_printed(tikal: Run, record: Path) -> None:
    assert re.search(r"^\d \w+ scores \d+: now \d+$", tikal("replay", record, stdin="last\n").out, re.MULTILINE)


def test_one_seat_only(tikal: Run, record: Path) -> None:
    history = Game.from_record(record.read_text()).history
    own = [i for i, step in enumerate(history, start=1) if step.seat == 2]
    answer = tikal("replay", record, "--seat", "2", stdin="n\nn\np\np\n")
    assert places(answer.out) == [0, own[0], own[1], own[0], 0]


def test_turns_are_stepped_over_as_a_whole(tikal: Run, record: Path) -> None:
    history = Game.from_record(record.read_text()).history
    ends = [i for i, step in enumerate(history, start=1) if step.action == "."]
    answer = tikal("replay", record, stdin="t\nt\nn\nb\nb\nb\nb\nt\n")
    assert places(answer.out) == [0, ends[0], ends[1], ends[1] + 1, ends[1], ends[0], 0, 0, ends[0]]
    own = [i for i in ends if history[i - 1].seat == 2]
    assert places(tikal("replay", record, "--seat", "2", stdin="turn\nturn\nback\n").out) == [0, own[0], own[1], own[0]]


def test_no_input_shows_the_end_by_default(tikal: Run, record: Path) -> None:
    last = len(Game.from_record(record.read_text()).history)
    assert places(tikal("replay", record, "--no-input").out) == [last]
    assert "The game is over" in tikal("replay", record, "--no-input").out
    assert places(tikal("replay", record, "--no-input", "--at", "3").out) == [3]


def test_a_record_from_standard_input(tikal: Run, record: Path) -> None:
    answer = tikal("replay", "-", "--no-input", "--at", "2", stdin=record.read_text())
    assert (answer.code, places(answer.out)) == (0, [2])


def test_the_record_of_a_running_game_can_be_replayed(tikal: Run, tmp_path: Path) -> None:
    game = random_game("players=2", "auction=true", seed=6, most=40)
    path = tmp_path / "running.tikal"
    path.write_text(game.record())
    assert "Seed" not in path.read_text()
    answer = tikal("replay", path, stdin="last\nfirst\n")
    assert (answer.code, places(answer.out)) == (0, [0, 40, 0])


@pytest.mark.parametrize(
    ("typed", "said"),
    [("x", "type n, p, t, b, first, last"), ("99999", "has actions 0 to"), ("-1", "type n, p, t")],
)
def test_wrong_keys_change_nothing(tikal: Run, record: Path, typed: str, said: str) -> None:
    answer = tikal("replay", record, "--at", "4", stdin=f"{typed}\nn\n")
    assert said in answer.out
    assert places(answer.out) == [4, 5]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [(["--at", "99999"], "has actions 0 to"), (["--at", "-1"], "has actions 0 to"), (["--seat", "4"], "seats 1 to 3")],
)
def test_positions_that_do_not_exist(tikal: Run, record: Path, arguments: list[str], said: str) -> None:
    answer = tikal("replay", record, *arguments)
    assert answer.code == 2
    assert said in answer.complaint


def test_names_can_not_move_the_cursor(tikal: Run, record: Path) -> None:
    record.write_text(record.read_text().replace('"Ann"', '"A\x1b[2Jnn"'))
    answer = tikal("replay", record, "--no-input")
    assert answer.code == 0
    assert "\x1b" not in answer.out


def test_going_back_and_forth_ends_where_it_began(record: Path) -> None:
    game = Game.from_record(record.read_text())
    end, steps = game.status(), list(game.history)
    show = Show(game, ["a", "b", "c"], None, steps, None)  # type: ignore[arg-type]
    for at in (0, 100, 7, len(steps), 50, len(steps)):
        show.go(at)
        assert show.at == at
    assert game.status() == end


BAD_FILES = {
    "missing": (None, "no such file"),
    "empty": (b"", "[Game"),
    "binary": (bytes(range(256)), "not a text file"),
    "prose": (b"It was a dark and stormy night.\n", "line 1"),
    "no tags": (b"1 A5@b3^0\n", "[Game"),
    "other rules": (b'[Game "Tikal"]\n[Rules "99"]\n[Edition "classic"]\n[Options "players=2"]\n', "rules 99"),
    "illegal": (b'[Game "Tikal"]\n[Rules "1"]\n[Edition "classic"]\n[Options "players=2"]\n\n1 X@a2\n', "line 6"),
}


@pytest.mark.parametrize("command", ["replay", "picture", "play"])
@pytest.mark.parametrize("name", BAD_FILES)
def test_other_files_are_refused_as_records(tikal: Run, home: Path, tmp_path: Path, command: str, name: str) -> None:
    content, said = BAD_FILES[name]
    path = tmp_path / f"{name}.tikal"
    if content is not None:
        path.write_bytes(content)
    answer = tikal(command, *(["--load"] if command == "play" else []), path)
    assert answer.code == 2
    assert said in answer.complaint
    assert str(path) in answer.complaint
    assert answer.out == ""
    assert not home.exists()


@pytest.mark.parametrize("command", ["replay", "picture", "verify"])
def test_a_folder_is_not_a_record(tikal: Run, tmp_path: Path, command: str) -> None:
    answer = tikal(command, tmp_path)
    assert (answer.code, answer.complaint) == (2, f"{tmp_path}: is a folder, not a file")


@pytest.mark.parametrize("command", ["replay", "verify"])
@pytest.mark.parametrize("share", [0.1, 0.3, 0.5, 0.7, 0.9, 0.99])
def test_a_truncated_record(tikal: Run, record: Path, command: str, share: float) -> None:
    text = record.read_text()
    record.write_text(text[: int(len(text) * share)])
    answer = tikal(command, record, stdin="last\n")
    assert answer.code in ((1, 2) if command == "verify" else (0, 2))
    assert "Traceback" not in answer.err
    assert answer.code != 2 or answer.complaint


def test_a_fair_game_verifies(tikal: Run, record: Path) -> None:
    answer = tikal("verify", record)
    assert (answer.code, answer.err) == (0, "")
    *checks, last = answer.out.splitlines()
    assert last == "this record verifies"
    assert all(line.startswith("ok ") for line in checks)
    for what in ("rules 1", "result:", "shuffle:", "commitment:"):
        assert any(what in line for line in checks), what


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (('[Result "', '[Result "9'), "result:"),
        (('[Seed "', '[Seed "9'), "line"),
        (('[Commitment "', '[Commitment "9'), "commitment:"),
    ],
)
def test_manipulated_records_are_detected(tikal: Run, record: Path, change: tuple[str, str], said: str) -> None:
    record.write_text(record.read_text().replace(*change))
    answer = tikal("verify", record)
    assert answer.code == 1
    assert any(line.startswith("NO ") and said in line for line in answer.out.splitlines())
    assert answer.out.splitlines()[-1] == "this record does NOT verify"


def test_other_files_are_bad_input(tikal: Run, tmp_path: Path) -> None:
    path = tmp_path / "prose"
    path.write_text("It was a dark and stormy night.")
    assert tikal("verify", path).code == 2


def test_a_picture_is_written(tikal: Run, record: Path, tmp_path: Path) -> None:
    path = tmp_path / "board.svg"
    answer = tikal("picture", record, "--at", "60", "-o", path)
    assert (answer.code, answer.out, answer.err) == (0, "", "")
    root = ET.fromstring(path.read_text("utf-8"))
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert {"Ann", "Bob", "Cleo"} <= set(root.itertext())
    printed = tikal("picture", record, "--at", "60")
    assert printed.out == path.read_text("utf-8")
    assert tikal("picture", record).out != printed.out


def test_a_picture_of_the_empty_board(tikal: Run) -> None:
    root = ET.fromstring(tikal("picture").out)
    assert sum(1 for element in root.iter() if element.get("data-hex")) == 40


def test_a_picture_that_can_not_be_written(tikal: Run, tmp_path: Path) -> None:
    answer = tikal("picture", "-o", tmp_path)
    assert answer.code == 2
    assert "can’t be written" in answer.complaint


def test_perft_speaks_the_protocol(tikal: Run) -> None:
    answer = tikal("perft", "2", "players=2", "seed=42")
    assert answer.code == 0
    *lines, total = answer.out.splitlines()
    counts = {line.split()[0]: int(line.split()[1]) for line in lines}
    assert list(counts) == sorted(counts)
    assert total == f"total {sum(counts.values())}"
    assert "per second" in answer.err
    game = random_game("players=2", seed=42, most=0)
    assert list(counts) == game.legal()
    game.play(lines[0].split()[0])
    assert counts[lines[0].split()[0]] == len(game.legal())


def test_perft_without_depth_and_from_a_position(tikal: Run) -> None:
    assert tikal("perft", "0", "seed=42").out == "total 1\n"
    first = random_game("players=2", seed=42, most=0).legal()[0]
    assert tikal("perft", "1", "--seed", "42", "--after", f"{first} +W@a1").out.splitlines()[-1] == "total 6"


def test_perft_is_the_same_without_a_seed(tikal: Run) -> None:
    assert tikal("perft", "1").out == tikal("perft", "1", "--seed", "1").out != tikal("perft", "1", "seed=3").out


def test_the_picture_of_the_readme_is_our_own_drawing(tikal: Run) -> None:
    """After a change of the art: tikal picture tests/cli/board.tikal --at 240 -o docs/board.svg."""
    here = Path(__file__).parent
    answer = tikal("picture", here / "board.tikal", "--at", "240")
    assert answer.out == (here.parents[1] / "docs" / "board.svg").read_text("utf-8")

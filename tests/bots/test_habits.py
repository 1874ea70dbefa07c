"""Habits: counted in games whose figures are known; and `tikal habits`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.kit.commands import Run, random_game
from tikal.bots.habits import Habits, by_name, figures, markdown, observe, report
from tikal.play import Game, records
from tikal.play.scores import balance
from tikal.rules.codes import TURN_AP
from tikal.rules.options import Options
from tikal.rules.tables import TILES

GOLDEN = sorted((Path(__file__).parents[1] / "golden").glob("*.tikal"))
DECK = ["A5", "A6", *(tile.name for tile in TILES if tile.name not in ("A5", "A6"))]


def worked() -> Game:
    """The first turns of the rules' first worked example."""
    game = Game.new(Options(), deck=DECK, treasures=[3, 1, 2, 4, 5, 6, 7, 8] * 3)
    game.play("A5@b3^0", "+L@a1", "L:a1-b2", "L:b2-b3", "D@b3", "+W@a1", "+W@a1", "W:a1-a2", ".")
    game.play(next(action for action in game.legal() if action.startswith("A6@")))
    game.play("+W@a1", "+W@a1", "W:a1-a2", "W:a1-a2", "X@a2", ".")
    return game


def test_a_seat_s_actions_are_counted() -> None:
    ann, bob = observe(worked(), ["Ann", "Bob"])
    assert (ann.leader_turn, bob.leader_turn) == (1, None)
    assert ann.spent == {"enter": 3, "move": 4, "dig": 3}
    assert bob.spent == {"enter": 2, "move": 4, "uncover": 2}
    assert (ann.actions["dig"], bob.actions["uncover"]) == (1, 1)
    assert (ann.unused, bob.unused) == ([0], [2])


def test_camps_and_guards_are_kept_with_their_turn() -> None:
    game = worked()
    game.play(next(action for action in game.legal() if action.startswith("A1@")), "+W@a1", "W:a1-b2", "C@b2", ".")
    game.play(next(action for action in game.legal() if action.startswith("A2@")), "GW@a2", ".")
    ann, bob = observe(game)
    assert (ann.name, ann.camps, ann.unused) == ("seat 1", ["b2"], [0, 3])
    assert (bob.guard_turns, bob.spent["guard"]) == ([2], 5)


def test_bids_and_passes_are_distinguished() -> None:
    game = Game.new(Options(auction=True), seed="42")
    game.play("B:3", "B:-")
    ann, bob = observe(game)
    assert (ann.bids, bob.bids) == ([3], [0])
    table = markdown({"Ann": figures([ann]), "Bob": figures([bob])})
    assert "| auction: bids / passes, mean bid, highest | 1 / 0, 3.0, 3 | 0 / 1 |" in table


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_every_point_of_a_game_is_accounted_for(path: Path) -> None:
    game = records.read(path.read_text()).game
    for seat, habits in enumerate(observe(game)):
        assert habits.spent.total() + sum(habits.unused) == TURN_AP * len(habits.unused)
        points = balance(game)[seat]
        assert (sum(habits.temples), sum(habits.treasures)) == (points.temples, points.treasures)
        assert habits.points == points.total
    assert sum(habits.win for habits in observe(game)) == pytest.approx(1.0)


def test_players_are_counted_by_name_wherever_they_sit() -> None:
    games = [[Habits("Ann", points=10), Habits("Bob", points=20)], [Habits("Bob", points=40), Habits("Ann", points=30)]]
    told = {name: figures(rows) for name, rows in by_name(games).items()}
    assert (told["Ann"]["games"], told["Ann"]["points"], told["Bob"]["points"]) == (2, 20.0, 30.0)


def test_games_with_fewer_scorings_count_only_in_those_they_have() -> None:
    told = figures([Habits("Ann", temples=[4, 8]), Habits("Ann", temples=[6])])
    assert told["temple_points"] == [5.0, 8.0]


def test_a_report_is_the_table_of_some_games() -> None:
    game = random_game(seed=3)
    assert report([(game, ["Ann", "Bob"])]).startswith("|  | Ann | Bob |\n| --- | --- | --- |\n| games | 1 | 1 |\n")


# tikal habits


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "games"
    (folder / "below").mkdir(parents=True)
    for seed, name in enumerate(["a.tikal", "below/b.tikal"]):
        (folder / name).write_text(random_game(seed=seed).record(["Ann", "bot:digger"]))
    (folder / "notes.txt").write_text("no record")
    return folder


def test_a_folder_is_read_with_all_below_it(tikal: Run, folder: Path) -> None:
    answer = tikal("habits", folder)
    assert (answer.code, answer.err) == (0, "")
    lines = {line[:44].strip(): line.split()[-2:] for line in answer.out.splitlines()}
    assert lines["games"] == ["2", "2"]
    assert answer.out.splitlines()[0].split() == ["Ann", "bot:digger"]
    told = json.loads(tikal("habits", folder, "--json").out)
    assert told["games"] == 2
    assert [player["name"] for player in told["players"]] == ["Ann", "bot:digger"]
    assert lines["unused AP a turn"] == [f"{player['unused_ap_per_turn']:.2f}" for player in told["players"]]
    assert tikal("habits", folder, "--markdown").out.startswith("|  | Ann | bot:digger |")


def test_files_and_folders_can_be_mixed(tikal: Run, folder: Path) -> None:
    told = json.loads(tikal("habits", folder, folder / "a.tikal", "--json").out)
    assert told["games"] == 3


def test_games_that_are_not_over_are_left_out(tikal: Run, folder: Path) -> None:
    (folder / "c.tikal").write_text(random_game(seed=1, most=40).record())
    answer = tikal("habits", folder, "--json")
    assert (answer.code, json.loads(answer.out)["games"]) == (0, 2)
    assert answer.complaint == "unfinished games left out: 1"


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("empty", None, "there are no .tikal files in this folder"),
        ("missing.tikal", None, "no such file"),
        ("running.tikal", random_game(seed=1, most=9).record(), "there is no finished game"),
        ("wrong.tikal", "no record", "wrong.tikal: "),
    ],
)
def test_files_without_games_are_refused(tikal: Run, tmp_path: Path, name: str, text: str | None, said: str) -> None:
    path = tmp_path / name
    if text is not None:
        path.write_text(text)
    elif name == "empty":
        path.mkdir()
    answer = tikal("habits", path)
    assert (answer.code, answer.out) == (2, "")
    assert said in answer.err.splitlines()[-1]

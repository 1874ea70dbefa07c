"""`tikal play` through pipes: whole games, saving, undo, menus, and answers to nonsense."""

from __future__ import annotations

import os
import time
from pathlib import Path
from random import Random

import pytest

from tests.cli.conftest import Run, lines_of, random_game
from tikal.cli import save
from tikal.cli.human import COMMANDS
from tikal.cli.menu import Choice
from tikal.play import Game, records

GAMES = [
    ("players=2",),
    ("players=4", "edition=rio-grande"),
    ("players=3", "edition=classic", "auction=true"),
    ("players=2", "instant_scoring=true"),
    ("players=3", "boulders=2d6", "obstacles=true", "machine_gun=true"),
    ("players=4", "auction=true", "sudden_death=true", "double_volcano=taker_decides"),
    ("players=3", "auction=true", "leaps=true"),
]


def options(pairs: tuple[str, ...]) -> list[str]:
    return [word for pair in pairs for word in ("-o", pair)]


def kept(home: Path, folder: str = "autosave") -> list[Path]:
    return sorted((home / folder).glob("*.tikal"))


@pytest.mark.parametrize("pairs", GAMES, ids=" ".join)
def test_a_whole_game_through_a_pipe(tikal: Run, home: Path, pairs: tuple[str, ...]) -> None:
    game = random_game(*pairs, seed=3)
    answer = tikal("play", *options(pairs), "--seed", "3", stdin=lines_of(game))
    assert (answer.code, answer.err) == (0, "")
    assert "No:" not in answer.out
    assert "The game is over:" in answer.out
    assert kept(home) == []
    [done] = kept(home, "games")
    record = records.read(done.read_text())
    assert record.game.status() == game.status()
    assert record.tags["Result"] == [" ".join(map(str, game.status()["scores"]))]
    assert tikal("verify", done).code == 0


@pytest.mark.slow
@pytest.mark.parametrize("pairs", GAMES, ids=" ".join)
def test_a_whole_game_by_numbers_alone(tikal: Run, home: Path, pairs: tuple[str, ...]) -> None:
    """Somebody who knows no notation: random choices from the menus, to the end of the game."""
    from tikal.cli.args import game_from_pairs
    from tikal.cli.human import menu_for

    class Desk:
        """What `menu_for` needs of a table."""

        def __init__(self, game: Game) -> None:
            self.game = game

    chance, typed = Random(5), []
    game = game_from_pairs([*pairs, "seed=5"])
    while not game.over:
        menu: tuple[Choice, ...] = menu_for(Desk(game))  # type: ignore[arg-type]
        busy = [choice for choice in menu if choice.actions != (".",) or chance.random() < 0.1]
        choice = chance.choice(busy or menu)
        typed.append(choice.key)
        while choice.choices:
            choice = chance.choice(choice.choices)
            typed.append(choice.key)
        game.play(*choice.actions)
    answer = tikal("play", *options(pairs), "--seed", "5", stdin="\n".join(typed))
    assert answer.code == 0
    assert "No:" not in answer.out
    [done] = kept(home, "games")
    assert Game.from_record(done.read_text()).status() == game.status()


def test_the_end_of_the_input_keeps_the_game(tikal: Run, home: Path) -> None:
    game = random_game("players=2", seed=1, most=30)
    answer = tikal("play", "--seed", "1", "--names", "Ann,Bob", stdin=lines_of(game))
    assert answer.code == 0
    assert "--resume" in answer.out
    [saved] = kept(home)
    assert [step.action for step in Game.from_record(saved.read_text()).history] == [s.action for s in game.history]

    rest = random_game("players=2", seed=1)
    again = tikal("play", "--resume", stdin=lines_of(rest)[len(lines_of(game)) - 1 :])
    assert (again.code, again.err) == (0, "")
    assert "Ann" in again.out
    assert kept(home) == []
    [done] = kept(home, "games")
    assert Game.from_record(done.read_text()).status() == rest.status()


def test_each_action_is_on_disk_before_the_next_is_asked_for(tikal: Run, home: Path, tmp_path: Path) -> None:
    first = random_game("players=2", seed=1, most=1).history[0].action
    copy = tmp_path / "copy.tikal"

    # `save` at the same prompt can't be told from the autosave; so look at what a killed game would leave.
    class Killed(Exception):
        pass

    def kill(*_: object) -> bool:
        [saved] = kept(home)
        copy.write_text(saved.read_text())
        raise Killed

    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(COMMANDS, "quit", COMMANDS["quit"].__class__("quit", "die", kill))
        assert tikal("play", "--seed", "1", stdin=f"{first}\n+W@a1\nquit\n").code == 3
    assert [step.action for step in Game.from_record(copy.read_text()).history] == [first, "+W@a1"]


def test_resume_takes_the_game_that_was_played_last(tikal: Run, home: Path) -> None:
    for seed, age in (("1", 50), ("2", 10), ("3", 90)):
        tikal("play", "--seed", seed, stdin="quit\n")
        newest = max(kept(home), key=lambda path: path.stat().st_mtime)
        stamp = time.time() - age
        newest = newest.rename(newest.with_name(f"game-{seed}.tikal"))
        os.utime(newest, (stamp, stamp))
    tikal("play", "--resume", stdin="+W@a1\nquit\n")
    assert len(kept(home)) == 3
    assert save.newest() == home / "autosave" / "game-2.tikal"


def test_old_unfinished_games_go(tikal: Run, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(save, "KEPT", 2)
    folder = home / "autosave"
    folder.mkdir(parents=True)
    for age in range(1, 5):
        (folder / f"{age}.tikal").write_text("")
        os.utime(folder / f"{age}.tikal", (1000 - age, 1000 - age))
    tikal("play", "--seed", "1", stdin="quit\n")
    assert {path.name for path in kept(home)} > {"1.tikal", "2.tikal"}
    assert len(kept(home)) == 3


def test_a_disk_that_takes_nothing_does_not_stop_the_game(tikal: Run, home: Path) -> None:
    home.parent.mkdir()
    home.write_text("a file where the folder should be")
    answer = tikal(
        "play", "--seed", "1", stdin=f"{random_game('players=2', seed=1, most=1).history[0].action}\n+W@a1\n"
    )
    assert answer.code == 0
    assert "a worker enters on a1" in answer.out
    assert "not being saved" in answer.complaint


def test_save_and_load(tikal: Run, tmp_path: Path) -> None:
    game = random_game("players=3", seed=2, most=25)
    path = tmp_path / "my game.tikal"
    first = tikal("play", "-p", "3", "--seed", "2", stdin=f"{lines_of(game)}save {path}\nquit\n")
    assert "saved:" in first.out
    assert Game.from_record(path.read_text()).status() == game.status()
    second = tikal("play", "--load", path, stdin="log 2\nquit\n")
    assert game.history[-1].text in second.out
    third = tikal("play", "--seed", "9", stdin=f"load {path}\nlog 1\nlegal\nquit\n")
    assert game.history[-1].text in third.out
    assert game.legal()[0] in third.out


def test_a_loaded_game_can_be_finished(tikal: Run, home: Path, tmp_path: Path) -> None:
    path = tmp_path / "four.tikal"
    game = random_game("players=4", seed=4, most=20)
    path.write_text(game.record(reveal=True))
    whole = random_game("players=4", seed=4)
    rest = lines_of(whole)[len(lines_of(game)) - 1 :]
    tikal("play", "--seed", "1", stdin=f"load {path}\n{rest}")
    [done] = kept(home, "games")
    assert Game.from_record(done.read_text()).status() == whole.status()


def test_undo_redo_and_restart(tikal: Run) -> None:
    first = random_game("players=2", seed=1, most=1).history[0].action
    typed = f"{first}\n+W@a1\n+W@a1\nundo\nredo\nundo 2\nredo\n+L@a1\nredo\nrestart\nundo\nlog\n"
    answer = tikal("play", "--seed", "1", stdin=typed)
    heard = answer.out.splitlines()
    assert "taken back: 1" in heard
    assert "taken back: 2" in heard
    assert "taken back: 3" in heard  # restart: the tile and two members
    assert answer.out.count("No: nothing was taken back") == 1  # after +L@a1 there is nothing to redo
    assert answer.out.count("No: there is nothing to take back") == 1


def test_what_was_ended_stays(tikal: Run) -> None:
    first = random_game("players=2", seed=1, most=1).history[0].action
    answer = tikal("play", "--seed", "1", stdin=f"{first} .\nundo\n")
    assert "No: there is nothing to take back" in answer.out


def test_several_actions_on_a_line_are_all_or_none(tikal: Run, home: Path) -> None:
    first = random_game("players=2", seed=1, most=1).history[0].action
    answer = tikal("play", "--seed", "1", stdin=f"{first} +W@a1 X@a2\n{first} +W@a1\nquit\n")
    assert "No: X@a2: a member must be on a2" in answer.out
    [saved] = kept(home)
    assert [step.action for step in Game.from_record(saved.read_text()).history] == [first, "+W@a1"]


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("dance", "No: dance: no action is written like that"),
        ("7777", "No: 7777: no such choice"),
        ("undo x", "No: x: must be a number"),
        ("undo 99999999", "No: 99999999: must be a number"),
        ("redo", "No: nothing was taken back"),
        ("restart", "No: there is nothing to take back"),
        ("save", "No: name a file"),
        ("save /", "can't be written"),
        ("load", "No: name a file"),
        ("load /nowhere/at all", "there is no such file"),
        ("load /", "is a folder"),
        ("tile Z9", "No: Z9: no such tile"),
        ("legal Q", "nothing that starts with Q"),
        ("J:1", "No: J:1"),
        ("\x00\x1b[31m", "No: "),
    ],
)
def test_answers_to_nonsense(tikal: Run, typed: str, said: str) -> None:
    answer = tikal("play", "--seed", "1", stdin=f"{typed}\nquit\n")
    assert (answer.code, answer.err) == (0, "")
    assert said in answer.out
    assert "\x1b" not in answer.out


def test_commands_that_look(tikal: Run) -> None:
    first = random_game("players=2", seed=1, most=1).history[0].action
    answer = tikal(
        "play", "--seed", "1", stdin=f"help\nmenu\nboard\ntile\ntile D4\nlegal\n\n{first}\ntile\nlog\nlog 0\n?\n"
    )
    for command in COMMANDS.values():
        assert command.usage in answer.out
    assert f"{first[:2]}^5" in answer.out or f"{first[:2]}^0" in answer.out
    assert "D4^1" in answer.out
    assert "No: there is no tile in hand" in answer.out
    assert first in answer.out


def test_menus_can_be_left(tikal: Run) -> None:
    first = random_game("players=2", seed=1, most=1).history[0].action
    answer = tikal("play", "--seed", "1", stdin=f"{first}\n1\n0\n1\n+W@a1\n1\n\n2\n1\n1\nlog 1\n")
    assert "enter a member (0 to go back)" in answer.out
    assert "No:" not in answer.out
    assert "\n1 Red: a worker walks from a1" in answer.out


def test_tokens_stay_hidden_until_all_have_chosen(tikal: Run, tmp_path: Path) -> None:
    game = random_game("players=3", "auction=true", "leaps=true", seed=7, most=1)
    chance = Random(7)
    while game.phase != "leap":
        game.play(chance.choice(game.legal()))
    path = tmp_path / "leap.tikal"
    path.write_text(game.record(reveal=True))
    half = tikal("play", "--load", path, stdin="J:4\nlog\nJ:3\nlog\n")
    assert "J:4" not in half.out
    assert "choose" not in half.out.replace("chooses tokens", "")
    whole = tikal("play", "--load", path, stdin="J:4\n3\nJ:2\n")
    assert [f"choose {count} tokens [J:{count}]" in whole.out for count in (4, 3, 2)] == [True] * 3


def test_names_reach_the_record(tikal: Run, home: Path) -> None:
    tikal("play", "--names", "Ann, Señor Bob", "--seed", "1", stdin="quit\n")
    [saved] = kept(home)
    assert records.read(saved.read_text()).tags["Players"] == ["Ann", "Señor Bob"]


def test_an_interrupted_game_is_kept(tikal: Run, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> bool:
        raise KeyboardInterrupt

    monkeypatch.setitem(COMMANDS, "quit", COMMANDS["quit"].__class__("quit", "stop", interrupt))
    answer = tikal("play", "--seed", "1", stdin="quit\n")
    assert (answer.code, answer.complaint) == (130, "interrupted")
    assert "--resume" in answer.out
    assert len(kept(home)) == 1


def test_options_of_a_game_that_goes_on_are_its_own(tikal: Run, home: Path) -> None:
    tikal("play", "--seed", "1", stdin="quit\n")
    answer = tikal("play", "--resume", "--players", "3", "--seed", "4")
    assert (answer.code, answer.complaint) == (2, "--players --seed: a game that goes on has its options already")


def test_ascii_draws_without_other_characters(tikal: Run) -> None:
    first = random_game("players=2", seed=1, most=1).history[0].action
    answer = tikal(
        "play", "--ascii", "--seed", "1", "--names", "Ann,Bob", stdin=f"menu\ntile\nhelp\n{first}\nlog\nquit\n"
    )
    assert answer.out.isascii()


def test_the_classic_edition_says_what_board_it_is_played_on(tikal: Run) -> None:
    assert "played on the original 40 hexes" in tikal("play", "--edition", "classic").out
    assert "played on the original 40 hexes" not in tikal("play").out


def test_a_game_that_is_over_does_not_go_on(tikal: Run, home: Path, tmp_path: Path) -> None:
    path = tmp_path / "over.tikal"
    path.write_text(random_game("players=2", seed=3).record())
    answer = tikal("play", "--load", path)
    assert (answer.code, answer.complaint) == (2, f"{path}: this game is over; `tikal replay` shows it")
    assert not home.exists()
    assert "No: " in tikal("play", "--seed", "1", stdin=f"load {path}\n").out

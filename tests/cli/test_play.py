"""`tikal play` through pipes: whole games, saving, undo, menus, and answers to nonsense."""

from __future__ import annotations

import os
import time
from pathlib import Path
from random import Random

import pytest

from tests.kit.amounts import sampled
from tests.kit.commands import Run, lines_of, random_game
from tests.kit.terminal import kept
from tikal import _compiled
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
@pytest.mark.parametrize("number", sampled(range(len(GAMES)), 0, 4, 6))
def test_a_whole_game_by_numbers_alone(tikal: Run, home: Path, number: int) -> None:
    """A person without the notation: random choices from the menus, to the end of the game."""
    from tikal.cli.args import game_from_pairs
    from tikal.cli.human import menu_for

    class OnlyGame:
        """What `menu_for` needs of a table."""

        def __init__(self, game: Game) -> None:
            self.game = game

    pairs, chance = GAMES[number], Random(5)
    typed: list[str] = []
    game = game_from_pairs([*pairs, "seed=5"])
    while not game.over:
        menu: tuple[Choice, ...] = menu_for(OnlyGame(game))  # type: ignore[arg-type]
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


def test_the_game_is_saved_at_the_end_of_the_input(tikal: Run, home: Path) -> None:
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


def test_each_action_is_on_disk_before_the_next_prompt(tikal: Run, home: Path, tmp_path: Path) -> None:
    first = random_game("players=2", seed=1, most=1).history[0].action
    copy = tmp_path / "copy.tikal"

    # `save` at this prompt would write the same record as the autosave, so look at what a killed game leaves.
    class Killed(Exception):
        pass

    def kill(*_: object) -> bool:
        [saved] = kept(home)
        copy.write_text(saved.read_text())
        raise Killed

    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(COMMANDS, "quit", COMMANDS["quit"].__class__("quit", kill))
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
    assert "a worker enters at a1" in answer.out
    assert "not being saved" in answer.complaint


def test_save_and_load(tikal: Run, tmp_path: Path) -> None:
    game = random_game("players=3", seed=2, most=25)
    path = tmp_path / "my game.tikal"
    first = tikal("play", "-p", "3", "--seed", "2", stdin=f"{lines_of(game)}save {path}\nquit\n")
    assert f"Saved to {path}" in first.out
    assert "no folder" not in first.out
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
    assert "undone: 1" in heard
    assert "undone: 2" in heard
    assert "undone: 3" in heard  # restart: the tile and two members
    assert answer.out.count("No: nothing to redo") == 1  # after +L@a1 there is nothing to redo
    assert answer.out.count("No: nothing to undo") == 1


def test_an_ended_turn_stays_ended(tikal: Run) -> None:
    first = random_game("players=2", seed=1, most=1).history[0].action
    answer = tikal("play", "--seed", "1", stdin=f"{first} .\nundo\n")
    assert "No: nothing to undo" in answer.out


def test_several_actions_on_a_line_are_all_or_none(tikal: Run, home: Path) -> None:
    first = random_game("players=2", seed=1, most=1).history[0].action
    answer = tikal("play", "--seed", "1", stdin=f"{first} +W@a1 X@a2\n{first} +W@a1\nquit\n")
    assert "No: X@a2: the first level of a turn needs one of your members here, the second needs two [R5]" in answer.out
    [saved] = kept(home)
    assert [step.action for step in Game.from_record(saved.read_text()).history] == [first, "+W@a1"]


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("dance", "No: dance: no action is written like that"),
        ("7777", "No: 7777: no such choice"),
        ("undo x", "No: x: must be a number"),
        ("undo 99999999", "No: 99999999: must be a number"),
        ("redo", "No: nothing to redo"),
        ("restart", "No: nothing to undo"),
        ("save", "No: name a file"),
        ("save /", "can’t be written"),
        ("load", "No: name a file"),
        ("load /nowhere/at all", "no such file"),
        ("load /", "is a folder"),
        ("tile Z9", "No: Z9: no such tile"),
        ("legal Q", "no action starts with Q"),
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
    assert "No: you have no tile in hand" in answer.out
    assert first in answer.out


def test_menus_can_be_left(tikal: Run) -> None:
    first = random_game("players=2", seed=1, most=1).history[0].action
    answer = tikal("play", "--seed", "1", stdin=f"{first}\n1\n0\n1\n+W@a1\n1\n\n2\n1\n1\nlog 1\n")
    assert "bring in a member; 0 goes back" in answer.out
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
    assert "choose" not in half.out.replace("to choose tokens", "")
    whole = tikal("play", "--load", path, stdin="J:4\n3\nJ:2\n")
    assert [f"choose {count} tokens [J:{count}]" in whole.out for count in (4, 3, 2)] == [True] * 3


def test_names_reach_the_record(tikal: Run, home: Path) -> None:
    tikal("play", "--names", "Ann, Señor Bob", "--seed", "1", stdin="quit\n")
    [saved] = kept(home)
    assert records.read(saved.read_text()).tags["Players"] == ["Ann", "Señor Bob"]


def test_an_interrupted_game_is_saved(tikal: Run, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> bool:
        raise KeyboardInterrupt

    monkeypatch.setitem(COMMANDS, "quit", COMMANDS["quit"].__class__("quit", interrupt))
    answer = tikal("play", "--seed", "1", stdin="quit\n")
    assert (answer.code, answer.complaint) == (130, "interrupted")
    assert "--resume" in answer.out
    assert len(kept(home)) == 1


def test_a_resumed_game_keeps_its_options(tikal: Run, home: Path) -> None:
    tikal("play", "--seed", "1", stdin="quit\n")
    answer = tikal("play", "--resume", "--players", "3", "--seed", "4")
    assert (answer.code, answer.complaint) == (2, "--players --seed: a game you continue already has its options")


def test_ascii_draws_without_other_characters(tikal: Run) -> None:
    first = random_game("players=2", seed=1, most=1).history[0].action
    answer = tikal(
        "play", "--ascii", "--seed", "1", "--names", "Ann,Bob", stdin=f"menu\ntile\nhelp\n{first}\nlog\nquit\n"
    )
    assert answer.out.isascii()


def test_the_classic_edition_names_its_board(tikal: Run) -> None:
    assert "play on the original 40 hexes" in tikal("play", "--edition", "classic").out
    assert "played on the original 40 hexes" not in tikal("play").out


def test_a_game_that_is_over_does_not_go_on(tikal: Run, home: Path, tmp_path: Path) -> None:
    path = tmp_path / "over.tikal"
    path.write_text(random_game("players=2", seed=3).record())
    answer = tikal("play", "--load", path)
    assert (answer.code, answer.complaint) == (2, f"{path}: this game is over; `tikal replay` plays it back")
    assert not home.exists()
    assert "No: " in tikal("play", "--seed", "1", stdin=f"load {path}\n").out


def test_save_says_which_folder_it_made(tikal: Run, tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "game.tikal"
    answer = tikal("play", "--seed", "1", stdin=f"save {path}\nquit\n")
    assert f"Created the folder {path.parent}." in answer.out
    assert path.exists()


@pytest.mark.parametrize("typed", ["+w@A1 w:a1-b2", "+W@A1 W:A1-B2", "+w@a1 w:A1-B2"])
def test_actions_may_be_typed_in_any_case(tikal: Run, typed: str) -> None:
    first = random_game("players=2", seed=1, most=1).history[0].action
    answer = tikal("play", "--seed", "1", stdin=f"{first.lower()}\n{typed}\nlog\n")
    assert "No:" not in answer.out
    for action in (first, "+W@a1", "W:a1-b2"):
        assert f"[{action}]" in answer.out


def test_other_text_is_refused_as_typed(tikal: Run) -> None:
    assert "No: hello: " in tikal("play", "--seed", "1", stdin="hello\n").out


def test_treasures_have_the_names_of_the_browser(tikal: Run, tmp_path: Path) -> None:
    path = tmp_path / "game.tikal"
    game = random_game("players=2", seed=2)
    path.write_text(game.record())
    at = next(number for number, step in enumerate(game.history, start=1) if step.action.startswith("D@"))
    names = ["mask", "jaguar", "serpent", "sun", "frog", "bird", "bowl", "necklace"]
    name = names[(game.history[at - 1].revealed or 0) - 1]
    assert f": {name} [D@" in tikal("replay", path, "--at", str(at), "--no-input").out


def test_seats_shows_the_panel(tikal: Run) -> None:
    answer = tikal("play", "--seed", "1", stdin="seats\nquit\n")
    assert answer.out.count("workers leader") == 3  # at the beginning, when asked, at the end


def test_without_a_compiler_play_says_once_that_it_is_slow(tikal: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "compiled core" not in tikal("play", "--seed", "1", stdin="quit\n").out
    monkeypatch.setattr(_compiled, "mode", lambda: ("uncompiled", "there is no compiler"))
    answer = tikal("play", "--seed", "1", stdin="log\nquit\n")
    assert answer.out.count("Tikal is running without its compiled core (") == 1

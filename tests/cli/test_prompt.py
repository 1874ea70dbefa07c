"""The real prompt, in a pseudo-terminal: completion, menus, the cover of a hidden choice, and how it ends."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from tests.kit.commands import random_game
from tests.kit.terminal import Terminal
from tikal.cli.reader import LineReader, completions, reader_for_stdin
from tikal.play import Game


@pytest.fixture
def terminals(tmp_path: Path) -> Iterator[list[Terminal]]:
    opened: list[Terminal] = []
    yield opened
    for terminal in opened:
        terminal.close()


def test_playing_at_the_prompt(tmp_path: Path, terminals: list[Terminal]) -> None:
    terminal = Terminal("play", "--seed", "1", home=tmp_path, lines=60)
    terminals.append(terminal)
    shown = terminal.hear("1 Red>")
    assert "Red to place a tile" in shown
    assert "on a3" in shown  # the menu is there without asking
    terminal.type("1\r")
    terminal.hear("turned by 1")
    terminal.hear("1 Red>")
    terminal.type("2\r")
    terminal.hear(r"place A\d \(.*?\) on a3, turned by 1 \[A\d@a3\^1\]")
    terminal.hear("1 Red>")
    terminal.type("+W")
    terminal.hear("a worker enters at a1")  # its description in the completion
    terminal.type("\t\r")
    terminal.hear(r"Red: a worker enters at a1 \[\+W@a1\]")
    terminal.hear("1 Red>")
    terminal.type("X@a2\r")
    terminal.hear(r"No: X@a2: the first level of a turn needs one of your members here, the second needs two \[R5\]")
    terminal.hear("1 Red>")
    terminal.type("\x04")  # Ctrl-D
    terminal.hear("tikal play --resume")
    assert terminal.end() == 0

    [saved] = (tmp_path / "tikal" / "autosave").glob("*.tikal")
    assert [step.action[2:] for step in Game.from_record(saved.read_text()).history] == ["@a3^1", "@a1"]
    again = Terminal("play", "--resume", home=tmp_path)
    terminals.append(again)
    again.hear("1 Red>")
    again.type("\x03")  # Ctrl-C
    again.hear("tikal: interrupted")
    assert again.end() == 130


def test_the_whole_board_is_seen_in_a_terminal_of_80_by_24(tmp_path: Path, terminals: list[Terminal]) -> None:
    terminal = Terminal("play", "--seed", "1", home=tmp_path, lines=24, columns=80)
    terminals.append(terminal)
    for typed in ("", f"{random_game('players=2', seed=1, most=1).history[0].action}\r", "+W@a1\r"):
        terminal.type(typed)
        terminal.hear(r"scores  1  \d+  2  \d+")
        terminal.hear(r"1 Red [^\n]*>")
        # Nothing may come after the prompt: a blank line below it would push the board up by one.
        terminal.type("hello\r")
        assert terminal.hear("No: hello").count("\n") <= 1
        terminal.hear(r"1 Red [^\n]*>")
    terminal.type("b\r")
    shown = terminal.hear(r"h1 [\s\S]*1 Red [^\n]*>")
    assert all(f"{column}{row}" in shown for column in "abcdefgh" for row in range(1, 6))
    assert shown[shown.index(" a5 ") :].count("\n") <= 22  # a5 is on the second line of the board
    terminal.type("menu\r")
    terminal.hear("bring in a member")
    terminal.type("seats\r")
    terminal.hear("workers leader")


def test_ctrl_c_clears_a_half_typed_line(tmp_path: Path, terminals: list[Terminal]) -> None:
    terminal = Terminal("play", "--seed", "1", home=tmp_path)
    terminals.append(terminal)
    terminal.hear("1 Red>")
    terminal.type("nonsense\x03")
    terminal.type("legal +\r")
    assert "No:" not in terminal.hear("no action starts with ")
    terminal.hear("1 Red>")
    terminal.type("\x03")
    terminal.hear("tikal: interrupted")
    assert terminal.end() == 130


def test_a_killed_terminal_loses_nothing(tmp_path: Path, terminals: list[Terminal]) -> None:
    terminal = Terminal("play", "--seed", "1", home=tmp_path)
    terminals.append(terminal)
    terminal.hear("1 Red>")
    first = random_game("players=2", seed=1, most=0).legal()[0]
    terminal.type(f"{first} +L@a1\r")
    terminal.hear("the leader enters at a1")
    os.kill(terminal.pid, signal.SIGKILL)
    assert terminal.end() == -signal.SIGKILL
    again = Terminal("play", "--resume", home=tmp_path)
    terminals.append(again)
    again.hear("1 Red>")
    again.type("log\r")
    again.hear(r"the leader enters at a1 \[\+L@a1\]")


def test_hidden_choices_are_covered(tmp_path: Path, terminals: list[Terminal]) -> None:
    game = random_game("players=2", "auction=true", "leaps=true", seed=7, most=1)
    chance = Random(7)
    while game.phase != "leap":
        game.play(chance.choice(game.legal()))
    path = tmp_path / "leap.tikal"
    path.write_text(game.record(["Ann", "Bob"], reveal=True))
    order = [game.seat, 3 - (game.seat or 1)]
    names = [("Ann", "Bob")[(seat or 1) - 1] for seat in order]

    terminal = Terminal("play", "--load", str(path), home=tmp_path)
    terminals.append(terminal)
    for name, tokens in zip(names, "43", strict=True):
        assert "[J:" not in terminal.hear(f"{name}: press Enter when nobody else is looking")
        terminal.type("\r")
        terminal.hear("choose 5 tokens")
        terminal.hear(f"{name}>")
        terminal.type("9\r")
        terminal.hear("No: 9: no such choice")
        assert terminal.hear(f"{name}>").count("press Enter") == 0  # not covered twice
        terminal.type(f"{tokens}\r")
        assert tokens not in terminal.hear(r"\*[^\n]*\n")  # what is typed is not shown
    assert "choose 4 tokens [J:4]" in terminal.hear(r"choose 3 tokens \[J:3\]")


def test_replay_follows_the_arrows(tmp_path: Path, terminals: list[Terminal]) -> None:
    path = tmp_path / "game.tikal"
    path.write_text(random_game("players=2", seed=2, most=30).record(reveal=True))
    terminal = Terminal("replay", str(path), home=tmp_path)
    terminals.append(terminal)
    terminal.hear("0/30>")
    terminal.type("\x1b[C")  # right
    terminal.hear("1/30>")
    terminal.type("\r")
    terminal.hear("2/30>")
    terminal.type("\x1b[D")  # left
    terminal.hear("1/30>")
    terminal.type("17\r")
    terminal.hear("17/30>")
    terminal.type("q\r")
    assert terminal.end() == 0


def test_completion_extends_the_last_word() -> None:
    words = [("X@a2", "excavate"), ("X@b1", "excavate"), ("undo", "take back")]
    assert completions("u", words) == [("undo", "take back")]
    assert completions("+W@a1 X@", words) == words[:2]
    assert completions("+W@a1 ", words) == words
    assert completions("zzz", words) == []


def test_a_pipe_is_read_line_by_line() -> None:
    assert isinstance(reader_for_stdin(), LineReader)

"""The real prompt, in a pseudo-terminal: completion, menus, the cover of a hidden choice, and how it ends."""

from __future__ import annotations

import os
import re
import select
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from tests.cli.conftest import random_game
from tikal.cli.reader import LineReader, completions, reader_for_stdin
from tikal.play import Game

PATIENCE = 30.0  # seconds to wait for an answer before the test gives up
_ESCAPES = re.compile(r"\x1b(?:\[[0-9;?=>]*[A-Za-z]|\][^\x07]*\x07|[=>()][A-Z0-9]?)|[\r\x0f]")


class Terminal:
    """A `tikal` that believes it sits in a terminal of 120 columns."""

    def __init__(self, *arguments: str, home: Path, lines: int = 50) -> None:
        import fcntl
        import pty
        import struct
        import termios

        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", lines, 120, 0, 0))
            os.environ.update(TERM="xterm-256color", PROMPT_TOOLKIT_NO_CPR="1", XDG_DATA_HOME=str(home))
            os.execv(sys.executable, [sys.executable, "-m", "tikal.cli", *arguments])
        self._raw = b""

    def hear(self, pattern: str) -> str:
        """Wait until the terminal shows something like this; gives all that was shown up to it, less the escapes."""
        while not (found := re.search(pattern, _plain(self._raw))):
            if (more := self._read()) is None:
                raise AssertionError(f"nothing like {pattern!r} in: {_plain(self._raw)[-2000:]}")
            self._raw += more
        shown = _plain(self._raw)
        self._raw = shown[found.end() :].encode()
        return shown[: found.end()]

    def type(self, keys: str) -> None:
        """Press keys; `\\r` is Enter."""
        os.write(self.fd, keys.encode())

    def end(self) -> int:
        """Wait for the end of the program: its exit code."""
        while self._read() is not None:
            pass
        _, status = os.waitpid(self.pid, 0)
        self.pid = 0
        return os.waitstatus_to_exitcode(status)

    def close(self) -> None:
        """Away with it, whatever it does."""
        if self.pid:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self.fd)

    def _read(self) -> bytes | None:
        """What comes next; None at the end, or when nothing comes."""
        ready, _, _ = select.select([self.fd], [], [], PATIENCE)
        try:
            return (os.read(self.fd, 65536) or None) if ready else None
        except OSError:  # Linux says so when the other end is closed
            return None


def _plain(raw: bytes) -> str:
    return _ESCAPES.sub("", raw.decode("utf-8", "replace"))


@pytest.fixture
def terminals(tmp_path: Path) -> Iterator[list[Terminal]]:
    opened: list[Terminal] = []
    yield opened
    for terminal in opened:
        terminal.close()


def test_playing_at_the_prompt(tmp_path: Path, terminals: list[Terminal]) -> None:
    terminal = Terminal("play", "--seed", "1", home=tmp_path)
    terminals.append(terminal)
    shown = terminal.hear("1 Red>")
    assert "Red places a tile" in shown
    assert "on a3" in shown  # the menu is there without asking
    terminal.type("1\r")
    terminal.hear("turned by 1")
    terminal.hear("1 Red>")
    terminal.type("2\r")
    terminal.hear(r"place A\d \(.*?\) on a3, turned by 1 \[A\d@a3\^1\]")
    terminal.hear("1 Red>")
    terminal.type("+W")
    terminal.hear("a worker enters on a1")  # what completion says of it
    terminal.type("\t\r")
    terminal.hear(r"Red: a worker enters on a1 \[\+W@a1\]")
    terminal.hear("1 Red>")
    terminal.type("X@a2\r")
    terminal.hear("No: X@a2: a member must be on a2")
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


def test_a_killed_terminal_loses_nothing(tmp_path: Path, terminals: list[Terminal]) -> None:
    terminal = Terminal("play", "--seed", "1", home=tmp_path)
    terminals.append(terminal)
    terminal.hear("1 Red>")
    first = random_game("players=2", seed=1, most=0).legal()[0]
    terminal.type(f"{first} +L@a1\r")
    terminal.hear("the leader enters on a1")
    os.kill(terminal.pid, signal.SIGKILL)
    assert terminal.end() == -signal.SIGKILL
    again = Terminal("play", "--resume", home=tmp_path)
    terminals.append(again)
    again.hear("1 Red>")
    again.type("log\r")
    again.hear(r"the leader enters on a1 \[\+L@a1\]")


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
        assert "[J:" not in terminal.hear(f"{name}> press Enter when only you can see")
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


def test_completion_goes_on_from_the_last_word() -> None:
    words = [("X@a2", "excavate"), ("X@b1", "excavate"), ("undo", "take back")]
    assert completions("u", words) == [("undo", "take back")]
    assert completions("+W@a1 X@", words) == words[:2]
    assert completions("+W@a1 ", words) == words
    assert completions("zzz", words) == []


def test_a_pipe_is_read_line_by_line() -> None:
    assert isinstance(reader_for_stdin(), LineReader)

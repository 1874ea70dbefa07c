"""Running `tikal` in a test: its own home, its input, its output."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

from tikal.cli.args import game_from_pairs
from tikal.cli.main import main
from tikal.play import Game


@dataclass(frozen=True)
class Answer:
    """The result of a command."""

    code: int
    out: str
    err: str

    @property
    def complaint(self) -> str:
        """The one line on stderr; there must be no other, and no traceback."""
        lines = self.err.splitlines()
        assert len(lines) == 1, self.err
        assert lines[0].startswith("tikal: "), self.err
        return lines[0].removeprefix("tikal: ")


Run = Callable[..., Answer]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder where this test's games are kept."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("APPDATA", str(tmp_path / "data"))
    monkeypatch.setenv("LC_ALL", "C")
    for name in ("NO_COLOR", "FORCE_COLOR", "TIKAL_DEBUG"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path / "data" / "tikal"


@pytest.fixture
def tikal(home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs `tikal …` with some input."""

    def run(*arguments: str | Path, stdin: str = "") -> Answer:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode()), "utf-8"))
        code = main([str(argument) for argument in arguments])
        return Answer(code, *capsys.readouterr())

    return run


def random_game(*pairs: str, seed: int = 0, most: int | None = None) -> Game:
    """A game of random actions, from the seed's chance; always the same."""
    chance = Random(seed)
    game = game_from_pairs([*pairs, f"seed={seed}"])
    while not game.over and (most is None or len(game.history) < most):
        legal = game.legal()
        # Turns end seldom: most AP should be used.
        busy = [action for action in legal if action != "." or chance.random() < 0.05]
        game.play(chance.choice(busy or legal))
    return game


def lines_of(game: Game) -> str:
    """The actions of a game as typed input: a line for each stretch of one seat."""
    lines: list[list[str]] = []
    seat = 0
    for step in game.history:
        if step.seat != seat:
            lines.append([])
        seat = step.seat
        lines[-1].append(step.action)
    return "".join(f"{' '.join(line)}\n" for line in lines)

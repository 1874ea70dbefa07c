"""`tikal engine` as a process: whole games, and arbitrary bytes."""

from __future__ import annotations

import io
import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from typing import IO, Any

import pytest

from tests.engine.talk import check_form
from tests.kit.games import choose, kinds, options_of
from tikal.engine import protocol
from tikal.engine.protocol import serve
from tikal.play import Game
from tikal.play.records import verify

COMMAND = [sys.executable, "-c", "import sys; from tikal.cli.main import main; sys.exit(main())", "engine"]


def talk(data: bytes) -> list[str]:
    """The answer to these bytes, by the same loop in this process."""
    out = io.BytesIO()
    assert serve(io.BytesIO(data), out) == 0
    return out.getvalue().decode("utf-8").splitlines()


class Process:
    """The engine as another program starts it."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    @property
    def stdin(self) -> IO[bytes]:
        assert self.process.stdin
        return self.process.stdin

    @property
    def stdout(self) -> IO[bytes]:
        assert self.process.stdout
        return self.process.stdout

    def ask(self, line: str) -> list[str]:
        self.stdin.write(f"{line}\n".encode())
        self.stdin.flush()
        answer: list[str] = []
        while not answer or not (answer[-1] == "ok" or answer[-1].startswith("err ")):
            raw = self.stdout.readline()
            assert raw, "the engine is gone"
            answer.append(raw.decode().rstrip("\n"))
        check_form(answer)
        return answer

    def end(self) -> tuple[int, str]:
        """Its exit code and its errors."""
        self.stdin.close()
        assert self.stdout.read() == b""
        assert self.process.stderr
        said = self.process.stderr.read().decode()
        return self.process.wait(timeout=120), said


@pytest.fixture
def engine() -> Iterator[Process]:
    made = Process()
    yield made
    made.process.kill()
    made.process.wait()
    for pipe in (made.process.stdin, made.process.stdout, made.process.stderr):
        assert pipe
        with suppress(BrokenPipeError):
            pipe.close()


@pytest.mark.parametrize("kind", ["basic", "boulders", "taker decides", "leaps with all"])
def test_a_whole_game_is_driven_through_a_process(engine: Process, kind: str) -> None:
    rng = random.Random(kind)
    game = Game.new(options_of(kind), seed="pipe")
    pairs = " ".join(f"{name}={value}" for name, value in game.options.pairs().items())
    assert engine.ask(f"newgame {pairs} edition={game.options.edition} seed=pipe") == ["ok"]
    while not game.over:
        if rng.random() < 0.1:
            assert engine.ask("legal") == [" ".join(game.legal()), "ok"]
            assert json.loads(engine.ask("status")[0]) == game.status()
        action = choose(game, rng)
        game.play(action)
        assert engine.ask(f"play {action}") == ["ok"]
    assert engine.ask("legal") == ["", "ok"]
    record = engine.ask("record")[:-1]
    assert "\n".join(record) + "\n" == game.record()
    assert verify("\n".join(record)).ok
    assert engine.ask("quit") == ["ok"]
    assert engine.end() == (0, "")


def test_the_end_of_the_input_is_the_end(engine: Process) -> None:
    assert engine.ask("newgame seed=1") == ["ok"]
    assert engine.end() == (0, "")


def test_quit_ends_it_and_later_input_is_not_read() -> None:
    assert talk(b"newgame seed=1\nquit\nlegal\n") == ["ok", "ok"]
    assert talk(b"  quit  \n") == ["ok"]
    assert talk(b"quit now\nquit") == ["err usage: quit takes no arguments", "ok"]


def test_a_last_line_without_an_end_is_answered() -> None:
    assert talk(b"newgame seed=1\nundo 1")[-1] == "err undo: can't take back 1 actions: nothing has been played"


def test_nothing_is_answered_to_nothing() -> None:
    assert talk(b"") == []
    assert talk(b"\n\n \n\t\n\r\n") == []


def test_lines_may_end_as_on_windows() -> None:
    assert talk(b"newgame seed=1\r\nplay nonsense\r\nquit\r\n")[1].startswith("err illegal: nonsense: no action")


def test_binary_is_answered_with_errors() -> None:
    rng = random.Random(1)
    data = b"newgame seed=1\n" + b"\n".join(rng.randbytes(200).replace(b"\n", b" ") for _ in range(200)) + b"\nlegal\n"
    answer = talk(data)
    assert answer[0] == answer[-1] == "ok"
    assert all(line.startswith("err ") for line in answer[1:-2])
    assert not any("internal error" in line for line in answer)


@pytest.mark.parametrize(
    "data", [b"\xff\xfe\n", b"\x00\n", b"play \xf0\x28\x8c\x28\n", "пла́й\n".encode(), b"\x1b[31m\n"]
)
def test_strange_bytes_are_answered_in_one_line(data: bytes) -> None:
    answer = talk(b"newgame seed=1\n" + data)
    assert len(answer) == 2
    assert answer[1].startswith("err ")


def test_lines_of_a_megabyte_are_answered_shortly() -> None:
    long = b"A" * 2**20
    lines = [long, b"play " + long, b"play " + b". " * 2**19, b"newgame seed=" + long, b"load " + long,
             b"load [" + b"1," * 2**19 + b"1]", b"position " + b"[" * 2**20, b"view " + long, b"undo " + b"1" * 2**20,
             b"newgame " + b"a=1 " * 2**18, b"newgame deck=" + b"A1," * 2**18 + b" treasures=1"]  # fmt: skip
    answer = talk(b"newgame seed=1\n" + b"\n".join(lines) + b"\nlegal\n")
    assert answer[0] == answer[-1] == "ok"
    errors = answer[1:-2]
    assert len(errors) == len(lines)
    assert all(line.startswith("err ") and len(line) < 600 and "internal error" not in line for line in errors)


def test_a_line_that_is_too_long_is_refused_as_a_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "LINE_LIMIT", 64)
    too_long = "err usage: a line must be shorter than 0 MiB"
    legal = b"legal" + b" " * 58
    assert talk(b"newgame seed=1\n" + legal + b"\n")[-1] == "ok"  # 64 bytes with its end
    assert talk(b"newgame seed=1\n" + legal + b" \nundo 1\n")[1:] == [
        too_long, "err undo: can't take back 1 actions: nothing has been played",
    ]  # fmt: skip
    for size in (64, 65, 127, 128, 129, 1000):
        assert talk(b"x" * size + b"\nquit\n") == [too_long, "ok"]
        assert talk(b"x" * size) == [too_long]
    assert talk("é".encode() * 40 + b"\nquit\n") == [too_long, "ok"]


def test_a_line_of_more_than_the_limit_is_survived() -> None:
    answer = talk(b"newgame seed=1\nplay " + b"x" * (protocol.LINE_LIMIT + 10) + b"\nquit\n")
    assert answer == ["ok", "err usage: a line must be shorter than 16 MiB", "ok"]


def test_a_closed_reader_is_not_an_error(engine: Process) -> None:
    """The other program has closed its end: the engine ends quietly."""
    assert engine.ask("newgame seed=1") == ["ok"]
    engine.stdout.close()
    with suppress(BrokenPipeError):
        for _ in range(2000):
            engine.stdin.write(b"state\n" * 50)
            engine.stdin.flush()
    assert engine.process.stderr
    assert engine.process.wait(timeout=120) == 0
    assert engine.process.stderr.read() == b""


def test_a_closed_input_is_the_end() -> None:
    done = subprocess.run(COMMAND, stdin=None, capture_output=True, check=True, timeout=120, **closed_input())
    assert (done.stdout, done.stderr) == (b"", b"")


def closed_input() -> dict[str, Any]:
    return {"preexec_fn": lambda: os.close(0)} if os.name == "posix" else {"stdin": subprocess.DEVNULL}


@pytest.mark.parametrize("kind", kinds(1))
def test_games_of_every_kind_can_be_started_and_shown(kind: str) -> None:
    pairs = " ".join(f"{name}={value}" for name, value in options_of(kind).pairs().items())
    answer = talk(f"newgame {pairs} seed=1\nlegal\nstatus\nstate\nview 1\nrecord\nperft 1\n".encode())
    assert answer.count("ok") == 7
    assert not any(line.startswith("err ") for line in answer)

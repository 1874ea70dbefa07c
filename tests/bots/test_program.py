"""Programs as bots: our own engine, and small scripts that do everything wrong."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.bots.samples import PHASES, by_phase
from tikal.bots import Bot, BotError, make
from tikal.bots.program import ANSWER_LIMIT, Program, split_command
from tikal.play import Game
from tikal.rules.options import Options

ENGINE = f"{shlex.quote(sys.executable)} -m tikal.cli engine"
PATIENCE = 30.0  # seconds for a process to be gone

# A well-behaved program; the test inserts its reaction to `best`.
SCRIPT = """
import os, subprocess, sys, time
for line in sys.stdin:
    word = line.split()[0]
    if word == "info":
        print("id script 1\\nlevel weak\\nlevel strong\\nok", flush=True)
    elif word == "best":
        {best}
    else:
        print("ok", flush=True)
"""

Make = Callable[..., Program]


@pytest.fixture
def script(tmp_path: Path) -> Iterator[Make]:
    """Makes a bot of a script that runs this code when it gets `best`."""
    made: list[Program] = []

    def make_bot(best: str, settings: str = "wait=60", text: str = SCRIPT, wait: int | None = None) -> Program:
        path = tmp_path / f"bot{len(made)}.py"
        path.write_text(text.replace("{best}", best))
        made.append(Program(f"{settings} {shlex.quote(sys.executable)} {shlex.quote(str(path))}"))
        if wait is not None:  # a short timeout only after the start, which may be slow on a busy machine
            made[-1]._start()
            made[-1]._wait = wait
        return made[-1]

    yield make_bot
    for bot in made:
        bot.close()


@pytest.fixture
def view() -> dict[str, object]:
    return Game.new(Options(), seed="42").view(1)


def complaint(bot: Bot, view: dict[str, object], code: str = "bot") -> str:
    """The error of a bot that fails: one line that names the program."""
    with pytest.raises(BotError) as caught:
        bot.plan(view, 1)
    assert caught.value.code == code
    text = str(caught.value)
    assert text.startswith(f"{bot.name}: ")
    assert "\n" not in text
    return text.removeprefix(f"{bot.name}: ")


def alive(process: int) -> bool:
    """Whether a process runs; a zombie does not."""
    told = subprocess.run(["ps", "-o", "stat=", "-p", str(process)], capture_output=True, text=True, check=False)
    return bool(told.stdout.strip()) and not told.stdout.strip().startswith("Z")


def gone(process: int) -> bool:
    """Waits for the end of a process."""
    end = time.monotonic() + PATIENCE
    while alive(process) and time.monotonic() < end:
        time.sleep(0.05)
    return not alive(process)


def test_our_engine_plays_like_our_levels() -> None:
    bots = {level: make(f"program:level={level} {ENGINE}") for level in ("tourist", "surveyor")}
    try:
        for phase in PHASES:
            game = by_phase(phase)[0]
            for level, bot in bots.items():
                assert bot.plan(game.view(game.seat), 4) == make(level).plan(game.view(game.seat), 4)
    finally:
        for bot in bots.values():
            bot.close()


def test_settings_reach_the_program() -> None:
    game = by_phase("place")[0]
    bot = Program(f"level=professor nodes=300 {ENGINE}")
    try:
        assert bot.plan(game.view(game.seat), 2) == make("professor:nodes=300").plan(game.view(game.seat), 2)
    finally:
        bot.close()


def test_it_gets_the_last_level_and_the_seed(script: Make, view: dict[str, object]) -> None:
    bot = script('print(".") if line == "best level=strong seed=1\\n" else print(repr(line)); print("ok", flush=True)')
    assert bot.plan(view, 1) == ["."]
    weak = script(
        'print(".") if "level=weak time=9 seed=1" in line else 0; print("ok", flush=True)', "level=weak time=9"
    )
    assert weak.plan(view, 1) == ["."]
    assert not weak.deterministic
    assert bot.deterministic


def test_it_gets_the_view_of_its_seat_and_no_more(script: Make, tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    text = SCRIPT.replace("word = line", f"open({str(heard)!r}, 'a').write(line); word = line")
    bot = script('print(".\\nok", flush=True)', text=text)
    game = by_phase("act")[0]
    bot.plan(game.view(game.seat), 1)
    commands = [line.split()[0] for line in heard.read_text().splitlines()]
    assert commands == ["info", "position", "best"]
    assert "unseen_tiles" in heard.read_text()
    assert '"deck"' not in heard.read_text()


@pytest.mark.parametrize(
    ("best", "said"),
    [
        ("sys.exit(3)", "ended with exit code 3 instead of answering `best`"),
        ("sys.exit('no idea')", "ended with exit code 1 (it said: 'no idea') instead of answering `best`"),
        ("os.kill(os.getpid(), 11)", "was ended by signal 11 instead of answering `best`"),
        ("print('err illegal: I resign', flush=True)", "answered `best` with 'err illegal: I resign'"),
        ("print('ok', flush=True)", "answered `best` with nothing instead of one line of actions"),
        ("print('\\nok', flush=True)", "answered `best` with '' instead of one line of actions"),
        ("print('.\\n.\\nok', flush=True)", "answered `best` with '. / .' instead of one line of actions"),
        ("print('e2e4\\nok', flush=True)", "answered `best` with 'e2e4', which is no action"),
        ("print('+W@a1 +W@z9\\nok', flush=True)", "answered `best` with '+W@z9', which is no action"),
        ("print('x' * 5000 + '\\nok', flush=True)", f"answered `best` with '{'x' * 80}…', which is no action"),
        ("os.write(1, b'\\xff\\xfe\\nok\\n')", "which is no action"),
    ],
)
def test_wrong_answers(script: Make, view: dict[str, object], best: str, said: str) -> None:
    bot = script(best)
    assert said in complaint(bot, view)
    assert said in complaint(bot, view)  # it is restarted, and does it again


@pytest.mark.parametrize("flood", ["print('x' * 10000)", "os.write(1, b'x' * 65536)", "os.write(1, bytes(65536))"])
def test_a_flood_is_stopped(script: Make, view: dict[str, object], flood: str) -> None:
    bot = script(f"while True: {flood}")
    assert complaint(bot, view) == f"answered `best` with more than {ANSWER_LIMIT >> 20} MiB"


def test_complaints_may_be_long(script: Make, view: dict[str, object]) -> None:
    """A full pipe of errors must not stop a program that answers."""
    bot = script("os.write(2, b'warning ' * 100000); print('.\\nok', flush=True)")
    assert bot.plan(view, 1) == ["."]


def test_a_program_that_hangs_times_out(script: Make, view: dict[str, object]) -> None:
    bot = script("time.sleep(600)", wait=1)
    assert complaint(bot, view, "timeout") == "did not answer `best` within 1 s"


def test_a_slow_drip_is_not_an_answer(script: Make, view: dict[str, object]) -> None:
    bot = script("while True: print('thinking', flush=True); time.sleep(0.05)", wait=1)
    assert complaint(bot, view, "timeout") == "did not answer `best` within 1 s"


def test_time_to_think_is_not_waiting(script: Make, view: dict[str, object]) -> None:
    bot = script("time.sleep(1.5); print('.\\nok', flush=True)", "wait=1 time=60000")
    assert bot.plan(view, 1) == ["."]


def test_a_closed_output(script: Make, view: dict[str, object]) -> None:
    assert "closed its output instead of answering `best`" in complaint(script("os.close(1); time.sleep(600)"), view)


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("true", "ended with exit code 0 instead of answering `info`"),
        ("cat", "its `info` names no level"),
        ("yes", "answered `info` with more than 1 MiB"),
    ],
)
def test_programs_that_are_no_engines(view: dict[str, object], command: str, said: str) -> None:
    # cat repeats the question and never says ok
    bot = Program("wait=20 sh -c 'read line; echo ok; cat'" if command == "cat" else f"wait=20 {command}")
    try:
        assert complaint(bot, view) == said
    finally:
        bot.close()


def test_a_level_that_it_does_not_have(script: Make, view: dict[str, object]) -> None:
    bot = script("pass", "level=divine")
    assert complaint(bot, view, "option") == "has no level divine; there are weak, strong"


def test_after_a_failure_it_restarts(script: Make, view: dict[str, object], tmp_path: Path) -> None:
    flag = tmp_path / "flag"
    bot = script(f"""
        if not os.path.exists({str(flag)!r}):
            open({str(flag)!r}, "w")
            sys.exit(1)
        print(".\\nok", flush=True)""")
    complaint(bot, view)
    assert bot.plan(view, 1) == ["."]


def test_one_process_answers_many_questions(script: Make, view: dict[str, object], tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    bot = script(f'open({str(pids)!r}, "a").write(f"{{os.getpid()}}\\n"); print(".\\nok", flush=True)')
    for _ in range(3):
        bot.plan(view, 1)
    assert len(set(pids.read_text().split())) == 1
    bot.close()
    assert gone(int(pids.read_text().split()[0]))
    bot.close()
    assert bot.plan(view, 1) == ["."]


FAMILY = """
        child = subprocess.Popen(["sleep", "600"])
        open(PIDS, "w").write(f"{os.getpid()} {child.pid}")
        time.sleep(600)"""


def test_a_hanging_program_is_ended_with_all_it_has_started(
    script: Make, view: dict[str, object], tmp_path: Path
) -> None:
    pids = tmp_path / "pids"
    bot = script(FAMILY.replace("PIDS", repr(str(pids))), wait=2)
    complaint(bot, view, "timeout")
    assert all(gone(int(process)) for process in pids.read_text().split())


def test_a_child_in_another_group_does_not_block_us(script: Make, view: dict[str, object], tmp_path: Path) -> None:
    """It keeps the program's output open, from another process group."""
    pids = tmp_path / "pids"
    away = FAMILY.replace('"600"]', '"600"], start_new_session=True').replace("PIDS", repr(str(pids)))
    bot = script(away, wait=2)
    complaint(bot, view, "timeout")
    program, runaway = map(int, pids.read_text().split())
    os.kill(runaway, signal.SIGKILL)
    assert gone(program)


@pytest.mark.usefixtures("interruptible")
def test_an_interrupt_ends_the_program(script: Make, view: dict[str, object], tmp_path: Path) -> None:
    """The answer to an interrupted question must not be taken for the next one."""
    flag = tmp_path / "flag"
    bot = script(f"""
        first = not os.path.exists({str(flag)!r})
        open({str(flag)!r}, "w")
        if first:
            time.sleep(0.3)  # an interrupt must not hit CPython while it starts the thread that asks
            os.kill({os.getpid()}, 2)
            time.sleep(0.5)
        print("+W@a1" if first else ".", "ok", sep="\\n", flush=True)""")
    with pytest.raises(KeyboardInterrupt):
        bot.plan(view, 1)
    assert bot.plan(view, 1) == ["."]


def test_when_we_are_killed_the_program_goes_too(tmp_path: Path, view: dict[str, object]) -> None:
    pids = tmp_path / "pids"
    path = tmp_path / "bot.py"
    path.write_text(SCRIPT.replace("{best}", FAMILY.replace("PIDS", repr(str(pids)))))
    ask = (
        "from tikal.bots.program import Program; from tikal.play import Game; from tikal.rules.options import Options\n"
        f"Program({f'{shlex.quote(sys.executable)} {shlex.quote(str(path))}'!r}).plan(Game.new(Options()).view(1), 1)"
    )
    with subprocess.Popen([sys.executable, "-c", ask]) as asker:
        end = time.monotonic() + PATIENCE
        while not (pids.exists() and len(pids.read_text().split()) == 2) and time.monotonic() < end:
            time.sleep(0.05)
        asker.kill()
    assert all(gone(int(process)) for process in pids.read_text().split())


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("", "the command is missing"),
        ("level=weak", "the command is missing"),
        ("no-such-program", "there is no program no-such-program that can be run"),
        ("'unclosed", "can't be taken apart"),
        ("level=a level=b true", "level needs one value"),
        ("level= true", "level needs one value"),
        ("nodes=0 true", "nodes=0 must be a number from 1"),
        ("time=5 nodes=5 true", "nodes and time exclude each other"),
        ("wait=0 true", "wait=0 must be seconds from 1 to 3600"),
        ("wait=soon true", "wait=soon must be seconds"),
        ("wait=99999999999999999999 true", "must be seconds"),
    ],
)
def test_impossible_commands_are_refused(command: str, said: str) -> None:
    with pytest.raises(BotError) as caught:
        make(f"program:{command}")
    assert caught.value.code == "option"
    assert said in str(caught.value)


def test_only_settings_of_ours_are_taken_off_a_command() -> None:
    settings, words = split_command("nodes=5 env HOME=/ bot level=3")
    assert settings == {"nodes": "5"}
    assert words == ["env", "HOME=/", "bot", "level=3"]

"""`tikal` itself: arguments, exit codes, errors in one line."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.kit.commands import Run
from tikal import __version__, _compiled
from tikal.cli import main as module
from tikal.cli.main import COMMANDS, main, parser_for


def test_without_a_command_it_explains_itself(tikal: Run) -> None:
    answer = tikal()
    assert answer.code == 2
    assert "exit codes:" in answer.out
    assert all(command.name in answer.out for command in COMMANDS)


def test_help_is_not_an_error(tikal: Run) -> None:
    answer = tikal("--help")
    assert (answer.code, answer.err) == (0, "")
    assert "examples:" in answer.out


EXPLAINED = ["play", "replay", "picture", "verify", "habits", "learn", "engine", "perft", "completion"]


@pytest.mark.parametrize("name", EXPLAINED)
def test_every_command_has_help_with_examples(tikal: Run, name: str) -> None:
    answer = tikal(name, "--help")
    assert (answer.code, answer.err) == (0, "")
    assert "example" in answer.out
    assert f"tikal {name}" in answer.out


def test_version_says_whether_it_is_compiled(tikal: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_compiled, "mode", lambda: ("compiled", ""))
    assert tikal("--version").out == f"tikal {__version__} (compiled)\n"
    monkeypatch.setattr(_compiled, "mode", lambda: ("uncompiled", "no compiler"))
    answer = tikal("--version")
    assert answer.out == f"tikal {__version__} (uncompiled: no compiler)\n"
    assert answer.code == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["dance"], "invalid choice: 'dance'"),
        (["play", "--dance"], "--dance"),
        (["play", "--players", "two"], "'two'"),
        (["play", "--players", "5"], "must be one of 2, 3, 4"),
        (["play", "--edition", "third"], "'third'"),
        (["play", "-o", "auction"], "must be KEY=VALUE"),
        (["play", "-o", "auction=perhaps"], "auction=perhaps: must be one of"),
        (["play", "-o", "dance=true"], "dance: no such option"),
        (["play", "-o", "auction=true", "-o", "auction=true"], "given twice"),
        (["play", "-o", "players=3", "--players", "3"], "given twice"),
        (["play", "--seed", "two words"], "seed: 1 to 200 printable"),
        (["play", "--seed", "1", "--deck", "A1", "--treasures", "1"], "one or the other"),
        (["play", "--deck", "A1", "--treasures", "1,x"], "treasures: numbers separated"),
        (["play", "--names", "Ann"], "give 2 names"),
        (["play", "--names", "Ann,"], "give 2 names"),
        (["play", "--names", 'Ann,"'], "must not contain quotation marks"),
        (["play", "--resume"], "you have no unfinished game"),
        (["play", "--resume", "--load", "x"], "not allowed with"),
        (["replay"], "RECORD"),
        (["perft"], "DEPTH"),
        (["perft", "99"], "must be 0 to 12"),
        (["perft", "1", "--after", "X@a2"], "X@a2"),
        (["completion", "cmd"], "'cmd'"),
        (["picture", "--at", "1", "-o"], "-o"),
    ],
)
def test_wrong_arguments(tikal: Run, home: Path, arguments: list[str], said: str) -> None:
    answer = tikal(*arguments)
    assert answer.code == 2
    assert said in answer.complaint
    assert answer.out == ""
    assert not home.exists()


def test_errors_name_the_help_that_fits(tikal: Run) -> None:
    assert tikal("play", "--dance").complaint.endswith("(try: tikal play --help)")
    assert tikal("perft", "x").complaint.endswith("(try: tikal perft --help)")
    assert tikal("--dance").complaint.endswith("(try: tikal --help)")


def test_a_command_that_is_not_installed(tikal: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "COMMANDS", (module.Command("fly", "tikal.cli.fly", "fly away"),))
    answer = tikal("fly")
    assert (answer.code, answer.complaint) == (2, "fly: this installation has no tikal.cli.fly")


def test_a_fault_of_ours_is_one_line_too(tikal: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("two\nlines")

    monkeypatch.setattr(module, "_run", fail)
    answer = tikal("play")
    assert answer.code == 3
    assert "a fault in tikal itself" in answer.complaint
    monkeypatch.setenv("TIKAL_DEBUG", "1")
    assert "Traceback" in tikal("play").err


def test_an_interrupt_has_its_own_code(tikal: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "_run", interrupt)
    answer = tikal("play")
    assert (answer.code, answer.complaint) == (130, "interrupted")


def test_other_system_errors_are_reported(tikal: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise PermissionError(13, "Permission denied", "game.tikal")

    monkeypatch.setattr(module, "_run", fail)
    answer = tikal("play")
    assert (answer.code, answer.complaint) == (2, "game.tikal: Permission denied")


def test_only_the_command_that_is_used_gets_imported() -> None:
    script = "import sys; from tikal.cli.main import parser_for; parser_for(['engine']); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.split()
    assert "tikal.cli.engine" in loaded
    for heavy in ("rich", "prompt_toolkit", "shtab", "tikal.play", "tikal.cli.play", "tikal.cli.board"):
        assert heavy not in loaded


def test_a_reader_that_stops_early_is_not_an_error() -> None:
    command = [sys.executable, "-m", "tikal.cli", "perft", "3", "players=4", "seed=1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert "Traceback" not in process.stderr.read()
        assert process.wait() == 0


@pytest.mark.parametrize("words", [["bots"], ["replay", "--no-input", "board.tikal"], ["habits", "board.tikal"]])
def test_a_closed_pipe_is_not_an_error_either(words: list[str]) -> None:
    here = Path(__file__).parent
    command = [sys.executable, "-m", "tikal.cli", *words]
    with subprocess.Popen(command, cwd=here, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == ""
        assert process.wait() == 0


def test_main_takes_the_arguments_of_the_process(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["tikal", "--version"])
    assert main() == 0
    assert capsys.readouterr().out.startswith("tikal ")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "tcsh", "powershell"])
def test_completion_knows_commands_and_options(tikal: Run, shell: str) -> None:
    answer = tikal("completion", shell)
    assert (answer.code, answer.err) == (0, "")
    for word in ("play", "replay", "verify", "perft"):
        assert word in answer.out
    assert "edition" in answer.out


def test_a_bash_that_reads_the_script_completes(tikal: Run, tmp_path: Path) -> None:
    script = tmp_path / "tikal.bash"
    script.write_text(tikal("completion", "bash").out)
    ask = 'COMP_WORDS=(tikal rep); COMP_CWORD=1; _shtab_tikal; echo "${COMPREPLY[@]}"'
    answer = subprocess.run(["bash", "-c", f"source '{script}'; {ask}"], capture_output=True, text=True, check=True)
    assert answer.stdout.split() == ["replay"]


def test_parsers_do_not_guess_abbreviations() -> None:
    assert parser_for(["play"]).parse_args(["play", "--players", "3"]).players == 3
    assert main(["play", "--player", "3"]) == 2

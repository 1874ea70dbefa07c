"""The README's examples run as they are, one after the other."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

README = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
ANYTHING = "…"  # in what a command answers


def blocks(language: str) -> list[str]:
    """The code blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def steps(block: str) -> list[tuple[str, str]]:
    """The commands of a console block, each with its output."""
    found = re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE)
    assert found, block
    return found


def fits(answer: str, shown: str) -> bool:
    """Whether an output matches the README; an ellipsis matches anything, even many lines."""
    pattern = ".*".join(map(re.escape, shown.rstrip("\n").split(ANYTHING)))
    return re.fullmatch(pattern, answer.rstrip("\n"), re.DOTALL) is not None


def test_python() -> None:
    text = "\n".join(blocks("python"))
    assert text.count(">>>") > 20
    runner = doctest.DocTestRunner(verbose=False)
    said: list[str] = []
    runner.run(doctest.DocTestParser().get_doctest(text, {}, "README.md", "README.md", 0), out=said.append)
    assert runner.failures == 0, "".join(said)


@pytest.mark.slow
def test_shell(tmp_path: Path) -> None:
    commands = [step for block in blocks("console") for step in steps(block)]
    used = {word for command, _told in commands for word in re.findall(r"tikal (\w+)", command)}
    assert used >= {"replay", "engine", "perft", "verify", "arena", "bots"}
    environment = {**os.environ, "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])}
    for command, shown in commands:
        done = subprocess.run(
            ["bash", "-o", "pipefail", "-c", command],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert done.returncode == 0, (command, done.stderr)
        assert fits(done.stdout, shown), (command, done.stdout)


@pytest.mark.parametrize(
    ("answer", "shown", "fit"),
    [
        ("total 72\n", "total 72\n", True),
        ("total 720\n", "total 72\n", False),
        ("ok  277 actions\nok\n", "ok  … actions\nok\n", True),
        ("ok\nerr\n", "ok\n", False),
        ("", "ok\n", False),
        ("a\nb\nc\n", "a\n…\n", True),
        ("x\n", "a\n…\n", False),
    ],
)
def test_an_answer_is_compared(answer: str, shown: str, fit: bool) -> None:
    assert fits(answer, shown) is fit

"""Every path, name and command that a page mentions exists."""

from __future__ import annotations

import re
from argparse import ArgumentParser
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

from tikal.cli.main import COMMANDS, parser_for

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob(".github/*.md")])
PAGES.remove(ROOT / "CHANGELOG.md")  # mentions the past, too
BASES = ("", "src", "src/tikal", "src/tikal/server", "web", "web/src", "docs", "tests")
FILE = re.compile(r"[\w.@-]+(?:/[\w.@-]+)*\.(?:py|pxd|toml|json|md|svg|css|ts|svelte|js|sh|conf|service|txt|yml|cff)")
MADE = {"game.tikal", "board.svg", "match.json", "run.json", "qr.svg"}  # examples, and what is made on the way
NAME = re.compile(r"(?<![\w/])tikal(?:\.(?!example\b)\w+)+")
COMMAND = re.compile(r"(?:^|[|;&$] )(?:\.venv/bin/)?tikal ([a-z][a-z-]*(?: [^|&;]*)?)")


def code(page: Path) -> list[str]:
    """The code on a page: in backticks, or a line of a block."""
    text = page.read_text("utf-8")
    blocks = re.findall(r"^```\w*\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    inline = re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL))
    return [*inline, *(line for block in blocks for line in block.splitlines())]


def missing_paths(page: Path) -> list[str]:
    """Files and folders of the project that a page names and that do not exist."""
    named = [word for word in code(page) if FILE.fullmatch(word) and Path(word).name not in MADE]
    named += [word for word in code(page) if re.fullmatch(r"[\w-]+(?:/[\w-]+)*/", word)]
    places = [page.parent, *(ROOT / base for base in BASES)]
    return [word for word in named if not any((place / word).exists() for place in places)]


def missing_names(page: Path) -> list[str]:
    """Python names that a page mentions and that do not exist."""
    found = {name for line in code(page) for name in NAME.findall(line)}
    return sorted(name for name in found if not exists(name))


def exists(name: str) -> bool:
    """Whether a dotted name is a module, or something in one.

    >>> exists("tikal.play.Game.new"), exists("tikal.play.Gmae")
    (True, False)
    """
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        try:
            found = import_module(".".join(parts[:length]))
        except ImportError:
            continue
        for part in parts[length:]:
            found = getattr(found, part, None)  # type: ignore[assignment]
        return found is not None
    return False


@cache
def options(command: str) -> set[str]:
    """The options of a command of ours."""
    parser: ArgumentParser = parser_for([command])
    return set(re.findall(r"(?<!\w)--?[a-z][\w-]*", subcommand(parser, command).format_help()))


def subcommand(parser: ArgumentParser, name: str) -> ArgumentParser:
    """The parser of one command."""
    for action in parser._actions:
        if isinstance(action.choices, dict) and name in action.choices:
            found: ArgumentParser = action.choices[name]
            return found
    return parser


def wrong_commands(page: Path) -> list[str]:
    """Commands on a page that do not exist, or lack an option."""
    wrong = []
    for line in code(page):
        for words in COMMAND.findall(line.partition("  #")[0]):
            command, *rest = words.split()
            used = {word.partition("=")[0] for word in rest if re.match(r"--?[a-z]", word)}
            if command not in {each.name for each in COMMANDS} or used - options(command):
                wrong.append(f"tikal {words}")
    return wrong


def wrong_verbs(page: Path) -> list[str]:
    """Make targets on a page that the Makefile does not have."""
    verbs = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    used = {verb for line in code(page) for verb in re.findall(r"^make ([a-z]+)", line)}
    return sorted(used - verbs)


@pytest.mark.parametrize("check", [missing_paths, missing_names, wrong_commands, wrong_verbs], ids=lambda f: f.__name__)
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_everything_that_a_page_mentions_exists(page: Path, check: object) -> None:
    assert callable(check)
    assert check(page) == []


@pytest.mark.parametrize(
    ("text", "check"),
    [
        ("see `rules/cores.py`", missing_paths),
        ("see `tests/nowhere/`", missing_paths),
        ("ask `tikal.play.Gmae`", missing_names),
        ("say `tikal replya x`", wrong_commands),
        ("```sh\ntikal play --bots 2=digger\n```", wrong_commands),
        ("say `make tset`", wrong_verbs),
    ],
)
def test_missing_things_are_detected(tmp_path: Path, text: str, check: object) -> None:
    page = tmp_path / "page.md"
    page.write_text(text + "\n", "utf-8")
    assert callable(check)
    assert len(check(page)) == 1

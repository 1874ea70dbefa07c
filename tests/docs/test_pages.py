"""The pages are true: links, examples, commands, names of files, the version."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

import tikal
from tests.kit import architecture
from tests.kit.pages import broken_links
from tikal.bots import LEVELS
from tikal.cli.main import COMMANDS
from tikal.rules.options import EDITIONS, VARIANTS

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
ARCHITECTURE = ROOT / "docs" / "architecture.md"
DECISIONS = ROOT / "docs" / "decisions"
RULES = ROOT / "docs" / "rules"
PERFORMANCE = ROOT / "docs" / "performance.md"


def text_of(page: Path) -> str:
    return page.read_text("utf-8")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page: Path) -> None:
    assert broken_links(page) == []


def test_readme_leads_to_every_page() -> None:
    pages = [page for page in PAGES if page.parent != DECISIONS and page.parent.parent != RULES and page != README]
    assert [page for page in pages if page not in linked(README)] == []  # translated rules are reached in the app
    assert [page for page in DECISIONS.glob("0*.md") if page not in linked(DECISIONS / "README.md")] == []
    assert DECISIONS / "README.md" in linked(README)


def linked(page: Path) -> set[Path]:
    """The files that a page links to."""
    return {(page.parent / link).resolve() for link in re.findall(r"\]\(([^)#\s]+)", text_of(page))}


def test_readme_names_every_command_edition_variant_and_level() -> None:
    text = text_of(README)
    names = [f"tikal {command.name}" for command in COMMANDS]
    names += [f"`{name}`" for name in (*EDITIONS, *VARIANTS, *LEVELS)]
    assert [name for name in names if name not in text] == []


def test_readme_names_the_authors_and_says_that_it_is_not_official() -> None:
    notice = text_of(README).partition("## Fair notice")[2]
    assert all(words in notice for words in ("Wolfgang Kramer and Michael Kiesling", "unofficial", "MIT"))


def test_changelog_knows_the_version() -> None:
    assert re.search(rf"(?<![\d.]){re.escape(tikal.__version__)}(?![\d.])", text_of(ROOT / "CHANGELOG.md"))


def test_architecture_names_files_that_exist() -> None:
    named = set(re.findall(r"`([\w./]+\.(?:py|pxd|toml|json|md))`", text_of(ARCHITECTURE)))
    assert len(named) > 20
    assert sorted(name for name in named if not any((ROOT / at / name).exists() for at in ("", "src/tikal"))) == []


def test_performance_names_commands_that_exist() -> None:
    named = set(re.findall(r"-m benchmarks\.(\w+)", text_of(PERFORMANCE)))
    assert named == {path.stem for path in (ROOT / "benchmarks").glob("*.py")} - {"rounds", "bots_release"}


def test_the_picture_of_the_architecture_is_drawn_from_the_imports_as_they_are() -> None:
    again = "python -m tests.kit.architecture draws it again"
    assert text_of(architecture.PICTURE) == architecture.drawn(architecture.arrows()), again
    assert doctest.testmod(architecture).failed == 0

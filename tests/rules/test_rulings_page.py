"""The page of the rulings leads to the code and to the tests, and these exist."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "rules" / "rulings.md"
ROWS = re.findall(r'^\| <a id="r(\d+)"></a>R\1 \|(.*)\|([^|]*)\|([^|]*)\|$', PAGE.read_text("utf-8"), re.MULTILINE)


def links(cell: str) -> list[tuple[str, Path]]:
    """The names in a cell, and the files they link to."""
    return [(name, PAGE.parent / path) for name, path in re.findall(r"\[`([\w.]+)`\]\(([^)]+)\)", cell)]


def names(file: Path) -> set[str]:
    """Functions of a file, and methods with their classes."""
    found = set()
    for node in ast.parse(file.read_text("utf-8")).body:
        if isinstance(node, ast.FunctionDef):
            found.add(node.name)
        elif isinstance(node, ast.ClassDef):
            found |= {f"{node.name}.{part.name}" for part in ast.walk(node) if isinstance(part, ast.FunctionDef)}
    return found


@pytest.mark.parametrize(
    ("number", "code", "test"), [(row[0], row[2], row[3]) for row in ROWS], ids=[row[0] for row in ROWS]
)
def test_a_ruling_leads_to_its_code_and_its_tests(number: str, code: str, test: str) -> None:
    assert links(code), "no code"
    for name, file in links(code):
        assert name in names(file)
    named = {name for name, _ in links(test)}
    written = {
        name for name in names(ROOT / "tests" / "rules" / "test_rulings.py") if name.startswith(f"test_r{number:0>2}_")
    }
    assert named == written != set()


def test_all_rulings_are_on_the_page() -> None:
    assert [int(number) for number, *_ in ROWS] == list(range(1, 22))

"""The two halves of a compiled module declare the same names.

Cython does not mind an attribute that is missing from the `.pxd` (it becomes a slow Python attribute, or an
error far away), nor a constant that has another value there. So the two files are compared here.
"""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.build.conftest import ROOT

SOURCE = ROOT / "src"
STEMS = sorted(path.with_suffix("") for path in SOURCE.rglob("*.pxd") if path.with_suffix(".py").exists())
BOTH = pytest.mark.parametrize("stem", STEMS, ids=lambda stem: stem.relative_to(SOURCE).as_posix())


@dataclass
class Declared:
    """What a `.pxd` says."""

    text: str
    bases: dict[str, str] = field(default_factory=dict)  # class -> the class it builds on, or ""
    attributes: dict[str, set[str]] = field(default_factory=dict)  # by class
    methods: dict[str, set[str]] = field(default_factory=dict)  # by class
    functions: set[str] = field(default_factory=set)
    constants: dict[str, int] = field(default_factory=dict)

    def uses(self, name: str) -> bool:
        """Whether C code in the `.pxd` itself uses a declared name."""
        return len(re.findall(rf"\b{name}\b", self.text)) > 1


def declared(path: Path) -> Declared:
    """Read a `.pxd` as far as this check needs it."""
    found = Declared(path.read_text("utf-8"))
    text = re.sub(r'"""(.|\n)*?"""|#.*|@\w+(\.\w+)*\([^)]*\)', "", found.text)  # comments, C, decorators
    for block in re.split(r"\n(?=\S)", text):
        head, *body = block.splitlines() or [""]
        if match := re.match(r"cdef class (\w+)(?:\((\w+)\))?", head):
            found.bases[match[1]] = match[2] or ""
            lines = [line.strip() for line in body if line.strip()]
            found.methods[match[1]] = {name[1] for line in lines if (name := re.search(r"(\w+)\(", line))}
            fields = [line for line in lines if "(" not in line and line != "pass"]
            found.attributes[match[1]] = {
                name for line in fields for name in re.findall(r"(\w+)(?:\[[\w *]+\])*(?=,|$)", line)
            }
        elif re.match(r"c?p?def enum", head):
            found.constants |= {name: int(value, 0) for name, value in re.findall(r"(\w+) *= *(-?\w+)", block)}
        elif match := re.match(r"cp?def (?:inline )?[\w *]*?(\w+)\(", head):
            found.functions.add(match[1])
    return found


def assigned(node: ast.ClassDef) -> set[str]:
    """Attributes that a class assigns to itself."""
    return {
        part.attr
        for part in ast.walk(node)
        if isinstance(part, ast.Attribute)
        and isinstance(part.ctx, ast.Store)
        and isinstance(part.value, ast.Name)
        and part.value.id == "self"
    }


def classes(stem: Path) -> dict[str, ast.ClassDef]:
    """The classes of the Python half."""
    tree = ast.parse(stem.with_suffix(".py").read_text("utf-8"))
    return {node.name: node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}


def uncompiled(stem: Path) -> dict[str, int | None]:
    """All module-level names of the Python half, run uncompiled, with their values where these are ints."""
    ask = (
        "import importlib, json, sys; names = vars(importlib.import_module(sys.argv[1]));"
        "print(json.dumps({name: value if type(value) is int else None for name, value in names.items()}))"
    )
    command = [sys.executable, "-c", ask, ".".join(stem.relative_to(SOURCE).parts)]
    pure = {**os.environ, "TIKAL_PURE": "1"}
    done = subprocess.run(command, env=pure, capture_output=True, text=True, check=True)
    names: dict[str, int | None] = json.loads(done.stdout)
    return names


def inherited(name: str) -> set[str]:
    """Attributes of the classes that a class builds on, in whichever module they are."""
    halves = [declared(stem.with_suffix(".pxd")) for stem in STEMS]
    bases = {name: base for pxd in halves for name, base in pxd.bases.items()}
    attributes = {name: own for pxd in halves for name, own in pxd.attributes.items()}
    found: set[str] = set()
    while name := bases[name]:
        found |= attributes[name]
    return found


@BOTH
def test_attributes_are_in_both_halves(stem: Path) -> None:
    pxd, python = declared(stem.with_suffix(".pxd")), classes(stem)
    for name, attributes in pxd.attributes.items():
        given = assigned(python[name])
        assert given - attributes - inherited(name) == set(), f"{name}: missing from the .pxd"
        only_c = {attribute for attribute in attributes if attribute == "padding" or pxd.uses(attribute)}
        assert attributes - given - only_c == set(), f"{name}: never set in the .py"


@BOTH
def test_methods_and_functions_of_the_pxd_are_in_the_source(stem: Path) -> None:
    pxd, python = declared(stem.with_suffix(".pxd")), classes(stem)
    for name, methods in pxd.methods.items():
        has = {node.name for node in python[name].body if isinstance(node, ast.FunctionDef)}
        assert methods - has == set(), name
    words = set(re.findall(r"\w+", stem.with_suffix(".py").read_text("utf-8")))
    only_c = {function for function in pxd.functions - words if pxd.uses(function)}
    assert pxd.functions - set(uncompiled(stem)) - only_c == set()


@BOTH
def test_constants_have_one_value(stem: Path) -> None:
    constants, names = declared(stem.with_suffix(".pxd")).constants, uncompiled(stem)
    differing = {name for name, value in constants.items() if names.get(name, value) != value}
    assert differing == set()
    words = set(re.findall(r"\w+", stem.with_suffix(".py").read_text("utf-8")))
    assert (set(constants) & words) - set(names) == set(), "used in the .py, but not known there"

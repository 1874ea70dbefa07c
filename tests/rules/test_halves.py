"""The `.py` and the `.pxd` of the core agree: attributes and methods, sizes of arrays, constants.

(`tests/build` compares the halves of any compiled module; this is what only the rules have: arrays and codes.)
"""

from __future__ import annotations

import ast
import json
import math
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tikal.rules import codes

RULES = Path(codes.__file__).parent
HALVES = ("core", "variants", "refusals", "tree")
CLASSES = {"Moves": "core", "State": "core", "VariantState": "variants"}
ONLY_C = {"padding", "last", "end"}  # what rounds the fields up to whole words, and marks where they end


@dataclass(frozen=True)
class Attribute:
    """A declared attribute: its C type, and how many there are if it is an array."""

    type: str
    size: int | None


def pxd(module: str) -> str:
    """The C half, without comments and texts."""
    return re.sub(r'"""(.|\n)*?"""|#.*', "", (RULES / f"{module}.pxd").read_text("utf-8"))


def size(product: str) -> int:
    """The size of an array, such as `SEATS * HEXES`."""
    known = dict(constants())
    return math.prod(known[factor] if factor in known else int(factor) for factor in product.split(" * "))


def class_body(name: str) -> list[str]:
    """The lines of a class in the `.pxd`."""
    found = re.search(rf"^cdef class {name}\b.*\n((?:    .*\n|\n)*)", pxd(CLASSES[name]) + "\n", re.MULTILINE)
    assert found
    return [line.strip() for line in found[1].splitlines() if line.strip()]


def attributes(name: str) -> dict[str, Attribute]:
    """The attributes that the `.pxd` declares for a class."""
    found = {}
    for line in class_body(name):
        match = re.fullmatch(r"cdef (?:readonly |public )?(\w+) (\w+)(?:\[([\w *]+)\])?", line)
        if match:
            found[match[2]] = Attribute(match[1], size(match[3]) if match[3] else None)
    return found


def methods(name: str) -> set[str]:
    """The methods that the `.pxd` declares for a class."""
    return {match[1] for line in class_body(name) if (match := re.match(r"cp?def \w+ (\w+)\(", line))}


def constants() -> Iterator[tuple[str, int]]:
    """All constants of all C halves."""
    for module in HALVES:
        for block in re.findall(r"^cdef enum:\n((?:    .*\n|\n)*)", pxd(module), re.MULTILINE):
            yield from ((name, int(value)) for name, value in re.findall(r"(\w+) = (\d+)", block))


def class_of(name: str) -> ast.ClassDef:
    tree = ast.parse((RULES / f"{CLASSES[name]}.py").read_text("utf-8"))
    return next(node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == name)


def named(name: str) -> set[str]:
    """Everything that a class of the `.py` reads or writes of itself or its kind (`self.x`, `copy.x`, `out.x`)."""
    return {node.attr for node in ast.walk(class_of(name)) if isinstance(node, ast.Attribute) and is_self(node)}


def is_self(node: ast.Attribute) -> bool:
    return isinstance(node.value, ast.Name) and node.value.id in ("self", "copy")


def defined(name: str) -> set[str]:
    return {node.name for node in ast.walk(class_of(name)) if isinstance(node, ast.FunctionDef)}


def family(name: str) -> list[str]:
    return ["State", "VariantState"] if name == "VariantState" else [name]


@pytest.mark.parametrize("name", CLASSES)
def test_names_in_the_source_are_declared(name: str) -> None:
    declared = {each for one in family(name) for each in (*attributes(one), *methods(one), *defined(one))}
    assert named(name) - declared == set()


@pytest.mark.parametrize("name", CLASSES)
def test_declared_names_are_in_the_source(name: str) -> None:
    assert set(attributes(name)) - named(name) - ONLY_C == set()
    assert methods(name) - defined(name) == set()


def test_the_check_reads_the_declarations() -> None:
    assert attributes("State")["workers"] == Attribute("u8", 160)
    assert attributes("Moves")["count"] == Attribute("int", None)
    assert {"begin_turn", "legal", "seals"} <= methods("State")
    assert "keep_walk" in methods("VariantState")
    assert len(attributes("State")) > 50


def test_constants_are_those_of_the_codes() -> None:
    found = list(constants())
    assert len(found) > 60
    assert [(name, value, getattr(codes, name)) for name, value in found if value != getattr(codes, name)] == []


def test_every_code_that_the_core_uses_is_in_its_pxd() -> None:
    known = {name for name, _ in constants()}
    for module in HALVES:
        words = set(re.findall(r"\b[A-Z_]{3,}\b", (RULES / f"{module}.py").read_text("utf-8")))
        used = {name for name in words if isinstance(getattr(codes, name, None), int)}
        assert used - known == set(), module


ASK = """
import json
from tikal.rules import core, variants
from tikal.rules.options import Options
state = variants.VariantState(Options(obstacles=True), range(36), [0, 1, 2, 3, 4, 5, 6, 7] * 3)
kinds = {bytearray: "bytes", list: "numbers", int: "number"}
def described(names):
    return {name: (kinds[type(value)], len(value) if type(value) is not int else None) for name, value in names.items()
            if type(value) in kinds}
made = {"state": state, "moves": core.Moves(), "core": core}
print(json.dumps({name: described(vars(each)) for name, each in made.items()}))
"""


@pytest.fixture(scope="module")
def uncompiled() -> dict[str, dict[str, tuple[str, int | None]]]:
    """What the uncompiled modules make: for each name its kind, and its size if it is an array."""
    environment = {**os.environ, "TIKAL_PURE": "1"}
    done = subprocess.run([sys.executable, "-c", ASK], env=environment, capture_output=True, text=True, check=True)
    described: dict[str, dict[str, tuple[str, int | None]]] = json.loads(done.stdout)
    return described


def test_arrays_are_as_large_uncompiled(uncompiled: dict[str, dict[str, tuple[str, int | None]]]) -> None:
    declared = attributes("State") | attributes("VariantState")
    made = {name: size for name, (_, size) in uncompiled["state"].items()}
    assert made == {name: each.size for name, each in declared.items() if name not in ONLY_C}
    assert uncompiled["moves"]["item"][1] == attributes("Moves")["item"].size == codes.MAX_MOVES


def test_bytes_are_bytes_uncompiled(uncompiled: dict[str, dict[str, tuple[str, int | None]]]) -> None:
    """Where a C byte would wrap, a bytearray raises: the uncompiled tests would see it."""
    arrays = {name: each for name, each in (attributes("State") | attributes("VariantState")).items() if each.size}
    differing = {
        name
        for name, each in arrays.items()
        if name not in ONLY_C and (each.type == "u8") != (uncompiled["state"][name][0] == "bytes")
    }
    assert differing == set()


def test_tables_are_as_large_uncompiled(uncompiled: dict[str, dict[str, tuple[str, int | None]]]) -> None:
    declared = {
        name: size(product)
        for name, product in re.findall(r"^cdef [\w ]+? (\w+)\[([\w *]+)\]$", pxd("core"), re.MULTILINE)
    }
    assert {"NEIGHBOUR", "STEP", "TILE_STONES", "SET_POINTS"} <= set(declared)
    assert {name: uncompiled["core"][name][1] for name in declared} == declared

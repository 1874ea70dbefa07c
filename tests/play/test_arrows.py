"""Imports between packages point one way: rules <- play <- bots <- arena, engine, server <- cli."""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2] / "src" / "tikal"
SHIM = {"_nocython"}  # stands in for Cython where it is not installed; knows nothing
BASE = {"rules", "play"}
MAY_IMPORT = {
    "rules": SHIM,
    "words": {"rules"},
    "play": SHIM | {"rules"},
    "bots": BASE | SHIM | {"_compiled"},
    "arena": BASE | {"bots"},
    "engine": BASE | {"bots", "__version__"},
    "server": BASE | {"bots", "words", "__version__"},
    "cli": BASE | {"bots", "arena", "engine", "server", "words", "__version__", "_compiled"},
}
COMMON = {"config", "errors", "limits"}  # modules that every package of the server may use
SERVER_MAY_IMPORT = {
    "database": COMMON,
    "accounts": COMMON | {"database"},
    "bots": COMMON | {"database"},
    "live": COMMON | {"database", "accounts", "bots"},
    "operation": COMMON | {"database", "accounts", "bots", "live"},
    "http": COMMON | {"database", "accounts", "bots", "live", "operation"},
}
PACKAGES = sorted(path.name for path in ROOT.iterdir() if (path / "__init__.py").exists())


def imported(path: Path) -> set[str]:
    """The modules that a file imports, including imports in functions and for types only."""
    text = path.read_text("utf-8")
    if path.suffix == ".pxd":
        return set(re.findall(r"^\s*(?:from|cimport|import)\s+([\w.]+)", text, re.MULTILINE))
    found: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are written in full"
            assert node.module is not None
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def imports_of(package: str) -> set[str]:
    files = [path for path in (ROOT / package).rglob("*") if path.suffix in (".py", ".pxd")]
    return {name for path in files for name in imported(path)}


def test_every_package_has_its_place() -> None:
    assert set(PACKAGES) <= set(MAY_IMPORT)
    assert {"rules", "play", "engine", "cli"} <= set(PACKAGES)


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_imports_only_lower_packages(package: str) -> None:
    ours = {name.split(".")[1] for name in imports_of(package) if name.startswith("tikal.")}
    assert ours - {package} <= MAY_IMPORT[package]


def test_every_package_of_the_server_has_its_place() -> None:
    assert {path.parent.name for path in (ROOT / "server").glob("*/__init__.py")} == set(SERVER_MAY_IMPORT)


@pytest.mark.parametrize("package", SERVER_MAY_IMPORT)
def test_a_package_of_the_server_imports_only_lower_packages(package: str) -> None:
    names = {name for name in imports_of(f"server/{package}") if name.startswith("tikal.server")}
    assert {name.split(".")[2] for name in names} - {package} <= SERVER_MAY_IMPORT[package]


@pytest.mark.parametrize("module", sorted(COMMON))
def test_shared_modules_of_the_server_import_no_package(module: str) -> None:
    found = {name for name in imported(ROOT / "server" / f"{module}.py") if name.startswith("tikal.server")}
    assert {name.split(".")[2] for name in found} <= COMMON


@pytest.mark.parametrize("table", [MAY_IMPORT, SERVER_MAY_IMPORT], ids=["tikal", "server"])
def test_no_arrow_points_back(table: dict[str, set[str]]) -> None:
    """The table itself has no cycle."""
    order: list[str] = []
    while len(order) < len(table):
        ready = [name for name in table if name not in order and table[name] & set(table) <= set(order)]
        assert ready
        order += ready


@pytest.mark.parametrize("package", ["rules", "play", "engine"])
def test_the_ground_needs_nothing_but_python(package: str) -> None:
    foreign = {name.split(".")[0] for name in imports_of(package)} - set(sys.stdlib_module_names) - {"tikal"}
    assert foreign <= {"cython", "libc"}  # types and memcpy of the compiled half


def test_the_rules_have_no_clock_and_no_chance_of_their_own() -> None:
    used = {name.split(".")[0] for name in imports_of("rules")}
    assert not used & {
        "random",
        "secrets",
        "time",
        "datetime",
        "os",
        "io",
        "socket",
        "subprocess",
        "threading",
        "asyncio",
    }


def test_play_has_no_clock_and_asks_for_chance_in_one_place() -> None:
    files = {path.name: imported(path) for path in (ROOT / "play").glob("*.py")}
    chancy = {name for name, found in files.items() if {each.split(".")[0] for each in found} & {"random", "secrets"}}
    assert chancy == {"chance.py"}
    assert not {each.split(".")[0] for found in files.values() for each in found} & {"time", "datetime", "random"}

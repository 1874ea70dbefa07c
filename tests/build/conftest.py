"""Trees to build and environments to install into; nothing here touches the tree the tests run from."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CORE = '''\
# cython: language_level=3, boundscheck=False, cdivision=True, annotation_typing=False
"""Counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import cython
else:
    from tikal import _nocython as cython


class Counter:
    def __init__(self) -> None:
        if not cython.compiled:
            self.cells = [0] * 8
        self.total = 0

    def bump(self, cell: int) -> int:
        self.cells[cell] += 1
        self.total += 1
        return self.total

    def clone(self) -> Counter:
        other = Counter()
        copy_fields(other, self)
        return other


if not cython.compiled:

    def copy_fields(to: Counter, source: Counter) -> None:
        to.cells = source.cells[:]
        to.total = source.total


def compiled() -> bool:
    return bool(cython.compiled)
'''
CORE_PXD = """\
from libc.string cimport memcpy

cdef class Counter:
    cdef unsigned char cells[8]
    cdef int total
    cpdef int bump(self, int cell)
    cpdef Counter clone(self)

cdef inline void copy_fields(Counter to, Counter source) noexcept:
    memcpy(to.cells, source.cells, 8)
    to.total = source.total
"""
DRIVER = '''\
# cython: language_level=3, annotation_typing=False
"""Runs the counter of the other module."""

from tikal.toy.core import Counter


def drive(rounds: int) -> int:
    counter = Counter()
    for i in range(rounds):
        counter = counter.clone()
        counter.bump(i % 8)
    return counter.total * 1000 + counter.cells[0]
'''
DRIVER_PXD = """\
from tikal.toy.core cimport Counter

cpdef int drive(int rounds)
"""


def bare_environment(cwd: Path) -> dict[str, str]:
    """An environment with only what is needed to find programs."""
    kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT", "TMPDIR", "LANG") if name in os.environ}
    return {**kept, "HOME": str(cwd / "no-home"), "PYTHONDONTWRITEBYTECODE": "1"}


def run(*command: str | Path, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a bare environment."""
    return subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env={**bare_environment(cwd), **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def files(folder: Path) -> set[str]:
    """All files below a folder."""
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def binaries(folder: Path) -> set[str]:
    """Compiled modules below a folder, without the platform in their names."""
    return {name.partition(".")[0] for name in files(folder) if name.endswith((".so", ".pyd"))}


def hasty_compiler(folder: Path) -> dict[str, str]:
    """A compiler that does not optimise, which would take most of the time."""
    program = folder / "hasty-cc"
    program.write_text('#!/bin/sh\nexec cc "$@" -O0\n')
    program.chmod(0o755)
    return {"CC": str(program)}


@dataclass
class Toy:
    """A small package that is built like ours: two modules, one of which cimports the other."""

    root: Path

    @property
    def package(self) -> Path:
        """Where its sources are."""
        return self.root / "src" / "tikal"

    def build(self, kind: str = "wheel", **environment: str) -> tuple[Path, str]:
        """Build; return the file and the output. The compiler is hasty, unless the environment has another or none."""
        if "CC" not in environment and "PATH" not in environment:
            environment |= hasty_compiler(self.root.parent)
        out = self.root.parent / "out"
        shutil.rmtree(out, ignore_errors=True)
        done = run(sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", out, cwd=self.root, **environment)
        assert done.returncode == 0, done.stdout + done.stderr
        (built,) = out.iterdir()
        return built, done.stdout + done.stderr

    def edit(self, name: str, text: str) -> None:
        """Add text to one of its files."""
        path = self.package / name
        path.write_text(path.read_text() + text)


def make_toy(root: Path) -> Toy:
    """Write the toy package, with the build hook and the import hook of the real one."""
    toy = Toy(root)
    (toy.package / "toy").mkdir(parents=True)
    for name in ("pyproject.toml", "hatch_build.py", "LICENSE", "README.md", ".gitignore"):
        if (ROOT / name).exists():
            shutil.copy(ROOT / name, root / name)
    for name in ("__init__.py", "_compiled.py", "_nocython.py"):
        shutil.copy(ROOT / "src" / "tikal" / name, toy.package / name)
    (toy.package / "toy" / "__init__.py").touch()
    for name, text in {"core": CORE, "driver": DRIVER}.items():
        (toy.package / "toy" / f"{name}.py").write_text(text)
    for name, text in {"core": CORE_PXD, "driver": DRIVER_PXD}.items():
        (toy.package / "toy" / f"{name}.pxd").write_text(text)
    catalogue = root / "web" / "src" / "messages" / "en" / "toy.json"
    catalogue.parent.mkdir(parents=True)
    catalogue.write_text("{}\n")
    return toy


@pytest.fixture
def toy(tmp_path: Path) -> Toy:
    """A toy package of the test's own."""
    return make_toy(tmp_path / "toy")


@pytest.fixture(scope="session")
def toy_wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The toy package, compiled, as a wheel."""
    return make_toy(tmp_path_factory.mktemp("toy") / "toy").build()[0]


@pytest.fixture
def unpacked(toy_wheel: Path, tmp_path: Path) -> Path:
    """The compiled toy package, ready to be imported from this folder."""
    with zipfile.ZipFile(toy_wheel) as archive:
        archive.extractall(tmp_path / "unpacked")
    return tmp_path / "unpacked"

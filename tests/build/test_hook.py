"""The build hook on a toy package: what it compiles, and that nothing can stop an install."""

from __future__ import annotations

import importlib.machinery
import sys
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.build.conftest import Toy, binaries, files, run

pytestmark = pytest.mark.slow

ASK = "from tikal.toy import core, driver; print(core.compiled(), driver.drive(20))"


def break_pxd(toy: Toy) -> dict[str, str]:
    toy.edit("toy/driver.pxd", "cdef this is no declaration\n")
    return {}


def break_source(toy: Toy) -> dict[str, str]:
    toy.edit("toy/core.py", "\ndef half(:\n")
    return {}


def break_c(toy: Toy) -> dict[str, str]:
    toy.edit("toy/core.pxd", '\ncdef extern from *:\n    """\n    no C at all\n    """\n')
    return {}


def no_compiler(toy: Toy) -> dict[str, str]:
    empty = toy.root.parent / "no-programs"
    empty.mkdir()
    return {"PATH": str(empty)}


def failing_compiler(toy: Toy) -> dict[str, str]:
    return {"CC": "false", "LDSHARED": "false"}


def no_cython(toy: Toy) -> dict[str, str]:
    blocked = toy.root.parent / "blocked"
    blocked.mkdir()
    (blocked / "Cython.py").write_text("raise ImportError('there is no Cython')\n")
    return {"PYTHONPATH": str(blocked)}


def switched_off(toy: Toy) -> dict[str, str]:
    return {"TIKAL_NO_COMPILE": "1"}


def test_every_module_with_a_pxd_is_compiled_and_its_source_goes_with_it(toy_wheel: Path, unpacked: Path) -> None:
    assert not toy_wheel.name.endswith("-py3-none-any.whl")
    assert binaries(unpacked) == {"tikal/toy/core", "tikal/toy/driver"}
    assert {f"tikal/toy/{name}" for name in ("core.py", "core.pxd", "driver.py", "driver.pxd")} <= files(unpacked)
    assert run(sys.executable, "-c", ASK, cwd=unpacked).stdout == "True 20003\n"


def test_the_same_modules_run_uncompiled(unpacked: Path) -> None:
    assert run(sys.executable, "-c", ASK, cwd=unpacked, TIKAL_PURE="1").stdout == "False 20003\n"


@pytest.mark.parametrize(
    "spoil", [break_pxd, break_source, break_c, no_compiler, failing_compiler, no_cython, switched_off]
)
def test_where_compiling_fails_a_pure_wheel_is_built_and_one_line_says_so(
    toy: Toy, spoil: Callable[[Toy], dict[str, str]]
) -> None:
    wheel, said = toy.build(**spoil(toy))
    assert wheel.name.endswith("-py3-none-any.whl")
    assert len([line for line in said.splitlines() if "will run uncompiled" in line]) == 1
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    assert "tikal/toy/core.py" in names
    assert not [name for name in names if name.endswith((".so", ".pyd", ".c"))]


def test_all_or_none(toy: Toy) -> None:
    wheel, _ = toy.build(**break_pxd(toy))  # only one of the two modules is broken
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(toy.root.parent / "unpacked")
    assert not binaries(toy.root.parent / "unpacked")


def test_a_build_leaves_nothing_in_the_tree(toy: Toy) -> None:
    before = files(toy.root)
    temporary = toy.root.parent / "temporary"
    temporary.mkdir()
    toy.build(TMPDIR=str(temporary))
    toy.build(TMPDIR=str(temporary), **failing_compiler(toy))
    assert files(toy.root) == before
    assert not files(temporary)


def test_an_old_binary_or_build_folder_in_the_tree_gets_into_no_package(toy: Toy) -> None:
    suffix = importlib.machinery.EXTENSION_SUFFIXES[0]
    old = [
        toy.package / "toy" / f"core{suffix}",
        toy.root / "build" / "lib" / "tikal" / "toy" / f"core{suffix}",
    ]
    for path in old:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"old")
    (toy.root / ".gitignore").unlink()  # as in an archive: what git ignores is not known there
    wheel, _ = toy.build(TIKAL_NO_COMPILE="1")
    with zipfile.ZipFile(wheel) as archive:
        assert not [name for name in archive.namelist() if name.endswith(suffix)]
    wheel, _ = toy.build()
    with zipfile.ZipFile(wheel) as archive:
        assert archive.read(f"tikal/toy/core{suffix}") != b"old"


def test_a_source_archive_has_what_a_build_needs(toy: Toy) -> None:
    archive, _ = toy.build("sdist")
    with tarfile.open(archive) as tar:
        names = {name.partition("/")[2] for name in tar.getnames()}
    assert {"hatch_build.py", "pyproject.toml", "LICENSE", "src/tikal/toy/core.pxd"} <= names

"""tikal._compiled, on the compiled toy package: source or binary, and stale binaries."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.build.conftest import run
from tikal import _compiled

pytestmark = pytest.mark.slow

LOAD = "import tikal.toy.driver, tikal.toy.core as core; print(core.compiled())"
MODE = "from tikal import _compiled; print(*_compiled.mode(), sep='|')"


def python(folder: Path, code: str, **environment: str) -> tuple[str, list[str]]:
    """What a program prints, and the lines of its warnings and errors that name a module of ours."""
    done = run(sys.executable, "-c", code, cwd=folder, **environment)
    return done.stdout.strip(), [line for line in done.stderr.splitlines() if "tikal." in line]


def complaints(lines: list[str]) -> list[str]:
    return [line for line in lines if "make setup" in line]


def append(path: Path, text: str) -> None:
    path.write_text(path.read_text() + text)


def test_fresh_binaries_are_loaded_without_a_warning(unpacked: Path) -> None:
    assert python(unpacked, LOAD, TIKAL_STRICT="1") == ("True", [])
    assert python(unpacked, MODE) == ("compiled|", [])


def test_tikal_pure_prefers_the_source(unpacked: Path) -> None:
    assert python(unpacked, LOAD, TIKAL_PURE="1", TIKAL_STRICT="1") == ("False", [])
    assert python(unpacked, MODE, TIKAL_PURE="1") == ("uncompiled|TIKAL_PURE is set", [])
    where = "import tikal.toy.core as core; print(core.__file__, core.__spec__.origin == core.__file__)"
    assert python(unpacked, where, TIKAL_PURE="1")[0] == f"{unpacked / 'tikal/toy/core.py'} True"


@pytest.mark.parametrize("off", ["", "0"])
def test_an_empty_or_zero_switch_is_off(unpacked: Path, off: str) -> None:
    assert python(unpacked, LOAD, TIKAL_PURE=off)[0] == "True"


@pytest.mark.parametrize("edited", ["core.py", "core.pxd", "driver.py", "driver.pxd"])
def test_a_stale_binary_is_one_warning_that_says_how_to_rebuild(unpacked: Path, edited: str) -> None:
    append(unpacked / "tikal" / "toy" / edited, "\n# edited\n")
    printed, lines = python(unpacked, LOAD)
    assert printed == "True"
    (line,) = complaints(lines)
    assert "RuntimeWarning" in line
    assert "pip install -e ." in line


def test_a_stale_binary_is_an_error_in_strict_mode(unpacked: Path) -> None:
    append(unpacked / "tikal" / "toy" / "core.py", "\n# edited\n")
    printed, lines = python(unpacked, LOAD, TIKAL_STRICT="1")
    assert printed == ""
    assert any("ImportError: tikal.toy.core was compiled from another version" in line for line in lines)


def test_edited_source_runs_as_edited_when_uncompiled(unpacked: Path) -> None:
    append(unpacked / "tikal" / "toy" / "core.py", "\ndef compiled():\n    return 'edited'\n")
    assert python(unpacked, LOAD, TIKAL_PURE="1", TIKAL_STRICT="1") == ("edited", [])


def test_a_source_that_has_gone_makes_its_binary_stale(unpacked: Path) -> None:
    (unpacked / "tikal" / "toy" / "driver.pxd").unlink()
    assert complaints(python(unpacked, LOAD)[1])


def test_a_binary_without_recorded_sources_is_stale() -> None:
    assert not _compiled._fits({})


def test_a_module_without_binary_beside_modules_with_one_is_noticed(unpacked: Path) -> None:
    for path in (unpacked / "tikal" / "toy").glob("driver.*"):
        if path.suffix in (".so", ".pyd"):
            path.unlink()
    (line,) = complaints(python(unpacked, "import tikal.toy.core, tikal.toy.driver")[1])
    assert "tikal.toy.driver has no binary" in line
    printed, _ = python(unpacked, "import tikal.toy.core, tikal.toy.driver; print()", TIKAL_STRICT="1")
    assert printed == ""
    assert python(unpacked, MODE)[0] == "uncompiled|no binary of tikal.toy.driver for this Python"


def test_without_any_binary_everything_runs_without_a_warning(unpacked: Path) -> None:
    for path in unpacked.rglob("*"):
        if path.suffix in (".so", ".pyd"):
            path.unlink()
    assert python(unpacked, LOAD, TIKAL_STRICT="1") == ("False", [])
    assert python(unpacked, MODE)[0].startswith("uncompiled|no binary of tikal.toy.core")


def test_uncompiled_modules_never_import_cython(unpacked: Path) -> None:
    code = "import sys, tikal.toy.driver; print([name for name in sys.modules if 'cython' in name.lower()])"
    assert python(unpacked, code, TIKAL_PURE="1")[0] == "['tikal._nocython']"

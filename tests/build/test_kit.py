"""The tests' own tools."""

from __future__ import annotations

import doctest
import re
import threading
from pathlib import Path

import pytest

from tests.kit import amounts, slowest
from tests.kit.once import made_once

TESTS = Path(__file__).parents[1]


@pytest.mark.parametrize("module", [amounts, slowest])
def test_examples(module: object) -> None:
    assert doctest.testmod(module).failed == 0  # type: ignore[arg-type]


def test_folders_of_tests_share_only_what_is_for_all() -> None:
    """The kit, the second implementation of the rules, and the games and counts with their makers."""
    shared = {"kit", "oracle", "golden", "perft"}
    found = set()
    for path in TESTS.rglob("*.py"):
        folder, *rest = path.relative_to(TESTS).parts
        used = set(re.findall(r"^\s*(?:from|import) tests\.(\w+)", path.read_text("utf-8"), re.MULTILINE))
        found |= {f"{folder} uses {other}" for other in used - shared - {folder} if rest}
        found |= {
            f"{path.name} uses a test"
            for line in re.findall(r"(?:from|import) tests\.\w+\.test_", path.read_text("utf-8"))
        }
    assert found == set()


def test_the_slowest_tests_of_all_reports(tmp_path: Path) -> None:
    case = '<testcase classname="tests.{0}.test_x" name="test_{1}" time="{1}.5"/>'
    for report, times in {"compiled": (3, 1), "uncompiled": (2, 4)}.items():
        cases = "".join(case.format(report, time) for time in times)
        (tmp_path / f"{report}.xml").write_text(f"<testsuites><testsuite>{cases}</testsuite></testsuites>")
    assert slowest.slowest(tmp_path, 3) == [
        (4.5, "uncompiled", "tests/uncompiled/test_x.py::test_4"),
        (3.5, "compiled", "tests/compiled/test_x.py::test_3"),
        (2.5, "uncompiled", "tests/uncompiled/test_x.py::test_2"),
    ]


def test_of_several_workers_one_makes_it(tmp_path: Path) -> None:
    made: list[Path] = []

    def make(folder: Path) -> None:
        made.append(folder)
        (folder / "file").write_text("whole")

    found: list[str] = []

    def ask() -> None:
        found.append((made_once(tmp_path, "thing", make) / "file").read_text())

    workers = [threading.Thread(target=ask) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert (found, len(made)) == (["whole"] * 4, 1)


def test_if_one_worker_fails_the_others_say_why(tmp_path: Path) -> None:
    def make(folder: Path) -> None:
        raise OSError("no net")

    with pytest.raises(OSError, match="no net"):
        made_once(tmp_path, "thing", make)
    with pytest.raises(AssertionError, match="no net"):
        made_once(tmp_path, "thing", make)


def test_no_test_imports_from_another() -> None:
    found = [
        path
        for path in Path(__file__).parents[1].rglob("*.py")
        if re.search(r"(?m)^from tests\.\w+\.test_", path.read_text())
    ]
    assert found == [], "what several tests need is in tests/kit"

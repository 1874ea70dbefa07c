"""What tests/conftest.py promises: in CI a skip fails the run, and tests run in the mode asked for."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from tests.build.conftest import ROOT, run

pytestmark = pytest.mark.slow

PASSES = "def test_passes(): pass\n"
SKIPS = PASSES + "import pytest\n@pytest.mark.skip\ndef test_skips(): pass\n"
SKIPS_ALL = "import pytest\npytest.importorskip('no_such_module')\n" + PASSES
DESELECTED = PASSES + "import pytest\n@pytest.mark.soak\ndef test_soaks(): raise SystemExit\n"


def outcome(folder: Path, tests: str, *options: str, **environment: str) -> int:
    """Run pytest on some tests with our conftest and settings; its exit code."""
    shutil.copy(ROOT / "tests" / "conftest.py", folder)
    shutil.copy(ROOT / "pyproject.toml", folder)
    (folder / "test_some.py").write_text(tests)
    (folder / "test_other.py").write_text(PASSES)
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *options, str(folder)]
    return run(*command, cwd=folder, TIKAL_PURE="1", **environment).returncode


@pytest.mark.parametrize("workers", ["0", "2"])
@pytest.mark.parametrize(
    ("tests", "code"),
    [(PASSES, 0), (DESELECTED, 0), (SKIPS, 1), (SKIPS_ALL, 1)],
    ids=["pass", "soak", "skip", "all"],
)
def test_in_ci_a_skipped_test_fails_the_run(tmp_path: Path, tests: str, code: int, workers: str) -> None:
    assert outcome(tmp_path, tests, "-n", workers, CI="1") == code


def test_elsewhere_a_skipped_test_is_only_reported(tmp_path: Path) -> None:
    assert outcome(tmp_path, SKIPS) == 0


def test_the_wrong_mode_is_refused(tmp_path: Path) -> None:
    assert outcome(tmp_path, PASSES, TIKAL_TEST_MODE="uncompiled") == 0
    assert outcome(tmp_path, PASSES, TIKAL_TEST_MODE="compiled") == pytest.ExitCode.USAGE_ERROR

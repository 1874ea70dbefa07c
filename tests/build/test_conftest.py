"""What tests/conftest.py promises: in CI a skip fails the run, tests run in the mode asked for, interrupts arrive."""

from __future__ import annotations

import shutil
import signal
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
    command = [sys.executable, "-m", "pytest", "-p", "xdist", "-p", "no:cacheprovider", *options, str(folder)]
    quick = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}  # other plugins take ten times as long as these tests
    return run(*command, cwd=folder, TIKAL_PURE="1", **quick, **environment).returncode


@pytest.mark.parametrize(
    ("tests", "workers", "code"),
    [
        pytest.param(PASSES, "2", 0, id="pass", marks=pytest.mark.long),
        pytest.param(DESELECTED, "0", 0, id="soak"),
        pytest.param(SKIPS, "0", 1, id="skip", marks=pytest.mark.long),
        pytest.param(SKIPS, "1", 1, id="skip in a worker"),
        pytest.param(SKIPS_ALL, "1", 1, id="all in a worker"),
    ],
)
def test_in_ci_a_skipped_test_fails_the_run(tmp_path: Path, tests: str, workers: str, code: int) -> None:
    assert outcome(tmp_path, tests, "-n", workers, CI="1") == code


def test_elsewhere_a_skipped_test_is_only_reported(tmp_path: Path) -> None:
    assert outcome(tmp_path, SKIPS) == 0


def test_the_wrong_mode_is_refused(tmp_path: Path) -> None:
    assert outcome(tmp_path, PASSES, TIKAL_TEST_MODE="uncompiled") == 0
    assert outcome(tmp_path, PASSES, TIKAL_TEST_MODE="compiled") == pytest.ExitCode.USAGE_ERROR


INTERRUPTED = """\
import os, pytest, signal, time

@pytest.mark.usefixtures("interruptible")
def test_interrupted():
    with pytest.raises(KeyboardInterrupt):
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(60)

def test_ignored_as_before():
    assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
"""


def test_an_interrupt_arrives_where_a_shell_has_it_ignored(tmp_path: Path) -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        assert outcome(tmp_path, INTERRUPTED) == 0
    finally:
        signal.signal(signal.SIGINT, before)

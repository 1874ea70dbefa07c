"""For every test: no stale binary, no skip in CI, and the requested mode."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

os.environ.setdefault("TIKAL_STRICT", "1")  # before tikal is imported: a stale binary is an error here

# The same examples in every run, and no clock: what fails here fails everywhere.
settings.register_profile("tikal", deadline=None, derandomize=True, database=None)
settings.load_profile("tikal")

skipped: list[str] = []
told: list[str] = []  # figures to print at the end, from record_property("told", …)


def pytest_report_header() -> str:
    from tikal import _compiled

    return "tikal: " + ", ".join(filter(None, _compiled.mode()))


def pytest_configure() -> None:
    from tikal import _compiled

    wanted = os.environ.get("TIKAL_TEST_MODE")
    name, why = _compiled.mode()
    if wanted and wanted != name:
        raise pytest.UsageError(f"these tests are to run {wanted}, but tikal runs {name} ({why})")


def pytest_xdist_auto_num_workers() -> int:
    """Three workers for two cores, because many tests wait for a browser, a server or another process."""
    cores = os.cpu_count() or 1
    return cores + cores // 2


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.skipped and not hasattr(report, "wasxfail"):
        skipped.append(report.nodeid)
    if report.when == "call":
        told.extend(str(value) for name, value in report.user_properties if name == "told")


def pytest_collectreport(report: pytest.CollectReport) -> None:
    if report.skipped:
        skipped.append(report.nodeid)


@pytest.hookimpl(wrapper=True)
def pytest_sessionfinish(session: pytest.Session) -> Generator[None, None, None]:
    if skipped and os.environ.get("CI"):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
    return (yield)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for line in told:
        terminalreporter.write_line(line)
    if skipped and os.environ.get("CI"):
        terminalreporter.write_line("skipped, which CI does not allow: " + ", ".join(skipped), red=True)


@pytest.fixture(autouse=True, scope="session")
def own_data(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A folder for games and the remembered language, so that no test depends on what this user has chosen."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("XDG_DATA_HOME", "APPDATA"):
            patch.setenv(name, str(tmp_path_factory.mktemp("data")))
        yield


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Makes interrupts work, here and in started programs, even if the tests were started with SIGINT ignored.

    A shell ignores it for background jobs (`nohup make test &`), and programs inherit that.
    """
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)

"""Things that are made once for all workers of a test run."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import pytest


def common_folder(factory: pytest.TempPathFactory, worker: str) -> Path:
    """The temporary folder of a test run, which all its workers share."""
    base = factory.getbasetemp()
    return base if worker == "master" else base.parent


def made_once(base: Path, name: str, make: Callable[[Path], None]) -> Path:
    """A folder below `base`; the first worker makes it, the others wait for it."""
    claimed, making, failed, done = (base / f"{name}{state}" for state in (".claimed", ".making", ".failed", ""))
    try:
        claimed.touch(exist_ok=False)
    except FileExistsError:
        while not done.exists():
            assert not failed.exists(), f"another worker could not make {name}: {failed.read_text('utf-8')}"
            time.sleep(0.1)
        return done
    making.mkdir()
    try:
        make(making)
    except BaseException as error:
        failed.write_text(repr(error), "utf-8")
        raise
    making.rename(done)
    return done

"""Jobs that go wrong in a worker. They have their own module: importing one of tests takes a worker three seconds."""

from __future__ import annotations

import os
import signal
import time
from typing import Any


def die(*_: Any) -> list[str]:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


def hang(*_: Any) -> list[str]:
    time.sleep(3600)
    raise AssertionError


def cheat(*_: Any) -> list[str]:
    return ["X@h5", "."]


def stumble(*_: Any) -> list[str]:
    raise ZeroDivisionError


def who_am_i(*_: Any) -> list[str]:
    return [str(os.getpid())]

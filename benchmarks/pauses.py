"""Pauses of the machine itself, to tell them from pauses of the server: the control of `benchmarks.load`.

    python -m benchmarks.pauses 0       (the number of a core; ends with its input, then prints JSON)

A process on one core only sleeps, a millisecond at a time, and notes when it wakes late. If it may, it runs at
real-time priority: then no other program on this machine can delay it, and what is left are the pauses of a virtual
machine.
"""

from __future__ import annotations

import json
import os
import select
import sys
from contextlib import suppress
from time import perf_counter

SLEEP_S = 0.001
LATE_S = 0.004  # later than this is a pause: on a calm machine one sleep in a thousand is 0.5 ms late


def watch(core: int) -> list[tuple[float, float]]:
    """The pauses of a core until the input ends: from and until, by `perf_counter`, which all processes share."""
    with suppress(AttributeError, OSError):  # only Linux has it
        os.sched_setaffinity(0, {core})
    with suppress(AttributeError, OSError):  # only for the administrator
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(50))
    found, last, ended = [], perf_counter(), False
    while not ended:
        ended = bool(select.select([sys.stdin], [], [], SLEEP_S)[0])
        awake = perf_counter()
        if awake - last > SLEEP_S + LATE_S:
            found.append((last, awake))
        last = awake
    return found


if __name__ == "__main__":
    print(json.dumps(watch(int(sys.argv[1]))))

"""Processes that tests look at."""

from __future__ import annotations

from pathlib import Path
from time import sleep


def ended(process: int) -> bool:
    """Whether a process ends; a killed one may need a moment, and a parent that waits for it."""
    for _ in range(2400):  # two minutes: a machine with other work to do is no reason to fail
        try:
            state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
        except FileNotFoundError:
            return True
        if state == "Z":
            return True
        sleep(0.05)
    return False

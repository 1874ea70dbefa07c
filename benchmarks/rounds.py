"""Side by side: every round measures each side once, so that a slow moment of the machine hits all of them."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from statistics import median

Side = Callable[[], Mapping[str, float]]


def interleaved(sides: Mapping[str, Side], rounds: int) -> dict[str, dict[str, float]]:
    """The median of every figure of every side.

    >>> interleaved({"a": lambda: {"x": 1.0}, "b": lambda: {"x": 2.0}}, 3)
    {'a': {'x': 1.0}, 'b': {'x': 2.0}}
    """
    samples = [{name: side() for name, side in sides.items()} for _ in range(rounds)]
    return {
        name: {key: median(sample[name][key] for sample in samples) for key in first}
        for name, first in samples[0].items()
    }


def parser(about: str | None, rounds: int) -> argparse.ArgumentParser:
    """The arguments that all benchmarks have."""
    made = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("--rounds", type=int, default=rounds, metavar="N", help=f"interleaved rounds (default {rounds})")
    made.add_argument("--json", action="store_true", help="one line of JSON instead of a table")
    return made

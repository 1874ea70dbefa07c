"""One test in two or three sizes: a sample for `make test`, more for `make long` and `make soak`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from _pytest.mark.structures import ParameterSet


def amounts(sample: int, long: int, soak: int | None = None) -> list[ParameterSet]:
    """The values of a parameter: a sample marked `slow`, more marked `long`, and optionally most marked `soak`.

    >>> [(each.values[0], each.marks[0].name) for each in amounts(3, long=10, soak=100)]
    [(3, 'slow'), (10, 'long'), (100, 'soak')]
    """
    sizes = [(sample, pytest.mark.slow), (long, pytest.mark.long)]
    if soak is not None:
        sizes.append((soak, pytest.mark.soak))
    return [pytest.param(size, marks=mark) for size, mark in sizes]

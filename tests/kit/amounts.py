"""Tests by sample: some sizes or cases for `make test`, more for `make long` and `make soak`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import pytest

from tikal.rules import core

if TYPE_CHECKING:
    from _pytest.mark.structures import ParameterSet

COMPILED = not str(core.__file__).endswith(".py")


def amounts(sample: int, long: int, soak: int | None = None) -> list[ParameterSet]:
    """The values of a parameter: a sample marked `slow`, more marked `long`, and optionally most marked `soak`.

    >>> [(each.values[0], each.marks[0].name) for each in amounts(3, long=10, soak=100)]
    [(3, 'slow'), (10, 'long'), (100, 'soak')]
    """
    sizes = [(sample, pytest.mark.slow), (long, pytest.mark.long)]
    if soak is not None:
        sizes.append((soak, pytest.mark.soak))
    return [pytest.param(size, marks=mark) for size, mark in sizes]


def sampled(cases: Iterable[Any], *sample: Any) -> list[ParameterSet]:
    """All values of a parameter, or of several: those that are not in the sample are marked `long`.

    >>> [(each.values[0], [mark.name for mark in each.marks]) for each in sampled(["one", "two"], "two")]
    [('one', ['long']), ('two', [])]
    """
    found = list(cases)
    assert set(sample) <= set(found), "there is no such case"
    return [
        pytest.param(*(one if isinstance(one, tuple) else [one]), marks=() if one in sample else pytest.mark.long)
        for one in found
    ]

"""Every example in a docstring does what it says."""

from __future__ import annotations

import doctest
import pkgutil
from importlib import import_module

import pytest

import tikal

MODULES = ["tikal"] + [
    module.name for module in pkgutil.walk_packages(tikal.__path__, "tikal.") if not module.name.endswith(".__main__")
]
# Whole games of bots take minutes uncompiled, and coverage makes them ten times as slow.
GAMES_OF_BOTS = ("tikal.arena", "tikal.bots.conformance")
MARKED = [pytest.param(name, marks=pytest.mark.once if name.startswith(GAMES_OF_BOTS) else ()) for name in MODULES]


@pytest.mark.parametrize("name", MARKED)
def test_examples(name: str) -> None:
    assert doctest.testmod(import_module(name), optionflags=doctest.ELLIPSIS).failed == 0

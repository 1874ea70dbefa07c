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
# The others are the same in both modes, and bots that play whole games uncompiled take minutes.
COMPILED = ("tikal.rules", "tikal.play", "tikal.engine", "tikal.bots.evaluation", "tikal.bots.search")
MARKED = [pytest.param(name, marks=() if name.startswith(COMPILED) else pytest.mark.once) for name in MODULES]


@pytest.mark.parametrize("name", MARKED)
def test_examples(name: str) -> None:
    assert doctest.testmod(import_module(name), optionflags=doctest.ELLIPSIS).failed == 0

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
# Bots that play a whole match uncompiled take minutes.
MARKED = [pytest.param(name, marks=pytest.mark.once if name == "tikal.arena.run" else ()) for name in MODULES]


@pytest.mark.parametrize("name", MARKED)
def test_examples(name: str) -> None:
    assert doctest.testmod(import_module(name), optionflags=doctest.ELLIPSIS).failed == 0

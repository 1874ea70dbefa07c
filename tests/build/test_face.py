"""The public face of the package: its names, where they come from, and what `import tikal` costs."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import version

import pytest

import tikal


def test_the_public_names_are_these() -> None:
    # a name added or lost here is a decision, and goes into the changelog
    names = ["Game", "IllegalAction", "OptionError", "Options", "State", "TikalError", "__version__"]
    assert sorted(tikal.__all__) == names
    assert dir(tikal) == names


def test_every_public_name_can_be_imported() -> None:
    for name in tikal.__all__:
        assert getattr(tikal, name).__class__ in (type, str)


def test_errors_have_one_base() -> None:
    assert issubclass(tikal.IllegalAction, tikal.TikalError)
    assert issubclass(tikal.OptionError, tikal.TikalError)


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(AttributeError, match="module 'tikal' has no attribute 'Gmae'"):
        _ = tikal.Gmae


def test_the_version_is_the_installed_one() -> None:
    assert tikal.__version__ == version("tikal")


def test_importing_tikal_loads_next_to_nothing() -> None:
    ask = "import sys; before = set(sys.modules); import tikal; print(*set(sys.modules) - before)"
    loaded = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=True).stdout
    small = {"tikal", "tikal._compiled", "importlib", "importlib._bootstrap", "importlib._bootstrap_external"}
    assert set(loaded.split()) <= small | {"importlib.machinery", "warnings", "_warnings", "__future__"}

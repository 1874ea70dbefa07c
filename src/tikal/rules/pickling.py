"""Pickled states: small, versioned, and the same whether the core is compiled or not.

>>> import pickle
>>> from tikal.rules.options import Options
>>> state = State(Options(), range(36), [0, 1, 2, 3, 4, 5, 6, 7] * 3)
>>> pickle.loads(pickle.dumps(state)).export() == state.export()
True
"""

from __future__ import annotations

from typing import Any

from tikal.rules.core import State
from tikal.rules.errors import TikalError

FORMAT = 1
Packed = tuple[int, bool, dict[str, int], dict[str, Any]]


def packed(state: State) -> Packed:
    """The arguments of `unpacked`: the format, whether the state is a `VariantState`, its options and its fields."""
    fields = {name: _compact(value) for name, value in state.export().items()}
    return FORMAT, type(state) is not State, state.settings(), fields


def _compact(value: Any) -> Any:
    """Lists of small numbers as bytes, which are smaller and can be indexed in the same way."""
    return bytes(value) if isinstance(value, list) and max(value, default=0) < 256 and min(value) >= 0 else value


def unpacked(form: int, varied: bool, settings: dict[str, int], fields: dict[str, Any]) -> State:
    """Rebuilds a packed state.

    >>> unpacked(99, False, {}, {})
    Traceback (most recent call last):
    tikal.rules.errors.TikalError: a state of format 99 can't be read; this version reads format 1
    """
    if form != FORMAT:
        raise TikalError("load", f"a state of format {form} can't be read; this version reads format {FORMAT}")
    state_class: type[State] = State
    if varied:
        from tikal.rules.variants import VariantState

        state_class = VariantState
    state = state_class.__new__(state_class)
    state.resume(settings, fields)
    return state

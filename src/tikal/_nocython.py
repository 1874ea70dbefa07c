"""Replaces the `cython` package when our modules run as plain Python.

The compiled modules write `if not cython.compiled:`. Cython answers that at build time; uncompiled, this
module answers it, so that Cython need not be installed (and its slow import is never paid). The decorators
tell Cython how to lay out a class; here they do nothing.

>>> from tikal import _nocython as cython
>>> cython.compiled
False
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    T = TypeVar("T")

compiled = False


def cclass(cls: "T") -> "T":
    """Mark a class that has its C half in the `.pxd`.

    >>> cclass(int)
    <class 'int'>
    """
    return cls


def freelist(size: int) -> "Callable[[T], T]":  # noqa: ARG001
    """Reuse the memory of up to this many freed objects.

    >>> freelist(8)(int)
    <class 'int'>
    """
    return cclass

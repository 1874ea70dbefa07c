"""Stands in for the `cython` package where a module of ours runs as plain Python.

The compiled modules write `if not cython.compiled:`. Cython answers that at build time; uncompiled, this
module answers it, so that Cython need not be installed (and its slow import is never paid).

>>> from tikal import _nocython as cython
>>> cython.compiled
False
"""

compiled = False

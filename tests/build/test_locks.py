"""The locks: complete, by hash, in step with pyproject.toml, and without the hosts that packages came from."""

from __future__ import annotations

import re
import tomllib

import pytest
from packaging.requirements import Requirement
from packaging.utils import NormalizedName, canonicalize_name

from tests.build.conftest import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
WANTED = {
    "run": PROJECT["project"]["dependencies"],
    "dev": PROJECT["project"]["dependencies"] + PROJECT["dependency-groups"]["dev"],
    "build": PROJECT["build-system"]["requires"],
}
LINE = re.compile(r"(?P<name>[a-z0-9-]+)==(?P<version>[^ ]+)( ; [^\\]+)?( --hash=sha256:[0-9a-f]{64})+")


def locked(lock: str) -> dict[NormalizedName, str]:
    """Name -> version; fails on any line that is not a package with hashes."""
    text = (ROOT / "requirements" / f"{lock}.txt").read_text("utf-8")
    versions = {}
    for line in re.sub(r" *\\\n *", " ", text).splitlines():
        found = LINE.fullmatch(line)
        assert found, f"{lock}.txt: {line[:80]}"
        versions[canonicalize_name(found["name"])] = found["version"]
    return versions


@pytest.mark.parametrize("lock", WANTED)
def test_a_lock_covers_the_project_s_requirements(lock: str) -> None:
    versions = locked(lock)
    for text in WANTED[lock]:
        requirement = Requirement(text)
        assert requirement.specifier.contains(versions[canonicalize_name(requirement.name)])


def test_the_locks_agree() -> None:
    # they go into one environment
    dev = locked("dev")
    for lock in ("run", "build"):
        for name, version in locked(lock).items():
            assert dev.get(name, version) == version
    assert set(locked("run")) <= set(dev)

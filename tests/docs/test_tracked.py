"""No file of the project reveals where it was made: no machine's folders, no hosts that packages came from."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = "work|root|opt|home|Users|mnt"
FOLDER = re.compile(rf"(?:file://|(?<![\w.:/*?\\-]))/(?:{FOLDERS})/\w")  # pages of the web have such paths too
HOST = re.compile(r"(?i)(?:https?://|git\+)[^\s\"'<>)]*(?:/simple\b|registry|artifactory|nexus)")
PLACES = {"a folder of a machine": FOLDER, "a host of packages": HOST}


def tracked() -> list[Path]:
    """All files that git knows."""
    listed = subprocess.run(["git", "-C", str(ROOT), "ls-files", "-z"], capture_output=True, check=True).stdout
    files = [ROOT / name for name in listed.decode().split("\0") if name]
    return [path for path in files if path.is_file()]


def revealed(text: str) -> list[str]:
    """What a text reveals about the place where it was made."""
    return [f"{what}: {found}" for what, pattern in PLACES.items() for found in pattern.findall(text)]


def test_no_file_reveals_its_origin() -> None:
    files = tracked()
    assert len(files) > 100
    found = {path.name: revealed(path.read_text("utf-8", "replace")) for path in files if path != Path(__file__)}
    assert {name: what for name, what in found.items() if what} == {}


@pytest.mark.parametrize(
    "text",
    [
        'source = "/Users/bob/tikal"',
        "see /home/ann/tikal/README.md",
        "--index-url https://packages.example.org/simple/",
        '"resolved": "https://registry.example.org/svelte"',
        "file:///mnt/wheels",
    ],
)
def test_a_place_is_noticed(text: str) -> None:
    assert revealed(text) != []


@pytest.mark.parametrize("text", ["docs/work/plan.md", "https://example.org/home/page", "1/2 of the work/time", "~/x"])
def test_other_slashes_are_fine(text: str) -> None:
    assert revealed(text) == []

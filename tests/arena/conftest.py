"""Registers the toy bots as another package would: by entry points that this process and its workers find."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.arena.toys import TOYS

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def toys(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that looks like an installed package with the toys; on the path here, and in started programs."""
    folder = tmp_path_factory.mktemp("site")
    about = folder / "toys-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: toys\nVersion: 1.0\n")
    lines = [f"{toy.__name__.lower()} = tests.arena.toys:{toy.__name__}" for toy in TOYS]
    (about / "entry_points.txt").write_text("\n".join(["[tikal.bots]", *lines, ""]))
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setenv("PYTHONPATH", f"{folder}:{ROOT}")
    monkeypatch.setenv("TOYS_FOLDER", str(folder))
    return folder

"""Files from the command line, and the folder for games."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from tikal.cli import files
from tikal.cli.files import FileError, data_folder, read_text, write_text


def test_written_files_can_be_read(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "game.tikal"
    write_text(path, "Grüße\n")
    assert read_text(path) == "Grüße\n"
    assert [entry.name for entry in path.parent.iterdir()] == ["game.tikal"]


def test_a_mark_at_the_beginning_does_not_matter(tmp_path: Path) -> None:
    path = tmp_path / "windows.tikal"
    path.write_bytes(b"\xef\xbb\xbfabc")
    assert read_text(path) == "abc"


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("missing", "no such file"),
        ("folder", "is a folder"),
        ("binary", "not a text file"),
        ("nul\0", "can’t be read"),
    ],
)
def test_unreadable_files_are_refused(tmp_path: Path, name: str, why: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "binary").write_bytes(b"\x7fELF\xff\xfe\x00")
    with pytest.raises(FileError) as caught:
        read_text(tmp_path / name)
    assert why in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_may_be_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "LARGEST", 10)
    (tmp_path / "large").write_text("x" * 11)
    (tmp_path / "right").write_text("x" * 10)
    with pytest.raises(FileError, match="too large"):
        read_text(tmp_path / "large")
    assert len(read_text(tmp_path / "right")) == 10


def test_standard_input_is_a_file_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"[Game]")))
    assert read_text(Path("-")) == "[Game]"


def test_a_failed_write_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("old")
    (tmp_path / "folder" / "full").mkdir(parents=True)
    for path in (tmp_path / "file" / "below", tmp_path / "folder", tmp_path / "nul\0"):
        with pytest.raises(FileError, match="can’t be written"):
            write_text(path, "new")
    assert (tmp_path / "file").read_text() == "old"
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["file", "folder"]


def test_games_are_kept_in_the_data_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("APPDATA", str(tmp_path))
    assert data_folder() == tmp_path / "tikal"
    monkeypatch.setenv("XDG_DATA_HOME", "")
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    monkeypatch.setattr(sys, "platform", "linux")
    assert data_folder() == tmp_path / ".local" / "share" / "tikal"
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setenv("APPDATA", "")
    assert data_folder() == tmp_path / "AppData" / "Roaming" / "tikal"

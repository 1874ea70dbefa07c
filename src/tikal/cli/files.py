"""Files that people name on the command line, and where games are kept."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path

from tikal.rules.errors import TikalError

LARGEST = 4_000_000  # bytes; the longest possible game takes a hundredth of it


class FileError(TikalError):
    """A file that can't be read, written or understood."""


def read_text(path: Path) -> str:
    """The text of a file; `-` is standard input.

    >>> read_text(Path("no such file"))
    Traceback (most recent call last):
    tikal.cli.files.FileError: no such file: there is no such file
    """
    try:
        if str(path) == "-":
            data = sys.stdin.buffer.read(LARGEST + 1)
        else:
            with path.open("rb") as file:
                data = file.read(LARGEST + 1)
    except FileNotFoundError:
        raise FileError("file", f"{path}: there is no such file") from None
    except IsADirectoryError:
        raise FileError("file", f"{path}: is a folder, not a file") from None
    except (OSError, ValueError) as error:  # ValueError: a null byte in the name
        raise FileError("file", f"{path}: can't be read: {_why(error)}") from None
    if len(data) > LARGEST:
        raise FileError("file", f"{path}: too large for a game record (more than {LARGEST} bytes)")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FileError("file", f"{path}: is not a text file (byte {error.start} is not UTF-8)") from None


def write_text(path: Path, text: str) -> None:
    """Write a file so that it is there as a whole or not at all, even if we are killed meanwhile."""
    beside = path.parent / f".{path.name}.{os.getpid()}"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        beside.write_text(text, "utf-8", newline="\n")
        beside.replace(path)
    except (OSError, ValueError) as error:
        with suppress(OSError, ValueError):
            beside.unlink()
        raise FileError("file", f"{path}: can't be written: {_why(error)}") from None


def data_folder() -> Path:
    """Where this user's games are kept: XDG_DATA_HOME or ~/.local/share; APPDATA on Windows."""
    if sys.platform == "win32":
        root = os.environ.get("APPDATA") or str(Path.home() / "AppData" / "Roaming")
    else:
        root = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(root) / "tikal"


def _why(error: OSError | ValueError) -> str:
    return getattr(error, "strerror", None) or str(error)

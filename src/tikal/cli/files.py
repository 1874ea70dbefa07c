"""Files from the command line, and the folder for games."""

from __future__ import annotations

import errno
import os
import sys
from contextlib import suppress
from pathlib import Path

from tikal.cli.language import t
from tikal.rules.errors import TikalError

LARGEST = 4_000_000  # bytes; the longest possible game takes a hundredth of it


class FileError(TikalError):
    """A file that can't be read, written or understood."""


def read_text(path: Path) -> str:
    """The text of a file; `-` is standard input.

    >>> read_text(Path("no such file"))
    Traceback (most recent call last):
    tikal.cli.files.FileError: no such file: no such file
    """
    try:
        if str(path) == "-":
            data = sys.stdin.buffer.read(LARGEST + 1)
        else:
            with path.open("rb") as file:
                data = file.read(LARGEST + 1)
    except FileNotFoundError:
        raise FileError("file", t("no_such_file", path=str(path))) from None
    except IsADirectoryError:
        raise FileError("file", t("is_folder", path=str(path))) from None
    except (OSError, ValueError) as error:  # ValueError: a null byte in the name
        raise FileError("file", t("not_readable", path=str(path), why=_why(error))) from None
    if len(data) > LARGEST:
        raise FileError("file", t("too_large", path=str(path), bytes=LARGEST))
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FileError("file", t("not_text", path=str(path), byte=error.start)) from None


def write_text(path: Path, text: str) -> None:
    """Writes a file completely or not at all, even if the program is killed meanwhile."""
    beside = path.parent / f".{path.name}.{os.getpid()}"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        beside.write_text(text, "utf-8", newline="\n")
        beside.replace(path)
    except (OSError, ValueError) as error:
        with suppress(OSError, ValueError):
            beside.unlink()
        raise FileError("file", t("not_writable", path=str(path), why=_why(error))) from None


def data_folder() -> Path:
    """The folder for this user's games: XDG_DATA_HOME or ~/.local/share; APPDATA on Windows."""
    if sys.platform == "win32":
        root = os.environ.get("APPDATA") or str(Path.home() / "AppData" / "Roaming")
    else:
        root = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(root) / "tikal"


SYSTEM = {
    errno.EACCES: "denied",
    errno.EPERM: "denied",
    errno.ENOSPC: "full",
    errno.EDQUOT: "full",
    errno.EROFS: "read_only",
}
"""The usual errors of the system, by the message `os_NAME`."""


def _why(error: OSError | ValueError) -> str:
    """The reason in the reader's language; of rare errors in the system's own words."""
    known = SYSTEM.get(getattr(error, "errno", None) or 0)
    return t(f"os_{known}") if known else getattr(error, "strerror", None) or str(error)

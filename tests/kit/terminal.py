"""`tikal` in its own terminal."""

from __future__ import annotations

import os
import re
import select
import signal
import sys
from pathlib import Path

PATIENCE = 120.0  # seconds to wait for an answer before the test gives up

_ESCAPES = re.compile(r"\x1b(?:\[[0-9;?=>]*[A-Za-z]|\][^\x07]*\x07|[=>()][A-Z0-9]?)|[\r\x0f]")


class Terminal:
    """A `tikal` that runs in a pseudo-terminal."""

    def __init__(self, *arguments: str, home: Path, lines: int = 50, columns: int = 120) -> None:
        import fcntl
        import pty
        import struct
        import termios

        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
            # Without LINES and COLUMNS, which readline sets: they would override the size above.
            kept = {name: value for name, value in os.environ.items() if name not in ("LINES", "COLUMNS")}
            kept |= {"TERM": "xterm-256color", "PROMPT_TOOLKIT_NO_CPR": "1", "XDG_DATA_HOME": str(home)}
            os.execve(sys.executable, [sys.executable, "-m", "tikal.cli", *arguments], kept)
        self._raw = b""

    def hear(self, pattern: str) -> str:
        """Waits until the terminal shows this pattern; returns everything up to it without escape sequences."""
        while not (found := re.search(pattern, _plain(self._raw))):
            if (more := self._read()) is None:
                raise AssertionError(f"nothing like {pattern!r} in: {_plain(self._raw)[-2000:]}")
            self._raw += more
        shown = _plain(self._raw)
        self._raw = shown[found.end() :].encode()
        return shown[: found.end()]

    def type(self, keys: str) -> None:
        """Press keys; `\\r` is Enter."""
        os.write(self.fd, keys.encode())

    def end(self) -> int:
        """Wait for the end of the program: its exit code."""
        while self._read() is not None:
            pass
        _, status = os.waitpid(self.pid, 0)
        self.pid = 0
        return os.waitstatus_to_exitcode(status)

    def close(self) -> None:
        """Kills it."""
        if self.pid:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self.fd)

    def _read(self) -> bytes | None:
        """The next output; None at the end, or after the timeout."""
        ready, _, _ = select.select([self.fd], [], [], PATIENCE)
        try:
            return (os.read(self.fd, 65536) or None) if ready else None
        except OSError:  # Linux says so when the other end is closed
            return None


def _plain(raw: bytes) -> str:
    return _ESCAPES.sub("", raw.decode("utf-8", "replace"))


def kept(home: Path, folder: str = "autosave") -> list[Path]:
    return sorted((home / folder).glob("*.tikal"))

"""Runs the engine of version 0.1.0 and removes from every position the fields that this version does not know.

    python -m benchmarks.bots_release PROGRAM engine

`benchmarks/bots.py` uses it: the engine reads commands from here and answers to standard output itself.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys

POSITION = "position "
NEW_OPTIONS = ("members_work_once",)  # off in all games that version 0.1.0 can play
NEW_PARTS = ("worked",)  # of a view; only the new options use them


def translated(line: str) -> str:
    """A command in the form of version 0.1.0.

    >>> translated('position {"options": {"players": 2, "members_work_once": false}}')
    'position {"options":{"players":2}}'
    >>> translated("info")
    'info'
    """
    if not line.startswith(POSITION):
        return line
    view = json.loads(line.removeprefix(POSITION))
    for name in NEW_OPTIONS:
        view["options"].pop(name, None)
    for name in NEW_PARTS:
        view.pop(name, None)
    return POSITION + json.dumps(view, separators=(",", ":"))


def main() -> None:
    """Pass on every command until the caller closes the pipe."""
    alone = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    with subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, text=True, env=alone) as engine:
        assert engine.stdin is not None
        for line in sys.stdin:
            engine.stdin.write(translated(line.rstrip("\n")) + "\n")
            engine.stdin.flush()


if __name__ == "__main__":
    main()

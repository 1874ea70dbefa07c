"""Start-up times: `import tikal`, and `tikal engine` up to its first `ok`.

    .venv/bin/python -m benchmarks.startup

Each round starts every process once. Time is wall-clock time, from before the start of the process to the answer.
The package runs from two copies: one with Python's bytecode beside it, like an installed package, and one
without, like the first run of a fresh checkout.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import tikal
from benchmarks.rounds import interleaved, parser
from tikal._compiled import mode

BARS = {"import tikal": 50, "engine, newgame": 150, "engine, info": 150}
ENGINE = "import sys; from tikal.cli.main import main; sys.exit(main(['engine']))"
NEWGAME, INFO = b"newgame players=2 seed=42\n", b"info\n"


def run_time(code: str, environment: Mapping[str, str]) -> float:
    """Milliseconds that an interpreter takes for some code, from its start to its end."""
    begun = perf_counter()
    subprocess.run([sys.executable, "-c", code], env=environment, check=True)
    return (perf_counter() - begun) * 1000


def answer_time(command: bytes, environment: Mapping[str, str]) -> float:
    """Milliseconds from the start of the engine to the `ok` of its first command."""
    begun = perf_counter()
    words = [sys.executable, "-c", ENGINE]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment) as engine:
        assert engine.stdin and engine.stdout
        engine.stdin.write(command)
        engine.stdin.flush()
        while (line := engine.stdout.readline()) != b"ok\n":
            assert line and not line.startswith(b"err"), line
        taken = (perf_counter() - begun) * 1000
        engine.stdin.close()
    return taken


def copied(folder: Path, **more: str) -> dict[str, str]:
    """The environment in which Python runs a copy of this package."""
    shutil.copytree(Path(tikal.__file__).parent, folder / "tikal", ignore=shutil.ignore_patterns("__pycache__"))
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "TIKAL"))}
    return {**plain, "PYTHONPATH": str(folder), **more}


def sides(folder: Path) -> dict[str, Callable[[], dict[str, float]]]:
    """All processes of a round."""
    warm = copied(folder / "warm")
    cold = copied(folder / "cold", PYTHONDONTWRITEBYTECODE="1")
    answer_time(NEWGAME, warm)
    answer_time(INFO, warm)
    return {
        "bare interpreter": lambda: {"ms": run_time("pass", warm)},
        "import tikal": lambda: {"ms": run_time("import tikal", warm)},
        "engine, newgame": lambda: {"ms": answer_time(NEWGAME, warm)},
        "engine, info": lambda: {"ms": answer_time(INFO, warm)},
        "engine, newgame, no bytecode": lambda: {"ms": answer_time(NEWGAME, cold)},
        "engine, info, no bytecode": lambda: {"ms": answer_time(INFO, cold)},
    }


def main() -> None:
    """Measure, and print."""
    args = parser(__doc__, rounds=15).parse_args()
    with TemporaryDirectory() as folder:
        found = {name: figures["ms"] for name, figures in interleaved(sides(Path(folder)), args.rounds).items()}
    found["import tikal"] -= found["bare interpreter"]
    if args.json:
        about = {"mode": mode()[0], "rounds": args.rounds, "python": sys.version.split()[0]}
        print(json.dumps({**about, "ms": found, "bars": BARS}))
        return
    print(
        f"medians of {args.rounds} interleaved rounds, milliseconds; import tikal is what it adds to the interpreter\n"
    )
    for name, figure in found.items():
        bar = f"   (target: at most {BARS[name]})" if name in BARS else ""
        print(f"  {name:32}{figure:>8.1f}{bar}")


if __name__ == "__main__":
    main()

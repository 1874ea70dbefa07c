"""The official game now and at an earlier revision: instructions by callgrind, and CPU time.

    .venv/bin/python -m benchmarks.instructions              against the core before the variants
    .venv/bin/python -m benchmarks.instructions --before REV

Both versions of the rules are compiled in temporary folders, by the build of this working tree and with the same flags,
and play the same fixed games: if they differ in a single decision, nothing is compared. Instructions are the difference
between a run and a shorter one, so that the start of Python does not count. Needs git and valgrind.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.rounds import interleaved, parser
from hatch_build import compile_modules

ROOT = Path(__file__).parents[1]
BEFORE = "6e879bd"  # the official game, complete; the variants came after it
LIMITS = {"instructions": 3, "CPU time": 10}  # percent

# Runs in either tree, with JSON kind -> times; prints kind -> [decisions or sequences or clones, seconds of CPU time].
DRIVER = """
import json, sys, time
from tikal.rules.core import State
from tikal.rules.options import Options
from tikal.rules.tree import perft, playouts

def start(auction):
    return State(Options(players=4, auction=auction), list(range(36)), [0, 1, 2, 3, 4, 5, 6, 7] * 3)

def clones(times):
    for _ in range(times):
        basic.clone()
    return times

basic, auction = start(False), start(True)
RUNS = {
    "basic": lambda times: playouts(basic, times, 1),
    "auction": lambda times: playouts(auction, times, 1),
    "perft": lambda times: sum(perft(basic, 5) for _ in range(times)),
    "clone": clones,
}
done = {}
for kind, times in json.loads(sys.argv[1]).items():
    begun = time.process_time()
    done[kind] = RUNS[kind](times), time.process_time() - begun
print(json.dumps(done))
"""
COUNTED = {"basic": 60, "auction": 60, "perft": 1, "clone": 4000}
TIMED = {"basic": 6000, "auction": 6000, "perft": 100, "clone": 2_000_000}


def build(source: Path, work: Path) -> Path:
    """Compiles the rules below `source`; returns the folder to import `tikal` from."""
    package = work / "src" / "tikal"
    shutil.copytree(source / "rules", package / "rules", ignore=shutil.ignore_patterns("*.so", "*.pyd", "__pycache__"))
    for path in source.glob("*.py"):
        shutil.copy(path, package)
    for binary, name in compile_modules(work / "src", work / "build").items():
        shutil.copy(binary, work / "src" / name)
    return work / "src"


def checked_out(revision: str, work: Path, path: str = "src/tikal") -> Path:
    """A folder of the project at a revision, unpacked below `work`; `.` is the whole project."""
    words = ["git", "-C", str(ROOT), "archive", "--format=tar", revision, path]
    archive = subprocess.run(words, capture_output=True, check=False)
    if archive.returncode:
        sys.exit(f"{revision}: {archive.stderr.decode().strip() or 'no such revision here'}")
    with tarfile.open(fileobj=BytesIO(archive.stdout)) as tar:
        tar.extractall(work, filter="data")
    return work / path


def run(tree: Path, times: dict[str, int], *before: str) -> subprocess.CompletedProcess[str]:
    """Runs the driver in one of the trees, optionally under another program."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "TIKAL"))}
    return subprocess.run(
        [*before, sys.executable, "-c", DRIVER, json.dumps(times)],
        env={**kept, "PYTHONPATH": str(tree), "PYTHONHASHSEED": "0", "TIKAL_STRICT": "1"},
        capture_output=True,
        text=True,
        check=True,
    )


def instructions(tree: Path) -> dict[str, float]:
    """Instructions for each game, count or clone: the extra cost of a run that does one kind twice as often."""
    once = _collected(tree, COUNTED)
    return {kind: (_collected(tree, COUNTED | {kind: 2 * times}) - once) / times for kind, times in COUNTED.items()}


def _collected(tree: Path, times: dict[str, int]) -> int:
    output = run(tree, times, "valgrind", "--tool=callgrind", f"--callgrind-out-file={os.devnull}").stderr
    found = re.search(r"Collected : (\d+)", output)
    assert found, output
    return int(found[1])


def seconds(tree: Path) -> Callable[[], dict[str, float]]:
    """CPU time of a fixed amount of each kind."""
    return lambda: {kind: taken for kind, (_done, taken) in json.loads(run(tree, TIMED).stdout).items()}


def same_games(trees: dict[str, Path]) -> None:
    """Stops if the two versions do not play the same games."""
    done = {name: json.loads(run(tree, COUNTED).stdout) for name, tree in trees.items()}
    for kind in COUNTED:
        counts = {name: figures[kind][0] for name, figures in done.items()}
        if len(set(counts.values())) > 1:
            sys.exit(f"{kind}: not the same games, so there is nothing to compare: {counts}")


def compared(trees: dict[str, Path], rounds: int) -> dict[str, dict[str, dict[str, float]]]:
    """For each way to measure and each kind: before, after, and the change in percent."""
    counted = {name: instructions(tree) for name, tree in trees.items()}
    timed = interleaved({name: seconds(tree) for name, tree in trees.items()}, rounds)
    found: dict[str, dict[str, dict[str, float]]] = {}
    for way, figures in (("instructions", counted), ("CPU time", timed)):
        found[way] = {}
        for kind in COUNTED:
            before, after = figures["before"][kind], figures["after"][kind]
            found[way][kind] = {"before": before, "after": after, "percent": (after / before - 1) * 100}
    return found


def main() -> None:
    """Build, measure, and print."""
    made = parser(__doc__, rounds=15)
    made.add_argument("--before", default=BEFORE, metavar="REV", help=f"what to compare with (default {BEFORE})")
    args = made.parse_args()
    if shutil.which("valgrind") is None:
        sys.exit("valgrind is needed (on Debian: apt-get install valgrind)")
    with TemporaryDirectory() as folder:
        work = Path(folder)
        old = checked_out(args.before, work / "checkout")
        trees = {"before": build(old, work / "before"), "after": build(ROOT / "src" / "tikal", work / "after")}
        same_games(trees)
        found = compared(trees, args.rounds)
    if args.json:
        print(json.dumps({"before": args.before, "rounds": args.rounds, "limits": LIMITS, **found}))
        return
    for way, kinds in found.items():
        unit = "each game, perft 5 or clone" if way == "instructions" else f"seconds, medians of {args.rounds} rounds"
        print(f"{way} ({unit}; at most {LIMITS[way]} % more is allowed)")
        for kind, row in kinds.items():
            print(f"  {kind:10}{row['before']:>16,.3f}{row['after']:>16,.3f}{row['percent']:>+9.1f} %")


if __name__ == "__main__":
    main()

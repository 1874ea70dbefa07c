"""How strong the bots are: against the bots of version 0.1.0, which never change, and level against level.

    .venv/bin/python -m benchmarks.bots                           every bar, 400 games each: many hours
    .venv/bin/python -m benchmarks.bots --list                    the bars, and nothing played
    .venv/bin/python -m benchmarks.bots --only surveyor --games 40
    .venv/bin/python -m benchmarks.bots --resume                  play the games that are missing
    .venv/bin/python -m benchmarks.bots --speed                   positions that the beam values in a second

The benchmark takes version 0.1.0 from this repository's history and installs it once, with its own locks, into a cache
folder (below XDG_CACHE_HOME or ~/.cache). That version plays as a program that speaks the engine protocol; see
`bots_release.py`. Both sides get the same deals in all rotations of the seats, and the same budget: the professors
--time milliseconds for each decision (--old-time for the old ones), the surveyors what their level allows. Intervals
are 95 %, clustered by deal. Results, journals and records stay in --out.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from time import process_time
from typing import Any

from benchmarks.instructions import checked_out
from tikal.bots import LEVELS
from tikal.bots.habits import by_name, figures, observe
from tikal.bots.planner import Planner
from tikal.play import records
from tikal.play.action import Action
from tikal.play.chance import deal
from tikal.rules.codes import FINISHED
from tikal.rules.options import VARIANTS, Options
from tikal.rules.setup import new_state

RELEASE, COMMIT = "0.1.0", "2bb4cd4"
OLD = "0.1.0 "  # prefix of the release's levels
NEED_AUCTION = ("sudden_death", "leaps")
MOST_UNUSED = 0.5  # mean AP per turn
LEAST_SPEED = 2  # million positions a second on one core
WIDTHS = (4, 24, 60)  # width of the beam; 24 is the surveyor's, 60 the professor's
TIKAL = [sys.executable, "-m", "tikal.cli"]


@dataclass(frozen=True, slots=True)
class Bar:
    """A match, and the share of it that the first player should win."""

    key: str
    players: tuple[str, ...]
    least: float
    most: float = 1.0
    options: str = ""

    def about(self) -> str:
        """The match in words.

        >>> Bar("x", ("professor", "0.1.0 professor"), 0.9, options="auction").about()
        'professor v 0.1.0 professor, auction'
        """
        first, *others = self.players
        rest = others[0] if len(others) == 1 else f"{len(others)} of {others[0]}"
        return f"{first} v {rest}" + (f", {self.options}" if self.options else "")


def bars() -> Iterator[Bar]:
    """Every bar."""
    for level, four in (("professor", 0.65), ("surveyor", None)):
        old = OLD + level
        yield Bar(level, (level, old), 0.90)
        if four:
            yield Bar(f"{level}-4", (level, old, old, old), four)
        yield Bar(f"{level}-auction", (level, old), 0.80, options="auction")
        yield Bar(f"{level}-auction-4", (level, old, old, old), 0.50, options="auction")
    for variant in VARIANTS:
        options = f"auction,{variant}" if variant in NEED_AUCTION else variant
        yield Bar(variant.replace("_", "-"), ("professor", f"{OLD}professor"), 0.70, options=options)
    for below, level in pairwise(LEVELS):
        yield Bar(f"{level}-over-{below}", (level, below), 0.70, 0.85)


# The release


def release(cache: Path) -> Path:
    """The `tikal` of the release, installed on first use."""
    program = cache / "venv" / ("Scripts" if os.name == "nt" else "bin") / "tikal"
    ready = cache / "ready"
    if ready.exists():
        return program
    print(f"installing version {RELEASE} into {cache}", file=sys.stderr)
    shutil.rmtree(cache, ignore_errors=True)
    source = checked_out(COMMIT, cache / "source", ".")
    subprocess.run([sys.executable, "-m", "venv", cache / "venv"], check=True)
    pip: list[str | Path] = [
        program.with_name("python"),
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
    ]
    locks = [f"--requirement={source / 'requirements' / name}" for name in ("run.txt", "build.txt")]
    subprocess.run([*pip, "--no-deps", "--require-hashes", *locks], check=True)
    alone = {**os.environ, "TIKAL_NO_CLIENT": "1"}
    subprocess.run([*pip, "--no-deps", "--no-build-isolation", source], check=True, env=alone)
    version = subprocess.run([program, "--version"], check=True, capture_output=True, text=True).stdout.strip()
    if version != f"tikal {RELEASE} (compiled)":
        sys.exit(f"{cache}: must be tikal {RELEASE}, compiled, and is {version}")
    ready.touch()
    return program


def cache_folder() -> Path:
    """The folder of the release."""
    root = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(root) / "tikal" / f"bots-{RELEASE}"


def spec(player: str, program: Path, time: int) -> str:
    """A player in the arena's form.

    >>> spec("0.1.0 professor", Path("tikal"), time=500).endswith("bots_release.py tikal engine")
    True
    """
    level = player.removeprefix(OLD)
    timed = level == "professor"
    if level == player:
        return f"{level}:time={time}" if timed else level
    budget = f" time={time}" if timed else ""
    words = [sys.executable, str(Path(__file__).with_name("bots_release.py")), str(program), "engine"]
    return f"program:level={level}{budget} {shlex.join(words)}"


# Speed


def speed(width: int, games: int = 2) -> float:
    """The positions that a beam values in a second of CPU time, over all turns of some games."""
    nodes, seconds = 0, 0.0
    for game in range(games):
        options = Options(players=2)
        state = new_state(options, deal(options, f"speed-{game}"))
        planner = Planner(state, width)
        while state.phase != FINISHED:
            before, start = planner.nodes, process_time()
            turn = planner.turns(state, width, 1)[0]
            nodes, seconds = nodes + planner.nodes - before, seconds + process_time() - start
            for action in turn.actions:
                barrier = Action.of(action).is_barrier(state)
                state.apply_unchecked(action)
                if barrier:
                    break
    return nodes / seconds


# Matches


def command(bar: Bar, program: Path, args: argparse.Namespace) -> list[str]:
    """Plays the match of a bar, or resumes it."""
    out = args.out / f"{bar.key}.json"
    rest = ["--games", str(args.games), "--workers", str(args.workers), "--records", str(args.out / bar.key), "--json"]
    if out.with_name(out.name + ".journal").exists():
        if not args.resume:
            sys.exit(f"{out}: there are games of an earlier run; add --resume, or another --out")
        return ["arena", "--resume", str(out), *rest]
    ladder = not any(player.startswith(OLD) for player in bar.players)
    times = {True: args.old_time or args.time, False: args.time}
    players = bar.players if ladder else [spec(name, program, times[name.startswith(OLD)]) for name in bar.players]
    given = [word for player in players for word in ("--player", player)]
    options = ["--options", bar.options] if bar.options else []
    return ["arena", *given, *options, "--seed", args.seed, "--out", str(out), *rest]


def play(bar: Bar, program: Path, args: argparse.Namespace) -> dict[str, Any]:
    """The result of a bar: the share won, the time of a turn, and the unused AP."""
    words = command(bar, program, args)
    done = subprocess.run([*TIKAL, *words], stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        sys.exit(done.returncode)
    report = json.loads(done.stdout)
    first, other = report["players"][:2]
    return {
        "bar": bar.key,
        "match": bar.about(),
        "least": bar.least,
        "most": bar.most,
        "games": report["games"],
        "won": first["win_rate"],
        "ci95": first["ci95"],
        "points": [first["mean_score"], other["mean_score"]],
        "ms_per_turn": [first["ms_per_turn"], other["ms_per_turn"]],
        "unused_ap_per_turn": unused(args.out / bar.key, [first["spec"], other["spec"]]),
        "faults": len(report["faults"]),
        "command": "tikal " + shlex.join(words),
    }


def unused(folder: Path, names: Sequence[str]) -> list[float]:
    """The mean unused AP per turn of the players in the records of a folder."""
    read = (records.read(path.read_text("utf-8")) for path in sorted(folder.glob("*.tikal")))
    games = by_name(observe(record.game, record.tags["Players"]) for record in read if record.game.over)
    return [figures(games[name])["unused_ap_per_turn"] for name in names]


def lines(row: dict[str, Any]) -> Iterator[str]:
    """A result for people: the figure with its interval against the bar, then the rest, then the command."""
    won, low, high = (f"{100 * part:.1f}" for part in (row["won"], *row["ci95"]))
    wanted = f"{100 * row['least']:.0f}" + (f" to {100 * row['most']:.0f}" if row["most"] < 1 else "")
    met = row["least"] <= row["won"] <= row["most"]
    faults = f", {row['faults']} of them lost by a fault" if row["faults"] else ""
    yield f"{row['match']}: {won} % ({low} … {high}) of {row['games']} games{faults}"
    yield f"    wanted: {wanted} %: {_met(met)}"
    yield "    points " + " – ".join(f"{points:.1f}" for points in row["points"])
    yield "    median of a turn " + " – ".join(f"{ms:.0f} ms" for ms in row["ms_per_turn"])
    ours, theirs = row["unused_ap_per_turn"]
    wanted = f"wanted: at most {MOST_UNUSED}: {_met(ours <= MOST_UNUSED)}"
    yield f"    unused AP a turn {ours:.2f} – {theirs:.2f}; {wanted}"
    yield f"    {row['command']}"


def _met(reached: bool) -> str:
    return "reached" if reached else "NOT reached"


def main() -> None:
    """Play, and print."""
    made = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    every = {bar.key: bar for bar in bars()}
    made.add_argument("--list", action="store_true", help="list the bars and play nothing")
    made.add_argument("--only", metavar="BAR,BAR", help="only these, by the names that --list prints")
    made.add_argument("--games", type=int, default=400, metavar="N", help="games for each bar (default 400)")
    made.add_argument("--seed", default="2027", help="seed of all deals (default 2027)")
    about = "a professor's milliseconds for one decision, on both sides (default 500)"
    made.add_argument("--time", type=int, default=500, metavar="MS", help=about)
    about = f"the same for {RELEASE} only, whose turns have fewer decisions (default: --time)"
    made.add_argument("--old-time", type=int, metavar="MS", help=about)
    made.add_argument("--workers", type=int, default=2, metavar="N", help="games at a time (default 2)")
    made.add_argument("--out", type=Path, default=Path("bots-benchmark"), metavar="DIR", help="what is kept of it")
    made.add_argument("--resume", action="store_true", help="continue the matches in --out")
    made.add_argument(
        "--release", type=Path, metavar="PROGRAM", help=f"an installed tikal {RELEASE}, instead of a new one"
    )
    made.add_argument("--json", action="store_true", help="a line of JSON for each bar")
    made.add_argument("--speed", action="store_true", help="measure positions per second, and play no match")
    args = made.parse_args()
    if args.speed:
        for width in WIDTHS:
            print(f"width {width}: {speed(width) / 1e6:.2f} million positions a second (wanted: {LEAST_SPEED:g})")
        return
    chosen = args.only.split(",") if args.only else list(every)
    unknown = [key for key in chosen if key not in every]
    if unknown:
        sys.exit(f"{unknown[0]}: no such bar; there are {', '.join(every)}")
    if args.list:
        for key in chosen:
            print(f"{key:28}{every[key].about()}")
        return
    args.out.mkdir(parents=True, exist_ok=True)
    needed = any(player.startswith(OLD) for key in chosen for player in every[key].players)
    program = (args.release or release(cache_folder())) if needed else Path("tikal")
    for key in chosen:
        row = play(every[key], program, args)
        print(json.dumps(row) if args.json else "\n".join(lines(row)), flush=True)


if __name__ == "__main__":
    main()

"""`tikal bench`: how fast the rules are on this machine.

Every figure is the median of several rounds, and each round measures everything once, so a slow moment of the machine
affects all figures alike. Time is the CPU time of this process, so other programs matter little.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import cycle
from random import Random
from statistics import median
from time import perf_counter, process_time
from timeit import Timer
from typing import Any

from tikal.play import Game, notation
from tikal.play.chance import deal
from tikal.rules.codes import ACTING, END, NO_ROUND, TURN_AP
from tikal.rules.core import Moves, State
from tikal.rules.errors import TikalError
from tikal.rules.options import VARIANTS, Options
from tikal.rules.setup import new_state
from tikal.rules.tree import perft, playouts

SECONDS, LONGEST = 10.0, 3600.0
ROUNDS = 7
DEALS = 16  # different deals, played in turn
BATCH = 1000  # calls per look at the clock, for functions that take nanoseconds
HALFWAY = 18  # tiles turned up in the middle of a game
PERFT_DEPTH = 3
BEAM_WIDTH = 100

EPILOG = """\
Figures are medians of interleaved rounds, by CPU time. A decision is one action chosen from all legal ones, which are
generated each time; forced actions count too. `--json` prints one line of JSON for programs.

examples:
  tikal bench
  tikal bench --json --seconds 5 | python3 -m json.tool
  TIKAL_PURE=1 tikal bench       without the compiled core
"""


@dataclass(frozen=True, slots=True)
class Measure:
    """A measurement: `run` does some of it and returns how much."""

    key: str
    what: str
    run: Callable[[], int]
    unit: str = "per second"

    def value(self, rate: float) -> float:
        """The figure for a rate per second.

        >>> Measure("clone_ns", "", int, "ns").value(1e7)
        100.0
        """
        return {"ns": 1e9, "µs": 1e6}[self.unit] / rate if self.unit != "per second" else rate


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """How long to measure, and the output format."""
    parser.epilog = EPILOG
    parser.add_argument("--json", action="store_true", help="one line of JSON instead of a table")
    about = f"how long to measure, in all (default {SECONDS:g})"
    parser.add_argument("--seconds", type=float, default=SECONDS, metavar="N", help=about)


def run(args: argparse.Namespace) -> int:
    """Measure, and print."""
    if not 0 < args.seconds <= LONGEST:
        raise TikalError("usage", f"--seconds {args.seconds:g}: must be more than 0, and {LONGEST:g} at the most")
    measures = all_measures()
    share = args.seconds / (len(measures) + 1)
    figures = measured(measures, share * len(measures))
    figures["pure_decisions_per_s"] = pure_rate(share)
    if args.json:
        print(json.dumps(as_json(figures)))
    else:
        _show(figures, measures)
    return 0


# Measurements


def start(options: Options, seed: int) -> State:
    """A game before its first action.

    >>> start(Options(players=4), 1).deck_next
    1
    """
    return new_state(options, deal(options, f"bench-{seed}"))


def middle(options: Options, seed: int) -> State:
    """A game half-way, played at random but with all AP spent, at the start of a seat's actions.

    >>> middle(Options(players=4), 1).ap
    10
    """
    state, moves, chance = start(options, seed), Moves(), Random(seed)
    while state.deck_next < HALFWAY or state.phase != ACTING or state.ap < TURN_AP or state.round_kind != NO_ROUND:
        state.legal(moves)
        state.apply_unchecked(chance.choice([action for action in moves if action != END] or [END]))
    return state


def random_games(options: Options) -> Callable[[], int]:
    """Whole random games in the compiled loop, from several deals in turn; returns the number of decisions."""
    states = cycle([start(options, seed) for seed in range(1, DEALS + 1)])
    seeds = iter(range(1, sys.maxsize))
    return lambda: playouts(next(states), 1, next(seeds))


def driven_games(options: Options) -> Callable[[], int]:
    """The same with the loop in Python: the cost for a program that drives the core action by action."""
    first, moves, chance = start(options, 1), Moves(), Random(1)

    def play() -> int:
        state, decisions = first.clone(), 0
        while count := state.legal(moves):
            state.apply_unchecked(moves[int(chance.random() * count)])
            decisions += 1
        return decisions

    return play


def checked_games(options: Options) -> Callable[[], int]:
    """The actions of a random game passed to `Game` as text: parsed, checked, added to its history."""
    state, moves, chance = start(options, 1), Moves(), Random(1)
    words = []
    while state.legal(moves):
        words.append(chance.choice(list(moves)))
        state.apply_unchecked(words[-1])
    actions = [notation.text(word) for word in words]

    def play() -> int:
        Game.new(options, seed="bench-1").play(*actions)
        return len(actions)

    return play


def calls(statement: str, **names: object) -> Callable[[], int]:
    """Many calls of a fast function, from Python."""
    timer = Timer(statement, globals=names)  # we need its tight loop, not its clock

    def run() -> int:
        timer.timeit(BATCH)
        return BATCH

    return run


def new_games(options: Options) -> Callable[[], int]:
    """Games shuffled from seeds and set up, not played."""
    seeds = iter(range(1, sys.maxsize))

    def run() -> int:
        start(options, next(seeds))
        return 1

    return run


def counting(options: Options) -> Callable[[], int]:
    """Action sequences from the middle of a game."""
    state = middle(options, 1)
    return lambda: perft(state, PERFT_DEPTH)


def beams(options: Options) -> Callable[[], int]:
    """Positions that a bot evaluates while it plans turns from the middle of a game."""
    from tikal.bots.planner import Planner

    states = cycle([middle(options, seed) for seed in range(1, 5)])
    planner = Planner(next(states), BEAM_WIDTH)

    def run() -> int:
        planner.search.reset()
        planner.turns(next(states), BEAM_WIDTH, 1)
        return planner.nodes

    return run


def all_measures() -> list[Measure]:
    """All measurements in this process."""
    basic, auction, two = Options(players=4), Options(players=4, auction=True), Options(players=2)
    here, moves = middle(basic, 1), Moves()
    copy = calls("copy_from(here)", copy_from=here.clone().copy_from, here=here)
    legal = calls("legal(moves)", legal=here.legal, moves=moves)
    return [
        Measure("playout_decisions_per_s", "random games, 4 players: decisions", random_games(basic)),
        Measure("auction_decisions_per_s", "random auction games, 4 players: decisions", random_games(auction)),
        Measure("two_decisions_per_s", "random games, 2 players: decisions", random_games(two)),
        *(
            Measure(f"variants.{name}", f"random games with {name}: decisions", random_games(varied))
            for name, varied in ((name, Options.with_variant(name, players=4)) for name in VARIANTS)
        ),
        Measure("driven_decisions_per_s", "the core driven from Python: decisions", driven_games(basic)),
        Measure("checked_actions_per_s", "actions as text, checked by Game", checked_games(basic)),
        Measure("perft_nodes_per_s", f"perft {PERFT_DEPTH}: action sequences", counting(basic)),
        Measure("beam_nodes_per_s", f"a bot's beam of width {BEAM_WIDTH}: positions", beams(basic)),
        Measure("clone_ns", "clone a state, called from Python", calls("clone()", clone=here.clone), "ns"),
        Measure("copy_ns", "copy a state into another, called from Python", copy, "ns"),
        Measure("legal_ns", f"all {here.legal(moves)} legal actions, called from Python", legal, "ns"),
        Measure("new_game_us", "shuffle and set up a game from a seed", new_games(basic), "µs"),
    ]


# Timing


def measured(measures: Sequence[Measure], seconds: float) -> dict[str, float]:
    """The median of each figure, over interleaved rounds.

    >>> sorted(measured([Measure("ones", "", lambda: 1), Measure("twos", "", lambda: 2)], 0.01))
    ['ones', 'twos']
    """
    piece = seconds / (ROUNDS * len(measures))
    rounds = [[measure.value(rate(measure.run, piece)) for measure in measures] for _ in range(ROUNDS)]
    return {measure.key: median(column) for measure, column in zip(measures, zip(*rounds, strict=True), strict=True)}


def rate(run: Callable[[], int], seconds: float) -> float:
    """How much is done per second of CPU time, measured for this many seconds of real time, and at least once."""
    done = 0
    until, begun = perf_counter() + seconds, process_time()
    while not done or perf_counter() < until:
        done += run()
    return done / max(process_time() - begun, 1e-9)


def pure_rate(seconds: float) -> float:
    """Decisions per second of the uncompiled rules, in a separate process."""
    code = f"from tikal.cli import bench; print(bench.playout_rate({seconds!r}))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"TIKAL_PURE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["it said nothing"])[-1]
        raise TikalError("bench", f"bench: the uncompiled rules could not be measured: {last}")
    return float(done.stdout)


def playout_rate(seconds: float) -> float:
    """Decisions per second in random games of four players."""
    only = Measure("playout", "", random_games(Options(players=4)))
    return measured([only], seconds)[only.key]


# Output


def as_json(figures: dict[str, float]) -> dict[str, Any]:
    """The figures for programs, with the machine and versions."""
    from tikal import __version__
    from tikal._compiled import mode

    plain = {key: _rounded(value) for key, value in figures.items() if "." not in key}
    variants = {key.partition(".")[2]: _rounded(value) for key, value in figures.items() if "." in key}
    return {
        "compiled": mode()[0] == "compiled",
        **plain,
        "games_per_s": _rounded(figures["playout_decisions_per_s"] / decisions_per_game()),
        "variants": variants,
        "version": __version__,
        "python": ".".join(map(str, sys.version_info[:3])),
    }


def decisions_per_game() -> float:
    """How many decisions a random game of four players takes."""
    play = random_games(Options(players=4))
    return sum(play() for _ in range(DEALS)) / DEALS


def _rounded(value: float) -> float:
    return round(value) if value >= 1000 else round(value, 1)


def _show(figures: dict[str, float], measures: Sequence[Measure]) -> None:
    from rich.console import Console
    from rich.table import Table

    report = as_json(figures)
    name = "compiled" if report["compiled"] else "uncompiled"
    table = Table(title=f"tikal {report['version']}, {name}, Python {report['python']}", title_style="bold", box=None)
    table.add_column("what")
    table.add_column("figure", justify="right")
    table.add_column("unit")
    rows = [(measure.what, figures[measure.key], measure.unit) for measure in measures]
    rows.insert(1, ("random games, 4 players: whole games", report["games_per_s"], "per second"))
    rows.append(("uncompiled, random games, 4 players: decisions", figures["pure_decisions_per_s"], "per second"))
    for what, value, unit in rows:
        table.add_row(what, f"{value:,.0f}" if value >= 1000 else f"{value:,.1f}", unit)
    Console().print(table)

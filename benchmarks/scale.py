"""A simulated day with 100,000 players: the load on servers, bots and the database at the busiest minute.

    python -m benchmarks.load --json > load.json
    python -m benchmarks.scale --load load.json          (without --load: the figures of docs/scale.md)

The cost of an action comes from the load tool (`--load`): CPU of the server, memory of a table. The habits of players
are assumptions, all of them in `Habits`. Every player visits once or several times in a day that has a quiet night and
a busy evening, and plays live games, turns of daily games, or games against bots. The simulation goes minute by minute.
"""

from __future__ import annotations

import argparse
import json
import math
import random
from collections import Counter
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

Json = dict[str, Any]
DAY = 24 * 60  # minutes


@dataclass(frozen=True, slots=True)
class Costs:
    """Costs, as measured (docs/scale.md has the commands)."""

    cpu_ms_per_action: float = 0.90  # CPU of a server's process
    kb_per_table: float = 37.0  # in memory
    kb_per_socket: float = 90.0  # in memory, at most: of one that never reads (benchmarks.silent)
    kb_per_update: float = 3.7  # sent to each socket with each action
    bytes_per_action: float = 450.0  # in the database, with its indices
    actions_per_commit: float = 8.0  # group commit, at a few hundred actions a second
    bot_cpu_s: tuple[tuple[str, float], ...] = (
        ("tourist", 0.001), ("digger", 0.0015), ("surveyor", 0.010), ("professor", 1.3),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Habits:
    """The habits of players: assumptions, to be replaced with a server's metrics."""

    players: int = 100_000  # different people in a day
    visits: float = 1.4  # of each
    live: float = 0.25  # of visits: a live game with people
    daily: float = 0.45  # of visits: turns of daily games; the rest plays against bots
    daily_turns: int = 6  # in one visit, about a minute each
    seats: float = 2.7  # at a table
    actions_per_game: int = 320  # of all seats
    live_minutes: int = 60
    bot_minutes: int = 35
    levels: tuple[tuple[str, float], ...] = (
        ("tourist", 0.1), ("digger", 0.25), ("surveyor", 0.4), ("professor", 0.25),
    )  # fmt: skip
    evening: float = 20.5  # the busiest hour
    night: float = 0.15  # the quietest moment, as a share of the busiest


@dataclass(slots=True)
class Minute:
    """The load in a minute."""

    sockets: float = 0.0
    tables: float = 0.0
    actions: float = 0.0
    updates: float = 0.0
    bot_cpu_s: float = 0.0


def arrivals(habits: Habits, rng: random.Random) -> Counter[int]:
    """How many visits begin in each minute: a wave over the day, and chance."""
    middle = (1 + habits.night) / 2
    weights = [
        middle + (1 - middle) * math.cos((minute / 60 - habits.evening) / 24 * 2 * math.pi) for minute in range(DAY)
    ]
    return Counter(rng.choices(range(DAY), weights, k=int(habits.players * habits.visits)))


def spread(day: list[Minute], start: int, minutes: int, per_minute: Minute) -> None:
    """Adds a visit to its minutes; time beyond midnight counts in the morning."""
    for minute in range(start, start + minutes):
        one = day[minute % DAY]
        one.sockets += per_minute.sockets
        one.tables += per_minute.tables
        one.actions += per_minute.actions
        one.updates += per_minute.updates
        one.bot_cpu_s += per_minute.bot_cpu_s


def live_game(habits: Habits) -> tuple[int, Minute]:
    """One player's part of a live game: all players get every action."""
    share = 1 / habits.seats
    actions = habits.actions_per_game / habits.live_minutes * share
    return habits.live_minutes, Minute(1, share, actions, actions * habits.seats)


def daily_visit(habits: Habits) -> tuple[int, Minute]:
    """Turns of daily games; the others are seldom there at the same time."""
    actions = habits.actions_per_game / 40  # about forty turns in a game
    return habits.daily_turns, Minute(1, 1, actions, actions)


def bot_game(habits: Habits, costs: Costs, level: str) -> tuple[int, Minute]:
    """A game of one person against bots of a level: a decision for each turn, and one more after each revelation."""
    actions = habits.actions_per_game / habits.bot_minutes
    decisions = 40 * 1.5 * (habits.seats - 1) / habits.seats
    cpu = dict(costs.bot_cpu_s)[level] * decisions / habits.bot_minutes
    return habits.bot_minutes, Minute(1, 1, actions, actions, cpu)


def simulate(habits: Habits, costs: Costs, rng: random.Random) -> list[Minute]:
    """A day, minute by minute."""
    day = [Minute() for _ in range(DAY)]
    levels, shares = zip(*habits.levels, strict=True)
    for start, visits in arrivals(habits, rng).items():
        for _ in range(visits):
            kind = rng.random()
            if kind < habits.live:
                minutes, per_minute = live_game(habits)
            elif kind < habits.live + habits.daily:
                minutes, per_minute = daily_visit(habits)
            else:
                minutes, per_minute = bot_game(habits, costs, rng.choices(levels, shares)[0])
            spread(day, start, minutes, per_minute)
    return day


def figures(day: list[Minute], costs: Costs) -> Json:
    """The needs of the busiest minute and of the whole day."""
    busiest = max(day, key=lambda minute: minute.actions)
    actions = busiest.actions / 60
    total = sum(minute.actions for minute in day)
    memory = busiest.sockets * costs.kb_per_socket + busiest.tables * costs.kb_per_table
    return {
        "players_at_once": round(busiest.sockets),
        "tables_at_once": round(busiest.tables),
        "actions_per_second": round(actions, 1),
        "actions_per_day": round(total),
        "server_cores": round(actions * costs.cpu_ms_per_action / 1000, 2),
        "server_memory_mb": round(memory / 1024),
        "outbound_mbit_per_second": round(busiest.updates / 60 * costs.kb_per_update * 8 / 1000, 1),
        "bot_cores": round(max(minute.bot_cpu_s for minute in day) / 60, 2),
        "commits_per_second": round(actions / costs.actions_per_commit, 1),
        "database_gb_per_day": round(total * costs.bytes_per_action / 1e9, 2),
    }


def measured(path: str | None) -> Costs:
    """The costs; those that the load tool has measured replace the known ones."""
    costs = Costs()
    if path is None:
        return costs
    report = json.loads(Path(path).read_text("utf-8"))
    if "saturation" in report:
        costs = replace(costs, cpu_ms_per_action=report["saturation"]["server_cpu_ms_per_action"])
        costs = replace(costs, kb_per_update=report["saturation"].get("kb_per_update", costs.kb_per_update))
    if report.get("memory", {}).get("kb_per_table"):
        costs = replace(costs, kb_per_table=report["memory"]["kb_per_table"])
    return costs


def main() -> None:
    """Simulates and prints."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--load", metavar="FILE", help="figures of benchmarks.load --json")
    parser.add_argument("--players", type=int, default=100_000, metavar="N", help="people in a day (100000)")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    args = parser.parse_args()
    habits, costs = Habits(players=args.players), measured(args.load)
    day = simulate(habits, costs, random.Random(args.seed))
    print(json.dumps({"costs": asdict(costs), "habits": asdict(habits), **figures(day, costs)}, indent=2))


if __name__ == "__main__":
    main()

"""Measures what players do with their action points, from the games that they have played.

>>> from tikal.play import Game
>>> from tikal.rules.options import Options
>>> game = Game.new(Options(players=2), seed="42")
>>> game.play(game.legal()[0], "+L@a1", ".")
>>> first = observe(game, ["Ann", "Bob"])[0]
>>> first.leader_turn, first.spent["enter"], first.unused
(1, 1, [9])
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, zip_longest
from statistics import fmean
from typing import Any

from tikal.play import Game, notation
from tikal.play.scores import scorings
from tikal.rules import codes
from tikal.rules.codes import LEADER, NO_LEAP, TURN_AP, fields_of, kind_of
from tikal.rules.core import State
from tikal.rules.tables import HEX_NAMES

WORK = {
    codes.ENTER: "enter",
    codes.MOVE: "move",
    codes.CAMP_MOVE: "move",
    codes.EXCAVATE: "uncover",
    codes.DIG: "dig",
    codes.EXCHANGE: "exchange",
    codes.CAMP: "camp",
    codes.GUARD: "guard",
    codes.GUN: "guard",
    codes.OBSTACLE: "obstacle",
    codes.SHOOT: "shoot",
}
"""What AP are spent on, by kind of action."""
TOP_CAMPS = 3  # hexes named in a table

Figures = dict[str, Any]


@dataclass(slots=True)
class Habits:
    """What one seat did in one game. A turn is a budget of AP; in `leaps`, the tokens of a round."""

    name: str
    win: float = 0.0  # its share of the win: 1 if it won alone
    points: int = 0
    unused: list[int] = field(default_factory=list)  # AP left over, turn by turn
    spent: Counter[str] = field(default_factory=Counter)  # AP by kind of work
    actions: Counter[str] = field(default_factory=Counter)
    leader_turn: int | None = None
    guard_turns: list[int] = field(default_factory=list)
    camps: list[str] = field(default_factory=list)  # hexes
    bids: list[int] = field(default_factory=list)  # 0 is a pass
    temples: list[int] = field(default_factory=list)  # points in each scoring
    treasures: list[int] = field(default_factory=list)
    lost: int = 0  # tokens lost so far in this round of leaps

    @property
    def turn(self) -> int:
        """The number of the turn under way, from 1.

        >>> Habits("Ann", unused=[0, 2]).turn
        3
        """
        return len(self.unused) + 1

    def see(self, before: State, action: int) -> None:
        """Count an action of this seat."""
        kind = kind_of(action)
        if kind in WORK:
            self._work(kind, action, before.price(action))
        elif kind == codes.BID:
            self.bids.append(action >> 5)
        elif kind in (codes.END, codes.LEAP):
            self._end(before, action)

    def _work(self, kind: int, action: int, price: int) -> None:
        work = WORK[kind]
        self.spent[work] += price
        self.actions[work] += 1
        hex, _, member = fields_of(action)
        if kind == codes.ENTER and member == LEADER:
            self.leader_turn = self.leader_turn or self.turn
        elif work == "guard":
            self.guard_turns.append(self.turn)
        elif work == "camp":
            self.camps.append(HEX_NAMES[hex])

    def _end(self, before: State, action: int) -> None:
        """The end of a budget of AP; in `leaps`, the turn ends with the seat's last token."""
        tokens = _tokens(before)
        if kind_of(action) == codes.LEAP:
            if action >> 5:
                return
            self.lost, tokens = self.lost + tokens, 0
        else:
            self.lost += before.ap
        if not tokens:
            self.unused.append(self.lost)
            self.lost = 0


def _tokens(state: State) -> int:
    """The tokens that the seat to move has left in a round of leaps; 0 in other turns."""
    if not getattr(state, "leaps", False):
        return 0
    if state.phase != codes.LEAPING and state.export()["leap_stage"] == NO_LEAP:
        return 0
    return int(state.export()["leap_tokens"][state.seat])


def observe(game: Game, names: Sequence[str] = ()) -> list[Habits]:
    """The habits of each seat in a game."""
    seats = [Habits(name) for name in names or [f"seat {seat + 1}" for seat in range(game.options.players)]]
    for step, (before, _after) in zip(game.history, pairwise(game.states()), strict=True):
        seats[step.seat - 1].see(before, notation.parse(step.action))
    for row in scorings(game):
        seats[row.seat - 1].temples.append(row.temples)
        seats[row.seat - 1].treasures.append(row.treasures)
    status = game.status()
    winners = status["winners"] or []
    for seat, habits in enumerate(seats, start=1):
        habits.points = status["scores"][seat - 1]
        habits.win = 1 / len(winners) if seat in winners else 0.0
    return seats


# Many games


def by_name(games: Iterable[Sequence[Habits]]) -> dict[str, list[Habits]]:
    """The habits of many games, grouped by player."""
    found: dict[str, list[Habits]] = {}
    for game in games:
        for habits in game:
            found.setdefault(habits.name, []).append(habits)
    return found


def figures(rows: Sequence[Habits]) -> Figures:
    """A player's habits in numbers, ready for JSON; means are per game unless the name says otherwise.

    >>> ann = figures([Habits("Ann", win=1.0, points=60, unused=[0, 10], leader_turn=1)])
    >>> ann["win_rate"], ann["unused_ap_per_turn"], ann["idle_turns"], ann["leader_turn"]
    (1.0, 5.0, 0.5, 1.0)
    """
    unused = [left for row in rows for left in row.unused]
    bids = [bid for row in rows for bid in row.bids]
    return {
        "games": len(rows),
        "win_rate": _mean(row.win for row in rows),
        "points": _mean(row.points for row in rows),
        "turns": _mean(len(row.unused) for row in rows),
        "unused_ap_per_turn": _mean(unused),
        "idle_turns": _mean(float(left == TURN_AP) for left in unused),
        "leader_turn": _mean(row.leader_turn for row in rows if row.leader_turn is not None),
        "leader_never": _mean(float(row.leader_turn is None) for row in rows),
        "ap": {work: _mean(row.spent[work] for row in rows) for work in dict.fromkeys(WORK.values())},
        "levels": _mean(row.actions["uncover"] for row in rows),
        "treasures": _mean(row.actions["dig"] for row in rows),
        "exchanges": _mean(row.actions["exchange"] for row in rows),
        "guards": _mean(len(row.guard_turns) for row in rows),
        "first_guard_turn": _mean(row.guard_turns[0] for row in rows if row.guard_turns),
        "temple_points": _by_scoring([row.temples for row in rows]),
        "treasure_points": _by_scoring([row.treasures for row in rows]),
        "camps": _mean(len(row.camps) for row in rows),
        "camp_hexes": dict(Counter(hex for row in rows for hex in row.camps).most_common()),
        "bids": {str(bid): count for bid, count in sorted(Counter(bids).items())},
    }


def _mean(values: Iterable[float]) -> float | None:
    listed = list(values)
    return round(fmean(listed), 4) if listed else None


def _by_scoring(games: Sequence[Sequence[int]]) -> list[float | None]:
    """The mean of the first scoring, of the second …; games may differ in how many they have."""
    return [_mean(value for value in column if value is not None) for column in zip_longest(*games)]


# Tables


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.1f}"


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.0f} %"


def _numbers(values: Iterable[float | None]) -> str:
    return ", ".join(map(_number, values)) or "–"


def _leader(player: Figures) -> str:
    never = f" (never in {_percent(player['leader_never'])})" if player["leader_never"] else ""
    return _number(player["leader_turn"]) + never


def _camps(player: Figures) -> str:
    total = sum(player["camp_hexes"].values())
    where = [f"{hex} {_percent(count / total)}" for hex, count in list(player["camp_hexes"].items())[:TOP_CAMPS]]
    return _number(player["camps"]) + (f": {', '.join(where)}" if where else "")


def _bids(player: Figures) -> str:
    counts = {int(bid): count for bid, count in player["bids"].items()}
    if not counts:
        return "–"
    raised = Counter({bid: count for bid, count in counts.items() if bid})
    if not raised:
        return f"0 / {counts[0]}"
    return f"{raised.total()} / {counts.get(0, 0)}, {fmean(raised.elements()):.1f}, {max(raised)}"


LINES: dict[str, Callable[[Figures], str]] = {
    "games": lambda player: str(player["games"]),
    "won": lambda player: _percent(player["win_rate"]),
    "points": lambda player: _number(player["points"]),
    "leader enters on turn": _leader,
    "AP for uncovering levels / digging": lambda player: _slashes(player["ap"]["uncover"], player["ap"]["dig"]),
    "AP for entering / moving": lambda player: _slashes(player["ap"]["enter"], player["ap"]["move"]),
    "levels uncovered / treasures dug / exchanges": lambda player: _slashes(
        player["levels"], player["treasures"], player["exchanges"]
    ),
    "guards, first on turn": lambda player: f"{_number(player['guards'])}, {_number(player['first_guard_turn'])}",
    "temple points in each scoring": lambda player: _numbers(player["temple_points"]),
    "treasure points in each scoring": lambda player: _numbers(player["treasure_points"]),
    "camps, and where most are": _camps,
    "auction: bids / passes, mean bid, highest": _bids,
    "unused AP a turn": lambda player: (
        "–" if player["unused_ap_per_turn"] is None else f"{player['unused_ap_per_turn']:.2f}"
    ),
    "turns with all 10 AP unused": lambda player: _percent(player["idle_turns"]),
}
"""The rows of a table: a label, and what to write for each player."""


def _slashes(*values: float | None) -> str:
    return " / ".join(map(_number, values))


def rows(players: Mapping[str, Figures]) -> list[list[str]]:
    """A table of habits: a heading, then a row for each habit that anybody has, with a cell for each player."""
    table = [[label, *(cell(each) for each in players.values())] for label, cell in LINES.items()]
    return [["", *players], *(row for row in table if set(row[1:]) != {"–"})]


def markdown(players: Mapping[str, Figures]) -> str:
    """The table in Markdown.

    >>> print(markdown({"Ann": figures([Habits("Ann", points=60)])}).splitlines()[4])
    | points | 60.0 |
    """
    head, *rest = [[cell.replace("|", "\\|") for cell in row] for row in rows(players)]
    return "\n".join(f"| {' | '.join(row)} |" for row in [head, ["---"] * len(head), *rest]) + "\n"


def report(games: Iterable[tuple[Game, Sequence[str]]]) -> str:
    """The habits of the players of some games (each with the names of its seats) as a table in Markdown."""
    groups = by_name(observe(game, names) for game, names in games)
    return markdown({name: figures(rows) for name, rows in groups.items()})

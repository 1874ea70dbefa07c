"""Perft: positions by exact chance and actions, and how many action sequences of each length start there.

`python -m tests.perft.make` rewrites the files (if one changes, the rules have changed);
`python -m tests.perft.make check` counts again, to the full depth, in the core and in the oracle.
"""

from __future__ import annotations

import random
import re
import sys
import textwrap
import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.kit.states import Player, deal
from tests.oracle import Oracle
from tikal.play.notation import parse, text
from tikal.rules import codes
from tikal.rules.codes import kind_of
from tikal.rules.core import Moves, State
from tikal.rules.facts import Facts
from tikal.rules.options import Options
from tikal.rules.setup import Chance, new_state
from tikal.rules.tables import NEIGHBOURS, TILES
from tikal.rules.tree import perft

FOLDER = Path(__file__).parent
DEEPEST = 5
MOST = 1_500_000  # sequences: no deeper
MOST_REPLAYED = 2500  # actions that the oracle plays for one file: it can't be copied, so each position is replayed


@dataclass(frozen=True)
class Position:
    """The content of a file."""

    options: Options
    chance: Chance
    actions: tuple[str, ...]
    counts: tuple[int, ...]

    def state(self) -> State:
        """The state after the actions."""
        self.chance.check(self.options)
        state, moves = new_state(self.options, self.chance), Moves()
        for action in self.actions:
            state.legal(moves)
            assert parse(action) in list(moves), f"{action} is not legal"
            state.apply_unchecked(parse(action))
        return state

    def oracle(self, more: Sequence[str] = ()) -> Oracle:
        """The oracle after the actions, and some more."""
        chance = self.chance
        oracle = Oracle(self.options.as_dict(), list(chance.deck), list(chance.treasures), list(chance.dice))
        for action in (*self.actions, *more):
            oracle.play(action)
        return oracle

    def core_counts(self, most: int = MOST) -> list[int]:
        """The counts by the core, as deep as they stay below a limit."""
        state = self.state()
        return [perft(state, depth) for depth, count in enumerate(self.counts, 1) if count <= most]

    def oracle_counts(self, most: int = MOST_REPLAYED) -> list[int]:
        """The counts by the oracle, as deep as it has to play no more actions than this."""
        counts = [self.oracle_count((), 1)]
        for depth, count in enumerate(self.counts[:-1], 2):
            if count * (len(self.actions) + depth) > most:
                break
            counts.append(self.oracle_count((), depth))
        return counts

    def oracle_count(self, path: tuple[str, ...], depth: int) -> int:
        """Sequences of this length after some more actions."""
        legal = self.oracle(path).legal()
        if depth == 1 or not legal:
            return len(legal) or 1
        return sum(self.oracle_count((*path, action), depth - 1) for action in legal)


def read(file: Path) -> Position:
    """The position of a file."""
    told = tomllib.loads(file.read_text("utf-8"))
    dice = tuple(map(int, told["dice"].split(","))) if told["dice"] else ()
    chance = Chance(tuple(told["deck"].split(",")), tuple(map(int, told["treasures"].split(","))), dice)
    options = Options.parse(dict(pair.split("=") for pair in told["options"].split()))
    return Position(options, chance, tuple(told["actions"].split()), tuple(told["counts"]))


def written(title: str, position: Position) -> str:
    """The text of a file."""
    pairs = " ".join(
        f"{name}={value}" for name, value in {"edition": position.options.edition, **position.options.pairs()}.items()
    )
    lines = [
        f"# {title}",
        f'options = "{pairs}"',
        f'deck = "{",".join(position.chance.deck)}"',
        f'treasures = "{",".join(map(str, position.chance.treasures))}"',
        f'dice = "{",".join(map(str, position.chance.dice))}"',
        'actions = """',
        *textwrap.wrap(" ".join(position.actions), 110, break_on_hyphens=False, break_long_words=False),
        '"""',
        f"counts = [{', '.join(map(str, position.counts))}]  # depth 1, 2, …",
    ]
    return "\n".join(lines) + "\n"


# ---------------------------------------------------------------- which positions


def kinds(state: State) -> set[int]:
    """The kinds of actions that are legal."""
    moves = Moves()
    state.legal(moves)
    return {kind_of(action) for action in moves}


def has(*wanted: int) -> Callable[[State], bool]:
    """Whether actions of all these kinds are legal, with 10 AP or another budget untouched."""
    return lambda state: set(wanted) <= kinds(state) and state.ap in (0, 10)


def scoring(round_kind: int, ap: int = 4) -> Callable[[State], bool]:
    """In a scoring round, with few AP left."""
    return lambda state: state.round_kind == round_kind and state.ap == ap and len(kinds(state)) > 3


def ending(state: State) -> bool:
    """The last budget of the game, half spent: most sequences end early."""
    return state.round_kind == codes.FINAL_ROUND and state.place == state.players - 1 and state.ap == 5


def sealing(state: State) -> bool:
    """A volcano must be placed, and on some hex it would cut off another."""
    facts = Facts(state)
    if state.phase != codes.PLACING or TILES[state.hand].terrain != "volcano":
        return False
    rim = [hex for hex in facts.hexes(codes.EMPTY) if any(map(facts.explored, filter((-1).__lt__, NEIGHBOURS[hex])))]
    return any(map(state.seals, rim))


def tile_in_hand(*tiles: int) -> Callable[[State], bool]:
    """One of these tiles must be placed."""
    return lambda state: state.phase == codes.PLACING and state.hand in tiles


def phase(wanted: int, nth: int = 1) -> Callable[[State], bool]:
    """The nth state in which this is asked."""
    seen = 0

    def found(state: State) -> bool:
        nonlocal seen
        seen += state.phase == wanted
        return seen == nth

    return found


SUDDEN = {"auction": True, "sudden_death": True}
MORE = {"boulders": "3d6", "obstacles": True, "machine_gun": True}
Wanted = tuple[str, dict[str, Any], Callable[[State], bool]]
POSITIONS: dict[str, Wanted] = {
    "start": ("The start of the basic game.", {}, lambda _state: True),
    "start-auction": (
        "The start of the auction game, four players.",
        {"players": 4, "auction": True},
        lambda _state: True,
    ),
    "work": ("Excavating, digging and exchanging.", {"players": 3}, has(codes.EXCAVATE, codes.DIG, codes.EXCHANGE)),
    "camps": (
        "Camps founded without members, moves between camps.",
        {"edition": "rio-grande"},
        has(codes.CAMP, codes.CAMP_MOVE, codes.MOVE),
    ),
    "guards": ("Guards, four players.", {"players": 4, "edition": "rio-grande-fr"}, has(codes.GUARD, codes.EXCAVATE)),
    "volcano": ("A volcano must be placed where it seals nothing.", {"edition": "classic"}, sealing),
    "scoring": ("In a scoring round.", {"players": 4}, scoring(codes.VOLCANO_ROUND)),
    "end": ("The last budget of the game.", {"players": 2, "final_start": "after_last_volcano"}, ending),
    "auction": ("A late auction.", {"players": 3, "auction": True}, phase(codes.BIDDING, 60)),
    "instant-scoring": ("A volcano scored at once must be placed.", {"instant_scoring": True}, tile_in_hand(11, 21)),
    "boulders": ("Excavating under boulders.", {"boulders": "2d6"}, has(codes.EXCAVATE, codes.MOVE)),
    "obstacles": ("Obstacles can be built.", {"players": 3, "obstacles": True}, has(codes.OBSTACLE, codes.DIG)),
    "members-work-once": (
        "Members that have worked can't work again.",
        {"players": 3, "edition": "rio-grande-zh"},
        lambda state: bool(
            any(state.export()["worked"]) and state.ap >= 6 and {codes.EXCAVATE, codes.MOVE} <= kinds(state)
        ),
    ),
    "members-work-once-obstacles": (
        "Members work once, with boulders and obstacles.",
        {"members_work_once": True, "boulders": "2d6", "obstacles": True},
        lambda state: bool(
            any(state.export()["worked"]) and state.ap >= 6 and {codes.EXCAVATE, codes.OBSTACLE} <= kinds(state)
        ),
    ),
    "machine-gun": ("A gun can be had.", {"players": 3, "machine_gun": True}, has(codes.GUN)),
    "shot": ("A gun can be fired.", {"players": 4, "machine_gun": True, "obstacles": True}, has(codes.SHOOT)),
    "sudden-death": ("Sudden death, late.", {"players": 3, **SUDDEN}, phase(codes.TAKING, 25)),
    "redraw": (
        "Sudden death with redraw, late.",
        {"players": 2, "double_volcano": "redraw", **SUDDEN},
        phase(codes.TAKING, 30),
    ),
    "decide": ("A taker decides.", {"players": 4, "double_volcano": "taker_decides", **SUDDEN}, phase(codes.DECIDING)),
    "tokens": ("Tokens are chosen.", {"players": 3, "auction": True, "leaps": True}, phase(codes.LEAPING, 20)),
    "leap": (
        "A leap: one action or one walk.",
        {"auction": True, "leaps": True, **MORE},
        lambda state: bool(state.phase == codes.ACTING and state.ap == 5 and len(kinds(state)) > 4),
    ),
}


def find(name: str) -> Position:
    """The first position in random games that meets a condition."""
    _title, given, wanted = POSITIONS[name]
    options = Options(**given)
    for seed in range(1000):
        rng = random.Random(seed)
        chance = deal(options, rng)
        state, player, moves = new_state(options, chance), Player(rng), Moves()
        actions: list[str] = []
        while state.legal(moves):
            if wanted(state):
                return Position(options, chance, tuple(actions), tuple(count(state)))
            action = player.choose(list(moves))
            actions.append(text(action))
            state.apply_unchecked(action)
    raise AssertionError(f"{name}: no such position in 1000 games")


def count(state: State) -> Iterator[int]:
    """The counts, as deep as they stay below the limit."""
    for depth in range(1, DEEPEST + 1):
        found = perft(state, depth)
        if found > MOST:
            return
        yield found


def path(name: str) -> Path:
    """Where a position is kept."""
    return FOLDER / f"{name}.toml"


def main(check: bool) -> None:
    """Writes all files, or counts them again."""
    for name, (title, _given, _wanted) in POSITIONS.items():
        if not check:
            path(name).write_text(written(title, find(name)), "utf-8")
        position = read(path(name))
        core, oracle = position.core_counts(), position.oracle_counts(8 * MOST_REPLAYED)
        good = core == list(position.counts) and oracle == core[: len(oracle)]
        sys.stdout.write(f"{name}: {core}, oracle to depth {len(oracle)}{'' if good else ' WRONG'}\n")
        if not good:
            sys.exit(1)


if __name__ == "__main__":
    main(check=re.fullmatch("check", " ".join(sys.argv[1:])) is not None)

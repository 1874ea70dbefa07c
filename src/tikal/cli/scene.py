"""The content of the board, hex by hex, ready to be drawn.

The terminal's board and the SVG picture both draw a scene, so they can't disagree.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tikal.rules.codes import LEADER_STRENGTH, OBSTACLE_COST
from tikal.rules.tables import HEX_INDEX, HEX_NAMES, NEIGHBOURS, TILE_BY_NAME, Board, Printed

IMPASSABLE = ("empty", "volcano", "lake", "off")
_EMPTY = Printed("empty")


@dataclass(frozen=True, slots=True)
class Group:
    """The members of one seat on one hex; `worked` of them can't work again this turn.

    >>> Group(seat=2, leader=True, workers=3).strength
    6
    """

    seat: int
    leader: bool
    workers: int
    worked: int = 0

    @property
    def strength(self) -> int:
        """Their strength for a majority: the leader 3, a worker 1."""
        return LEADER_STRENGTH * self.leader + self.workers


@dataclass(frozen=True, slots=True)
class Place:
    """One hex with everything on it; `camp` and `guard` are seats, 0 for none."""

    name: str
    terrain: str
    stones: tuple[int, ...]
    tile: str = ""
    level: int = 0
    tokens: int = 0
    camp: int = 0
    guard: int = 0
    gun: bool = False
    groups: tuple[Group, ...] = ()


@dataclass(frozen=True, slots=True)
class Scene:
    """All hexes in the order of `HEX_NAMES`, and the cost of crossing each side (0: no passage)."""

    places: tuple[Place, ...]
    costs: tuple[tuple[int, ...], ...]
    obstacles: frozenset[tuple[int, int]]

    def place(self, name: str) -> Place:
        """The hex of that name."""
        return self.places[HEX_INDEX[name]]


def scene_of(status: Mapping[str, Any], board: Board) -> Scene:
    """The scene of a `status` or `view`, on the board of its game.

    Only a view contains which members have worked.

    >>> from tikal.rules.tables import BOARDS
    >>> maps = dict.fromkeys(("levels", "tiles", "tokens", "camps", "guards"), {})
    >>> lists = dict.fromkeys(("workers", "leader", "guns", "obstacles"), [])
    >>> scene_of({**maps, **lists}, BOARDS["original"]).costs[0]
    (2, 1, 2, 0, 0, 0)
    """
    places = tuple(_place(name, status, board) for name in HEX_NAMES)
    obstacles = frozenset(_pair(text) for text in status["obstacles"])
    costs = (tuple(_cost(places, obstacles, index, side) for side in range(6)) for index in range(len(places)))
    return Scene(places, tuple(costs), obstacles)


def bare_tile(text: str) -> Place:
    """A single tile; `"A5^2"` is a turned one. `name` is empty.

    >>> bare_tile("A5^1").stones
    (0, 2, 0, 1, 0, 0)
    """
    name, _, rotation = text.partition("^")
    tile = TILE_BY_NAME[name]
    level = tile.value if tile.terrain == "temple" else 0
    tokens = tile.value if tile.terrain == "treasure" else 0
    return Place("", tile.terrain, tile.turned(int(rotation or 0)), name, level, tokens)


def _place(name: str, status: Mapping[str, Any], board: Board) -> Place:
    printed = board.printed.get(name, _EMPTY)
    tile, stones, terrain = "", printed.stones, printed.terrain
    if name in status["tiles"]:
        bare = bare_tile(status["tiles"][name])
        tile, stones, terrain = bare.tile, bare.stones, bare.terrain
    return Place(
        name,
        terrain,
        stones,
        tile,
        level=status["levels"].get(name, printed.level),
        tokens=status["tokens"].get(name, 0),
        camp=status["camps"].get(name, 0),
        guard=status["guards"].get(name, 0),
        gun=name in status["guns"],
        groups=_groups(name, status),
    )


def _groups(name: str, status: Mapping[str, Any]) -> tuple[Group, ...]:
    rows = enumerate(zip(status["leader"], status["workers"], strict=True), start=1)
    groups = (
        Group(seat, leader == name, workers.get(name, 0), _worked(name, status, seat))
        for seat, (leader, workers) in rows
    )
    return tuple(group for group in groups if group.strength)


def _worked(name: str, status: Mapping[str, Any], seat: int) -> int:
    """Members here that have worked, without the workers that boulders killed."""
    if "worked" not in status:
        return 0
    worked: int = status["worked"][seat - 1].get(name, 0)
    lost: int = status["lost"][seat - 1].get(name, 0)
    return max(worked - lost, 0)


def _pair(text: str) -> tuple[int, int]:
    one, other = (HEX_INDEX[name] for name in text.split("-"))
    return min(one, other), max(one, other)


def _cost(places: tuple[Place, ...], obstacles: frozenset[tuple[int, int]], index: int, side: int) -> int:
    other = NEIGHBOURS[index][side]
    if other < 0 or places[index].terrain in IMPASSABLE or places[other].terrain in IMPASSABLE:
        return 0
    stones = places[index].stones[side] + places[other].stones[(side + 3) % 6]
    extra = OBSTACLE_COST if (min(index, other), max(index, other)) in obstacles else 0
    return stones + extra if stones else 0

"""The components of the game: hexes, tiles and boards, read from the data files beside this module.

>>> HEX_NAMES[NEIGHBOURS[HEX_INDEX["a1"]][1]]
'b2'
>>> TILE_BY_NAME["A5"].value
4
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

COLUMNS = "abcdefgh"
ROWS = 5
HEX_NAMES: tuple[str, ...] = tuple(f"{column}{row}" for column in COLUMNS for row in range(1, ROWS + 1))
HEX_INDEX: dict[str, int] = {name: index for index, name in enumerate(HEX_NAMES)}
HEXES = len(HEX_NAMES)

# The directions are N, NE, SE, S, SW, NW. Columns b, d, f and h are half a hex lower, so the slanted steps depend on
# the column's parity.
STEPS = (
    ((0, 1), (1, 1), (1, 0), (0, -1), (-1, 0), (-1, 1)),
    ((0, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0)),
)


def _neighbour(index: int, direction: int) -> int:
    x, row = divmod(index, ROWS)
    dx, dr = STEPS[x % 2][direction]
    inside = 0 <= x + dx < len(COLUMNS) and 0 <= row + dr < ROWS
    return (x + dx) * ROWS + row + dr if inside else -1


NEIGHBOURS: tuple[tuple[int, ...], ...] = tuple(
    tuple(_neighbour(index, direction) for direction in range(6)) for index in range(HEXES)
)


def data(name: str) -> dict[str, Any]:
    """The data file of this name, as a dict.

    >>> data("components")["seat"]["workers"]
    18
    """
    return tomllib.loads((Path(__file__).parent / "data" / f"{name}.toml").read_text("utf-8"))


@dataclass(frozen=True, slots=True)
class Tile:
    """A landscape tile: its terrain, its value and its stones clockwise from its own first side.

    >>> Tile("D4", "jungle", 0, (1, 0, 1, 0, 1, 0)).rotations()
    (0, 1)
    """

    name: str
    terrain: str
    value: int
    stones: tuple[int, ...]

    def turned(self, rotation: int) -> tuple[int, ...]:
        """The stones by direction when the tile is turned clockwise by this many sixths.

        >>> TILE_BY_NAME["A5"].turned(1)
        (0, 2, 0, 1, 0, 0)
        """
        return self.stones[6 - rotation :] + self.stones[: 6 - rotation]

    def rotations(self) -> tuple[int, ...]:
        """The rotations that look different, each by its smallest number."""
        seen: dict[tuple[int, ...], int] = {}
        for rotation in range(6):
            seen.setdefault(self.turned(rotation), rotation)
        return tuple(seen.values())


@dataclass(frozen=True, slots=True)
class Printed:
    """What is printed on a hex of a board: a terrain, a temple's level and the stones by direction.

    >>> BOARDS["original"].printed["a2"].level
    1
    """

    terrain: str
    level: int = 0
    stones: tuple[int, ...] = (0,) * 6


EXPLORED_TERRAINS = ("base", "jungle", "temple")
CLOSED_TERRAINS = ("lake", "volcano", "off")


class BoardError(ValueError):
    """A board that can't be played on; the text says why, and how to correct it."""


@dataclass(frozen=True, slots=True)
class Board:
    """A board: what is printed on its hexes; every hex that is not listed is empty.

    >>> BOARDS["original"].base
    'a1'
    """

    name: str
    printed: Mapping[str, Printed]
    note: str = ""

    @property
    def base(self) -> str:
        """The hex of the base camp."""
        return next(hex_ for hex_, printed in self.printed.items() if printed.terrain == "base")

    @classmethod
    def from_data(cls, name: str, rows: Mapping[str, Any]) -> Board:
        """A board from its table in `data/boards.toml`; refuses an invalid one.

        >>> Board.from_data("tiny", {"a1": ["base", 0, [1, 0, 0, 0, 0, 0]], "a3": "lake"}).base
        'a1'
        """
        hexes = {hex_: row for hex_, row in rows.items() if hex_ != "note"}
        board = cls(name, {hex_: _printed(hex_, row) for hex_, row in hexes.items()}, str(rows.get("note", "")))
        bases = [hex_ for hex_, printed in board.printed.items() if printed.terrain == "base"]
        if len(bases) != 1:
            raise BoardError(f"board {name}: there must be exactly one base camp, not {len(bases)}")
        return board


def _printed(hex_: str, row: Any) -> Printed:
    """One hex of a board's table."""
    if hex_ not in HEX_INDEX:
        raise BoardError(f"{hex_}: no such hex; hexes are a1 to h5")
    if row in CLOSED_TERRAINS:
        return Printed(row)
    if not (isinstance(row, list | tuple) and len(row) == 3 and row[0] in EXPLORED_TERRAINS):
        raise BoardError(f'{hex_}: must be "lake", "volcano", "off" or [terrain, level, [six stones]], not {row!r}')
    terrain, level, stones = row
    if not (isinstance(level, int) and (1 <= level <= 10 if terrain == "temple" else level == 0)):
        raise BoardError(f"{hex_}: a temple has a level of 1 to 10, other hexes 0, not {level!r}")
    if len(stones) != 6 or any(stone not in (0, 1, 2, 3) for stone in stones):
        raise BoardError(f"{hex_}: stones are six numbers from 0 to 3, clockwise from north, not {stones!r}")
    return Printed(terrain, level, tuple(stones))


_COMPONENTS = data("components")
TILES: tuple[Tile, ...] = tuple(
    Tile(name, terrain, value, tuple(stones)) for name, (terrain, value, stones) in _COMPONENTS["tiles"].items()
)
TILE_BY_NAME: dict[str, Tile] = {tile.name: tile for tile in TILES}
TILE_COUNT = len(TILES)
TILE_INDEX: dict[str, int] = {tile.name: index for index, tile in enumerate(TILES)}
VOLCANOES: tuple[str, ...] = tuple(tile.name for tile in TILES if tile.terrain == "volcano")
LETTERS = "".join(dict.fromkeys(tile.name[0] for tile in TILES))
LEVEL_TILES: dict[int, int] = {int(level): count for level, count in _COMPONENTS["levels"].items()}
TOP_LEVEL = max(LEVEL_TILES)
DICE_LIMIT = sum(LEVEL_TILES.values())  # one roll per level tile: this many always suffice
KINDS: int = _COMPONENTS["treasures"]["kinds"]
TOKENS_OF_A_KIND: int = _COMPONENTS["treasures"]["each"]
TOKENS = KINDS * TOKENS_OF_A_KIND
SET_POINTS: tuple[int, ...] = tuple(_COMPONENTS["treasures"]["set_points"])
WORKERS: int = _COMPONENTS["seat"]["workers"]
CAMPS: int = _COMPONENTS["seat"]["camps"]
GUARDS: int = _COMPONENTS["seat"]["guards"]
AUCTION_SCORE: int = _COMPONENTS["seat"]["auction_score"]
BOARDS: dict[str, Board] = {name: Board.from_data(name, rows) for name, rows in data("boards").items()}

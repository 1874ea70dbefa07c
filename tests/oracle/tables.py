"""Board, tiles and components as rules.md section 1 prints them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

COLUMNS = "abcdefgh"
ROWS = "12345"
N, NE, SE, S, SW, NW = range(6)

# Steps (columns, rows) by direction N, NE, SE, S, SW, NW; x is the column's number 0..7.
STEPS_EVEN_X = ((0, 1), (1, 1), (1, 0), (0, -1), (-1, 0), (-1, 1))
STEPS_ODD_X = ((0, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0))

Stones = tuple[int, int, int, int, int, int]
NO_STONES: Stones = (0, 0, 0, 0, 0, 0)


@dataclass(frozen=True)
class Tile:
    """One of the 36 tiles; `value` is 0 for jungles and volcanoes."""

    name: str
    terrain: str
    value: int
    stones: Stones


_TILE_LINES = """
A1 temple   1 2 1 0 0 0 0
A2 temple   2 2 0 0 1 0 0
A3 temple   2 2 0 1 0 0 0
A4 treasure 4 2 0 0 0 1 0
A5 treasure 4 2 0 1 0 0 0
A6 jungle   0 1 1 0 1 0 0
B1 temple   2 2 0 0 0 1 0
B2 temple   3 2 0 0 1 0 0
B3 treasure 4 2 0 0 0 0 1
B4 jungle   0 2 0 1 0 0 0
B5 jungle   0 2 1 0 0 0 0
B6 volcano  0 0 0 0 0 0 0
C1 temple   3 3 0 0 0 0 0
C2 temple   4 2 0 0 0 1 0
C3 treasure 3 3 0 0 0 0 0
C4 jungle   0 1 1 0 1 0 0
C5 jungle   0 3 0 0 0 0 0
D1 temple   5 2 0 0 1 0 0
D2 temple   5 3 0 0 0 0 0
D3 treasure 3 3 0 0 0 0 0
D4 jungle   0 1 0 1 0 1 0
D5 volcano  0 0 0 0 0 0 0
E1 temple   5 3 0 0 0 0 0
E2 temple   6 3 0 0 0 0 0
E3 treasure 2 2 0 0 0 0 1
E4 jungle   0 2 0 0 1 0 0
E5 jungle   0 2 0 0 1 0 0
F1 temple   4 2 1 0 0 0 0
F2 temple   4 3 0 0 0 0 0
F3 treasure 2 2 0 0 1 0 0
F4 jungle   0 2 0 0 1 0 0
F5 volcano  0 0 0 0 0 0 0
G1 temple   3 2 0 0 0 0 1
G2 temple   3 2 0 1 0 0 0
G3 treasure 2 3 0 0 0 0 0
G4 jungle   0 2 0 0 1 0 0
"""


def _read_tile(line: str) -> Tile:
    name, terrain, value, *stones = line.split()
    a, b, c, d, e, f = (int(stone) for stone in stones)
    return Tile(name, terrain, int(value), (a, b, c, d, e, f))


TILES = {tile.name: tile for tile in map(_read_tile, _TILE_LINES.split("\n")[1:-1])}
VOLCANOES = ("B6", "D5", "F5")

LEVEL_TILES = {2: 3, 3: 6, 4: 9, 5: 11, 6: 8, 7: 5, 8: 3, 9: 2, 10: 1}
TREASURE_KINDS = range(1, 9)
TOKENS_OF_A_KIND = 3
WORKERS = 18
MAX_CAMPS = 2
MAX_GUARDS = 2
TURN_AP = 10

# A printed hex is "empty", "off" (no hex there), "lake", "volcano" or (terrain, level, six stones).
Printed = str | tuple[str, int, tuple[int, ...]]
ORIGINAL_BOARD: dict[str, Printed] = {
    **{column + row: "empty" for column in COLUMNS for row in ROWS},
    "a1": ("base", 0, (1, 1, 1, 0, 0, 0)),
    "a2": ("temple", 1, (1, 1, 0, 1, 0, 0)),
    "b2": ("jungle", 0, (1, 1, 1, 0, 0, 0)),
    "b1": ("temple", 1, (0, 1, 0, 0, 0, 1)),
}


@cache
def neighbour(name: str, direction: int) -> str | None:
    """The name of the hex in that direction, or None over the edge: neighbour("a1", NE) is "b2"."""
    x, row = COLUMNS.index(name[0]), int(name[1])
    steps = STEPS_ODD_X if x % 2 else STEPS_EVEN_X
    x, row = x + steps[direction][0], row + steps[direction][1]
    if 0 <= x < len(COLUMNS) and 1 <= row <= len(ROWS):
        return COLUMNS[x] + str(row)
    return None


def opposite(direction: int) -> int:
    """The direction seen from the other hex: opposite(N) is S."""
    return (direction + 3) % 6


def rotated(stones: Stones, k: int) -> Stones:
    """Stones by direction after k sixths of a turn clockwise: side i faces direction (i + k) mod 6."""
    faced = [0] * 6
    for side, count in enumerate(stones):
        faced[(side + k) % 6] = count
    a, b, c, d, e, f = faced
    return (a, b, c, d, e, f)


@cache
def rotations(tile: Tile) -> tuple[tuple[int, Stones], ...]:
    """The different rotations of a tile, each with its smallest k."""
    found: dict[Stones, int] = {}
    for k in range(6):
        found.setdefault(rotated(tile.stones, k), k)
    return tuple((k, stones) for stones, k in found.items())

"""Statuses made up for drawing: they need not be reachable, only well-formed."""

from __future__ import annotations

from random import Random
from typing import Any

from tikal.rules.tables import BOARDS, HEX_NAMES, LEVEL_TILES, TILE_BY_NAME, TILES

PRINTED = BOARDS["original"].printed


def crowded(chance: Random, tiles: int = 36, members: int = 19, players: int = 4) -> dict[str, Any]:
    """Tiles anywhere, members of each seat on legal hexes; camps, guards, a gun."""
    free = [name for name in HEX_NAMES if name not in PRINTED]
    placed = {
        name: f"{tile.name}^{chance.choice(tile.rotations())}"
        for name, tile in zip(chance.sample(free, tiles), TILES, strict=False)
    }
    terrain = {name: TILE_BY_NAME[text[:2]] for name, text in placed.items()}
    temples = {
        "a2": 1,
        "b1": 1,
        **{name: tile.value for name, tile in terrain.items() if tile.terrain == "temple"},
    }
    jungles = ["b2", *(name for name, tile in terrain.items() if tile.terrain == "jungle")]
    open_hexes = [*PRINTED, *(name for name, tile in terrain.items() if tile.terrain != "volcano")]
    workers: list[dict[str, int]] = [{} for _ in range(players)]
    for seat in range(players):
        for _ in range(members - 1):
            name = chance.choice(open_hexes)
            workers[seat][name] = workers[seat].get(name, 0) + 1
    guards = {name: seat for seat, name in enumerate(chance.sample(list(temples), 2), start=1)}
    return {
        "phase": "act",
        "seat": 1,
        "ap": 7,
        "tile": None,
        "deck_left": 36 - tiles,
        "display": [],
        "bid": 0,
        "scores": [chance.randrange(90) for _ in range(players)],
        "treasures": [[chance.randrange(4) for _ in range(8)] for _ in range(players)],
        "levels": {name: min(level + chance.randrange(6), 10) for name, level in temples.items()},
        "tiles": placed,
        "workers": workers,
        "leader": [chance.choice(open_hexes) for _ in range(players)],
        "reserve": [19 - members] * players,
        "camps": {name: seat for seat, name in enumerate(chance.sample(jungles, min(2, len(jungles))), start=1)},
        "guards": guards,
        "guns": list(guards)[:1],
        "obstacles": ["a1-a2", "a1-b1"],
        "tokens": {
            name: chance.randrange(tile.value + 1) for name, tile in terrain.items() if tile.terrain == "treasure"
        },
        "supply": {str(level): count for level, count in LEVEL_TILES.items()},
        "winners": None,
    }

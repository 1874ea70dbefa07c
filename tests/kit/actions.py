"""Every action that can be written down."""

from __future__ import annotations

from itertools import product

from tikal.rules.tables import HEX_NAMES, TILES

TILE_NAMES = [tile.name for tile in TILES]


def all_actions() -> list[str]:
    """Every text in the form of an action, made from the table of the notation."""
    made = [f"{tile}@{hex}^{k}" for tile, hex, k in product(TILE_NAMES, HEX_NAMES, range(6))]
    made += [f"{form}{hex}" for form in ("+W@", "+L@", "X@", "D@", "C@", "GW@", "GL@", "M@") for hex in HEX_NAMES]
    made += [f"{m}:{a}{way}{b}" for m, way, a, b in product("WL", "-=", HEX_NAMES, HEX_NAMES)]
    made += [f"O:{a}-{b}" for a, b in product(HEX_NAMES, HEX_NAMES)]
    made += [f"S:{seat}:{give}/{take}" for seat, give, take in product(range(1, 5), range(1, 9), range(1, 9))]
    made += [f"R:{seat}@{hex}" for seat, hex in product(range(1, 5), HEX_NAMES)]
    made += [f"B:{n}" for n in (*range(1, 1000), 99_999, 999_999_999)] + ["B:-", ".", "V:+", "V:-"]
    return made + [f"K:{tile}" for tile in TILE_NAMES] + [f"J:{n}" for n in range(6)]

"""The fullest board there can be: 40 tiles, and all 76 members of four expeditions."""

from __future__ import annotations

from tests.e2e.table import Table
from tests.e2e.visitor import Json

TILES, MEMBERS = 36, 76  # four hexes are printed on the board


def members(view: Json) -> int:
    """How many members are on the board."""
    workers: int = sum(count for seat in view["workers"] for count in seat.values())
    return workers + sum(where not in ("reserve", "gone") for where in view["leader"])


def is_full(view: Json) -> bool:
    """Nothing more fits on the board, and every reserve is empty."""
    return len(view["tiles"]) == TILES and members(view) == MEMBERS


def next_turn(offer: Json, view: Json) -> list[str]:
    """Fills the board: places connected tiles; members enter, then walk to empty hexes."""
    actions = [choice["action"] for choice in offer["actions"]]
    if offer["phase"] == "place":
        return [max(offer["places"], key=lambda place: len(place["passages"]))["action"]]
    enter = [action for action in actions if action.startswith("+")]
    if enter:
        return [min(enter)]  # +L before +W
    there = view["workers"][offer["seat"] - 1]
    spread = [walk for walk in offer["walks"] if there.get(walk["from"], 0) > there.get(walk["to"], 0) + 1]
    best = min(spread, key=lambda walk: (there.get(walk["to"], 0), -walk["cost"]), default=None)
    return best["actions"] if best else ["."]


def fill(table: Table, by: dict[int, Table], most: int = 3000) -> None:
    """Plays on for all seats until the board is full and it is another seat's turn than `table`'s."""
    for _ in range(most):
        update = table.update()
        view = update["view"]
        if is_full(view) and by[view["seat"]] is not table and view["phase"] == "act" and view["ap"] == 10:
            table.caught_up()
            return
        player = by[view["seat"]]
        player.play(*next_turn(player.offer(), view))
    raise AssertionError("the board does not fill")

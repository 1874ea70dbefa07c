"""Ways to a position that a test needs."""

from __future__ import annotations

import re

from tests.e2e.table import Table
from tests.e2e.visitor import Json


def wander_to(table: Table, form: str) -> str:
    """Play on, towards treasures and temples, until an action of this form is legal."""
    for _ in range(3000):
        update = table.update()
        assert update["offer"], f"the game ended without {form}"
        found: list[str] = [
            choice["action"] for choice in update["offer"]["actions"] if re.match(form, choice["action"])
        ]
        if found:
            return table.chance.choice(found)
        table.play(*next_step(table, update))
    raise AssertionError(f"no {form} in a long game")


def next_step(table: Table, update: Json) -> list[str]:
    """Tiles that join on, a few members, walks to where there is something to do, treasures; else anything."""
    offer, view = update["offer"], update["view"]
    actions: list[str] = [choice["action"] for choice in offer["actions"]]
    if offer["phase"] == "place":
        return [max(offer["places"], key=lambda place: len(place["passages"]))["action"]]
    if offer["phase"] != "act":
        return [table.choose(offer)]
    digs = [action for action in actions if action.startswith("D@")]
    enter = [action for action in actions if action.startswith("+W")]
    mine = view["workers"][offer["seat"] - 1]
    if digs or (enter and sum(mine.values()) < 6):
        return [(digs or enter)[0]]
    treasures = [hex for hex, left in view["tokens"].items() if left and hex not in mine]
    temples = [hex for hex in view["levels"] if mine.get(hex, 0) == 1]  # a second one makes them strong
    goals = treasures or temples or list(view["levels"])
    walks = [walk for walk in offer["walks"] if walk["to"] in goals and walk["cost"] <= offer["ap"]]
    if walks and view["ap"] > 3:
        return list(min(walks, key=lambda walk: walk["cost"])["actions"])
    return ["."]

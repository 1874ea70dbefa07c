"""Ways to a position: the game is played on here, and one request makes a practice table of it."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, field

from tests.e2e.crowd import is_full, next_turn
from tests.e2e.table import Table, choose
from tests.e2e.visitor import Json, Visitor
from tikal.play import Game
from tikal.rules.options import Options, as_text

NAMES = ("Ben", "Cleo", "Dimitri")


@dataclass
class Story:
    """A game that is played on without a server."""

    game: Game
    chance: random.Random = field(default_factory=lambda: random.Random(1))

    @classmethod
    def begin(cls, seed: str, players: int = 2, **options: str) -> Story:
        """A new game; the seed also determines how it goes on."""
        return cls(Game.new(Options.parse({"players": str(players), **options}), seed=seed), random.Random(seed))

    def at_table(self, visitor: Visitor) -> Table:
        """A table with this position, open in the browser of somebody; everybody plays there."""
        chance = self.game.chance
        body = {
            "seats": ["me", *(f"person:{name}" for name in NAMES[: self.game.options.players - 1])],
            "options": {name: as_text(value) for name, value in self.game.options.as_dict().items()},
            "deal": {"deck": chance.deck, "treasures": chance.treasures, "dice": chance.dice},
            "opening": [step.action for step in self.game.history],
        }
        return Table(visitor, str(visitor.ask("POST", "/practice", body)["id"]), self.chance).open()

    def wander(self, steps: int) -> bool:
        """Plays some decisions at random; False when the game is over."""
        for _ in range(steps):
            if self.game.over:
                return False
            self.game.play(choose(self.game.legal(), self.chance))
        return not self.game.over

    def wander_to(self, form: str) -> str:
        """Plays on, towards treasures and temples, until an action of this form is legal; returns it."""
        while not self.game.over:
            found = [action for action in self.game.legal() if re.match(form, action)]
            if found:
                return self.chance.choice(found)
            self.game.play(*self._next_step(self.game.offer(), self.game.view(self.game.seat)))
        raise AssertionError(f"the game ended without {form}")

    def _next_step(self, offer: Json, view: Json) -> list[str]:
        """Tiles that join on, a few members, walks to where there is something to do, treasures; else anything."""
        actions: list[str] = [one["action"] for one in offer["actions"]]
        if offer["phase"] == "place":
            return [max(offer["places"], key=lambda place: len(place["passages"]))["action"]]
        if offer["phase"] != "act":
            return [choose(actions, self.chance)]
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

    def fill(self) -> None:
        """Plays on until nothing more fits on the board, and a turn begins."""
        while not (is_full(view := self.game.view(None)) and view["phase"] == "act" and view["ap"] == 10):
            self.game.play(*next_turn(self.game.offer(), view))

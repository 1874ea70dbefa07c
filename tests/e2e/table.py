"""A table's page, used as a player would: by clicks on what carries the notation of an action."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.e2e.visitor import Json, Visitor

EXPLORE = Path(__file__).with_name("explore.js").read_text("utf-8")
# A point inside a hex where a click means the hex itself, and not a member of one's own that stands there.
FREE_POINT = """(hex) => {
  const group = document.querySelector(`[data-hex="${hex}"]`);
  group.scrollIntoView({ block: 'nearest' });
  const box = group.querySelector('.rim').getBoundingClientRect();
  const spots = [[0.5, 0.9], [0.5, 0.1], [0.1, 0.5], [0.9, 0.5], [0.3, 0.8], [0.7, 0.8], [0.3, 0.2], [0.7, 0.2]];
  for (const [dx, dy] of spots) {
    const [x, y] = [box.left + dx * box.width, box.top + dy * box.height];
    const hit = document.elementFromPoint(x, y);
    if (hit?.closest('[data-hex]') === group && !hit.closest('[data-own]')) return [x, y];
  }
  return null;
}"""
COVERED = "(element) => element.closest('[inert]') !== null"
HEX = re.compile(r"[a-h][1-5]")
WORK = re.compile(r"[XDCSGMRO]|J:[1-9]|\+")


def hexes_of(action: str) -> list[str]:
    """The hexes that an action names.

    >>> hexes_of("W:a1-b2"), hexes_of("A5@b3^0"), hexes_of("S:2:3/5")
    (['a1', 'b2'], ['b3'], [])
    """
    return HEX.findall(action)


@dataclass
class Table:
    """What one browser shows of one table, and what its player does there."""

    visitor: Visitor
    id: str
    chance: random.Random = field(default_factory=lambda: random.Random(1))

    @property
    def page(self) -> Any:
        """The browser's page."""
        return self.visitor.page

    def open(self) -> Table:
        """Go there and wait until the board stands as the server knows it."""
        self.visitor.open(f"/table/{self.id}", "[data-board]")
        self.caught_up()
        return self

    # What the server knows

    def update(self) -> Json:
        """How the table stands, as this browser's person may know it."""
        return self.visitor.ask("GET", f"/tables/{self.id}")

    def offer(self) -> Json:
        """What can be done now by whoever sits before this browser."""
        offer = self.update()["offer"]
        assert offer, "it is not our turn"
        told: Json = offer
        return told

    def events(self) -> list[Json]:
        """All that has happened, as this browser's person may know it."""
        told: list[Json] = self.visitor.ask("GET", f"/tables/{self.id}/events?since=0")["events"]
        return told

    def play(self, *actions: str) -> None:
        """Play without the page: a quick way to somewhere."""
        self._post(self.update()["seq"], *actions)

    def _post(self, seq: int, *actions: str) -> None:
        body = {"id": f"test-{seq}-{self.chance.random()}", "on": seq, "actions": list(actions)}
        self.visitor.ask("POST", f"/tables/{self.id}/actions", body)

    def wander(self, steps: int) -> bool:
        """Play some decisions of all seats without the page; False when the game is over."""
        for _ in range(steps):
            update = self.update()
            if not update["offer"]:
                return False
            self._post(update["seq"], self.choose(update["offer"]))
        return bool(self.update()["offer"])

    def choose(self, offer: Json | None = None) -> str:
        """Some legal action; work rather than walks, so that games get somewhere, and an end before it gets long."""
        actions: list[str] = [choice["action"] for choice in (offer or self.offer())["actions"]]
        work = [action for action in actions if WORK.match(action)]
        if work and self.chance.random() < 0.7:
            return self.chance.choice(work)
        if "." in actions and self.chance.random() < 0.25:
            return "."
        return self.chance.choice(actions)

    # What the page shows

    def board(self, name: str) -> str:
        """What stands at the board's root: seat, phase, ap, seq."""
        return str(self.page.get_attribute("[data-board]", f"data-{name}"))

    def caught_up(self, seq: int | None = None) -> None:
        """Wait until the page knows all that the server knows now."""
        number = self.update()["seq"] if seq is None else seq
        self.page.wait_for_function(
            "(seq) => Number(document.querySelector('[data-board]')?.dataset.seq ?? -1) >= seq", arg=number
        )

    def wait_for_turn(self) -> bool:
        """Wait until the player before this browser is asked; False when the game is over."""
        self.page.wait_for_selector("[data-board][data-yours], [data-board][data-phase=over]")
        return self.board("phase") != "over"

    def visible(self) -> set[str]:
        """The notations of all controls that could be used right now."""
        controls = self.page.locator("[data-action]:visible:not(:disabled)").all()
        return {str(one.get_attribute("data-action")) for one in controls if not one.evaluate(COVERED)}

    def explore(self) -> set[str]:
        """The notations of all controls that can be brought up by clicks."""
        return set(self.page.evaluate(EXPLORE))

    # What a player does

    def uncover(self) -> None:
        """Take the screen over where the one before has chosen in secret."""
        cover = self.page.locator("[role=alertdialog][aria-modal=true] button")
        if cover.count():
            cover.click()

    def click_hex(self, hex: str) -> None:
        """Click into a hex, beside the members that stand there."""
        point = self.page.evaluate(FREE_POINT, hex)
        assert point, f"{hex} is covered"
        self.page.mouse.click(*point)

    def click_action(self, action: str) -> None:
        """Do what a player would to take this action, and wait until the page shows that it happened."""
        before, ap_left = int(self.board("seq")), self.board("ap") != "0"
        if action.startswith("S:"):
            self._exchange(action)
        elif not self._press(action):
            hexes = hexes_of(action)
            self.look_at(hexes[0])
            if action[:2] in ("W:", "L:"):
                self._walk(action, hexes[-1])
            else:
                self.page.locator(f'button[data-action="{action}"]:visible').last.click()  # waits until it is enabled
        if action == "." and ap_left:
            self.page.click("[role=alertdialog] [data-action='.']")
        self.page.wait_for_function(
            "(seq) => Number(document.querySelector('[data-board]').dataset.seq) > seq", arg=before
        )

    def _press(self, action: str) -> bool:
        """Press a button that takes the action, if one is there."""
        button = self.page.locator(f'button[data-action="{action}"]:visible:enabled')
        if not button.count():
            return False
        button.last.click()
        return True

    def look_at(self, hex: str) -> None:
        """Choose a hex; in `act` with the key that only looks, as a member may stand ready to walk there."""
        chosen = f'[data-hex="{hex}"][aria-pressed=true]'
        if self.page.locator(chosen).count():
            return
        self.page.keyboard.down("Shift")
        self.click_hex(hex)
        self.page.keyboard.up("Shift")
        self.page.wait_for_selector(chosen)

    def _walk(self, action: str, goal: str) -> None:
        """Take the member by the hand and click where it shall go; odd ways are buttons."""
        if self._press(action):
            return
        member = self.page.locator(f'[data-member="{action[0]}"]')
        if member.get_attribute("aria-pressed") != "true":
            member.click()
        self.page.wait_for_selector(f'[data-hex="{goal}"][data-action="{action}"]')
        self.click_hex(goal)

    def _exchange(self, action: str) -> None:
        _, seat, kinds = action.split(":")
        give, take = kinds.split("/")
        while self.page.locator("[data-hex][aria-pressed=true]").count():
            self.page.keyboard.press("Escape")
        self.page.click("[data-exchange]")
        self.page.click(f'[data-give="{give}"]')
        self.page.click(f'[data-take="{seat}:{take}"]')
        assert self._press(action), f"{action} can't be clicked"

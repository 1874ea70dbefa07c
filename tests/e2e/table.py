"""A table's page, used like a player would: by clicks on controls that carry an action."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import expect

from tests.e2e.visitor import Json, Visitor

EXPLORE = Path(__file__).with_name("explore.js").read_text("utf-8")
# A point inside a hex where a click means the hex itself, and not a member of the player.
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


def choose(actions: list[str], chance: random.Random) -> str:
    """Some of these actions; work rather than walks, so that games progress, and an early end."""
    work = [action for action in actions if WORK.match(action)]
    if work and chance.random() < 0.7:
        return chance.choice(work)
    if "." in actions and chance.random() < 0.25:
        return "."
    return chance.choice(actions)


@dataclass
class Table:
    """One table in one browser, and its player."""

    visitor: Visitor
    id: str
    chance: random.Random = field(default_factory=lambda: random.Random(1))

    @property
    def page(self) -> Any:
        """The browser's page."""
        return self.visitor.page

    def open(self) -> Table:
        """Opens the table and waits until the board shows the server's position."""
        self.visitor.open(f"/table/{self.id}", "[data-board]")
        self.caught_up()
        return self

    # What the server knows

    def update(self) -> Json:
        """The table as this browser's person may see it."""
        return self.visitor.ask("GET", f"/tables/{self.id}")

    def offer(self) -> Json:
        """What this browser's player can do now."""
        offer = self.update()["offer"]
        assert offer, "it is not our turn"
        told: Json = offer
        return told

    def events(self) -> list[Json]:
        """All events as this browser's person may see them."""
        found: list[Json] = []
        while True:
            page = self.visitor.ask("GET", f"/tables/{self.id}/events?since={len(found)}")
            found += page["events"]
            if len(found) == page["seq"]:
                return found

    def play(self, *actions: str) -> None:
        """Plays without the page."""
        seq = self.update()["seq"]
        body = {"id": f"test-{seq}-{self.chance.random()}", "on": seq, "actions": list(actions)}
        self.visitor.ask("POST", f"/tables/{self.id}/actions", body)

    def hurry(self, left: int) -> None:
        """Plays without the page against bots, tiles only, until at most this many are left or the game is over."""
        while (update := self.update())["info"]["state"] != "over":
            if (offer := update["offer"]) is None:
                self.page.wait_for_timeout(20)  # a bot's turn
            elif update["view"]["deck_left"] > left:
                self.play(*[place["action"] for place in offer["places"][:1]], ".")
            else:
                return

    def choose(self) -> str:
        """Some legal action."""
        return choose([one["action"] for one in self.offer()["actions"]], self.chance)

    # What the page shows

    def board(self, name: str) -> str:
        """The attributes of the board's root: seat, phase, ap, seq."""
        return str(self.page.get_attribute("[data-board]", f"data-{name}"))

    def caught_up(self, seq: int | None = None) -> None:
        """Waits until the page has the server's current position."""
        number = self.update()["seq"] if seq is None else seq
        self.page.wait_for_function(
            "(seq) => Number(document.querySelector('[data-board]')?.dataset.seq ?? -1) >= seq", arg=number
        )

    def wait_for_turn(self) -> bool:
        """Waits for this browser's turn; False when the game is over."""
        self.page.wait_for_selector("[data-board][data-yours], [data-board][data-phase=over]")
        return self.board("phase") != "over"

    def visible(self) -> set[str]:
        """The actions of all controls that can be used right now."""
        controls = self.page.locator("[data-action]:visible:not(:disabled)").all()
        return {str(one.get_attribute("data-action")) for one in controls if not one.evaluate(COVERED)}

    def explore(self) -> set[str]:
        """The actions of all controls that clicks can open."""
        self.uncover()
        return set(self.page.evaluate(EXPLORE))

    # What a player does

    def uncover(self) -> None:
        """Confirms the handover, on a shared screen."""
        cover = self.page.locator("[role=alertdialog][aria-modal=true] button, [data-handover] button")
        if cover.count():
            cover.click()
            expect(cover).to_have_count(0)

    def click_hex(self, hex: str) -> None:
        """Clicks into a hex, beside its members."""
        self.uncover()
        point = self.page.evaluate(FREE_POINT, hex)
        assert point, f"{hex} is covered"
        self.page.mouse.click(*point)

    def click_action(self, action: str) -> None:
        """Plays this action like a player would, and waits until the page shows it."""
        self.uncover()
        before, ap_left = int(self.board("seq")), self.board("ap") != "0"
        if action.startswith("S:"):
            self._exchange(action)
        elif "^" in action:
            self._place(action)
        elif not self._press(action):
            hexes = hexes_of(action)
            if hexes:
                self.look_at(hexes[0])
            if action[:2] in ("W:", "L:"):
                self._walk(action, hexes[-1])
            else:
                self._take_tool(action)
                self.page.locator(f'button[data-action="{action}"]:visible').last.click()  # waits until it is enabled
        if action == "." and ap_left:
            self.page.click("[role=alertdialog] [data-action='.']")
        elif (asks := self.page.locator(f"[role=alertdialog] [data-action='{action}']")).count():
            asks.click()
        self.page.wait_for_function(
            "(seq) => Number(document.querySelector('[data-board]').dataset.seq) > seq", arg=before
        )

    def _place(self, action: str) -> None:
        """Lays the tile on its hex, turns it and confirms."""
        self.look_at(hexes_of(action)[0])
        turn = self.page.locator(f'.turn[data-action="{action}"]')
        if turn.count():
            turn.click()
        self.page.click(f'button.primary[data-action="{action}"]')

    def _take_tool(self, action: str) -> None:
        """Picks up the tool for the action, if there is one."""
        tool = {"O": "obstacle", "B": "bids"}.get(action[0])
        button = self.page.locator(f'[data-tool="{tool}"]:visible')
        if tool and button.count() and button.get_attribute("aria-pressed") != "true":
            button.click()

    def _press(self, action: str) -> bool:
        """Press a button that takes the action, if one is there."""
        button = self.page.locator(f'button[data-action="{action}"]:visible:enabled')
        if not button.count():
            return False
        button.last.click()
        return True

    def look_at(self, hex: str) -> None:
        """Chooses a hex; in `act` with the key that only looks, since a ready member might walk there."""
        chosen = f'[data-hex="{hex}"][aria-pressed=true]'
        if self.page.locator(chosen).count():
            return
        self.page.keyboard.down("Shift")
        self.click_hex(hex)
        self.page.keyboard.up("Shift")
        self.page.wait_for_selector(chosen)

    def _walk(self, action: str, goal: str) -> None:
        """Picks up the member and clicks on the goal; unusual walks are buttons."""
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


def alone(visitor: Visitor, **options: str) -> Table:
    """A game of two at one screen: every decision is made here."""
    visitor.become("Ada")
    return Table(visitor, visitor.new_table("me", "person:Ben", options=options)).open()


def place(table: Table) -> str:
    """Place the tile somewhere, by clicks; the action."""
    action: str = table.offer()["places"][0]["action"]
    table.click_action(action)
    return action


def enter(table: Table, count: int = 1) -> None:
    """Bring workers into the base camp, by clicks."""
    for _ in range(count):
        table.click_action("+W@a1")


def play_a_rated_game(visitor: Visitor, other: Visitor) -> Table:
    """As short as possible: tiles are placed, and the visitor wins by one worker at a temple."""
    made = visitor.new_table("me", "open")
    other.ask("POST", f"/tables/{made}/join", {})
    visitor.ask("POST", f"/tables/{made}/start")
    seats = [Table(visitor, made), Table(other, made)]
    seats[0].play(seats[0].offer()["places"][0]["action"], "+W@a1", "W:a1-a2", ".")
    while (seat := seats[0].update()["view"]["seat"]) is not None:
        places = seats[seat - 1].offer()["places"]
        seats[seat - 1].play(*[place["action"] for place in places[:1]], ".")
    return seats[0]

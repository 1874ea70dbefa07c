"""Numbered choices for whoever does not want to learn the notation: a tree made from the legal actions.

It knows no rules: every leaf is something that the game offers, grouped by how it is written.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tikal.cli.say import MEMBERS, say, say_walk

BACK = "0"


@dataclass(frozen=True, slots=True)
class Choice:
    """One line of a menu: the key to type, its label, and the actions it plays or the choices it leads to."""

    key: str
    label: str
    actions: tuple[str, ...] = ()
    choices: tuple[Choice, ...] = ()


@dataclass(frozen=True, slots=True)
class Walk:
    """Steps of one member that can be taken together, and what they cost in all."""

    actions: tuple[str, ...]
    cost: int

    @property
    def member(self) -> str:
        """Who walks and from where: `W:a1`."""
        return self.actions[0][:4]

    @property
    def goal(self) -> str:
        """Where the walk ends."""
        return self.actions[-1][-2:]


GROUPS = (
    (r"[A-G]\d@.*", "place the tile"),
    (r"\+.*", "enter a member"),
    (r"[WL]:.*", "walk a member"),
    (r"[XDS].*", "work: excavate, dig, exchange"),
    (r"[CGMRO].*", "camps and guards"),
)


def menu_of(
    legal: Sequence[str],
    walks: Sequence[Walk] = (),
    costs: Mapping[str, int] | None = None,
    passages: Mapping[str, str] | None = None,
) -> tuple[Choice, ...]:
    """The first menu of a decision. `passages` says what a placement would join.

    >>> [choice.label for choice in menu_of(["+W@a1", "+L@a1", "."])]
    ['enter a member', 'end the turn']
    >>> [(choice.key, choice.label) for choice in menu_of(["B:-", "B:3", "B:4"])]
    [('0', 'pass'), ('3', 'bid 3'), ('4', 'bid 4')]
    """
    if all(action[:2] in ("B:", "J:") for action in legal):
        return tuple(sorted((_number(action) for action in legal), key=lambda choice: int(choice.key)))
    tree: list[tuple[str, tuple[str, ...], tuple[Choice, ...]]] = []
    rest = list(legal)
    for pattern, label in GROUPS:
        members = [action for action in rest if re.fullmatch(pattern, action)]
        rest = [action for action in rest if action not in members]
        if not members:
            continue
        if label == "place the tile":
            return _places(members, passages or {})
        choices = _walks(walks) if label == "walk a member" and walks else _leaves(members, costs or {})
        tree.append((label, (), choices))
    tree += [(say(action), (action,), ()) for action in rest]
    return _numbered(tree)


def find(menu: Sequence[Choice], key: str) -> Choice | None:
    """The choice with that key."""
    return next((choice for choice in menu if choice.key == key), None)


def _numbered(tree: Sequence[tuple[str, tuple[str, ...], tuple[Choice, ...]]]) -> tuple[Choice, ...]:
    return tuple(Choice(str(i), *line) for i, line in enumerate(tree, start=1))


def _number(action: str) -> Choice:
    """Bids and tokens: the key is the number itself, 0 to pass or to stop."""
    number = action[2:]
    return Choice(BACK if number == "-" else number, say(action), (action,))


def _leaves(actions: Sequence[str], costs: Mapping[str, int]) -> tuple[Choice, ...]:
    return _numbered([(say(action) + _price(costs.get(action)), (action,), ()) for action in actions])


def _walks(walks: Sequence[Walk]) -> tuple[Choice, ...]:
    """First who walks, then where to."""
    tree = []
    for member in dict.fromkeys(walk.member for walk in walks):
        own = sorted((walk for walk in walks if walk.member == member), key=lambda walk: (walk.cost, walk.goal))
        goals = _numbered([(say_walk(walk.actions) + _price(walk.cost), walk.actions, ()) for walk in own])
        tree.append((f"{MEMBERS[member[0]]} on {member[2:]}", (), goals))
    return _numbered(tree)


def _places(actions: Sequence[str], passages: Mapping[str, str]) -> tuple[Choice, ...]:
    """First the hex, then how the tile is turned."""
    tree = []
    for hex_ in dict.fromkeys(action[3:5] for action in actions):
        own = [action for action in actions if action[3:5] == hex_]
        turns = _numbered([(_turn(action) + passages.get(action, ""), (action,), ()) for action in own])
        one = len(own) == 1
        label = f"{say(own[0])}{passages.get(own[0], '')}" if one else f"on {hex_} ({len(own)} ways to turn it)"
        tree.append((label, turns[0].actions if one else (), () if one else turns))
    return _numbered(tree)


def _turn(action: str) -> str:
    return f"turned by {action[-1]}" if action[-1] != "0" else "as it is"


def _price(cost: int | None) -> str:
    return f" ({cost} AP)" if cost else ""

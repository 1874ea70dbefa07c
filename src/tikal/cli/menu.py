"""Numbered choices for people who do not want to learn the notation: a tree made from the legal actions.

It knows no rules: every leaf is a legal action, and the notation decides its group.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tikal.cli.language import t
from tikal.cli.say import say, say_walk
from tikal.play import Action

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
    """Steps of one member that can be taken together, and their total cost."""

    actions: tuple[str, ...]
    cost: int

    @property
    def start(self) -> tuple[str, str]:
        """The member that walks, and its hex: `("W", "a1")`."""
        first = Action.parse(self.actions[0])
        return first.member, first.hexes[0]

    @property
    def goal(self) -> str:
        """Where the walk ends."""
        return Action.parse(self.actions[-1]).hexes[1]


GROUPS = {
    "menu_enter": ("enter",),
    "menu_walk": ("move", "camp_move"),
    "menu_work": ("excavate", "dig", "exchange"),
    "menu_camps": ("camp", "guard", "gun", "shoot", "obstacle"),
}
"""The kinds of actions behind each line of the first menu, by the key of its label."""
NUMBERS = ("bid", "pass", "leap")


def menu_of(
    legal: Sequence[str],
    walks: Sequence[Walk] = (),
    costs: Mapping[str, int] | None = None,
    passages: Mapping[str, str] | None = None,
) -> tuple[Choice, ...]:
    """The first menu of a decision. `passages` describes what a placement would join.

    >>> [choice.label for choice in menu_of(["+W@a1", "+L@a1", "."])]
    ['bring in a member', 'end the turn']
    >>> [(choice.key, choice.label) for choice in menu_of(["B:-", "B:3", "B:4"])]
    [('0', 'pass'), ('3', 'bid 3'), ('4', 'bid 4')]
    """
    if all(Action.parse(action).kind in NUMBERS for action in legal):
        return tuple(sorted((_number(action) for action in legal), key=lambda choice: int(choice.key)))
    tree: list[tuple[str, tuple[str, ...], tuple[Choice, ...]]] = []
    rest = list(legal)
    if places := [action for action in rest if Action.parse(action).kind == "place"]:
        return _places(places, passages or {})
    for key, kinds in GROUPS.items():
        members = [action for action in rest if Action.parse(action).kind in kinds]
        rest = [action for action in rest if action not in members]
        if members:
            choices = _walks(walks) if key == "menu_walk" and walks else _leaves(members, costs or {})
            tree.append((t(key), (), choices))
    tree += [(say(action), (action,), ()) for action in rest]
    return _numbered(tree)


def find(menu: Sequence[Choice], key: str) -> Choice | None:
    """The choice with that key."""
    return next((choice for choice in menu if choice.key == key), None)


def _numbered(tree: Sequence[tuple[str, tuple[str, ...], tuple[Choice, ...]]]) -> tuple[Choice, ...]:
    return tuple(Choice(str(i), *line) for i, line in enumerate(tree, start=1))


def _number(action: str) -> Choice:
    """Bids and tokens: the key is the number itself, 0 to pass or to stop."""
    return Choice(str(Action.parse(action).number), say(action), (action,))


def _leaves(actions: Sequence[str], costs: Mapping[str, int]) -> tuple[Choice, ...]:
    return _numbered([(_priced(say(action), costs.get(action)), (action,), ()) for action in actions])


def _walks(walks: Sequence[Walk]) -> tuple[Choice, ...]:
    """First the member that walks, then the goal."""
    tree = []
    for start in dict.fromkeys(walk.start for walk in walks):
        own = sorted((walk for walk in walks if walk.start == start), key=lambda walk: (walk.cost, walk.goal))
        goals = _numbered([(_priced(say_walk(walk.actions), walk.cost), walk.actions, ()) for walk in own])
        tree.append((t("menu_member", member=start[0], hex=start[1]), (), goals))
    return _numbered(tree)


def _places(actions: Sequence[str], passages: Mapping[str, str]) -> tuple[Choice, ...]:
    """First the hex, then the rotation."""
    tree = []
    for hex_ in dict.fromkeys(Action.parse(action).hexes[0] for action in actions):
        own = [action for action in actions if Action.parse(action).hexes[0] == hex_]
        turns = _numbered([(_joining(_turn(action), passages.get(action)), (action,), ()) for action in own])
        one = len(own) == 1
        label = _joining(say(own[0]), passages.get(own[0])) if one else t("menu_hex", hex=hex_, count=len(own))
        tree.append((label, turns[0].actions if one else (), () if one else turns))
    return _numbered(tree)


def _turn(action: str) -> str:
    rotation = Action.parse(action).rotation
    return t("menu_turned", rotation=rotation) if rotation else t("menu_straight")


def _joining(what: str, passages: str | None) -> str:
    return t("menu_joins", what=what, passages=passages) if passages else what


def _priced(what: str, cost: int | None) -> str:
    return t("menu_price", what=what, ap=cost) if cost else what

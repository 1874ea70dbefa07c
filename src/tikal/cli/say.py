"""Actions in words: `say("W:a1-b2")` is "a worker walks from a1 to b2"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tikal.rules.tables import TILE_BY_NAME

MEMBERS = {"W": "a worker", "L": "the leader"}

# What an action looks like and how it is said; {name} stands for the group of that name.
_FORMS = (
    (r"(?P<tile>[A-G]\d)@-", "{tile} fits nowhere and leaves the game"),
    (r"(?P<tile>[A-G]\d)@(?P<hex>\w\d)\^(?P<turn>\d)", "place {tile} on {hex}, turned by {turn}"),
    (r"\+(?P<member>[WL])@(?P<hex>\w\d)", "{member} enters on {hex}"),
    (r"(?P<member>[WL]):(?P<hex>\w\d)-(?P<to>\w\d)", "{member} walks from {hex} to {to}"),
    (r"(?P<member>[WL]):(?P<hex>\w\d)=(?P<to>\w\d)", "{member} goes from camp {hex} to camp {to}"),
    (r"X@(?P<hex>\w\d)", "excavate the temple on {hex}"),
    (r"D@(?P<hex>\w\d)", "dig a treasure on {hex}"),
    (r"S:(?P<seat>\d):(?P<give>\d)/(?P<take>\d)", "exchange treasure {give} for {take} of seat {seat}"),
    (r"C@(?P<hex>\w\d)", "found a camp on {hex}"),
    (r"G(?P<member>[WL])@(?P<hex>\w\d)", "{member} becomes the guard of {hex}"),
    (r"M@(?P<hex>\w\d)", "two workers guard {hex} with a gun"),
    (r"R:(?P<seat>\d)@(?P<hex>\w\d)", "shoot a worker of seat {seat} on {hex}"),
    (r"O:(?P<hex>\w\d)-(?P<to>\w\d)", "build an obstacle between {hex} and {to}"),
    (r"B:-", "pass"),
    (r"B:(?P<bid>\d+)", "bid {bid}"),
    (r"K:(?P<tile>[A-G]\d)", "take {tile}"),
    (r"V:\+", "the volcano scores"),
    (r"V:-", "the volcano does not score"),
    (r"J:0", "stop: out for the rest of the round"),
    (r"J:1", "choose 1 token"),
    (r"J:(?P<tokens>\d)", "choose {tokens} tokens"),
    (r"\.", "end the turn"),
)
_PATTERNS = tuple((re.compile(pattern), words) for pattern, words in _FORMS)


def say(action: str, revealed: int | None = None) -> str:
    """An action in words, with what chance answered; an unknown form is given back as it is.

    >>> say("D@b3", 5)
    'dig a treasure on b3: kind 5'
    >>> say("A5@b3^0")
    'place A5 (treasures 4) on b3'
    """
    for pattern, words in _PATTERNS:
        if found := pattern.fullmatch(action):
            said = words.format(**_spoken(found.groupdict())).replace(", turned by 0", "")
            return said + _answer(action, revealed)
    return action


def say_walk(actions: Sequence[str]) -> str:
    """A walk of several steps, in words.

    >>> say_walk(["W:a1-b2", "W:b2-b3"])
    'a worker walks from a1 to b3 by b2'
    """
    if len(actions) == 1:
        return say(actions[0])
    member, _, path = actions[0].partition(":")
    stops = [re.split("[-=]", action.partition(":")[2])[1] for action in actions]
    return f"{MEMBERS[member]} walks from {path[:2]} to {stops[-1]} by {', '.join(stops[:-1])}"


def say_tile(name: str) -> str:
    """A tile with what is on it.

    >>> say_tile("E2")
    'E2 (temple 6)'
    """
    tile = TILE_BY_NAME[name]
    what = {"temple": f"temple {tile.value}", "treasure": f"treasures {tile.value}"}
    return f"{name} ({what.get(tile.terrain, tile.terrain)})"


def _spoken(groups: dict[str, str]) -> dict[str, str]:
    spoken = dict(groups)
    if "member" in groups:
        spoken["member"] = MEMBERS[groups["member"]]
    if "tile" in groups:
        spoken["tile"] = say_tile(groups["tile"])
    return spoken


def _answer(action: str, revealed: int | None) -> str:
    if revealed is None:
        return ""
    return f": kind {revealed}" if action.startswith("D@") else f": the dice show {revealed}"

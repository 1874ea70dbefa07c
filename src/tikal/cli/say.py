"""Actions in words: `say("W:a1-b2")` is "a worker walks from a1 to b2"."""

from __future__ import annotations

from collections.abc import Sequence

from tikal.cli.language import listed, phrase, spoken_word, t
from tikal.play import Action
from tikal.play.notation import NotationError
from tikal.rules.tables import TILE_BY_NAME
from tikal.words import keys
from tikal.words.texts import Value

BOT = "bot:"  # the prefix of a bot's name in a record


def say(text: str, revealed: int | None = None) -> str:
    """An action in words, with its chance value; an unknown form is returned unchanged.

    >>> say("D@b3", 5)
    'dig up a treasure at b3: frog'
    >>> say("A5@b3^0")
    'place A5 (treasures 4) on b3'
    """
    try:
        action = Action.parse(text)
    except NotationError:
        return text
    if action.kind == "place" and action.rotation:
        return t("place_turned", **_parts(action))
    if action.kind == "dig" and revealed is not None:
        return t("dig_found", **_parts(action), treasure=treasure_name(revealed))
    if action.kind == "excavate" and revealed is not None:
        return t("excavate_dice", **_parts(action), sum=revealed)
    return t(action.kind, **_parts(action))


def say_walk(actions: Sequence[str]) -> str:
    """A walk of several steps, in words.

    >>> say_walk(["W:a1-b2", "W:b2-b3"])
    'a worker walks from a1 to b3 via b2'
    """
    if len(actions) == 1:
        return say(actions[0])
    steps = [Action.parse(action) for action in actions]
    stops = [step.hexes[1] for step in steps]
    ends: dict[str, Value] = {"from": steps[0].hexes[0], "to": stops[-1]}
    return t("move_by", member=steps[0].member, by=listed(stops[:-1]), **ends)


def say_tile(name: str) -> str:
    """A tile with what is on it.

    >>> say_tile("E2")
    'E2 (temple 6)'
    """
    tile = TILE_BY_NAME[name]
    return t(f"tile_{tile.terrain}", tile=name, value=tile.value)


def say_name(name: str) -> str:
    """A player's name; bots go by the name of their level, as in the browser.

    >>> say_name("Ann"), say_name("bot:digger:width=9"), say_name("bot:program:./mine")
    ('Ann', 'Digger', 'program:./mine')
    """
    if not name.startswith(BOT):
        return name
    spec = name.removeprefix(BOT)
    key = f"bot.{spec.partition(':')[0]}"
    if key not in keys():
        return spec
    level = spoken_word(key)
    return level[0].upper() + level[1:]


def treasure_name(kind: int) -> str:
    """What is depicted on a kind of treasure.

    >>> treasure_name(2)
    'jaguar'
    """
    return spoken_word(f"treasure.{kind}")


def _parts(action: Action) -> dict[str, Value]:
    """The parts of an action in words; each message uses those that it needs."""
    first, last = (action.hexes[0], action.hexes[-1]) if action.hexes else ("", "")
    return {
        "hex": first,
        "from": first,
        "to": last,
        "member": action.member,
        "tile": say_tile(action.tile) if action.tile else "",
        "rotation": action.rotation,
        "seat": action.seat or 0,
        "give": phrase("a", f"treasure.{action.give}") if action.give else "",
        "take": phrase("a", f"treasure.{action.take}") if action.take else "",
        "number": action.number,
    }

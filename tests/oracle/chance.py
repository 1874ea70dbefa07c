"""Options as notation.md lists them, and the chance of a game: deck, treasures, dice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .tables import TILES, TOKENS_OF_A_KIND, TREASURE_KINDS, VOLCANOES

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Mapping

EDITIONS: dict[str, dict[str, object]] = {
    "rio-grande": {
        "camp_needs_member": False,
        "tie_break": "shared",
        "volcano_may_seal": True,
        "final_start": "next_player",
        "board": "original",
        "members_work_once": False,
    },
    "rio-grande-fr": {
        "camp_needs_member": True,
        "tie_break": "shared",
        "volcano_may_seal": True,
        "final_start": "next_player",
        "board": "original",
        "members_work_once": False,
    },
    "super-meeple": {
        "camp_needs_member": True,
        "tie_break": "guard_then_treasures",
        "volcano_may_seal": True,
        "final_start": "next_player",
        "board": "original",
        "members_work_once": False,
    },
    "classic": {
        "camp_needs_member": True,
        "tie_break": "guard_then_treasures",
        "volcano_may_seal": False,
        "final_start": "next_player",
        "board": "classic",
        "members_work_once": False,
    },
}

EDITIONS["rio-grande-zh"] = EDITIONS["rio-grande"] | {"members_work_once": True}

# Every option and its values, the default first; those of an edition come from EDITIONS.
VALUES: dict[str, tuple[object, ...]] = {
    "players": (2, 3, 4),
    "edition": ("super-meeple", "rio-grande", "rio-grande-fr", "rio-grande-zh", "classic"),
    "camp_needs_member": (True, False),
    "tie_break": ("guard_then_treasures", "shared"),
    "volcano_may_seal": (True, False),
    "final_start": ("next_player", "after_last_volcano"),
    "board": ("original", "classic"),
    "leader_may_guard": (True, False),
    "auction": (False, True),
    "instant_scoring": (False, True),
    "obstacles": (False, True),
    "machine_gun": (False, True),
    "sudden_death": (False, True),
    "leaps": (False, True),
    "boulders": (False, "3d6", "1d20", "2d6"),
    "double_volcano": ("score_all", "redraw", "taker_decides"),
    "members_work_once": (False, True),
}
DICE = {"3d6": (3, 6), "1d20": (1, 20), "2d6": (2, 6)}
ENOUGH_DICE = 48


def resolve(given: Mapping[str, object]) -> dict[str, object]:
    """All options with the edition's defaults filled in; ValueError for impossible ones.

    Values may be given as text, as in the protocol: resolve({"players": "3"})["players"] is 3.
    """
    options = {name: values[0] for name, values in VALUES.items()}
    options |= EDITIONS.get(str(given.get("edition", options["edition"])), {})
    for name, value in given.items():
        if name == "board" and isinstance(value, dict):
            options[name] = value
            continue
        text = "3d6" if name == "boulders" and _text(value) == "true" else _text(value)
        known = {_text(each): each for each in VALUES.get(name, ())}
        if text not in known:
            raise ValueError(f"option {name} can't be {value!r}")
        options[name] = known[text]
    for variant in ("sudden_death", "leaps"):
        if options[variant] and not options["auction"]:
            raise ValueError(f"{variant} needs auction")
    for variant in ("sudden_death", "instant_scoring"):
        if options["leaps"] and options[variant]:
            raise ValueError(f"leaps excludes {variant}")
    return options


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def sudden_death_limits(players: int) -> dict[str, int]:
    """After how many tiles each volcano is shuffled in; for four: {"B6": 8, "D5": 16, "F5": 24}."""
    s = 9 if players == 3 else 8
    return {"B6": s, "D5": 2 * s, "F5": 3 * s}


def run_sudden_death_deck(players: int, redraw: bool, draw: Callable[[list[str]], str]) -> list[str]:
    """Turn up the whole deck round by round, as people would with tiles on a table.

    `draw` picks the next tile out of those in the deck at that point. The result lists all tiles in the
    order in which they came up; a volcano that went back is listed once more each time it comes up again.
    """
    came_up: list[str] = []
    in_deck = [name for name in TILES if name not in VOLCANOES]
    for turned_up in range(0, len(TILES), players):
        for volcano, limit in sudden_death_limits(players).items():
            if turned_up == limit:
                in_deck.append(volcano)
        display: list[str] = []
        while len(display) < players:
            tile = draw(sorted(in_deck))
            if tile not in in_deck:
                raise ValueError(f"{tile} can't come up as tile {len(came_up) + 1} of the deck")
            in_deck.remove(tile)
            came_up.append(tile)
            display.append(tile)
            if len(display) == players and redraw and in_deck:
                display, back = put_back_volcanoes(display)
                in_deck.extend(back)
    return came_up


def put_back_volcanoes(display: list[str]) -> tuple[list[str], list[str]]:
    """`redraw`: the tiles of a display that stay (in the order they were turned up), and the volcanoes that go back."""
    volcanoes = [tile for tile in display if tile in VOLCANOES]
    back = volcanoes[1:]
    return [tile for tile in display if tile not in back], back


def check_deck(options: Mapping[str, object], deck: list[str]) -> None:
    """ValueError unless the deck is possible under these options."""
    if not options["sudden_death"]:
        if sorted(deck) != sorted(TILES):
            raise ValueError("the deck must have each of the 36 tiles once")
        if [tile[0] for tile in deck] != sorted(tile[0] for tile in deck):
            raise ValueError("the deck must be in letter order")
        return
    rest = list(deck)

    def listed(_: list[str]) -> str:
        if not rest:
            raise ValueError("the deck has too few tiles")
        return rest.pop(0)

    run_sudden_death_deck(_players(options), options["double_volcano"] == "redraw", listed)
    if rest:
        raise ValueError(f"the deck has too many tiles: {rest[0]}")


def check_treasures(treasures: list[int]) -> None:
    """ValueError unless there are three tokens of each kind."""
    if sorted(treasures) != sorted(TOKENS_OF_A_KIND * list(TREASURE_KINDS)):
        raise ValueError("treasures must be three of each kind 1..8")


def check_dice(options: Mapping[str, object], dice: list[int]) -> None:
    """ValueError for a sum that the dice of `boulders` can't show."""
    if options["boulders"]:
        count, sides = DICE[str(options["boulders"])]
        for total in dice:
            if not count <= total <= count * sides:
                raise ValueError(f"{total} is not a sum of {options['boulders']}")


def random_chance(options: Mapping[str, object], rng: random.Random) -> tuple[list[str], list[int], list[int]]:
    """A valid (deck, treasures, dice) for these options; dice are empty without `boulders`.

    >>> deck, treasures, dice = random_chance({"players": 2}, random.Random(1))
    >>> len(deck), len(treasures), dice
    (36, 24, [])
    """
    full = resolve(options)
    if full["sudden_death"]:
        deck = run_sudden_death_deck(_players(full), full["double_volcano"] == "redraw", rng.choice)
    else:
        # The sort is stable: random within each letter, letters in order.
        deck = sorted(rng.sample(sorted(TILES), len(TILES)), key=lambda tile: tile[0])
    tokens = TOKENS_OF_A_KIND * list(TREASURE_KINDS)
    rng.shuffle(tokens)
    dice: list[int] = []
    if full["boulders"]:
        count, sides = DICE[str(full["boulders"])]
        dice = [sum(rng.randint(1, sides) for _ in range(count)) for _ in range(ENOUGH_DICE)]
    return deck, tokens, dice


def _players(options: Mapping[str, object]) -> int:
    players = options["players"]
    assert isinstance(players, int)
    return players

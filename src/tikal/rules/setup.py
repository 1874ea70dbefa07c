"""How a game begins: its chance, checked, and its first state.

>>> chance = Chance(tuple(tile.name for tile in TILES), (1, 2, 3, 4, 5, 6, 7, 8) * 3)
>>> new_state(Options(players=2), chance).players
2
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from tikal.rules.core import State
from tikal.rules.errors import TikalError
from tikal.rules.options import Options
from tikal.rules.tables import (
    DICE_LIMIT,
    KINDS,
    LETTERS,
    TILE_BY_NAME,
    TILE_INDEX,
    TILES,
    TOKENS,
    TOKENS_OF_A_KIND,
    VOLCANOES,
)

DICE: dict[str, tuple[int, int]] = {"3d6": (3, 6), "1d20": (1, 20), "2d6": (2, 6)}


class ChanceError(TikalError):
    """A deck, a treasure order or dice that are impossible; `code` is `deck`, `treasures` or `dice`."""


@dataclass(frozen=True, slots=True)
class Chance:
    """All the chance of one game, in the order in which it comes up.

    `deck` names tiles (with `redraw` a volcano that goes back occurs again where it comes up again), `treasures` are
    kinds from 1, `dice` the sums of `boulders`.
    """

    deck: tuple[str, ...]
    treasures: tuple[int, ...]
    dice: tuple[int, ...] = ()

    def check(self, options: Options) -> None:
        """Refuses chance that is impossible with these options.

        >>> Chance(("A1",), ()).check(Options())
        Traceback (most recent call last):
        tikal.rules.setup.ChanceError: deck: 35 tiles are missing, the first is A2; list all 36 as they come up
        """
        _check_tiles(self.deck, redraw=_redraws(options))
        if options.sudden_death:
            _rounds(options, self.deck)
        else:
            _check_letters(self.deck)
        _check_treasures(self.treasures)
        _check_dice(self.dice, options)


def new_state(options: Options, chance: Chance) -> State:
    """The first state of a game; `check` must accept the chance."""
    deck = _rounds(options, chance.deck) if options.sudden_death else chance.deck
    tiles = [TILE_INDEX[name] for name in deck]
    kinds = [kind - 1 for kind in chance.treasures]
    return blank(options)(options, tiles, kinds, chance.dice)


def blank(options: Options) -> type[State]:
    """A blank state of the class that plays these options; games without variants get a plain `State`."""
    if options.plain:
        return State
    from tikal.rules.variants import VariantState

    return VariantState


def stage(players: int) -> int:
    """With `sudden_death`: after how many tiles the next volcano is shuffled in; always whole rounds [R20].

    >>> stage(3), stage(4)
    (9, 8)
    """
    return 9 if players == 3 else 8


def volcano_limits(players: int) -> dict[str, int]:
    """With `sudden_death`: how many tiles must be out before each volcano is in the deck.

    >>> volcano_limits(4)
    {'B6': 8, 'D5': 16, 'F5': 24}
    """
    return {name: stage(players) * number for number, name in enumerate(VOLCANOES, 1)}


def _redraws(options: Options) -> bool:
    return options.sudden_death and options.double_volcano == "redraw"


def _check_tiles(deck: Sequence[str], redraw: bool) -> None:
    right = "list all 36 as they come up"
    for name in deck:
        if name not in TILE_BY_NAME:
            raise ChanceError("deck", f"deck: no tile is called {name!r}; {right}", "deck_no_tile", tile=name)
    counts = Counter(deck)
    for name, count in counts.items():
        if count > 1 and not (redraw and name in VOLCANOES):
            text = f"deck: {name} occurs {count} times; {right}, each once"
            raise ChanceError("deck", text, "deck_tile_twice", tile=name, count=count)
    missing = [tile.name for tile in TILES if tile.name not in counts]
    if missing:
        verb = "tile is missing: it" if len(missing) == 1 else "tiles are missing, the first"
        text = f"deck: {len(missing)} {verb} is {missing[0]}; {right}"
        raise ChanceError("deck", text, "deck_missing", count=len(missing), tile=missing[0])


def _check_letters(deck: Sequence[str]) -> None:
    for before, after in pairwise(deck):
        if LETTERS.index(after[0]) < LETTERS.index(before[0]):
            text = f"deck: {after} can't come after {before}; letters come in the order {LETTERS}"
            raise ChanceError("deck", text, "deck_letters", tile=after, before=before, letters=LETTERS)


def _check_treasures(treasures: Sequence[int]) -> None:
    counts = Counter(treasures)
    if len(treasures) != TOKENS or any(counts[kind] != TOKENS_OF_A_KIND for kind in range(1, KINDS + 1)):
        text = f"treasures: must be {TOKENS} kinds, {TOKENS_OF_A_KIND} of each from 1 to {KINDS}"
        raise ChanceError("treasures", text, "treasures_kinds", count=TOKENS, each=TOKENS_OF_A_KIND, kinds=KINDS)


def _check_dice(dice: Sequence[int], options: Options) -> None:
    if not options.boulders:
        if dice:
            text = "dice: only the variant boulders rolls dice; leave them out or set boulders=3d6"
            raise ChanceError("dice", text, "dice_unused")
        return
    number, sides = DICE[str(options.boulders)]
    if len(dice) > DICE_LIMIT:
        text = f"dice: {len(dice)} sums are too many; {DICE_LIMIT} always suffice"
        raise ChanceError("dice", text, "dice_many", count=len(dice), most=DICE_LIMIT)
    if any(not number <= total <= number * sides for total in dice):
        text = f"dice: every sum of {options.boulders} is from {number} to {number * sides}"
        raise ChanceError("dice", text, "dice_sums", dice=str(options.boulders), least=number, most=number * sides)


def extra_volcanoes(shown: Sequence[str]) -> list[str]:
    """The volcanoes on display after the first; `redraw` shuffles them back into the deck.

    >>> extra_volcanoes(["A1", "B6", "D5"])
    ['D5']
    """
    return [name for name in shown if name in VOLCANOES][1:]


def _rounds(options: Options, listing: Sequence[str]) -> list[str]:
    """With `sudden_death`: the tiles that stay out, round by round, without those that `redraw` puts back.

    Each round turns up as many tiles as there are players, whatever is played, so this is known from the start.
    """
    limits = volcano_limits(options.players)
    coming = list(listing)
    stay: list[str] = []
    back: set[str] = set()

    def turn_up() -> str:
        if not coming:
            text = "deck: ends within a round; a volcano that goes back must be listed again later"
            raise ChanceError("deck", text, "deck_ends")
        name = coming.pop(0)
        if name in stay or name in shown:
            raise ChanceError("deck", f"deck: {name} comes up again without having gone back", "deck_again", tile=name)
        if len(stay) < limits.get(name, 0):
            text = f"deck: {name} can't be among the first {limits[name]} tiles with sudden_death"
            raise ChanceError("deck", text, "deck_early", tile=name, count=limits[name])
        back.discard(name)
        return name

    while coming or back:
        shown: list[str] = []
        while len(shown) < options.players:
            shown.append(turn_up())
        while _redraws(options) and len(stay) + len(shown) < len(TILES):
            extra = extra_volcanoes(shown)
            if not extra:
                break
            shown = [name for name in shown if name not in extra]
            back.update(extra)
            for _ in extra:
                shown.append(turn_up())
        stay += shown
    return stay

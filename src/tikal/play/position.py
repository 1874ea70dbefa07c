"""A state from one seat's knowledge: the inverse of `view`, with arbitrary values for what is hidden.

A bot gets only the view and turns it into a position, so nothing hidden can reach it.

>>> from tikal.play import Game
>>> from tikal.rules.options import Options
>>> game = Game.new(Options(players=3), seed="42")
>>> view(position(game.view(2)).state, game.options, 2) == game.view(2)
True
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tikal.play.faults import faults
from tikal.play.notation import MEMBERS
from tikal.play.view import ROUNDS, STAGES, Json, view
from tikal.rules.codes import (
    GONE,
    LEAP_LIMIT,
    LEAP_TOKENS,
    LEAPING,
    NO_CHOICE,
    NO_SEAT,
    NO_TILE,
    PHASES,
    RESERVE,
    SEATS,
    TURN_AP,
    WALKING,
    WORK_LIMIT,
    WORKER,
)
from tikal.rules.core import TERRAINS, State, pack_stones
from tikal.rules.errors import TikalError
from tikal.rules.facts import Facts
from tikal.rules.options import OptionError, Options
from tikal.rules.setup import DICE, blank
from tikal.rules.tables import (
    DICE_LIMIT,
    HEX_INDEX,
    HEX_NAMES,
    HEXES,
    KINDS,
    LEVEL_TILES,
    NEIGHBOURS,
    TILE_INDEX,
    TILES,
    TOKENS,
    TOKENS_OF_A_KIND,
    TOP_LEVEL,
    VOLCANOES,
    WORKERS,
)

SUPPLY_ROOM = 16  # length of the core's array of level tiles; some entries are unused
SCORE_LIMIT = 1500  # far above any real score; legal bids up to it still fit the core's buffer


class ViewError(TikalError):
    """A view that no game could produce; `code` is `load`."""


@dataclass(frozen=True, slots=True)
class Position:
    """A state as far as a seat knows it, and the options."""

    options: Options
    state: State
    viewer: int | None


def position(seen: Json) -> Position:
    """The position of a view from outside; raises `ViewError` for an impossible view."""
    try:
        here = own_position(seen)
        again = view(here.state, here.options, here.viewer)
    except OptionError as error:
        raise ViewError("load", f"view: {error}") from None
    except (KeyError, ValueError, TypeError, IndexError, AttributeError, OverflowError, RecursionError) as error:
        raise ViewError("load", f"view: not an output of `view` ({type(error).__name__}: {error})") from None
    for name, value in again.items():
        if name not in seen or seen[name] != value:
            raise ViewError("load", f"view: {name} does not agree with the rest")
    if unknown := set(seen) - set(again):
        raise ViewError("load", f"view: {sorted(unknown)[0]} is not a part of a view")
    for fault in faults(here.options, Facts(here.state)):
        raise ViewError("load", f"view: {fault}")
    return here


def own_position(seen: Json) -> Position:
    """The position of a view that this program has made; it is not checked. Bots need one for every decision."""
    options = Options(**seen["options"])
    return Position(options, _state(options, seen), _viewer(seen["viewer"], options.players))


def _state(options: Options, seen: Json) -> State:
    fields = _board(options, seen) | _seats(options, seen) | _flow(options, seen) | _chance(options, seen)
    if not options.plain:
        fields |= _variants(options, seen)
    state = _empty(options)
    empty = state.export()
    for name, value in fields.items():
        # The compiled core does not check lengths.
        if isinstance(value, list) and len(value) != len(empty[name]):
            raise ValueError(f"{name} has too many or too few entries")
    state.restore(empty | fields)
    return state


def _empty(options: Options) -> State:
    """A state with only the printed hexes on the board; its chance is arbitrary."""
    return blank(options)(options, range(len(TILES)), [0] * TOKENS, [0] * DICE_LIMIT)


def _viewer(value: Any, players: int) -> int | None:
    return None if value is None else _number(value, 1, players)


def _number(value: Any, least: int, most: int) -> int:
    if type(value) is not int or not least <= value <= most:
        raise ValueError(f"{value!r} is not a number from {least} to {most}")
    return value


def _seat(value: Any, players: int) -> int:
    return NO_SEAT if value is None else _number(value, 1, players) - 1


def _mask(items: list[Any], index: Callable[[Any], int]) -> int:
    return sum(1 << place for place in {index(item) for item in items})


def _row(counts: Mapping[str, int], most: int) -> list[int]:
    row = [0] * HEXES
    for name, count in counts.items():
        row[HEX_INDEX[name]] = _number(count, 1, most)
    return row


def _tile(name: str | None) -> int:
    return NO_TILE if name is None else TILE_INDEX[name]


def _board(options: Options, seen: Json) -> Json:
    """What is on the hexes, besides the printed ones of the board."""
    start = _empty(options).export()
    fields = {name: start[name] for name in ("terrain", "stones", "level", "tile", "rotation")}
    for hex_, text in seen["tiles"].items():
        name, rotation = text.split("^")
        tile, at = TILES[TILE_INDEX[name]], HEX_INDEX[hex_]
        if int(rotation) not in tile.rotations() or fields["terrain"][at]:
            raise ValueError(f"{text} can't lie on {hex_}")
        fields["terrain"][at], fields["tile"][at] = TERRAINS[tile.terrain], TILE_INDEX[name]
        fields["rotation"][at] = int(rotation)
        fields["stones"][at] = pack_stones(tile.turned(int(rotation)))
    for hex_, level in seen["levels"].items():
        fields["level"][HEX_INDEX[hex_]] = _number(level, 1, TOP_LEVEL)
    return fields | {
        "camp": _row(seen["camps"], options.players),
        "guard": _row(seen["guards"], options.players),
        "supply": _supply(seen["supply"]),
        "gone": _mask(seen["gone"], TILE_INDEX.__getitem__),
    }


def _supply(left: Mapping[str, int]) -> list[int]:
    """The level tiles left, by level."""
    row = [0] * SUPPLY_ROOM
    for level, count in LEVEL_TILES.items():
        row[level] = _number(left[str(level)], 0, count)
    return row


def _seats(options: Options, seen: Json) -> Json:
    """What the seats own."""
    n = options.players
    for name in ("workers", "leader", "reserve", "scores", "treasures", "work"):
        if len(seen[name]) != n:
            raise ValueError(f"{name} must have {n} entries")
    rest = [0] * (SEATS - n)
    places = {"reserve": RESERVE, "gone": GONE} | HEX_INDEX
    once, twice = _work_masks(seen["work"])
    return {
        "workers": [count for row in seen["workers"] for count in _row(row, WORKERS)] + [0] * (HEXES * len(rest)),
        "leader": [places[at] for at in seen["leader"]] + rest,
        "reserve": [_number(count, 0, WORKERS) for count in seen["reserve"]] + rest,
        "score": [_number(score, 0, SCORE_LIMIT) for score in seen["scores"]] + rest,
        "treasures": [_number(c, 0, TOKENS_OF_A_KIND) for row in seen["treasures"] for c in row]
        + [0] * (KINDS * len(rest)),
        "done_once": once,
        "done_twice": twice,
    }


def _work_masks(work: list[dict[str, int]]) -> tuple[list[int], list[int]]:
    once, twice = [0] * SEATS, [0] * SEATS
    for seat, counts in enumerate(work):
        for hex_, count in counts.items():
            once[seat] |= 1 << HEX_INDEX[hex_]
            twice[seat] |= (_number(count, 1, WORK_LIMIT) - 1) << HEX_INDEX[hex_]
    return once, twice


def _flow(options: Options, seen: Json) -> Json:
    """The phase and everything that belongs to it."""
    n = options.players
    auction, scoring = seen["auction"], seen["scoring"] or {"kind": None, "order": [], "place": 0}
    order = [_seat(seat, n) for seat in scoring["order"]]
    if order and sorted(order) != list(range(n)):
        raise ValueError("the order of a scoring round names every seat once")

    def seats(numbers: list[int]) -> int:
        return _mask(numbers, lambda seat: _number(seat, 1, n) - 1)

    return {
        "phase": PHASES.index(seen["phase"]),
        "seat": _seat(seen["seat"], n),
        "ap": _number(seen["ap"], 0, TURN_AP),
        "hand": _tile(seen["tile"]),
        "turn_seat": _seat(_number(seen["turn_seat"], 1, n), n),
        "volcano_seat": _seat(seen["volcano_seat"], n),
        "round_kind": ROUNDS.index(scoring["kind"]),
        "order": order + [0] * (SEATS - len(order)),
        "place": _number(scoring["place"], 0, n),
        "had_turn": seats(auction["had_turn"]),
        "out": seats(auction["out"]),
        "first_out": _seat(auction["first_out"], n),
        "bidder": _seat(auction["bidder"], n),
        "bid": _number(seen["bid"], 0, SCORE_LIMIT),
        "display": _mask(seen["display"], TILE_INDEX.__getitem__),
        "winners": seats(seen["winners"] or []),
    }


def _unseen(options: Options, seen: Json) -> list[str]:
    """Hidden tiles by letter. If `sudden_death` mixes letters: the public letter first, volcanoes last."""
    if not options.sudden_death:
        return sorted(seen["unseen_tiles"])
    tiles = sorted(seen["unseen_tiles"], key=lambda name: (name in VOLCANOES, name))
    top = [name for name in tiles if name[0] == seen["top_letter"]][:1]
    return top + [name for name in tiles if name not in top]


def _chance(options: Options, seen: Json) -> Json:
    """Arbitrary values for what is hidden: tiles by letter, kinds in ascending order."""
    unseen = _unseen(options, seen)
    deck = [tile for tile in range(len(TILES)) if TILES[tile].name not in unseen]
    if len(set(unseen)) != len(unseen) or len(deck) != len(TILES) - len(unseen):
        raise ValueError("unseen_tiles must name different tiles")
    hidden = [
        kind for kind, count in enumerate(seen["unseen_kinds"]) for _ in range(_number(count, 0, TOKENS_OF_A_KIND))
    ]
    dug = [kind for kind, count in enumerate(seen["unseen_kinds"]) for _ in range(TOKENS_OF_A_KIND - count)]
    if len(seen["unseen_kinds"]) != KINDS:
        raise ValueError(f"unseen_kinds must have {KINDS} entries")
    kinds: list[int] = []
    tokens, token_at = [0] * HEXES, [0] * HEXES
    for hex_, left in seen["tokens"].items():
        value = TILES[TILE_INDEX[seen["tiles"][hex_].split("^")[0]]].value
        taken = value - _number(left, 0, value)
        tokens[HEX_INDEX[hex_]], token_at[HEX_INDEX[hex_]] = left, len(kinds) + taken
        kinds += [dug.pop() for _ in range(taken)] + [hidden.pop() for _ in range(left)]
    if dug:
        raise ValueError("treasures that are held must have been dug")
    return {
        "deck": deck + [TILE_INDEX[name] for name in unseen],
        "deck_next": len(deck),
        "kinds": kinds + hidden,
        "kind_next": len(kinds),
        "tokens": tokens,
        "token_at": token_at,
    }


def _variants(options: Options, seen: Json) -> Json:
    once, twice = _work_masks(seen["lost"])
    obstacles = [0] * HEXES
    for pair in seen["obstacles"]:
        hex_, other = (HEX_INDEX[name] for name in pair.split("-"))
        obstacles[hex_] |= 1 << NEIGHBOURS[hex_].index(other)
        obstacles[other] |= 1 << NEIGHBOURS[other].index(hex_)
    number, sides = DICE.get(str(options.boulders), (0, 0))
    fields = {
        "guns": _mask(seen["guns"], HEX_INDEX.__getitem__),
        "fired": _mask(seen["fired"], HEX_INDEX.__getitem__),
        "lost_once": once,
        "lost_twice": twice,
        "worked": _worked(options, seen["worked"]),
        "obstacle_sides": obstacles,
        "dice": [number * (sides + 1) // 2] * DICE_LIMIT,
        "dice_next": _number(seen["rolls"], 0, DICE_LIMIT),
        "dice_count": DICE_LIMIT if options.boulders else 0,
        "volcanoes_taken": _number(seen["volcanoes_taken"], 0, len(VOLCANOES)),
        "round_scored": int(seen["round_scored"]),
    }
    return fields | (_leaps(options, seen) if options.leaps else {})


def _worked(options: Options, rows: list[dict[str, int]]) -> list[int]:
    """How many members of each seat, its leader too, have worked, hex after hex."""
    if len(rows) != options.players:
        raise ValueError(f"worked must have {options.players} entries")
    return [count for row in rows for count in _row(row, WORKERS + 1)] + [0] * (HEXES * (SEATS - options.players))


def _leaps(options: Options, seen: Json) -> Json:
    n, leaps = options.players, seen["leaps"]
    order = [_seat(_number(seat, 1, n), n) for seat in leaps["order"]]
    if len(set(order)) != len(order):
        raise ValueError("the order of a round names a seat twice")
    place = _number(leaps["place"], 0, n)
    waiting = seen["phase"] == PHASES[LEAPING]
    tokens = [_number(count, 0, LEAP_TOKENS) for count in leaps["tokens"]] + [0] * (SEATS - n)
    chosen = [0] * SEATS
    for seat in range(n):
        value = leaps["chosen"][seat]
        hidden = waiting and tokens[seat] and seat in order[:place]
        # Secret choices of other seats are unknown: 1 stands for each.
        unknown = 1 if hidden else NO_CHOICE if waiting and tokens[seat] else 0
        chosen[seat] = unknown if value is None else _number(value, 0, LEAP_LIMIT)
    member, at = leaps["walker"] or (MEMBERS[WORKER], HEX_NAMES[0])
    stage = STAGES.index(leaps["stage"])
    return {
        "order": order + [0] * (SEATS - len(order)),
        "place": place,
        "won": [_tile(name) for name in leaps["tiles"]] + [NO_TILE] * (SEATS - n),
        "leap_tokens": tokens,
        "chosen": chosen,
        "leap_stage": stage,
        "walk_member": MEMBERS.index(member) if stage == WALKING else 0,
        "walk_hex": HEX_INDEX[at] if stage == WALKING else 0,
        "erupted": int(leaps["erupted"]),
    }

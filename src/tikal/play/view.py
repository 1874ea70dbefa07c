"""What may be known: a state as `status` tells it to everybody, and as a seat may see it (`position` is the way back).

`view` is the one projection: everything that leaves a game for somebody goes through it. What it leaves out is the
order of the deck within what is public, the kinds of undug treasures, dice to come, and others' tokens of a leap
until all have chosen.
"""

from __future__ import annotations

from typing import Any

from tikal.rules.codes import (
    BIDDING,
    FINISHED,
    GONE,
    LEAPING,
    NO_CHOICE,
    NO_SEAT,
    NO_TILE,
    PHASES,
    RESERVE,
    RUIN,
    TEMPLE,
    WALKING,
)  # fmt: skip
from tikal.rules.core import State
from tikal.rules.facts import Facts
from tikal.rules.options import Options
from tikal.rules.setup import volcano_limits
from tikal.rules.tables import HEX_NAMES, HEXES, KINDS, NEIGHBOURS, TILES, TOKENS_OF_A_KIND

Json = dict[str, Any]
ROUNDS = (None, "volcano", "final")
STAGES = (None, "fresh", "walking", "spent")
TURNED = [[f"{tile.name}^{rotation}" for rotation in range(6)] for tile in TILES]


def seat_or_none(seat: int) -> int | None:
    """A seat as people count it.

    >>> seat_or_none(0), seat_or_none(4)
    (1, None)
    """
    return None if seat == NO_SEAT else seat + 1


def seats_of(mask: int) -> list[int]:
    """The seats in a set of them, as people count.

    >>> seats_of(0b101)
    [1, 3]
    """
    return [seat + 1 for seat in range(4) if mask >> seat & 1]


def tiles_of(mask: int) -> list[str]:
    """The tiles in a set of them, sorted."""
    return [tile.name for index, tile in enumerate(TILES) if mask >> index & 1] if mask else []


def hexes_of(mask: int) -> list[str]:
    """The hexes in a set of them, sorted."""
    return [name for index, name in enumerate(HEX_NAMES) if mask >> index & 1] if mask else []


def _tile_or_none(tile: int) -> str | None:
    return None if tile == NO_TILE else TILES[tile].name


def status(state: State) -> Json:
    """The position as the protocol's `status` tells it; nothing in it is hidden from anybody.

    >>> from tikal.play import Game
    >>> status(Game.new(Options(), seed="42").state)["deck_left"]
    35
    """
    return _status(Facts(state))


def _status(facts: Facts) -> Json:
    over = facts.phase == FINISHED
    return {
        "phase": PHASES[facts.phase],
        "seat": seat_or_none(facts.seat),
        "ap": facts.ap,
        "tile": _tile_or_none(facts.hand),
        "deck_left": len(TILES) - facts.deck_next,
        "display": tiles_of(facts.display),
        "bid": facts.bid if facts.phase == BIDDING else 0,
        "scores": facts.score[: facts.players],
        "treasures": [facts.treasures[seat * 8 : seat * 8 + 8] for seat in facts.seats()],
        "levels": {HEX_NAMES[hex]: facts.level[hex] for hex in facts.hexes(TEMPLE)},
        "tiles": {name: TURNED[tile][rotation]
                  for name, tile, rotation in zip(HEX_NAMES, facts.tile, facts.rotation, strict=True)
                  if tile != NO_TILE},
        "workers": [_counts(facts.workers[seat * 40 : seat * 40 + 40]) for seat in facts.seats()],
        "leader": [_leader(facts.leader[seat]) for seat in facts.seats()],
        "reserve": facts.reserve[: facts.players],
        "camps": _counts(facts.camp),
        "guards": _counts(facts.guard),
        "guns": hexes_of(facts.guns),
        "obstacles": _obstacles(facts),
        "tokens": {HEX_NAMES[hex]: facts.tokens[hex] for hex in facts.hexes(RUIN)},
        "supply": {str(level): facts.supply[level] for level in range(2, 11)},
        "winners": seats_of(facts.winners) if over else None,
    }  # fmt: skip


def _counts(row: list[int]) -> dict[str, int]:
    return {name: count for name, count in zip(HEX_NAMES, row, strict=True) if count}


def _leader(at: int) -> str:
    return {RESERVE: "reserve", GONE: "gone"}.get(at) or HEX_NAMES[at]


def _obstacles(facts: Facts) -> list[str]:
    if not any(facts.walls):
        return []
    pairs = (
        (hex, other) for hex in range(HEXES) for other in NEIGHBOURS[hex] if other > hex and facts.walled(hex, other)
    )
    return sorted(f"{HEX_NAMES[hex]}-{HEX_NAMES[other]}" for hex, other in pairs)


def view(state: State, options: Options, seat: int | None) -> Json:
    """What a seat (counted from 1; None: a spectator) may know, enough to play by.

    >>> from tikal.play import Game
    >>> Game.new(Options(), seed="42").view(1)["unseen_kinds"]
    [3, 3, 3, 3, 3, 3, 3, 3]
    """
    return view_of(Facts(state), options, seat)


def view_of(facts: Facts, options: Options, seat: int | None) -> Json:
    """The same from facts that are already there."""
    return {
        "viewer": seat,
        "options": options.as_dict(),
        **_status(facts),
        "unseen_tiles": [TILES[tile].name for tile in sorted(facts.deck[facts.deck_next :])],
        "unseen_kinds": _unseen_kinds(facts),
        "top_letter": _top_letter(facts),
        "gone": tiles_of(facts.gone),
        "work": [_work(facts.done_once[s], facts.done_twice[s]) for s in facts.seats()],
        "turn_seat": facts.turn_seat + 1,
        "volcano_seat": seat_or_none(facts.volcano_seat),
        "scoring": _scoring(facts),
        "auction": {
            "had_turn": seats_of(facts.had_turn),
            "out": seats_of(facts.out),
            "first_out": seat_or_none(facts.first_out),
            "bidder": seat_or_none(facts.bidder),
        },
        "lost": [_work(facts.lost_once[s], facts.lost_twice[s]) for s in facts.seats()],
        "fired": hexes_of(facts.fired),
        "rolls": facts.dice_next,
        "volcanoes_taken": facts.volcanoes_taken,
        "round_scored": bool(facts.round_scored),
        "leaps": _leaps(facts, seat) if facts.leaps else None,
    }


def _top_letter(facts: Facts) -> str | None:
    """None with an empty deck, and where `sudden_death` shuffles it once more before the next tile is turned up."""
    shuffled = facts.sudden_death and facts.deck_next in volcano_limits(facts.players).values()
    if shuffled or facts.deck_next == len(TILES):
        return None
    top: str = TILES[facts.deck[facts.deck_next]].name
    return top[0]


def _unseen_kinds(facts: Facts) -> list[int]:
    return [TOKENS_OF_A_KIND - sum(facts.treasures[kind::KINDS]) for kind in range(KINDS)]


def _work(once: int, twice: int) -> dict[str, int]:
    return _counts([(once >> hex & 1) + (twice >> hex & 1) for hex in range(HEXES)]) if once else {}


def _scoring(facts: Facts) -> Json | None:
    if not facts.round_kind:
        return None
    order = [seat + 1 for seat in facts.order[: facts.players]]
    return {"kind": ROUNDS[facts.round_kind], "order": order, "place": facts.place}


def _leaps(facts: Facts, seat: int | None) -> Json:
    """The round of leaps: what others chose is shown only when all have chosen."""
    known = facts.players if facts.had_turn == 2**facts.players - 1 else facts.place
    if facts.phase == FINISHED:
        known = 0  # no round is on any more
    walker = [("W", "L")[facts.walk_member], HEX_NAMES[facts.walk_hex]]
    return {
        "order": [s + 1 for s in facts.order[:known]],
        "place": facts.place,
        "tiles": [_tile_or_none(facts.won[s]) for s in facts.seats()],
        "tokens": facts.purse[: facts.players],
        "chosen": [_chosen(facts, s, seat) for s in facts.seats()],
        "stage": STAGES[facts.leap_stage],
        "walker": walker if facts.leap_stage == WALKING else None,
        "erupted": bool(facts.erupted),
    }


def _chosen(facts: Facts, seat: int, viewer: int | None) -> int | None:
    """None: not chosen yet, or hidden; with all shown, what is still to be spent."""
    if facts.chosen[seat] == NO_CHOICE or (facts.phase == LEAPING and seat + 1 != viewer):
        return None
    return int(facts.chosen[seat])

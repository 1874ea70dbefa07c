"""Impossible positions: checks a position from outside before a game continues from it.

The compiled core does not check its state, so it must only get positions that its own actions could have reached:
pieces are conserved and are where they may be, and the phase is consistent with everything that belongs to it.

>>> from tikal.rules.core import State
>>> state = State(Options(), range(36), [0, 1, 2, 3, 4, 5, 6, 7] * 3)
>>> list(faults(Options(), Facts(state)))
[]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from tikal.rules.codes import (
    ACTING,
    BIDDING,
    DECIDING,
    FINAL_ROUND,
    FINISHED,
    FRESH,
    LEAP_LIMIT,
    LEAP_TOKENS,
    LEAPING,
    NO_CHOICE,
    NO_LEAP,
    NO_ROUND,
    NO_SEAT,
    NO_TILE,
    PHASES,
    PLACING,
    TAKING,
    TEMPLE,
    TREASURE,
    VOLCANO_ROUND,
    WALKING,
)
from tikal.rules.core import Moves
from tikal.rules.facts import Facts
from tikal.rules.options import Options
from tikal.rules.setup import volcano_limits
from tikal.rules.tables import (
    CAMPS,
    DICE_LIMIT,
    GUARDS,
    HEX_NAMES,
    HEXES,
    LEVEL_TILES,
    NEIGHBOURS,
    TILES,
    VOLCANOES,
    WORKERS,
)

Faults = Iterator[str]


def faults(options: Options, facts: Facts) -> Faults:
    """What is wrong with a position, one sentence each; empty if a game could have reached it."""
    yield from _tiles(options, facts)
    yield from _ground(facts)
    yield from _levels(options, facts)
    yield from _pieces(options, facts)
    yield from _work(options, facts)
    yield from _flow(options, facts)


# Pieces


def _tiles(options: Options, facts: Facts) -> Faults:
    """Each of the 36 tiles is in exactly one place, and the revealed ones could have been revealed."""
    if not facts.deck_next:
        yield "a game begins with a tile"
    came_up = sorted(facts.deck[: facts.deck_next])
    lying = [*facts.tile, *facts.won, facts.hand]
    masks = facts.display, facts.gone
    lying += [tile for mask in masks for tile in range(len(TILES)) if mask >> tile & 1]
    if sorted(tile for tile in lying if tile != NO_TILE) != came_up:
        yield "every tile must be in one place, and only one"
    names = [TILES[tile].name for tile in facts.deck]
    seen, unseen = names[: facts.deck_next], names[facts.deck_next :]
    if options.sudden_death and unseen:
        limits = volcano_limits(options.players)
        if any(len(seen) <= limits.get(name, 0) for name in seen) or len(seen) < limits.get(unseen[0], 0):
            yield "a volcano can't come up before it is shuffled in"
    elif seen and unseen and max(name[0] for name in seen) > min(name[0] for name in unseen):
        yield "tiles come up in the order of their letters"
    if options.auction and facts.deck_next % options.players:
        yield "as many tiles as players are turned up at a time"


def _ground(facts: Facts) -> Faults:
    """Every explored hex except volcanoes can be reached on foot."""
    reached = {facts.base}
    edge = [facts.base]
    while edge:
        here = edge.pop()
        found = {hex for hex in NEIGHBOURS[here] if hex >= 0 and facts.passage(here, hex)} - reached
        reached |= found
        edge += found
    if any(facts.enterable(hex) and hex not in reached for hex in range(HEXES)):
        yield "every explored hex except volcanoes must be reachable from the base camp"


def _levels(options: Options, facts: Facts) -> Faults:
    """Each level on a temple has left the supply."""
    raised: Counter[int] = Counter()
    for hex in facts.hexes(TEMPLE):
        tile = facts.tile[hex]
        start = options.table.printed[HEX_NAMES[hex]].level if tile == NO_TILE else TILES[tile].value
        if facts.level[hex] < start:
            yield f"the temple on {HEX_NAMES[hex]} can't be below level {start}"
        raised.update(range(start + 1, facts.level[hex] + 1))
    if any(facts.supply[level] + raised[level] != count for level, count in LEVEL_TILES.items()):
        yield "the level tiles on temples and in the supply must add up to all level tiles"


def _pieces(options: Options, facts: Facts) -> Faults:
    """Members, camps, guards, guns and obstacles: how many, and where."""
    for seat in facts.seats():
        workers = facts.workers[seat * HEXES : seat * HEXES + HEXES]
        if sum(workers) + facts.reserve[seat] > WORKERS:
            yield f"seat {seat + 1} can't have more than {WORKERS} workers"
        places = [hex for hex in range(HEXES) if workers[hex]]
        if facts.leader[seat] < HEXES:
            places.append(facts.leader[seat])
        if not all(facts.enterable(hex) for hex in places):
            yield "members must be on explored hexes that are not volcanoes"
        if facts.camp.count(seat + 1) > CAMPS or facts.guard.count(seat + 1) > GUARDS:
            yield f"seat {seat + 1} can't have more than {CAMPS} camps and {GUARDS} guards"
    if any(facts.camp[hex] and not facts.is_clearing(hex) for hex in range(HEXES)):
        yield "camps must be on jungle hexes or on treasure tiles without tokens"
    if any(facts.guard[hex] and facts.terrain[hex] != TEMPLE for hex in range(HEXES)):
        yield "guards must be on temples"
    guarded = sum(1 << hex for hex in range(HEXES) if facts.guard[hex])
    if facts.guns & ~guarded or facts.fired & ~facts.guns or (facts.guns and not options.machine_gun):
        yield "guns must be with guards, and need machine_gun"
    sides = [(hex, d) for hex in range(HEXES) for d in range(6) if facts.obstacle_sides[hex] >> d & 1]
    if (sides and not options.obstacles) or not all(facts.passage(hex, NEIGHBOURS[hex][d]) for hex, d in sides):
        yield "obstacles must be on passages, and need obstacles"


def _work(options: Options, facts: Facts) -> Faults:
    """The work done this turn, the workers it cost, and the dice rolled for it."""
    for seat in facts.seats():
        hexes = [hex for hex in range(HEXES) if facts.done(seat, hex)]
        if not all(facts.terrain[hex] in (TEMPLE, TREASURE) for hex in hexes):
            yield "work is done on temples and treasure tiles"
        if any(facts.lost(seat, hex) > facts.done(seat, hex) for hex in range(HEXES)):
            yield "boulders take at most one worker for each level"
        if hexes and not (facts.phase in (ACTING, LEAPING) and (options.leaps or seat == facts.seat)):
            yield "work is forgotten at the end of a turn"
        yield from _worked(options, facts, seat)
    if any(facts.lost_once) and not options.boulders:
        yield "workers are lost only to boulders"
    if facts.dice_next != (DICE_LIMIT - sum(facts.supply) if options.boulders else 0):
        yield "boulders roll once for each level"


def _worked(options: Options, facts: Facts, seat: int) -> Faults:
    """With `members_work_once`: a member for each level and token, on the hex where it is now."""
    worked = facts.worked[seat * HEXES : seat * HEXES + HEXES]
    if any(worked) and not options.members_work_once:
        yield "only members_work_once counts the members that have worked"
    if any(facts.fresh(seat, hex) < 0 for hex in range(HEXES)):
        yield "no more members can have worked than are there"
    if options.members_work_once:
        marked, done = sum(worked), sum(facts.done(seat, hex) for hex in range(HEXES))
        may_be_gone = seat + 1 in facts.guard or (options.leaps and facts.guns)
        if marked > done or (marked < done and not may_be_gone):
            yield "a member has worked for each level and token, unless a guard or a gun has cost it"


# The flow of the game


def _flow(options: Options, facts: Facts) -> Faults:
    yield from _seats(facts)
    yield from _auction(options, facts) if options.auction else _turns(facts)
    if facts.phase == BIDDING:
        yield from _bids(facts)
    elif facts.bid or facts.out or facts.first_out != NO_SEAT or facts.bidder != NO_SEAT:
        yield "there are bids only during an auction"
    yield from _volcanoes(options, facts)
    if facts.phase in _PHASES:
        yield from _PHASES[facts.phase](options, facts)
    yield from _leaps(facts) if options.leaps else _rounds(options, facts)
    if facts.phase != FINISHED and not facts.state.legal(Moves()):
        yield f"nothing is legal in the phase {PHASES[facts.phase]}"


def _seats(facts: Facts) -> Faults:
    """The game is over, or it is a seat's turn."""
    if facts.place >= facts.players:
        yield "a place in an order is below the number of seats"
    over = facts.phase == FINISHED
    if (facts.seat == NO_SEAT) != over or bool(facts.winners) != over:
        yield "a running game has a seat to decide, and a finished game has winners"
    best = max(facts.score)
    if any(facts.winners >> seat & 1 and facts.score[seat] != best for seat in facts.seats()):
        yield "winners have the highest score"
    if facts.phase not in (ACTING, LEAPING) and facts.ap:
        yield "there are AP only in the phases act and leap"
    holds_tile = facts.phase in (PLACING, DECIDING) or facts.round_kind == VOLCANO_ROUND
    if (facts.hand != NO_TILE) != holds_tile:
        yield "a tile in hand is to be placed, or is the volcano of a scoring round"


def _turns(facts: Facts) -> Faults:
    """Without the auction each tile is a turn."""
    if facts.display or facts.had_turn or facts.phase in (BIDDING, TAKING):
        yield "only the auction has bids, a display and turns of a round"
    if facts.turn_seat != (facts.deck_next - 1) % facts.players:
        yield "the seats take turns, with one tile each"


def _auction(options: Options, facts: Facts) -> Faults:
    """The display has a tile for each seat that has taken none in this round."""
    turn = facts.phase in (PLACING, ACTING, DECIDING) and facts.round_kind != FINAL_ROUND
    turn |= facts.phase == FINISHED and options.sudden_death
    taking = turn and not options.leaps
    if taking and facts.had_turn >> facts.turn_seat & 1:
        yield "a seat that has had its turn in this round has no other"
    if facts.display.bit_count() != options.players - facts.had_turn.bit_count() - taking:
        yield "the display must have a tile for each seat that has taken none in this round"
    if facts.phase in (BIDDING, TAKING) and facts.had_turn >> facts.seat & 1:
        yield "a seat that has had its turn in this round neither bids nor takes"


def _bids(facts: Facts) -> Faults:
    """An auction has at least two seats; it is never the turn of a seat that is out, or of the high bidder."""
    waiting = [seat for seat in facts.seats() if not facts.had_turn >> seat & 1]
    if len(waiting) < 2:
        yield "an auction needs two seats without a turn"
    if facts.out & facts.had_turn or facts.out >> facts.seat & 1:
        yield "a seat that is out of an auction has had no turn and is not to bid"
    first_out = facts.out >> facts.first_out & 1 if facts.first_out != NO_SEAT else not facts.out
    if not first_out:
        yield "the first seat to pass must be out of the auction"
    if (facts.bidder == NO_SEAT) != (facts.bid == 0):
        yield "a bid needs a bidder"
    elif facts.bidder != NO_SEAT:
        asked_or_out = facts.bidder == facts.seat or (facts.out | facts.had_turn) >> facts.bidder & 1
        if asked_or_out or facts.bid > facts.score[facts.bidder]:
            yield "the high bidder can pay the bid, is not out, and is not to bid now"


def _volcanoes(options: Options, facts: Facts) -> Faults:
    taken = [*facts.tile, *facts.won, facts.hand]
    taken += [tile for tile in range(len(TILES)) if facts.gone >> tile & 1]
    count = sum(tile != NO_TILE and TILES[tile].terrain == "volcano" for tile in taken)
    if (facts.volcano_seat == NO_SEAT) != (count == 0):
        yield "a seat must have drawn or taken the last volcano"
    counted = not options.plain and not options.leaps
    if facts.volcanoes_taken != (count if counted else 0):
        yield "volcanoes_taken must be the number of volcanoes taken"
    ended = options.sudden_death and facts.volcanoes_taken == len(VOLCANOES)
    if ended and facts.hand == NO_TILE and facts.phase != FINISHED:
        yield "the third volcano of sudden_death ends the game"


def _placing(_options: Options, facts: Facts) -> Faults:
    if facts.seat != facts.turn_seat:
        yield "the seat whose turn it is places"


def _deciding(options: Options, facts: Facts) -> Faults:
    if not options.sudden_death or options.double_volcano != "taker_decides" or facts.seat != facts.turn_seat:
        yield "only taker_decides has the phase decide, and the seat whose turn it is decides"
    elif TILES[facts.hand].terrain != "volcano" or facts.volcanoes_taken == len(VOLCANOES):
        yield "the phase decide is about a volcano, and never about the third"


def _finished(options: Options, facts: Facts) -> Faults:
    if options.sudden_death and facts.volcanoes_taken != len(VOLCANOES):
        yield "sudden_death ends with the third volcano"
    if not options.sudden_death and (facts.deck_next != len(TILES) or facts.display):
        yield "a game is not over before its last tile"


def _leaping(options: Options, _facts: Facts) -> Faults:
    if not options.leaps:
        yield "only leaps has the phase leap"


_PHASES: dict[int, Callable[[Options, Facts], Faults]] = {
    PLACING: _placing,
    DECIDING: _deciding,
    FINISHED: _finished,
    LEAPING: _leaping,
}


def _rounds(options: Options, facts: Facts) -> Faults:
    """Turns and scoring rounds, in all games but leaps."""
    order = facts.order[: facts.players]
    if facts.round_kind == NO_ROUND:
        if facts.phase == ACTING and facts.seat != facts.turn_seat:
            yield "the seat whose turn it is spends AP"
        return
    if facts.phase != ACTING or facts.seat != order[facts.place]:
        yield "in a scoring round the seat at its place in the order spends AP"
    if facts.round_kind == FINAL_ROUND and (facts.deck_next != len(TILES) or facts.display or options.sudden_death):
        yield "the final scoring round follows the last tile, and never in sudden_death"
    if facts.round_kind == VOLCANO_ROUND:
        if options.instant_scoring:
            yield "instant_scoring has no scoring round for a volcano"
        clockwise = [(facts.volcano_seat + i) % facts.players for i in facts.seats()]
        if facts.hand == NO_TILE or TILES[facts.hand].terrain != "volcano" or order != clockwise:
            yield "a volcano's scoring round goes clockwise from the seat that drew it"
        if facts.volcano_seat != facts.turn_seat:
            yield "a volcano's scoring round is part of the turn of the seat that drew it"


# Leaps


def _leaps(facts: Facts) -> Faults:
    """The parts of a round of leaps: auctions, placing, tokens, and 10 AP after a volcano."""
    won = [facts.won[seat] != NO_TILE for seat in facts.seats()]
    left, chosen = facts.leap_tokens[: facts.players], facts.chosen[: facts.players]
    spending = facts.phase == LEAPING or facts.leap_stage != NO_LEAP
    if facts.round_kind != NO_ROUND:
        yield "leaps has no scoring rounds with AP"
    if facts.erupted and facts.volcano_seat == NO_SEAT:
        yield "a seat must have taken the volcano of this round"
    if not spending and (any(left) or any(chosen)):
        yield "there are tokens only while they are chosen and spent"
    if facts.phase in (BIDDING, TAKING):
        joined = [bool(facts.had_turn >> seat & 1) for seat in facts.seats()]
        if won != joined or facts.place != sum(joined) or _seat_mask(facts, facts.place) != facts.had_turn:
            yield "a seat that has won a tile in this round has a place in its order"
    elif facts.phase != FINISHED and _seat_mask(facts, facts.players) != 2**facts.players - 1:
        yield "every seat has a place in the round's order"
    elif facts.phase == PLACING:
        waiting = facts.order[facts.place + 1 : facts.players]
        if facts.seat != facts.order[facts.place] or [s in waiting for s in facts.seats()] != won:
            yield "tiles are placed in the round's order"
    elif any(won):
        yield "all tiles of the round are placed before tokens are spent"
    elif spending:
        yield from _tokens(facts, left, chosen)
    elif facts.phase == ACTING and not (facts.erupted and facts.seat == facts.volcano_seat):
        yield "only the seat that took a volcano in this round has AP without tokens"


def _seat_mask(facts: Facts, places: int) -> int:
    return sum({1 << seat for seat in facts.order[:places]})


def _tokens(facts: Facts, left: list[int], chosen: list[int]) -> Faults:
    """How many tokens each seat chose, and which seat spends them."""
    if facts.phase == LEAPING:
        order = facts.order[: facts.players]
        if facts.seat != order[facts.place] or facts.ap != left[facts.seat]:
            yield "tokens are chosen in the round's order, from those that are left"
        elif any((chosen[seat] == NO_CHOICE) != bool(left[seat]) for seat in order[facts.place :]):
            yield "a later seat with tokens has not chosen yet"
        elif any(chosen[seat] > min(left[seat], LEAP_LIMIT) for seat in order[: facts.place]):
            yield "an earlier seat has chosen, from the tokens that it had left"
        return
    if max(chosen) > LEAP_LIMIT or any(kept + out > LEAP_TOKENS for kept, out in zip(left, chosen, strict=True)):
        yield f"all have chosen, from {LEAP_TOKENS} tokens"
    if facts.phase != ACTING or facts.place or not facts.ap <= chosen[facts.seat] or not chosen[facts.seat]:
        yield "AP of a leap are tokens that the seat has shown"
    if facts.leap_stage == FRESH and facts.ap != chosen[facts.seat]:
        yield "a leap begins with all tokens shown"
    if facts.leap_stage == WALKING and not facts.has(facts.seat, facts.walk_member, facts.walk_hex):
        yield "the walking member is on the hex that the walk has reached"

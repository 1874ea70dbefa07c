# cython: language_level=3, boundscheck=True, wraparound=False, cdivision=True, infer_types=True, annotation_typing=False
"""Why an action is refused: the condition that fails first, and its rule.

The core only knows what is legal; this module explains to people what is not. A test compares the two: in any
position an action is legal if and only if no refusal is found here.

An offer explains all work that is refused on every hex, so answers are cached. Below each kind of work, a function
`_…_depends` lists what its refusals depend on; `circumstances` joins them. Only this part is compiled for speed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tikal.rules import codes
from tikal.rules.codes import fields_of, kind_of
from tikal.rules.core import State
from tikal.rules.facts import Facts
from tikal.rules.tables import CAMPS, GUARDS, HEX_NAMES, NEIGHBOURS, TILES, TOP_LEVEL
from tikal.rules.variants import VariantState

if TYPE_CHECKING:
    import cython
else:
    from tikal import _nocython as cython

if not cython.compiled:
    from tikal.rules.codes import *  # noqa: F403  # C has them from the .pxd
    from tikal.rules.core import CAMP_LIMIT, GUARD_LIMIT, bit

MEMBER = {WORKER: "worker", LEADER: "leader"}
PHASE_REFUSALS = {
    codes.PLACING: "a tile must be placed first",
    codes.ACTING: "the seat must spend action points, or end the turn (.)",
    codes.BIDDING: "an auction is on: bid (B:n) or pass (B:-)",
    codes.TAKING: "a tile must be taken from the display (K:TILE)",
    codes.DECIDING: "the seat must decide whether the volcano scores (V:+ or V:-)",
    codes.LEAPING: "tokens must be chosen (J:n)",
    codes.FINISHED: "the game is over",
}
PHASE_OF = {codes.PLACE: codes.PLACING, codes.BID: codes.BIDDING, codes.TAKE: codes.TAKING,
            codes.DECIDE: codes.DECIDING, codes.LEAP: codes.LEAPING}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Refusal:
    """A refusal: a code for programs, the rule (a section of the rules, or a ruling), a sentence for people.

    >>> Refusal("ap", "4", "costs 5 AP, 3 are left").code
    'ap'
    """

    code: str
    rule: str
    text: str


def is_ruling(rule: str) -> bool:
    """Whether a refusal's rule is a ruling, not a section of the rules.

    >>> is_ruling("R5"), is_ruling("4")
    (True, False)
    """
    return rule.startswith("R")


def refusal(facts: Facts, action: int) -> Refusal | None:
    """Why an action is not legal now; None if it is.

    >>> from tikal.rules.core import State
    >>> from tikal.rules.options import Options
    >>> facts = Facts(State(Options(), range(36), [0, 1, 2, 3, 4, 5, 6, 7] * 3))
    >>> refusal(facts, codes.END).text
    'a tile must be placed first'
    """
    kind = kind_of(action)
    if facts.phase != PHASE_OF.get(kind, codes.ACTING):
        return Refusal("phase", "3", PHASE_REFUSALS[facts.phase])
    p, q, r = fields_of(action)
    return (
        next(_leap_limits(facts, kind, p, r), None)
        or next(_CHECKS[kind](facts, p, q, r), None)
        or _price(facts, action)
    )


def _price(facts: Facts, action: int) -> Refusal | None:
    """Checked last: an action that is impossible anyway is not refused for its price."""
    if facts.phase != codes.ACTING:
        return None
    price = facts.state.price(action)
    if price <= facts.ap:
        return None
    return Refusal("ap", "4", f"costs {price} AP, {facts.ap} {'is' if facts.ap == 1 else 'are'} left")


def circumstances(state: State, hex: int) -> int:
    """What the refusals of work on an explored hex depend on: in equal circumstances only the hex's name differs.

    They hold as little as possible, so that they recur often. They are one number, of which each part has its bits.
    """
    variant = state if isinstance(state, VariantState) else None
    seat, terrain, tokens = state.seat, state.terrain[hex], state.tokens[hex] > 0
    found = 0
    if variant is not None and variant.leap_stage:
        found = ((variant.leap_stage << 1 | variant.walk_member) << 6 | variant.walk_hex) << 6 | hex
    found = found << 4 | terrain << 1 | tokens
    if terrain == TEMPLE:
        work = _excavate_depends(state, variant, seat, hex) << 21 | _guard_depends(state, variant, seat, hex)
    elif terrain == TREASURE and tokens:
        work = _dig_depends(state, variant, seat, hex)
    else:
        work = _enter_depends(state, seat, hex) << 6 | _camp_depends(state, seat, hex)
    return found << 32 | work


# Only the first reason is used, so each check may assume that the ones before it have passed. The price is checked
# last, so AP matter only if nothing else is missing.
Reasons = Iterator[Refusal]


def _end(_facts: Facts, _p: int, _q: int, _r: int) -> Reasons:
    return iter(())


def _enter(facts: Facts, hex: int, _q: int, member: int) -> Reasons:
    seat = facts.seat
    if member == WORKER and not facts.reserve[seat]:
        yield Refusal("reserve", "4", "no worker is left in the reserve")
    if member == LEADER and facts.leader[seat] != RESERVE:
        where = "has left the game" if facts.leader[seat] == GONE else "is on the board already"
        yield Refusal("reserve", "4", f"the leader {where}")
    if not facts.is_camp(seat, hex):
        yield Refusal("camp", "R7", f"{HEX_NAMES[hex]} is neither the base camp nor one of the seat's camps")


def _enter_depends(state: State, seat: int, hex: int) -> int:
    """9 bits."""
    if hex != state.base and state.camp[hex] != seat + 1:
        return 0
    leader = state.leader[seat]
    return 1 << 8 | (state.ap > 0) << 7 | (state.reserve[seat] > 0) << 6 | (leader if leader >= RESERVE else 0)


def _absent(facts: Facts, member: int, hex: int) -> Reasons:
    if not facts.has(facts.seat, member, hex):
        yield Refusal("absent", "4", f"the seat has no {MEMBER[member]} on {HEX_NAMES[hex]}")


def _move(facts: Facts, start: int, goal: int, member: int) -> Reasons:
    yield from _absent(facts, member, start)
    names = f"{HEX_NAMES[start]} and {HEX_NAMES[goal]}"
    if goal not in NEIGHBOURS[start]:
        yield Refusal("apart", "4", f"{names} are not neighbours")
    if facts.terrain[goal] == VOLCANO:
        yield Refusal("volcano", "4", f"{HEX_NAMES[goal]} is a volcano; nobody can enter it")
    if not facts.enterable(goal):
        yield Refusal("unexplored", "4", f"{HEX_NAMES[goal]} is not explored")
    if not facts.passage(start, goal):
        yield Refusal("passage", "4", f"there are no stones between {names}, so there is no passage")
    if facts.guns >> goal & 1 and facts.guard[goal] != facts.seat + 1:
        yield Refusal("gun", "10.4", f"a gun on {HEX_NAMES[goal]} lets no other player's member in")


def _camp_move(facts: Facts, start: int, goal: int, member: int) -> Reasons:
    yield from _absent(facts, member, start)
    if start == goal:
        yield Refusal("same", "4", "a move between camps needs two different ones")
    for hex in (start, goal):
        if not facts.is_camp(facts.seat, hex):
            yield Refusal("camp", "4", f"{HEX_NAMES[hex]} is neither the base camp nor one of the seat's camps")


def _work(facts: Facts, hex: int, what: str, lost: int) -> Reasons:
    """The members that a level or a token requires [R5, R21]."""
    done = facts.done(facts.seat, hex)
    if done >= WORK_LIMIT:
        yield Refusal("limit", "4", f"{WORK_LIMIT} {what}s were taken on {HEX_NAMES[hex]} this turn; that is the limit")
    if facts.members(facts.seat, hex) + lost <= done:
        needed = "a member" if not done else f"{done + 1} members"
        yield Refusal(
            "members",
            "R5",
            f"{needed} must be on {HEX_NAMES[hex]} to take a{' second' if done else ''} {what}",
        )
    if facts.members_work_once and facts.fresh(facts.seat, hex) < 1:
        yield Refusal("worked", "R21", "these members have already worked this turn")


def _work_depends(state: State, variant: VariantState | None, seat: int, hex: int, lost: int, price: int) -> int:
    """6 bits."""
    done = state.done(seat, hex)
    enough = state.members(seat, hex) + lost > done
    all_worked = variant is not None and variant.members_work_once and variant.fresh(seat, hex) < 1
    ready = enough and done < WORK_LIMIT and not all_worked
    return done << 4 | enough << 3 | all_worked << 2 | (min(state.ap, price) if ready else 0)


def _excavate(facts: Facts, hex: int, _q: int, _r: int) -> Reasons:
    level = facts.level[hex]
    if facts.terrain[hex] != TEMPLE:
        yield Refusal("terrain", "4", f"{HEX_NAMES[hex]} is not a temple")
    if facts.guard[hex]:
        yield Refusal("guarded", "4", f"{HEX_NAMES[hex]} has a guard; its level is final")
    if level >= TOP_LEVEL:
        yield Refusal("top", "4", f"{HEX_NAMES[hex]} has level {level}, the highest")
    elif not facts.supply[level + 1]:
        yield Refusal("supply", "4", f"no level tile {level + 1} is left, and levels can't be skipped")
    yield from _work(facts, hex, "level", facts.lost(facts.seat, hex))


def _excavate_depends(state: State, variant: VariantState | None, seat: int, hex: int) -> int:
    """11 bits."""
    level = state.level[hex]
    last = 0 if state.supply[level + 1] else level
    lost = 0 if variant is None else variant.lost(seat, hex)
    work = _work_depends(state, variant, seat, hex, lost, EXCAVATE_AP)
    return (state.guard[hex] > 0) << 10 | last << 6 | work


def _dig(facts: Facts, hex: int, _q: int, _r: int) -> Reasons:
    if facts.terrain[hex] != TREASURE:
        yield Refusal("terrain", "4", f"{HEX_NAMES[hex]} is not a treasure tile")
    if not facts.tokens[hex]:
        yield Refusal("tokens", "4", f"no treasure is left on {HEX_NAMES[hex]}")
    yield from _work(facts, hex, "treasure", 0)


def _dig_depends(state: State, variant: VariantState | None, seat: int, hex: int) -> int:
    return _work_depends(state, variant, seat, hex, 0, DIG_AP)


def _exchange(facts: Facts, other: int, given: int, taken: int) -> Reasons:
    seat = facts.seat
    if other == seat or other >= facts.players:
        yield Refusal("seat", "4", f"seat {other + 1} is not another seat of this game")
    if given == taken:
        yield Refusal("same", "R12", "a kind can't be exchanged for the same kind")
    mine, theirs = facts.treasures[seat * KINDS + given], facts.treasures[other * KINDS + taken]
    if mine != 1:
        yield Refusal("give", "4", f"the seat must have exactly one token of kind {given + 1}, not {mine}")
    if theirs != 1:
        yield Refusal("take", "4", f"seat {other + 1} must have exactly one of kind {taken + 1}, not {theirs}")


def _camp(facts: Facts, hex: int, _q: int, _r: int) -> Reasons:
    name = HEX_NAMES[hex]
    if facts.terrain[hex] == TREASURE and facts.tokens[hex]:
        yield Refusal("tokens", "4", f"{name} still has treasures; a camp needs a clearing")
    if not facts.is_clearing(hex):
        yield Refusal("terrain", "4", f"{name} is neither jungle nor a treasure tile with no tokens left")
    if facts.camp[hex]:
        yield Refusal("camp", "4", f"{name} has a camp already")
    if sum(owner == facts.seat + 1 for owner in facts.camp) >= CAMPS:
        yield Refusal("limit", "4", "the seat has no camp left")
    if facts.camp_needs_member and not facts.members(facts.seat, hex):
        yield Refusal("members", "8", f"a member of the seat must be on {name}")


def _camp_depends(state: State, seat: int, hex: int) -> int:
    """6 bits."""
    full = state.camp_count[seat] >= CAMP_LIMIT
    absent = state.camp_needs_member and not state.members(seat, hex)
    ready = not (state.camp[hex] or full or absent)
    return (state.camp[hex] > 0) << 5 | full << 4 | absent << 3 | (min(state.ap, CAMP_AP) if ready else 0)


def _may_guard(facts: Facts, hex: int) -> Reasons:
    """The requirements of guards with and without a gun."""
    if facts.terrain[hex] != TEMPLE:
        yield Refusal("terrain", "4", f"{HEX_NAMES[hex]} is not a temple")
    if facts.guard[hex]:
        yield Refusal("guarded", "4", f"{HEX_NAMES[hex]} has a guard already")
    if sum(owner == facts.seat + 1 for owner in facts.guard) >= GUARDS:
        yield Refusal("limit", "4", "the seat has no guard left")


def _guard(facts: Facts, hex: int, _q: int, member: int) -> Reasons:
    yield from _may_guard(facts, hex)
    yield from _absent(facts, member, hex)
    if member == LEADER and not facts.leader_may_guard:
        yield Refusal("leader", "R6", "the leader can't be a guard in this game (leader_may_guard=false)")
    mine, rivals = facts.strength(facts.seat, hex), facts.rivals(facts.seat, hex)
    if mine <= rivals:
        yield Refusal(
            "strength",
            "4",
            f"the seat's strength of {mine} on {HEX_NAMES[hex]} must be greater than every other seat's ({rivals})",
        )


def _guard_depends(state: State, variant: VariantState | None, seat: int, hex: int) -> int:
    """For guards with and without a gun, and for shots: 21 bits. Where a guard is, the rest decides only about shots."""
    found = 0 if variant is None else variant.machine_gun
    if state.guard[hex]:
        found <<= 20
        if variant is not None and variant.guns & bit(hex):
            found |= _shoot_depends(variant, seat, hex)
        return found
    found = found << 1 | (state.guard_count[seat] >= GUARD_LIMIT)
    if not state.members(seat, hex):
        return found << 19
    found = (found << 1 | 1) << 1 | state.leader_may_guard
    found = found << 2 | min(state.workers[seat * HEXES + hex], GUN_WORKERS)
    found = (found << 6 | state.strength(seat, hex)) << 6 | state.rivals(seat, hex)
    return found << 3 | min(state.ap, GUN_AP)


def _place(facts: Facts, hex: int, rotation: int, tile: int) -> Reasons:
    name = HEX_NAMES[hex]
    if tile != facts.hand:
        yield Refusal("tile", "3.1", f"the tile to be placed is {TILES[facts.hand].name}, not {TILES[tile].name}")
    if rotation not in TILES[tile].rotations():
        same = TILES[tile].turned(rotation)
        smallest = next(k for k in range(6) if TILES[tile].turned(k) == same)
        yield Refusal("rotation", "3.1", f"rotation {rotation} looks the same as {smallest}: use the smallest")
    if facts.terrain[hex] != codes.EMPTY:
        yield Refusal("occupied", "3.1", f"{name} is not an empty hex")
    around = [other for other in NEIGHBOURS[hex] if other >= 0]
    if not any(facts.explored(other) for other in around):
        yield Refusal("apart", "3.1", f"{name} is not next to an explored hex")
    if TILES[tile].terrain == "volcano":
        if not facts.volcano_may_seal and facts.terrain[hex] == codes.EMPTY and facts.state.seals(hex):
            yield Refusal("seals", "3.1", f"a volcano on {name} would cut off a hex (volcano_may_seal=false)")
    elif not _touches(facts, hex, TILES[tile].turned(rotation)):
        yield Refusal("stones", "3.1", f"no stone would join {name} to an explored hex that is not a volcano")


def _touches(facts: Facts, hex: int, stones: tuple[int, ...]) -> bool:
    sides = (
        (direction, other) for direction, other in enumerate(NEIGHBOURS[hex]) if other >= 0 and facts.enterable(other)
    )
    return any(stones[direction] or facts.side(other, (direction + 3) % 6) for direction, other in sides)


def _bid(facts: Facts, bid: int, _q: int, _r: int) -> Reasons:
    if 0 < bid < facts.least_bid():
        yield Refusal("high", "7", f"must be more than the current bid, {facts.bid}")
    if bid > (most := facts.most_bids()[facts.seat]):
        yield Refusal("score", "R4", f"can't be more than the bidder's score, {most}")


def _take(facts: Facts, tile: int, _q: int, _r: int) -> Reasons:
    if not facts.display >> tile & 1:
        yield Refusal("display", "7", f"{TILES[tile].name} is not on display")


def _obstacle(facts: Facts, hex: int, other: int, _r: int) -> Reasons:
    names = f"{HEX_NAMES[hex]} and {HEX_NAMES[other]}"
    if not facts.obstacles:
        yield Refusal("variant", "10.3", "obstacles belong to the variant obstacles, which is off")
    if other not in NEIGHBOURS[hex]:
        yield Refusal("apart", "10.3", f"{names} are not neighbours")
    if hex > other:
        yield Refusal(
            "order",
            "10.3",
            f"the hexes must be in alphabetical order: O:{HEX_NAMES[other]}-{HEX_NAMES[hex]}",
        )
    if not facts.passage(hex, other):
        yield Refusal("passage", "10.3", f"there is no passage between {names}")
    if facts.has_obstacle(hex, other):
        yield Refusal("obstacle", "10.3", f"there is already an obstacle between {names}")
    if not any(_is_free(facts, end) for end in (hex, other)):
        yield Refusal("members", "10.3", f"a free worker must be on {HEX_NAMES[hex]} or {HEX_NAMES[other]}")


def _is_free(facts: Facts, hex: int) -> bool:
    """Whether a worker is there, and more members (lost ones count) than levels and tokens taken there this turn.

    With `members_work_once`, members that have worked anywhere count instead [R21].
    """
    seat = facts.seat
    present = facts.members(seat, hex) + facts.lost(seat, hex)
    busy = facts.worked[seat * HEXES + hex] if facts.members_work_once else facts.done(seat, hex)
    return facts.has(seat, WORKER, hex) and present > busy


def _gun(facts: Facts, hex: int, _q: int, _r: int) -> Reasons:
    if not facts.machine_gun:
        yield Refusal("variant", "10.4", "guns belong to the variant machine_gun, which is off")
    yield from _may_guard(facts, hex)
    if facts.workers[facts.seat * HEXES + hex] < GUN_WORKERS:
        yield Refusal("members", "10.4", f"{GUN_WORKERS} workers of the seat must be on {HEX_NAMES[hex]}")
    mine, rivals = facts.strength(facts.seat, hex), facts.rivals(facts.seat, hex)
    if mine < rivals + GUN_WORKERS:
        yield Refusal(
            "strength",
            "R19",
            f"the seat's strength of {mine} must be at least {GUN_WORKERS} more than every other seat's ({rivals})",
        )


def _shoot(facts: Facts, hex: int, other: int, _r: int) -> Reasons:
    name = HEX_NAMES[hex]
    if not (facts.guns >> hex & 1 and facts.guard[hex] == facts.seat + 1):
        yield Refusal("gun", "10.4", f"the seat has no gun on {name}")
    if facts.fired >> hex & 1:
        yield Refusal("limit", "10.4", f"the gun on {name} has already fired this turn, or was placed in this turn")
    if other == facts.seat or other >= facts.players or not facts.workers[other * HEXES + hex]:
        yield Refusal("absent", "10.4", f"seat {other + 1} has no worker on {name}")


def _shoot_depends(state: VariantState, seat: int, hex: int) -> int:
    """13 bits."""
    found = ((1 << 2 | seat) << 3 | state.players) << 1 | (state.guard[hex] == seat + 1)
    found = (found << 1 | ((state.fired & bit(hex)) > 0)) << 1 | (state.ap > 0)
    for other in range(SEATS):
        found = found << 1 | (state.workers[other * HEXES + hex] > 0)
    return found


def _leap(facts: Facts, tokens: int, _q: int, _r: int) -> Reasons:
    if tokens > facts.leap_tokens[facts.seat]:
        yield Refusal("tokens", "10.6", f"only {facts.leap_tokens[facts.seat]} tokens are left")


def _leap_limits(facts: Facts, kind: int, start: int, member: int) -> Reasons:
    """The tokens of a leap buy one action, or one walk."""
    if kind == codes.END or facts.leap_stage in (codes.NO_LEAP, codes.FRESH) or facts.phase != codes.ACTING:
        return
    if facts.leap_stage == codes.SPENT:
        yield Refusal("leap", "10.6", "the tokens of a leap buy one action; end with .")
    elif kind not in (codes.MOVE, codes.CAMP_MOVE) or (start, member) != (facts.walk_hex, facts.walk_member):
        walker = f"the {MEMBER[facts.walk_member]} on {HEX_NAMES[facts.walk_hex]}"
        yield Refusal("leap", "10.6", f"the tokens of a leap buy one walk: go on with {walker}, or end with .")


_CHECKS: dict[int, Callable[[Facts, int, int, int], Reasons]] = {
    codes.END: _end, codes.ENTER: _enter, codes.MOVE: _move, codes.CAMP_MOVE: _camp_move, codes.EXCAVATE: _excavate,
    codes.DIG: _dig, codes.EXCHANGE: _exchange, codes.CAMP: _camp, codes.GUARD: _guard, codes.PLACE: _place,
    codes.BID: _bid, codes.TAKE: _take, codes.OBSTACLE: _obstacle, codes.GUN: _gun, codes.SHOOT: _shoot,
    codes.DECIDE: _end, codes.LEAP: _leap,
}  # fmt: skip

# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, infer_types=True, annotation_typing=False
"""What a position is worth to a seat, in points.

The worth of a seat is its score plus the points it can expect from every scoring still to come. Each part of the worth
is a model of what happens, not a correlation: a temple counts its level times the chance that the seat holds it when
it scores, and that chance depends on what the temple costs a rival (or the seat itself) to take. `PART_NAMES` lists the
parts, `WEIGHT_NAMES` the numbers that learning tunes. The value of a position is the seat's worth less a weighted mean
of its rivals' worths.

Only public facts count: the order of the deck and the kinds of undug tokens never do.

An `Evaluation` is prepared once for a turn. During the turn only the seat's own pieces change, so everything that
depends on the rivals alone is kept in tables, and `value` takes a few hundred nanoseconds.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tikal.rules.core import State
from tikal.rules.tables import TILES

if TYPE_CHECKING:
    import cython
else:
    from tikal import _nocython as cython

if not cython.compiled:
    from tikal.rules.codes import *  # noqa: F403  # compiled code has these from the .pxd
    from tikal.rules.core import NEIGHBOUR, SET_POINTS, TILE_TERRAIN, bit, lowest_bit
    from tikal.rules.tables import TOKENS_OF_A_KIND

    STRIDE, FAR, COSTS, STRENGTHS, WEIGHTS, PARTS = 48, 100, 32, 16, 27, 9
    EXCHANGE_POINTS = 3  # points: possible exchanges never count more than this
    ENTRY_LIMIT = 12  # AP: hexes farther than this from every camp count as this far
    GAME_TURNS = 22  # budgets of AP in a game of two: 18 tiles and 4 scorings
    HOLD_SOON, HOLD_SOON_AP, HOLD_LATER, HOLD_LATER_AP = 0, 1, 2, 3
    TAKE_NOW, TAKE_NOW_AP, TAKE_SOON, TAKE_SOON_AP, TAKE_LATER, TAKE_LATER_AP = 4, 5, 6, 7, 8, 9
    LATER, GUARDED, HOPE, EXCHANGE_FIRST, EXCHANGE_AFTER, AP_WORTH = 10, 11, 12, 13, 14, 15
    UNDUG, CLAIM_AP, CLAIM_MORE, CLAIM_REST = 16, 17, 18, 19
    WORKER_OUT, LEADER_HAD, LEADER_OUT, ENTRY, SPITE, DIG_NOW = 20, 21, 22, 23, 24, 25
    WORKER_HAD = 26
    SCORE_PART, HELD_PART, REACH_PART, GUARD_PART, TREASURE_PART = 0, 1, 2, 3, 4
    EXCHANGE_PART, UNDUG_PART, CAMP_PART, MEMBER_PART = 5, 6, 7, 8
    LETTER = bytearray(TILE_COUNT)

    def lower(to: bytearray, at: int, rows: bytearray, start: int) -> None:
        to[at : at + STRIDE] = bytes(map(min, to[at : at + STRIDE], rows[start : start + STRIDE]))

    def relax(rows: bytearray, at: int, via: int, first: int) -> None:
        for i in range(STRIDE):
            if rows[via + i] + first < rows[at + i]:
                rows[at + i] = rows[via + i] + first

    def copy_row(to: bytearray, at: int, rows: bytearray, start: int) -> None:
        to[at : at + STRIDE] = rows[start : start + STRIDE]

    def fill_row(to: bytearray, at: int, value: int, size: int) -> None:
        to[at : at + size] = bytes([value]) * size


WEIGHT_NAMES = (
    "hold_soon", "hold_soon_ap", "hold_later", "hold_later_ap",
    "take_now", "take_now_ap", "take_soon", "take_soon_ap", "take_later", "take_later_ap",
    "later", "guarded", "hope", "exchange_first", "exchange_after", "ap_worth",
    "undug", "claim_ap", "claim_more", "claim_rest",
    "worker_out", "leader_had", "leader_out", "entry", "spite", "dig_now",
    "worker_had",
)  # fmt: skip
"""The weights, in their order. Each has a value for the start of the game and one for its end, and moves between them
as the tiles are drawn:

- `hold_soon`, `hold_later`: the risk of losing a temple that a rival can take for 0 AP, before a scoring in this round
  or in a later one; the risk falls with the rival's cost, on the scale of `..._ap`;
- `take_now`, `take_soon`, `take_later`: the chance of taking a temple that costs 0 AP, in a turn that scores, in this
  round, or later; it falls with the cost, on the scale of `..._ap`;
- `later`: the weight of every scoring after the next one; `guarded`: the same for guarded temples;
- `hope`: how likely the seat gets an unseen token of a kind that it collects;
- `exchange_first`, `exchange_after`: how likely a possible exchange happens if the seat acts next, or after its rivals;
- `ap_worth`: the points that an AP is worth; `undug`: the weight of undug tokens in reach;
- `claim_ap`, `claim_more`, `claim_rest`: how a claim to tokens falls with the cost of getting there, what a second
  member adds to it, and the claim of nobody;
- `worker_out`, `leader_had`, `leader_out`: points over a whole game for each worker on the board, for a leader that is
  still in the game, and for a leader on the board;
- `entry`: the points that each AP of distance between camps and goals costs in every turn;
- `spite`: how much more the strongest rival counts than the others; `dig_now`: the weight of a planned dig;
- `worker_had`: points over a whole game for each worker that is still in the game, on the board or in the reserve.
"""

STAGES = ("early", "late")

PART_NAMES = ("score", "temples", "reach", "guards", "treasures", "exchanges", "ruins", "camps", "members")
"""The parts of a seat's worth, in their order: points scored; temples held; temples in reach; guarded temples;
treasures and what may complete them; exchanges that the seat can make; tokens in reach; camps; members. Clients get the
parts by these names; `ruins` are treasure tiles."""

for _index, _tile in enumerate(TILES):
    LETTER[_index] = ord(_tile.name[0])


class Evaluation:
    """Evaluates positions of the turn that it was prepared for."""

    def __init__(self, weights: Sequence[float]) -> None:
        """`weights`: those for the start of the game, then those for its end."""
        if not cython.compiled:
            self.allocate()
        for i in range(WEIGHTS):
            self.early[i] = weights[i]
            self.late[i] = weights[WEIGHTS + i]
        self.weighed = -1
        self.set_weights(0)

    if not cython.compiled:

        def allocate(self) -> None:
            """Creates the arrays that compiled code declares."""
            self.weights, self.early, self.late = [0.0] * WEIGHTS, [0.0] * WEIGHTS, [0.0] * WEIGHTS
            self.weighed = 0
            self.hold_soon, self.hold_later, self.take_now = [0.0] * COSTS, [0.0] * COSTS, [0.0] * COSTS
            self.take_soon, self.take_later, self.claim = [0.0] * COSTS, [0.0] * COSTS, [0.0] * COSTS
            self.distance = bytearray(SEATS * HEXES * STRIDE)
            self.enter, self.worker, self.leader = (bytearray(SEATS * STRIDE) for _ in range(3))
            self.entered, self.left, self.out = [0] * SEATS, [0] * SEATS, [0] * SEATS
            self.hexes, self.top, self.second_cost, self.top_seat = (bytearray(HEXES) for _ in range(4))
            self.hex_count = self.seat = self.banks = self.players = 0
            self.hazard_before = self.hazard_size = self.tiles_left = 0
            self.share, self.guarded, self.token = [0.0] * SEATS, [0.0] * SEATS, [0.0] * 4
            self.sudden = self.instant = self.pending = 0
            self.limits = [0] * 3
            self.hold, self.take = [0.0] * (SEATS * COSTS), [0.0] * (SEATS * COSTS)
            self.held, self.open = [0.0] * (HEXES * STRENGTHS), [0.0] * (HEXES * STRENGTHS)
            self.rival_claim, self.rival_worth, self.goal = [0.0] * HEXES, [0.0] * HEXES, [0.0] * HEXES
            self.time = self.constant = self.dig_worth = 0.0

    def set_variant(self, sudden: Sequence[int], instant: bool, pending: bool) -> None:
        """What a variant changes about scorings.

        `sudden`: after how many tiles each volcano of `sudden_death` is shuffled in, or nothing; `instant`: whether a
        volcano scores without AP before; `pending`: whether a scoring of `leaps` follows at the end of this round.
        """
        self.sudden = len(sudden)
        for i in range(len(sudden)):
            self.limits[i] = sudden[i]
        self.instant, self.pending = int(instant), int(pending)

    def set_weights(self, drawn: int) -> None:
        """The weights for the moment when this many tiles are drawn, and the tables made from them."""
        if drawn == self.weighed:
            return
        self.weighed = drawn
        late = drawn / (1.0 * TILE_COUNT)
        for i in range(WEIGHTS):
            self.weights[i] = math.pow(self.early[i], 1.0 - late) * math.pow(self.late[i], late)
        for cost in range(COSTS):
            within = 1.0 if cost <= TURN_AP else 0.0
            self.hold_soon[cost] = 1.0 - self.chance(HOLD_SOON, cost)
            self.hold_later[cost] = 1.0 - self.chance(HOLD_LATER, cost)
            self.take_now[cost] = within * self.chance(TAKE_NOW, cost)
            self.take_soon[cost] = within * self.chance(TAKE_SOON, cost)
            self.take_later[cost] = self.chance(TAKE_LATER, cost)
            self.claim[cost] = _fall(cost, self.weights[CLAIM_AP])

    def chance(self, name: int, cost: int) -> float:
        """A weight that is a chance, at this cost; the next weight is its scale in AP."""
        return self.weights[name] * _fall(cost, self.weights[name + 1])

    # Prepared once for a turn

    def prepare(self, state: State, seat: int) -> None:
        """Prepares to value the positions of a seat's turn that begins here."""
        self.seat = seat
        self.players = state.players
        self.banks = state.round_kind != NO_ROUND and state.seat == seat
        self.set_weights(state.deck_next)
        self.measure(state)
        for other in range(1, state.players):
            for i in range(self.hex_count):
                start = self.hexes[i] * STRIDE
                copy_row(self.distance, other * HEXES * STRIDE + start, self.distance, start)
        for other in range(state.players):
            self.measure_seat(state, other)
        self.count_scorings(state)
        self.set_shares(state)
        self.set_factors(state)
        for other in range(state.players):
            self.reach(state, other)
        self.set_temples(state)
        self.set_undug(state)
        self.set_goals(state)
        self.constant = 0.0 + state.score[seat]
        for other in range(state.players):
            if other != seat:
                worth = state.score[other] + self.camps(state, other) + self.members(state, other)
                self.constant -= self.share[other] * worth
        self.dig_worth = self.token_value(state)

    def measure(self, state: State) -> None:
        """The cheapest walk between any two explored hexes, along the paths that the seat may take."""
        barred = state.barred() if state.seat == self.seat else 0
        count = 0
        for hex in range(HEXES):
            if EMPTY < state.terrain[hex] < VOLCANO:
                self.hexes[count] = hex
                count += 1
        self.hex_count = count
        fill_row(self.distance, 0, FAR, HEXES * STRIDE)
        for i in range(count):
            hex = self.hexes[i]
            self.distance[hex * STRIDE + hex] = 0
            for direction in range(6):
                cost = state.cost[hex * 6 + direction]
                if cost and not barred & bit(NEIGHBOUR[hex * 6 + direction]):
                    self.distance[hex * STRIDE + NEIGHBOUR[hex * 6 + direction]] = cost
        for k in range(count):
            via = self.hexes[k]
            for i in range(count):
                first = self.distance[self.hexes[i] * STRIDE + via]
                if 0 < first < FAR:
                    relax(self.distance, self.hexes[i] * STRIDE, via * STRIDE, first)

    def measure_seat(self, state: State, seat: int) -> None:
        """The same with the seat's moves from camp to camp."""
        start = seat * HEXES * STRIDE
        self.set_entries(state, seat)
        if not state.home[seat] & (state.home[seat] - 1):
            return
        for i in range(self.hex_count):
            # A member at one camp can be at any other for 1 AP, the cost of entering there.
            row = start + self.hexes[i] * STRIDE
            best = FAR
            mask = state.home[seat]
            while mask:
                if self.distance[row + lowest_bit(mask)] < best:
                    best = self.distance[row + lowest_bit(mask)]
                mask &= mask - 1
            for j in range(self.hex_count):
                cost = best + self.enter[seat * STRIDE + self.hexes[j]]
                if cost < self.distance[row + self.hexes[j]]:
                    self.distance[row + self.hexes[j]] = cost

    def count_scorings(self, state: State) -> None:
        """Counts the scorings that each seat still has, and finds from the letters when the next volcano may come."""
        volcanoes = 0
        self.tiles_left = TILE_COUNT - state.deck_next
        self.hazard_before = self.tiles_left
        self.hazard_size = 1
        letter = 0
        for i in range(state.deck_next, TILE_COUNT):
            if TILE_TERRAIN[state.deck[i]] == VOLCANO:
                if not volcanoes:
                    letter = LETTER[state.deck[i]]
                volcanoes += 1
        if volcanoes:
            self.hazard_before = self.hazard_size = 0
            for i in range(state.deck_next, TILE_COUNT):
                if LETTER[state.deck[i]] == letter:
                    self.hazard_size += 1
                elif LETTER[state.deck[i]] < letter:
                    self.hazard_before += 1
        if self.sudden:
            # Without letters: the next volcano may lie anywhere behind the place where it was shuffled in.
            start = self.limits[3 - volcanoes] if volcanoes else TILE_COUNT
            if start < state.deck_next:
                start = state.deck_next
            self.hazard_before = start - state.deck_next
            self.hazard_size = TILE_COUNT - start if start < TILE_COUNT else 1
        shown = self.pending
        mask = state.display
        while mask:
            if TILE_TERRAIN[lowest_bit(mask)] == VOLCANO:
                shown += 1
            mask &= mask - 1
        if shown:
            volcanoes += shown
            self.hazard_before = 0
            self.hazard_size = 1
        final = state.round_kind != FINAL_ROUND and state.phase != FINISHED and not self.sudden
        for seat in range(state.players):
            self.left[seat] = volcanoes + final
        if state.round_kind != NO_ROUND:
            for i in range(state.place, state.players):
                if state.order[i] != state.seat or not self.banks:
                    self.left[state.order[i]] += 1
        self.time = (self.tiles_left / (1.0 * state.players) + volcanoes + final) / GAME_TURNS

    def chance_within(self, tiles: int) -> float:
        """The chance that the next scoring comes with one of this many tiles."""
        ready = tiles - self.hazard_before
        if ready <= 0:
            return 0.0
        if ready >= self.hazard_size:
            return 1.0
        return ready / (1.0 * self.hazard_size)

    def set_shares(self, state: State) -> None:
        """How much each rival's worth counts: the strongest rival's more than the others'."""
        best = -1.0
        strongest = self.seat
        for seat in range(state.players):
            self.share[seat] = (1.0 - self.weights[SPITE]) / (state.players - 1)
            points = state.temple_points(seat) + state.treasure_points(seat)
            worth = 0.0 + state.score[seat] + points * self.left[seat]
            if seat != self.seat and worth > best:
                best = worth
                strongest = seat
        self.share[strongest] += self.weights[SPITE]
        self.share[self.seat] = 0.0

    def set_factors(self, state: State) -> None:
        """How many scorings a temple is worth to each seat, by cost: `hold` if it has it, `take` if it could."""
        for seat in range(state.players):
            after = (seat - self.seat + state.players) % state.players  # how many turns until this seat's next
            now = soon = 0.0
            if state.round_kind != NO_ROUND and self.left[seat]:
                for i in range(state.place, state.players):
                    if state.order[i] == seat and (seat != state.seat or not self.banks):
                        now = 1.0
            if now == 0.0:
                if after:
                    now = self.chance_within(after)
                soon = self.chance_within(state.players) - now
            rest = self.weights[LATER] * (self.left[seat] - 1)
            self.guarded[seat] = 1.0 + self.weights[GUARDED] * (self.left[seat] - 1) if self.left[seat] else 0.0
            for cost in range(COSTS):
                at = seat * COSTS + cost
                if not self.left[seat]:
                    self.hold[at] = self.take[at] = 0.0
                    continue
                far = 1.0 - now - soon + rest
                self.hold[at] = now + soon * self.hold_soon[cost] + far * self.hold_later[cost]
                self.take[at] = soon * self.take_soon[cost] + far * self.take_later[cost]
                if not self.instant:
                    self.take[at] += now * self.take_now[cost]

    # Reach: the cost for each seat to bring members to a hex

    def set_entries(self, state: State, seat: int) -> None:
        """The cost of bringing a member from the reserve to each hex."""
        start = seat * HEXES * STRIDE
        fill_row(self.enter, seat * STRIDE, FAR, STRIDE)
        mask = state.home[seat]
        while mask:
            hex = lowest_bit(mask)
            mask &= mask - 1
            lower(self.enter, seat * STRIDE, self.distance, start + hex * STRIDE)
        for hex in range(HEXES):
            if self.enter[seat * STRIDE + hex] < FAR:
                self.enter[seat * STRIDE + hex] += 1
        self.entered[seat] = state.home[seat]

    def reach(self, state: State, seat: int) -> None:
        """The cost for a seat of bringing one more worker, or the leader, to each hex without giving up a temple."""
        if self.entered[seat] != state.home[seat]:
            self.set_entries(state, seat)
        start = seat * HEXES * STRIDE
        if state.reserve[seat]:
            copy_row(self.worker, seat * STRIDE, self.enter, seat * STRIDE)
        else:
            fill_row(self.worker, seat * STRIDE, FAR, STRIDE)
        temples = state.temples & ~state.guarded
        out = 0
        mask = state.occupied[seat]
        while mask:
            hex = lowest_bit(mask)
            mask &= mask - 1
            workers = state.workers[seat * HEXES + hex]
            if not workers:
                continue
            out += workers
            if temples & bit(hex):
                ahead = state.strength(seat, hex) - state.rivals(seat, hex)
                if ahead == 1:
                    continue
            at = seat * STRIDE + hex
            stays = self.worker[at]
            lower(self.worker, seat * STRIDE, self.distance, start + hex * STRIDE)
            self.worker[at] = stays
        self.out[seat] = out
        leader = state.leader[seat]
        if leader < RESERVE:
            copy_row(self.leader, seat * STRIDE, self.distance, start + leader * STRIDE)
            self.leader[seat * STRIDE + leader] = FAR
        elif leader == RESERVE:
            copy_row(self.leader, seat * STRIDE, self.enter, seat * STRIDE)
        else:
            fill_row(self.leader, seat * STRIDE, FAR, STRIDE)

    def take_cost(self, seat: int, hex: int, need: int) -> int:
        """Roughly the cost for a seat of bringing this much strength to a hex."""
        worker = self.worker[seat * STRIDE + hex]
        cost = need * worker
        with_leader = self.leader[seat * STRIDE + hex]
        if need > LEADER_STRENGTH:
            with_leader += (need - LEADER_STRENGTH) * worker
        if with_leader < cost:
            cost = with_leader
        return cost if cost < COSTS else COSTS - 1

    # Temples

    def set_temples(self, state: State) -> None:
        mask = state.temples & ~state.guarded
        while mask:
            self.set_temple(state, lowest_bit(mask))
            mask &= mask - 1

    def set_temple(self, state: State, hex: int) -> None:
        """What each level of this temple is worth to the seat, by the strength that it may have there."""
        top = 0
        seats = 0
        top_seat = NO_SEAT
        for seat in range(state.players):
            if seat == self.seat:
                continue
            strength = state.strength(seat, hex)
            if strength > top:
                top = strength
                seats = 0
            if strength == top:
                seats += 1
                top_seat = seat
        if seats > 1 or not top:
            top_seat = NO_SEAT
        self.top[hex] = top
        self.top_seat[hex] = top_seat
        second = COSTS - 1
        if top_seat != NO_SEAT:
            for seat in range(state.players):
                if seat != self.seat and seat != top_seat:
                    cost = self.take_cost(seat, hex, top - state.strength(seat, hex) + 1)
                    if cost < second:
                        second = cost
        self.second_cost[hex] = second
        for own in range(STRENGTHS):
            answer = COSTS - 1
            rivals = 0.0
            best = own if own > top else top
            for seat in range(state.players):
                if seat == self.seat or (seat == top_seat and own < top):
                    continue
                cost = self.take_cost(seat, hex, best - state.strength(seat, hex) + 1)
                rivals += self.share[seat] * self.take[seat * COSTS + cost]
                if cost < answer:
                    answer = cost
            self.open[hex * STRENGTHS + own] = -rivals
            self.held[hex * STRENGTHS + own] = self.hold[self.seat * COSTS + answer] - rivals

    # Treasures

    def sets(self, state: State, seat: int) -> float:
        """What a seat's treasures are worth, and what unseen tokens may add."""
        left = 0.0 + self.left[seat]
        hope = self.weights[HOPE] / state.players
        total = 0.0
        for kind in range(KINDS):
            have = state.treasures[seat * KINDS + kind]
            if have == 0:
                continue
            total += SET_POINTS[have]
            if have < TOKENS_OF_A_KIND:
                total += hope * self.unseen(state, kind) * (SET_POINTS[have + 1] - SET_POINTS[have] - 1)
        return total * left

    def exchanges(self, state: State, seat: int) -> float:
        """What exchanges can bring a seat: a single for the second or third token of a kind."""
        mine = state.singles[seat]
        if not mine:
            return 0.0
        points = 0
        for other in range(state.players):
            if other == seat:
                continue
            theirs = state.singles[other]
            for kind in range(KINDS):
                if not theirs >> kind & 1:
                    continue
                have = state.treasures[seat * KINDS + kind]
                if have == 2:
                    points += 2
                elif have == 1 and mine & (mine - 1):
                    points += 1
        if points > EXCHANGE_POINTS:
            points = EXCHANGE_POINTS
        gain = points * self.left[seat] - EXCHANGE_AP * self.weights[AP_WORTH]
        if gain <= 0.0 or not points:
            return 0.0
        if seat == self.seat:
            return self.weights[EXCHANGE_AFTER] * gain
        return self.weights[EXCHANGE_FIRST] * gain

    def treasures(self, state: State) -> float:
        """The value of all treasures: the seat's less the rivals'."""
        value = self.sets(state, self.seat) + self.exchanges(state, self.seat)
        for seat in range(state.players):
            if seat != self.seat:
                value -= self.share[seat] * (self.sets(state, seat) + self.exchanges(state, seat))
        return value

    def token_worth(self, state: State, seat: int) -> float:
        """What one more token of an unknown kind brings a seat, beyond the AP for the dig."""
        worth = self.token_gain(state, seat, 0) - DIG_AP * self.weights[AP_WORTH]
        return worth if worth > 0.0 else 0.0

    def token_value(self, state: State) -> float:
        """What a dig adds to the value."""
        return self.weights[DIG_NOW] * self.token_gain(state, self.seat, 1)

    def token_gain(self, state: State, seat: int, with_rivals: int) -> float:
        """What one more token gains a seat, on average over the kinds not yet seen."""
        total = 0.0
        tokens = 0
        before = self.gained(state, seat, with_rivals)
        for kind in range(KINDS):
            unseen = self.unseen(state, kind)
            if unseen:
                state.give(seat, kind)
                total += unseen * (self.gained(state, seat, with_rivals) - before)
                state.lose(seat, kind)
                tokens += unseen
        return total / tokens if tokens else 0.0

    def gained(self, state: State, seat: int, with_rivals: int) -> float:
        """The worth of a seat's sets; `with_rivals`, what all treasures add to the value and to a scoring now."""
        if not with_rivals:
            return self.sets(state, seat)
        return self.treasures(state) + self.banks * state.treasure_points(seat)

    def unseen(self, state: State, kind: int) -> int:
        """How many tokens of a kind are still undug."""
        unseen = TOKENS_OF_A_KIND
        for seat in range(state.players):
            unseen -= state.treasures[seat * KINDS + kind]
        return unseen

    def claim_of(self, state: State, seat: int, hex: int) -> float:
        """The strength of a seat's claim to the tokens of a hex."""
        here = state.members(seat, hex)
        if here > 1:
            return 1.0 + self.weights[CLAIM_MORE]
        if here:
            return 1.0
        cost = self.worker[seat * STRIDE + hex]
        if self.leader[seat * STRIDE + hex] < cost:
            cost = self.leader[seat * STRIDE + hex]
        return self.claim[cost] if cost < COSTS else 0.0

    def set_undug(self, state: State) -> None:
        for seat in range(state.players):
            self.token[seat] = self.weights[UNDUG] * self.token_worth(state, seat)
        mask = state.undug
        while mask:
            hex = lowest_bit(mask)
            mask &= mask - 1
            self.rival_claim[hex] = self.weights[CLAIM_REST]
            self.rival_worth[hex] = 0.0
            for seat in range(state.players):
                if seat != self.seat:
                    claim = self.claim_of(state, seat, hex)
                    self.rival_claim[hex] += claim
                    self.rival_worth[hex] += self.share[seat] * self.token[seat] * claim

    # Camps and members

    def set_goals(self, state: State) -> None:
        """How much it matters to be near each hex."""
        total = 0.0
        for i in range(self.hex_count):
            hex = self.hexes[i]
            goal = 0.5
            if state.temples & ~state.guarded & bit(hex):
                goal = 0.0 + state.level[hex]
            elif state.undug & bit(hex):
                goal = 2.0 * state.tokens[hex]
            elif state.guarded & bit(hex):
                goal = 0.0
            self.goal[hex] = goal
            total += goal
        for i in range(self.hex_count):
            self.goal[self.hexes[i]] /= total

    def camps(self, state: State, seat: int) -> float:
        """What the distance between its camps and the goals costs a seat in the turns to come."""
        if self.entered[seat] != state.home[seat]:
            self.set_entries(state, seat)
        total = 0.0
        for i in range(self.hex_count):
            hex = self.hexes[i]
            cost = self.enter[seat * STRIDE + hex]
            total += self.goal[hex] * (cost if cost < ENTRY_LIMIT else ENTRY_LIMIT)
        return -self.weights[ENTRY] * total * self.time * GAME_TURNS

    def members(self, state: State, seat: int) -> float:
        """What a seat's members are worth wherever they are. `reach` must have counted the workers."""
        value = self.weights[WORKER_OUT] * self.out[seat]
        value += self.weights[WORKER_HAD] * (self.out[seat] + state.reserve[seat])
        if state.leader[seat] != GONE:
            value += self.weights[LEADER_HAD]
            if state.leader[seat] != RESERVE:
                value += self.weights[LEADER_OUT]
        return value * self.time

    # The value

    def fixed(self, state: State) -> float:
        """The part of the value that only exchanges and camps change."""
        return self.treasures(state) + self.camps(state, self.seat)

    def value(self, state: State, fixed: float) -> float:
        """The value of a position of the turn, given the part that only exchanges and camps change."""
        me = self.seat
        self.reach(state, me)
        value = fixed + self.constant + self.members(state, me)
        if self.banks:
            value += state.temple_points(me) + state.treasure_points(me)
        mask = state.temples
        while mask:
            hex = lowest_bit(mask)
            mask &= mask - 1
            level = state.level[hex]
            guard = state.guard[hex]
            if guard:
                if guard - 1 == me:
                    value += level * self.guarded[me]
                else:
                    value -= self.share[guard - 1] * level * self.guarded[guard - 1]
                continue
            own = state.strength(me, hex) if state.occupied[me] & bit(hex) else 0
            at = own if own < STRENGTHS else STRENGTHS - 1
            top = self.top[hex]
            if own > top:
                value += level * self.held[hex * STRENGTHS + at]
                continue
            cost = self.take_cost(me, hex, top - own + 1)
            factor = self.open[hex * STRENGTHS + at] + self.take[me * COSTS + cost]
            if own < top and self.top_seat[hex] != NO_SEAT:
                holder = self.top_seat[hex]
                if self.second_cost[hex] < cost:
                    cost = self.second_cost[hex]
                factor -= self.share[holder] * self.hold[holder * COSTS + cost]
            value += level * factor
        mask = state.undug
        while mask:
            hex = lowest_bit(mask)
            mask &= mask - 1
            claim = self.claim_of(state, me, hex)
            whole = claim + self.rival_claim[hex]
            value += state.tokens[hex] * (self.token[me] * claim - self.rival_worth[hex]) / whole
        return value

    def evaluate(self, state: State) -> float:
        """The value of a position of the prepared turn, as if the turn ended now."""
        return self.value(state, self.fixed(state))

    # Explanations

    def factor(self, state: State, seat: int, hex: int) -> float:
        """How many scorings a temple is worth to a seat that holds it or may take it.

        Less than zero where learned risks add up to more than one.
        """
        own = state.strength(seat, hex)
        others = state.rivals(seat, hex)
        if own <= others:
            return self.take[seat * COSTS + self.take_cost(seat, hex, others - own + 1)]
        answer = COSTS - 1
        for other in range(state.players):
            if other != seat:
                cost = self.take_cost(other, hex, own - state.strength(other, hex) + 1)
                if cost < answer:
                    answer = cost
        return self.hold[seat * COSTS + answer]

    def parts(self, state: State) -> list[list[float]]:
        """The parts of every seat's worth, in the order of `PART_NAMES`.

        `evaluate` gives the sum of the seat's own parts less the sums of its rivals', weighted by `shares`.
        """
        self.reach(state, self.seat)
        found = [self.parts_of(state, seat) for seat in range(state.players)]
        mask = state.undug
        while mask:
            hex = lowest_bit(mask)
            mask &= mask - 1
            claims = [self.claim_of(state, seat, hex) for seat in range(state.players)]
            whole = math.fsum(claims) + self.weights[CLAIM_REST]
            for seat in range(state.players):
                found[seat][UNDUG_PART] += state.tokens[hex] * self.token[seat] * claims[seat] / whole
        return found

    def parts_of(self, state: State, seat: int) -> list[float]:
        """The parts of one seat's worth that do not depend on the others' claims."""
        parts = [0.0] * PARTS
        parts[SCORE_PART] = float(state.score[seat])
        if seat == self.seat and self.banks:
            parts[SCORE_PART] += state.temple_points(seat) + state.treasure_points(seat)
        mask = state.temples
        while mask:
            hex = lowest_bit(mask)
            mask &= mask - 1
            if not state.guard[hex]:
                held = state.strength(seat, hex) > state.rivals(seat, hex)
                factor = self.factor(state, seat, hex)
                parts[HELD_PART if held else REACH_PART] += factor * state.level[hex]
            elif state.guard[hex] == seat + 1:
                parts[GUARD_PART] += state.level[hex] * self.guarded[seat]
        parts[TREASURE_PART] = self.sets(state, seat)
        parts[EXCHANGE_PART] = self.exchanges(state, seat)
        parts[CAMP_PART] = self.camps(state, seat)
        parts[MEMBER_PART] = self.members(state, seat)
        return parts

    def fears(self, state: State) -> list[tuple[int, int, int]]:
        """For each temple that the seat holds without a guard: the hex, the rival who can take it most cheaply, and the AP."""
        found = []
        mask = state.temples & ~state.guarded
        while mask:
            hex = lowest_bit(mask)
            mask &= mask - 1
            own = state.strength(self.seat, hex)
            if own <= state.rivals(self.seat, hex):
                continue
            least, rival = COSTS - 1, NO_SEAT
            for seat in range(state.players):
                if seat != self.seat:
                    cost = self.take_cost(seat, hex, own - state.strength(seat, hex) + 1)
                    if cost < least:
                        least, rival = cost, seat
            if rival != NO_SEAT:
                found.append((hex, rival, least))
        return found

    def shares(self) -> list[float]:
        """How much each seat's worth counts in the value: 1 for the own, less than 0 for the rivals'."""
        return [1.0 if seat == self.seat else -self.share[seat] for seat in range(self.players)]

    def scorings_left(self) -> list[int]:
        """How often each seat will still score after this turn."""
        return [self.left[seat] for seat in range(self.players)]


def _fall(cost: int, scale: float) -> float:
    """How much of a chance remains at this cost."""
    return math.exp(-cost / max(scale, 0.1))

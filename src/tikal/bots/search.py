# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, infer_types=True, annotation_typing=False
"""What a position is worth, and a beam search over the actions of one turn.

A seat's worth is its score and what it may still make: a sum of features, each with a weight learned from self-play
(`weights.py`), one set for each number of scorings left. The value of a position for the seat to move is its own
worth less its rivals'. Only what is public is looked at: the order of the deck and undug kinds never are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tikal.rules.core import Moves, State
from tikal.rules.tables import TILES

if TYPE_CHECKING:
    import cython
else:
    from tikal import _nocython as cython

if not cython.compiled:
    from tikal.rules.codes import *  # noqa: F403  # C has them from the .pxd
    from tikal.rules.core import NEIGHBOUR, SET_POINTS, TILE_TERRAIN, bit, lowest_bit

    FEATURES = 40
    STAGES = 5
    WIDTH_LIMIT = 512
    SEEN_SIZE = 65536
    FAR = 60
    STEPS = 11

    def mix(hashed: int, word: int) -> int:
        hashed = (hashed ^ word) * 11400714819323198485 & 2**64 - 1
        return hashed ^ hashed >> 29

    def turn_key(state: State, salt: int) -> int:
        seat = state.seat
        parts = (state.workers, state.level, state.tokens, state.treasures, state.leader, state.reserve, state.cost)
        data = b"".join(map(bytes, parts))
        key = mix(salt << 4, state.ap)
        for at in range(0, len(data), 8):
            key = mix(key, int.from_bytes(data[at : at + 8], "little"))
        for word in (state.done_once[seat], state.done_twice[seat], state.home[seat], state.guarded):
            key = mix(key, word)
        return key

    HOLD_NEXT, HOLD_LATER, GUARDED, TAKE_NEXT, TAKE_LATER = 0, 6, 12, 13, 16
    TREASURE_POINTS, SINGLES, PAIRS, TREASURE_HOPE, RUINS_NEAR, RUINS_FAR = 19, 20, 21, 22, 23, 24
    WORKERS_OUT, WORKERS_LEFT, LEADER_OUT, CAMPS_BY_TURNS, CAMPS = 25, 26, 27, 28, 29
    URGENT_SAFE, URGENT_OPEN, RAISABLE, TURNS, SCORINGS, ONE, LEADER_GONE, GUARDS_LEFT = 30, 31, 32, 33, 34, 35, 36, 37
    AT_TEMPLES, AT_RUINS = 38, 39
    LETTER = bytearray(36)

DIG_WEIGHT = 0.8  # what a point of treasures is worth for each scoring to come, when it is only expected


NAMES = (
    *(f"hold_next_{cost}" for cost in ("2", "4", "6", "8", "10", "safe")),
    *(f"hold_later_{cost}" for cost in ("2", "4", "6", "8", "10", "safe")),
    "guarded",
    *(f"take_next_{cost}" for cost in ("3", "6", "10")),
    *(f"take_later_{cost}" for cost in ("3", "6", "10")),
    "treasure_points", "singles", "pairs", "treasure_hope", "ruins_near", "ruins_far",
    "workers_out", "workers_left", "leader_out", "camps_by_turns", "camps",
    "urgent_safe", "urgent_open", "raisable", "turns", "scorings", "one", "leader_gone", "guards_left",
    "members_at_temples", "members_at_ruins",
)  # fmt: skip
"""The features, in the order of the weights. `next` and `later` speak of the next scoring and those after it; the
number is the AP that a rival needs to take a held temple away, or the seat to take it."""

for _index, _tile in enumerate(TILES):
    LETTER[_index] = ord(_tile.name[0])


class Bucket:
    """The best positions with so many AP left, and how they were reached."""

    def __init__(self, like: State, width: int) -> None:
        self.states = [like.clone() for _ in range(width)]
        if not cython.compiled:
            self.count = self.size = self.worst = 0
            self.value = [0.0] * WIDTH_LIMIT
            self.bonus = [0.0] * WIDTH_LIMIT
            self.length = [0] * WIDTH_LIMIT
            self.path = [0] * (WIDTH_LIMIT * STEPS)

    def clear(self, size: int) -> None:
        self.count = 0
        self.size = size
        self.worst = 0

    def slot_for(self, value: float) -> int:
        """Where a position of this value may stand: a new place, or that of the worst; -1 if it is no better."""
        if self.count < self.size:
            slot = self.count
            self.count += 1
        elif value <= self.value[self.worst]:
            return -1
        else:
            slot = self.worst
        self.value[slot] = value
        if self.count == self.size:
            worst = 0
            for i in range(1, self.size):
                if self.value[i] < self.value[worst]:
                    worst = i
            self.worst = worst
        return slot


class Search:
    """Evaluates positions and plans turns, for states of the same class as the one it was made with."""

    def __init__(self, like: State, weights: Sequence[float], width: int = 100, spite: float = 0.5) -> None:
        if not cython.compiled:
            self.weights = [0.0] * (STAGES * FEATURES)
            self.feature = [0.0] * (4 * FEATURES)
            self.distance = bytearray(1600)
            self.worker_cost, self.leader_cost = bytearray(160), bytearray(160)
            self.scorings, self.strengths, self.worths = [0] * 4, [0] * 4, [0.0] * 4
            self.hexes = bytearray(40)
            self.urgency = self.turns = self.dig_gain = 0.0
            self.seat = self.banks = self.salt = self.nodes = 0
            self.seen = [0] * SEEN_SIZE
        for i in range(STAGES * FEATURES):
            self.weights[i] = weights[i]
        self.spite = spite
        self.width = min(width, WIDTH_LIMIT)
        self.scratch = like.clone()
        self.moves = Moves()
        self.buckets = [Bucket(like, self.width) for _ in range(11)]

    def reset(self) -> None:
        """Forgets everything, so that the same question gets the same answer whatever was asked before."""
        self.nodes = self.salt = 0
        for i in range(SEEN_SIZE):
            self.seen[i] = 0

    # What is measured once for a turn

    def prepare(self, state: State, seat: int) -> None:
        """Looks at a position with the eyes of a seat; `evaluate` and `plan` then speak of its turn."""
        self.seat = seat
        self.banks = int(state.round_kind != NO_ROUND and state.seat == seat)
        self.measure(state)
        self.count_scorings(state)
        for seat in range(state.players):
            self.reach(state, seat)
        self.dig_gain = self.expected_gain(state)

    def measure(self, state: State) -> None:
        """The cheapest walk between any two explored hexes."""
        count = 0
        for hex in range(40):
            if EMPTY < state.terrain[hex] < VOLCANO:
                self.hexes[count] = hex
                count += 1
        for i in range(1600):
            self.distance[i] = FAR
        for i in range(count):
            hex = self.hexes[i]
            self.distance[hex * 41] = 0
            for direction in range(6):
                cost = state.cost[hex * 6 + direction]
                if cost:
                    self.distance[hex * 40 + NEIGHBOUR[hex * 6 + direction]] = cost
        for k in range(count):
            via = self.hexes[k]
            for i in range(count):
                start = self.hexes[i] * 40
                first = self.distance[start + via]
                if first >= FAR:
                    continue
                for j in range(count):
                    goal = self.hexes[j]
                    cost = first + self.distance[via * 40 + goal]
                    if cost < self.distance[start + goal]:
                        self.distance[start + goal] = cost

    def count_scorings(self, state: State) -> None:
        """How often each seat will still score, and how soon the next volcano may come; letters tell."""
        volcanoes = 0
        group = 0
        for i in range(state.deck_next, 36):
            if TILE_TERRAIN[state.deck[i]] == VOLCANO:
                volcanoes += 1
        mask = state.display
        shown = 0
        while mask:
            if TILE_TERRAIN[lowest_bit(mask)] == VOLCANO:
                shown = 1
                volcanoes += 1
            mask &= mask - 1
        self.urgency = 0.0
        if shown or state.deck_next == 36:
            self.urgency = 1.0
        else:
            letter = LETTER[state.deck[state.deck_next]]
            found = 0
            for i in range(state.deck_next, 36):
                if LETTER[state.deck[i]] == letter:
                    group += 1
                    if TILE_TERRAIN[state.deck[i]] == VOLCANO:
                        found = 1
            if found:
                self.urgency = 1.0 / group
        final = state.round_kind != FINAL_ROUND and state.phase != FINISHED
        for seat in range(state.players):
            self.scorings[seat] = volcanoes + final
        if state.round_kind != NO_ROUND:
            for i in range(state.place, state.players):
                if state.order[i] != state.seat or not self.banks:
                    self.scorings[state.order[i]] += 1
        self.turns = (36.0 - state.deck_next) / state.players

    def reach(self, state: State, seat: int) -> None:
        """What it costs a seat to bring one more worker, or the leader, to a temple or a treasure tile."""
        goals = state.temples & ~state.guarded | state.ruins
        while goals:
            goal = lowest_bit(goals)
            goals &= goals - 1
            enter = FAR
            mask = state.home[seat]
            while mask:
                cost = self.distance[lowest_bit(mask) * 40 + goal] + 1
                mask &= mask - 1
                if cost < enter:
                    enter = cost
            worker = FAR
            if state.reserve[seat]:
                worker = enter
            mask = state.occupied[seat] & ~bit(goal)
            while mask:
                hex = lowest_bit(mask)
                mask &= mask - 1
                if state.workers[seat * 40 + hex]:
                    cost = self.distance[hex * 40 + goal]
                    if cost < worker:
                        worker = cost
            leader = state.leader[seat]
            if leader == RESERVE:
                cost = enter
            elif leader == GONE or leader == goal:
                cost = FAR
            else:
                cost = self.distance[leader * 40 + goal]
            self.worker_cost[seat * 40 + goal] = worker
            self.leader_cost[seat * 40 + goal] = cost

    def take_cost(self, seat: int, hex: int, need: int) -> int:
        """About what it costs a seat to bring so much strength to a hex."""
        worker = self.worker_cost[seat * 40 + hex]
        cost = need * worker
        rest = need - LEADER_STRENGTH
        with_leader = self.leader_cost[seat * 40 + hex]
        if rest > 0:
            with_leader += rest * worker
        if with_leader < cost:
            return with_leader
        return cost

    def expected_gain(self, state: State) -> float:
        """The points that a token dug now adds to the own sets, on average over the kinds not yet seen."""
        gain = 0.0
        unseen = 0
        for kind in range(8):
            left = 3
            for seat in range(state.players):
                left -= state.treasures[seat * 8 + kind]
            have = state.treasures[self.seat * 8 + kind]
            if left > 0 and have < 3:
                gain += left * (SET_POINTS[have + 1] - SET_POINTS[have])
                unseen += left
        return gain / unseen if unseen else 0.0

    # What a position is worth

    def look(self, state: State) -> None:
        """Fills the features of all seats."""
        for at in range(state.players * FEATURES):
            self.feature[at] = 0.0
        self.reach(state, self.seat)
        mask = state.temples
        while mask:
            self.look_at_temple(state, lowest_bit(mask))
            mask &= mask - 1
        for seat in range(state.players):
            if self.scorings[seat]:
                self.look_at_treasures(state, seat)
                self.look_at_pieces(state, seat)

    def look_at_temple(self, state: State, hex: int) -> None:
        level = state.level[hex]
        if state.guard[hex]:
            seat = state.guard[hex] - 1
            self.feature[seat * FEATURES + GUARDED] += level * self.scorings[seat]
            return
        for seat in range(state.players):
            self.strengths[seat] = state.strength(seat, hex) if state.occupied[seat] & bit(hex) else 0
        for seat in range(state.players):
            if not self.scorings[seat]:
                continue
            most = 0
            answer = 2 * FAR
            for other in range(state.players):
                if other == seat:
                    continue
                if self.strengths[other] > most:
                    most = self.strengths[other]
                if self.strengths[seat] >= self.strengths[other]:
                    cost = self.take_cost(other, hex, self.strengths[seat] - self.strengths[other] + 1)
                    if cost < answer:
                        answer = cost
            at = seat * FEATURES
            if self.strengths[seat] > most:
                rank = (answer - 1) // 2 if answer <= 10 else 5
                self.feature[at + HOLD_NEXT + rank] += level
                self.feature[at + HOLD_LATER + rank] += level * (self.scorings[seat] - 1)
                if rank == 5:
                    self.feature[at + URGENT_SAFE] += level * self.urgency
                else:
                    self.feature[at + URGENT_OPEN] += level * self.urgency
                if level < 10 and state.supply[level + 1] and state.members(seat, hex) > 1:
                    self.feature[at + RAISABLE] += 1.0
            else:
                cost = self.take_cost(seat, hex, most - self.strengths[seat] + 1)
                if cost <= 10:
                    rank = 0 if cost <= 3 else 1 if cost <= 6 else 2
                    self.feature[at + TAKE_NEXT + rank] += level
                    self.feature[at + TAKE_LATER + rank] += level * (self.scorings[seat] - 1)

    def look_at_treasures(self, state: State, seat: int) -> None:
        at = seat * FEATURES
        scorings = self.scorings[seat]
        for kind in range(8):
            have = state.treasures[seat * 8 + kind]
            if have == 0:
                continue
            self.feature[at + TREASURE_POINTS] += SET_POINTS[have] * scorings
            if have == 1:
                self.feature[at + SINGLES] += scorings
            elif have == 2:
                self.feature[at + PAIRS] += scorings
            if have < 3:
                left = 3
                for other in range(state.players):
                    left -= state.treasures[other * 8 + kind]
                self.feature[at + TREASURE_HOPE] += left * scorings
        mask = state.ruins
        while mask:
            hex = lowest_bit(mask)
            mask &= mask - 1
            cost = self.worker_cost[seat * 40 + hex]
            if cost <= 4:
                self.feature[at + RUINS_NEAR] += state.tokens[hex]
            elif cost <= 8:
                self.feature[at + RUINS_FAR] += state.tokens[hex]
            if state.occupied[seat] & bit(hex):
                self.feature[at + AT_RUINS] += min(state.members(seat, hex), state.tokens[hex])

    def look_at_pieces(self, state: State, seat: int) -> None:
        at = seat * FEATURES
        out = 0
        mask = state.occupied[seat]
        while mask:
            hex = lowest_bit(mask)
            mask &= mask - 1
            out += state.workers[seat * 40 + hex]
            if state.temples & ~state.guarded & bit(hex):
                self.feature[at + AT_TEMPLES] += state.workers[seat * 40 + hex]
        self.feature[at + WORKERS_OUT] = out
        self.feature[at + WORKERS_LEFT] = state.reserve[seat]
        if state.leader[seat] < RESERVE:
            self.feature[at + LEADER_OUT] = 1.0
        elif state.leader[seat] == GONE:
            self.feature[at + LEADER_GONE] = 1.0
        self.feature[at + CAMPS_BY_TURNS] = state.camp_count[seat] * self.turns
        self.feature[at + CAMPS] = state.camp_count[seat]
        self.feature[at + GUARDS_LEFT] = 2 - state.guard_count[seat]
        self.feature[at + TURNS] = self.turns
        self.feature[at + SCORINGS] = self.scorings[seat]
        self.feature[at + ONE] = 1.0

    def worth(self, state: State, seat: int) -> float:
        """A seat's score and what it may still make."""
        total = 0.0 + state.score[seat]
        if seat == self.seat and self.banks:
            total += state.temple_points(seat) + state.treasure_points(seat)
        stage = self.scorings[seat]
        if stage >= STAGES:
            stage = STAGES - 1
        if stage:
            for i in range(FEATURES):
                total += self.weights[stage * FEATURES + i] * self.feature[seat * FEATURES + i]
        return total

    def value(self, state: State) -> float:
        """The own worth less the rivals': their mean and their best, mixed."""
        self.look(state)
        most = -1e9
        total = 0.0
        for seat in range(state.players):
            self.worths[seat] = self.worth(state, seat)
            if seat != self.seat:
                total += self.worths[seat]
                if self.worths[seat] > most:
                    most = self.worths[seat]
        return self.worths[self.seat] - self.spite * most - (1.0 - self.spite) * total / (state.players - 1)

    def evaluate(self, state: State) -> float:
        """The value of a position of the turn that was prepared, if it ended now."""
        return self.value(state)

    def features(self, state: State) -> list[list[float]]:
        """The features of every seat; for learning and for explanations."""
        self.look(state)
        return [[self.feature[seat * FEATURES + i] for i in range(FEATURES)] for seat in range(state.players)]

    def seat_worths(self, state: State) -> list[float]:
        """What each seat may have in the end."""
        self.value(state)
        return [self.worths[seat] for seat in range(state.players)]

    def scorings_left(self) -> list[int]:
        """How often each seat will still score after this turn."""
        return [self.scorings[seat] for seat in range(4)]

    # The beam

    def plan(self, root: State, width: int, keep: int) -> list[tuple[float, list[int]]]:
        """The best ways to spend the AP, best first: the value, and the actions without the closing `.`."""
        self.run(root, min(width, self.width))
        found: list[tuple[float, int, int]] = []
        for ap in range(11):
            bucket: Bucket = self.buckets[ap]
            for i in range(bucket.count):
                found.append((bucket.value[i], ap, i))
        found.sort(reverse=True)
        return [(value, self.path_of(ap, i)) for value, ap, i in found[:keep]]

    def path_of(self, ap: int, index: int) -> list[int]:
        bucket: Bucket = self.buckets[ap]
        return [bucket.path[index * STEPS + i] for i in range(bucket.length[index])]

    def run(self, root: State, width: int) -> None:
        self.salt += 1
        for ap in range(11):
            bucket = self.buckets[ap]
            bucket.clear(width)
        bucket = self.buckets[root.ap]
        bucket.slot_for(self.value(root))
        bucket.bonus[0] = 0.0
        bucket.length[0] = 0
        node = bucket.states[0]
        node.copy_from(root)
        for ap in range(root.ap, 0, -1):
            bucket = self.buckets[ap]
            for i in range(bucket.count):
                self.expand(bucket, i)

    def is_new(self, key: int) -> bool:
        """Whether a position was not met in this turn; forgets some, which only costs time."""
        at = key % SEEN_SIZE
        for i in range(4):
            if self.seen[(at + i) % SEEN_SIZE] == key:
                return False
        for i in range(4):
            if self.seen[(at + i) % SEEN_SIZE] == 0:
                at = (at + i) % SEEN_SIZE
                break
        self.seen[at] = key
        return True

    def expand(self, bucket: Bucket, index: int) -> None:
        node = bucket.states[index]
        count = node.legal(self.moves)
        for i in range(count):
            action = self.moves.item[i]
            kind = action & 31
            if kind == END:
                continue
            self.scratch.copy_from(node)
            self.scratch.apply(action)
            bonus = bucket.bonus[index]
            if kind == DIG:
                # What lies there is not known: the token is put aside, its average gain is counted.
                hex = action >> 5 & 63
                self.scratch.lose(self.seat, node.kinds[node.token_at[hex]])
                bonus += self.dig_gain * (self.scorings[self.seat] * DIG_WEIGHT + self.banks)
            if not self.is_new(turn_key(self.scratch, self.salt)):
                continue
            self.nodes += 1
            value = self.value(self.scratch) + bonus
            target = self.buckets[self.scratch.ap]
            slot = target.slot_for(value)
            if slot < 0:
                continue
            child = target.states[slot]
            child.copy_from(self.scratch)
            target.bonus[slot] = bonus
            length = bucket.length[index]
            for step in range(length):
                target.path[slot * STEPS + step] = bucket.path[index * STEPS + step]
            target.path[slot * STEPS + length] = action
            target.length[slot] = length + 1

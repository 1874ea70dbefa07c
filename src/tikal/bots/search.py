# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, infer_types=True, annotation_typing=False
"""A beam search over the actions of one turn.

The beam has a bucket for each number of AP left and keeps the best positions in each. A step is an action of the rules,
a whole walk of one member, or a march: a member enters and walks on. The beam drops positions that it has reached by
another order of the same steps, before it makes them: a position's key is the sum of the keys of its changes.

A dig reveals a token, so the bot plans again after it. Until then the plan counts what an unknown token is worth on
average.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tikal.bots.evaluation import Evaluation
from tikal.rules.core import Moves, State

if TYPE_CHECKING:
    import cython
else:
    from tikal import _nocython as cython

if not cython.compiled:
    from tikal.bots.evaluation import FAR, STRIDE
    from tikal.rules.codes import *  # noqa: F403  # compiled code has these from the .pxd
    from tikal.rules.core import CAMP_LIMIT, NEIGHBOUR, bit, lowest_bit

    WIDTH_LIMIT = 512
    SEEN_SIZE = 65536
    WALK = 24  # from, to, member: as many moves as it takes
    MARCH = 25  # camp, to, member: enters there and walks on
    MEMBER_WORDS, WORK_WORDS, CAMP_WORDS, GUARD_WORDS, MARK_WORDS, TREASURE_WORDS = 0, 80, 120, 160, 200, 400
    WORDS, WORD_KIND, ROOT_KIND, OTHER_KIND = 512, 40, 50, 60

    def word_of(kind: int, item: int) -> int:
        word = (kind * 4096 + item + 1) * 11400714819323198485 & 2**64 - 1
        word = (word ^ word >> 29) * 13787848793156543929 & 2**64 - 1
        return word ^ word >> 32

    def more(key: int, word: int, times: int) -> int:
        return key + word * times & 2**64 - 1

    def with_ap(key: int, ap: int) -> int:
        return (key ^ (ap + 1) * 11400714819323198485 & 2**64 - 1) | 1


SHOT = 0.5  # points for a worker that a gun removes


class Bucket:
    """The best positions with a certain number of AP left, and how the beam reached them."""

    def __init__(self, like: State, width: int) -> None:
        self.states = [like.clone() for _ in range(width)]
        if not cython.compiled:
            self.count = self.size = self.worst = 0
            self.value, self.bonus, self.fixed = ([0.0] * WIDTH_LIMIT for _ in range(3))
            self.key, self.parent, self.action = ([0] * WIDTH_LIMIT for _ in range(3))
            self.plain = bytearray(WIDTH_LIMIT)

    def clear(self, size: int) -> None:
        self.count = 0
        self.size = size
        self.worst = 0

    def slot_for(self, value: float) -> int:
        """The slot for a position of this value: a free one, or that of the worst position; -1 if it is no better."""
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


class Search(Evaluation):
    """Plans turns, for states of the same class as the one it was made with."""

    def __init__(self, like: State, weights: Sequence[float], width: int = 100) -> None:
        Evaluation.__init__(self, weights)
        if not cython.compiled:
            self.salt = self.nodes = self.camp_sites = self.exact = self.leap = self.marks = self.homes = 0
            self.seen = [0] * SEEN_SIZE
            self.words = [0] * WORDS
            self.risk = [0.0] * 12
        for i in range(WORDS):
            self.words[i] = word_of(WORD_KIND, i)
        self.width = min(width, WIDTH_LIMIT)
        self.scratch = like.clone()
        self.moves = Moves()
        self.steps = Moves()
        self.buckets = [Bucket(like, self.width) for _ in range(11)]
        self.set_risk([0.0] * 12)

    def set_risk(self, risk: Sequence[float]) -> None:
        """What the risk of a boulder costs, in points, by the level that is uncovered."""
        for i in range(12):
            self.risk[i] = risk[i]

    def set_steps(self, *, exact: bool, leap: bool, marks: bool) -> None:
        """Which steps a variant allows.

        `exact`: only single actions of the rules; `leap`: a single step, since the tokens of a leap pay for one action
        or one walk; `marks`: walks are taken hex by hex, since members that have worked carry a mark [R21].
        """
        self.exact, self.leap, self.marks = int(exact), int(leap), int(marks)

    def reset(self) -> None:
        """Forgets everything, so that an answer never depends on earlier questions."""
        self.nodes = self.salt = 0
        for i in range(SEEN_SIZE):
            self.seen[i] = 0

    # Plans

    def plan(self, root: State, width: int, keep: int) -> list[tuple[float, list[int]]]:
        """The best ways to spend the AP, best first: their values, and their actions without the closing `.`."""
        self.run(root, min(width, self.width))
        found: list[tuple[float, int, int]] = []
        for ap in range(11):
            bucket: Bucket = self.buckets[ap]
            for i in range(bucket.count):
                found.append((bucket.value[i], ap, i))
        found.sort(reverse=True)
        return [(value, self.steps_of(root, ap, i)) for value, ap, i in found[:keep]]

    def path_of(self, ap: int, index: int) -> list[int]:
        """The steps to a position, in their order."""
        steps: list[int] = []
        while ap >= 0:
            bucket: Bucket = self.buckets[ap]
            if bucket.parent[index] < 0:
                break
            steps.append(bucket.action[index])
            ap, index = bucket.parent[index] // WIDTH_LIMIT, bucket.parent[index] % WIDTH_LIMIT
        steps.reverse()
        return steps

    def steps_of(self, root: State, ap: int, index: int) -> list[int]:
        """The actions to a position, in their order."""
        actions: list[int] = []
        for step in self.path_of(ap, index):
            kind = step & 31
            start, goal, member = step >> 5 & 63, step >> 11 & 63, step >> 17 & 63
            if kind == MARCH:
                actions.append(ENTER | start << 5 | member << 17)
            if kind == MARCH or kind == WALK:
                while start != goal:
                    step = self.next_move(root, start, goal, member)
                    actions.append(step)
                    start = step >> 11 & 63
            else:
                actions.append(step)
        return actions

    def next_move(self, state: State, start: int, goal: int, member: int) -> int:
        """The first move of a cheapest walk."""
        rows = self.seat * HEXES * STRIDE
        row = rows + start * STRIDE
        cost = self.distance[row + goal]
        for direction in range(6):
            price = state.cost[start * 6 + direction]
            if price:
                other = NEIGHBOUR[start * 6 + direction]
                # A hex that the seat may not enter is near, but no walk leads there.
                if self.distance[row + other] == price and price + self.distance[rows + other * STRIDE + goal] == cost:
                    return MOVE | start << 5 | other << 11 | member << 17
        mask = self.homes & ~bit(start)
        while mask:
            other = lowest_bit(mask)
            mask &= mask - 1
            if CAMP_MOVE_AP + self.distance[rows + other * STRIDE + goal] == cost:
                return CAMP_MOVE | start << 5 | other << 11 | member << 17
        return END

    # The beam

    def run(self, root: State, width: int) -> None:
        self.salt += 1
        self.homes = root.home[self.seat]  # distances know nothing of camps that the turn founds
        self.camp_sites = CAMP_LIMIT - root.camp_count[self.seat]
        for ap in range(11):
            bucket = self.buckets[ap]
            bucket.clear(width)
        bucket = self.buckets[root.ap]
        fixed = self.fixed(root)
        slot = bucket.slot_for(self.value(root, fixed))
        bucket.bonus[slot] = 0.0
        bucket.fixed[slot] = fixed
        bucket.key[slot] = word_of(ROOT_KIND, self.salt)
        bucket.parent[slot] = -1
        bucket.plain[slot] = self.exact
        node = bucket.states[slot]
        node.copy_from(root)
        for ap in range(root.ap, 0, -1):
            bucket = self.buckets[ap]
            for i in range(bucket.count):
                if bucket.parent[i] >= 0:
                    if self.leap:
                        continue
                    parent = self.buckets[bucket.parent[i] // WIDTH_LIMIT]
                    source = parent.states[bucket.parent[i] % WIDTH_LIMIT]
                    node = bucket.states[i]
                    node.copy_from(source)
                    self.play(node, bucket.action[i])
                self.expand(bucket, ap, i)

    def is_new(self, key: int) -> bool:
        """Whether the beam meets this key for the first time; it may forget keys, which only costs time."""
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

    def play(self, state: State, action: int) -> None:
        """Takes a step. The token of a dig is set aside, because its kind is unknown."""
        kind = action & 31
        p, q, r = action >> 5 & 63, action >> 11 & 63, action >> 17 & 63
        if kind == WALK or kind == MARCH:
            state.ap -= self.price(state, action)
            if kind == MARCH:
                state.enter(r, p)
            while self.marks and p != q:
                step = self.next_move(state, p, q, r)
                state.move(r, p, step >> 11 & 63)
                p = step >> 11 & 63
            if p != q:
                state.move(r, p, q)
        else:
            state.apply_unchecked(action)
            if kind == DIG:
                state.lose(self.seat, state.kinds[state.token_at[p] - 1])

    def price(self, state: State, action: int) -> int:
        """What a step costs."""
        kind = action & 31
        if kind != WALK and kind != MARCH:
            return state.price(action)
        cost = self.distance[(self.seat * HEXES + (action >> 5 & 63)) * STRIDE + (action >> 11 & 63)]
        return cost + ENTER_AP if kind == MARCH else cost

    def marks_key(self, state: State) -> int:
        """What to add to a key for the members that have worked, by hex [R21]."""
        variant: Any = state
        key = 0
        mask = state.occupied[self.seat]
        while mask:
            hex = lowest_bit(mask)
            mask &= mask - 1
            key = more(key, self.words[MARK_WORDS + hex], variant.worked[self.seat * HEXES + hex])
        return key

    def key_after(self, state: State, key: int, action: int) -> int:
        """The key of the position after a step."""
        kind = action & 31
        p, q, r = action >> 5 & 63, action >> 11 & 63, action >> 17 & 63
        if kind == WALK or kind == MOVE or kind == CAMP_MOVE:
            key = more(key, self.words[MEMBER_WORDS + r * HEXES + q], 1)
            return more(key, self.words[MEMBER_WORDS + r * HEXES + p], -1)
        if kind == MARCH:
            return more(key, self.words[MEMBER_WORDS + r * HEXES + q], 1)
        if kind == ENTER:
            return more(key, self.words[MEMBER_WORDS + r * HEXES + p], 1)
        if kind == EXCAVATE or kind == DIG:
            return more(key, self.words[WORK_WORDS + p], 1)
        if kind == CAMP:
            return more(key, self.words[CAMP_WORDS + p], 1)
        if kind == EXCHANGE:
            key = more(key, self.words[TREASURE_WORDS + self.seat * KINDS + q], -1)
            key = more(key, self.words[TREASURE_WORDS + self.seat * KINDS + r], 1)
            key = more(key, self.words[TREASURE_WORDS + p * KINDS + q], 1)
            return more(key, self.words[TREASURE_WORDS + p * KINDS + r], -1)
        if kind == GUARD:
            key = more(key, self.words[MEMBER_WORDS + p], -state.workers[self.seat * HEXES + p])
            if state.leader[self.seat] == p:
                key = more(key, self.words[MEMBER_WORDS + HEXES + p], -1)
            return more(key, self.words[GUARD_WORDS + p], 1)
        return more(key, word_of(OTHER_KIND, action), 1)

    def is_goal(self, state: State, hex: int, rest: int) -> bool:
        """Whether a walk to a hex is worth considering, given the AP that are left after it."""
        if self.leap:
            return True
        if (state.temples & ~state.guarded | state.undug) & bit(hex):
            return True
        if rest >= CAMP_AP:
            return self.camp_sites > 0 and state.clearings & bit(hex) != 0
        return rest <= 2 and not state.guarded & bit(hex)

    def list_actions(self, state: State, plain: int) -> int:
        """Writes the steps to try: walks and marches instead of single moves, unless only plain actions are allowed."""
        count = state.legal(self.steps)
        if plain:
            for i in range(count):
                self.moves.item[i] = self.steps.item[i]
            return count
        n = 0
        for i in range(count):
            kind = self.steps.item[i] & 31
            if kind != MOVE and kind != CAMP_MOVE and kind != END:
                self.moves.item[n] = self.steps.item[i]
                n += 1
        if not self.leap:
            n = self.add_marches(state, n)
        return self.add_walks(state, n)

    def add_walks(self, state: State, n: int) -> int:
        seat = self.seat
        leader = state.leader[seat]
        mask = state.occupied[seat]
        while mask:
            hex = lowest_bit(mask)
            mask &= mask - 1
            row = (seat * HEXES + hex) * STRIDE
            for i in range(self.hex_count):
                goal = self.hexes[i]
                rest = state.ap - self.distance[row + goal]
                if rest < 0 or goal == hex or not self.is_goal(state, goal, rest):
                    continue
                if state.workers[seat * HEXES + hex]:
                    self.moves.item[n] = WALK | hex << 5 | goal << 11
                    n += 1
                if leader == hex:
                    self.moves.item[n] = WALK | hex << 5 | goal << 11 | LEADER << 17
                    n += 1
        return n

    def add_marches(self, state: State, n: int) -> int:
        """A march to each goal starts from the camp that is nearest to it."""
        seat = self.seat
        for i in range(self.hex_count):
            goal = self.hexes[i]
            best = FAR
            start = 0
            mask = state.home[seat]
            while mask:
                hex = lowest_bit(mask)
                mask &= mask - 1
                if self.distance[(seat * HEXES + hex) * STRIDE + goal] < best:
                    best = self.distance[(seat * HEXES + hex) * STRIDE + goal]
                    start = hex
            rest = state.ap - best - ENTER_AP
            if rest < 0 or start == goal or not self.is_goal(state, goal, rest):
                continue
            if state.reserve[seat]:
                self.moves.item[n] = MARCH | start << 5 | goal << 11
                n += 1
            if state.leader[seat] == RESERVE:
                self.moves.item[n] = MARCH | start << 5 | goal << 11 | LEADER << 17
                n += 1
        return n

    def expand(self, bucket: Bucket, ap: int, index: int) -> None:
        node = bucket.states[index]
        count = self.list_actions(node, bucket.plain[index])
        for i in range(count):
            action = self.moves.item[i]
            kind = action & 31
            if kind == END:
                continue
            key = self.key_after(node, bucket.key[index], action)
            rest = node.ap - self.price(node, action)
            if not self.marks and not self.is_new(with_ap(key, rest)):
                continue
            self.scratch.copy_from(node)
            self.play(self.scratch, action)
            if self.marks and not self.is_new(with_ap(more(key, self.marks_key(self.scratch), 1), rest)):
                continue
            bonus = bucket.bonus[index]
            fixed = bucket.fixed[index]
            if kind == DIG:
                bonus += self.dig_worth
            elif kind == EXCHANGE or kind == CAMP:
                fixed = self.fixed(self.scratch)
            elif kind == EXCAVATE and node.workers[self.seat * HEXES + (action >> 5 & 63)]:
                bonus -= self.risk[node.level[action >> 5 & 63] + 1]
            elif kind == SHOOT:
                bonus += SHOT
            self.nodes += 1
            value = self.value(self.scratch, fixed) + bonus
            target = self.buckets[rest]
            slot = target.slot_for(value)
            if slot < 0:
                continue
            target.bonus[slot] = bonus
            target.fixed[slot] = fixed
            target.key[slot] = key
            target.parent[slot] = ap * WIDTH_LIMIT + index
            target.action[slot] = action
            target.plain[slot] = bucket.plain[index] or kind == OBSTACLE  # distances have changed

# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, infer_types=True, annotation_typing=False
"""The six unofficial variants and `members_work_once`: what each changes in the game of `core.py`, in its own section.

A game without them is a plain `State` and never runs this code. A variant overrides methods of `State`, adds an
action, or ends turns differently.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tikal.rules import tables
from tikal.rules.core import Moves, State
from tikal.rules.options import VALUES, Options

if TYPE_CHECKING:
    import cython
else:
    from tikal import _nocython as cython

if not cython.compiled:
    from tikal.rules.codes import *  # noqa: F403  # C has them from the .pxd
    from tikal.rules.core import GUARD_LIMIT, NEIGHBOUR, STEP, TILE_TERRAIN, bit, lowest_bit

    def copy_more_fields(to: VariantState, source: State) -> None:
        """Nothing to do: the uncompiled copy of `State` takes all fields."""

    def hash_more_fields(_state: VariantState, mixed: int) -> int:
        """Nothing to add: the uncompiled hash of `State` reads all fields."""
        return mixed


VOLCANOES = len(tables.VOLCANOES)


class VariantState(State):
    """A game with variants, or with `members_work_once`, at one moment.

    >>> state = VariantState(Options(obstacles=True), range(36), [0, 1, 2, 3, 4, 5, 6, 7] * 3)
    >>> state.obstacles
    1
    """

    def take_options(self, options: Options) -> None:
        State.take_options(self, options)
        self.instant_scoring = int(options.instant_scoring)
        self.boulders = VALUES["boulders"].index(options.boulders)
        self.obstacles = int(options.obstacles)
        self.machine_gun = int(options.machine_gun)
        self.sudden_death = int(options.sudden_death)
        self.double_volcano = VALUES["double_volcano"].index(options.double_volcano)
        self.leaps = int(options.leaps)
        self.members_work_once = int(options.members_work_once)
        for seat in range(SEATS):
            self.won[seat] = NO_TILE

    def take_chance(self, deck: Sequence[int], kinds: Sequence[int], dice: Sequence[int] = ()) -> None:
        State.take_chance(self, deck, kinds)
        self.dice_count = len(dice)
        for i in range(DICE_LIMIT):
            self.dice[i] = dice[i] if i < len(dice) else 0

    if not cython.compiled:

        def allocate(self) -> None:
            State.allocate(self)
            self.instant_scoring = self.boulders = self.obstacles = self.machine_gun = 0
            self.sudden_death = self.double_volcano = self.leaps = self.members_work_once = 0
            self.guns = self.fired = self.dice_next = self.dice_count = 0
            self.lost_once, self.lost_twice = [0] * SEATS, [0] * SEATS
            self.obstacle_sides, self.dice = bytearray(HEXES), bytearray(DICE_LIMIT)
            self.worked = bytearray(SEATS * HEXES)
            self.volcanoes_taken = self.round_scored = 0
            self.leap_stage = self.walk_hex = self.walk_member = self.erupted = 0
            self.won, self.leap_tokens, self.chosen = bytearray(SEATS), bytearray(SEATS), bytearray(SEATS)

    def settings(self) -> dict[str, int]:
        return State.settings(self) | {
            "instant_scoring": self.instant_scoring, "boulders": self.boulders, "obstacles": self.obstacles,
            "machine_gun": self.machine_gun, "sudden_death": self.sudden_death,
            "double_volcano": self.double_volcano, "leaps": self.leaps, "members_work_once": self.members_work_once,
        }  # fmt: skip

    def take_settings(self, settings: dict[str, int]) -> None:
        State.take_settings(self, settings)
        self.instant_scoring, self.boulders = settings["instant_scoring"], settings["boulders"]
        self.obstacles, self.machine_gun = settings["obstacles"], settings["machine_gun"]
        self.sudden_death, self.double_volcano = settings["sudden_death"], settings["double_volcano"]
        self.leaps, self.members_work_once = settings["leaps"], settings["members_work_once"]

    def clone(self) -> State:
        copy: VariantState = VariantState.__new__(VariantState)
        copy.copy_from(self)
        return copy

    def copy_from(self, other: State) -> None:
        State.copy_from(self, other)
        copy_more_fields(self, other)

    def key(self) -> int:
        return hash_more_fields(self, State.key(self))

    def export(self) -> dict[str, Any]:
        return State.export(self) | {
            "guns": self.guns, "fired": self.fired, "dice_next": self.dice_next, "dice_count": self.dice_count,
            "volcanoes_taken": self.volcanoes_taken, "round_scored": self.round_scored, "leap_stage": self.leap_stage,
            "walk_hex": self.walk_hex, "walk_member": self.walk_member, "erupted": self.erupted,
            "lost_once": [self.lost_once[i] for i in range(SEATS)],
            "lost_twice": [self.lost_twice[i] for i in range(SEATS)],
            "obstacle_sides": [self.obstacle_sides[i] for i in range(HEXES)],
            "dice": [self.dice[i] for i in range(DICE_LIMIT)],
            "worked": [self.worked[i] for i in range(SEATS * HEXES)],
            "won": [self.won[i] for i in range(SEATS)],
            "leap_tokens": [self.leap_tokens[i] for i in range(SEATS)],
            "chosen": [self.chosen[i] for i in range(SEATS)],
        }  # fmt: skip

    def restore(self, fields: dict[str, Any]) -> None:
        self.guns, self.fired = fields["guns"], fields["fired"]
        self.dice_next, self.dice_count = fields["dice_next"], fields["dice_count"]
        self.volcanoes_taken, self.round_scored = fields["volcanoes_taken"], fields["round_scored"]
        self.leap_stage, self.erupted = fields["leap_stage"], fields["erupted"]
        self.walk_hex, self.walk_member = fields["walk_hex"], fields["walk_member"]
        for i in range(SEATS):
            self.lost_once[i], self.lost_twice[i] = fields["lost_once"][i], fields["lost_twice"][i]
            self.won[i], self.leap_tokens[i], self.chosen[i] = (
                fields["won"][i],
                fields["leap_tokens"][i],
                fields["chosen"][i],
            )
        for i in range(HEXES):
            self.obstacle_sides[i] = fields["obstacle_sides"][i]
        for i in range(DICE_LIMIT):
            self.dice[i] = fields["dice"][i]
        for i in range(SEATS * HEXES):
            self.worked[i] = fields["worked"][i]
        State.restore(self, fields)

    def rebuild(self) -> None:
        State.rebuild(self)
        for hex in range(HEXES):
            for direction in range(6):
                if self.obstacle_sides[hex] >> direction & 1 and self.cost[hex * 6 + direction]:
                    self.cost[hex * 6 + direction] += OBSTACLE_COST

    # The added actions: where they join the official ones

    def legal(self, out: Moves) -> int:
        if self.phase == DECIDING:
            out.item[0] = DECIDE
            out.item[1] = DECIDE | 1 << 5
            out.count = 2
        elif self.phase == LEAPING:
            out.count = min(LEAP_LIMIT, self.leap_tokens[self.seat]) + 1
            for tokens in range(out.count):
                out.item[tokens] = LEAP | tokens << 5
        else:
            State.legal(self, out)
        return out.count

    def legal_actions(self, out: Moves) -> int:
        if self.leap_stage == SPENT:
            out.item[0] = END
            return 1
        n = State.legal_actions(self, out)
        if self.guns:
            n = self.drop_barred(out, n)
        if self.leap_stage == WALKING:
            return self.keep_walk(out, n)
        if self.obstacles and self.ap >= OBSTACLE_AP:
            n = self.add_obstacles(out, n)
        if self.machine_gun and self.ap >= GUN_AP:
            n = self.add_guns(out, n)
        if self.guns and self.ap >= SHOOT_AP:
            n = self.add_shots(out, n)
        return n

    def price(self, action: int) -> int:
        kind = action & 31
        if kind == OBSTACLE:
            return OBSTACLE_AP
        if kind == GUN:
            return GUN_AP
        if kind == SHOOT:
            return SHOOT_AP
        return State.price(self, action)

    def apply_unchecked(self, action: int) -> None:
        kind = action & 31
        if kind == DECIDE:
            self.decide(action >> 5)
        elif kind == LEAP:
            self.choose(action >> 5)
        else:
            State.apply_unchecked(self, action)

    def act(self, kind: int, p: int, q: int, r: int) -> None:
        if kind == OBSTACLE:
            self.build_obstacle(p, q)
        elif kind == GUN:
            self.place_guard(p)
            self.guns |= bit(p)
            self.fired |= bit(p)
        elif kind == SHOOT:
            self.shoot(p, q)
        else:
            State.act(self, kind, p, q, r)
        if self.leap_stage != NO_LEAP:
            self.note_step(kind, q, r)

    def forget_work(self, seat: int) -> None:
        State.forget_work(self, seat)
        self.lost_once[seat] = self.lost_twice[seat] = 0
        self.fired = 0
        for hex in range(HEXES):
            self.worked[seat * HEXES + hex] = 0

    # Members work once (the Chinese rulebook)

    def fresh(self, seat: int, hex: int) -> int:
        """How many members of a seat on a hex have not worked this turn; workers lost there still count [R21]."""
        return self.workforce(seat, hex) - self.worked[seat * HEXES + hex]

    def add_work(self, out: Moves, n: int) -> int:
        """Only members that have not worked this turn can work [R21]."""
        first = n
        n = State.add_work(self, out, n)
        if not self.members_work_once:
            return n
        kept = first
        for i in range(first, n):
            if self.fresh(self.seat, out.item[i] >> 5 & 63) > 0:
                out.item[kept] = out.item[i]
                kept += 1
        return kept

    def note_work(self, hex: int) -> None:
        State.note_work(self, hex)
        if self.members_work_once:
            self.worked[self.seat * HEXES + hex] += 1

    def move(self, member: int, start: int, goal: int) -> None:
        """A member that has worked keeps its mark when it moves [R21]."""
        before = self.worked[self.seat * HEXES + start]
        State.move(self, member, start, goal)
        self.worked[self.seat * HEXES + goal] += before - self.worked[self.seat * HEXES + start]

    def leave(self, seat: int, member: int, hex: int) -> None:
        """A member that has not worked leaves first, if there is one [R21]."""
        if self.worked[seat * HEXES + hex] and self.fresh(seat, hex) == 0:
            self.worked[seat * HEXES + hex] -= 1
        State.leave(self, seat, member, hex)

    def place_guard(self, hex: int) -> None:
        """All members of the seat leave the hex; only workers lost to boulders may still count as having worked."""
        State.place_guard(self, hex)
        seat = self.seat
        self.worked[seat * HEXES + hex] = min(self.worked[seat * HEXES + hex], self.lost(seat, hex))

    # Boulders (O'Sullivan)

    def excavate(self, hex: int) -> None:
        State.excavate(self, hex)
        if self.boulders:
            self.roll(hex)

    def roll(self, hex: int) -> None:
        """A sum not above the new level kills a worker there; the leader is never hit [R10]."""
        seat = self.seat
        total = self.dice[self.dice_next]
        self.dice_next += 1
        if total <= self.level[hex] and self.workers[seat * HEXES + hex]:
            State.leave(self, seat, WORKER, hex)
            if self.lost_once[seat] & bit(hex):
                self.lost_twice[seat] |= bit(hex)
            self.lost_once[seat] |= bit(hex)

    def lost(self, seat: int, hex: int) -> int:
        """Workers that a seat lost to boulders on a hex this turn."""
        if self.lost_twice[seat] & bit(hex):
            return 2
        if self.lost_once[seat] & bit(hex):
            return 1
        return 0

    def workforce(self, seat: int, hex: int) -> int:
        """Workers lost there this turn still count."""
        return self.members(seat, hex) + self.lost(seat, hex)

    # Obstacles (O'Sullivan)

    def free_hexes(self) -> int:
        """Hexes with a free worker of the seat: a worker, and more members than work done there this turn.

        With `members_work_once`, members that have worked anywhere count as busy [R21].
        """
        seat = self.seat
        free = mask = self.occupied[seat]
        while mask:
            hex = lowest_bit(mask)
            mask &= mask - 1
            busy = self.worked[seat * HEXES + hex] if self.members_work_once else self.done(seat, hex)
            if not self.workers[seat * HEXES + hex] or self.workforce(seat, hex) <= busy:
                free &= ~bit(hex)
        return free

    def add_obstacles(self, out: Moves, n: int) -> int:
        free = mask = self.free_hexes()
        while mask:
            hex = lowest_bit(mask)
            mask &= mask - 1
            for direction in range(6):
                if not self.cost[hex * 6 + direction] or self.obstacle_sides[hex] >> direction & 1:
                    continue
                other = NEIGHBOUR[hex * 6 + direction]
                if hex < other:
                    out.item[n] = OBSTACLE | hex << 5 | other << 11
                    n += 1
                elif not free & bit(other):
                    out.item[n] = OBSTACLE | other << 5 | hex << 11
                    n += 1
        return n

    def build_obstacle(self, hex: int, other: int) -> None:
        direction = STEP[hex * HEXES + other]
        self.raise_passage(hex, direction)
        self.raise_passage(other, (direction + 3) % 6)

    def raise_passage(self, hex: int, direction: int) -> None:
        self.obstacle_sides[hex] |= 1 << direction
        self.cost[hex * 6 + direction] += OBSTACLE_COST

    # Machine guns (O'Sullivan)

    def barred(self) -> int:
        """The hexes with a gun of another seat."""
        mask = self.guns
        barred = self.guns
        while mask:
            hex = lowest_bit(mask)
            mask &= mask - 1
            if self.guard[hex] == self.seat + 1:
                barred &= ~bit(hex)
        return barred

    def drop_barred(self, out: Moves, n: int) -> int:
        barred = self.barred()
        kept = 0
        for i in range(n):
            action = out.item[i]
            if action & 31 == MOVE and barred & bit(action >> 11 & 63):
                continue
            out.item[kept] = action
            kept += 1
        return kept

    def add_guns(self, out: Moves, n: int) -> int:
        """Guns are placed like guards, but take two workers and a lead in strength of at least two [R19]."""
        seat = self.seat
        if self.guard_count[seat] >= GUARD_LIMIT:
            return n
        mask = self.occupied[seat] & self.temples & ~self.guarded
        while mask:
            hex = lowest_bit(mask)
            mask &= mask - 1
            ahead = self.strength(seat, hex) - self.rivals(seat, hex)
            if self.workers[seat * HEXES + hex] >= GUN_WORKERS and ahead >= GUN_WORKERS:
                out.item[n] = GUN | hex << 5
                n += 1
        return n

    def add_shots(self, out: Moves, n: int) -> int:
        """Each gun can shoot once in a turn of its owner, from the owner's next turn on."""
        mask = self.guns & ~self.fired
        while mask:
            hex = lowest_bit(mask)
            mask &= mask - 1
            if self.guard[hex] != self.seat + 1:
                continue
            for other in range(self.players):
                if other != self.seat and self.workers[other * HEXES + hex]:
                    out.item[n] = SHOOT | hex << 5 | other << 11
                    n += 1
        return n

    def shoot(self, hex: int, seat: int) -> None:
        self.fired |= bit(hex)
        self.leave(seat, WORKER, hex)

    # Instant scoring (Hannes) and sudden death (Kwok): what a volcano does

    def begin_round(self, opener: int) -> None:
        self.round_scored = self.erupted = 0
        State.begin_round(self, opener)

    def meet_volcano(self) -> None:
        self.volcanoes_taken += 1
        if self.sudden_death and self.double_volcano == TAKER_DECIDES and not self.must_score():
            self.phase = DECIDING
        else:
            self.score_volcano()

    def must_score(self) -> int:
        """Whether a volcano must score: the third of the game, and the last of its round if none has scored."""
        if self.volcanoes_taken == VOLCANOES:
            return 1
        mask = self.display
        while mask:
            if TILE_TERRAIN[lowest_bit(mask)] == VOLCANO:
                return 0
            mask &= mask - 1
        return not self.round_scored

    def decide(self, scores: int) -> None:
        if scores:
            self.score_volcano()
        else:
            self.ask_place()

    def score_volcano(self) -> None:
        self.round_scored = 1
        if self.instant_scoring:
            self.order_clockwise(self.turn_seat)
            self.score_in_order()
            self.ask_place()
        else:
            State.meet_volcano(self)

    def score_in_order(self) -> None:
        """All seats score, without spending AP first."""
        for i in range(self.players):
            self.score_seat(self.order[i])
            self.order[i] = 0

    def tile_placed(self) -> None:
        if self.leaps:
            self.place += 1
            self.place_next()
        elif self.sudden_death and self.volcanoes_taken == VOLCANOES:
            self.finish()
        else:
            State.tile_placed(self)

    # Leaps (Hohls): tiles are won first, then placed, then tokens are spent

    def take_tile(self, tile: int) -> None:
        if not self.leaps:
            State.take_tile(self, tile)
            return
        self.display &= ~bit(tile)
        self.join_round(self.seat, tile)
        if self.had_turn != (1 << self.players) - 1:
            self.begin_auction(self.next_seat(self.seat, ~self.had_turn))
        else:
            self.place = 0
            self.place_next()

    def join_round(self, seat: int, tile: int) -> None:
        """Seats join the round's order as they win tiles; a volcano moves its winner to the front."""
        self.had_turn |= 1 << seat
        self.won[seat] = tile
        at = self.place
        if TILE_TERRAIN[tile] == VOLCANO:
            self.volcano_seat = seat
            self.erupted = 1
            while at > 0:
                self.order[at] = self.order[at - 1]
                at -= 1
        self.order[at] = seat
        self.place += 1

    def place_next(self) -> None:
        if self.place == self.players:
            self.begin_leaps()
            return
        self.turn_seat = self.order[self.place]
        self.hand = self.won[self.turn_seat]
        self.won[self.turn_seat] = NO_TILE
        self.ask_place()

    def begin_leaps(self) -> None:
        for seat in range(self.players):
            self.leap_tokens[seat] = LEAP_TOKENS
        self.end_leap()

    def end_leap(self) -> None:
        """All seats with tokens choose again; without any, the round is over."""
        self.place = 0
        for seat in range(self.players):
            self.chosen[seat] = NO_CHOICE if self.leap_tokens[seat] else 0
        self.ask_tokens()

    def ask_tokens(self) -> None:
        """Asks the next seat in the round's order that has tokens and has not chosen."""
        self.phase = LEAPING
        while self.place < self.players:
            self.seat = self.order[self.place]
            self.ap = self.leap_tokens[self.seat]
            if self.ap:
                return
            self.place += 1
        self.show_tokens()

    def choose(self, tokens: int) -> None:
        self.chosen[self.seat] = tokens
        self.place += 1
        self.ask_tokens()

    def show_tokens(self) -> None:
        """All seats reveal at once; a seat that reveals none is out for the round and loses its tokens [R16]."""
        self.place = 0
        left = 0
        for seat in range(self.players):
            self.leap_tokens[seat] = self.leap_tokens[seat] - self.chosen[seat] if self.chosen[seat] else 0
            left += self.leap_tokens[seat] + self.chosen[seat]
        if left:
            self.next_leaper()
        else:
            self.end_leaps()

    def next_leaper(self) -> None:
        """The seat with the fewest tokens is next; equals go in the round's order."""
        leaper = NO_SEAT
        for i in range(self.players):
            seat = self.order[i]
            if self.chosen[seat] and (leaper == NO_SEAT or self.chosen[seat] < self.chosen[leaper]):
                leaper = seat
        if leaper == NO_SEAT:
            self.end_leap()
        else:
            self.leap_stage = FRESH
            self.begin_budget(leaper, self.chosen[leaper])

    def note_step(self, kind: int, goal: int, member: int) -> None:
        """Tokens buy one action, or one walk: any number of moves of a single member."""
        if kind == MOVE or kind == CAMP_MOVE:
            self.leap_stage = WALKING
            self.walk_hex = goal
            self.walk_member = member
        else:
            self.leap_stage = SPENT

    def keep_walk(self, out: Moves, n: int) -> int:
        kept = 1
        for i in range(1, n):
            action = out.item[i]
            kind = action & 31
            same = action >> 5 & 63 == self.walk_hex and action >> 17 & 63 == self.walk_member
            if (kind == MOVE or kind == CAMP_MOVE) and same:
                out.item[kept] = action
                kept += 1
        return kept

    def end_budget(self) -> None:
        if self.leap_stage != NO_LEAP:
            self.leap_stage = NO_LEAP
            self.walk_hex = self.walk_member = 0
            self.ap = 0
            self.chosen[self.seat] = 0
            self.next_leaper()
        elif self.leaps:
            self.ap = 0
            self.forget_work(self.seat)
            self.next_leap_round()
        else:
            State.end_budget(self)

    def end_leaps(self) -> None:
        """Limits are per round; the player who took a volcano gets 10 AP with limits of their own."""
        self.ap = 0
        for seat in range(self.players):
            self.forget_work(seat)
        if not self.erupted:
            self.next_leap_round()
            return
        for i in range(self.players):
            self.score_seat(self.order[i])
        self.begin_budget(self.volcano_seat, TURN_AP)

    def next_leap_round(self) -> None:
        """The player to the left of the last in the order opens the next round; after the last one all score [R11]."""
        opener = (self.order[self.players - 1] + 1) % self.players
        if self.deck_next == TILE_COUNT:
            self.score_in_order()
            self.finish()
            return
        for i in range(SEATS):
            self.order[i] = 0
        self.begin_round(opener)

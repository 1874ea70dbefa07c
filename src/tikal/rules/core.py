# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, infer_types=True, annotation_typing=False
"""The rules of Tikal: the whole state of a game, its legal actions and their effects.

Ordinary Python that also compiles to C: `core.pxd` declares the C types. Seats, hexes, tiles and kinds are numbers
from 0 here; `tikal.play` turns them into text. `State.apply` checks its action, `State.apply_unchecked` trusts it.
Each method implements one rule; the methods of the section "The flow of a game" decide what happens next.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from tikal.rules import tables
from tikal.rules.errors import TikalError
from tikal.rules.options import Options

if TYPE_CHECKING:
    import cython
else:
    from tikal import _nocython as cython

if not cython.compiled:
    from tikal.rules.codes import *  # noqa: F403  # C has them from the .pxd

    NEIGHBOUR = [0] * (HEXES * 6)  # hex * 6 + direction: the hex there, or -1
    STEP = [0] * (HEXES * HEXES)  # hex * HEXES + hex: the direction from one to the other, or -1
    AROUND = [0] * HEXES  # hex: its neighbours as bits
    TILE_TERRAIN = bytearray(TILE_COUNT)
    TILE_VALUE = bytearray(TILE_COUNT)
    TILE_ROTATIONS = bytearray(TILE_COUNT)  # how many distinct rotations a tile has; they are numbered from 0
    TILE_STONES = [0] * (TILE_COUNT * 6)  # tile * 6 + rotation: stones by direction, two bits each
    TILE_SIDES = bytearray(TILE_COUNT * 6)  # the same, one bit for each direction: whether there is a stone
    SET_POINTS = bytearray(4)  # points for a number of treasures of one kind

    def lowest_bit(m: int) -> int:
        return (m & -m).bit_length() - 1

    def bit(index: int) -> int:
        return 1 << index

    def copy_fields(to: State, source: State) -> None:
        to.__dict__.update((name, value if type(value) is int else value[:]) for name, value in vars(source).items())

    def hash_fields(state: State) -> int:
        return hash(tuple(value if type(value) is int else tuple(value) for value in vars(state).values())) & 2**64 - 1


CAMP_LIMIT = tables.CAMPS
GUARD_LIMIT = tables.GUARDS
LEVEL_LIMIT = tables.TOP_LEVEL
TERRAINS = {"base": BASE, "jungle": JUNGLE, "temple": TEMPLE, "treasure": TREASURE, "volcano": VOLCANO}


def pack_stones(stones: Sequence[int]) -> int:
    """Stones by direction, two bits each."""
    return sum(count << 2 * side for side, count in enumerate(stones))


def _fill_tables() -> None:
    """Copies the tables of `tables.py` into flat arrays."""
    for i in range(HEXES * HEXES):
        STEP[i] = -1
    for hex, around in enumerate(tables.NEIGHBOURS):
        AROUND[hex] = 0
        for direction, other in enumerate(around):
            NEIGHBOUR[hex * 6 + direction] = other
            if other >= 0:
                STEP[hex * HEXES + other] = direction
                AROUND[hex] |= bit(other)
    for index, tile in enumerate(tables.TILES):
        TILE_TERRAIN[index] = TERRAINS[tile.terrain]
        TILE_VALUE[index] = tile.value
        TILE_ROTATIONS[index] = len(tile.rotations())
        for rotation in range(6):
            stones = tile.turned(rotation)
            TILE_STONES[index * 6 + rotation] = pack_stones(stones)
            TILE_SIDES[index * 6 + rotation] = sum(1 << side for side in range(6) if stones[side])
    for count, points in enumerate(tables.SET_POINTS):
        SET_POINTS[count] = points


_fill_tables()


class Moves:
    """A reusable list of actions, filled by `State.legal`.

    >>> state = State(Options(), range(36), [kind for kind in range(8) for _ in range(3)])
    >>> moves = Moves()
    >>> state.legal(moves) == len(list(moves))
    True
    """

    def __init__(self) -> None:
        self.count = 0
        if not cython.compiled:
            self.item = [0] * MAX_MOVES

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, index: int) -> int:
        if not 0 <= index < self.count:
            raise IndexError(index)
        return self.item[index]

    def __iter__(self) -> Iterator[int]:
        return iter([self.item[i] for i in range(self.count)])


class Ways(Moves):
    """The cheapest walks from a hex, filled by `State.ways`, and the working memory for that.

    >>> ways = Ways()
    >>> State(Options(), range(36), [0, 1, 2, 3, 4, 5, 6, 7] * 3).ways(0, 2, ways)
    3
    """

    def __init__(self) -> None:
        Moves.__init__(self)
        if not cython.compiled:
            self.cost = bytearray(HEXES)  # cost of the walk to a hex; 255: none is known yet
            self.steps = bytearray(HEXES)  # hexes of the walk to a hex
            self.last = [0] * HEXES  # the last step of the walk to a hex

    def consider(self, last: int, cost: int) -> None:
        """Keeps a walk, given by its last step, if it beats the known one there: cheaper, or as cheap and first."""
        goal = last >> 11 & 63
        if cost < self.cost[goal] or (cost == self.cost[goal] and self.comes_first(last, self.last[goal])):
            self.cost[goal] = cost
            self.last[goal] = last
            self.steps[goal] = self.steps[last >> 5 & 63] + 1

    def comes_first(self, last: int, other: int) -> int:
        """Whether the first of two walks to a hex is shorter, or as long and its first different step sorts first."""
        if self.steps[last >> 5 & 63] != self.steps[other >> 5 & 63]:
            return self.steps[last >> 5 & 63] < self.steps[other >> 5 & 63]
        first = 0
        while last != other:
            first = last < other
            if not self.steps[last >> 5 & 63]:
                break
            last = self.last[last >> 5 & 63]
            other = self.last[other >> 5 & 63]
        return first


@cython.freelist(64)  # searches create and drop clones all the time; this reuses their memory
@cython.cclass
class State:
    """A game at one moment: everything, including what is hidden. Flat, so that a copy is one memcpy.

    `deck` and `kinds` are the whole order of tiles and of treasure tokens, as they will come up.

    >>> state = State(Options(players=2), range(36), [kind for kind in range(8) for _ in range(3)])
    >>> state.phase, state.seat, state.hand
    (0, 0, 0)
    """

    def __init__(self, options: Options, deck: Sequence[int], kinds: Sequence[int], dice: Sequence[int] = ()) -> None:
        if not cython.compiled:
            self.allocate()
        self.take_options(options)
        self.take_chance(deck, kinds, dice)
        self.set_up(options.table)
        self.rebuild()
        self.begin()

    def take_options(self, options: Options) -> None:
        self.players = options.players
        self.camp_needs_member = int(options.camp_needs_member)
        self.tie_by_guard = int(options.tie_break == "guard_then_treasures")
        self.volcano_may_seal = int(options.volcano_may_seal)
        self.final_after_volcano = int(options.final_start == "after_last_volcano")
        self.leader_may_guard = int(options.leader_may_guard)
        self.auction = int(options.auction)

    def take_chance(self, deck: Sequence[int], kinds: Sequence[int], dice: Sequence[int] = ()) -> None:
        """Sets the chance. A search replaces it with another deal that looks the same to the seat."""
        for i in range(TILE_COUNT):
            self.deck[i] = deck[i]
        for i in range(TOKENS):
            self.kinds[i] = kinds[i]

    if not cython.compiled:

        def allocate(self) -> None:
            """Creates the arrays that C declares in the .pxd. A bytearray refuses values that would wrap in C."""
            self.players = self.camp_needs_member = self.tie_by_guard = self.volcano_may_seal = 0
            self.final_after_volcano = self.leader_may_guard = self.auction = self.base = 0
            self.place = self.phase = self.seat = self.ap = self.hand = self.turn_seat = self.volcano_seat = 0
            self.round_kind = self.had_turn = self.out = self.first_out = self.bid = self.bidder = 0
            self.deck_next = self.kind_next = self.winners = self.display = self.gone = 0
            self.terrain, self.tile, self.rotation, self.level = (bytearray(HEXES) for _ in range(4))
            self.camp, self.guard, self.tokens, self.token_at = (bytearray(HEXES) for _ in range(4))
            self.stones = [0] * HEXES
            self.order, self.leader, self.reserve = (bytearray(SEATS) for _ in range(3))
            self.done_once, self.done_twice, self.score = ([0] * SEATS for _ in range(3))
            self.workers, self.treasures = bytearray(SEATS * HEXES), bytearray(SEATS * KINDS)
            self.supply, self.deck, self.kinds = bytearray(16), bytearray(40), bytearray(TOKENS)
            self.cost, self.near, self.toward = bytearray(HEXES * 6), bytearray(HEXES), bytearray(HEXES)
            self.singles, self.camp_count, self.guard_count = (bytearray(SEATS) for _ in range(3))
            self.empty = self.rim = self.temples = self.guarded = self.clearings = self.undug = 0
            self.home, self.occupied = [0] * SEATS, [0] * SEATS

    def set_up(self, board: tables.Board) -> None:
        """Sets up the board, and the pieces as they are before the first turn."""
        for i in range(HEXES):
            self.tile[i] = NO_TILE
        for name, printed in board.printed.items():
            hex = tables.HEX_INDEX[name]
            self.terrain[hex] = CLOSED if printed.terrain in tables.CLOSED_TERRAINS else TERRAINS[printed.terrain]
            self.level[hex] = printed.level
            self.stones[hex] = pack_stones(printed.stones)
        self.base = tables.HEX_INDEX[board.base]
        for seat in range(self.players):
            self.leader[seat] = RESERVE
            self.reserve[seat] = tables.WORKERS
            self.score[seat] = tables.AUCTION_SCORE if self.auction else 0
        for level, count in tables.LEVEL_TILES.items():
            self.supply[level] = count
        self.hand = NO_TILE
        self.volcano_seat = self.first_out = self.bidder = NO_SEAT

    # Copies and keys

    def __copy__(self) -> State:
        return self.clone()

    def __deepcopy__(self, _memo: Any) -> State:
        return self.clone()

    def __reduce__(self) -> tuple[Any, ...]:
        """For pickle: the options and the fields of `export`, readable in both modes."""
        from tikal.rules.pickling import packed, unpacked

        return unpacked, packed(self)

    def settings(self) -> dict[str, int]:
        """The options in the core's form, by name."""
        return {
            "players": self.players, "camp_needs_member": self.camp_needs_member, "tie_by_guard": self.tie_by_guard,
            "volcano_may_seal": self.volcano_may_seal, "final_after_volcano": self.final_after_volcano,
            "leader_may_guard": self.leader_may_guard, "auction": self.auction, "base": self.base,
        }  # fmt: skip

    def resume(self, settings: dict[str, int], fields: dict[str, Any]) -> None:
        """Turns a blank state into the one that `settings` and `export` describe."""
        if not cython.compiled:
            self.allocate()
        self.take_settings(settings)
        self.restore(fields)

    def take_settings(self, settings: dict[str, int]) -> None:
        self.players, self.base = settings["players"], settings["base"]
        self.camp_needs_member, self.tie_by_guard = settings["camp_needs_member"], settings["tie_by_guard"]
        self.volcano_may_seal, self.auction = settings["volcano_may_seal"], settings["auction"]
        self.final_after_volcano = settings["final_after_volcano"]
        self.leader_may_guard = settings["leader_may_guard"]

    def clone(self) -> State:
        """An independent copy."""
        copy: State = State.__new__(State)
        copy_fields(copy, self)
        return copy

    def copy_from(self, other: State) -> None:
        """Becomes equal to another state."""
        copy_fields(self, other)

    def key(self) -> int:
        """A 64-bit number, equal for equal states of a game."""
        return hash_fields(self)

    def export(self) -> dict[str, Any]:
        """Every field by name, as numbers and lists: what `restore` takes.

        >>> State(Options(), range(36), [0, 1, 2, 3, 4, 5, 6, 7] * 3).export()["reserve"]
        [18, 18, 0, 0]
        """
        return {
            "place": self.place, "phase": self.phase, "seat": self.seat, "ap": self.ap, "hand": self.hand,
            "turn_seat": self.turn_seat, "volcano_seat": self.volcano_seat, "round_kind": self.round_kind,
            "had_turn": self.had_turn, "out": self.out, "first_out": self.first_out, "bid": self.bid,
            "bidder": self.bidder, "deck_next": self.deck_next, "kind_next": self.kind_next, "winners": self.winners,
            "display": self.display, "gone": self.gone,
            "order": [self.order[i] for i in range(SEATS)],
            "terrain": [self.terrain[i] for i in range(HEXES)],
            "tile": [self.tile[i] for i in range(HEXES)],
            "rotation": [self.rotation[i] for i in range(HEXES)],
            "level": [self.level[i] for i in range(HEXES)],
            "camp": [self.camp[i] for i in range(HEXES)],
            "guard": [self.guard[i] for i in range(HEXES)],
            "tokens": [self.tokens[i] for i in range(HEXES)],
            "token_at": [self.token_at[i] for i in range(HEXES)],
            "stones": [self.stones[i] for i in range(HEXES)],
            "done_once": [self.done_once[i] for i in range(SEATS)],
            "done_twice": [self.done_twice[i] for i in range(SEATS)],
            "score": [self.score[i] for i in range(SEATS)],
            "workers": [self.workers[i] for i in range(SEATS * HEXES)],
            "leader": [self.leader[i] for i in range(SEATS)],
            "reserve": [self.reserve[i] for i in range(SEATS)],
            "treasures": [self.treasures[i] for i in range(SEATS * KINDS)],
            "supply": [self.supply[i] for i in range(16)],
            "deck": [self.deck[i] for i in range(TILE_COUNT)],
            "kinds": [self.kinds[i] for i in range(TOKENS)],
        }  # fmt: skip

    def restore(self, fields: dict[str, Any]) -> None:
        """Sets the fields that `export` returned (for a game with the same options), and derives the rest."""
        self.place, self.phase, self.seat, self.ap = (
            fields["place"],
            fields["phase"],
            fields["seat"],
            fields["ap"],
        )
        self.hand, self.turn_seat, self.volcano_seat = (
            fields["hand"],
            fields["turn_seat"],
            fields["volcano_seat"],
        )
        self.round_kind, self.had_turn, self.out = fields["round_kind"], fields["had_turn"], fields["out"]
        self.first_out, self.bid, self.bidder = fields["first_out"], fields["bid"], fields["bidder"]
        self.deck_next, self.kind_next = fields["deck_next"], fields["kind_next"]
        self.winners, self.display, self.gone = fields["winners"], fields["display"], fields["gone"]
        for i in range(HEXES):
            self.terrain[i], self.tile[i] = fields["terrain"][i], fields["tile"][i]
            self.rotation[i], self.level[i] = fields["rotation"][i], fields["level"][i]
            self.camp[i], self.guard[i] = fields["camp"][i], fields["guard"][i]
            self.tokens[i], self.token_at[i] = fields["tokens"][i], fields["token_at"][i]
            self.stones[i] = fields["stones"][i]
        for i in range(SEATS):
            self.order[i], self.score[i] = fields["order"][i], fields["score"][i]
            self.leader[i], self.reserve[i] = fields["leader"][i], fields["reserve"][i]
            self.done_once[i], self.done_twice[i] = fields["done_once"][i], fields["done_twice"][i]
        for i in range(SEATS * HEXES):
            self.workers[i] = fields["workers"][i]
        for i in range(SEATS * KINDS):
            self.treasures[i] = fields["treasures"][i]
        for i in range(16):
            self.supply[i] = fields["supply"][i]
        for i in range(TILE_COUNT):
            self.deck[i] = fields["deck"][i]
        for i in range(TOKENS):
            self.kinds[i] = fields["kinds"][i]
        self.rebuild()

    # Derived data: masks, passage costs, what touches an empty hex

    def rebuild(self) -> None:
        """Recomputes all derived data. Actions keep it up to date; a test compares the two."""
        self.empty = self.rim = self.temples = self.guarded = self.clearings = self.undug = 0
        for i in range(HEXES * 6):
            self.cost[i] = 0
        for hex in range(HEXES):
            self.near[hex] = self.toward[hex] = 0
            if self.terrain[hex] == EMPTY:
                self.empty |= bit(hex)
        for hex in range(HEXES):
            if EMPTY < self.terrain[hex] < CLOSED:
                self.explore(hex)
            if self.guard[hex]:
                self.guarded |= bit(hex)
        for seat in range(SEATS):
            self.rebuild_seat(seat)

    def rebuild_seat(self, seat: int) -> None:
        self.home[seat] = bit(self.base)
        self.occupied[seat] = 0
        self.singles[seat] = self.camp_count[seat] = self.guard_count[seat] = 0
        for hex in range(HEXES):
            if self.members(seat, hex):
                self.occupied[seat] |= bit(hex)
            if self.camp[hex] == seat + 1:
                self.home[seat] |= bit(hex)
                self.camp_count[seat] += 1
            if self.guard[hex] == seat + 1:
                self.guard_count[seat] += 1
        for kind in range(KINDS):
            self.note_single(seat, kind)

    def explore(self, hex: int) -> None:
        """Explores a hex: updates masks, passages to its neighbours, and what its empty neighbours now touch."""
        terrain = self.terrain[hex]
        self.empty &= ~bit(hex)
        self.rim = (self.rim | AROUND[hex]) & self.empty
        if terrain == VOLCANO:
            return
        if terrain == TEMPLE:
            self.temples |= bit(hex)
        elif terrain == TREASURE and self.tokens[hex]:
            self.undug |= bit(hex)
        elif terrain != BASE and not self.camp[hex]:
            self.clearings |= bit(hex)
        for direction in range(6):
            other = NEIGHBOUR[hex * 6 + direction]
            if other < 0:
                continue
            back = (direction + 3) % 6
            mine = self.stones[hex] >> 2 * direction & 3
            if self.terrain[other] == EMPTY:
                self.near[other] |= 1 << back
                if mine:
                    self.toward[other] |= 1 << back
            elif self.terrain[other] < VOLCANO:
                both = mine + (self.stones[other] >> 2 * back & 3)
                self.cost[hex * 6 + direction] = both
                self.cost[other * 6 + back] = both

    # Queries

    def members(self, seat: int, hex: int) -> int:
        """How many members a seat has on a hex."""
        count = self.workers[seat * HEXES + hex]
        if self.leader[seat] == hex:
            count += 1
        return count

    def strength(self, seat: int, hex: int) -> int:
        """Workers count 1, the leader 3 [R17]."""
        strength = self.workers[seat * HEXES + hex]
        if self.leader[seat] == hex:
            strength += LEADER_STRENGTH
        return strength

    def rivals(self, seat: int, hex: int) -> int:
        """The greatest strength of any other seat on a hex."""
        most = 0
        for other in range(self.players):
            if other != seat and self.occupied[other] & bit(hex):
                strength = self.strength(other, hex)
                if strength > most:
                    most = strength
        return most

    def holder(self, hex: int) -> int:
        """The seat for which a temple would score: the guard's owner, or the strictly strongest one; else NO_SEAT."""
        if self.guard[hex]:
            return self.guard[hex] - 1
        for seat in range(self.players):
            if self.occupied[seat] & bit(hex):
                if self.strength(seat, hex) > self.rivals(seat, hex):
                    return seat
        return NO_SEAT

    def done(self, seat: int, hex: int) -> int:
        """Levels or tokens that a seat took on a hex in this turn."""
        if self.done_twice[seat] & bit(hex):
            return 2
        if self.done_once[seat] & bit(hex):
            return 1
        return 0

    def workforce(self, seat: int, hex: int) -> int:
        """The members that count for work on a hex: those present [R5]."""
        return self.members(seat, hex)

    def temple_points(self, seat: int) -> int:
        """What a seat's temples would score now."""
        points = 0
        mask = self.guarded | self.temples & self.occupied[seat]
        while mask:
            hex = lowest_bit(mask)
            mask &= mask - 1
            if self.guard[hex]:
                if self.guard[hex] == seat + 1:
                    points += self.level[hex]
            elif self.strength(seat, hex) > self.rivals(seat, hex):
                points += self.level[hex]
        return points

    def treasure_points(self, seat: int) -> int:
        """What a seat's treasures would score now."""
        points = 0
        for kind in range(KINDS):
            points += SET_POINTS[self.treasures[seat * KINDS + kind]]
        return points

    def price(self, action: int) -> int:
        """The cost of an action in AP.

        >>> State(Options(), range(36), [0, 1, 2, 3, 4, 5, 6, 7] * 3).price(4)
        2
        """
        kind = action & 31
        if kind == MOVE:
            return self.cost[(action >> 5 & 63) * 6 + STEP[(action >> 5 & 63) * HEXES + (action >> 11 & 63)]]
        if kind == ENTER:
            return ENTER_AP
        if kind == CAMP_MOVE:
            return CAMP_MOVE_AP
        if kind == EXCAVATE:
            return EXCAVATE_AP
        if kind == DIG:
            return DIG_AP
        if kind == EXCHANGE:
            return EXCHANGE_AP
        if kind == CAMP:
            return CAMP_AP
        if kind == GUARD:
            return GUARD_AP
        return 0

    # Walks

    def barred(self) -> int:
        """The hexes that the seat's members may not enter, as bits; without variants there are none."""
        return 0

    def ways(self, start: int, most: int, out: Ways) -> int:
        """Writes a member's cheapest walk to each hex within `most` AP; returns how many hexes there are.

        An item holds the last step of a walk as a worker's action, and in the bits above it the cost of the whole walk.
        Cheaper walks come first, so the walk to the hex before the last step is already in the list. Of several walks
        with the same cost, the one with the fewest steps is written, and of these the one whose actions sort first.
        """
        home = self.home[self.seat]
        barred = self.barred()
        n = 0
        for hex in range(HEXES):
            out.cost[hex] = 255
        out.cost[start] = out.steps[start] = 0
        for cost in range(most + 1):
            for hex in range(HEXES):
                if out.cost[hex] != cost:
                    continue
                if hex != start:
                    out.item[n] = cost << 17 | out.last[hex]
                    n += 1
                for direction in range(6):
                    price = self.cost[hex * 6 + direction]
                    if price and not barred & bit(NEIGHBOUR[hex * 6 + direction]):
                        out.consider(MOVE | hex << 5 | NEIGHBOUR[hex * 6 + direction] << 11, cost + price)
                if home & bit(hex):
                    goals = home & ~bit(hex)
                    while goals:
                        out.consider(CAMP_MOVE | hex << 5 | lowest_bit(goals) << 11, cost + CAMP_MOVE_AP)
                        goals &= goals - 1
        out.count = n
        return n

    # Legal actions

    def legal(self, out: Moves) -> int:
        """Writes all legal actions into `out` and returns how many there are."""
        if self.phase == ACTING:
            n = self.legal_actions(out)
        elif self.phase == PLACING:
            n = self.legal_places(out, MAX_MOVES)
        elif self.phase == BIDDING:
            n = self.legal_bids(out)
        elif self.phase == TAKING:
            n = self.legal_takes(out)
        else:
            n = 0
        out.count = n
        return n

    def legal_actions(self, out: Moves) -> int:
        out.item[0] = END
        n = 1
        if self.ap > 0:
            n = self.add_entries(out, n)
            n = self.add_moves(out, n)
        if self.ap >= EXCAVATE_AP:
            n = self.add_work(out, n)
        if self.ap >= EXCHANGE_AP and self.singles[self.seat]:
            n = self.add_exchanges(out, n)
        if self.ap >= CAMP_AP:
            n = self.add_camps(out, n)
            n = self.add_guards(out, n)
        return n

    def add_entries(self, out: Moves, n: int) -> int:
        """Members enter from the reserve onto the base camp or one of the seat's camps, never another seat's [R7]."""
        seat = self.seat
        mask = self.home[seat]
        while mask:
            hex = lowest_bit(mask)
            mask &= mask - 1
            if self.reserve[seat]:
                out.item[n] = ENTER | hex << 5
                n += 1
            if self.leader[seat] == RESERVE:
                out.item[n] = ENTER | hex << 5 | LEADER << 17
                n += 1
        return n

    def add_moves(self, out: Moves, n: int) -> int:
        """Members move along passages, and between camps; where both join two hexes there are two actions [R13]."""
        seat = self.seat
        ap = self.ap
        leader = self.leader[seat]
        home = self.home[seat]
        mask = self.occupied[seat]
        while mask:
            hex = lowest_bit(mask)
            mask &= mask - 1
            workers = self.workers[seat * HEXES + hex]
            for direction in range(6):
                cost = self.cost[hex * 6 + direction]
                if 0 < cost <= ap:
                    move = MOVE | hex << 5 | NEIGHBOUR[hex * 6 + direction] << 11
                    if workers:
                        out.item[n] = move
                        n += 1
                    if leader == hex:
                        out.item[n] = move | LEADER << 17
                        n += 1
            if home & bit(hex):
                goals = home & ~bit(hex)
                while goals:
                    move = CAMP_MOVE | hex << 5 | lowest_bit(goals) << 11
                    goals &= goals - 1
                    if workers:
                        out.item[n] = move
                        n += 1
                    if leader == hex:
                        out.item[n] = move | LEADER << 17
                        n += 1
        return n

    def add_work(self, out: Moves, n: int) -> int:
        """The second level or token of a turn on a hex needs a second member there; a third is not possible [R5]."""
        seat = self.seat
        free = self.occupied[seat] & ~self.done_twice[seat]
        mask = free & self.temples & ~self.guarded
        while mask:
            hex = lowest_bit(mask)
            mask &= mask - 1
            level = self.level[hex]
            if level < LEVEL_LIMIT and self.supply[level + 1] and self.workforce(seat, hex) > self.done(seat, hex):
                out.item[n] = EXCAVATE | hex << 5
                n += 1
        if self.ap >= DIG_AP:
            mask = free & self.undug
            while mask:
                hex = lowest_bit(mask)
                mask &= mask - 1
                if self.members(seat, hex) > self.done(seat, hex):
                    out.item[n] = DIG | hex << 5
                    n += 1
        return n

    def add_exchanges(self, out: Moves, n: int) -> int:
        """The seat swaps its only token of a kind for another seat's only token of a different kind [R12]."""
        seat = self.seat
        for other in range(self.players):
            if other == seat or not self.singles[other]:
                continue
            for given in range(KINDS):
                if not self.singles[seat] >> given & 1:
                    continue
                for taken in range(KINDS):
                    if self.singles[other] >> taken & 1 and taken != given:
                        out.item[n] = EXCHANGE | other << 5 | given << 11 | taken << 17
                        n += 1
        return n

    def add_camps(self, out: Moves, n: int) -> int:
        """A camp can be founded on a clearing without one; no path needs to lead there [R7]."""
        seat = self.seat
        if self.camp_count[seat] >= CAMP_LIMIT:
            return n
        mask = self.clearings
        if self.camp_needs_member:
            mask &= self.occupied[seat]
        while mask:
            out.item[n] = CAMP | lowest_bit(mask) << 5
            mask &= mask - 1
            n += 1
        return n

    def add_guards(self, out: Moves, n: int) -> int:
        """Guards go where the seat is stronger than every other; the leader may be one if the option allows it [R6]."""
        seat = self.seat
        if self.guard_count[seat] >= GUARD_LIMIT:
            return n
        mask = self.occupied[seat] & self.temples & ~self.guarded
        while mask:
            hex = lowest_bit(mask)
            mask &= mask - 1
            if self.strength(seat, hex) <= self.rivals(seat, hex):
                continue
            if self.workers[seat * HEXES + hex]:
                out.item[n] = GUARD | hex << 5
                n += 1
            if self.leader[seat] == hex and self.leader_may_guard:
                out.item[n] = GUARD | hex << 5 | LEADER << 17
                n += 1
        return n

    def legal_places(self, out: Moves, most: int) -> int:
        """Placements of the current tile, up to a limit. A stone on either side must lead to an enterable hex."""
        tile = self.hand
        if TILE_TERRAIN[tile] == VOLCANO:
            return self.legal_volcano_places(out, most)
        n = 0
        mask = self.rim
        while mask and n < most:
            hex = lowest_bit(mask)
            mask &= mask - 1
            for rotation in range(TILE_ROTATIONS[tile]):
                if self.toward[hex] or TILE_SIDES[tile * 6 + rotation] & self.near[hex]:
                    out.item[n] = PLACE | hex << 5 | rotation << 11 | tile << 17
                    n += 1
        return n

    def legal_volcano_places(self, out: Moves, most: int) -> int:
        """A volcano needs no stones; any explored neighbour will do, even another volcano [R1]."""
        n = 0
        mask = self.rim
        while mask and n < most:
            hex = lowest_bit(mask)
            mask &= mask - 1
            if self.volcano_may_seal or not self.seals(hex):
                out.item[n] = PLACE | hex << 5 | self.hand << 17
                n += 1
        return n

    def seals(self, hex: int) -> int:
        """Whether a volcano here would cut a hex off from the base camp."""
        land = self.empty
        for other in range(HEXES):
            if EMPTY < self.terrain[other] < VOLCANO:
                land |= bit(other)
        land &= ~bit(hex)
        reached = edge = bit(self.base)
        while edge:
            grown = AROUND[lowest_bit(edge)] & land & ~reached
            edge = edge & (edge - 1) | grown
            reached |= grown
        return int(reached != land)

    def legal_bids(self, out: Moves) -> int:
        """A bid is higher than the current one and at most the seat's score [R4]; a seat can always pass."""
        out.item[0] = BID
        n = 1
        for bid in range(self.bid + 1, self.score[self.seat] + 1):
            out.item[n] = BID | bid << 5
            n += 1
        return n

    def legal_takes(self, out: Moves) -> int:
        n = 0
        mask = self.display
        while mask:
            out.item[n] = TAKE | lowest_bit(mask) << 5
            mask &= mask - 1
            n += 1
        return n

    # Effects of actions

    def apply(self, action: int) -> None:
        """Plays an action if it is legal; otherwise raises and changes nothing.

        >>> state = State(Options(), range(36), [0, 1, 2, 3, 4, 5, 6, 7] * 3)
        >>> state.apply(-1)
        Traceback (most recent call last):
        tikal.rules.errors.TikalError: -1 is not a legal action here; `legal` lists those that are
        """
        moves = Moves()
        self.legal(moves)
        if action not in list(moves):
            raise TikalError("illegal", f"{action!r} is not a legal action here; `legal` lists those that are")
        self.apply_unchecked(action)

    def apply_unchecked(self, action: int) -> None:
        """Plays an action that `legal` has listed. In compiled code any other action corrupts memory."""
        kind = action & 31
        if kind == END:
            self.end_budget()
        elif kind == BID:
            self.take_bid(action >> 5)
        elif kind == TAKE:
            self.take_tile(action >> 5)
        elif kind == PLACE:
            self.place_tile(action >> 5 & 63, action >> 11 & 63)
        else:
            self.ap -= self.price(action)
            self.act(kind, action >> 5 & 63, action >> 11 & 63, action >> 17 & 63)

    def act(self, kind: int, p: int, q: int, r: int) -> None:
        """Plays an action that costs AP."""
        if kind == MOVE or kind == CAMP_MOVE:
            self.move(r, p, q)
        elif kind == ENTER:
            self.enter(r, p)
        elif kind == EXCAVATE:
            self.excavate(p)
        elif kind == DIG:
            self.dig(p)
        elif kind == EXCHANGE:
            self.exchange(p, q, r)
        elif kind == CAMP:
            self.found_camp(p)
        else:
            self.place_guard(p)

    def enter(self, member: int, hex: int) -> None:
        if member == WORKER:
            self.reserve[self.seat] -= 1
        self.arrive(self.seat, member, hex)

    def move(self, member: int, start: int, goal: int) -> None:
        self.leave(self.seat, member, start)
        self.arrive(self.seat, member, goal)

    def arrive(self, seat: int, member: int, hex: int) -> None:
        if member == WORKER:
            self.workers[seat * HEXES + hex] += 1
        else:
            self.leader[seat] = hex
        self.occupied[seat] |= bit(hex)

    def leave(self, seat: int, member: int, hex: int) -> None:
        """Takes a member off a hex. A member that the caller puts nowhere else has left the game for good [R9]."""
        if member == WORKER:
            self.workers[seat * HEXES + hex] -= 1
        else:
            self.leader[seat] = GONE
        if not self.members(seat, hex):
            self.occupied[seat] &= ~bit(hex)

    def excavate(self, hex: int) -> None:
        self.level[hex] += 1
        self.supply[self.level[hex]] -= 1
        self.note_work(hex)

    def dig(self, hex: int) -> None:
        """Takes the top token; without tokens the tile counts as jungle."""
        kind = self.kinds[self.token_at[hex]]
        self.token_at[hex] += 1
        self.tokens[hex] -= 1
        self.give(self.seat, kind)
        self.note_work(hex)
        if not self.tokens[hex]:
            self.undug &= ~bit(hex)
            self.clearings |= bit(hex)

    def note_work(self, hex: int) -> None:
        seat = self.seat
        if self.done_once[seat] & bit(hex):
            self.done_twice[seat] |= bit(hex)
        self.done_once[seat] |= bit(hex)

    def give(self, seat: int, kind: int) -> None:
        self.treasures[seat * KINDS + kind] += 1
        self.note_single(seat, kind)

    def lose(self, seat: int, kind: int) -> None:
        self.treasures[seat * KINDS + kind] -= 1
        self.note_single(seat, kind)

    def note_single(self, seat: int, kind: int) -> None:
        self.singles[seat] &= ~(1 << kind) & 255
        if self.treasures[seat * KINDS + kind] == 1:
            self.singles[seat] |= 1 << kind

    def exchange(self, other: int, given: int, taken: int) -> None:
        self.lose(self.seat, given)
        self.give(other, given)
        self.lose(other, taken)
        self.give(self.seat, taken)

    def found_camp(self, hex: int) -> None:
        seat = self.seat
        self.camp[hex] = seat + 1
        self.camp_count[seat] += 1
        self.home[seat] |= bit(hex)
        self.clearings &= ~bit(hex)

    def place_guard(self, hex: int) -> None:
        """The guard and the seat's other members there leave the game; members of other seats stay."""
        seat = self.seat
        self.guard[hex] = seat + 1
        self.guard_count[seat] += 1
        self.guarded |= bit(hex)
        self.workers[seat * HEXES + hex] = 0
        if self.leader[seat] == hex:
            self.leader[seat] = GONE
        self.occupied[seat] &= ~bit(hex)

    def place_tile(self, hex: int, rotation: int) -> None:
        """Places the tile in hand; a treasure tile takes its tokens from the supply, face down [R8]."""
        tile = self.hand
        self.hand = NO_TILE
        self.tile[hex] = tile
        self.rotation[hex] = rotation
        self.terrain[hex] = TILE_TERRAIN[tile]
        self.stones[hex] = TILE_STONES[tile * 6 + rotation]
        if self.terrain[hex] == TEMPLE:
            self.level[hex] = TILE_VALUE[tile]
        elif self.terrain[hex] == TREASURE:
            self.tokens[hex] = min(TILE_VALUE[tile], TOKENS - self.kind_next)
            self.token_at[hex] = self.kind_next
            self.kind_next += self.tokens[hex]
        self.near[hex] = self.toward[hex] = 0
        self.explore(hex)
        self.tile_placed()

    # The flow of a game: turns, scoring rounds, the end

    def begin(self) -> None:
        if self.auction:
            self.begin_round(0)
        else:
            self.begin_turn(0)

    def begin_turn(self, seat: int) -> None:
        self.turn_seat = seat
        self.deck_next += 1
        self.hold(self.deck[self.deck_next - 1])

    def hold(self, tile: int) -> None:
        """The seat to move has drawn a tile: a volcano starts a scoring round before it is placed."""
        self.hand = tile
        if TILE_TERRAIN[tile] == VOLCANO:
            self.volcano_seat = self.turn_seat
            self.meet_volcano()
        else:
            self.ask_place()

    def meet_volcano(self) -> None:
        self.order_clockwise(self.turn_seat)
        self.begin_scoring(VOLCANO_ROUND)

    def ask_place(self) -> None:
        """A tile that fits nowhere leaves the game, and the turn goes on [R2]."""
        self.phase = PLACING
        self.seat = self.turn_seat
        self.ap = 0
        if not self.legal_places(SCRATCH, 1):
            self.gone |= bit(self.hand)
            self.hand = NO_TILE
            self.tile_placed()

    def tile_placed(self) -> None:
        self.begin_budget(self.turn_seat, TURN_AP)

    def begin_budget(self, seat: int, ap: int) -> None:
        self.phase = ACTING
        self.seat = seat
        self.ap = ap

    def end_budget(self) -> None:
        """Each budget of AP counts as a turn: limits start again [R3]."""
        self.ap = 0
        self.forget_work(self.seat)
        if self.round_kind == NO_ROUND:
            self.end_turn()
            return
        self.score_seat(self.seat)
        self.place += 1
        if self.place < self.players:
            self.begin_budget(self.order[self.place], TURN_AP)
        else:
            self.end_scoring()

    def forget_work(self, seat: int) -> None:
        self.done_once[seat] = self.done_twice[seat] = 0

    def end_turn(self) -> None:
        if self.auction:
            self.had_turn |= 1 << self.turn_seat
            if self.had_turn != (1 << self.players) - 1:
                self.begin_auction(self.next_seat(self.turn_seat, ~self.had_turn))
                return
        if self.deck_next == TILE_COUNT:
            self.begin_final()
        elif self.auction:
            self.begin_round((self.turn_seat + 1) % self.players)
        else:
            self.begin_turn((self.turn_seat + 1) % self.players)

    def next_seat(self, seat: int, among: int) -> int:
        """The first seat to the left of this one that is in a set of seats."""
        seat = (seat + 1) % self.players
        while not among >> seat & 1:
            seat = (seat + 1) % self.players
        return seat

    def order_clockwise(self, first: int) -> None:
        for i in range(self.players):
            self.order[i] = (first + i) % self.players

    def begin_scoring(self, round_kind: int) -> None:
        """Each seat in order spends 10 AP and scores."""
        self.round_kind = round_kind
        self.place = 0
        self.begin_budget(self.order[0], TURN_AP)

    def end_scoring(self) -> None:
        final = self.round_kind == FINAL_ROUND
        self.round_kind = NO_ROUND
        self.place = 0
        for i in range(SEATS):
            self.order[i] = 0
        if final:
            self.finish()
        else:
            self.ask_place()

    def score_seat(self, seat: int) -> None:
        self.score[seat] += self.temple_points(seat) + self.treasure_points(seat)

    def begin_final(self) -> None:
        if self.auction:
            self.order_by_score()
        elif self.final_after_volcano:
            self.order_clockwise((self.volcano_seat + 1) % self.players)
        else:
            self.order_clockwise((self.turn_seat + 1) % self.players)
        self.begin_scoring(FINAL_ROUND)

    def order_by_score(self) -> None:
        """Seats by ascending score; equals clockwise, beginning after the player of the last tile [R18]."""
        self.order_clockwise((self.turn_seat + 1) % self.players)
        for i in range(1, self.players):
            seat = self.order[i]
            j = i
            while j > 0 and self.score[self.order[j - 1]] > self.score[seat]:
                self.order[j] = self.order[j - 1]
                j -= 1
            self.order[j] = seat

    def finish(self) -> None:
        self.phase = FINISHED
        self.seat = NO_SEAT
        best = -1
        for seat in range(self.players):
            value = self.score[seat] * 1024 + self.tie_value(seat)
            if value > best:
                best = value
                self.winners = 0
            if value == best:
                self.winners |= 1 << seat

    def tie_value(self, seat: int) -> int:
        """The tie-break between equal scores: the best guarded temple, then the number of treasures."""
        if not self.tie_by_guard:
            return 0
        return self.best_guarded(seat) * 32 + self.treasure_count(seat)

    def best_guarded(self, seat: int) -> int:
        """The level of the highest temple that a seat guards; 0 without one."""
        best = 0
        for hex in range(HEXES):
            if self.guard[hex] == seat + 1 and self.level[hex] > best:
                best = self.level[hex]
        return best

    def treasure_count(self, seat: int) -> int:
        """How many treasures a seat has."""
        tokens = 0
        for kind in range(KINDS):
            tokens += self.treasures[seat * KINDS + kind]
        return tokens

    # The auction

    def begin_round(self, opener: int) -> None:
        """Turns up as many tiles as there are players."""
        self.had_turn = 0
        for _ in range(self.players):
            self.display |= bit(self.deck[self.deck_next])
            self.deck_next += 1
        self.begin_auction(opener)

    def begin_auction(self, opener: int) -> None:
        """Auctions the next turn of the round; the last seat without a turn takes the last tile for free."""
        self.seat = opener
        waiting = (1 << self.players) - 1 & ~self.had_turn
        self.phase = BIDDING if waiting & (waiting - 1) else TAKING

    def take_bid(self, bid: int) -> None:
        """The auction ends when one bidder is left, or when all have passed: then the first to pass pays nothing."""
        if bid:
            self.bid = bid
            self.bidder = self.seat
        else:
            self.out |= 1 << self.seat
            if self.first_out == NO_SEAT:
                self.first_out = self.seat
        waiting = (1 << self.players) - 1 & ~self.had_turn & ~self.out
        if not waiting:
            self.win_auction(self.first_out, 0)
        elif self.bidder != NO_SEAT and waiting == 1 << self.bidder:
            self.win_auction(self.bidder, self.bid)
        else:
            self.seat = self.next_seat(self.seat, waiting)

    def win_auction(self, winner: int, bid: int) -> None:
        self.score[winner] -= bid
        self.bid = self.out = 0
        self.bidder = self.first_out = NO_SEAT
        self.seat = winner
        self.phase = TAKING

    def take_tile(self, tile: int) -> None:
        self.display &= ~bit(tile)
        self.turn_seat = self.seat
        self.hold(tile)


# Scratch for code that only asks whether there is any action; its content is never read.
SCRATCH = Moves()

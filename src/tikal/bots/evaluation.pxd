# C types of evaluation.py.
import cython

from tikal.rules.core cimport *

cdef enum:
    STRIDE = 48
    FAR = 100
    COSTS = 32
    STRENGTHS = 16
    WEIGHTS = 27
    PARTS = 9
    TOKENS_OF_A_KIND = 3
    EXCHANGE_POINTS = 3
    ENTRY_LIMIT = 12
    GAME_TURNS = 22

    HOLD_SOON = 0
    HOLD_SOON_AP = 1
    HOLD_LATER = 2
    HOLD_LATER_AP = 3
    TAKE_NOW = 4
    TAKE_NOW_AP = 5
    TAKE_SOON = 6
    TAKE_SOON_AP = 7
    TAKE_LATER = 8
    TAKE_LATER_AP = 9
    LATER = 10
    GUARDED = 11
    HOPE = 12
    EXCHANGE_FIRST = 13
    EXCHANGE_AFTER = 14
    AP_WORTH = 15
    UNDUG = 16
    CLAIM_AP = 17
    CLAIM_MORE = 18
    CLAIM_REST = 19
    WORKER_OUT = 20
    LEADER_HAD = 21
    LEADER_OUT = 22
    ENTRY = 23
    SPITE = 24
    DIG_NOW = 25
    WORKER_HAD = 26

    SCORE_PART = 0
    HELD_PART = 1
    REACH_PART = 2
    GUARD_PART = 3
    TREASURE_PART = 4
    EXCHANGE_PART = 5
    UNDUG_PART = 6
    CAMP_PART = 7
    MEMBER_PART = 8

cdef inline void lower(u8 *to, int at, u8 *rows, int start) noexcept:
    cdef int i
    to += at
    rows += start
    for i in range(STRIDE):
        to[i] = rows[i] if rows[i] < to[i] else to[i]

cdef inline void relax(u8 *rows, int at, int via, int first) noexcept:
    cdef int i
    cdef u8 *to = rows + at
    cdef u8 *row = rows + via
    cdef u8 more = <u8>first
    cdef u8 cost
    for i in range(STRIDE):
        cost = <u8>(row[i] + more)
        to[i] = cost if cost < to[i] else to[i]

cdef inline void copy_row(u8 *to, int at, u8 *rows, int start) noexcept:
    memcpy(to + at, rows + start, STRIDE)

cdef inline void fill_row(u8 *to, int at, int value, int size) noexcept:
    memset(to + at, value, size)

cdef extern from "string.h":
    void *memset(void *to, int value, size_t size) noexcept nogil

cdef u8 LETTER[TILE_COUNT]

cdef class Evaluation:
    cdef double weights[27]
    cdef double early[27]
    cdef double late[27]
    cdef int weighed
    cdef double hold_soon[COSTS]
    cdef double hold_later[COSTS]
    cdef double take_now[COSTS]
    cdef double take_soon[COSTS]
    cdef double take_later[COSTS]
    cdef double claim[COSTS]

    cdef u8 distance[SEATS * HEXES * STRIDE]
    cdef u8 enter[SEATS * STRIDE]
    cdef u64 entered[SEATS]
    cdef u8 worker[SEATS * STRIDE]
    cdef u8 leader[SEATS * STRIDE]
    cdef int out[SEATS]
    cdef u8 hexes[HEXES]
    cdef int hex_count
    cdef int hazard_before
    cdef int hazard_size
    cdef int tiles_left

    cdef readonly int seat
    cdef readonly int banks
    cdef int players
    cdef int left[SEATS]
    cdef double share[SEATS]
    cdef double guarded[SEATS]
    cdef int sudden
    cdef int instant
    cdef int pending
    cdef int limits[3]
    cdef double hold[SEATS * COSTS]
    cdef double take[SEATS * COSTS]
    cdef u8 top[HEXES]
    cdef u8 second_cost[HEXES]
    cdef u8 top_seat[HEXES]
    cdef double held[HEXES * STRENGTHS]
    cdef double open[HEXES * STRENGTHS]
    cdef double token[4]
    cdef double rival_claim[HEXES]
    cdef double rival_worth[HEXES]
    cdef double goal[HEXES]
    cdef double time
    cdef double constant
    cdef readonly double dig_worth

    @cython.locals(late=double)
    cdef void set_weights(self, int drawn)
    cdef double chance(self, int name, int cost)
    @cython.locals(worth=double)
    cpdef void prepare(self, State state, int seat)
    cpdef double evaluate(self, State state) noexcept
    cdef void measure(self, State state) noexcept
    cdef void measure_seat(self, State state, int seat) noexcept
    cdef void count_scorings(self, State state) noexcept
    cdef double chance_within(self, int tiles) noexcept
    cdef void set_factors(self, State state) noexcept
    cdef void set_shares(self, State state) noexcept
    cdef void set_entries(self, State state, int seat) noexcept
    cdef void reach(self, State state, int seat) noexcept
    cdef int take_cost(self, int seat, int hex, int need) noexcept
    cdef void set_temples(self, State state) noexcept
    cdef void set_temple(self, State state, int hex) noexcept
    cdef void set_undug(self, State state) noexcept
    cdef void set_goals(self, State state) noexcept
    cdef double claim_of(self, State state, int seat, int hex) noexcept
    cdef double sets(self, State state, int seat) noexcept
    cdef double exchanges(self, State state, int seat) noexcept
    @cython.locals(value=double)
    cdef double treasures(self, State state) noexcept
    cdef double token_worth(self, State state, int seat) noexcept
    cdef double token_value(self, State state) noexcept
    @cython.locals(total=double)
    cdef double token_gain(self, State state, int seat, int with_rivals) noexcept
    cdef double gained(self, State state, int seat, int with_rivals) noexcept
    cdef int unseen(self, State state, int kind) noexcept
    @cython.locals(total=double)
    cdef double camps(self, State state, int seat) noexcept
    @cython.locals(value=double)
    cdef double members(self, State state, int seat) noexcept
    @cython.locals(value=double)
    cdef double value(self, State state, double fixed) noexcept
    cdef double fixed(self, State state) noexcept
    @cython.locals(value=double)
    cdef double factor(self, State state, int seat, int hex) noexcept
    cpdef list parts(self, State state)
    @cython.locals(factor=double)
    cdef list parts_of(self, State state, int seat)
    @cython.locals(least=int, rival=int, cost=int, own=int)
    cpdef list fears(self, State state)

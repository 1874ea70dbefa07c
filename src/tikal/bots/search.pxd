# C types of search.py.
import cython

from libc.string cimport memcpy

from tikal.rules.core cimport *

cdef enum:
    FEATURES = 40
    STAGES = 5
    WIDTH_LIMIT = 512
    SEEN_SIZE = 65536
    FAR = 60
    STEPS = 11

    HOLD_NEXT = 0
    HOLD_LATER = 6
    GUARDED = 12
    TAKE_NEXT = 13
    TAKE_LATER = 16
    TREASURE_POINTS = 19
    SINGLES = 20
    PAIRS = 21
    TREASURE_HOPE = 22
    RUINS_NEAR = 23
    RUINS_FAR = 24
    WORKERS_OUT = 25
    WORKERS_LEFT = 26
    LEADER_OUT = 27
    CAMPS_BY_TURNS = 28
    CAMPS = 29
    URGENT_SAFE = 30
    URGENT_OPEN = 31
    RAISABLE = 32
    TURNS = 33
    SCORINGS = 34
    ONE = 35
    LEADER_GONE = 36
    GUARDS_LEFT = 37
    AT_TEMPLES = 38
    AT_RUINS = 39

cdef inline u64 mix(u64 hashed, u64 word) noexcept:
    hashed = (hashed ^ word) * <u64>11400714819323198485ULL
    return hashed ^ (hashed >> 29)

cdef inline u64 mix_bytes(u64 hashed, u8 *data, int size) noexcept:
    cdef u64 word
    cdef int at
    for at in range(0, size, 8):
        memcpy(&word, data + at, 8)
        hashed = mix(hashed, word)
    return hashed

cdef inline u64 turn_key(State state, u64 salt) noexcept:
    cdef int seat = state.seat
    cdef u64 key = mix(salt << 4, state.ap)
    key = mix_bytes(key, state.workers, 160)
    key = mix_bytes(key, state.level, 40)
    key = mix_bytes(key, state.tokens, 40)
    key = mix_bytes(key, state.treasures, 32)
    key = mix_bytes(key, state.leader, 8)
    key = mix_bytes(key, state.cost, 240)
    key = mix(mix(key, state.done_once[seat]), state.done_twice[seat])
    return mix(mix(key, state.home[seat]), state.guarded)

cdef u8 LETTER[36]
cdef double DIG_WEIGHT

cdef class Bucket:
    cdef readonly int count
    cdef int size
    cdef int worst
    cdef list states
    cdef double value[512]
    cdef double bonus[512]
    cdef int length[512]
    cdef int path[5632]
    cdef void clear(self, int size) noexcept
    @cython.locals(i=int, worst=int)
    cdef int slot_for(self, double value) noexcept

cdef class Search:
    cdef double weights[200]
    cdef double feature[160]
    cdef u8 distance[1600]
    cdef u8 worker_cost[160]
    cdef u8 leader_cost[160]
    cdef int scorings[4]
    cdef int strengths[4]
    cdef double worths[4]
    cdef u8 hexes[40]
    cdef double urgency
    cdef double turns
    cdef double dig_gain
    cdef double spite
    cdef int seat
    cdef int banks
    cdef int width
    cdef u64 salt
    cdef readonly u64 nodes
    cdef u64 seen[65536]
    cdef list buckets
    cdef State scratch
    cdef Moves moves

    cdef void measure(self, State state) noexcept
    cdef void count_scorings(self, State state) noexcept
    cdef void reach(self, State state, int seat) noexcept
    cdef int take_cost(self, int seat, int hex, int need) noexcept
    @cython.locals(at=int)
    cdef void look(self, State state) noexcept
    cdef void look_at_temple(self, State state, int hex) noexcept
    @cython.locals(scorings=double)
    cdef void look_at_treasures(self, State state, int seat) noexcept
    cdef void look_at_pieces(self, State state, int seat) noexcept
    @cython.locals(total=double)
    cdef double worth(self, State state, int seat) noexcept
    @cython.locals(most=double, total=double)
    cdef double value(self, State state) noexcept
    @cython.locals(gain=double)
    cdef double expected_gain(self, State state) noexcept
    cdef int is_new(self, u64 key) noexcept
    @cython.locals(bucket=Bucket, node=State)
    cdef void run(self, State root, int width)
    @cython.locals(node=State, child=State, target=Bucket, bonus=double, value=double)
    cdef void expand(self, Bucket bucket, int index) noexcept
    @cython.locals(bucket=Bucket)
    cpdef list plan(self, State root, int width, int keep)
    @cython.locals(bucket=Bucket)
    cpdef list path_of(self, int ap, int index)

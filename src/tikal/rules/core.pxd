# C types of core.py, and the little that only C can express. The constants are those of codes.py.
from libc.string cimport memcpy

cdef extern from *:
    """
    #if defined(_MSC_VER)
    #include <intrin.h>
    static __inline int tikal_lowest_bit(unsigned long long m) { unsigned long i; _BitScanForward64(&i, m); return (int)i; }
    #elif defined(__GNUC__)
    static inline int tikal_lowest_bit(unsigned long long m) { return __builtin_ctzll(m); }
    #else
    static int tikal_lowest_bit(unsigned long long m) { int n = 0; while (!(m & 1)) { m >>= 1; n++; } return n; }
    #endif
    """
    int lowest_bit "tikal_lowest_bit"(unsigned long long m) noexcept nogil

cdef enum:
    HEXES = 40
    TILE_COUNT = 36
    KINDS = 8
    TOKENS = 24
    SEATS = 4

    EMPTY = 0
    BASE = 1
    JUNGLE = 2
    TEMPLE = 3
    TREASURE = 4
    VOLCANO = 5
    CLOSED = 6

    PLACING = 0
    ACTING = 1
    BIDDING = 2
    TAKING = 3
    FINISHED = 4

    END = 0
    ENTER = 1
    MOVE = 2
    CAMP_MOVE = 3
    EXCAVATE = 4
    DIG = 5
    EXCHANGE = 6
    CAMP = 7
    GUARD = 8
    PLACE = 9
    BID = 10
    TAKE = 11

    WORKER = 0
    LEADER = 1

    ENTER_AP = 1
    CAMP_MOVE_AP = 1
    EXCAVATE_AP = 2
    DIG_AP = 3
    EXCHANGE_AP = 3
    CAMP_AP = 5
    GUARD_AP = 5
    TURN_AP = 10
    LEADER_STRENGTH = 3
    WORK_LIMIT = 2

    RESERVE = 40
    GONE = 41
    NO_TILE = 63
    NO_SEAT = 4

    NO_ROUND = 0
    VOLCANO_ROUND = 1
    FINAL_ROUND = 2

    MAX_MOVES = 2048

ctypedef unsigned char u8
ctypedef unsigned short u16
ctypedef unsigned long long u64

cdef signed char NEIGHBOUR[HEXES * 6]
cdef signed char STEP[HEXES * HEXES]
cdef u64 AROUND[HEXES]
cdef u8 TILE_TERRAIN[TILE_COUNT]
cdef u8 TILE_VALUE[TILE_COUNT]
cdef u8 TILE_ROTATIONS[TILE_COUNT]
cdef u16 TILE_STONES[TILE_COUNT * 6]
cdef u8 TILE_SIDES[TILE_COUNT * 6]
cdef u8 SET_POINTS[4]
cdef int CAMP_LIMIT
cdef int GUARD_LIMIT
cdef int LEVEL_LIMIT

cdef inline u64 bit(int index) noexcept:
    return (<u64>1) << index

cdef inline void copy_fields(State to, State source) noexcept:
    memcpy(&to.players, &source.players, <char *>&source.last - <char *>&source.players)

cdef inline u64 hash_fields(State state) noexcept:
    cdef u64 *word = <u64 *>&state.order[0]
    cdef u64 mixed = 0
    cdef int i
    cdef int words = <int>((<char *>&state.last - <char *>&state.order[0]) // 8)
    for i in range(words):
        mixed = (mixed ^ word[i]) * <u64>11400714819323198485ULL
        mixed ^= mixed >> 29
    return mixed

cdef class Moves:
    cdef readonly int count
    cdef int item[MAX_MOVES]

cdef class Ways(Moves):
    cdef u8 cost[HEXES]
    cdef u8 steps[HEXES]
    cdef int last[HEXES]
    cdef void consider(self, int last, int cost) noexcept
    cdef int comes_first(self, int last, int other) noexcept

cdef class State:
    # Options.
    cdef readonly int players
    cdef readonly int camp_needs_member
    cdef readonly int tie_by_guard
    cdef readonly int volcano_may_seal
    cdef readonly int final_after_volcano
    cdef readonly int leader_may_guard
    cdef readonly int auction
    cdef readonly int base
    # Where the game is.
    cdef u8 order[SEATS]
    cdef readonly int place
    cdef readonly int phase
    cdef readonly int seat
    cdef readonly int ap
    cdef readonly int hand
    cdef readonly int turn_seat
    cdef readonly int volcano_seat
    cdef readonly int round_kind
    cdef readonly int had_turn
    cdef readonly int out
    cdef readonly int first_out
    cdef readonly int bid
    cdef readonly int bidder
    cdef readonly int deck_next
    cdef readonly int kind_next
    cdef readonly int winners
    cdef readonly u64 display
    cdef readonly u64 gone
    # Hexes.
    cdef u8 terrain[HEXES]
    cdef u8 tile[HEXES]
    cdef u8 rotation[HEXES]
    cdef u8 level[HEXES]
    cdef u8 camp[HEXES]
    cdef u8 guard[HEXES]
    cdef u8 tokens[HEXES]
    cdef u8 token_at[HEXES]
    cdef u16 stones[HEXES]
    # Seats.
    cdef u64 done_once[SEATS]
    cdef u64 done_twice[SEATS]
    cdef int score[SEATS]
    cdef u8 workers[SEATS * HEXES]
    cdef u8 leader[SEATS]
    cdef u8 reserve[SEATS]
    cdef u8 treasures[SEATS * KINDS]
    # Supplies.
    cdef u8 supply[16]
    cdef u8 deck[40]  # a multiple of 8
    cdef u8 kinds[TOKENS]
    # Derived from the above, kept up to date.
    cdef u8 cost[HEXES * 6]
    cdef u8 near[HEXES]
    cdef u8 toward[HEXES]
    cdef u8 singles[SEATS]
    cdef u8 camp_count[SEATS]
    cdef u8 guard_count[SEATS]
    cdef u8 padding[4]
    cdef u64 empty
    cdef u64 rim
    cdef u64 temples
    cdef u64 guarded
    cdef u64 clearings
    cdef u64 undug
    cdef u64 home[SEATS]
    cdef u64 occupied[SEATS]
    cdef u64 last

    cpdef State clone(self)
    cpdef void copy_from(self, State other) noexcept
    cpdef u64 key(self) noexcept
    cpdef int legal(self, Moves out) noexcept
    cpdef void apply_unchecked(self, int action) noexcept
    cpdef int price(self, int action) noexcept
    cpdef int temple_points(self, int seat) noexcept
    cpdef int treasure_points(self, int seat) noexcept
    cpdef int holder(self, int hex) noexcept
    cpdef int strength(self, int seat, int hex) noexcept
    cpdef int members(self, int seat, int hex) noexcept
    cpdef int rivals(self, int seat, int hex) noexcept
    cpdef int ways(self, int start, int most, Ways out) noexcept
    cdef u64 barred(self) noexcept
    cdef int done(self, int seat, int hex) noexcept
    cdef int workforce(self, int seat, int hex) noexcept

    cdef int legal_actions(self, Moves out) noexcept
    cdef int add_entries(self, Moves out, int n) noexcept
    cdef int add_moves(self, Moves out, int n) noexcept
    cdef int add_work(self, Moves out, int n) noexcept
    cdef int add_exchanges(self, Moves out, int n) noexcept
    cdef int add_camps(self, Moves out, int n) noexcept
    cdef int add_guards(self, Moves out, int n) noexcept
    cdef int legal_places(self, Moves out, int most) noexcept
    cdef int legal_volcano_places(self, Moves out, int most) noexcept
    cpdef int seals(self, int hex) noexcept
    cdef int legal_bids(self, Moves out) noexcept
    cdef int legal_takes(self, Moves out) noexcept

    cdef void act(self, int kind, int p, int q, int r) noexcept
    cdef void enter(self, int member, int hex) noexcept
    cdef void move(self, int member, int start, int goal) noexcept
    cdef void arrive(self, int seat, int member, int hex) noexcept
    cdef void leave(self, int seat, int member, int hex) noexcept
    cdef void excavate(self, int hex) noexcept
    cdef void dig(self, int hex) noexcept
    cdef void note_work(self, int hex) noexcept
    cdef void give(self, int seat, int kind) noexcept
    cdef void lose(self, int seat, int kind) noexcept
    cdef void note_single(self, int seat, int kind) noexcept
    cdef void exchange(self, int other, int given, int taken) noexcept
    cdef void found_camp(self, int hex) noexcept
    cdef void place_guard(self, int hex) noexcept
    cdef void place_tile(self, int hex, int rotation) noexcept
    cdef void explore(self, int hex) noexcept

    cdef void begin(self) noexcept
    cdef void begin_turn(self, int seat) noexcept
    cdef void hold(self, int tile) noexcept
    cdef void meet_volcano(self) noexcept
    cdef void ask_place(self) noexcept
    cdef void tile_placed(self) noexcept
    cdef void begin_budget(self, int seat, int ap) noexcept
    cdef void end_budget(self) noexcept
    cdef void forget_work(self, int seat) noexcept
    cdef void end_turn(self) noexcept
    cdef int next_seat(self, int seat, int among) noexcept
    cdef void begin_round(self, int opener) noexcept
    cdef void begin_auction(self, int opener) noexcept
    cdef void take_bid(self, int bid) noexcept
    cdef void win_auction(self, int winner, int bid) noexcept
    cdef void take_tile(self, int tile) noexcept
    cdef void order_clockwise(self, int first) noexcept
    cdef void begin_scoring(self, int round_kind) noexcept
    cdef void begin_final(self) noexcept
    cdef void order_by_score(self) noexcept
    cdef void end_scoring(self) noexcept
    cdef void score_seat(self, int seat) noexcept
    cdef void finish(self) noexcept
    cdef int tie_value(self, int seat) noexcept
    cpdef int best_guarded(self, int seat) noexcept
    cpdef int treasure_count(self, int seat) noexcept

cdef Moves SCRATCH

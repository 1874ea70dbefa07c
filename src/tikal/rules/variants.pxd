# C types of variants.py; constants as in codes.py.
from libc.string cimport memcpy

from tikal.rules.core cimport *

cdef enum:
    DECIDING = 5
    LEAPING = 6

    OBSTACLE = 12
    GUN = 13
    SHOOT = 14
    DECIDE = 15
    LEAP = 16

    OBSTACLE_AP = 4
    GUN_AP = 6
    SHOOT_AP = 1
    OBSTACLE_COST = 2
    GUN_WORKERS = 2
    LEAP_LIMIT = 5
    LEAP_TOKENS = 10
    NO_CHOICE = 7
    DICE_LIMIT = 48

    SCORE_ALL = 0
    REDRAW = 1
    TAKER_DECIDES = 2

    NO_LEAP = 0
    FRESH = 1
    WALKING = 2
    SPENT = 3

cdef int VOLCANOES

cdef inline void copy_more_fields(VariantState to, State source) noexcept:
    memcpy(&to.instant_scoring, &(<VariantState>source).instant_scoring, <char *>&to.end - <char *>&to.instant_scoring)

cdef inline u64 hash_more_fields(VariantState state, u64 mixed) noexcept:
    cdef u64 *word = <u64 *>&state.guns
    cdef int i
    for i in range(<int>((<char *>&state.end - <char *>&state.guns) // 8)):
        mixed = (mixed ^ word[i]) * <u64>11400714819323198485ULL
        mixed ^= mixed >> 29
    return mixed

cdef class VariantState(State):
    # Options.
    cdef readonly int instant_scoring
    cdef readonly int boulders
    cdef readonly int obstacles
    cdef readonly int machine_gun
    cdef readonly int sudden_death
    cdef readonly int double_volcano
    cdef readonly int leaps
    cdef readonly int members_work_once
    # Boulders, obstacles, machine guns.
    cdef readonly u64 guns
    cdef readonly u64 fired
    cdef u64 lost_once[SEATS]
    cdef u64 lost_twice[SEATS]
    cdef u8 obstacle_sides[HEXES]
    cdef u8 dice[DICE_LIMIT]
    cdef u8 worked[SEATS * HEXES]
    cdef readonly int dice_next
    cdef readonly int dice_count
    # Sudden death.
    cdef readonly int volcanoes_taken
    cdef readonly int round_scored
    # Leaps.
    cdef readonly int leap_stage
    cdef readonly int walk_hex
    cdef readonly int walk_member
    cdef readonly int erupted
    cdef u8 won[SEATS]
    cdef u8 leap_tokens[SEATS]
    cdef u8 chosen[SEATS]
    cdef u64 end

    cdef int fresh(self, int seat, int hex) noexcept
    cdef int lost(self, int seat, int hex) noexcept
    cdef int drop_barred(self, Moves out, int n) noexcept
    cdef int add_obstacles(self, Moves out, int n) noexcept
    cdef int add_guns(self, Moves out, int n) noexcept
    cdef int add_shots(self, Moves out, int n) noexcept
    cdef int keep_walk(self, Moves out, int n) noexcept
    cdef u64 free_hexes(self) noexcept
    cdef void roll(self, int hex) noexcept
    cdef void build_obstacle(self, int hex, int other) noexcept
    cdef void raise_passage(self, int hex, int direction) noexcept
    cdef void shoot(self, int hex, int seat) noexcept
    cdef int must_score(self) noexcept
    cdef void score_volcano(self) noexcept
    cdef void score_in_order(self) noexcept
    cdef void decide(self, int scores) noexcept
    cdef void note_step(self, int kind, int hex, int member) noexcept
    cdef void join_round(self, int seat, int tile) noexcept
    cdef void place_next(self) noexcept
    cdef void begin_leaps(self) noexcept
    cdef void end_leap(self) noexcept
    cdef void ask_tokens(self) noexcept
    cdef void choose(self, int tokens) noexcept
    cdef void show_tokens(self) noexcept
    cdef void next_leaper(self) noexcept
    cdef void end_leaps(self) noexcept
    cdef void next_leap_round(self) noexcept

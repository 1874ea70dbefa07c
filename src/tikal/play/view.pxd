# C types of view.py.
from tikal.rules.core cimport *
from tikal.rules.variants cimport DICE_LIMIT, LEAPING, NO_CHOICE, WALKING, VariantState

cdef tuple _TILE_NAMES
cdef tuple _TURNED

cpdef object seat_or_none(int seat)
cpdef list seats_of(int mask)
cpdef list tiles_of(u64 mask)
cpdef list hexes_of(u64 mask)
cpdef list unseen_tiles(State state)
cpdef bint is_empty(object value)
cpdef dict hidden(State state)
cdef list _dice(VariantState state)
cdef object _tile_or_none(int tile)
cpdef dict status(State state)
cdef dict _values_on(State state, int terrain, u8 *row)
cdef dict _counts(u8 *row, int start)
cdef dict _tiles(State state)
cdef object _leader(int at)
cdef list _obstacles(VariantState state)
cpdef dict view(State state, options, seat)
cpdef dict known(State state, seat)
cpdef object top_letter(State state)
cdef list _unseen_kinds(State state)
cdef dict _work(u64 once, u64 twice)
cdef object _scoring(State state)
cdef dict _without_variants(int players)
cdef dict _of_variants(VariantState state, viewer)
cdef dict _leaps(VariantState state, viewer)
cdef object _chosen(VariantState state, int seat, viewer)

from tikal.rules.core cimport Moves, State, u64

cdef inline u64 next_random(u64 x) noexcept:
    x ^= x << 13
    x ^= x >> 7
    x ^= x << 17
    return x

cpdef u64 perft(State state, int depth)
cpdef int playout(State state, Moves moves, u64 seed)
cpdef u64 playouts(State state, int games, u64 seed)

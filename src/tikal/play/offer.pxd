# C types of offer.py.
from tikal.rules.core cimport *
from tikal.rules.variants cimport GUN, GUN_AP, SHOOT, VariantState

cdef enum:
    HEXES = 40
    KINDS = 8
    WITHOUT_MEMBER = 131071

cdef dict _rows
cdef dict _steps
cdef dict _heads

cpdef str offer_as_json(State state)
cdef str _actions(State state, Moves legal)
cdef str _walks(State state, Moves legal)
cdef list _walks_from(int member, int start, Ways found)
cdef tuple _cache_key(State state, VariantState variant, int hex)
cdef tuple _key_of_temple(State state, VariantState variant, int hex)
cdef int _all_have_worked(VariantState variant, int seat, int hex) noexcept
cdef str _refusals(State state)
cpdef list forecast(State state)
cdef dict _forecast_of(State state, int seat)

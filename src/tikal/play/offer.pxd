# C types of offer.py.
from tikal.rules.core cimport *
from tikal.rules.refusals cimport circumstances
from tikal.rules.variants cimport GUN, SHOOT

cdef enum:
    WITHOUT_MEMBER = 131071

cdef dict _rows
cdef dict _steps
cdef dict _heads
cdef dict _place_heads

cpdef str offer_as_json(State state)
cdef str _actions(State state, Moves legal)
cdef str _places(State state, Moves legal)
cdef str _passages(State state, int action)
cdef str _walks(State state, Moves legal)
cdef list _walks_from(int member, int start, Ways found)
cdef str _refusals(State state)
cpdef list forecast(State state)
cdef dict _forecast_of(State state, int seat)

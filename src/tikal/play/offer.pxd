# C types of offer.py.
cimport cython

from tikal.rules.core cimport *
from tikal.rules.refusals cimport circumstances
from tikal.rules.variants cimport GUN, SHOOT

cdef dict _rows
cdef list _STARTS
cdef list _GOALS
cdef list _steps
cdef dict _place_heads

cpdef str offer_as_json(State state)
cdef str _actions(State state, Moves legal)
cdef str _places(State state, Moves legal)
cdef str _passages(State state, int action)
@cython.locals(workers=u64, leaders=u64)
cdef str _walks(State state, Moves legal)
cdef _add_walks(State state, int member, int start, Ways found, list parts)
cdef _add_steps(int member, int start, int goal, Ways found, list parts)
cdef str _step(int action, bint goes_on)
@cython.locals(cache=dict)
cdef str _refusals(State state)
cpdef list forecast(State state)
cdef dict _forecast_of(State state, int seat)

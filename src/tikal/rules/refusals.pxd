# C types of refusals.py; its checks are ordinary Python.
cimport cython

from tikal.rules.core cimport *
from tikal.rules.variants cimport GUN_AP, GUN_WORKERS, VariantState

@cython.locals(found=u64, work=u64)
cpdef u64 circumstances(State state, int hex)
cdef u64 _enter_depends(State state, int seat, int hex)
cdef u64 _work_depends(State state, VariantState variant, int seat, int hex, int lost, int price)
cdef u64 _excavate_depends(State state, VariantState variant, int seat, int hex)
cdef u64 _dig_depends(State state, VariantState variant, int seat, int hex)
cdef u64 _camp_depends(State state, int seat, int hex)
@cython.locals(found=u64)
cdef u64 _guard_depends(State state, VariantState variant, int seat, int hex)
@cython.locals(found=u64)
cdef u64 _shoot_depends(VariantState state, int seat, int hex)

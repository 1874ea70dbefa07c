# C types of refusals.py; its checks are ordinary Python.
from tikal.rules.core cimport *
from tikal.rules.variants cimport GUN_AP, GUN_WORKERS, VariantState

cpdef tuple circumstances(State state, int hex)
cdef tuple _enter_depends(State state, int seat, int hex)
cdef tuple _work_depends(State state, VariantState variant, int seat, int hex, int lost, int price)
cdef tuple _excavate_depends(State state, VariantState variant, int seat, int hex)
cdef tuple _dig_depends(State state, VariantState variant, int seat, int hex)
cdef tuple _camp_depends(State state, int seat, int hex)
cdef tuple _guard_depends(State state, VariantState variant, int seat, int hex)
cdef tuple _shoot_depends(VariantState state, int seat, int hex)

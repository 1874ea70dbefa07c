# C types of search.py.
import cython

from tikal.bots.evaluation cimport *
from tikal.rules.core cimport *
from tikal.rules.variants cimport VariantState

cdef enum:
    WIDTH_LIMIT = 512
    SEEN_SIZE = 65536
    WALK = 24
    MARCH = 25
    MEMBER_WORDS = 0
    WORK_WORDS = 80
    CAMP_WORDS = 120
    GUARD_WORDS = 160
    MARK_WORDS = 200
    TREASURE_WORDS = 400
    WORDS = 512
    WORD_KIND = 40
    ROOT_KIND = 50
    OTHER_KIND = 60
    OBSTACLE = 12
    SHOOT = 14

cdef double SHOT

cdef inline u64 word_of(int kind, int item) noexcept:
    cdef u64 word = <u64>(kind * 4096 + item + 1) * <u64>11400714819323198485ULL
    word = (word ^ (word >> 29)) * <u64>13787848793156543929ULL
    return word ^ (word >> 32)

cdef inline u64 more(u64 key, u64 word, int times) noexcept:
    return key + word * <u64>times

cdef inline u64 with_ap(u64 key, int ap) noexcept:
    return (key ^ <u64>(ap + 1) * <u64>11400714819323198485ULL) | 1

cdef class Bucket:
    cdef readonly int count
    cdef int size
    cdef int worst
    cdef list states
    cdef double value[WIDTH_LIMIT]
    cdef double bonus[WIDTH_LIMIT]
    cdef double fixed[WIDTH_LIMIT]
    cdef u64 key[WIDTH_LIMIT]
    cdef int parent[WIDTH_LIMIT]
    cdef int action[WIDTH_LIMIT]
    cdef u8 plain[WIDTH_LIMIT]
    cdef void clear(self, int size) noexcept
    @cython.locals(i=int, worst=int)
    cdef int slot_for(self, double value) noexcept

cdef class Search(Evaluation):
    cdef int width
    cdef u64 salt
    cdef readonly u64 nodes
    cdef u64 seen[SEEN_SIZE]
    cdef u64 words[WORDS]
    cdef double risk[12]
    cdef int camp_sites
    cdef u64 homes
    cdef int exact
    cdef int leap
    cdef int marks
    cdef list buckets
    cdef State scratch
    cdef Moves moves
    cdef Moves steps

    cdef int is_new(self, u64 key) noexcept
    @cython.locals(bucket=Bucket, parent=Bucket, node=State, source=State)
    cdef void run(self, State root, int width)
    cdef void play(self, State state, int action) noexcept
    cdef int price(self, State state, int action) noexcept
    @cython.locals(mask=u64)
    cdef int next_move(self, State state, int start, int goal, int member) noexcept
    @cython.locals(variant=VariantState, key=u64, mask=u64)
    cdef u64 marks_key(self, State state) noexcept
    cdef u64 key_after(self, State state, u64 key, int action) noexcept
    cdef int is_goal(self, State state, int hex, int rest) noexcept
    cdef int list_actions(self, State state, int plain) noexcept
    cdef int add_walks(self, State state, int n) noexcept
    cdef int add_marches(self, State state, int n) noexcept
    @cython.locals(node=State, target=Bucket, bonus=double, value=double, fixed=double, key=u64)
    cdef void expand(self, Bucket bucket, int ap, int index) noexcept
    @cython.locals(bucket=Bucket)
    cpdef list plan(self, State root, int width, int keep)
    @cython.locals(bucket=Bucket)
    cdef list path_of(self, int ap, int index)
    @cython.locals(bucket=Bucket)
    cdef list steps_of(self, State root, int ap, int index)

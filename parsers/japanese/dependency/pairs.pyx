"""Features of a pair of bunsetsu, straight to ids.

`load` reads a sentence's rows once: it finds each bunsetsu's pieces (head, tail, content word, particles,
marks) and writes the ids that depend on one bunsetsu alone into one array, once for its role as a dependent
and once as a head. A pair then copies two stretches of that array and adds what depends on both or on what
has been attached so far: about 40 ids for some 60 ns, without hashing, strings or allocation.

A `Sentence` is the scratch memory of one thread; it is loaded again and again and only ever grows.
"""
from libc.stdint cimport int32_t, uint8_t
from libc.string cimport memcpy

from kakari.parsers.japanese.dependency.chunks cimport Chunk, kind_class, read_chunk
from kakari.parsers.japanese.words.morphemes cimport (
    BASE, CONJ_FORM, CONJ_TYPE, FIELDS, FINE, IDENTITY, LAST_CHAR, POS, SHAPE, SUBPOS, SURFACE, Morphemes,
)

cdef int32_t SEEN_CHILDREN = 16     # the newest ones: a head with thousands of dependents stays linear
SMALLEST_WIDTH = 256        # values that are no strings (shapes, distances, kinds) must fit


cdef class Sentence:
    """One sentence's bunsetsu and attachments; scratch memory for one thread.

    Parameters
    ----------
    width : int
        One more than the largest value of a feature: at least the size of the vocabulary.
    slots : sequence of int
        The feature slots that are used.
    """

    def __init__(self, width, slots):
        if width < SMALLEST_WIDTH or width * SLOTS >= 2**31:
            largest = 2**31 // SLOTS
            raise ValueError(f"a feature width of {width} is not between {SMALLEST_WIDTH} and {largest}")
        self.width = width
        cdef int32_t slot
        for slot in range(SLOTS):
            self.bases[slot] = -1
        for slot in slots:
            self.bases[slot] = slot * self.width
        self.buffer.resize(1024)
        self.out = self.buffer.data()

    cdef int load(self, const int32_t *rows, const uint8_t *opens, int32_t tokens) except -1 nogil:
        """Read the rows of a sentence; `opens` says which tokens open a bunsetsu (the first always does)."""
        self.rows = rows
        self.loaded += 1
        self.chunks.clear()
        self.particles.clear()
        cdef int32_t begin = 0, end
        while begin < tokens:
            end = begin + 1
            while end < tokens and not opens[end]:
                end += 1
            self.chunks.resize(self.chunks.size() + 1)
            read_chunk(rows, begin, end, self.width, self.particles, &self.chunks.back())
            begin = end
        self.clear_arcs()
        sum_prefixes(self)
        self.statics.clear()
        self.dependent_starts.clear()
        self.head_starts.clear()
        cdef int32_t index
        for index in range(<int32_t>self.chunks.size()):
            add_statics(self, index)
        self.dependent_starts.push_back(<int32_t>self.statics.size())
        return 0

    cdef int clear_arcs(self) except -1 nogil:
        """Take back all arcs."""
        cdef size_t count = self.chunks.size()
        self.heads.assign(count, -1)
        self.newest_child.assign(count, -1)
        self.next_child.assign(count, -1)
        self.child_count.assign(count, 0)
        return 0

    cdef void attach(self, int32_t dependent, int32_t head) noexcept nogil:
        """Make an arc."""
        self.heads[dependent] = head
        self.next_child[dependent] = self.newest_child[head]
        self.newest_child[head] = dependent
        self.child_count[head] = self.child_count[head] + 1

    cdef void detach_newest(self, int32_t dependent, int32_t head) noexcept nogil:
        """Take back the arc that was made last to this head."""
        self.heads[dependent] = -1
        self.newest_child[head] = self.next_child[dependent]
        self.child_count[head] = self.child_count[head] - 1

    cdef int32_t pair(self, int32_t dependent, int32_t head, Around around) except -1 nogil:
        """Write the feature ids of a pair to `out`; return their number."""
        cdef int32_t from_dependent = self.dependent_starts[dependent], from_head = self.head_starts[head]
        cdef int32_t first = from_dependent, size = self.head_starts[dependent] - first, more
        more = self.dependent_starts[head + 1] - from_head
        cdef size_t room = size + more + 64 + SEEN_CHILDREN + self.particles.size()
        if self.buffer.size() < room:
            self.buffer.resize(2 * room)
            self.out = self.buffer.data()
        memcpy(self.out, self.statics.data() + first, size * sizeof(int32_t))
        memcpy(self.out + size, self.statics.data() + from_head, more * sizeof(int32_t))
        self.fixed = size + more
        return dynamic_features(self, dependent, head, around, size + more)


def function_words(Sentence sentence not None, Morphemes morphemes not None, const uint8_t[::1] opens):
    """Return the number that each bunsetsu of the first sentence has for its function words, and where they stand.

    Rows of three numbers: the value of its FUNCTION features, and the first and the behind-last of its morphemes
    after the content word, punctuation left out at the end.

    Examples
    --------
    >>> import numpy as np
    >>> from kakari.corpora import read
    >>> from kakari.models.vocabulary import Vocabulary
    >>> from kakari.parsers.japanese.words.sources import record_morphemes
    >>> from kakari.parsers.japanese.words.morphemes import Lexicon
    >>> morphemes = record_morphemes(list(read("sample-ja"))[:1], Lexicon(Vocabulary(), "juman"))
    >>> opens = np.ones(len(morphemes.begins), dtype=np.uint8)
    >>> function_words(Sentence(256, []), morphemes, opens)[0]
    (0, 1, 1)
    """
    if opens.shape[0] != morphemes.field_view.shape[0]:
        raise ValueError("one opening mark is needed for each morpheme")
    if len(morphemes) == 0 or morphemes.start_view[1] == 0:
        return []
    sentence.load(&morphemes.field_view[0, 0], &opens[0], <int32_t>morphemes.start_view[1])
    return [(chunk.function, chunk.content + 1, chunk.tail + 1) for chunk in sentence.chunks]


cdef inline int32_t field(Sentence sentence, int32_t token, int32_t name) noexcept nogil:
    return sentence.rows[token * <int32_t>FIELDS + name]


cdef int sum_prefixes(Sentence self) except -1 nogil:
    cdef int32_t count = <int32_t>self.chunks.size(), index, predicate = -1
    self.commas.assign(count + 1, 0)
    self.predicates.assign(count + 1, 0)
    self.topics.assign(count + 1, 0)
    self.balances.assign(count + 1, 0)
    self.next_predicate.assign(count, -1)
    for index in range(count):
        self.commas[index + 1] = self.commas[index] + (self.chunks[index].punctuation & 1)
        self.predicates[index + 1] = self.predicates[index] + self.chunks[index].predicate
        self.topics[index + 1] = self.topics[index] + self.chunks[index].topic
        self.balances[index + 1] = self.balances[index] + self.chunks[index].balance
    for index in range(count - 1, -1, -1):
        self.next_predicate[index] = predicate
        if self.chunks[index].predicate:
            predicate = index
    return 0


cdef inline int put(Sentence self, int32_t slot, int32_t value) except -1 nogil:
    if value >= 0 and self.bases[slot] >= 0:
        self.statics.push_back(self.bases[slot] + value)
    return 0


cdef int add_statics(Sentence self, int32_t index) except -1 nogil:
    self.dependent_starts.push_back(<int32_t>self.statics.size())
    add_dependent(self, index)
    self.head_starts.push_back(<int32_t>self.statics.size())
    add_head(self, index)
    add_head_context(self, index)
    return 0


cdef int add_dependent(Sentence self, int32_t index) except -1 nogil:
    cdef Chunk chunk = self.chunks[index]
    cdef int32_t i
    put(self, D_HEAD_SURFACE, field(self, chunk.head, SURFACE))
    put(self, D_HEAD_SUBPOS, field(self, chunk.head, SUBPOS))
    put(self, D_HEAD_FORM, field(self, chunk.head, CONJ_FORM))
    put(self, D_TAIL_SURFACE, field(self, chunk.tail, SURFACE))
    put(self, D_TAIL_POS, field(self, chunk.tail, POS))
    put(self, D_TAIL_SUBPOS, field(self, chunk.tail, SUBPOS))
    put(self, D_TAIL_FORM, field(self, chunk.tail, CONJ_FORM))
    put(self, D_LAST_SURFACE, field(self, chunk.end - 1, SURFACE))
    put(self, D_BRACKET, chunk.bracket)
    put(self, D_PUNCTUATION, chunk.punctuation)
    for i in range(chunk.particle_start, particles_end(self, index)):
        put(self, D_PARTICLE, self.particles[i])
    if index == 0:
        put(self, D_FIRST, 0)
    else:
        put(self, D_LEFT_LAST_SURFACE, field(self, chunk.begin - 1, SURFACE))
        put(self, D_LEFT_FUNCTION, self.chunks[index - 1].function)
    put(self, D_CONTENT_BASE, field(self, chunk.content, BASE))
    put(self, D_CONTENT_FINE, field(self, chunk.content, FINE))
    put(self, D_CONTENT_SHAPE, field(self, chunk.content, SHAPE))
    put(self, D_CONTENT_CHAR, field(self, chunk.content, LAST_CHAR))
    if chunk.conj >= 0:
        put(self, D_CONJ_TYPE, field(self, chunk.conj, CONJ_TYPE))
        put(self, D_CONJ_FORM, field(self, chunk.conj, CONJ_FORM))
    put(self, D_FUNCTION, chunk.function)
    put(self, D_KINDS, kind_class(chunk))
    return 0


cdef int add_head(Sentence self, int32_t index) except -1 nogil:
    cdef Chunk chunk = self.chunks[index]
    cdef int32_t i
    put(self, H_FIRST_SURFACE, field(self, chunk.begin, SURFACE))
    put(self, H_FIRST_SUBPOS, field(self, chunk.begin, SUBPOS))
    put(self, H_HEAD_SURFACE, field(self, chunk.head, SURFACE))
    put(self, H_HEAD_POS, field(self, chunk.head, POS))
    put(self, H_HEAD_SUBPOS, field(self, chunk.head, SUBPOS))
    put(self, H_HEAD_FORM, field(self, chunk.head, CONJ_FORM))
    put(self, H_TAIL_SURFACE, field(self, chunk.tail, SURFACE))
    put(self, H_TAIL_SUBPOS, field(self, chunk.tail, SUBPOS))
    put(self, H_TAIL_FORM, field(self, chunk.tail, CONJ_FORM))
    put(self, H_LAST_SUBPOS, field(self, chunk.end - 1, SUBPOS))
    put(self, H_BRACKET, chunk.bracket)
    put(self, H_PUNCTUATION, chunk.punctuation)
    for i in range(chunk.particle_start, particles_end(self, index)):
        put(self, H_PARTICLE, self.particles[i])
    put(self, H_CONTENT_BASE, field(self, chunk.content, BASE))
    put(self, H_CONTENT_FINE, field(self, chunk.content, FINE))
    put(self, H_CONTENT_SHAPE, field(self, chunk.content, SHAPE))
    put(self, H_CONTENT_CHAR, field(self, chunk.content, LAST_CHAR))
    if chunk.conj >= 0:
        put(self, H_CONJ_TYPE, field(self, chunk.conj, CONJ_TYPE))
        put(self, H_CONJ_FORM, field(self, chunk.conj, CONJ_FORM))
    put(self, H_FUNCTION, chunk.function)
    put(self, H_KINDS, kind_class(chunk))
    return 0


cdef int add_head_context(Sentence self, int32_t index) except -1 nogil:
    """Add what stands to the right of a candidate head."""
    cdef int32_t count = <int32_t>self.chunks.size(), predicate = self.next_predicate[index]
    cdef Chunk right
    put(self, H_REMAINING, min(count - 1 - index, 5))
    if index == count - 1:
        put(self, H_LAST, 0)
        return 0
    right = self.chunks[index + 1]
    put(self, H_RIGHT_FIRST_SURFACE, field(self, right.begin, SURFACE))
    put(self, H_RIGHT_HEAD_SURFACE, field(self, right.head, SURFACE))
    put(self, H_RIGHT_LAST_SURFACE, field(self, right.end - 1, SURFACE))
    put(self, H_RIGHT_FUNCTION, right.function)
    put(self, H_RIGHT_KINDS, kind_class(right))
    put(self, H_RIGHT_CONTENT, field(self, right.content, BASE))
    if index + 2 < count:
        put(self, H_RIGHT2_FUNCTION, self.chunks[index + 2].function)
        put(self, H_RIGHT2_KINDS, kind_class(self.chunks[index + 2]))
    if predicate >= 0:
        put(self, H_NEXT_PREDICATE, field(self, self.chunks[predicate].content, BASE))
        put(self, H_NEXT_PREDICATE_DISTANCE, min(predicate - index, 6))
    return 0


cdef inline int32_t particles_end(Sentence self, int32_t index) noexcept nogil:
    if index + 1 < <int32_t>self.chunks.size():
        return self.chunks[index + 1].particle_start
    return <int32_t>self.particles.size()


cdef inline int32_t emit(Sentence self, int32_t slot, int32_t value, int32_t count) noexcept nogil:
    if value < 0 or self.bases[slot] < 0:
        return count
    self.out[count] = self.bases[slot] + value
    return count + 1


cdef inline bint same(Sentence self, int32_t one, int32_t other, int32_t name) noexcept nogil:
    return field(self, one, name) == field(self, other, name)


cdef int32_t dynamic_features(Sentence self, int32_t d, int32_t h, Around around, int32_t n) noexcept nogil:
    cdef Chunk *dependent = &self.chunks[d]
    cdef Chunk *head = &self.chunks[h]
    cdef int32_t count = <int32_t>self.chunks.size(), balance, distance = h - d
    if d > 0 and same(self, self.chunks[d - 1].head, head.head, IDENTITY):
        n = emit(self, SAME_LEFT_HEAD, 0, n)
    if same(self, dependent.head, head.head, IDENTITY):
        n = emit(self, SAME_HEAD, 0, n)
    if h + 1 < count and same(self, dependent.head, self.chunks[h + 1].head, IDENTITY):
        n = emit(self, SAME_RIGHT_HEAD, 0, n)
    n = emit(self, DISTANCE, 0 if distance == 1 else 1 if distance <= 5 else 2, n)
    balance = self.balances[h] - self.balances[d + 1]
    n = emit(self, BETWEEN_BRACKETS, 0 if balance == 0 else 1 if balance > 0 else 2, n)
    n = emit(self, FINE_DISTANCE, min(distance, 8), n)
    n = emit(self, BETWEEN_COMMAS, min(self.commas[h] - self.commas[d + 1], 3), n)
    n = emit(self, BETWEEN_PREDICATES, min(self.predicates[h] - self.predicates[d + 1], 3), n)
    n = emit(self, BETWEEN_TOPICS, min(self.topics[h] - self.topics[d + 1], 2), n)
    n = likeness(self, d, h, n)
    n = attached_features(self, d, h, around, n)
    return chain_features(self, d, h, around, n)


cdef int32_t likeness(Sentence self, int32_t d, int32_t h, int32_t n) noexcept nogil:
    """Add what hints at a coordination: how alike the two are."""
    cdef Chunk *dependent = &self.chunks[d]
    cdef Chunk *head = &self.chunks[h]
    cdef int32_t alike = 0
    if dependent.function == head.function:
        n = emit(self, SAME_FUNCTION, 0, n)
        alike += 1
    if h + 1 < <int32_t>self.chunks.size() and dependent.function == self.chunks[h + 1].function:
        n = emit(self, SAME_RIGHT_FUNCTION, 0, n)
    if same(self, dependent.content, head.content, FINE):
        n = emit(self, SAME_FINE, 0, n)
        alike += 1
    if same(self, dependent.content, head.content, LAST_CHAR) and field(self, head.content, LAST_CHAR) >= 0:
        n = emit(self, SAME_CHAR, 0, n)
        alike += 1
    alike += same(self, dependent.content, head.content, SHAPE)
    alike += dependent.bracket == head.bracket and head.bracket > 0
    return emit(self, SIMILARITY, alike, n)


cdef int32_t attached_features(Sentence self, int32_t d, int32_t h, Around around, int32_t n) noexcept nogil:
    """Add what is attached to either so far, and the open bunsetsu to the left."""
    cdef int32_t child = self.newest_child[h], seen = 0, i
    cdef bint taken = False
    n = emit(self, H_CHILDREN, min(<int32_t>self.child_count[h], 4), n)
    if child >= 0:
        n = emit(self, H_CHILD_KINDS, kind_class(self.chunks[child]), n)
    while child >= 0 and seen < SEEN_CHILDREN:
        n = emit(self, H_CHILD_FUNCTION, self.chunks[child].function, n)
        taken = taken or self.chunks[child].function == self.chunks[d].function
        for i in range(self.chunks[child].particle_start, particles_end(self, child)):
            n = emit(self, CHILD_PARTICLE, self.particles[i], n)
        child = self.next_child[child]
        seen += 1
    if taken:
        n = emit(self, H_CHILD_SAME_FUNCTION, 0, n)
    n = emit(self, D_CHILDREN, min(<int32_t>self.child_count[d], 4), n)
    child = self.newest_child[d]
    if child >= 0:
        n = emit(self, D_CHILD_FUNCTION, self.chunks[child].function, n)
        n = emit(self, D_CHILD_CONTENT, field(self, self.chunks[child].content, BASE), n)
    cdef int32_t below = around.below
    if below >= 0:
        n = emit(self, STACK_FUNCTION, self.chunks[below].function, n)
        n = emit(self, STACK_KINDS, kind_class(self.chunks[below]), n)
        n = emit(self, STACK_PUNCTUATION, self.chunks[below].punctuation, n)
        n = emit(self, STACK_DISTANCE, min(d - below, 5), n)
    return n


cdef int32_t chain_features(Sentence self, int32_t d, int32_t h, Around around, int32_t n) noexcept nogil:
    """Add the candidates on either side of this one on the way from the dependent's neighbour to the root."""
    cdef Chunk *chunk
    if around.chain < 0:
        return n
    n = emit(self, CHAIN, min(around.chain, 4), n)
    if around.before >= 0:
        chunk = &self.chunks[around.before]
        n = emit(self, BEFORE_FUNCTION, chunk.function, n)
        n = emit(self, BEFORE_KINDS, kind_class(chunk[0]), n)
        n = emit(self, BEFORE_PUNCTUATION, chunk.punctuation, n)
        if chunk.conj >= 0:
            n = emit(self, BEFORE_FORM, field(self, chunk.conj, CONJ_FORM), n)
    if around.above < 0:
        return n
    chunk = &self.chunks[around.above]
    n = emit(self, ABOVE_FUNCTION, chunk.function, n)
    n = emit(self, ABOVE_CONTENT, field(self, chunk.content, BASE), n)
    n = emit(self, ABOVE_KINDS, kind_class(chunk[0]), n)
    n = emit(self, ABOVE_HEAD_SUBPOS, field(self, chunk.head, SUBPOS), n)
    n = emit(self, ABOVE_TAIL_SURFACE, field(self, chunk.tail, SURFACE), n)
    n = emit(self, ABOVE_PUNCTUATION, chunk.punctuation, n)
    n = emit(self, ABOVE_DISTANCE, min(around.above - h, 5), n)
    n = emit(self, ABOVE_CHILDREN, min(<int32_t>self.child_count[around.above], 4), n)
    if chunk.conj >= 0:
        n = emit(self, ABOVE_FORM, field(self, chunk.conj, CONJ_FORM), n)
    if chunk.function == self.chunks[d].function:
        n = emit(self, ABOVE_SAME_FUNCTION, 0, n)
    if same(self, chunk.content, self.chunks[d].content, FINE):
        n = emit(self, ABOVE_SAME_FINE, 0, n)
    return n

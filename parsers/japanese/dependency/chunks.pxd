# A bunsetsu ("chunk"), as the features of a pair see it: its pieces are tokens of the sentence, found in one pass over
# its morphemes' rows. Everything is inlined where it is used.
from libc.stdint cimport int32_t, uint32_t
from libcpp.vector cimport vector

from kakari.parsers.japanese.words.morphemes cimport (
    ADJECTIVE, AUXILIARY, BASE, CLOSES, COMMA, CONJ_FORM, COPULA, FIELDS, IDENTITY, KINDS, MARK, NOUN, OPENS, PARTICLE,
    PERIOD, SUFFIX, TOPIC, VERB,
)


cdef struct Chunk:
    int32_t begin, end                  # tokens
    int32_t head, tail, content, conj   # tokens; conj is -1 where nothing conjugates
    int32_t kinds                       # of all tokens together
    int32_t bracket, balance, punctuation
    int32_t function                    # a hash of what follows the content word
    bint predicate, topic
    int32_t particle_start              # in the sentence's particles, up to the next one's


cdef inline int32_t field(const int32_t *rows, int32_t token, int32_t name) noexcept nogil:
    return rows[token * <int32_t>FIELDS + name]


cdef inline int32_t function_hash(const int32_t *rows, int32_t begin, int32_t end, int32_t width) noexcept nogil:
    """Return one value below the width for a sequence of function words; 0 for none."""
    cdef uint32_t mixed = 0
    cdef int32_t token
    for token in range(begin, end):
        if not field(rows, token, KINDS) & MARK:
            mixed = (mixed ^ <uint32_t>field(rows, token, IDENTITY)) * <uint32_t>2654435761u
            mixed ^= mixed >> 15
    return <int32_t>(mixed % <uint32_t>width)


cdef inline int read_chunk(const int32_t *rows, int32_t begin, int32_t end, int32_t width, vector[int32_t]& particles,
                           Chunk *chunk) except -1 nogil:
    """Find the pieces of the tokens begin to end - 1; its particles are added to `particles`."""
    cdef int32_t token, kinds, opened = 0, closed = 0
    chunk.begin, chunk.end = begin, end
    chunk.kinds = 0
    chunk.particle_start = <int32_t>particles.size()
    chunk.head = chunk.tail = chunk.content = chunk.conj = -1
    for token in range(begin, end):
        kinds = field(rows, token, KINDS)
        chunk.kinds |= kinds
        opened += (kinds & OPENS) != 0
        closed += (kinds & CLOSES) != 0
        if kinds & PARTICLE:
            particles.push_back(field(rows, token, BASE))
        if kinds & MARK:
            continue
        chunk.tail = token
        if kinds & PARTICLE:
            continue
        chunk.head = token
        if field(rows, token, CONJ_FORM) >= 0:
            chunk.conj = token
        if not kinds & (AUXILIARY | SUFFIX):
            chunk.content = token
    if chunk.tail < 0:
        chunk.tail = end - 1
    if chunk.head < 0:
        chunk.head = chunk.tail
    if chunk.content < 0:
        chunk.content = chunk.head
    chunk.balance = opened - closed
    chunk.bracket = 0 if opened + closed == 0 else 1 + (chunk.balance > 0) + 2 * (chunk.balance < 0)
    chunk.punctuation = ((chunk.kinds & COMMA) != 0) + 2 * ((chunk.kinds & PERIOD) != 0)
    chunk.function = function_hash(rows, chunk.content + 1, chunk.tail + 1, width)
    chunk.predicate = (chunk.kinds & (VERB | ADJECTIVE | COPULA)) != 0
    chunk.topic = (field(rows, chunk.tail, KINDS) & TOPIC) != 0
    return 0


cdef inline int32_t kind_class(Chunk chunk) noexcept nogil:
    """Return a small number for the make-up of a bunsetsu: parts of speech, a comma, brackets."""
    return (((chunk.kinds & VERB) != 0) | ((chunk.kinds & ADJECTIVE) != 0) << 1
            | ((chunk.kinds & COPULA) != 0) << 2 | ((chunk.kinds & PARTICLE) != 0) << 3
            | ((chunk.kinds & AUXILIARY) != 0) << 4
            | (chunk.punctuation & 1) << 5 | ((chunk.kinds & NOUN) != 0) << 6)

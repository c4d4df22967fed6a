# A bunsetsu ("chunk"), as the features of a pair see it: its pieces are tokens of the sentence.
from libc.stdint cimport int32_t
from libcpp.vector cimport vector

from kakari.parsers.japanese.words.morphemes cimport ADJECTIVE, AUXILIARY, COPULA, NOUN, PARTICLE, VERB


cdef struct Chunk:
    int32_t begin, end                  # tokens
    int32_t head, tail, content, conj   # tokens; conj is -1 where nothing conjugates
    int32_t kinds                       # of all tokens together
    int32_t bracket, balance, punctuation
    int32_t function                    # a hash of what follows the content word
    bint predicate, topic
    int32_t particle_start              # in the sentence's particles, up to the next one's


# Finds the pieces of the tokens begin to end - 1; particles are added to `particles`.
cdef int read_chunk(const int32_t *rows, int32_t begin, int32_t end, int32_t width, vector[int32_t]& particles,
                    Chunk *chunk) except -1 nogil


cdef inline int32_t kind_class(Chunk chunk) noexcept nogil:
    """Return a small number for the make-up of a bunsetsu: parts of speech, a comma, brackets."""
    return (((chunk.kinds & VERB) != 0) | ((chunk.kinds & ADJECTIVE) != 0) << 1
            | ((chunk.kinds & COPULA) != 0) << 2 | ((chunk.kinds & PARTICLE) != 0) << 3
            | ((chunk.kinds & AUXILIARY) != 0) << 4
            | (chunk.punctuation & 1) << 5 | ((chunk.kinds & NOUN) != 0) << 6)

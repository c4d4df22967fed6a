"""The derivations that a beam is left with, decision by decision (explaining.hpp)."""
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libcpp.memory cimport unique_ptr
from libcpp.vector cimport vector

import numpy as np

from kakari.kernels.hashed.weights cimport HashedWeights, RowLines
from kakari.parsers.english.constituency.shift_reduce cimport (
    Grammar, ParserBeam, ParserSentence, Step, TreeGrammar, constituents,
)
from kakari.parsers.english.words.words cimport EnglishWords


cdef extern from "parsers/english/constituency/explaining.hpp" namespace "kakari" nogil:
    int DECISION_HEAD
    int DECISION_ITEMS
    int ITEM_NUMBERS
    void decisions(const ParserSentence& sentence, const Grammar& grammar, const Step& last, vector[int32_t]& states,
                   vector[uint64_t]& hashes, vector[int64_t]& starts) except +


def derivations(EnglishWords words not None, tags, HashedWeights weights not None, TreeGrammar grammar not None,
                int beam=8):
    """Return the derivations of one sentence that the beam is left with, the best first.

    Returns
    -------
    list of (nodes, score, states, hashes)
        `nodes` as of `best_batch`; for each scored decision, the last one first, a row of `states` (the action,
        whether it is about unary nodes, the depth of the stack; then 12 numbers of each of its four topmost
        items: symbol, inner symbol, head, begin, end, phase, symbol and head of the left part, symbol, head,
        begin and end of the right part) and an array of `hashes`.

    Examples
    --------
    >>> from kakari.kernels.hashed.weights import HashedWeights
    >>> from kakari.parsers.english.constituency.shift_reduce import TreeGrammar
    >>> from kakari.parsers.english.words.words import EnglishWords, WordLexicon
    >>> words = EnglishWords([["Dogs", "bark"]], WordLexicon([], []))
    >>> grammar = TreeGrammar(["NNS", "VBP"], ["S", "X"], ["shift", "=", "R S", "R X"], [[1, 2, 2], [1, 2, 3]])
    >>> (nodes, score, states, hashes), _ = derivations(words, [1, 2], HashedWeights.of([], [], []), grammar)
    >>> nodes.tolist(), score, states[:, :3].tolist(), len(hashes)
    ([[3, 0, 2]], 0, [[2, 0, 2]], 1)
    """
    array = np.ascontiguousarray(tags, dtype=np.uint8)
    if len(words.starts) != 2 or not len(words) or len(array) != len(words) or np.max(array) > len(grammar.tags):
        raise ValueError("one sentence is explained, each of whose words has a tag of the grammar")
    if beam < 1:
        raise ValueError(f"a beam has at least one hypothesis, not {beam}")
    cdef const uint8_t[::1] symbols = array
    cdef ParserSentence sentence
    sentence.length = <int32_t>len(words)
    sentence.words = words.words.data()
    sentence.tags = &symbols[0]
    cdef unique_ptr[ParserBeam[RowLines]] search
    search.reset(new ParserBeam[RowLines](weights.lined()[0], grammar.table, beam))
    cdef vector[int32_t] nodes, states
    cdef vector[uint64_t] hashes
    cdef vector[int64_t] starts
    cdef const Step *last
    cdef size_t k
    found = []
    width = DECISION_HEAD + DECISION_ITEMS * ITEM_NUMBERS
    for k in range(search.get().finals(sentence)):
        last = search.get().left(k)
        nodes.clear()
        states.clear()
        hashes.clear()
        starts.clear()
        constituents(grammar.table, last[0], nodes)
        decisions(sentence, grammar.table, last[0], states, hashes, starts)
        own = np.array(hashes, dtype=np.uint64)
        found.append((
            np.array(nodes, dtype=np.int32).reshape(-1, 3), last.score,
            np.array(states, dtype=np.int32).reshape(-1, width), np.split(own, np.array(starts[1:-1], dtype=np.int64)),
        ))
    return found

"""Constituency trees: a beam over shift, join and unary decisions with hashed conjunctions (shift_reduce.hpp).

A `TreeGrammar` numbers the actions that binarising.py makes of trees, and knows which of them were seen where.
Learning is the structured perceptron's, as in tagging.pyx.
"""
from libc.stdint cimport int32_t, int64_t, uint8_t
from libcpp.memory cimport unique_ptr
from libcpp.vector cimport vector

import numpy as np

from kakari.kernels.stored import Contents

from kakari.kernels.hashed.weights cimport HashedLearner, HashedWeights, RowLearner, RowLines
from kakari.kernels.hardware.arrays cimport checked_offsets, int32_array, int64_array
from kakari.parsers.english.words.words cimport EnglishWords

MOST_NAMES = 250
UNKNOWN = "?"  # the tag of a word whose own tag was never seen in training
# What constituents are told apart by, one bit each (`Trait` in states.hpp).
TRAITS = (
    frozenset({"VB", "VBD", "VBP", "VBZ", "MD"}), frozenset({",", ":"}), frozenset({"CC"}), frozenset({"-LRB-"}),
    frozenset({"-RRB-"}), frozenset({"``", "''"}),
)


cdef class TreeGrammar:
    """The actions of a parser.

    Parameters
    ----------
    tags, labels, actions : sequences of str
        Actions are named as in binarising.py; "shift" is the first one and "=" (no unary node) the second.
    seen : array of int, shape (n, 3)
        Which actions were seen where: for a join, the symbols of both items and the action; for a unary chain,
        -1, the symbol below it and the action.

    Attributes
    ----------
    symbols : tuple of str
        Tags, labels, and starred labels.

    Examples
    --------
    >>> grammar = TreeGrammar(["NNS", "VBP"], ["S"], ["shift", "=", "R S"], [[1, 2, 2]])
    >>> grammar.symbols
    ('?', 'NNS', 'VBP', 'S', 'S*')
    """

    def __init__(self, tags, labels, actions, seen):
        self.tags, self.labels, self.actions = tuple(tags), tuple(labels), tuple(actions)
        self.symbols = (UNKNOWN, *self.tags, *self.labels, *(f"{label}*" for label in self.labels))
        self.seen = np.ascontiguousarray(seen, dtype=np.int32).reshape(-1, 3)
        if len(self.symbols) > MOST_NAMES or len(self.actions) > MOST_NAMES or self.actions[:2] != ("shift", "="):
            raise ValueError(f"a grammar has up to {MOST_NAMES} symbols and actions, among them 'shift' and '='")
        numbers = {symbol: number for number, symbol in enumerate(self.symbols)}
        self.table.plain = [numbers[symbol.rstrip("*")] for symbol in self.symbols]
        self.table.traits = [
            sum((symbol in names) << bit for bit, names in enumerate(TRAITS)) for symbol in self.symbols
        ]
        self.table.seen.resize(len(self.symbols) ** 2)
        self.table.seen_tops.resize(len(self.symbols))
        for number, name in enumerate(self.actions):
            self.add_action(number, name, numbers)
        for left, right, action in self.seen.tolist():
            self.add_seen(left, right, action)

    cdef add_action(self, int number, str name, dict numbers):
        cdef Action made
        kind, *rest = name.split() or [""]
        nodes = {*self.labels, *(f"{label}*" for label in self.labels)}
        wanted = {"shift": len(rest) == 0, "=": len(rest) == 0, "L": len(rest) == 1, "R": len(rest) == 1, "U": rest}
        if not wanted.get(kind) or not nodes >= set(rest) or (number < 2) != (kind in ("shift", "=")):
            raise ValueError(f"this is not an action of the grammar: {name!r}")
        made.kind = <ActionKind><int>{"shift": 0, "L": 1, "R": 2, "=": 3, "U": 3}[kind]
        made.symbol = numbers[rest[0]] if rest else 0
        if kind == "U":
            made.chain = [numbers[label] for label in rest]
        if kind in ("L", "R"):
            self.table.joins.set(number)
        self.table.actions.push_back(made)

    cdef add_seen(self, int left, int right, int action):
        cdef int count = len(self.symbols)
        if not (-1 <= left < count and 0 <= right < count and 2 <= action < len(self.actions)):
            raise ValueError("a grammar's seen actions name a symbol or an action that it does not have")
        if (self.actions[action][0] == "U") != (left < 0):
            raise ValueError("a grammar's seen actions join one item, or put a node on two")
        if left < 0:
            self.table.seen_tops[right].set(action)
        else:
            self.table.seen[left * count + right].set(action)

    def contents(self):
        """Return the saved form of the grammar."""
        settings = {"tags": list(self.tags), "labels": list(self.labels), "actions": list(self.actions)}
        return Contents({"seen": self.seen.astype(np.int16)}, settings)

    @staticmethod
    def from_contents(contents):
        """Rebuild a grammar from its `contents()`."""
        tags, labels, actions = (contents.texts(name, distinct=True) for name in ("tags", "labels", "actions"))
        if not any(name[:1] in "LR" for name in actions):  # without one, two words could never become a tree
            raise ValueError("a grammar needs an action that joins two items")
        return TreeGrammar(tags, labels, actions, contents.array("seen", np.int16, shape=(None, 3)))

    def __reduce__(self):
        return TreeGrammar.from_contents, (self.contents(),)


def parse_batch(EnglishWords words not None, tags, weights, TreeGrammar grammar not None, int beam=8,
                int narrow=0, int64_t margin=0):
    """Parse sentences; `tags` are symbols of the grammar, `weights` frozen or those of a learner.

    With `narrow` above 0, a beam of that width comes first. Its tree is taken if the derivation that won was ahead of
    everything that the beam dropped by more than `margin`; only the other sentences get the whole beam.

    Returns
    -------
    nodes : array of int32, shape (n, 3)
        Label (as a symbol), first word and the one behind the last, counted within the sentence; from the outside in.
    starts : array of int64
        Where the nodes of each sentence begin and, last, where all end.

    Examples
    --------
    >>> from kakari.kernels.hashed.weights import HashedLearner
    >>> from kakari.parsers.english.words.words import EnglishWords, WordLexicon
    >>> words = EnglishWords([["Dogs", "bark"]], WordLexicon([], []))
    >>> grammar = TreeGrammar(["NNS", "VBP"], ["S"], ["shift", "=", "R S"], [[1, 2, 2]])
    >>> nodes, starts = parse_batch(words, [1, 2], HashedLearner(), grammar)
    >>> nodes.tolist(), starts.tolist()
    ([[3, 0, 2]], [0, 1])
    """
    cdef const uint8_t[::1] symbols = checked_tags(words, tags, grammar, beam)
    cdef unique_ptr[ParserBeam[RowLines]] frozen
    cdef unique_ptr[ParserBeam[RowLearner]] learning
    cdef vector[int32_t] nodes
    cdef vector[int64_t] starts
    cdef ParserSentence sentence
    cdef Narrowing narrowing
    cdef int64_t i
    narrowing.width, narrowing.margin = narrow, margin
    if isinstance(weights, HashedLearner):
        learning.reset(new ParserBeam[RowLearner]((<HashedLearner>weights).rows, grammar.table, beam, narrowing))
    else:
        frozen.reset(new ParserBeam[RowLines]((<HashedWeights?>weights).lined()[0], grammar.table, beam, narrowing))
    with nogil:
        starts.push_back(0)
        for i in range(words.start_view.shape[0] - 1):
            if words.start_view[i] < words.start_view[i + 1]:
                sentence = sentence_at(words, symbols, i)
                if frozen:
                    constituents(grammar.table, frozen.get().run(sentence), nodes)
                else:
                    constituents(grammar.table, learning.get().run(sentence), nodes)
            starts.push_back(<int64_t>nodes.size() // 3)
    return int32_array(nodes).reshape(-1, 3), int64_array(starts)


def parse_taggings(EnglishWords words not None, taggings, scores, lists, HashedWeights weights not None,
                   TreeGrammar grammar not None, int beam=8, int narrow=0, int64_t margin=0):
    """Parse sentences, each with that one of its taggings whose score and whose tree's score have the best sum.

    Trees are compared in the narrow beam; that of the chosen tagging is found as by `parse_batch`.

    Parameters
    ----------
    taggings : array of int
        Symbols of the grammar, one tagging after the other.
    scores : array of int
        Of each tagging.
    lists : array of int
        Where the taggings of each sentence begin and, last, where all end. A sentence with words has one at least.

    Returns
    -------
    nodes, starts : arrays
        As of `parse_batch`.
    chosen : array of int64
        The number of each sentence's tagging, counted in its list; 0 for a sentence without words.

    Examples
    --------
    >>> from kakari.kernels.hashed.weights import HashedWeights
    >>> from kakari.parsers.english.words.words import EnglishWords, WordLexicon
    >>> words = EnglishWords([["Dogs", "bark"]], WordLexicon([], []))
    >>> grammar = TreeGrammar(["NNS", "VBP"], ["S"], ["shift", "=", "R S"], [[1, 2, 2]])
    >>> nodes, starts, chosen = parse_taggings(
    ...     words, [1, 1, 1, 2], [-3, 0], [0, 2], HashedWeights.of([], [], []), grammar)
    >>> nodes.tolist(), chosen.tolist()
    ([[3, 0, 2]], [1])
    """
    sizes, ends = np.diff(words.starts), np.ascontiguousarray(lists, dtype=np.int64)
    gained = np.ascontiguousarray(scores, dtype=np.int64)
    checked_offsets(ends, len(gained))
    if len(ends) != len(sizes) + 1 or (np.diff(ends)[sizes > 0] < 1).any():
        raise ValueError("each sentence with words has one tagging at least")
    counts = np.repeat(sizes, np.diff(ends))
    symbols = np.ascontiguousarray(taggings, dtype=np.uint8)
    if len(symbols) != counts.sum() or (len(symbols) and np.max(symbols) > len(grammar.tags)):
        raise ValueError("each word has one tag in each tagging, a symbol of the grammar")
    if beam < 1:
        raise ValueError(f"a beam has at least one hypothesis, not {beam}")
    result = np.zeros(len(sizes), dtype=np.int64)
    cdef int64_t[::1] chosen = result
    cdef const int64_t[::1] first = ends, own = gained
    cdef const int64_t[::1] places = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    cdef const uint8_t[::1] tags = symbols if len(symbols) else np.zeros(1, dtype=np.uint8)
    cdef Narrowing narrowing
    narrowing.width, narrowing.margin = narrow, margin
    cdef unique_ptr[ParserBeam[RowLines]] search
    search.reset(new ParserBeam[RowLines](weights.lined()[0], grammar.table, beam, narrowing))
    cdef vector[Tagging] several
    cdef Tagging one
    cdef vector[int32_t] nodes
    cdef vector[int64_t] starts
    cdef size_t number = 0
    cdef int64_t i, k
    with nogil:
        starts.push_back(0)
        for i in range(words.start_view.shape[0] - 1):
            if words.start_view[i] < words.start_view[i + 1]:
                several.clear()
                for k in range(first[i], first[i + 1]):
                    one.tags, one.score = &tags[0] + places[k], own[k]
                    several.push_back(one)
                constituents(grammar.table, search.get().run(sentence_at(words, tags, i), several, number), nodes)
                chosen[i] = <int64_t>number
            starts.push_back(<int64_t>nodes.size() // 3)
    return int32_array(nodes).reshape(-1, 3), int64_array(starts), result


def best_batch(EnglishWords words not None, tags, HashedWeights weights not None, TreeGrammar grammar not None,
               int beam=8, *, bint shared=True):
    """Return all trees that the beam is left with in the end, the best of a sentence first.

    Returns
    -------
    nodes, starts : arrays
        As of `parse_batch`, a tree after the other.
    scores : array of int64
        Of each tree; with `shared` False they are added up anew, decision by decision.
    trees : array of int64
        Where the trees of each sentence begin and, last, where all end.

    Examples
    --------
    >>> from kakari.kernels.hashed.weights import HashedWeights
    >>> from kakari.parsers.english.words.words import EnglishWords, WordLexicon
    >>> words = EnglishWords([["Dogs", "bark"]], WordLexicon([], []))
    >>> grammar = TreeGrammar(["NNS", "VBP"], ["S", "X"], ["shift", "=", "R S", "R X"], [[1, 2, 2], [1, 2, 3]])
    >>> nodes, starts, scores, trees = best_batch(words, [1, 2], HashedWeights.of([], [], []), grammar)
    >>> nodes.tolist(), scores.tolist(), trees.tolist()
    ([[3, 0, 2], [4, 0, 2]], [0, 0], [0, 2])
    """
    cdef const uint8_t[::1] symbols = checked_tags(words, tags, grammar, beam)
    cdef const RowLines *lines = weights.lined()
    cdef unique_ptr[ParserBeam[RowLines]] search
    search.reset(new ParserBeam[RowLines](lines[0], grammar.table, beam))
    cdef vector[int32_t] nodes
    cdef vector[int64_t] starts, scores, trees
    cdef ParserSentence sentence
    cdef const Step *last
    cdef size_t k, count
    cdef int64_t i
    with nogil:
        starts.push_back(0)
        trees.push_back(0)
        for i in range(words.start_view.shape[0] - 1):
            if words.start_view[i] < words.start_view[i + 1]:
                sentence = sentence_at(words, symbols, i)
                count = search.get().finals(sentence)
                for k in range(count):
                    last = search.get().left(k)
                    constituents(grammar.table, last[0], nodes)
                    starts.push_back(<int64_t>nodes.size() // 3)
                    scores.push_back(
                        last.score if shared else derivation_score(lines[0], sentence, grammar.table, last[0])
                    )
            trees.push_back(<int64_t>scores.size())
    return int32_array(nodes).reshape(-1, 3), int64_array(starts), int64_array(scores), int64_array(trees)


def learn_batch(EnglishWords words not None, tags, gold, HashedLearner learner not None,
                TreeGrammar grammar not None, order, int beam=8, bint averaged=True, HashedWeights frozen=None):
    """Visit sentences in the given order, once each; give how many of them changed the weights.

    With `frozen` weights it is these that search; the learner collects what would change them.

    `gold` holds the actions of all sentences, 4 n - 2 for n words. Visits that are not `averaged` come before all
    others: they are where these begin, and do not count as examples.
    """
    cdef const uint8_t[::1] symbols = checked_tags(words, tags, grammar, beam)
    cdef const uint8_t[::1] wanted = np.ascontiguousarray(gold, dtype=np.uint8)
    sizes = np.diff(words.starts)
    offsets = np.concatenate([[0], np.cumsum(np.where(sizes > 0, 4 * sizes - 2, 0))]).astype(np.int64)
    cdef const int64_t[::1] actions = offsets
    if wanted.shape[0] != actions[actions.shape[0] - 1] or (len(gold) and np.max(gold) >= len(grammar.actions)):
        raise ValueError("a sentence of n words has 4 n - 2 actions, which are actions of the grammar")
    cdef const int64_t[::1] sentences = np.ascontiguousarray(order, dtype=np.int64)
    if len(order) and not 0 <= np.min(order) <= np.max(order) < len(sizes):
        raise ValueError("the order names a sentence that is not there")
    cdef unique_ptr[ParserBeam[RowLearner]] search
    cdef unique_ptr[ParserBeam[RowLines]] fixed
    if frozen is None:
        search.reset(new ParserBeam[RowLearner](learner.rows, grammar.table, beam))
    else:
        fixed.reset(new ParserBeam[RowLines](frozen.lined()[0], grammar.table, beam))
    cdef int64_t i, changed = 0
    cdef ParserSentence sentence
    with nogil:
        for i in range(sentences.shape[0]):
            sentence = sentence_at(words, symbols, sentences[i])
            learner.examples += averaged
            if sentence.length and fixed:
                changed += learn_tree(learner.rows, fixed.get()[0], sentence, &wanted[actions[sentences[i]]],
                                      learner.examples)
            elif sentence.length:
                changed += learn_tree(learner.rows, search.get()[0], sentence, &wanted[actions[sentences[i]]],
                                      learner.examples)
    return changed


cdef ParserSentence sentence_at(EnglishWords words, const uint8_t[::1] symbols, int64_t number) noexcept nogil:
    cdef ParserSentence sentence
    cdef int64_t begin = words.start_view[number]
    sentence.length = <int32_t>(words.start_view[number + 1] - begin)
    sentence.words = words.words.data() + begin
    sentence.tags = &symbols[0] + begin
    return sentence


cdef checked_tags(EnglishWords words, tags, TreeGrammar grammar, int beam):
    array = np.ascontiguousarray(tags, dtype=np.uint8)
    if len(array) != len(words) or (len(array) and np.max(array) > len(grammar.tags)):
        raise ValueError("each word has one tag, a symbol of the grammar")
    if beam < 1:
        raise ValueError(f"a beam has at least one hypothesis, not {beam}")
    return array if len(array) else np.zeros(1, dtype=np.uint8)

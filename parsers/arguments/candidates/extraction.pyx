"""From trees and predicates to candidates for arguments: spans, features and argument spanning trees as flat arrays.

Strings are looked up once a word or label; everything after that is C++ without the GIL (trees.hpp, features.hpp,
extraction.hpp), a few microseconds a candidate. An extractor whose labels are frozen is safe from many threads: what a
call needs on its way belongs to the call.
"""
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libcpp cimport bool as cpp_bool
from libcpp.vector cimport vector

import numpy as np

from kakari.kernels.hardware.mixing cimport join, mix

from kakari.parsers.arguments.candidates.frames import ArgumentError

CATEGORIES = (
    (), ("S", "SINV", "SQ"), ("SBAR", "SBARQ"), ("VP",), ("NP", "NML", "NX", "WHNP", "NAC"), ("PP", "WHPP"),
    ("ADJP", "WHADJP"), ("ADVP", "WHADVP"), ("QP",), ("VBD", "VBP", "VBZ"), ("VB",), ("VBN",), ("VBG",), ("MD",),
    ("TO",), ("IN",), ("NN", "NNS", "NNP", "NNPS"), ("PRP", "EX"), ("POS", "PRP$"), ("JJ", "JJR", "JJS"), ("CD",),
    ("RB", "RBR", "RBS"), ("DT", "PDT"), ("CC",), (",",),
    (".", ":", "``", "''", "-LRB-", "-RRB-", "HYPH", "NFP", "SYM"), ("RP",), ("WP", "WDT", "WRB", "WP$"),
)
CATEGORY_OF = {label: number for number, labels in enumerate(CATEGORIES) for label in labels}
PASSIVE_WORDS = "be am is are was were been being 's 're 'm get gets got gotten getting".split()
TEMPLATES = (
    "phrase path path-up path-down path-short path-lengths common-label position lemma form tag voice auxiliary"
    " auxiliary-lemma subcategory predicate-parent predicate-clause head-word head-tag head-lemma first-word first-tag"
    " last-word last-tag second-tag content-word content-tag parent grandparent parent-head-word parent-head-tag"
    " production parent-production left-sibling right-sibling left-head-tag right-head-tag left-word right-word"
    " left-tag right-tag place unary distance length steps-up steps-down clauses verbs-between marks-between rivals"
    " frame common-gap inner-predicate predicate-left-tag predicate-right-tag predicate-right-word predicate-gap"
    " top-sibling chain-top frame-place"
    " relation relations subject-word subject-tag object-word object-tag asker-word"
    " governor-word governor-lemma governor-tag common-word common-lemma common-tag second-word"
).split()
TEMPLATE_BITS = 7
FEATURES = 2  # goes up when features or hashes change: shards and models of other ones would be misread
MARKS = ("", "-B", "-P")
MASKED = "-"
GOLD, CHAIN, NEAR = 1, 2, 4
ROOT = "TOP"


cdef extern from "parsers/arguments/candidates/extraction.hpp" namespace "kakari" nogil:
    cdef cppclass LabelParts:
        uint64_t hash
        int32_t number
        uint8_t category

    cdef cppclass ArgumentToken:
        int32_t word
        uint64_t form
        uint64_t lemma

    cdef cppclass ArgumentTree:
        vector[ArgumentToken] tokens
        cpp_bool build(const LabelParts &root, const LabelParts *phrases, const int32_t *begins, const int32_t *ends,
                       int32_t phrase_count, const LabelParts *tags) except +

    cdef cppclass ArgumentSpan:
        int32_t begin
        int32_t end

    cdef cppclass CandidateOptions:
        cpp_bool features
        cpp_bool trees
        cpp_bool siblings
        cpp_bool prune

    cdef cppclass CandidateRows:
        vector[int32_t] begins
        vector[int32_t] ends
        vector[int32_t] nodes
        vector[uint8_t] flags
        vector[int64_t] feature_offsets
        vector[int64_t] tree_offsets
        vector[int32_t] features
        vector[int32_t] labels
        vector[int32_t] arities

    cdef cppclass ArgumentFeatures:
        vector[uint64_t] passive_words

    cdef cppclass CandidateFinder:
        ArgumentFeatures features
        void find(const ArgumentTree &tree, int32_t token, int32_t lemma, const vector[ArgumentSpan] &gold,
                  const CandidateOptions &options, CandidateRows &rows) except +


cdef class CandidateExtractor:
    """Finds the candidates of predicates; labels of trees and words get numbers as they come, until it is frozen.

    Parameters
    ----------
    labels : list of str, optional
        Labels and words that have numbers already, in that order.
    features, trees : bool
        Whether to make features, and argument spanning trees.
    siblings : bool
        Keep the bare labels of what stands beside the two paths of a tree.
    prune : bool
        Only what Xue and Palmer keep: sisters of the nodes above the predicate, and the children of such PPs.

    Examples
    --------
    >>> from kakari.parsers.arguments.candidates.frames import read_frames
    >>> sentence = next(read_frames("sample-en"))
    >>> extractor = CandidateExtractor()
    >>> arrays = extractor.extract([sentence])
    >>> arrays["tokens"].tolist(), arrays["candidate_offsets"].tolist()
    ([1, 6], [0, 15, 26])
    >>> [extractor.name(label) for label in arrays["labels"][:arrays["tree_offsets"][1]]]
    ['who', 'WP', 'WHNP-B', 'write', 'VBD-P', 'VP', 'SQ', 'SBARQ']
    """

    cdef readonly list labels
    cdef readonly bint frozen, trees, features, siblings, prune
    cdef dict numbers
    cdef vector[LabelParts] parts
    cdef vector[uint64_t] passive_words
    cdef CandidateOptions options

    def __init__(self, labels=(), *, features=True, trees=True, siblings=False, prune=False):
        self.labels, self.numbers = [], {}
        self.options.features = self.features = features
        self.options.trees = self.trees = trees
        self.options.siblings = self.siblings = siblings
        self.options.prune = self.prune = prune
        for label in labels:
            self.parts_of(label)
        if len(self.labels) != len(labels):
            raise ArgumentError("a label stands twice in the list of labels")
        for word in PASSIVE_WORDS:
            self.passive_words.push_back(hash_of(word))

    def __reduce__(self):
        return restore, (self.labels, self.frozen, self.features, self.trees, self.siblings, self.prune)

    def freeze(self):
        """Learn no more labels: from now on, unknown ones share one number."""
        self.frozen = True

    def name(self, int64_t label):
        """Return the text of a label of an argument spanning tree, with its mark."""
        number, mark = divmod(label, len(MARKS))
        return (self.labels[number] if number < len(self.labels) else "?") + MARKS[mark]

    cdef LabelParts parts_of(self, str string):
        cdef LabelParts made
        number = self.numbers.get(string)
        if number is not None:
            return self.parts[<int64_t>number]
        made.hash = hash_of(string)
        made.category = CATEGORY_OF.get(string, 0)
        made.number = <int32_t>len(self.labels)
        if not self.frozen:
            self.numbers[string] = made.number
            self.labels.append(string)
            self.parts.push_back(made)
        return made

    cdef read(self, sentence, ArgumentTree &tree):
        """Lay out a sentence's tree."""
        cdef vector[LabelParts] phrases, tags
        cdef vector[int32_t] begins, ends
        cdef LabelParts root = self.parts_of(ROOT), word
        cdef ArgumentToken token
        flat = sentence.tree
        masked = all(form == MASKED for form in flat.words)
        tree.tokens.clear()
        for form, tag in zip(flat.words, flat.tags, strict=True):
            token.word, token.form, token.lemma = -1, 0, 0
            if not masked:
                word = self.parts_of(form.lower())
                token.word, token.form = word.number, word.hash
            tree.tokens.push_back(token)
            tags.push_back(self.parts_of(tag))
        for label, begin, end in flat.nodes:
            phrases.push_back(self.parts_of(label))
            begins.push_back(begin)
            ends.push_back(end)
        if not tree.build(root, phrases.data(), begins.data(), ends.data(), <int32_t>phrases.size(), tags.data()):
            raise ArgumentError(f"the constituents of '{' '.join(flat.words)[:60]}' do not nest")

    def extract(self, sentences):
        """Return the candidates of all predicates of some sentences as flat arrays, by name.

        Predicates: `sentences` (which one), `tokens`, `arguments` (how many spans do not cover the predicate),
        `candidate_offsets`. Candidates: `begins`, `ends`, `nodes` (in preorder, tags included, 0 being the root),
        `flags` (GOLD, CHAIN: not the top of a unary chain, NEAR), and as they were asked for `feature_offsets` and
        `features`, `tree_offsets`, `labels` and `arities` (trees in postorder).
        """
        # Of this call alone: other threads ask the same extractor while the GIL is released.
        cdef ArgumentTree tree
        cdef CandidateFinder finder
        cdef CandidateRows rows
        cdef vector[ArgumentSpan] gold
        cdef ArgumentSpan span
        cdef int32_t token, lemma
        cdef int64_t size
        finder.features.passive_words = self.passive_words
        numbers, tokens, arguments, offsets = [], [], [], [0]
        for number, sentence in enumerate(sentences):
            if not sentence.frames:
                continue
            self.read(sentence, tree)
            size = <int64_t>tree.tokens.size()
            for frame in sentence.frames:
                if not 0 <= frame.token < size:
                    raise ArgumentError(
                        f"there is no token {frame.token} in '{' '.join(sentence.tree.words)[:60]}': the tree lacks the"
                        " predicate"
                    )
                tree.tokens[<int64_t>frame.token].lemma = self.parts_of(frame.lemma).hash
            for frame in sentence.frames:
                gold.clear()
                spans = {(start, end) for start, end in frame.spans if not start <= frame.token < end}
                for span.begin, span.end in spans:
                    gold.push_back(span)
                token, lemma = frame.token, self.parts_of(frame.lemma).number
                with nogil:
                    finder.find(tree, token, lemma, gold, self.options, rows)
                numbers.append(number)
                tokens.append(token)
                arguments.append(len(spans))
                offsets.append(rows.begins.size())
        return self.arrays(rows, numbers, tokens, arguments, offsets)

    cdef arrays(self, CandidateRows &rows, numbers, tokens, arguments, offsets):
        made = {
            "sentences": np.array(numbers, dtype=np.int32),
            "tokens": np.array(tokens, dtype=np.int32),
            "arguments": np.array(arguments, dtype=np.int32),
            "candidate_offsets": np.array(offsets, dtype=np.int64),
            "begins": numbers_of(rows.begins), "ends": numbers_of(rows.ends), "nodes": numbers_of(rows.nodes),
            "flags": copied(<const char *>rows.flags.data(), rows.flags.size(), np.uint8),
        }
        if self.features:
            made["feature_offsets"] = offsets_of(rows.feature_offsets)
            made["features"] = numbers_of(rows.features)
        if self.trees:
            made["tree_offsets"] = offsets_of(rows.tree_offsets)
            made["labels"], made["arities"] = numbers_of(rows.labels), numbers_of(rows.arities)
        return made


def restore(labels, frozen, features, trees, siblings, prune):
    """Rebuild a pickled extractor."""
    made = CandidateExtractor(labels, features=features, trees=trees, siblings=siblings, prune=prune)
    if frozen:
        made.freeze()
    return made


cdef uint64_t hash_of(str string):
    cdef bytes raw = string.encode("utf-8", "surrogatepass")
    cdef uint64_t hash = 0xCBF29CE484222325
    cdef const unsigned char *text = raw
    cdef int64_t i
    for i in range(len(raw)):
        hash = join(hash, text[i])
    return mix(hash) | 1  # never 0, which is an unknown word


cdef copied(const char *data, int64_t count, kind):
    size = np.dtype(kind).itemsize
    return np.frombuffer(data[:count * size], dtype=kind)


cdef numbers_of(const vector[int32_t] &numbers):
    return copied(<const char *>numbers.data(), numbers.size(), np.int32)


cdef offsets_of(const vector[int64_t] &numbers):
    return copied(<const char *>numbers.data(), numbers.size(), np.int64)

"""Bunsetsu boundaries: one decision a morpheme, from left to right, each seeing the decisions before it.

The features are the ids of the fields of a window of six morphemes and of the bunsetsu that is open: how
long it is, what it began with, what it holds; and what was decided after the last mark between words (・), since lists
are cut or not as a whole. They are computed straight from the rows, about 35 a morpheme, into a buffer that belongs to
the `Segmenter`, which is the scratch memory of one thread.

More than half of the decisions need no classifier: some pairs of parts of speech, a noun and a particle say, are
always or never cut in the training data (`sure_boundaries`). They are neither learned nor classified; only a user's
corrections can change them, against which they count as decisions with the margin `SURE_MARGIN`.
"""
from cython.operator cimport dereference
from libc.math cimport INFINITY
from libc.stdint cimport int32_t, int64_t, uint8_t
from libcpp.unordered_map cimport unordered_map
from libcpp.vector cimport vector

from kakari.kernels.frozen.model cimport FrozenModel, Workspace
from kakari.kernels.hardware.arrays cimport int32_array, int64_array
from kakari.parsers.japanese.words.morphemes cimport (
    BASE, CLOSES, COMMA, CONJ_FORM, CONJ_TYPE, FIELDS, FINE, FIRST_CHAR, KINDS, LAST_CHAR, MARK, OPENS, PERIOD, POS,
    SHAPE, SPACE_AFTER, SUBPOS, SURFACE, Morphemes,
)

import numpy as np

from kakari.kernels.sets.featuresets import FeatureSets

SURE_MARGIN = 2.0       # of decisions that need no classifier, against corrections

SEGMENT_GROUPS = {
    "base": (
        "S2_SURFACE S2_SUBPOS S2_FORM S1_SURFACE S1_POS S1_SUBPOS S1_FORM S0_SURFACE S0_POS S0_SUBPOS S0_FORM"
        " T1_SURFACE T2_SURFACE"
    ),
    "words": "S1_BASE S1_FINE S1_TYPE S0_BASE S0_FINE S0_TYPE S2_FINE",
    "characters": "S1_SHAPE S0_SHAPE S0_CHAR T1_SHAPE",
    "window": "T1_SUBPOS T1_FORM T1_FINE T2_SUBPOS S3_SUBPOS S1_KINDS",
    "history": "SINCE CHUNK_FIRST_SUBPOS CHUNK_KINDS CHUNK_FIRST_BASE BRACKETS LAST_LENGTH",
    "edges": "S1_CHAR S0_FIRST_CHAR T1_FIRST_CHAR",
    "points": "POINT POINT_AHEAD",
}


def segment_slots_of(groups):
    """Return the numbers of the slots of feature groups, in order; `-name` names a single slot to leave out.

    Examples
    --------
    >>> [SegmentSlot(number).name for number in segment_slots_of(["characters"])]
    ['S1_SHAPE', 'S0_SHAPE', 'S0_CHAR', 'T1_SHAPE']
    """
    names = {name for group in groups if not group.startswith("-") for name in SEGMENT_GROUPS[group].split()}
    names -= {group[1:] for group in groups if group.startswith("-")}
    return sorted(int(SegmentSlot[name]) for name in names)


cdef class Segmenter:
    """Features of one sentence's morphemes; scratch memory for one thread.

    Parameters
    ----------
    width : int
        One more than the largest value of a feature: at least the size of the vocabulary.
    slots : sequence of int
        The feature slots that are used.
    certain : array of int32, n x 3, optional
        Decisions that need no classifier, see `sure_boundaries`.
    """

    def __init__(self, width, slots, certain=None):
        if width < 256 or width * SEGMENT_SLOTS >= 2**31:
            raise ValueError(f"a feature width of {width} is not between 256 and {2**31 // SEGMENT_SLOTS}")
        self.width = width
        cdef int32_t slot
        for slot in range(SEGMENT_SLOTS):
            self.bases[slot] = -1
        for slot in slots:
            self.bases[slot] = slot * self.width
        for first, second, opens in () if certain is None else certain.tolist():
            self.certain[<int64_t>first * self.width + <int32_t>second] = opens

    cdef int known(self, int32_t token) noexcept nogil:
        """Return whether a token opens a bunsetsu (1) or not (0) if its parts of speech decide; else -1."""
        cdef const int32_t *left = self.rows + (token - 1) * <int32_t>FIELDS
        cdef int32_t first = left[<int>SUBPOS], second = left[<int>FIELDS + <int>SUBPOS]
        cdef unordered_map[int64_t, uint8_t, SecretHash].iterator found
        if first < 0 or second < 0 or left[<int>KINDS] & SPACE_AFTER:
            return -1
        found = self.certain.find(<int64_t>first * self.width + second)
        return -1 if found == self.certain.end() else <int>dereference(found).second

    cdef void begin(self, const int32_t *rows, int32_t tokens) noexcept nogil:
        """Start a sentence; its first token opens a bunsetsu."""
        self.rows, self.tokens = rows, tokens
        self.opened = self.before = self.brackets = self.point = 0
        self.decide(0, True)

    cdef void decide(self, int32_t token, bint opens) noexcept nogil:
        """Note the decision about a token."""
        cdef int32_t kinds = self.rows[token * <int32_t>FIELDS + <int32_t>KINDS]
        if opens and token:
            self.before = token - self.opened
            self.opened = token
        if token and is_point(self, token - 1):
            self.point = 1 + opens
        self.brackets = self.brackets + ((kinds & OPENS) != 0) - ((kinds & CLOSES) != 0)

    cdef int32_t features(self, int32_t token) noexcept nogil:
        """Write the feature ids of a token to `out`; return their number."""
        cdef int32_t n = 0
        n = emit(self, token - 3, SUBPOS, S3_SUBPOS, n)
        n = emit(self, token - 2, SURFACE, S2_SURFACE, n)
        n = emit(self, token - 2, SUBPOS, S2_SUBPOS, n)
        n = emit(self, token - 2, CONJ_FORM, S2_FORM, n)
        n = emit(self, token - 2, FINE, S2_FINE, n)
        n = emit(self, token - 1, SURFACE, S1_SURFACE, n)
        n = emit(self, token - 1, POS, S1_POS, n)
        n = emit(self, token - 1, SUBPOS, S1_SUBPOS, n)
        n = emit(self, token - 1, CONJ_FORM, S1_FORM, n)
        n = emit(self, token - 1, BASE, S1_BASE, n)
        n = emit(self, token - 1, FINE, S1_FINE, n)
        n = emit(self, token - 1, CONJ_TYPE, S1_TYPE, n)
        n = emit(self, token - 1, SHAPE, S1_SHAPE, n)
        n = emit(self, token, SURFACE, S0_SURFACE, n)
        n = emit(self, token, POS, S0_POS, n)
        n = emit(self, token, SUBPOS, S0_SUBPOS, n)
        n = emit(self, token, CONJ_FORM, S0_FORM, n)
        n = emit(self, token, BASE, S0_BASE, n)
        n = emit(self, token, FINE, S0_FINE, n)
        n = emit(self, token, CONJ_TYPE, S0_TYPE, n)
        n = emit(self, token, SHAPE, S0_SHAPE, n)
        n = emit(self, token, LAST_CHAR, S0_CHAR, n)
        n = emit(self, token + 1, SURFACE, T1_SURFACE, n)
        n = emit(self, token + 1, SUBPOS, T1_SUBPOS, n)
        n = emit(self, token + 1, CONJ_FORM, T1_FORM, n)
        n = emit(self, token + 1, FINE, T1_FINE, n)
        n = emit(self, token + 1, SHAPE, T1_SHAPE, n)
        n = emit(self, token + 2, SURFACE, T2_SURFACE, n)
        n = emit(self, token + 2, SUBPOS, T2_SUBPOS, n)
        n = history(self, token, n)
        n = emit(self, token - 1, LAST_CHAR, S1_CHAR, n)
        n = emit(self, token, FIRST_CHAR, S0_FIRST_CHAR, n)
        n = emit(self, token + 1, FIRST_CHAR, T1_FIRST_CHAR, n)
        return marks_between(self, token, n)


cdef inline bint is_point(Segmenter self, int32_t token) noexcept nogil:
    """Return whether a token is a mark between words: not a bracket, comma or period."""
    return self.rows[token * <int32_t>FIELDS + <int32_t>KINDS] & (MARK | OPENS | CLOSES | COMMA | PERIOD) == MARK


cdef int32_t marks_between(Segmenter self, int32_t token, int32_t n) noexcept nogil:
    """Add features of marks between words: the last decision after one, and the distance of the next one."""
    cdef int32_t at = token, last = min(token + 5, self.tokens)
    while at < last and not is_point(self, at):
        at += 1
    n = put(self, self.point, POINT, n)
    return put(self, at - token if at < last else 6, POINT_AHEAD, n)


cdef inline int32_t put(Segmenter self, int32_t value, int32_t slot, int32_t n) noexcept nogil:
    if value < 0 or self.bases[slot] < 0:
        return n
    self.out[n] = self.bases[slot] + value
    return n + 1


cdef inline int32_t emit(Segmenter self, int32_t token, int32_t name, int32_t slot, int32_t n) noexcept nogil:
    if token < 0 or token >= self.tokens:
        return n
    return put(self, self.rows[token * <int32_t>FIELDS + name], slot, n)


cdef int32_t history(Segmenter self, int32_t token, int32_t n) noexcept nogil:
    """Add features of the decisions so far."""
    cdef int32_t kinds = self.rows[(token - 1) * <int32_t>FIELDS + <int32_t>KINDS], together = 0, i
    n = put(self, (kinds & SPACE_AFTER) != 0, S1_KINDS, n)
    n = put(self, min(token - self.opened, 7), SINCE, n)
    n = emit(self, self.opened, SUBPOS, CHUNK_FIRST_SUBPOS, n)
    n = emit(self, self.opened, BASE, CHUNK_FIRST_BASE, n)
    for i in range(max(self.opened, token - 16), token):
        together |= self.rows[i * <int32_t>FIELDS + <int32_t>KINDS]
    n = put(self, (together >> 5) & 127, CHUNK_KINDS, n)
    n = put(self, 0 if self.brackets <= 0 else 1, BRACKETS, n)
    return put(self, min(self.before, 4), LAST_LENGTH, n)


def segment_batch(Morphemes morphemes not None, FrozenModel model not None, Segmenter segmenter not None,
                  margins=None, FrozenModel added=None):
    """Return for each morpheme whether it opens a bunsetsu (1) or not (0).

    `margins`, an array of float64, receives the margins of the decisions; certain ones are infinite. The margins of
    `added` (a user's corrections) are added to all of them; then only the first morpheme of a sentence has an infinite
    one.
    """
    cdef const int64_t[::1] starts = morphemes.start_view
    cdef const int32_t[:, ::1] rows = morphemes.field_view
    # A table of prefixes pays once there are many sentences (making it takes as long as parsing a few) and where what
    # it saves are triples of features: at degree 2 its look-ups, one cache miss after another, cost more.
    cdef Workspace workspace = model.workspace(adaptive=model.degree > 2 and len(morphemes) >= 200)
    cdef Workspace second = None if added is None else added.workspace()
    cdef bint corrected = added is not None
    opens = np.zeros(rows.shape[0], dtype=np.uint8)
    cdef uint8_t[::1] marks = opens
    cdef bint told = margins is not None
    cdef double[::1] out = margins if told else np.empty(0)
    if told and out.shape[0] != rows.shape[0]:
        raise ValueError("one margin is needed for each morpheme")
    cdef double margin, SURE = SURE_MARGIN
    cdef int64_t i, start
    cdef int32_t token, tokens, count
    cdef int opens_here
    with nogil:
        for i in range(starts.shape[0] - 1):
            start, tokens = starts[i], <int32_t>(starts[i + 1] - starts[i])
            if tokens == 0:
                continue
            segmenter.begin(&rows[start, 0], tokens)
            marks[start] = 1
            if told:
                out[start] = INFINITY
            for token in range(1, tokens):
                opens_here = segmenter.known(token)
                if corrected:
                    count = segmenter.features(token)
                    if opens_here < 0:
                        margin = model.classifier.margin(segmenter.out, count, workspace.scratch[0])
                    else:
                        margin = SURE if opens_here else -SURE
                    margin += added.classifier.margin(segmenter.out, count, second.scratch[0])
                    if told:
                        out[start + token] = margin
                    opens_here = margin > 0
                elif opens_here < 0:
                    count = segmenter.features(token)
                    if told:
                        margin = model.classifier.margin(segmenter.out, count, workspace.scratch[0])
                        out[start + token] = margin
                    else:
                        margin = model.classifier.sign(segmenter.out, count, workspace.scratch[0])
                    opens_here = margin > 0
                elif told:
                    out[start + token] = INFINITY if opens_here else -INFINITY
                marks[start + token] = opens_here
                segmenter.decide(token, opens_here)
    return opens


def training_tokens(Morphemes morphemes not None, gold_opens, Segmenter segmenter not None):
    """Return the decisions of a perfect segmenter as feature sets and labels 1 and -1; certain ones are left out."""
    sets, places, _ = boundary_examples(morphemes, gold_opens, segmenter, certain=False)
    return sets, np.where(np.asarray(gold_opens)[places], 1, -1).astype(np.int8)


def boundary_examples(Morphemes morphemes not None, opens, Segmenter segmenter not None, *, bint certain=True):
    """Return the decisions about all morphemes except the first of each sentence, given `opens`.

    These are feature sets, the morpheme of each, and for each 1 or 0 if its parts of speech decide, else -1. Without
    `certain`, decisions that need no classifier are left out.
    """
    cdef const uint8_t[::1] marks = np.ascontiguousarray(opens, dtype=np.uint8)
    cdef const int64_t[::1] starts = morphemes.start_view
    cdef const int32_t[:, ::1] rows = morphemes.field_view
    cdef vector[int32_t] ids, places, known
    cdef vector[int64_t] offsets
    cdef int64_t i, start
    cdef int32_t token, tokens, count, decided
    if marks.shape[0] != rows.shape[0]:
        raise ValueError("one opening mark is needed for each morpheme")
    offsets.push_back(0)
    with nogil:
        for i in range(starts.shape[0] - 1):
            start, tokens = starts[i], <int32_t>(starts[i + 1] - starts[i])
            if tokens == 0:
                continue
            segmenter.begin(&rows[start, 0], tokens)
            for token in range(1, tokens):
                decided = segmenter.known(token)
                if certain or decided < 0:
                    count = segmenter.features(token)
                    ids.insert(ids.end(), segmenter.out, segmenter.out + count)
                    offsets.push_back(<int64_t>ids.size())
                    places.push_back(<int32_t>start + token)
                    known.push_back(decided)
                segmenter.decide(token, marks[start + token])
    sets = FeatureSets.from_arrays(int64_array(offsets), int32_array(ids))
    return sets, int32_array(places), int32_array(known)

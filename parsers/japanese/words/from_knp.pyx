"""KNP text straight to rows: the morphemes of many sentences, without making records.

A morpheme's line is read once; its row and the caller's note of it are cached under the line, so that after that it
costs one look-up and a copy of 44 bytes. Lines of structure are only checked. The cache is bounded like that of a
`Lexicon`.

A sentence that is not plainly regular goes to the reader of records, from its first line on, so that all rules and
error messages are in one place.
"""
from itertools import chain

from libc.stdint cimport int32_t, int64_t

from kakari.parsers.japanese.words.morphemes cimport Lexicon, MorphemeBatch

from kakari.corpora.formats.knp import knp_sentences, parse_morpheme

REMEMBERED_LINES = 100_000

cdef enum LineKind:
    END
    COMMENT
    BUNSETSU
    PHRASE
    OTHER


cdef inline LineKind line_kind(str line) noexcept:
    """Return the kind of a line; OTHER is a morpheme, or something that the reader of records must see."""
    cdef Py_ssize_t size = len(line)
    if size < 2 or line[0] not in "E#*+":
        return OTHER
    if line[0] == u"E":
        return END if line == "EOS" else OTHER
    if line[1] != u" ":
        return OTHER
    if line[0] == u"#":
        return COMMENT
    if not is_structure(line, size):
        return OTHER
    return BUNSETSU if line[0] == u"*" else PHRASE


cdef inline bint is_structure(str line, Py_ssize_t size) noexcept:
    """Return whether a line that starts with a sign and a blank continues with a head and a type, as in `* 2D`."""
    cdef Py_ssize_t first = 3 if size > 2 and line[2] == u"-" else 2, place
    place = first
    while place < size and u"0" <= line[place] <= u"9":
        place += 1
    if not 1 <= place - first <= 9 or place == size or line[place] not in "DPIA":
        return False
    return place + 1 == size or line[place + 1] == u" "


cdef class Order:
    """States of the reader: what may come next in a regular sentence."""
    cdef bint opened            # a bunsetsu
    cdef bint phrased           # this bunsetsu has a base phrase
    cdef bint with_phrases      # those before it had
    cdef bint without_phrases
    cdef int64_t words          # of the base phrase, or of the bunsetsu before its first one

    cdef bint closes(self) noexcept:
        """End the open bunsetsu, if any; return whether it was regular."""
        if not self.opened:
            return True
        if not self.words or (self.without_phrases if self.phrased else self.with_phrases):
            return False
        self.with_phrases, self.without_phrases = self.phrased, not self.phrased
        return True

    cdef bint starts_bunsetsu(self) noexcept:
        if not self.closes():
            return False
        self.opened, self.phrased, self.words = True, False, 0
        return True

    cdef bint takes_word(self) noexcept:
        self.words += 1
        return self.opened and (self.phrased or not self.with_phrases)

    cdef bint starts_phrase(self) noexcept:
        if not self.opened or self.phrased != (self.words > 0):
            return False
        self.phrased, self.words = True, 0
        return True


cdef class KnpRows:
    """Reads KNP text into rows of a lexicon.

    Parameters
    ----------
    lexicon : Lexicon
    note_of : callable
        Returns what to keep of a `Morpheme`. It is called once for each new line.

    Examples
    --------
    >>> from kakari.models.vocabulary import Vocabulary
    >>> from kakari.parsers.japanese.words.morphemes import Lexicon
    >>> lines = ["# S-ID:1", "* -1D", "はい はい はい 感動詞 12 * 0 * 0 * 0 NIL", "EOS"]
    >>> reader = KnpRows(Lexicon(Vocabulary(), "juman"), lambda morpheme: morpheme.pos)
    >>> reader.read("x.knp", enumerate(lines, 1))
    (<1 sentences, 1 morphemes>, [['# S-ID:1']], [('感動詞',)])
    """
    cdef Lexicon lexicon
    cdef object note_of
    cdef dict words             # line -> row, length of the surface, note

    def __init__(self, Lexicon lexicon not None, note_of):
        self.lexicon, self.note_of, self.words = lexicon, note_of, {}

    def read(self, str name, lines):
        """Read numbered lines of a file; return the morphemes, each sentence's comments and each morpheme's note."""
        cdef MorphemeBatch batch = MorphemeBatch(self.lexicon)
        cdef list comments = [], notes = [], own, words
        cdef tuple word
        cdef int32_t begin, end
        waiting = iter(lines)
        while True:
            own, words = [], []
            if not self.read_sentence(name, waiting, own, words):
                return batch.finish(), comments, notes
            end = 0
            for word in words:
                begin, end = end, end + <int32_t>word[1]
                batch.push(<bytes>word[0], begin, end)
                notes.append(word[2])
            batch.end_sentence()
            comments.append(own)

    cdef bint read_sentence(self, str name, waiting, list comments, list words) except -1:
        """Collect the comments and words of the next sentence; return whether there was one."""
        cdef Order order = Order()
        cdef LineKind kind
        cdef list passed = []
        cdef tuple numbered
        cdef str line
        cdef bint regular = True
        for numbered in waiting:
            passed.append(numbered)
            line = numbered[1]
            kind = line_kind(line)
            if kind == OTHER:
                regular = order.takes_word()
                if regular:
                    word = self.words.get(line)
                    if word is None and line.strip(" ") and line[0] not in "*+":
                        word = self.remember(line, parse_morpheme(name, numbered[0], line))
                    regular = word is not None
                    words.append(word)
            elif kind == BUNSETSU:
                regular = order.starts_bunsetsu()
            elif kind == PHRASE:
                regular = order.starts_phrase()
            elif kind == COMMENT:
                regular = not order.opened
                comments.append(line.rstrip(" "))
            elif order.closes():
                return True
            else:
                regular = False
            if not regular:
                break
        if not passed:
            return False
        comments.clear()
        words.clear()
        for record in knp_sentences(name, chain(passed, waiting), strict=False):
            comments.extend(record.comments)
            words.extend([self.word(morpheme) for morpheme in record.morphemes])
            return True
        return False

    cdef tuple word(self, morpheme):
        key = (morpheme.surface, morpheme.base, morpheme.pos, morpheme.conj_type, morpheme.conj_form)
        return self.lexicon.row(key), len(morpheme.surface), self.note_of(morpheme)

    cdef tuple remember(self, str line, morpheme):
        if len(self.words) >= REMEMBERED_LINES:
            self.words.clear()
        word = self.words[line] = self.word(morpheme)
        return word

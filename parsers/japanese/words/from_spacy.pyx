"""spaCy's tokens to rows, a document's attributes being read as one array of hashes.

A combination of word, lemma, tag and inflection is looked at as text once; its row is remembered in the lexicon under
the four hashes mixed into one, so that a token after that costs one look-up and a copy of 44 bytes.
"""
from libc.stdint cimport int32_t, uint64_t
from libcpp.vector cimport vector

from kakari.kernels.hardware.arrays cimport int32_array
from kakari.kernels.hardware.mixing cimport join
from kakari.parsers.japanese.words.morphemes cimport Lexicon, MorphemeBatch
from kakari.parsers.japanese.words.spacy_words cimport LENGTH, LEMMA, MORPH, ORTH, SPACE_BEHIND, TAG

import numpy as np  # no-cython-lint (the functions of arrays.pxd use it)

from kakari.parsers.japanese.words.sources import spacy_word

ATTRIBUTES = ("LENGTH", "SPACY", "ORTH", "LEMMA", "TAG", "MORPH")      # as in `spacy_words.Column`
MOST_TOKENS = 1 << 15


cdef inline uint64_t mixed(const uint64_t[:, ::1] table, Py_ssize_t token) noexcept:
    cdef uint64_t value = 0
    cdef int column
    for column in range(<int>ORTH, <int>MORPH + 1):
        value = join(value, table[token, column])
    return value


def table_rows(documents, Lexicon lexicon not None):
    """Return the morphemes of documents, the token that each of them begins with, and the token that it is.

    Tokens count on through the documents.

    A document is the strings that its hashes stand for, a table of `ATTRIBUTES` (and perhaps more), and the first token
    of each sentence. Offsets count from the sentence's first character. White space is no morpheme; what stands before
    the first word belongs to it, so that it begins with the sentence's first token.

    Examples
    --------
    >>> import spacy
    >>> from kakari.models.vocabulary import Vocabulary
    >>> from kakari.parsers.japanese.words.morphemes import Lexicon
    >>> doc = spacy.blank("ja")("本　を読む")
    >>> document = doc.vocab.strings, doc.to_array(ATTRIBUTES), [0]
    >>> morphemes, tokens, words = table_rows([document], Lexicon(Vocabulary(), "sudachi"))
    >>> morphemes, tokens.tolist(), words.tolist()
    (<1 sentences, 3 morphemes>, [0, 2, 3], [0, 2, 3])
    """
    cdef MorphemeBatch batch = MorphemeBatch(lexicon)
    cdef vector[int32_t] tokens, words
    cdef const uint64_t[:, ::1] table
    cdef Py_ssize_t base = 0, number
    cdef list firsts
    for strings, table, firsts in documents:
        for number in range(len(firsts)):
            last = firsts[number + 1] if number + 1 < len(firsts) else table.shape[0]
            add_sentence(batch, tokens, words, strings, table, firsts[number], last, base)
        base += table.shape[0]
    return batch.finish(), int32_array(tokens), int32_array(words)


cdef int add_sentence(MorphemeBatch batch, vector[int32_t]& tokens, vector[int32_t]& words, strings,
                      const uint64_t[:, ::1] table, Py_ssize_t first, Py_ssize_t last, Py_ssize_t base) except -1:
    cdef int32_t begin, end = 0
    cdef Py_ssize_t token
    cdef bint is_first = True
    for token in range(first, last):
        begin, end = end, end + <int32_t>table[token, <int>LENGTH]
        row = row_of(batch.lexicon, strings, table, token)
        if row is None:
            batch.add_space(end)
        else:
            batch.push(<bytes>row, 0 if is_first else begin, end)
            tokens.push_back(<int32_t>(base + (first if is_first else token)))
            words.push_back(<int32_t>(base + token))
            is_first = False
        if table[token, <int>SPACE_BEHIND]:
            end += 1
            batch.add_space(end)
    if end and is_first:
        text = "".join([strings[table[token, <int>ORTH]] + " " * table[token, <int>SPACE_BEHIND]
                        for token in range(first, last)])
        batch.add(text, text, ("空白",), "", "", 0, end)
        tokens.push_back(<int32_t>(base + first))
        words.push_back(<int32_t>(base + first))
    batch.end_sentence()
    return 0


def sentence_firsts(const uint64_t[:, ::1] table, Py_ssize_t column):
    """Return the first token of each sentence by a column of spaCy's marks; None where no token but the first has one.

    Examples
    --------
    >>> sentence_firsts(np.array([[1], [2**64 - 1], [1]], dtype=np.uint64), 0)
    [0, 2]
    >>> sentence_firsts(np.array([[1], [0]], dtype=np.uint64), 0)
    """
    cdef Py_ssize_t token
    cdef bint marked = table.shape[0] < 2
    cdef list firsts = [0] if table.shape[0] else []
    for token in range(1, table.shape[0]):
        if table[token, column] == 1:
            firsts.append(token)
        marked = marked or table[token, column] != 0
    return firsts if marked else None


cdef row_of(Lexicon lexicon, strings, const uint64_t[:, ::1] table, Py_ssize_t token):
    """Return the packed row of a token, None for white space."""
    cdef uint64_t key = mixed(table, token)
    row = lexicon.tokens.get(key, lexicon)
    if row is not lexicon:
        return row
    word = spacy_word(strings, lexicon.tagset, table[token, <int>ORTH], table[token, <int>LEMMA],
                      table[token, <int>TAG], table[token, <int>MORPH])
    row = None if word[0].isspace() else lexicon.row(word)
    if len(lexicon.tokens) >= MOST_TOKENS:
        lexicon.tokens.clear()
    lexicon.tokens[key] = row
    return row

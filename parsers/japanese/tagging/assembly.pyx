"""Conversion of word arrays to records with strings for users, and to rows of numbers for the parser.

A word type is an entry of the dictionary with a tag. Its reading, base form and packed row are made once and cached;
after that a word costs a look-up. Only words that are not in the dictionary, and half-width spellings, are computed
each time.
"""
from libc.stdint cimport int32_t, int64_t, uint8_t

from kakari.parsers.japanese.words.morphemes cimport Lexicon, MorphemeBatch

REMEMBERED_TYPES = 1 << 15


cdef class TypeCache:
    """Cache of word types, a few hundred bytes each; it starts again after 32,768 of them.

    Examples
    --------
    >>> import pickle
    >>> type(pickle.loads(pickle.dumps(TypeCache()))).__name__
    'TypeCache'
    """
    cdef dict analyses, rows

    def __init__(self):
        self.analyses, self.rows = {}, {}

    def __reduce__(self):
        return TypeCache, ()


def found_words(texts, words, tags, model, make, TypeCache cache not None):
    """Return the words of each text as `make((start, end, surface, reading, base, tag, codes))`.

    Parameters
    ----------
    texts : list of str
    words : Words
        Of these texts.
    tags : array of uint8
        The number of each word's tag.
    model : WordsModel
        Its `analysis(surface, entry, tag)` returns reading, base form, tag and codes.

    Examples
    --------
    >>> from kakari.parsers.japanese.tagging import pretrained_words
    >>> model = pretrained_words()
    >>> words = model.cut(["本を"])
    >>> found_words(["本を"], words, model.tag(words), model, lambda word: word[:4], TypeCache())
    [[(0, 1, '本', 'ほん'), (1, 2, 'を', 'を')]]
    """
    cdef const int64_t[::1] starts = words.table.starts
    cdef const int32_t[::1] ends = words.ends, entries = words.entries
    cdef const uint8_t[::1] chosen = tags
    cdef dict analyses = cache.analyses
    cdef int64_t place
    cdef int32_t begin, end
    cdef Py_ssize_t number
    cdef str text, surface
    cdef tuple analysis
    found = []
    for number, text in enumerate(texts):
        own, begin = [], 0
        for place in range(starts[number], starts[number + 1]):
            end = ends[place]
            surface = text[begin:end]
            key = <int64_t>entries[place] << 8 | chosen[place]
            analysis = analyses.get(key)
            if analysis is None or <str>analysis[0] != surface:
                analysis = (surface, *model.analysis(surface, entries[place], chosen[place]))
                if entries[place] >= 0:
                    remember(analyses, key, analysis)
            own.append(make((begin, end, analysis[0], analysis[1], analysis[2], analysis[3], analysis[4])))
            begin = end
        found.append(own)
    return found


def found_morphemes(texts, words, tags, model, TypeCache cache not None, Lexicon lexicon not None, records=None):
    """Return the words of each text as `Morphemes`; white space lengthens the word before it.

    A cache serves one model and one lexicon. The records of each text's words go to the list `records`, if it is given.

    Examples
    --------
    >>> from kakari.models.vocabulary import Vocabulary
    >>> from kakari.parsers.japanese.tagging import pretrained_words
    >>> from kakari.parsers.japanese.words.morphemes import Lexicon
    >>> model = pretrained_words()
    >>> words = model.cut(["本 を"])
    >>> found_morphemes(["本 を"], words, model.tag(words), model, TypeCache(), Lexicon(Vocabulary(), "juman"))
    <1 sentences, 2 morphemes>
    """
    cdef const int64_t[::1] starts = words.table.starts
    cdef const int32_t[::1] ends = words.ends, entries = words.entries
    cdef const uint8_t[::1] chosen = tags
    cdef dict rows = cache.rows
    cdef MorphemeBatch batch = MorphemeBatch(lexicon)
    cdef int64_t place
    cdef int32_t begin, end
    cdef Py_ssize_t number
    cdef str text, surface
    cdef list word
    for number, text in enumerate(texts):
        own, begin = [], 0
        for place in range(starts[number], starts[number + 1]):
            end = ends[place]
            surface = text[begin:end]
            key = <int64_t>entries[place] << 8 | chosen[place]
            word = rows.get(key)
            if word is None or <str>word[0] != surface:
                word = word_of(model, lexicon, surface, entries[place], chosen[place])
                if entries[place] >= 0:
                    remember(rows, key, word)
            if word[1] is None:
                batch.add_space(end)
            else:
                batch.push(<bytes>word[1], batch.gap_begin(begin), end)
                if records is not None:
                    if word[2] is None:
                        word[2] = model.record(surface, entries[place], chosen[place])
                    own.append(word[2])
            begin = end
        if text and not batch.sentence_size():
            batch.add(text, text, ("特殊", "空白"), "", "", 0, <int32_t>len(text))
        batch.end_sentence()
        if records is not None:
            records.append(own)
    return batch.finish()


cdef list word_of(model, Lexicon lexicon, str surface, entry, tag):
    """Return a word's surface, packed row (None for white space) and a place for its record."""
    if surface.isspace():
        return [surface, None, None]
    _, base, own, _ = model.analysis(surface, entry, tag)
    levels = (own.pos, own.subpos) if own.subpos else (own.pos,)
    return [surface, lexicon.row((surface, base or surface, levels, own.conj_type, own.conj_form)), None]


cdef remember(dict known, key, value):
    if len(known) >= REMEMBERED_TYPES:
        known.clear()
    known[key] = value

"""Tokens as the parser sees them: a batch of sentences, 150 bytes a token, no strings.

A token has a form (in small letters), a lemma, a fine and a coarse tag and any number of morphological features, of
which the first 14 count. What is not known is "_"; of the two tags and of form and lemma, one stands in for the other.
"""
from libc.stdint cimport int64_t, uint64_t

import numpy as np

from kakari.kernels.hardware.mixing cimport join, mix

MOST_FEATURES = 14


cdef class TokenBatch:
    """The tokens of some sentences.

    Parameters
    ----------
    sentences : sequence of sequences of tuples
        Each token is (form, lemma, coarse tag, fine tag, features); features are joined by "|".

    Attributes
    ----------
    starts : array of int64
        Where each sentence begins and, last, where all end.

    Examples
    --------
    >>> dogs = ("Dogs", "dog", "NOUN", "NNS", "Number=Plur")
    >>> TokenBatch([[dogs, ("bark", "bark", "VERB", "VBP", "_")], []]).starts.tolist()
    [0, 2, 2]
    """

    def __init__(self, sentences):
        sizes = [len(line) for line in sentences]
        self.starts = np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)]).astype(np.int64)
        self.start_view = self.starts
        self.tokens.resize(sum(sizes))
        cdef dict known = {}
        cdef int64_t at = 0
        cdef Token *token
        for line in sentences:
            for form, lemma, coarse, fine, features in line:
                token = &self.tokens[at]
                at += 1
                token.form = hashed(known, form.lower(), 1)
                token.lemma = hashed(known, form.lower() if lemma == "_" else lemma, 2)
                token.tag = hashed(known, coarse if fine == "_" else fine, 3)
                token.coarse = hashed(known, fine if coarse == "_" else coarse, 4)
                if features != "_":
                    for feature in features.split("|")[:MOST_FEATURES]:
                        token.features[token.count] = hashed(known, feature, 5)
                        token.count += 1

    def __len__(self):
        return self.tokens.size()


cdef uint64_t hashed(dict known, str text, int kind) except? 0:
    key = (text, kind)
    found = known.get(key)
    if found is not None:
        return <uint64_t>found
    cdef bytes characters = text.encode("utf-8", "surrogatepass")
    cdef uint64_t value = join(0xCBF29CE484222325u, <uint64_t>kind)
    cdef unsigned char character
    for character in characters:
        value = join(value, <uint64_t>character)
    value = mix(value)
    known[key] = value
    return value

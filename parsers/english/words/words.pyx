"""Features of English words for decoders: a batch of sentences, 170 bytes a word, no strings.

All characters of a batch come in as one UTF-32 buffer; forms, affixes and shapes are hashed from it without Python
(words.hpp). A lexicon holds the tags that frequent words had in training, as a number for each set of
tags.
"""
from libc.stdint cimport int64_t, uint32_t, uint64_t

import numpy as np

from kakari.kernels.stored import Contents


cdef class WordLexicon:
    """Lexicon of frequent words: sorted hashes of their forms, and for each the number of its set of tags.

    Examples
    --------
    >>> hashes = np.sort(word_hashes(["run", "the"]))
    >>> WordLexicon(hashes, [1, 2]).arrays["kinds"].tolist()
    [1, 2]
    """

    def __init__(self, forms, kinds):
        self.arrays = {
            "forms": np.ascontiguousarray(forms, dtype=np.uint64),
            "kinds": np.ascontiguousarray(kinds, dtype=np.uint16),
        }
        size = len(self.arrays["forms"])
        if len(self.arrays["kinds"]) != size:
            raise ValueError("a lexicon must have as many kinds as words")
        if size and (np.sort(self.arrays["forms"]) != self.arrays["forms"]).any():
            raise ValueError("the words of a lexicon must be sorted")
        self.form_view, self.kind_view = self.arrays["forms"], self.arrays["kinds"]
        self.table.size = size
        if size:
            self.table.forms = &self.form_view[0]
            self.table.kinds = &self.kind_view[0]

    def contents(self):
        """Return the saved form of the lexicon."""
        return Contents(self.arrays)

    @staticmethod
    def from_contents(contents):
        """Rebuild a lexicon from its `contents()`."""
        forms = contents.array("forms", np.uint64, ascending=True)
        return WordLexicon(forms, contents.array("kinds", np.uint16, shape=forms.shape))

    def __reduce__(self):
        return WordLexicon.from_contents, (self.contents(),)


cdef class EnglishWords:
    """The words of some sentences.

    Attributes
    ----------
    starts : array of int64
        Where each sentence begins and, last, where all end.

    Examples
    --------
    >>> EnglishWords([["Dogs", "bark"], [], ["Yes"]], WordLexicon([], [])).starts.tolist()
    [0, 2, 2, 3]
    """

    def __init__(self, sentences, WordLexicon lexicon not None):
        sizes = [len(forms) for forms in sentences]
        self.starts = np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)]).astype(np.int64)
        self.start_view = self.starts
        forms = [form for words in sentences for form in words]
        text = np.frombuffer("".join(forms).encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
        cdef const uint32_t[::1] characters = text
        cdef const int64_t[::1] lengths = np.array([len(form) for form in forms], dtype=np.int64)
        cdef int64_t sentence, token, at = 0
        cdef int quotations
        self.words.resize(len(forms))
        if not forms or not len(text):
            return
        with nogil:
            for sentence in range(self.start_view.shape[0] - 1):
                quotations = 0
                for token in range(self.start_view[sentence], self.start_view[sentence + 1]):
                    # Not &characters[at]: an empty word may stand at the end.
                    self.words[token] = word_of(&characters[0] + at, lengths[token], quotations)
                    look_up(lexicon.table, self.words[token])
                    at += lengths[token]

    def __len__(self):
        return self.words.size()


def word_hashes(words):
    """Return the hash of each word's form, as a lexicon has it.

    Examples
    --------
    >>> word_hashes(["1984", "2001"]).tolist() == [word_hashes(["0000"])[0]] * 2
    True
    """
    cdef EnglishWords batch = EnglishWords([[word] for word in words], WordLexicon([], []))
    result = np.empty(len(batch), dtype=np.uint64)
    cdef uint64_t[::1] view = result
    cdef int64_t i
    for i in range(view.shape[0]):
        view[i] = batch.words[i].form
    return result

# Columns of a table of tokens (see spacy_words.pyx); a document's own table begins with the first six.
cpdef enum Column:
    LENGTH
    SPACE_BEHIND
    ORTH
    LEMMA
    TAG
    MORPH
    NORM
    POS
    COLUMNS

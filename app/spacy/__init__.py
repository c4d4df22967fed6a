"""spaCy components, the fast tokenizer, and many processes behind `nlp.pipe`.

In: spaCy's `Doc`
Out: the same `Doc`, annotated
Uses: corpora.formats, corpora.records, models, parsers, parsers.arguments, parsers.arguments.candidates,
    parsers.correcting, parsers.dependency, parsers.english, parsers.english.chunks, parsers.english.words,
    parsers.japanese, parsers.japanese.tagging, parsers.japanese.universal, parsers.japanese.words,
    parsers.questions, parsers.sequences
"""

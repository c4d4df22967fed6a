"""Commands on sequence labellers: a user's own columns, chunks, words.

In: models, texts and column files
Out: figures, labelled lines, words
Uses: app.output, app.reading, corpora.records, parsers.english.chunks, parsers.japanese.tagging,
    parsers.japanese.words, parsers.sequences
"""

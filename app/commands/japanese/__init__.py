"""Commands for Japanese: parse texts and words, write line breaks, convert formats.

In: the arguments of a command
Out: text on stdout, or a file
Uses: app.output, app.reading, corpora.formats, corpora.records, models, parsers.japanese, parsers.japanese.words,
    parsers.pictures
"""

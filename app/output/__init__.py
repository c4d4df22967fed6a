"""Output of results: consoles and progress bars, drawings, formats of both languages.

In: parsed sentences
Out: text, JSON, SVG
Uses: corpora.formats, corpora.records, models, parsers, parsers.arguments, parsers.arguments.candidates,
    parsers.dependency, parsers.english, parsers.english.chunks, parsers.english.words, parsers.japanese,
    parsers.japanese.tagging, parsers.japanese.universal, parsers.japanese.words, parsers.pictures
"""

"""`kakari serve`: a page that shows structures and their reasons, and the JSON API behind it.

In: texts over HTTP
Out: sentences as JSON, pictures and formats; explanations; corrections
Uses: app.output, app.reading, corpora.records, models, parsers, parsers.arguments, parsers.arguments.candidates,
    parsers.correcting, parsers.dependency, parsers.dependency.explaining, parsers.english, parsers.english.chunks,
    parsers.english.words, parsers.japanese, parsers.pictures, parsers.questions, parsers.sequences
"""

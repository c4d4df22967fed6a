"""`kakari parse` for English text.

In: texts with their places, options
Out: trees, predicates and arguments, written
Uses: app.output, app.reading, models, parsers.arguments, parsers.english, parsers.pictures
"""

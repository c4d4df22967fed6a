"""What `kakari parse` does with English text.

In: texts with their places, what was asked for
Out: trees, predicates and arguments, written
Uses: app.output, app.reading, models, parsers.arguments, parsers.english, parsers.pictures
"""

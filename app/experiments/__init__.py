"""What the papers measured, as plain functions.

In: problems made of corpora
Out: rows of tables and points of curves
Uses: app.reading, corpora, corpora.records, kernels.fragments, kernels.frozen, kernels.learning, kernels.replay,
    kernels.sets, kernels.trees, models, models.machines, models.polynomial, parsers, parsers.arguments.boundary,
    parsers.arguments.candidates, parsers.english.chunks, parsers.japanese.tagging, parsers.sequences
"""

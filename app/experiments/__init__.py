"""What the papers measured, as plain functions.

In: problems made of corpora
Out: rows of tables and points of curves
Uses: app.reading, app.results, corpora, corpora.formats, corpora.records, kernels.baselines, kernels.fragments,
    kernels.frozen, kernels.learning, kernels.replay, kernels.sets, kernels.solvers, kernels.trees, models,
    models.linear, models.machines, models.polynomial, parsers, parsers.arguments.boundary,
    parsers.arguments.candidates, parsers.correcting, parsers.dependency, parsers.dependency.reranked,
    parsers.dependency.reranking, parsers.english.chunks, parsers.hyponymy, parsers.japanese, parsers.japanese.tagging,
    parsers.questions, parsers.sequences
"""

"""What the papers left for later, or should have done by their own word: self-training, sweeps, curves in one run.

In: problems made of corpora
Out: rows of tables and points of curves
Uses: app.experiments, app.results, corpora, kernels.frozen, kernels.learning, kernels.sets, models.linear,
    models.machines, parsers.arguments.boundary, parsers.arguments.candidates, parsers.english, parsers.questions
"""

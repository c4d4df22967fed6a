"""`kakari reproduce`: the papers' experiments, by one command each.

In: corpora and sizes
Out: tables and figures
Uses: app.commands, app.commands.train, app.experiments, app.experiments.later, app.output, app.results, corpora,
    corpora.records, kernels.trees, parsers.arguments.boundary, parsers.questions
"""

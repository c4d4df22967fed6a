"""`kakari train TASK CORPUS -o MODEL`, a file for each family of tasks.

In: corpora and options
Out: a model file and its figures
Uses: app.commands, app.output, app.reading, corpora, corpora.records, kernels.learning, kernels.sets, models,
    models.machines, models.polynomial, parsers.dependency, parsers.english, parsers.english.words, parsers.japanese,
    parsers.questions, parsers.sequences
"""

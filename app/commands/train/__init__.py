"""`kakari train TASK CORPUS -o MODEL`, a file for each family of tasks.

In: corpora and options
Out: a model file and its figures
Uses: app.commands, app.commands.hyponymy, app.output, app.reading, corpora, corpora.formats, corpora.records,
    models, models.machines, models.polynomial, models.streaming, parsers, parsers.arguments.boundary,
    parsers.dependency, parsers.dependency.reranked, parsers.dependency.reranking, parsers.english,
    parsers.english.chunks,
    parsers.english.words, parsers.hyponymy, parsers.japanese, parsers.japanese.tagging,
    parsers.questions, parsers.sequences
"""

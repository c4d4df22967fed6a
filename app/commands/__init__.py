"""The command line, one file a command; options that several commands share.

In: arguments, files and pipes
Out: results on stdout, everything else on stderr
Uses: app.commands.english, app.commands.hyponymy, app.commands.japanese, app.commands.sequences, app.output,
    app.reading, corpora, corpora.formats, corpora.records, kernels.fragments, kernels.trees, models, models.machines,
    models.polynomial, parsers, parsers.arguments, parsers.arguments.boundary, parsers.arguments.candidates,
    parsers.correcting, parsers.dependency, parsers.dependency.reranked, parsers.english, parsers.english.words,
    parsers.japanese, parsers.questions, parsers.sequences
"""

"""Commands on hyponymy models and Wikipedia articles.

In: dumps, pairs, models
Out: pairs with probabilities, figures, explanations
Uses: app.output, corpora, corpora.formats, corpora.records, parsers.hyponymy
"""

"""What commands do with sequence labellers.

In: models and column files
Out: figures and labelled lines
Uses: corpora.records, parsers.english.chunks, parsers.sequences
"""

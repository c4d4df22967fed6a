"""Tags, morphological features and lemmas of words, in any language.

In: words of sentences
Out: coarse and fine tags, features, lemmas
Uses: kernels, kernels.hashed, models, parsers.english, parsers.english.constituency, parsers.english.words
"""

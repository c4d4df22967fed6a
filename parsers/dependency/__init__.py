"""Dependency trees in any language: tags, lemmas and k-best trees from treebanks.

In: tokens, or text
Out: heads and relations
Uses: kernels.hashed
"""

"""Reranking of k-best dependency trees with a template kernel: properties of words and arcs, learning, choosing.

In: tagged words, lists of trees as arrays
Out: rerankers, the chosen tree of each list
Uses: kernels.hardware, kernels.templates, kernels, models
"""

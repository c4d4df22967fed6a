"""The embedded English model of Universal Dependencies: how it is made.

In: the English Web Treebank
Out: `en-ud.safetensors` and its card
Uses: models, parsers, parsers.dependency, parsers.dependency.reranked, parsers.dependency.reranking
"""

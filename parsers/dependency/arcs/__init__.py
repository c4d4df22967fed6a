"""The best trees by the scores of arcs alone: projective (Eisner), and any (Chu-Liu and Edmonds).

In: the score of each arc
Out: heads
Uses: nothing
"""

"""Training in blocks of which one is in memory at a time, with or without a budget of support vectors.

In: blocks of feature sets with classes
Out: classifiers with the polynomial kernel
Uses: kernels.learning, kernels.sets, kernels.trees, models, models.machines, models.polynomial
"""

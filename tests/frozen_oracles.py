"""The definitions that frozen models are held against: slow, short, and nothing else."""

from itertools import combinations
from math import comb, fsum


def kernel_margin(rows, coefficients, degree, bias, example):
    """m(x) = bias + sum_i alpha_i (1 + |s_i & x|)**d."""
    return fsum(
        [
            bias,
            *(a * (1 + len(set(s) & set(example))) ** degree for s, a in zip(rows, coefficients, strict=True)),
        ]
    )


def subset_weight(degree, size):
    """c_d(k): how many ways d choices out of {1, the k features} can cover all k of them."""
    return sum((-1) ** (size - m) * comb(size, m) * (1 + m) ** degree for m in range(size + 1))


def conjunction_weights(rows, coefficients, degree):
    """Every conjunction of up to d features with (weight, number of rows that hold it), none being empty."""
    found = {}
    for row, coefficient in zip(rows, coefficients, strict=True):
        for size in range(1, degree + 1):
            for conjunction in combinations(sorted(set(row)), size):
                weight, count = found.get(conjunction, (0.0, 0))
                found[conjunction] = (weight + subset_weight(degree, size) * coefficient, count + 1)
    return found


def kept_conjunctions(rows, coefficients, degree, sigma, minimum_support):
    """What the 2003 paper keeps: w >= sigma_pos or w <= sigma_neg, in at least xi support vectors."""
    held = sum(a != 0 for a in coefficients) or 1
    positive = sigma * sum(a > 0 for a in coefficients) / held
    negative = -(sigma - positive)
    return {
        conjunction: weight
        for conjunction, (weight, count) in conjunction_weights(rows, coefficients, degree).items()
        if count >= minimum_support and ((weight > 0 and weight >= positive) or (weight < 0 and weight <= negative))
    }


def linear_margin(weights, constant, example):
    """The sum of the weights of the conjunctions that the example holds."""
    return fsum([constant, *(w for conjunction, w in weights.items() if set(conjunction) <= set(example))])

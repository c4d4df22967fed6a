"""Definitions in plain Python that the fast paths of the engine are compared with."""

import math


def kernel(left, right, degree):
    return (1 + len(set(left) & set(right))) ** degree


def dot(left, right):
    return sum(a * b for a, b in zip(left, right, strict=True))


def margin(support, coefficients, example, degree):
    return sum(alpha * kernel(vector, example, degree) for vector, alpha in zip(support, coefficients, strict=True))


def step_amount(learner, signed, own_kernel, norm, cost, weight):
    """Return how far a learner goes, for the margin of the right answer over the wrong one."""
    loss = max(0.0, 1.0 - signed) if weight else 0.0
    if learner == "perceptron":
        amount = weight if signed <= 0 else 0.0
    elif learner == "pa2":
        amount = loss and loss / (norm + 1 / (2 * cost * weight))
    else:
        amount = min(cost * weight if learner == "pa1" else loss / norm, loss / norm)
    return rounded(amount, own_kernel, cost)


def rounded(amount, own_kernel, cost):
    """Round a step to a multiple of a power of two, so that every order of summation gives the same margin."""
    bits = 42 + max(0, math.frexp(own_kernel)[1] - 23, -math.frexp(cost)[1] - 21)
    return math.ldexp(round(math.ldexp(amount, bits)), -bits)


def squared_norm(x, degree, step):
    return kernel(x, x, degree) if step == "kernel" else max(1, len(set(x)))


def online_updates(visits, sets, labels, *, degree, learner, cost=1.0, step="kernel", weights=None, vectors=None):
    """Return the updates (row, amount, visit counted from one) of the rows in the order of their visits.

    With vectors (lists of numbers), the kernel is the sum of that of the sets and of the dot product.
    """
    updates = []
    for visit, row in enumerate(visits, start=1):
        x, y, weight = sets[row], labels[row], 1.0 if weights is None else weights[row]
        signed = y * margin([sets[i] for i, _, _ in updates], [amount for _, amount, _ in updates], x, degree)
        if vectors is not None:
            signed += y * sum(amount * dot(vectors[i], vectors[row]) for i, amount, _ in updates)
        amount = step_amount(learner, signed, kernel(x, x, degree), squared_norm(x, degree, step), cost, weight)
        if amount > 0:
            updates.append((row, y * amount, visit))
    return updates


def multiclass_updates(
    visits, sets, labels, classes, *, degree, learner, cost=1.0, step="kernel", weights=None, chosen=None
):
    """Return the updates (row, right class, wrong class, amount, visit) of a direct multi-class learner.

    Classes that are equally strong but for rounding are told apart by `chosen`: visit -> wrong class.
    """
    updates = []
    for visit, row in enumerate(visits, start=1):
        x, right, weight = sets[row], labels[row], 1.0 if weights is None else weights[row]
        margins, size = [0.0] * classes, 0.0
        for i, plus, minus, amount, _ in updates:
            margins[plus] += amount * kernel(sets[i], x, degree)
            margins[minus] -= amount * kernel(sets[i], x, degree)
            size += amount * kernel(sets[i], x, degree)
        wrong = max((c for c in range(classes) if c != right), key=margins.__getitem__)
        rival = (chosen or {}).get(visit, wrong)
        if rival != right and margins[wrong] - margins[rival] <= 1e-12 * size:
            wrong = rival
        norm = 2 * squared_norm(x, degree, step)
        amount = step_amount(learner, margins[right] - margins[wrong], kernel(x, x, degree), norm, cost, weight)
        if amount > 0:
            updates.append((row, right, wrong, amount, visit))
    return updates


def share_of_models(visit, visits, skipped=0):
    """Give in what share of the models after `skipped` visits, and after each later one, an update is known."""
    known = [after >= visit for after in range(skipped, visits + 1)]
    return sum(known) / len(known)


def model(updates, visits, sets, *, averaged=False, skipped=0):
    """Return the coefficient of each distinct set, keyed by its sorted ids."""
    coefficients = {}
    for row, amount, visit in updates:
        key = tuple(sorted(set(sets[row])))
        share = share_of_models(visit, visits, skipped) if averaged else 1
        coefficients[key] = coefficients.get(key, 0) + amount * share
    return coefficients

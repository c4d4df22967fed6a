"""Definitions in plain Python that the fast paths of the engine are compared with."""


def kernel(left, right, degree):
    return (1 + len(set(left) & set(right))) ** degree


def margin(support, coefficients, example, degree):
    return sum(
        alpha * kernel(vector, example, degree) for vector, alpha in zip(support, coefficients, strict=True)
    )


def online_updates(visits, sets, labels, *, degree, learner, cost=1.0, step="kernel", weights=None):
    """Give the updates (row, amount, visit counted from one) of the rows in the order of their visits."""
    updates = []
    for visit, row in enumerate(visits, start=1):
        x, y, weight = sets[row], labels[row], 1.0 if weights is None else weights[row]
        signed = y * margin([sets[i] for i, _, _ in updates], [amount for _, amount, _ in updates], x, degree)
        norm = kernel(x, x, degree) if step == "kernel" else max(1, len(set(x)))
        loss = max(0.0, 1.0 - signed) if weight else 0.0
        amount = {
            "perceptron": lambda: weight if signed <= 0 else 0,
            "pa": lambda: loss / norm,
            "pa1": lambda: min(cost * weight, loss / norm),
            "pa2": lambda: loss and loss / (norm + 1 / (2 * cost * weight)),
        }[learner]()
        if amount > 0:
            updates.append((row, y * amount, visit))
    return updates


def model(updates, visits, sets, *, averaged=False):
    """Give the coefficient of each distinct set, keyed by its sorted ids."""
    coefficients = {}
    for row, amount, visit in updates:
        key = tuple(sorted(set(sets[row])))
        share = 1 - visit / (visits + 1) if averaged else 1
        coefficients[key] = coefficients.get(key, 0) + amount * share
    return coefficients

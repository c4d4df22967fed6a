"""Online learners as their papers write them: one function each, over a whole Gram matrix."""

import numpy as np

MASK = 2**64 - 1


def perceptron(K, y, budget=None):
    a = np.zeros(len(y))
    for t in range(len(y)):
        if y[t] * (a @ K[t]) <= 0 and (budget is None or np.count_nonzero(a) < budget):
            a[t] = y[t]
    return a


def passive_aggressive(K, y, rule, C=1.0):
    a, mistakes = np.zeros(len(y)), 0
    for t in range(len(y)):
        loss = max(0.0, 1 - y[t] * (a @ K[t]))
        mistakes += loss >= 1
        e = (mistakes + 1) / (t + 3)
        steps = {
            "pa": loss / K[t, t],
            "pa-1": min(C, loss / K[t, t]),
            "pa-2": loss / (K[t, t] + 1 / (2 * C)),
            "dynamic-pa-1": min(C * (1 - e) / np.sqrt(1 + e * (t + 1)), loss / K[t, t]),
        }
        a[t] = y[t] * steps[rule]
    return a


def history(K, y):
    """The perceptron's coefficients after every step."""
    final = perceptron(K, y)
    return [np.where(np.arange(len(y)) <= t, final, 0.0) for t in range(len(y))]


def averaged(K, y, by_norm=False):
    total, weight = np.zeros(len(y)), 0.0
    for a in history(K, y):
        norm = np.sqrt(a @ K @ a) if by_norm else 1.0
        total += a / norm
        weight += 1 / norm
    return total / weight


def voted(K, y, rows):
    return sum(np.sign(rows @ a) for a in history(K, y))


def random_budget(K, y, budget, state=0):
    a, members = np.zeros(len(y)), []
    for t in range(len(y)):
        if y[t] * (a @ K[t]) > 0:
            continue
        if len(members) == budget:
            state = (state + 0x9E3779B97F4A7C15) & MASK
            mixed = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & MASK
            mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & MASK
            a[members.pop((mixed ^ (mixed >> 31)) % budget)] = 0
        members.append(t)
        a[t] = y[t]
    return a


def forgetron(K, y, budget, kind="forgetron"):
    def psi(sigma, mu):
        return sigma**2 + 2 * sigma - 2 * sigma * mu

    a, members, mistakes, damage = np.zeros(len(y)), [], 0, 0.0
    largest = 0.25 * np.sqrt((budget + 1) / np.log(budget + 1))
    for t in range(len(y)):
        if y[t] * (a @ K[t]) > 0:
            continue
        mistakes += 1
        a[t] = y[t]
        members.append(t)
        if len(members) <= budget:
            continue
        f = a @ K
        victim = members[0]
        if kind == "greedy-forgetron":
            costs = [psi(abs(a[i]), y[i] * f[i]) for i in members[:-1]]
            victim = members[int(np.argmin(costs))] if min(costs) <= 15 / 32 else victim
        sigma, mu = abs(a[victim]), y[victim] * f[victim]
        if kind == "forgetron":
            shrink = min((budget + 1) ** (-1 / (2 * (budget + 1))), largest / np.sqrt(a @ f))
        else:
            p, q, r = sigma**2 - 2 * sigma * mu, 2 * sigma, damage - 15 / 32 * mistakes
            shrink = 1.0
            if p + q + r > 0:
                shrink = min(x.real for x in np.roots([p, q, r]) if abs(x.imag) < 1e-12 and x.real > 0)
            damage += psi(sigma * shrink, mu * shrink)
        a *= shrink
        a[victim] = 0
        members.remove(victim)
    return a


def projectron(K, y, eta, plus=False, budget=None):
    """η is a number, or None for the one that follows from the budget."""
    a, members = np.zeros(len(y)), []
    for t in range(len(y)):
        f = a @ K[t]
        loss = 1 - y[t] * f
        if loss <= 0 or (y[t] * f > 0 and not plus):
            continue
        k = K[t, members]
        d = np.linalg.solve(K[np.ix_(members, members)], k) if members else np.zeros(0)
        projected = k @ d
        distance = np.sqrt(max(0.0, K[t, t] - projected))
        limit = eta
        if eta is None:
            limit = (2 * loss - projected - 0.5) / (0.5 * np.sqrt((budget + 1) / np.log(budget + 1)))
        if y[t] * f <= 0:
            if distance <= max(limit, 1e-6) or len(members) == budget:
                a[members] += y[t] * d
            else:
                members.append(t)
                a[t] = y[t]
        elif limit > 0 and loss - distance / limit > 0 and projected > 0:
            a[members] += y[t] * d * min(loss / projected, 2 * (loss - distance / limit) / projected, 1)
    return a


def forgetful_projectron(K, y, budget):
    a, members = np.zeros(len(y)), []
    for t in range(len(y)):
        if y[t] * (a @ K[t]) > 0:
            continue
        a[t] += y[t]
        members.append(t)
        out = members[-1] if dependent(K, members) else members[0] if len(members) > budget else None
        if out is not None:
            members.remove(out)
            d = np.linalg.solve(K[np.ix_(members, members)], K[members, out])
            a[members] += a[out] * d
            a[out] = 0
    return a


def dependent(K, members):
    *others, last = members
    if not others:
        return False
    k = K[others, last]
    return K[last, last] - k @ np.linalg.solve(K[np.ix_(others, others)], k) <= 1e-12

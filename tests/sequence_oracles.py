"""Plain definitions of what a sequence labeller computes."""

from itertools import combinations

MASK = 2**64 - 1
ABSENT = MASK


def join(value, part):
    value = ((value ^ (part & MASK)) * 0x9E3779B97F4A7C15) & MASK
    return value ^ (value >> 31)


def mix(value):
    value ^= value >> 29
    value = (value * 0xBF58476D1CE4E5B9) & MASK
    return value ^ (value >> 32)


def script(char):
    code = ord(char)
    if "A" <= char <= "Z" or (0xC0 <= code <= 0xDE and code != 0xD7):
        return ord("X")
    if "a" <= char <= "z" or (0xDF <= code <= 0x24F and code != 0xF7):
        return ord("x")
    if "0" <= char <= "9" or "０" <= char <= "９":
        return ord("0")
    if 0x3041 <= code <= 0x309F:
        return ord("h")
    if 0x30A0 <= code <= 0x30FF or 0xFF66 <= code <= 0xFF9F:
        return ord("k")
    if 0x3400 <= code <= 0x9FFF or 0xF900 <= code <= 0xFAFF or code == 0x3005 or 0x20000 <= code <= 0x3FFFF:
        return ord("c")
    return code if code < 0x250 else ord("o")


def folded(char):
    kind = script(char)
    return ord(char) + 32 if kind == ord("X") else ord("0") if kind == ord("0") else ord(char)


def string_value(text, kind, size):
    """Hash what a column says of a string."""
    number = ["whole", "lower", "prefix", "suffix", "shape"].index(kind)
    if kind in ("prefix", "suffix") and len(text) < size:
        return ABSENT
    part = text[:size] if kind == "prefix" else text[len(text) - size :] if kind == "suffix" else text
    codes = [ord(char) if kind == "whole" else folded(char) for char in part]
    if kind == "shape":
        kinds = [script(char) for char in text]
        codes = [code for i, code in enumerate(kinds) if kinds[max(0, i - 2) : i] != [code, code]]
    value = join(0xCBF29CE484222325, number)
    for code in codes:
        value = join(value, code)
    return mix(value)


def features(atoms_of, tokens, at, labels, backwards):
    """Hash the templates of one token; `labels` are those decided so far, in the order of decisions."""
    found = []
    for number, atoms in enumerate(atoms_of):
        value = join(0x51ED270B27B4F3CF, number)
        whole = True
        for column, offset in atoms:
            place = at + offset
            if column is None:
                part = labels[-abs(offset)] + 1 if abs(offset) <= len(labels) else 0
            elif 0 <= place < len(tokens):
                part = tokens[place][column]
            else:
                part = join(0xE7037ED1A0B428DB, place if place < 0 else place - len(tokens) + 1)
            whole = whole and part != ABSENT
            value = join(value, part)
        if whole:
            found.append(mix(value))
    return found


def beam_search(atoms_of, tokens, labels, width, backwards, scores_of, allowed=None):
    """Label a sentence: the `width` best hypotheses of each step go on; ties by origin, then by label."""
    hypotheses = [(0.0, ())]
    for step in range(len(tokens)):
        at = len(tokens) - 1 - step if backwards else step
        branches = []
        for origin, (score, decided) in enumerate(hypotheses):
            scores = scores_of(features(atoms_of, tokens, at, decided, backwards))
            for label in range(labels) if allowed is None or allowed[at] is None else allowed[at]:
                branches.append((-(score + scores[label]), origin, label, decided))
        branches.sort(key=lambda branch: branch[:3])
        hypotheses = [(-score, (*decided, label)) for score, _, label, decided in branches[:width]]
    best = hypotheses[0][1]
    return list(reversed(best)) if backwards else list(best)


def votes(margins, labels):
    """Count the votes of pairs of labels; ties are broken by squeezed sums of margins."""
    counts, sums = [0.0] * labels, [0.0] * labels
    for (first, second), margin in zip(combinations(range(labels), 2), margins):
        counts[first if margin > 0 else second] += 1
        sums[first] += margin
        sums[second] -= margin
    return [count + total / (3 * (abs(total) + 1)) for count, total in zip(counts, sums)]

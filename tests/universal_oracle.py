"""The conversion to Universal Dependencies by its definition: conjunctions as tuples, decisions one after another."""

from dataclasses import dataclass

MASK = 2**64 - 1
COMMA, MARK, PARTICLE, AUXILIARY, PREDICATE = 2, 16, 32, 64, 512 | 1024
OUTSIDE = None


def join(value, part):
    value = ((value ^ part) * 0x9E3779B97F4A7C15) & MASK
    return value ^ (value >> 31)


def hashed(conjunction):
    """Hash the number of a template and its parts, as the engine does."""
    value = join(0x51ED270B27B4F3CF, conjunction[0])
    for part in conjunction[1:]:
        value = join(value, int(part) & MASK)
    value ^= value >> 29
    value = (value * 0xBF58476D1CE4E5B9) & MASK
    return value ^ (value >> 32)


def string_hash(text):
    value = 0xCBF29CE484222325
    for byte in text.encode():
        value = ((value ^ byte) * 0x100000001B3) & MASK
    return value ^ (value >> 29)


@dataclass
class Word:
    surface: int = 1
    base: int = 1
    pos: int = 1
    subpos: int = 1
    fine: int = 1
    type: int = 1
    form: int = 1
    exact_form: int = 1
    kinds: int = 0


@dataclass
class Parsed:
    words: list
    starts: list  # of bunsetsu; last, the number of words
    heads: list

    def bunsetsu(self, place):
        return max(k for k in range(len(self.heads)) if self.starts[k] <= place)

    def at(self, place, begin=0, end=None):
        end = len(self.words) if end is None else end
        return self.words[place] if begin <= place < end else Word()


def boundary_features(s, i):
    own = s.bunsetsu(i)
    opens = s.starts[own] == i
    leans = 1 + (s.heads[own - 1] == own) if opens and own > 0 else 0
    at = [s.at(i + by) for by in (0, 1, 2, -2, -1)]  # indexed by offset

    def same(by):
        return 2 if not 0 <= i + by < len(s.words) else s.bunsetsu(i + by) == own

    yield 1, opens, leans
    for by in range(-2, 3):
        yield 10 * (by + 4), opens, at[by].fine
        yield 10 * (by + 4) + 1, opens, at[by].base
        yield 10 * (by + 4) + 2, opens, at[by].pos, leans
    for name, part in ((100, "fine"), (110, "base"), (120, "subpos")):
        for number, window in enumerate(((-1, 0), (0, 1), (-2, -1, 0), (-1, 0, 1), (0, 1, 2))):
            yield name + number, opens, *(getattr(at[by], part) for by in window)
    yield 130, opens, at[-1].base, at[0].fine
    yield 131, opens, at[-1].fine, at[0].base
    yield 132, opens, at[-1].form, at[0].base
    yield 133, opens, at[-1].pos, at[-1].form, at[0].fine
    yield 134, opens, at[-1].base, at[0].base, at[1].form
    yield 135, opens, same(-2), same(-1), same(1), same(2)
    yield 136, opens, at[0].surface, at[-1].surface
    yield 137, opens, leans, at[-1].fine, at[0].fine


def word_features(s, i):
    own = s.bunsetsu(i)
    begin, end = s.starts[own], s.starts[own + 1]
    w = s.words[i]
    at = [s.at(i + by, begin, end) for by in (0, 1, 2, 3, -3, -2, -1)]

    def contents(places):
        return min(2, sum(not s.words[j].kinds & (MARK | PARTICLE | AUXILIARY) for j in places))

    around = 3 * contents(range(begin, i)) + contents(range(i + 1, end))
    edges = 2 * (i == begin) + (i + 1 == end)
    yield from ((1, 0), (2, w.fine), (3, w.base, w.pos), (4, w.surface), (5, w.fine, w.type), (6, w.fine, w.form))
    yield from ((7, w.base, w.exact_form), (8, w.pos, edges, around), (9, w.fine, around), (10, w.base, around))
    yield 11, w.base, edges
    for by in (-2, -1, 1, 2):
        v, name = at[by], 20 + 10 * (by + 2)
        pairs = ((v.fine,), (v.base, v.pos), (v.fine, w.fine), (v.base, w.base), (v.fine, w.base), (v.base, w.fine))
        for number, parts in enumerate((*pairs, (v.form, w.base), (v.form, w.fine))):
            yield name + number, *parts
    yield 70, at[-1].fine, w.fine, at[1].fine
    yield 71, at[-1].base, w.base, at[1].base
    yield 72, at[-2].fine, at[-1].fine, w.fine
    yield 73, at[-2].base, at[-1].base, w.base
    yield 74, w.fine, at[1].fine, at[2].fine
    yield 75, w.base, at[1].base, at[2].base
    yield 76, at[-2].pos, at[-1].base, w.base
    yield 77, at[3].subpos, w.fine
    yield 78, at[-3].subpos, w.fine
    yield 79, at[-3].base, at[-2].base, at[-1].base, w.base
    if i + 1 == end:
        yield from ((80, s.at(end).subpos, w.base), (81, s.at(end).subpos, w.fine))
    if i == begin:
        yield from ((82, s.at(begin - 1).base, w.base), (83, s.at(begin - 1).subpos, w.fine))


class Ending:
    def __init__(self, s, number, content):
        self.word = s.words[content]
        behind = s.words[content + 1 : s.starts[number + 1]]
        tail = [w for w in behind if not w.kinds & MARK]
        self.comma = any(w.kinds & COMMA for w in behind)
        self.bases = self.parts = 7
        for w in tail[:5]:
            self.bases = join(self.bases, w.base)
        for w in tail[:4]:
            self.parts = join(self.parts, w.subpos)
        self.first = tail[0].base if tail else 1
        self.before_last = tail[-2].base if len(tail) > 1 else 1
        particles = [w.base for w in tail if w.kinds & PARTICLE]
        self.particle = particles[-1] if particles else 1
        self.particles = join(particles[-2] if len(particles) > 1 else 1, particles[-1]) if particles else 1
        self.predicate = bool(self.word.kinds & PREDICATE or any(w.kinds & AUXILIARY for w in tail))
        self.bare = not tail
        self.last = tail[-1] if tail else self.word


def arc_features(s, k, contents):
    own = Ending(s, k, contents[k])
    w, last = own.word, own.last
    yield from ((1, 0), (2, own.bases), (3, w.fine), (4, w.fine, own.bases), (5, w.pos, own.bases))
    yield from ((6, w.subpos, own.parts), (7, w.base), (8, w.base, own.bases), (9, last.base, last.form))
    yield from ((10, last.pos, last.exact_form), (11, own.particles), (12, own.particle, w.pos))
    yield from ((13, own.comma, own.bases), (14, own.first, w.subpos), (15, own.before_last, last.base))
    head = s.heads[k]
    if head < 0:
        yield 16, 0
        return
    other, distance = Ending(s, head, contents[head]), min(4, head - k)
    shown = (own.bases, own.particles, join(w.subpos, own.bases), w.fine, w.base)
    for i, x in enumerate((*shown, join(join(last.pos, last.form), own.bare))):
        name = 20 + 10 * i
        yield from ((name, x, other.word.fine), (name + 1, x, other.word.pos, other.predicate))
        yield from ((name + 2, x, other.word.base), (name + 3, x, distance), (name + 4, x, other.last.base))
        yield from (
            (name + 5, x, own.comma, other.predicate),
            (name + 6, x, other.particle),
            (name + 7, x, other.bases),
        )
    yield from ((80, other.word.fine), (81, distance))
    for m in [m for m in range(head) if m != k and s.heads[m] == head][:8]:
        yield 82, Ending(s, m, contents[m]).particle, own.particle


def cut_again(s, opens):
    """Cut a sentence elsewhere: a merged bunsetsu has the head of its last part, a split one leans on its rest."""
    starts = [i for i in range(len(s.words)) if i == 0 or opens[i]]
    place = [max(k for k, start in enumerate(starts) if start <= i) for i in range(len(s.words))]

    def landed(k):
        inside = range(s.starts[k], s.starts[k + 1])
        lexical = [i for i in inside if not s.words[i].kinds & (MARK | PARTICLE | AUXILIARY)]
        return place[lexical[0] if lexical else s.starts[k]]

    heads = []
    for k in range(len(starts)):
        last = (starts[k + 1] if k + 1 < len(starts) else len(s.words)) - 1
        old = s.bunsetsu(last)
        head = s.heads[old] if last + 1 == s.starts[old + 1] else -1
        while head >= 0 and landed(head) <= k:
            head = s.heads[head]
        heads.append(landed(head) if head >= 0 else k + 1 if k + 1 < len(starts) else -1)
    return Parsed(s.words, [*starts, len(s.words)], heads)


def convert(s, weights, labels):
    """Convert a sentence; `weights` score a list of hashes, as in `HashedWeights.scores`."""
    boundary, part, relation, arc = weights
    parts, relations, arcs = labels

    def scores(table, features, classes):
        return table.scores([hashed(one) for one in features], classes).tolist()

    opens = [True] * len(s.words)
    for i in range(1, len(s.words)):
        no, yes = scores(boundary, boundary_features(s, i), 2)
        opens[i] = yes > no
    s = cut_again(s, opens)
    found_parts, found, contents = [], [], []
    content = relations.index("content")
    for k in range(len(s.heads)):
        margins = []
        for i in range(s.starts[k], s.starts[k + 1]):
            told = scores(part, word_features(s, i), len(parts))
            found_parts.append(parts[told.index(max(told))])
            told = scores(relation, word_features(s, i), len(relations))
            others = [value for number, value in enumerate(told) if number != content]
            found.append([name for name in relations if name != "content"][others.index(max(others))])
            margins.append(told[content] - max(others))
        contents.append(s.starts[k] + margins.index(max(margins)))
    heads = [0] * len(s.words)
    for k, own in enumerate(contents):
        for i in range(s.starts[k], s.starts[k + 1]):
            heads[i] = own
            if i != own and found[i] == "fixed" and i > s.starts[k]:
                first = i - 1
                while first > s.starts[k] and first != own and found[first] == "fixed":
                    first -= 1
                heads[i] = first
        heads[own] = contents[s.heads[k]] if s.heads[k] >= 0 else -1
    for k, own in enumerate(contents):
        told = scores(arc, arc_features(s, k, contents), len(arcs))
        allowed = [(value, name) for value, name in zip(told, arcs) if name != "root"]
        best = max(value for value, _ in allowed)
        found[own] = "root" if s.heads[k] < 0 else next(name for value, name in allowed if value == best)
    return list(zip(found_parts, heads, found))

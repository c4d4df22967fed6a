"""Candidates, argument spanning trees and manual features by their plain definitions."""

from kakari.parsers.arguments.candidates.extraction import CATEGORIES, PASSIVE_WORDS

NAMES = (
    "OTHER CLAUSE SUBCLAUSE VERB_PHRASE NOUN_PHRASE PREPOSITION_PHRASE ADJECTIVE_PHRASE ADVERB_PHRASE QUANTITY FINITE"
    " BARE PARTICIPLE GERUND MODAL INFINITIVE PREPOSITION NOUN PRONOUN POSSESSIVE ADJECTIVE NUMBER ADVERB DETERMINER"
    " CONJUNCTION COMMA PUNCTUATION PARTICLE QUESTION_WORD"
).split()
KIND = {label: name for name, labels in zip(NAMES, CATEGORIES, strict=True) for label in labels}
VERBS = {"FINITE", "BARE", "PARTICIPLE", "GERUND"}
AUXILIARIES = VERBS | {"MODAL", "INFINITIVE"}
MARKS = {"COMMA", "PUNCTUATION"}


class Node:
    def __init__(self, label, begin, end, parent):
        self.label, self.begin, self.end, self.parent, self.children = label, begin, end, parent, []
        self.kind = KIND.get(label, "OTHER")
        if parent is not None:
            parent.children.append(self)

    def ancestors(self):
        return [] if self.parent is None else [self.parent, *self.parent.ancestors()]

    def place(self):
        return next(i for i, child in enumerate(self.parent.children) if child is self)

    def preorder(self):
        return [self] + [node for child in self.children for node in child.preorder()]

    def find(self, kinds, last=False):
        found = [child for child in self.children if child.kind in kinds]
        return found[-1 if last else 0] if found else None

    def head(self):
        if not self.children:
            return self.begin
        return (self.head_child() or self.children[-1]).head()

    def head_child(self):
        if self.kind in ("CLAUSE", "SUBCLAUSE", "VERB_PHRASE"):
            if self.kind != "VERB_PHRASE" and self.find({"CLAUSE"}) and not self.find({"VERB_PHRASE"}):
                return self.find({"CLAUSE"})
            for kinds in ({"VERB_PHRASE"}, VERBS, AUXILIARIES, {"CLAUSE", "SUBCLAUSE"}):
                if self.find(kinds):
                    return self.find(kinds)
        rules = {
            "NOUN_PHRASE": [
                ({"NOUN"}, True),
                ({"NOUN_PHRASE"}, False),
                ({"PRONOUN", "NUMBER", "QUESTION_WORD", "QUANTITY", "ADJECTIVE"}, True),
            ],
            "PREPOSITION_PHRASE": [({"PREPOSITION", "INFINITIVE", "PARTICLE", "PARTICIPLE", "GERUND"}, False)],
            "ADJECTIVE_PHRASE": [({"ADJECTIVE", "PARTICIPLE", "GERUND"}, True)],
            "ADVERB_PHRASE": [({"ADVERB", "PARTICLE"}, True)],
            "QUANTITY": [({"NUMBER", "NOUN"}, True)],
        }
        for kinds, last in rules.get(self.kind, []):
            if self.find(kinds, last):
                return self.find(kinds, last)
        return self.find(set(NAMES) - MARKS, last=True)

    def production(self, marked=None):
        return (self.label, *((child.label, child is marked) for child in self.children))


class Sentence:
    def __init__(self, framed):
        flat = framed.tree
        self.tags, length = flat.tags, len(flat.words)
        masked = all(word == "-" for word in flat.words)
        self.words = [None if masked else word.lower() for word in flat.words]
        self.lemmas = [None] * length
        for frame in framed.frames:
            self.lemmas[frame.token] = frame.lemma
        self.root = Node("TOP", 0, length, None)
        waiting, here = list(flat.nodes), self.root
        self.preterminals = []
        for token in range(length):
            while waiting and waiting[0][1] == token:
                here = Node(*waiting.pop(0), here)
            self.preterminals.append(Node(flat.tags[token], token, token + 1, here))
            while here.parent is not None and here.end == token + 1:
                here = here.parent


def bucket(number):
    size = abs(number)
    steps = [*range(4), 4, 4, *[5] * 3, *[6] * 5, *[7] * 11]
    step = steps[size] if size < len(steps) else 8
    return step if number >= 0 else 16 + step


def candidates(sentence, token):
    above = sentence.preterminals[token].ancestors()
    return [n for n in sentence.root.preorder() if n not in above and n is not sentence.preterminals[token]]


def near(sentence, token):
    found = []
    here = sentence.preterminals[token]
    while here.parent is not None:
        coordinated = here.parent.find({"CONJUNCTION"})
        for sister in here.parent.children:
            if sister is here or (coordinated and sister.kind == here.kind) or sister.kind in MARKS | {"CONJUNCTION"}:
                continue
            found += [sister, *(sister.children if sister.kind == "PREPOSITION_PHRASE" else [])]
        here = here.parent
    return found


def spanning_tree(sentence, token, node, *, siblings):
    """Return nested tuples of names."""
    predicate = sentence.preterminals[token]
    above = predicate.ancestors()
    common = next(one for one in node.ancestors() if one in above)

    def whole(one, mark=""):
        word = sentence.words[one.begin]
        below = [whole(child) for child in one.children] or ([(word,)] if word else [])
        return (one.label + mark, *below)

    def build(one):
        if one is node:
            return whole(one, "-B")
        if one is predicate:
            return (one.label + "-P", (sentence.lemmas[token],))
        on_path = [child for child in one.children if child in (node, predicate) or _holds(child, node, predicate)]
        kept = one.children if siblings else on_path
        return (one.label, *(build(child) if child in on_path else (child.label,) for child in kept))

    return build(common)


def _holds(child, node, predicate):
    return child in node.ancestors() or child in predicate.ancestors()


def postorder(tree):
    label, *children = tree
    nodes = [pair for child in children for pair in postorder(child)]
    return [*nodes, (label, len(children))]


def group(sentence, predicate):
    """The verb group: (auxiliary's token, clause)."""
    auxiliary, below = None, predicate
    for node in predicate.ancestors():
        if node.kind not in ("VERB_PHRASE", "CLAUSE") and below is not predicate:
            break
        for sister in reversed(node.children[: below.place()]):
            if auxiliary is None and not sister.children and sister.kind in AUXILIARIES:
                auxiliary = sister.begin
        if node.kind == "CLAUSE":
            return auxiliary, (node.label, node.parent.label if node.parent else None)
        below = node
    return auxiliary, None


def shortened(labels):
    return tuple(label for i, label in enumerate(labels) if i == 0 or labels[i - 1] != label)


def features(sentence, token, node):
    """Return the set of (template, value)."""
    found = {
        **of_paths(sentence, token, node),
        **of_predicate(sentence, token),
        **inside(sentence, node),
        **around(sentence, node),
        **between(sentence, token, node),
        **related(sentence, token, node),
    }
    return {(name, value) for name, value in found.items() if value is not None}


def of_paths(sentence, token, node):
    predicate = sentence.preterminals[token]
    above = [predicate, *predicate.ancestors()]
    up = [node]
    while up[-1].parent not in above:
        up.append(up[-1].parent)
    common = up[-1].parent
    down = above[: above.index(common)]
    left = node.end <= token
    ups, downs = [n.label for n in up], [n.label for n in down]
    its, mine = down[-1], up[-1]
    frame, nouns, place = [], 0, 0
    for child in common.children:
        if child is mine:
            frame.append("mine")
            place = nouns
        elif child is its:
            frame.append("its")
            nouns += 16
        if child.kind not in MARKS:
            frame.append((child.label,))
            nouns += child.kind == "NOUN_PHRASE"
    low, high = sorted((mine.place(), its.place()))
    rivals = sum(child.label == node.label for child in common.children[low + 1 : high])
    return {
        "path": (tuple(ups), common.label, tuple(downs), left),
        "path-up": (tuple(ups), common.label),
        "path-down": (common.label, tuple(downs)),
        "path-short": (shortened(ups), common.label, shortened(downs), left),
        "path-lengths": (bucket(len(up)), bucket(len(down))),
        "common-label": common.label,
        "common-word": sentence.words[common.head()],
        "common-lemma": sentence.lemmas[common.head()],
        "common-tag": (sentence.tags[common.head()], common.head() == token),
        "position": left,
        "steps-up": bucket(len(up)),
        "steps-down": bucket(len(down)),
        "clauses": bucket(sum(n.kind == "CLAUSE" for n in [*up, *down, common])),
        "common-gap": bucket(mine.place() - its.place()),
        "top-sibling": (mine.label, its.label),
        "frame": (common.label, tuple(frame), bucket(len(up))),
        "frame-place": (place, mine.label, bucket(len(up))),
        "rivals": bucket(rivals),
    }


def of_predicate(sentence, token):
    predicate = sentence.preterminals[token]
    auxiliary, clause = group(sentence, predicate)
    known = None if auxiliary is None else sentence.words[auxiliary] or sentence.lemmas[auxiliary]
    last = token + 1 == len(sentence.tags)
    return {
        "lemma": sentence.lemmas[token],
        "form": sentence.words[token],
        "tag": sentence.tags[token],
        "voice": predicate.kind == "PARTICIPLE" and known in PASSIVE_WORDS,
        "auxiliary": None if auxiliary is None else sentence.tags[auxiliary],
        "auxiliary-lemma": known,
        "subcategory": predicate.parent.production(predicate),
        "predicate-parent": predicate.parent.label,
        "predicate-clause": (clause,),
        "predicate-left-tag": (sentence.tags[token - 1] if token else None,),
        "predicate-right-tag": (None if last else sentence.tags[token + 1],),
        "predicate-right-word": None if last else sentence.words[token + 1],
    }


def inside(sentence, node):
    head, first, last = node.head(), node.begin, node.end - 1
    content = None
    if node.kind in ("PREPOSITION_PHRASE", "SUBCLAUSE") and len(node.children) > 1:
        content = node.children[-1].head()
    return {
        "phrase": node.label,
        "head-word": sentence.words[head],
        "head-tag": sentence.tags[head],
        "head-lemma": sentence.lemmas[head],
        "first-word": sentence.words[first],
        "first-tag": sentence.tags[first],
        "last-word": sentence.words[last],
        "last-tag": sentence.tags[last],
        "second-tag": sentence.tags[first + 1] if last > first else None,
        "second-word": sentence.words[first + 1] if last > first else None,
        "content-word": None if content is None else sentence.words[content],
        "content-tag": None if content is None else sentence.tags[content],
        "production": node.production(),
        "length": bucket(node.end - node.begin),
        "inner-predicate": bucket(sum(lemma is not None for lemma in sentence.lemmas[node.begin : node.end])),
    }


def around(sentence, node):
    parent, place = node.parent, node.place()
    left = parent.children[place - 1] if place else None
    right = parent.children[place + 1] if place + 1 < len(parent.children) else None
    begins, ends = node.begin == 0, node.end == len(sentence.tags)
    top = node
    while top.parent is not None and len(top.parent.children) == 1:
        top = top.parent
    return {
        "parent": parent.label,
        "grandparent": (parent.parent.label if parent.parent else None,),
        "parent-head-word": sentence.words[parent.head()],
        "parent-head-tag": (sentence.tags[parent.head()], parent.head() == node.head()),
        "parent-production": parent.production(node),
        "left-sibling": (left.label if left else None,),
        "right-sibling": (right.label if right else None,),
        "left-head-tag": (sentence.tags[left.head()] if left else None,),
        "right-head-tag": (sentence.tags[right.head()] if right else None,),
        "left-tag": (None if begins else sentence.tags[node.begin - 1],),
        "right-tag": (None if ends else sentence.tags[node.end],),
        "left-word": None if begins else sentence.words[node.begin - 1],
        "right-word": None if ends else sentence.words[node.end],
        "place": (bucket(place), bucket(len(parent.children) - place)),
        "unary": (len(parent.children) == 1, len(node.children) == 1),
        "chain-top": (top.label, top.parent.label if top.parent else None),
    }


def between(sentence, token, node):
    left = node.end <= token
    begin, end = (node.end, token) if left else (token + 1, node.begin)
    kinds = [KIND.get(tag, "OTHER") for tag in sentence.tags[begin:end]]
    return {
        "distance": (left, bucket(end - begin)),
        "verbs-between": bucket(sum(kind in AUXILIARIES for kind in kinds)),
        "marks-between": bucket(sum(kind in MARKS for kind in kinds)),
        "predicate-gap": (sentence.tags[begin:end] if end - begin <= 3 else None, left),
    }


def relations(sentence, token):
    """Return the subject, the object, the asker, the owner (nodes or None) and the governor (a token or None)."""
    word = sentence.preterminals[token]
    after = [sister for sister in word.parent.children[word.place() + 1 :] if sister.kind == "NOUN_PHRASE"]
    found = {"object": after[0] if after else None}
    below = word
    while below.parent is not None and below.parent.kind == "VERB_PHRASE":
        below = below.parent
    nouns, askers = {"NOUN_PHRASE"}, {"NOUN_PHRASE", "PREPOSITION_PHRASE", "ADVERB_PHRASE", "ADJECTIVE_PHRASE"}
    for name, kind, wanted in (("subject", "CLAUSE", nouns), ("asker", "SUBCLAUSE", askers)):
        found[name] = None
        if below.parent is not None and below.parent.kind == kind:
            found[name] = last_before(below, wanted)
            below = below.parent
    owned = below.parent is not None and below.parent.kind == "NOUN_PHRASE"
    found["owner"] = last_before(below, nouns) if owned else None
    heads = [node.head() for node in word.ancestors()]
    heads = [head for head in heads if head != token and sentence.preterminals[head].kind != "PREPOSITION"]
    return found, heads[0] if heads else None


def last_before(node, kinds):
    found = [sister for sister in node.parent.children[: node.place()] if sister.kind in kinds]
    return found[-1] if found else None


def related(sentence, token, node):
    own, governor = relations(sentence, token)
    above = dict.fromkeys(own) if governor is None else relations(sentence, governor)[0]
    named = [own["subject"], own["object"], own["asker"], own["owner"], above["subject"], above["object"]]
    spans = [one is not None and (one.begin, one.end) == (node.begin, node.end) for one in named]
    heads = [one is not None and sentence.preterminals[one.head()] is node for one in (own["object"], above["object"])]
    governs = governor is not None and sentence.preterminals[governor] is node
    asker = None if own["asker"] is None else own["asker"].begin
    found = {
        "relation": (governs, tuple(spans), tuple(heads)),
        "relations": (governor is not None, tuple(one is not None for one in named)),
        "asker-word": None if asker is None else sentence.words[asker] or (sentence.tags[asker],),
        "governor-word": None if governor is None else sentence.words[governor],
        "governor-lemma": None if governor is None else sentence.lemmas[governor],
        "governor-tag": None if governor is None else (sentence.tags[governor], governor < token),
    }
    for name in ("subject", "object"):
        if own[name] is not None:
            head = own[name].head()
            found[f"{name}-word"] = sentence.words[head]
            found[f"{name}-tag"] = (sentence.tags[head], sentence.lemmas[head] is not None)
    return found

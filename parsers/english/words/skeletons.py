"""Trees without words (skeletons), whose words a licence does not allow; the parser learns from them first.

A word that follows from its tag (`to`, a comma, a possessive 's) is filled in. A predicate has the form that its lemma
has with this tag in a corpus with words, or else a regular one. All others are empty: conjunctions with them are left
out, so that the parser learns from tags, labels and sizes.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace

from kakari.corpora import catalogue
from kakari.parsers.english.words.flat_trees import FlatTree
from kakari.parsers.english.words.treebank_trees import flattened

WORDS = {",": ",", "``": "``", "''": "''", "-LRB-": "(", "-RRB-": ")", "HYPH": "-", "TO": "to", "POS": "'s",
         "EX": "there", "$": "$", "WP$": "whose", ".": "."}  # fmt: skip
QUESTIONS = frozenset({"SQ", "SBARQ"})
Forms = Mapping[tuple[str, str], str]


def forms_of(reference: str) -> dict[tuple[str, str], str]:
    """Return the most frequent form of each lemma with each tag, of the predicates of a corpus with words."""
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for sentence in catalogue.read(reference):
        tags, words = [tag for _, tag in sentence.tree.pos()], sentence.words
        for predicate in sentence.predicates:
            counts[predicate.lemma, tags[predicate.token]][words[predicate.token].lower()] += 1
    return {key: min(found, key=lambda form: (-found[form], form)) for key, found in counts.items()}


def form_of(lemma: str, tag: str, forms: Forms) -> str:
    """Return the form of a predicate's lemma.

    Examples
    --------
    >>> form_of("take", "VBD", {("take", "VBD"): "took"}), form_of("bake", "VBG", {}), form_of("bake", "VBD", {})
    ('took', 'baking', 'baked')
    """
    if (lemma, tag) in forms:
        return forms[lemma, tag]
    soft = lemma[:-1] + "i" if lemma.endswith("y") and lemma[-2:-1] not in "aeou" else lemma
    if tag in ("VBD", "VBN"):
        return soft.removesuffix("e") + "ed"
    if tag == "VBG":
        return lemma.removesuffix("e") + "ing"
    if tag in ("VBZ", "NNS"):
        return soft + ("es" if soft.endswith(("i", "s", "x", "ch", "sh")) else "s")
    return lemma


def read_skeletons(reference: str, forms: Forms) -> Iterator[FlatTree]:
    """Yield the trees of a corpus without words, with the words that can be inferred."""
    for sentence in catalogue.read(reference):
        tree = flattened(sentence.tree)
        words = [WORDS.get(tag, "") for tag in tree.tags]
        if any(label in QUESTIONS for label, _, _ in tree.nodes):  # which end with another mark
            words = ["" if tag == "." else word for word, tag in zip(words, tree.tags, strict=True)]
        for predicate in sentence.predicates:
            tag = tree.tags[predicate.token]
            if not words[predicate.token]:
                words[predicate.token] = form_of(predicate.lemma, tag, forms)
        yield replace(tree, words=tuple(words))

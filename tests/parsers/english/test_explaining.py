"""What made a constituent: names of conjunctions are those of the engine's hashes, and weights add up to margins."""

import re

import pytest

from kakari.corpora import read
from kakari.corpora.records.errors import CorpusError
from kakari.parsers.english.constituency.conjunction_names import Named
from kakari.parsers.english.constituency.explaining import derivations
from kakari.parsers.english.constituency.tagging import tag_conjunctions
from kakari.parsers.english.explaining import ExplainedTree, decisions_of, explain_constituent
from kakari.parsers.english.explaining_tags import conjunction_names, explain_tag
from kakari.parsers.english.model import pretrained_model
from kakari.parsers.english.parser import EnglishParser
from kakari.parsers.english.words.words import EnglishWords

TEXTS = [
    "Who wrote the letter that Mary sent to the president?",
    "The old man, who lives in New York City (and loves it), said that he and his wife would not have bought 3 red"
    " houses near the very long river in 1999, because they were poor.",
    "Stop!",
    "Flying planes can be dangerous; really?",
]


def derived(text, count):
    """The derivations of a sentence with its tree's words and tags."""
    model = pretrained_model()
    tree = EnglishParser.pretrained().parse(text, one_sentence=True)[0].tree
    numbers = {tag: place + 1 for place, tag in enumerate(model.parser.grammar.tags)}
    symbols = [numbers.get(tag, 0) for tag in tree.tags]
    words = EnglishWords([tree.words], model.lexicon)
    return tree, derivations(words, symbols, model.parser.weights, model.parser.grammar, model.parser.beam)[:count]


@pytest.mark.parametrize("text", TEXTS)
def test_names_tell_conjunctions_apart_as_hashes_do(text):
    grammar = pretrained_model().parser.grammar
    tree, found = derived(text, 3)
    pairs = set()
    for _, _, states, hashes in found:
        for one in decisions_of(states, hashes):
            named = Named(tree.words, tree.tags, grammar.symbols, one.items, one.depth, one.unary).conjunctions()
            assert len(named) == len(one.hashes)
            pairs.update((one.unary, place, name, value) for place, (name, value) in enumerate(zip(named, one.hashes)))
    assert len(pairs) == len({pair[:3] for pair in pairs}) == len({pair[3] for pair in pairs})


@pytest.mark.parametrize("text", TEXTS)
def test_the_decisions_add_up_to_the_score_of_the_tree(text):
    model = pretrained_model()
    for _, score, states, hashes in derived(text, 16)[1]:
        sums = [
            int(model.parser.weights.scores(one.hashes, len(model.parser.grammar.actions))[one.action])
            for one in decisions_of(states, hashes)
        ]
        assert sum(sums) == score


def test_every_constituent_of_the_sample_is_explained():
    model = pretrained_model()
    for tree in model.parse([sentence.words for sentence in list(read("sample-en"))[:8]]):
        for node in tree.nodes:
            told = explain_constituent(model, tree.words, node, 4, tree.tags)
            assert told
            for one in told:
                assert sum(item["weight"] for item in one["items"]) == one["margin"]


def test_the_rival_is_the_best_action_that_was_possible():
    model = pretrained_model()
    tree = ExplainedTree(model, ["The", "dog", "barked", "."], ("NP", 0, 2))
    (maker,) = tree.makers()
    sums = model.parser.weights.scores(maker.hashes, len(model.parser.grammar.actions))
    best = max(tree.rivals(maker), key=lambda action: sums[action])
    assert tree.explanation(maker, 5)["margin"] == sums[maker.action] - sums[best]
    assert model.parser.grammar.actions[maker.action] == "R NP" and 0 in tree.rivals(maker)


@pytest.mark.parametrize("node", [("VP", 0, 2), ("NP", 0, 9), ("XX", 0, 1)])
def test_a_constituent_that_is_not_there_is_refused(node):
    with pytest.raises(CorpusError, match="no tree that was found has"):
        explain_constituent(pretrained_model(), ["The", "dog", "barked", "."], node, 5)


def test_names_of_what_decides_about_tags_are_those_of_the_hashes():
    model = pretrained_model()
    pairs, without_value = set(), ("known", "shape", "letters", "capitals", "first")
    # Digits are all one, and a straight quotation mark can be two things: their names say less than their hashes.
    texts = [re.sub("[0-9]+", "many", text).replace("?", " ?").split() for text in TEXTS]
    for tree in model.parse([*texts, ["``", "A", '"', "B", "''"]]):
        numbers = [model.tags.index(tag) for tag in tree.tags]
        words = EnglishWords([tree.words], model.lexicon)
        for place in range(len(tree.words)):
            before = [numbers[at] if at >= 0 else None for at in (place - 1, place - 2)]
            hashes = tag_conjunctions(words, model.tagger, len(model.tags), place, *before).tolist()
            names = conjunction_names(tree.words, tree.tags, place, len(hashes))
            assert len(names) == len(hashes)
            told = ((name, value) for name, value in zip(names, hashes) if not re.search("[\"'`]", name))
            pairs.update(one for one in told if not any(part in one[0] for part in without_value))
    # The same name has one hash; another name has another one.
    assert len({name for name, _ in pairs}) == len(pairs) > 500
    assert len({value for _, value in pairs}) == len(pairs)


@pytest.mark.parametrize("text", TEXTS)
def test_the_weights_behind_a_tag_add_up_to_its_margin(text):
    model = pretrained_model()
    tree = EnglishParser.pretrained().parse(text, one_sentence=True)[0].tree
    for place, tag in enumerate(tree.tags):
        (told,) = explain_tag(model, tree.words, tree.tags, place, 5)
        assert told["machine"].startswith(f"{tag} “{tree.words[place]}”, before: ")
        assert sum(item["weight"] for item in told["items"]) == pytest.approx(told["margin"])

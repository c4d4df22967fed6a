"""English tokens, tags and trees against their definitions, and with whatever people type."""

import re
import threading
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from budgets import examples
from english_oracles import evalb, rebuilt, tree_of
from hypothesis import given, settings
from hypothesis import strategies as st

from kakari.corpora import catalogue, read
from kakari.corpora.formats.brackets import parse_brackets
from kakari.kernels.hashed.weights import HashedLearner
from kakari.models.files import ModelFileError
from kakari.parsers.english.constituency import shift_reduce as constituency
from kakari.parsers.english.constituency import tagging
from kakari.parsers.english.constituency.binarising import actions_of, head_of, make_grammar
from kakari.parsers.english.constituency.shift_reduce import TreeGrammar
from kakari.parsers.english.model import EnglishModel
from kakari.parsers.english.parser import EnglishParser, tokens_of
from kakari.parsers.english.passes import StageSettings, learned
from kakari.parsers.english.scores import EnglishScores, evaluate
from kakari.parsers.english.training import EnglishSettings, train
from kakari.parsers.english.words.detokenising import detokenised
from kakari.parsers.english.words.flat_trees import FlatTree, bracketed, to_tree
from kakari.parsers.english.words.skeletons import WORDS, form_of, forms_of, read_skeletons
from kakari.parsers.english.words.treebank_trees import flattened, read_trees
from kakari.parsers.english.words.words import EnglishWords, WordLexicon
from kakari.parsers.limits import TextWarning

LABELS = st.sampled_from(["S", "NP", "VP", "PP", "X", "TOP"])
TAGS = st.sampled_from(["NN", "VB", "IN", ",", ".", "DT"])
NO_LEXICON = WordLexicon([], [])
QUICK = EnglishSettings(
    StageSettings(3, 2, 100_000), StageSettings(6, 2, 100_000), folds=2, fold_tagger=StageSettings(1, 2, 100_000)
)


@st.composite
def trees(draw, most=9):
    """Trees with nodes of any number of parts and unary chains, as flat tuples."""
    length = draw(st.integers(1, most))
    nodes = []

    def cover(begin, end, depth):
        chain = draw(st.lists(LABELS.filter(lambda label: label != "TOP"), max_size=2 if depth else 3))
        nodes.extend((label, begin, end) for label in chain)
        if end - begin == 1:
            return
        if not chain:
            nodes.append((draw(LABELS.filter(lambda label: label != "TOP")), begin, end))
        cuts = sorted(draw(st.sets(st.integers(begin + 1, end - 1), min_size=1, max_size=end - begin - 1)))
        for first, last in zip([begin, *cuts], [*cuts, end]):
            cover(first, last, depth + 1)

    cover(0, length, 0)
    words = tuple(f"w{draw(st.integers(0, 4))}" for _ in range(length))
    return FlatTree(words, tuple(draw(TAGS) for _ in range(length)), tuple(nodes))


@settings(max_examples=examples(60))
@given(trees())
def test_actions_build_the_tree_they_were_made_of(tree):
    wanted = tree_of(tree.words, tree.tags, tree.nodes)
    actions = actions_of(tree)
    assert len(actions) == 4 * len(tree.words) - 2
    found = rebuilt(actions, tree.words, tree.tags)
    assert found == (wanted[1] if len(wanted) == 2 else wanted)


@settings(max_examples=examples(30))
@given(trees(6))
def test_a_parser_that_learned_one_tree_gives_it_back(tree):
    grammar, gold = make_grammar([tree])
    numbers = {symbol: number for number, symbol in enumerate(grammar.symbols)}
    words = EnglishWords([tree.words], NO_LEXICON)
    tags = [numbers[tag] for tag in tree.tags]
    learner = HashedLearner()
    for _ in range(60):
        if not constituency.learn_batch(words, tags, gold, learner, grammar, [0], 4):
            break
    nodes, starts = constituency.parse_batch(words, tags, learner, grammar, 4)
    assert tuple((grammar.symbols[label], begin, end) for label, begin, end in nodes.tolist()) == tree.nodes
    assert starts.tolist() == [0, len(tree.nodes)]


@settings(max_examples=examples(20))
@given(st.lists(trees(8), min_size=2, max_size=4), st.integers(1, 9))
def test_scores_that_states_share_are_the_sums_of_all_features(given_trees, beam):
    grammar, gold = make_grammar(given_trees)
    numbers = {symbol: number for number, symbol in enumerate(grammar.symbols)}
    words = EnglishWords([tree.words for tree in given_trees], NO_LEXICON)
    tags = [numbers[tag] for tree in given_trees for tag in tree.tags]
    learner = HashedLearner()
    for _ in range(3):
        constituency.learn_batch(words, tags, gold, learner, grammar, range(len(given_trees)), 4)
        learner.examples += 1
    weights = learner.freeze()
    nodes, starts, scores, firsts = constituency.best_batch(words, tags, weights, grammar, beam)
    anew = constituency.best_batch(words, tags, weights, grammar, beam, shared=False)
    assert anew[2].tolist() == scores.tolist()
    assert all(np.array_equal(one, other) for one, other in zip(anew, (nodes, starts, scores, firsts)))
    best_nodes, best_starts = constituency.parse_batch(words, tags, weights, grammar, beam)
    for place in range(len(given_trees)):
        own = scores[firsts[place] : firsts[place + 1]]
        assert 1 <= len(own) <= beam and (np.diff(own) <= 0).all()
        first = nodes[starts[firsts[place]] : starts[firsts[place] + 1]]
        assert np.array_equal(first, best_nodes[best_starts[place] : best_starts[place + 1]])


@settings(max_examples=examples(20))
@given(st.lists(trees(8), min_size=2, max_size=4), st.integers(0, 5), st.integers(0, 40), st.data())
def test_the_tagging_whose_tree_and_tags_have_the_best_sum_is_chosen(given_trees, narrow, margin, data):
    grammar, gold = make_grammar(given_trees)
    numbers = {symbol: number for number, symbol in enumerate(grammar.symbols)}
    sentences = [tree.words for tree in given_trees]
    words = EnglishWords(sentences, NO_LEXICON)
    tags = [numbers[tag] for tree in given_trees for tag in tree.tags]
    learner = HashedLearner()
    for _ in range(3):
        constituency.learn_batch(words, tags, gold, learner, grammar, range(len(given_trees)), 4)
        learner.examples += 1
    weights = learner.freeze()
    symbol = st.integers(0, len(grammar.tags))
    lists = [
        data.draw(st.lists(st.tuples(st.lists(symbol, min_size=len(s), max_size=len(s)), st.integers(-99, 99)),
                           min_size=1, max_size=4))
        for s in sentences
    ]  # fmt: skip
    nodes, starts, chosen = constituency.parse_taggings(
        words,
        [tag for own in lists for line, _ in own for tag in line],
        [score for own in lists for _, score in own],
        np.cumsum([0, *map(len, lists)]),
        weights,
        grammar,
        6,
        narrow,
        margin,
    )
    for place, (sentence, own) in enumerate(zip(sentences, lists)):
        alone = EnglishWords([sentence], NO_LEXICON)
        sums = [
            constituency.best_batch(alone, line, weights, grammar, narrow or 6, shared=False)[2][0] + score
            for line, score in own
        ]
        assert chosen[place] == sums.index(max(sums))
        wanted, _ = constituency.parse_batch(alone, own[chosen[place]][0], weights, grammar, 6, narrow, margin)
        assert np.array_equal(nodes[starts[place] : starts[place + 1]], wanted)


@settings(max_examples=examples(20))
@given(st.lists(trees(8), min_size=2, max_size=4), st.integers(1, 3), st.integers(0, 40))
def test_a_narrow_beam_answers_where_nothing_that_it_dropped_was_near(given_trees, narrow, margin):
    grammar, gold = make_grammar(given_trees)
    numbers = {symbol: number for number, symbol in enumerate(grammar.symbols)}
    words = EnglishWords([tree.words for tree in given_trees], NO_LEXICON)
    tags = [numbers[tag] for tree in given_trees for tag in tree.tags]
    learner = HashedLearner()
    constituency.learn_batch(words, tags, gold, learner, grammar, range(len(given_trees)), 2)
    learner.examples += 1
    weights = learner.freeze()

    def parsed(beam, *narrowing):
        nodes, starts = constituency.parse_batch(words, tags, weights, grammar, beam, *narrowing)
        return [nodes[begin:end].tolist() for begin, end in pairwise(starts.tolist())]

    wide, slim, both = parsed(8), parsed(narrow), parsed(8, narrow, margin)
    far = 1 << 40
    assert parsed(8, narrow, far) == wide  # where nothing was dropped, both are the same search
    assert parsed(8, narrow, -far) == slim and parsed(8, 8, margin) == parsed(8, 9, -far) == wide
    assert all(found in (one, other) for found, one, other in zip(both, slim, wide, strict=True))
    # Where more of a lead is asked for, no sentence goes back from the wide beam to the narrow one.
    asked = [sum(x != y for x, y in zip(parsed(8, narrow, margin + more), slim, strict=True)) for more in (0, 10, 1000)]
    assert asked == sorted(asked)


@settings(max_examples=examples(15))
@given(st.lists(trees(8), min_size=1, max_size=4), st.integers(1, 5))
def test_any_weights_give_trees_over_all_words(given_trees, beam):
    """Untrained weights take the parser anywhere that its rules allow."""
    grammar, gold = make_grammar(given_trees)
    words = EnglishWords([tree.words[::-1] for tree in given_trees] + [()], NO_LEXICON)
    rng = np.random.default_rng(len(gold))
    tags = rng.integers(0, len(grammar.tags) + 1, len(words))
    learner = HashedLearner()
    frozen = learner.freeze()
    for weights in (learner, frozen):
        nodes, starts = constituency.parse_batch(words, tags, weights, grammar, beam)
        for number, tree in enumerate(given_trees):
            own = nodes[starts[number] : starts[number + 1]].tolist()
            assert all(0 <= begin < end <= len(tree.words) for _, begin, end in own)
            flat = FlatTree(tree.words, tree.tags, tuple((grammar.symbols[label], b, e) for label, b, e in own))
            assert tuple(to_tree(flat).leaves()) == tree.words
            assert not any("*" in label for label, _, _ in flat.nodes)
        assert starts[-1] == starts[-2] == len(nodes)


def test_where_nothing_that_was_seen_can_be_done_the_best_hypothesis_alone_goes_on():
    grammar = TreeGrammar(["DT", "NN"], ["S", "X"], ["shift", "=", "R S", "U X"], [[3, 3, 2], [-1, 1, 3]])
    words = EnglishWords([["The", "dog"]], NO_LEXICON)
    nodes, _, _, lists = constituency.best_batch(words, [1, 2], HashedLearner().freeze(), grammar, 4)
    # After the first word there are two, (DT) and (X (DT)); neither was ever joined with a noun.
    assert lists.tolist() == [0, 1]
    assert [(grammar.symbols[label], begin, end) for label, begin, end in nodes.tolist()] == [("S", 0, 2)]


@pytest.mark.parametrize(
    ("label", "parts", "head"),
    [
        ("S", "NP VP .", 1),  # by rank, not by place
        ("S", "SBAR , NP VP", 3),
        ("S", "NP ADJP", 1),
        ("VP", "MD VP", 0),
        ("VP", "ADVP VBD NP", 1),
        ("PP", "ADVP IN NP", 1),
        ("SBAR", "IN S", 0),
        ("SQ", "VBZ NP VP", 0),
        ("ADJP", "RB JJ PP", 1),
        ("NP", "DT NN NNS", 2),  # the last one that is any noun
        ("NP", "NP PP NP", 0),
        ("NP", "NNP POS", 1),
        ("NML", "NN HYPH NN", 2),
        ("NP", "DT JJ", 1),
        ("X", ", FW", 1),
        ("S", ". ,", 0),
    ],
)
def test_heads_are_those_of_collins(label, parts, head):
    assert head_of(label, parts.split()) == head


def test_trees_round_trip_through_brackets():
    for sentence in read("sample-en"):
        flat = flattened(sentence.tree)
        assert flattened(parse_brackets(bracketed(flat))) == flat
        assert flat.words == tuple(sentence.words)


def test_treebank_habits_become_ours():
    text = "( (S (NP-SBJ-1 (-NONE- *T*)) (VP (VB Go) (PP-DIR=2 (TO to) (NP (-LRB- -LRB-) (NN a\\/b)))) (? ?)))"
    flat = flattened(parse_brackets(text), plain_to=True)
    assert bracketed(flat) == "(TOP (S (VP (VB Go) (PP (IN to) (NP (-LRB- -LRB-) (NN a/b)))) (. ?)))"
    assert flattened(parse_brackets("(TOP (NP (NN a)) (VP (VB b)))")).nodes == (
        ("TOP", 0, 2),
        ("NP", 0, 1),
        ("VP", 1, 2),
    )


@settings(max_examples=examples(40))
@given(trees(), trees())
def test_scores_are_those_of_evalb(gold, other):
    length = min(len(gold.words), len(other.words))
    nodes = tuple((label, begin, min(end, length)) for label, begin, end in other.nodes if begin < length)
    _, spans = detokenised(gold)
    scores = EnglishScores()
    gold_nodes = tuple(node for node in gold.nodes)
    scores.add_tree(gold, spans, nodes, spans)
    assert tuple(scores.brackets) == evalb((gold.words, gold.tags, gold_nodes), nodes)


def test_tokens_cross_the_bridge():
    rows = {
        "Don't e-mail me (or him)!!!": "Do n't e-mail me ( or him ) !!!",
        "Call 303-832-8160 for a 15-year term etc.": "Call 303-832-8160 for a 15 - year term etc.",
        "\"Why?\" she'd asked; they're non-human.": "\" Why ? \" she 'd asked ; they 're non-human .",
        "b/c of $5 and/or 10% of an F-16": "b/c of $ 5 and / or 10 % of an F - 16",
        "well-known": "well - known",
    }
    for text, wanted in rows.items():
        (spans,) = tokens_of(text, one_sentence=True)
        assert " ".join(text[begin:end] for begin, end in spans) == wanted


def test_a_text_that_was_put_together_again_has_the_same_tokens():
    for tree in read_trees("sample-en"):
        text, spans = detokenised(tree)
        assert tokens_of(text, one_sentence=True) == [spans]


STRANGE = [
    "", " ", "\n\t\n", "a", "!", "😀 👩‍👩‍👧 ok", "http://example.com/a?b=c&d=e#f", "STOP SHOUTING AT ME NOW",
    "((((a))))) [\"'”", "tab\tand\nline\r\nend", "<p>HTML <b>bold</b> &amp; more</p>", "太郎は京都に行った。",
    "a\u00a0b\u2003c", "\ud800 lone", "Dr. Smith went. he said 'no'. \"Yes.\"", "." * 300, "x" * 5000, "..",
    "\x00\x01", "-", "e-", "'", "' 've",
]  # fmt: skip


@pytest.mark.parametrize("text", STRANGE)
def test_trees_cover_the_tokens_of_any_text(text, sample_model):
    parser = EnglishParser(sample_model)
    for one_sentence in (False, True):
        last = 0
        for found in parser.parse(text, one_sentence=one_sentence):
            assert [text[begin:end] for begin, end in found.spans] == list(found.tree.words)
            assert not text[last : found.begin].strip()
            assert list(to_tree(found.tree).leaves()) == list(found.tree.words)
            last = found.end
        assert not text[last:].strip()


def test_very_long_sentences_are_cut(sample_model):
    with pytest.warns(TextWarning, match="more than 500 tokens was cut"):
        found = EnglishParser(sample_model).parse("the dog that saw " * 250, one_sentence=True)
    assert [len(one.tree.words) for one in found] == [500, 500]


@pytest.fixture(scope="module")
def sample_model():
    return train(list(read_trees("sample-en")), QUICK)


@pytest.mark.thorough
def test_training_again_gives_the_same_bytes(tmp_path, sample_model):
    data = list(read_trees("sample-en"))
    assert train(data, QUICK).to_bytes() == sample_model.to_bytes()
    one_pass = replace(QUICK, tagger=StageSettings(1, 2, 100_000), parser=StageSettings(1, 2, 100_000))
    train(data, one_pass, checkpoint=tmp_path)
    assert train(data, QUICK, checkpoint=tmp_path).to_bytes() == sample_model.to_bytes()
    with pytest.raises(ModelFileError, match="other options"):
        train(data[1:], QUICK, checkpoint=tmp_path)


def test_models_are_files(tmp_path, sample_model):
    sample_model.save(tmp_path / "m.safetensors")
    again = EnglishModel.load(tmp_path / "m.safetensors")
    words = [tree.words for tree in read_trees("sample-en")]
    assert again.parse(words) == sample_model.parse(words) == EnglishModel.from_bytes(again.to_bytes()).parse(words)


def test_skeletons_have_the_words_that_can_be_known(monkeypatch):
    sentences = list(read("sample-en"))
    forms = forms_of("sample-en")
    assert forms and all(form == form.lower() for form in forms.values())
    bare = [
        replace(one, tree=parse_brackets(re.sub(r"(\(\S+) [^()\s]+\)", r"\1 -)", bracketed(flattened(one.tree)))))
        for one in sentences
    ]
    monkeypatch.setattr(catalogue, "read", lambda reference: iter(bare))
    for one, skeleton in zip(sentences, read_skeletons("bare", forms)):
        whole = flattened(one.tree)
        assert (skeleton.tags, skeleton.nodes) == (whole.tags, whole.nodes)
        predicates = {predicate.token for predicate in one.predicates}
        for place, (word, tag) in enumerate(zip(skeleton.words, skeleton.tags)):
            assert bool(word) == (place in predicates or (tag in WORDS and (tag != "." or word == ".")))
    tags = ("VB", "VBZ", "VBG", "VBN")
    assert [form_of("carry", tag, {}) for tag in tags] == ["carry", "carries", "carrying", "carried"]
    assert [form_of("bake", tag, {}) for tag in tags] == ["bake", "bakes", "baking", "baked"]


def test_words_that_are_not_known_count_for_nothing():
    """What was learned of empty words is what holds for any words."""
    tree = next(read_trees("sample-en"))
    grammar, gold = make_grammar([tree])
    numbers = {symbol: number for number, symbol in enumerate(grammar.symbols)}
    tags = [numbers[tag] for tag in tree.tags]
    learner = HashedLearner()
    empty = EnglishWords([[""] * len(tree.words)], NO_LEXICON)
    while constituency.learn_batch(empty, tags, gold, learner, grammar, [0], 4, averaged=False):
        pass
    assert learner.examples == 0
    for words in (empty, EnglishWords([tree.words[::-1]], NO_LEXICON)):
        nodes, _ = constituency.parse_batch(words, tags, learner, grammar, 4)
        assert tuple((grammar.symbols[label], begin, end) for label, begin, end in nodes.tolist()) == tree.nodes


def test_skeletons_are_where_learning_begins():
    data = list(read_trees("sample-en"))
    skeletons = [replace(tree, words=("",) * len(tree.words)) for tree in data]
    strange = FlatTree(("", ""), ("NN", "??"), (("NP", 0, 2),))
    settings_ = replace(QUICK, folds=1, parser=StageSettings(1, 2, 100_000), tagger=StageSettings(1, 1, 1000))
    plain = train(data, settings_)
    model = train(data, settings_, skeletons=[*skeletons, strange])
    assert model.to_bytes() != plain.to_bytes()
    assert train(data, settings_, skeletons=[strange]).parser.weights.arrays["records"].tolist() == (
        plain.parser.weights.arrays["records"].tolist()
    )


def test_learners_by_themselves_are_added_up(tmp_path):
    data = list(read_trees("sample-en"))[::2]
    pair = replace(QUICK, folds=1, tagger=StageSettings(1, 1, 1000), parser=StageSettings(2, 2, 10_000, learners=2))
    model = train(data, pair, checkpoint=tmp_path)
    assert model.to_bytes() == train(data, pair).to_bytes() == train(data, pair, checkpoint=tmp_path).to_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "parser-2.safetensors",
        "parser.safetensors",
        "tagger.safetensors",
    ]

    def fails(learner, order):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        learned("toy", fails, 10, StageSettings(3, 1, 10, learners=3), 1, report=print)


def test_what_is_given_helps(sample_model):
    data = list(read_trees("sample-en"))
    for given_ in ("text", "tokens", "tags"):
        scores = evaluate(sample_model, data, given=given_).as_dict()
        assert scores["sentences"] == len(data)
        assert scores["tag_accuracy"] > 0.97 and scores["bracket_f1"] > 0.7
    assert evaluate(sample_model, data, given="tags").as_dict()["tag_accuracy"] == 1.0
    with pytest.raises(ValueError, match="given is"):
        evaluate(sample_model, data, given="words")


def test_many_threads_use_one_model(sample_model):
    words = [tree.words for tree in read_trees("sample-en")]
    wanted = sample_model.parse(words)
    found = []
    workers = [threading.Thread(target=lambda: found.append(sample_model.parse(words))) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert found == [wanted] * 4


def test_wrong_calls_are_refused():
    words = EnglishWords([["a", "b"]], NO_LEXICON)
    grammar = TreeGrammar(["NN"], ["NP"], ["shift", "=", "R NP"], [[1, 1, 2]])
    for call in (
        lambda: tagging.tag_batch(words, HashedLearner(), 0),
        lambda: tagging.tag_batch(words, HashedLearner(), 2, 0),
        lambda: tagging.learn_batch(words, np.array([0, 2], dtype=np.uint8), HashedLearner(), 2, [0]),
        lambda: tagging.learn_batch(words, np.array([0, 1], dtype=np.uint8), HashedLearner(), 2, [1]),
        lambda: constituency.parse_batch(words, [1], HashedLearner(), grammar),
        lambda: constituency.parse_batch(words, [1, 2], HashedLearner(), grammar),
        lambda: constituency.learn_batch(words, [1, 1], np.zeros(5, dtype=np.uint8), HashedLearner(), grammar, [0]),
        lambda: TreeGrammar(["NN"], ["NP"], ["shift", "=", "R NP"], [[1, 1, 3]]),
        lambda: TreeGrammar(["NN"], ["NP"], ["=", "shift"], []),
        lambda: WordLexicon([2, 1], [1, 1]),
    ):
        with pytest.raises(ValueError):
            call()

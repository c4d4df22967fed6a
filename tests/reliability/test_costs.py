"""Time and memory are linear in the text: work is counted, not timed, and a megabyte of anything ends."""

import tracemalloc
import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

import kakari
from kakari.output.japanese import write_texts
from kakari.parsers.arguments.model import pretrained_arguments
from kakari.parsers.dependency import parser as dependency_text
from kakari.parsers.dependency.model import pretrained_model
from kakari.parsers.dependency.parsing import LONGEST_SEARCHED
from kakari.parsers.english.words.flat_trees import FlatTree
from kakari.parsers.english.words.tokenizer import english_tokenizer
from kakari.parsers.japanese.words import sentences
from kakari.parsers.japanese.words.sentences import LINE_ENDS, LONGEST_QUOTATION, PAIRS, sentence_spans
from kakari.parsers.limits import (
    LONGEST_ENGLISH,
    LONGEST_JAPANESE,
    LONGEST_RUN,
    MOST_PREDICATES,
    TextWarning,
    run_cuts,
)

pytestmark = pytest.mark.thorough

BRACKETS = st.text(alphabet="（）「」『』[]あ。\n", max_size=60)


def plain_partners(text, longest):
    """Return the pairs of brackets by their definition: a closing one looks back through all that are open."""
    stack, partners = [], {}
    for place, character in enumerate(text):
        if character in PAIRS:
            stack.append(place)
        elif character in LINE_ENDS:
            stack.clear()
        else:
            stack = [opening for opening in stack if place - opening <= longest]
            for depth in range(len(stack) - 1, -1, -1):
                if PAIRS[text[stack[depth]]] == character:
                    partners[stack[depth]] = place
                    del stack[depth:]
                    break
    return partners


@given(BRACKETS, st.integers(1, 30))
def test_brackets_are_paired_as_defined(text, longest):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sentences, "LONGEST_QUOTATION", longest)
        assert sentences._partners(text) == plain_partners(text, longest)


@pytest.mark.parametrize("unit", ["（", "「」", "（「）」", "」", "「あ。"])
def test_a_megabyte_of_brackets_is_split(unit):
    """This took minutes: the work for each bracket grew with the number of those before it."""
    text = unit * (1_000_000 // len(unit))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        spans = list(sentence_spans(text))
    assert spans[0][0] == 0
    assert spans[-1][1] == len(text)
    assert all(end - begin <= LONGEST_JAPANESE for begin, end in spans)
    assert LONGEST_QUOTATION < LONGEST_JAPANESE


@given(st.text(alphabet="あ、。「」 \n", min_size=1, max_size=60), st.integers(1, 20))
def test_cut_sentences_cover_the_text(text, longest):
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        patch.setattr(sentences, "LONGEST_JAPANESE", longest)
        spans = list(sentence_spans(text))
    assert [begin for begin, _ in spans] == [0, *(end for _, end in spans[:-1])]
    assert spans[-1][1] == len(text)
    assert all(0 < end - begin <= longest for begin, end in spans)


@pytest.mark.parametrize("unit", ["(", ")", "\"'", "?!", "http://a.b/c?d=e&", "a", "'s", ":)"])
def test_a_long_run_without_blanks_is_cut_before_the_rules_see_it(unit):
    """spaCy's rules are quadratic in a run: 8,000 brackets took 5 s."""
    text = unit * (100_000 // len(unit))
    cuts = run_cuts(text)
    assert max(end - begin for begin, end in zip([0, *cuts], [*cuts, len(text)], strict=True)) <= 500
    tokens = english_tokenizer()(text)
    assert "".join(tokens.texts) == text


def test_ordinary_text_is_never_cut():
    assert run_cuts("see https://example.com/" + "a" * 150 + " and " + "=" * 120 + "\n") == []


def test_arguments_of_one_word_repeated():
    """The candidates of `give ` x 4,000 took 46 s and 5.5 GB: they are as many as the words times the predicates."""
    parser, model = kakari.EnglishParser.pretrained(), pretrained_arguments()
    with pytest.warns(TextWarning, match="was cut"):
        trees = [found.tree for found in parser.parse("give " * 4_000)]
    assert all(len(tree.words) <= LONGEST_ENGLISH for tree in trees)
    tracemalloc.start()
    with pytest.warns(TextWarning, match="only the first ones got arguments"):
        found = model.find(trees)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(found) == len(trees)
    assert peak < 300e6
    assert all(not frame.spans for one in found for frame in one.frames[MOST_PREDICATES:])


def test_candidates_in_memory_are_bounded(monkeypatch):
    model = pretrained_arguments()
    counts = []
    ask = model.boundary.candidates
    monkeypatch.setattr(model.boundary, "candidates", lambda batch: counts.append(ask(batch)) or counts[-1])
    words = 400
    nodes = (("S", 0, words), *(("VP", place, words) for place in range(1, 40)))
    tree = FlatTree(("give",) * words, ("VB",) * words, nodes)
    with pytest.warns(TextWarning):
        model.find([tree] * 12)
    assert max(map(len, counts)) <= 50_000
    assert len(counts) > 1


@pytest.mark.parametrize("language", ["ja", "en"])
def test_lone_surrogates(language):
    doc = kakari.load(language)("あ\ud800い \udfff a")
    assert doc.text == "あ\ufffdい \ufffd a"
    parser = kakari.JapaneseParser.pretrained() if language == "ja" else kakari.EnglishParser.pretrained()
    assert parser.parse("あ\ud800い \udfff a")


@pytest.mark.parametrize("form", ["tree", "cabocha", "knp", "conllu", "json"])
def test_lone_surrogates_are_written(form):
    parser = kakari.JapaneseParser.pretrained(universal=form == "conllu")
    assert "行っ" in "".join(write_texts(parser, ["太郎は\ud800行った。"], form))


@pytest.mark.parametrize("language", ["ja", "en"])
def test_max_length_is_that_of_spacy(language):
    nlp = kakari.load(language)
    nlp.max_length = 10
    with pytest.raises(ValueError, match="E088"):
        nlp("a" * 11)
    with pytest.raises(ValueError, match="E088"):
        list(nlp.pipe(["a" * 11]))


def test_dependencies_of_a_long_sentence_are_found_in_parts():
    """A chart has cells for all pairs of words: 500 brackets took 640 MB, and each 50 times as long as other words."""
    model = pretrained_model()
    length = 500
    with pytest.warns(TextWarning, match="in parts"):
        (tree,) = model.parse([["("] * length])
    assert tree.heads.count(0) == 1
    for word in range(1, length + 1):  # every word leads to the root
        seen = 0
        while word:
            word, seen = tree.heads[word - 1], seen + 1
            assert seen <= length
    ((_, first),) = model.best_trees(model.tag([["("] * length])[0], 4)
    assert first.heads == tree.heads
    (whole,) = model.parse([["("] * LONGEST_SEARCHED])  # which is searched as it was
    assert whole.heads.count(0) == 1


def test_rules_of_other_languages_see_no_long_run_either(monkeypatch):
    """10,000 brackets took 39 times the time of ordinary text: spaCy's rules are quadratic in a run without blanks."""
    seen = []

    class Watched:
        def __init__(self, rules):
            self.rules = rules

        def __call__(self, text):
            seen.append(text)
            return self.rules(text)

    rules = dependency_text._blank_tokenizer("da")
    monkeypatch.setattr(dependency_text, "_blank_tokenizer", lambda _: Watched(rules))
    text = "(" * 5_000 + " hej " + "a" * 2_000
    with pytest.warns(TextWarning):
        found = dependency_text.sentence_spans(text, "da")
    assert "".join(text[begin:end] for own in found for begin, end in own) == text.replace(" ", "")
    assert "".join(seen) == text
    assert max(len(run) for piece in seen for run in piece.split()) <= LONGEST_RUN

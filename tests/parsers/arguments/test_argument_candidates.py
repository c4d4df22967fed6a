"""Candidates for arguments against their plain definitions, and shards of them on disk."""

import json
import pickle

import argument_oracles as oracle
import numpy as np
import pytest
from budgets import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from kakari import corpora
from kakari.parsers.arguments.boundary.shards import ShardError, joined, open_shards, write_shards
from kakari.parsers.arguments.candidates.examples import Candidates
from kakari.parsers.arguments.candidates.extraction import TEMPLATE_BITS, TEMPLATES, CandidateExtractor
from kakari.parsers.arguments.candidates.frames import ArgumentError, Frame, FramedSentence, read_frames
from kakari.parsers.english.words.flat_trees import FlatTree

LABELS = "S SBAR VP NP PP ADJP ADVP QP PRN".split()
TAGS = "VBD VBN VB MD NN NNS PRP IN TO DT JJ RB CC , . CD POS".split()
WORDS = "was get plan Mary the 's , on".split()


@st.composite
def framed_sentences(draw):
    length = draw(st.integers(1, 7))
    masked = draw(st.booleans())
    nodes = []

    def grow(begin, end, depth):
        if depth and draw(st.booleans()):
            nodes.append((draw(st.sampled_from(LABELS)), begin, end))
            cuts = sorted(draw(st.sets(st.integers(begin, end), max_size=3)) | {begin, end})
            for one, two in zip(cuts, cuts[1:]):
                grow(one, two, depth - 1)

    grow(0, length, 4)
    words = tuple("-" if masked else draw(st.sampled_from(WORDS)) for _ in range(length))
    tags = tuple(draw(st.sampled_from(TAGS)) for _ in range(length))
    tokens = draw(st.sets(st.integers(0, length - 1), min_size=1, max_size=3))
    spans = st.tuples(st.integers(0, length - 1), st.integers(1, length)).map(lambda s: (min(s), max(s)))
    frames = [
        Frame(token, draw(st.sampled_from(["be", "plan", "get"])), tuple(draw(st.lists(spans, max_size=3))))
        for token in sorted(tokens)
    ]
    return FramedSentence(FlatTree(words, tags, tuple(nodes)), tuple(frames))


def named_trees(extractor, candidates):
    offsets = candidates.arrays["tree_offsets"]
    pairs = list(zip(candidates.arrays["labels"], candidates.arrays["arities"]))
    return [
        [(extractor.name(label), int(arity)) for label, arity in pairs[begin:end]]
        for begin, end in zip(offsets, offsets[1:])
    ]


def compare(sentences, *, siblings):
    """Compare everything; features by the sets of (template, value) that ids must stand for, one to one."""
    extractor = CandidateExtractor(siblings=siblings)
    found = Candidates(extractor.extract(sentences))
    trees, rows, spans = named_trees(extractor, found), found.features.tolist(), found.spans().tolist()
    nodes, gold, near, below = found.arrays["nodes"], found.gold, found.near, found.below
    values, row = {}, 0
    for framed in sentences:
        sentence = oracle.Sentence(framed)
        preorder = sentence.root.preorder()
        for frame in framed.frames:
            kept = oracle.near(sentence, frame.token)
            for node in oracle.candidates(sentence, frame.token):
                assert preorder[nodes[row]] is node
                assert spans[row] == [node.begin, node.end]
                assert gold[row] == ((node.begin, node.end) in frame.spans)
                assert near[row] == (node in kept)
                assert below[row] == (len(node.parent.children) == 1)
                tree = oracle.spanning_tree(sentence, frame.token, node, siblings=siblings)
                assert trees[row] == oracle.postorder(tree)
                wanted = oracle.features(sentence, frame.token, node)
                assert sorted(TEMPLATES[i % 2**TEMPLATE_BITS] for i in rows[row]) == sorted(name for name, _ in wanted)
                templates = {TEMPLATES[i % 2**TEMPLATE_BITS]: i for i in rows[row]}
                for name, value in wanted:
                    assert values.setdefault((name, value), templates[name]) == templates[name]
                row += 1
    assert row == len(found)
    assert len(values) - len(set(values.values())) <= len(values) / 5000  # two values hardly ever share an id


@pytest.mark.parametrize("siblings", [False, True])
def test_the_sample_is_what_the_definitions_say(siblings):
    compare(list(read_frames("sample-en"))[:25], siblings=siblings)


@settings(max_examples=examples(60), deadline=None)
@given(st.lists(framed_sentences(), max_size=3), st.booleans())
def test_random_trees_are_what_the_definitions_say(sentences, siblings):
    compare(sentences, siblings=siblings)


def test_pruned_candidates_are_those_that_are_near():
    sentences = list(read_frames("sample-en"))
    everything = Candidates(CandidateExtractor().extract(sentences))
    pruned = Candidates(CandidateExtractor(prune=True).extract(sentences))
    assert pruned.spans().tolist() == everything.spans()[everything.near].tolist()


def test_a_frozen_extractor_gives_unknown_words_one_number_and_their_own_features():
    sentences = list(read_frames("sample-en"))
    extractor = CandidateExtractor()
    extractor.extract(sentences[:1])
    extractor.freeze()
    known = list(extractor.labels)
    frozen, fresh = extractor.extract(sentences), CandidateExtractor().extract(sentences)
    assert extractor.labels == known
    assert frozen["features"].tolist() == fresh["features"].tolist()
    assert frozen["labels"].max() // 3 == len(known)
    again = pickle.loads(pickle.dumps(extractor))
    assert again.extract(sentences)["labels"].tolist() == frozen["labels"].tolist()


def test_bad_trees_and_predicates_are_refused():
    flat = FlatTree(("a", "b"), ("NN", "VB"), (("S", 0, 2), ("NP", 0, 1)))
    with pytest.raises(ArgumentError, match="the tree lacks the predicate"):
        CandidateExtractor().extract([FramedSentence(flat, (Frame(2, "b"),))])
    crossing = FlatTree(flat.words, flat.tags, (("NP", 0, 1), ("S", 0, 2)))
    with pytest.raises(ArgumentError, match="do not nest"):
        CandidateExtractor().extract([FramedSentence(crossing, (Frame(1, "b"),))])
    assert len(Candidates(CandidateExtractor().extract([FramedSentence(flat, ())]))) == 0


def test_a_sentence_of_400_tokens():
    flat = FlatTree(("word",) * 400, ("NN",) * 400, tuple(("NP", i, 400) for i in range(399)))
    found = Candidates(CandidateExtractor().extract([FramedSentence(flat, (Frame(399, "word"),))]))
    assert len(found) == 399
    assert len(found.forest) == len(found.features) == 399


def test_candidates_of_predicates_are_joined_and_cut():
    parts = [Candidates(CandidateExtractor().extract([one])) for one in list(read_frames("sample-en"))[:3]]
    both = joined(parts)
    assert len(both) == sum(map(len, parts))
    assert both.first(2).spans().tolist() == both.spans()[: len(both.first(2))].tolist()
    assert both.first(2).features.tolist() == both.features.tolist()[: len(both.first(2))]
    assert len(both.upto(20)) <= 20
    assert both.first(2).forest == both.forest[: len(both.first(2))]


class TestShards:
    def test_they_hold_the_corpus(self, tmp_path):
        whole = Candidates(CandidateExtractor().extract(list(read_frames("sample-en"))))
        shards = write_shards(["sample-en"], tmp_path, size=600)
        assert len(shards) > 2
        read = joined([open_shards(tmp_path).read(i) for i in range(len(shards))])
        for name, array in whole.arrays.items():
            if name != "sentences":
                assert read.arrays[name].tolist() == array.tolist(), name

    def test_a_limit_is_kept_to_the_predicate(self, tmp_path):
        shards = write_shards(["sample-en"], tmp_path, size=600, limit=1000)
        assert 900 < shards.examples <= 1000

    def test_other_options_are_refused(self, tmp_path):
        write_shards(["sample-en"], tmp_path, size=600)
        assert len(write_shards(["sample-en"], tmp_path, size=600)) > 2
        with pytest.raises(ShardError, match="other options \\(siblings\\)"):
            write_shards(["sample-en"], tmp_path, size=600, siblings=True)

    @pytest.mark.parametrize("damage", ["missing", "cut", "changed", "list"])
    def test_damage_is_told(self, tmp_path, damage):
        shards = write_shards(["sample-en"], tmp_path, size=600)
        path = tmp_path / shards.files[1]["name"]
        content = path.read_bytes()
        if damage == "missing":
            path.unlink()
        elif damage == "cut":
            path.write_bytes(content[:-4])
        elif damage == "changed":
            path.write_bytes(content[:-4] + b"oops")
        else:
            (tmp_path / "shards.json").write_text(json.dumps({"files": 3}))
            with pytest.raises(ShardError, match="damaged"):
                open_shards(tmp_path)
            return
        with pytest.raises(ShardError, match={"missing": "missing", "cut": "bytes", "changed": "checksum"}[damage]):
            shards.read(1)

    def test_an_unfinished_folder_is_told(self, tmp_path):
        with pytest.raises(ShardError, match="no finished shards"):
            open_shards(tmp_path)

    def test_corpora_without_predicates_are_refused(self, tmp_path):
        with pytest.raises(corpora.CorpusError, match="no predicates"):
            write_shards(["sample-questions"], tmp_path)


@pytest.mark.corpora
@pytest.mark.parametrize(
    ("corpus", "candidates", "positive"), [("ewt:dev", 170_733, 13_552), ("wsj:dev", 196_194, 10_679)]
)
def test_real_corpora_have_as_many_candidates_as_their_documentation_says(need_corpus, corpus, candidates, positive):
    need_corpus(corpus)
    extractor = CandidateExtractor(features=False, trees=False)
    found = Candidates(extractor.extract(read_frames(corpus)))
    assert (len(found), int(np.count_nonzero(found.gold))) == (candidates, positive)

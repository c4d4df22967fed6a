"""The decoders against the loops of the papers in plain Python, with the classifier's margins as a table."""

from itertools import pairwise

import numpy as np
import pytest

from kakari.corpora import read
from kakari.parsers.japanese.bunsetsu.segmentation import Segmenter, segment_batch, training_tokens
from kakari.parsers.japanese.bunsetsu.sure_boundaries import certain_pairs
from kakari.parsers.japanese.dependency.decoders import chunk_counts, training_pairs
from kakari.parsers.japanese.dependency.feature_groups import slots_of
from kakari.parsers.japanese.dependency.pairs import Sentence, Slot
from kakari.parsers.japanese.gold import analysed, carry_over
from kakari.parsers.japanese.model import Reranking
from kakari.parsers.japanese.training import (
    JapaneseSettings,
    LearnerSettings,
    ParserSettings,
    train,
)
from kakari.parsers.japanese.words.morphemes import Field

STATIC = ("base", "-CHILD_PARTICLE")  # without what depends on the way there, a pair has one margin


@pytest.fixture(scope="module")
def sentences():
    return list(read("sample-ja"))


@pytest.fixture(scope="module")
def model(sentences):
    small = LearnerSettings(cutoff=1, passes=5)
    settings = JapaneseSettings(segmenter=small, parsers=(ParserSettings(STATIC, small),), kinds=small)
    return train(sentences, settings)


def shift_reduce(count, depends):
    """Sassano's loop as REFERENCE.md tells it."""
    heads, stack = [-1] * count, [0]
    for i in range(1, count):
        while stack and (i == count - 1 or depends(stack[-1], i)):
            heads[stack.pop()] = i
        stack.append(i)
    return heads


def cascade(count, depends):
    """Kudo and Matsumoto's loop as REFERENCE.md tells it."""
    heads, active = [-1] * count, list(range(count))
    while len(active) > 1:
        marks = [depends(active[k], active[k + 1]) for k in range(len(active) - 2)] + [True]
        gone = [k for k in range(len(marks)) if marks[k] and (k == 0 or not marks[k - 1])]
        for k in gone:
            heads[active[k]] = active[k + 1]
        active = [b for k, b in enumerate(active) if k not in gone]
    return heads


def all_pairs(model, morphemes, opens, sentence_index, count):
    """Ask the frozen model about every pair of a sentence, by way of one artificial gold tree for each."""
    sentence = Sentence(model.width, model.pair_slots)
    table = {}
    for dependent in range(count - 1):
        for head in range(dependent + 1, count):
            # A tree in which the shift-reduce loop meets this pair: all between depend on their neighbour.
            heads = [k + 1 for k in range(count - 1)] + [-1]
            heads[dependent] = head if head < count - 1 else count - 1
            rows = _only(morphemes, sentence_index)
            start, end = morphemes.starts[sentence_index], morphemes.starts[sentence_index + 1]
            sets, _ = training_pairs(rows, opens[start:end], heads, sentence)
            visited = _visited(count, heads)
            for pair, margin in zip(visited, model.parsers[0].margins(sets), strict=True):
                table[pair] = margin
    return table


def _visited(count, gold):
    pairs = []

    def depends(dependent, head):
        pairs.append((dependent, head))
        return gold[dependent] == head

    shift_reduce(count, depends)
    return pairs


def _only(morphemes, index):
    from kakari.parsers.japanese.words.morphemes import Morphemes

    start, end = morphemes.starts[index], morphemes.starts[index + 1]
    return Morphemes(
        np.array(morphemes.fields[start:end]),
        np.array(morphemes.begins[start:end]),
        np.array(morphemes.ends[start:end]),
        np.array([0, end - start]),
    )


@pytest.mark.parametrize(("name", "loop"), [("shift-reduce", shift_reduce), ("cascade", cascade)])
def test_decoder_is_the_papers_loop(model, sentences, name, loop):
    morphemes = analysed(sentences, model.lexicon)
    gold = carry_over(sentences, morphemes)
    heads, _ = model.parse(morphemes, gold.opens, decoder=name)
    place = 0
    for index, count in enumerate(chunk_counts(morphemes, gold.opens).tolist()[:25]):
        table = all_pairs(model, morphemes, gold.opens, index, count)
        assert heads[place : place + count].tolist() == loop(count, lambda d, h, t=table: t[d, h] > 0)
        place += count


def test_training_pairs_are_those_that_the_gold_loop_visits(model, sentences):
    morphemes = analysed(sentences, model.lexicon)
    gold = carry_over(sentences, morphemes)
    _, labels = training_pairs(morphemes, gold.opens, gold.heads, Sentence(model.width, model.pair_slots))
    expected, place = [], 0
    for count in chunk_counts(morphemes, gold.opens).tolist():
        arcs = gold.heads[place : place + count].tolist()
        expected += [1 if arcs[d] == h else -1 for d, h in _visited(count, arcs)]
        place += count
    assert labels.tolist() == expected


@pytest.mark.parametrize("decoder", ["shift-reduce", "cascade", "backward"])
def test_gold_decisions_lead_to_the_gold_tree(sentences, decoder):
    """With enough passes the sample is learnt by heart, so each decoder gives back its trees."""
    settings = JapaneseSettings(
        decoder=decoder,
        segmenter=None,
        parsers=(ParserSettings(("base", "function"), LearnerSettings(cutoff=1, cost=0.1, passes=60)),),
    )
    model = train(sentences, settings)
    morphemes = analysed(sentences, model.lexicon)
    gold = carry_over(sentences, morphemes)
    heads, _ = model.parse(morphemes, gold.opens, decoder=decoder)
    assert (heads == gold.heads).mean() > 0.99


def test_base_features_of_a_pair(sentences):
    """The published templates, extracted slowly from the records."""
    model = train(sentences[:20], JapaneseSettings(segmenter=None, parsers=()))
    slots = slots_of(["base"])
    morphemes = analysed(sentences[:20], model.lexicon)
    gold = carry_over(sentences[:20], morphemes)
    sets, _ = training_pairs(morphemes, gold.opens, gold.heads, Sentence(model.width, slots))
    expected, place = [], 0
    for index, count in enumerate(chunk_counts(morphemes, gold.opens).tolist()):
        arcs = gold.heads[place : place + count].tolist()
        expected += [
            slow_base_features(sentences[index], d, h, arcs, model.lexicon.strings, model.width)
            for d, h in _visited(count, arcs)
        ]
        place += count
    assert sets.tolist() == expected


def slow_base_features(sentence, d, h, arcs, strings, width):
    bunsetsu = [list(b.morphemes) for b in sentence.bunsetsu]
    mark, particle = ("特殊",), ("助詞",)

    def tail(b):
        return next((m for m in reversed(b) if m.pos[:1] != mark), b[-1])

    def head(b):
        return next((m for m in reversed(b) if m.pos[:1] not in (mark, particle)), tail(b))

    found = set()

    def put(slot, value):
        number = strings.id_of(value) if isinstance(value, str) else value
        if number is not None and value != "":
            found.add(int(Slot[slot]) * width + number)

    def word(prefix, m, fields):
        for field in fields:
            value = {
                "SURFACE": m.surface,
                "POS": m.pos[0],
                "SUBPOS": ",".join(m.pos[:2]),
                "FORM": m.conj_form,
            }[field]
            put(f"{prefix}_{field}", value)

    one, other = bunsetsu[d], bunsetsu[h]
    word("D_HEAD", head(one), ["SURFACE", "SUBPOS", "FORM"])
    word("D_TAIL", tail(one), ["SURFACE", "POS", "SUBPOS", "FORM"])
    word("D_LAST", one[-1], ["SURFACE"])
    word("H_FIRST", other[0], ["SURFACE", "SUBPOS"])
    word("H_HEAD", head(other), ["SURFACE", "POS", "SUBPOS", "FORM"])
    word("H_TAIL", tail(other), ["SURFACE", "SUBPOS", "FORM"])
    word("H_LAST", other[-1], ["SUBPOS"])
    for prefix, b in (("D", one), ("H", other)):
        opened = sum(m.surface in "「『（" for m in b)
        closed = sum(m.surface in "」』）" for m in b)
        state = 0 if opened + closed == 0 else 1 if opened == closed else 2 if opened > closed else 3
        put(f"{prefix}_BRACKET", state)
        comma, period = any(m.surface in "、，" for m in b), any(m.surface in "。！？" for m in b)
        put(f"{prefix}_PUNCTUATION", comma + 2 * period)
        for m in b:
            if m.pos[:1] == particle:
                put(f"{prefix}_PARTICLE", m.base)
    if d == 0:
        put("D_FIRST", 0)
    else:
        word("D_LEFT_LAST", bunsetsu[d - 1][-1], ["SURFACE"])
        if head(bunsetsu[d - 1]).surface == head(other).surface:
            put("SAME_LEFT_HEAD", 0)
    right = bunsetsu[h + 1]  # there is one: pairs with the last bunsetsu are never asked about
    word("H_RIGHT_FIRST", right[0], ["SURFACE"])
    word("H_RIGHT_HEAD", head(right), ["SURFACE"])
    word("H_RIGHT_LAST", right[-1], ["SURFACE"])
    if head(one).surface == head(other).surface:
        put("SAME_HEAD", 0)
    if head(one).surface == head(right).surface:
        put("SAME_RIGHT_HEAD", 0)
    put("DISTANCE", 0 if h - d == 1 else 1 if h - d <= 5 else 2)
    between = [m.surface for b in bunsetsu[d + 1 : h] for m in b]
    balance = sum((s in "「『（") - (s in "」』）") for s in between if len(s) == 1)
    put("BETWEEN_BRACKETS", 0 if balance == 0 else 1 if balance > 0 else 2)
    for k in range(d + 1, h):
        if arcs[k] == h:
            for m in bunsetsu[k]:
                if m.pos[:1] == particle:
                    put("CHILD_PARTICLE", m.base)
    return sorted(found)


def test_beam_offers_different_trees_in_order(model, sentences):
    morphemes = analysed(sentences, model.lexicon)
    gold = carry_over(sentences, morphemes)
    for analyses in model.parse_kbest(morphemes, gold.opens, beam=4):
        scores = [score for _, score in analyses]
        assert scores == sorted(scores, reverse=True)
        assert len({tuple(heads) for heads, _ in analyses}) == len(analyses) <= 4
        for heads, _ in analyses:
            assert all(index < head < len(heads) for index, head in enumerate(heads[:-1]))


def test_reranking_by_its_definition(sentences):
    """Log probabilities of the decisions on the way to a tree, plus those of the choices from right to left."""
    small = LearnerSettings(cutoff=1, passes=3)
    groups = ("base", "attached", "chain")
    settings = JapaneseSettings(
        segmenter=None,
        parsers=(ParserSettings(("base",), small), ParserSettings(("base",), small, pairs="cascade")),
        rankers=(ParserSettings(groups, small),),
        reranking=Reranking(beam=4, weight=0.7, scale=1.5),
    )
    model = train(sentences[:60], settings)
    for sentence in sentences[60:80]:
        morphemes = analysed([sentence], model.lexicon)
        opens = carry_over([sentence], morphemes).opens
        analyses = model.parse_kbest(morphemes, opens, beam=4)[0]
        assert analyses == sorted(analyses, key=lambda analysis: -analysis[1])
        for heads, score in analyses:
            assert score == pytest.approx(slow_score(model, morphemes, opens, heads), abs=1e-6)
        best, _ = model.parse(morphemes, opens)
        assert best.tolist() == analyses[0][0]


def slow_score(model, morphemes, opens, heads):
    extractor = Sentence(model.width, model.pair_slots)
    sets, labels = training_pairs(morphemes, opens, heads, extractor, "shift-reduce")
    margins = sum(parser.margins(sets) for parser in model.parsers) * labels
    decisions = -np.log1p(np.exp(-2 * margins)).sum()
    sets, _ = training_pairs(morphemes, opens, heads, extractor, "backward")
    margins = iter(model.reranking.scale * sum(ranker.margins(sets) for ranker in model.rankers))
    choices = 0.0
    for dependent in range(len(heads) - 3, -1, -1):
        candidates = [dependent + 1]
        while heads[candidates[-1]] >= 0:
            candidates.append(heads[candidates[-1]])
        own = {candidate: next(margins) for candidate in candidates}
        choices += own[heads[dependent]] - np.log(np.exp(list(own.values())).sum())
    return decisions + model.reranking.weight * choices


def test_certain_pairs_are_not_asked_about(sentences):
    """Counted one by one; the segmenter decides as they say, and the rest by its classifier."""
    model = train(sentences, JapaneseSettings(segmenter=LearnerSettings(cutoff=1, passes=3), parsers=()))
    morphemes = analysed(sentences, model.lexicon)
    gold = carry_over(sentences, morphemes)
    subpos = morphemes.fields[:, Field.SUBPOS].tolist()
    seen = {}
    for first, last in pairwise(morphemes.starts.tolist()):
        for token in range(first + 1, last):
            seen.setdefault((subpos[token - 1], subpos[token]), []).append(int(gold.opens[token]))
    expected = sorted((*pair, marks[0]) for pair, marks in seen.items() if len(marks) >= 10 and len(set(marks)) == 1)
    certain = certain_pairs(morphemes, gold.opens, fewest=10)
    assert [tuple(row) for row in certain.tolist()] == expected
    segmenter = Segmenter(model.width, model.segment_slots, certain)
    sure = sum(len(marks) for pair, marks in seen.items() if (*pair, marks[0]) in set(expected))
    assert len(training_tokens(morphemes, gold.opens, segmenter)[1]) == sum(map(len, seen.values())) - sure
    turned = np.array([(first, second, 1 - opens) for first, second, opens in expected], dtype=np.int32)
    marks = segment_batch(morphemes, model.segmenter, Segmenter(model.width, model.segment_slots, turned))
    inside = set(range(len(subpos))) - set(morphemes.starts.tolist())
    rules = {(first, second): opens for first, second, opens in turned.tolist()}
    for token in inside:
        assert marks[token] == rules.get((subpos[token - 1], subpos[token]), marks[token])


def test_arc_types(model, sentences):
    morphemes = analysed(sentences, model.lexicon)
    gold = carry_over(sentences, morphemes)
    kinds = model.arc_kinds(morphemes, gold.opens, gold.heads)
    assert (kinds == gold.kinds).mean() > 0.9


def test_wrong_use_is_told(model, sentences):
    morphemes = analysed(sentences[:1], model.lexicon)
    with pytest.raises(ValueError, match="one of shift-reduce"):
        model.parse(morphemes, carry_over(sentences[:1], morphemes).opens, decoder="magic")
    with pytest.raises(ValueError, match="one opening mark"):
        model.parse(morphemes, np.zeros(1, dtype=np.uint8))
    assert morphemes.fields.shape[1] == Field.FIELDS

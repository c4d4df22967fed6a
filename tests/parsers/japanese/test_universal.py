"""The conversion to Universal Dependencies against its definition, and what it makes of text."""

import random
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import universal_oracle as oracle
from budgets import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from kakari.corpora.formats.conllu import ConlluSentence, ConlluToken
from kakari.corpora.records.errors import CorpusError
from kakari.kernels.hashed.perceptron import fit_examples
from kakari.models.files import ModelFileError
from kakari.models.vocabulary import Vocabulary
from kakari.parsers.japanese.model import UnfitModelError
from kakari.parsers.japanese.parser import JapaneseParser, pretrained_model
from kakari.parsers.japanese.universal.conversion import (
    WordHashes,
    arc_examples,
    boundary_examples,
    cut_batch,
    word_examples,
)
from kakari.parsers.japanese.universal.model import Converter, UniversalModel, pretrained_universal
from kakari.parsers.japanese.universal_scores import universal_scores, universal_trees
from kakari.parsers.japanese.universal_training import train_universal
from kakari.parsers.japanese.words.morphemes import Field, Kind, Lexicon, MorphemeBatch

WORDS = [
    ("本", "本", ("名詞", "普通名詞", "一般"), "", ""),
    ("未知", "未知", ("名詞", "普通名詞", "一般"), "", ""),
    ("を", "を", ("助詞", "格助詞"), "", ""),
    ("に", "に", ("助詞", "格助詞"), "", ""),
    ("つい", "つく", ("動詞", "非自立可能"), "五段-カ行", "連用形-イ音便"),
    ("て", "て", ("助詞", "接続助詞"), "", ""),
    ("読ん", "読む", ("動詞", "一般"), "五段-マ行", "連用形-撥音便"),
    ("だ", "だ", ("助動詞",), "助動詞-タ", "終止形-一般"),
    ("、", "、", ("補助記号", "読点"), "", ""),
    ("。", "。", ("補助記号", "句点"), "", ""),
]
PARTS, RELATIONS, ARCS = ("ADP", "NOUN", "VERB"), ("case", "content", "fixed", "punct"), ("nmod", "obj", "root")


def vocabulary():
    strings = Vocabulary()
    for surface, base, pos, conj_type, conj_form in WORDS:
        if surface != "未知":
            for text in (surface, base, pos[0], ",".join(pos[:2]), ",".join(pos), conj_type, conj_form):
                strings.add(text)
    return strings


LEXICON = Lexicon(vocabulary(), "sudachi")
HASHES = WordHashes(LEXICON.strings)


@st.composite
def parsed(draw):
    words = draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=12))
    opens = [True, *draw(st.lists(st.booleans(), min_size=len(words) - 1, max_size=len(words) - 1))]
    count = sum(opens)
    heads = [draw(st.integers(k + 1, count - 1)) for k in range(count - 1)] + [-1]
    return words, opens, heads


def engine_side(sentences):
    batch = MorphemeBatch(LEXICON)
    for words, _, _ in sentences:
        for place, word in enumerate(words):
            batch.add(*word, place, place + 1)
        batch.end_sentence()
    opens = [mark for _, marks, _ in sentences for mark in marks]
    heads = [head for _, _, own in sentences for head in own]
    return batch.finish(), np.array(opens, dtype=np.uint8), np.array(heads, dtype=np.int32)


def oracle_side(words, opens, heads):
    def hash_of(text, short=False):
        known = LEXICON.strings.id_of(text) if text else None
        return 0 if known is None else oracle.string_hash(text.partition("-")[0] if short else text)

    told = []
    for word in words:
        surface, base, pos, conj_type, conj_form = word
        texts = (surface, base, pos[0], ",".join(pos[:2]), ",".join(pos))
        forms = hash_of(conj_type, True), hash_of(conj_form, True), hash_of(conj_form)
        told.append(oracle.Word(*map(hash_of, texts), *forms, LEXICON.encode(*word)[Field.KINDS]))
    return oracle.Parsed(told, [*np.flatnonzero(opens).tolist(), len(words)], heads)


def rows(questions):
    offsets, hashes = questions
    return [hashes[begin:end].tolist() for begin, end in zip(offsets[:-1], offsets[1:])]


@given(st.lists(parsed(), min_size=1, max_size=3), st.randoms(use_true_random=False))
@settings(deadline=None, max_examples=examples(60))
def test_features_are_those_of_the_definition(sentences, draw):
    batch = engine_side(sentences)
    plain = [oracle_side(*sentence) for sentence in sentences]

    def told(features):
        return [[oracle.hashed(one) for one in features(s, i)] for s in plain for i in range(len(s.words))]

    boundary = [row for s in plain for i in range(1, len(s.words)) for row in [[*oracle.boundary_features(s, i)]]]
    assert rows(boundary_examples(*batch, HASHES)) == [[oracle.hashed(one) for one in row] for row in boundary]
    assert rows(word_examples(*batch, HASHES)) == told(oracle.word_features)
    contents = [[draw.randrange(b, e) for b, e in zip(s.starts[:-1], s.starts[1:])] for s in plain]
    arcs = [
        [oracle.hashed(one) for one in oracle.arc_features(s, k, own)]
        for s, own in zip(plain, contents)
        for k in range(len(s.heads))
    ]
    assert rows(arc_examples(*batch, [c for own in contents for c in own], HASHES)) == arcs


@given(parsed(), st.randoms(use_true_random=False))
@settings(deadline=None, max_examples=examples(100))
def test_cutting_again_is_that_of_the_definition(sentence, draw):
    opens = [draw.random() < 0.4 for _ in sentence[0]]
    expected = oracle.cut_again(oracle_side(*sentence), opens)
    marks, heads = cut_batch(*engine_side([sentence]), HASHES, boundaries=opens)
    assert np.flatnonzero(marks).tolist() == expected.starts[:-1]
    assert heads.tolist() == expected.heads


def random_weights(questions, classes, seed):
    offsets, hashes = questions
    drawn = random.Random(seed)
    return fit_examples(offsets, hashes, [drawn.randrange(classes) for _ in offsets[1:]], passes=3).freeze()


@given(st.lists(parsed(), min_size=1, max_size=3), st.integers(0, 99))
@settings(deadline=None, max_examples=examples(60))
def test_conversion_is_that_of_the_definition(sentences, seed):
    batch = engine_side(sentences)
    firsts = [i for _, opens, _ in sentences for i in np.flatnonzero(opens).tolist()]
    weights = (
        random_weights(boundary_examples(*batch, HASHES), 2, seed),
        random_weights(word_examples(*batch, HASHES), len(PARTS), seed + 1),
        random_weights(word_examples(*batch, HASHES), len(RELATIONS), seed + 2),
        random_weights(arc_examples(*batch, firsts, HASHES), len(ARCS), seed + 3),
    )
    model = UniversalModel(PARTS, RELATIONS, ARCS, weights)
    trees = Converter(model, LEXICON.strings).convert(*batch)
    for tree, sentence in zip(trees, sentences):
        expected = oracle.convert(oracle_side(*sentence), weights, (PARTS, RELATIONS, ARCS))
        assert [tuple(word) for word in tree] == expected


@pytest.mark.parametrize(
    ("heads", "reason"),
    [([1], "one head"), ([0, -1], "to its right"), ([2, -1], "to its right"), ([-1, -1], "to its right")],
)
def test_bunsetsu_that_are_no_tree_are_refused(heads, reason):
    morphemes, opens, _ = engine_side([(WORDS[:2], [True, True], [1, -1])])
    with pytest.raises(ValueError, match=reason):
        word_examples(morphemes, opens, heads, HASHES)


def test_kinds_are_those_of_the_words():
    assert (Kind.COMMA, Kind.MARK, Kind.PARTICLE, Kind.AUXILIARY) == (2, 16, 32, 64)
    assert Kind.VERB | Kind.ADJECTIVE == oracle.PREDICATE


@pytest.fixture(scope="module")
def parser():
    return JapaneseParser.pretrained(universal=True)


TEXTS = [
    "太郎は花子が読んでいる本を次郎に渡した。",
    "日本における役割について紹介していこう。赤い 本。",
    "",
    " ",
    "。",
    "😀！？",
    "2010年10月31日に、東京都内で10日夜開かれた。",
]


def test_every_sentence_is_a_tree_with_one_root(parser):
    for text in TEXTS:
        for sentence, words in next(iter(parser.pipe_words([text]))):
            assert len(sentence.words) >= len(words)
            heads = [word.head for word in sentence.words]
            assert heads.count(-1) == 1
            assert [word.relation for word in sentence.words if word.head < 0] == ["root"]
            for place in range(len(heads)):
                seen = set()
                while place >= 0:
                    assert place not in seen
                    seen.add(place)
                    place = heads[place]


def test_compound_particles_are_fixed(parser):
    (sentence,) = parser.parse("役割について話した。")
    assert [word.relation for word in sentence.words][:4] == ["obl", "case", "fixed", "fixed"]
    assert [word.head for word in sentence.words][:4] == [4, 0, 1, 1]


def test_threads_and_batches_change_nothing(parser):
    alone = [parser.parse(text) for text in TEXTS]
    assert list(parser.pipe(TEXTS)) == alone
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(parser.parse, TEXTS * 8)) == alone * 8


def test_other_words_are_refused():
    with pytest.raises(UnfitModelError, match="Sudachi"):
        JapaneseParser(pretrained_model("ja-juman"), universal=True)


def treebank():
    def token(number, form, upos, head, relation, mark):
        return ConlluToken(
            str(number), form, upos=upos, head=str(head), deprel=relation, misc=(("BunsetuBILabel", mark),)
        )

    book = [(1, "本", "NOUN", 3, "obj", "B"), (2, "を", "ADP", 1, "case", "I"), (3, "読む", "VERB", 0, "root", "B")]
    talk = [(1, "役割", "NOUN", 5, "obl", "B"), (2, "に", "ADP", 1, "case", "I"), (3, "つい", "VERB", 2, "fixed", "I")]
    talk += [(4, "て", "SCONJ", 2, "fixed", "I"), (5, "話す", "VERB", 0, "root", "B")]
    return [ConlluSentence(tuple(token(*row) for row in rows)) for rows in (book, talk)] * 4


def test_training_learns_and_repeats(tmp_path):
    parser = JapaneseParser.pretrained()
    model = train_universal(parser, treebank())
    found = universal_trees(parser, model, treebank())
    assert universal_scores(treebank(), found) == dict.fromkeys(("words", "upos", "uas", "las"), 1.0)
    for name in "ab":
        train_universal(parser, treebank()).save(tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    again = UniversalModel.load(tmp_path / "a")
    assert universal_trees(parser, again, treebank()) == found


def test_a_treebank_without_bunsetsu_is_refused():
    plain = [ConlluSentence(tuple(ConlluToken("1", "本", upos="NOUN", head="0", deprel="root") for _ in "1"))]
    pair = ConlluToken("2", "本", upos="NOUN", head="1", deprel="dep")
    with pytest.raises(CorpusError, match="BunsetuBILabel"):
        train_universal(JapaneseParser.pretrained(), [ConlluSentence((*plain[0].tokens, pair))])
    with pytest.raises(CorpusError, match="no sentences"):
        train_universal(JapaneseParser.pretrained(), [])


def test_a_foreign_file_is_refused(tmp_path):
    (tmp_path / "x").write_bytes(b"nothing")
    with pytest.raises(ModelFileError):
        UniversalModel.load(tmp_path / "x")
    assert "content" in pretrained_universal().relations


def test_labels_are_checked():
    with pytest.raises(ValueError, match="at most 256 classes"):
        fit_examples([0, 1], [5], [256])

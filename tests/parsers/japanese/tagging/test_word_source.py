"""Our own words as the parser's source: the same rows by every way, exact offsets, JUMAN's tags in KNP's lines."""

import json
import subprocess
import sys
import types

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kakari.corpora import read
from kakari.corpora.formats.knp import read_knp
from kakari.models.vocabulary import Vocabulary
from kakari.output.japanese import write_texts
from kakari.parsers.japanese.model import UnfitModelError
from kakari.parsers.japanese.parser import JapaneseParser, pretrained_model, word_source
from kakari.parsers.japanese.scores import evaluate
from kakari.parsers.japanese.tagging.jackknife import HeldWords, jackknifed_words
from kakari.parsers.japanese.tagging.settings import WordsSettings
from kakari.parsers.japanese.tagging.source import KakariWords, words_as_morphemes
from kakari.parsers.japanese.training import JapaneseSettings, LearnerSettings, ParserSettings, train
from kakari.parsers.japanese.words.morphemes import Lexicon

ALPHABET = st.sampled_from(list("太郎は京都大学に行った。本を読む、ｱｲｳﾊﾟﾋﾞabＡ1　 \t🍣👨‍👩‍👧が\u3099é\u0301한ا「」"))
TEXTS = st.text(ALPHABET, max_size=30)


@settings(max_examples=40, deadline=None)
@given(st.lists(TEXTS, max_size=4))
def test_words_found_before_make_the_same_rows(texts):
    lexicon, source = Lexicon(Vocabulary(), "juman"), KakariWords()
    for _ in range(2):  # the second time from what is remembered
        found = source.morphemes(texts, lexicon)
        plain = words_as_morphemes([source.model.analyse(text) for text in texts], lexicon)
        for name in ("fields", "begins", "ends", "starts"):
            assert (getattr(found, name) == getattr(plain, name)).all()


@settings(max_examples=40, deadline=None)
@given(st.lists(TEXTS, max_size=3))
def test_offsets_reproduce_the_text(texts):
    parser = JapaneseParser.pretrained(words="kakari")
    for text, sentences in zip(texts, parser.pipe(texts), strict=True):
        for sentence in sentences:
            places = [(one.begin, one.end) for one in sentence.bunsetsu]
            assert [begin for begin, _ in places] == [sentence.begin, *(end for _, end in places[:-1])]
            assert places[-1][1] == sentence.end <= len(text)
            assert all(one.head == -1 or one.head > number for number, one in enumerate(sentence.bunsetsu))


def test_remembered_words_do_not_mix_tags_or_spellings():
    source, lexicon = KakariWords(), Lexicon(Vocabulary(), "juman")
    texts = ["カレー", "ｶﾚｰ", "カレー", "AB", "ＡＢ"] * 2
    records: list = []
    source.morphemes(texts, lexicon, records)
    assert ["".join(word.surface for word in words) for words in records] == texts
    assert records == [source.records(text) for text in texts]


def test_lone_surrogates_become_replacement_characters():
    parser = JapaneseParser.pretrained(words="kakari")
    assert "\ufffd" in write_texts(parser, ["本\ud800を読む。"], "knp")


def test_a_model_decides_which_words_it_reads():
    assert isinstance(word_source(pretrained_model("ja-juman")), KakariWords)
    with pytest.raises(UnfitModelError, match="knows the words of sudachi, not those of kakari"):
        JapaneseParser(pretrained_model("ja"), words="kakari")
    with pytest.raises(UnfitModelError, match="knows the words of kakari, not those of sudachi"):
        JapaneseParser(pretrained_model("ja-juman"), words="sudachi")
    with pytest.raises(UnfitModelError, match="kakari, not by 'mecab'"):
        JapaneseParser.pretrained(words="mecab")


def test_training_behind_automatic_words():
    sentences = list(read("sample-ja"))
    found = jackknifed_words(sentences, settings=WordsSettings(passes=2, tag_passes=2, learners=1), folds=3)
    held = HeldWords({one.text: words for one, words in zip(sentences, found, strict=True)})
    learner = LearnerSettings(passes=3, cutoff=1)
    wanted = JapaneseSettings(segmenter=learner, parsers=(ParserSettings(learner=learner),))
    first, second = (train(sentences, wanted, source=held).to_bytes() for _ in range(2))
    assert first == second != train(sentences, wanted).to_bytes()
    model = train(sentences, wanted, source=held)
    assert evaluate(model, sentences, given="text", source=held).segmentation_f1 > 0.8
    assert evaluate(model, sentences, given="text").segmentation_f1 > 0.7


def test_folds_that_cannot_be_are_refused():
    sentences = list(read("sample-ja"))[:3]
    for folds in (1, 4):
        with pytest.raises(ValueError, match="cannot be put into"):
            jackknifed_words(sentences, folds=folds)


TEXT = "太郎は花子が読んでいる本を次郎に渡した。 ABCは 5％高い。"


def knp_of(text):
    return write_texts(JapaneseParser.pretrained(words="kakari"), [text], "knp")


def test_knp_is_read_back(tmp_path):
    (tmp_path / "x.knp").write_text(knp_of(TEXT), encoding="utf-8")
    sentences = list(read_knp(tmp_path / "x.knp"))
    parser = JapaneseParser.pretrained(words="kakari")
    assert [tuple(one.head for one in sentence.bunsetsu) for sentence in sentences] == [
        one.heads for one in parser.parse(TEXT)
    ]
    (first, *_), (last, *_) = sentences[0].morphemes, sentences[0].morphemes[::-1]
    assert (first.surface, first.reading, first.pos, first.codes) == ("太郎", "たろう", ("名詞", "人名"), (6, 5, 0, 0))
    assert (last.surface, last.pos, last.codes) == ("。", ("特殊", "句点"), (1, 1, 0, 0))


def expected():
    sentences = JapaneseParser.pretrained(words="kakari").parse(TEXT)
    words = [KakariWords().records(TEXT[sentence.begin : sentence.end]) for sentence in sentences]
    return list(zip(sentences, words, strict=True))


def test_rhoknp_reads_it():
    rhoknp = pytest.importorskip("rhoknp")
    document = rhoknp.Document.from_knp(knp_of(TEXT))
    assert len(document.sentences) == 2
    for own, (sentence, words) in zip(document.sentences, expected(), strict=True):
        heads = [-1 if phrase.parent is None else phrase.parent.index for phrase in own.phrases]
        assert tuple(heads) == sentence.heads
        read_words = [(one.text, one.reading, one.lemma, one.pos, one.conjform) for one in own.morphemes]
        assert read_words == [
            (word.surface, word.reading, word.base, word.pos[0], word.conj_form or "*") for word in words
        ]


def test_pyknp_reads_it(monkeypatch):
    # pyknp asks a module for its own version that newer setuptools do not bring.
    stand_in = types.ModuleType("pkg_resources")
    stand_in.get_distribution = lambda name: types.SimpleNamespace(version="0")
    monkeypatch.setitem(sys.modules, "pkg_resources", stand_in)
    pyknp = pytest.importorskip("pyknp")
    blocks = [block + "EOS\n" for block in knp_of(TEXT).split("EOS\n") if block]
    for block, (sentence, words) in zip(blocks, expected(), strict=True):
        found = pyknp.BList(block)
        assert tuple(one.parent_id for one in found.bnst_list()) == sentence.heads
        assert [(one.midasi, one.yomi, one.genkei, one.hinsi) for one in found.mrph_list()] == [
            (word.surface, word.reading, word.base, word.pos[0]) for word in words
        ]


@pytest.mark.thorough
@pytest.mark.parametrize(
    "program",
    [
        "from kakari import JapaneseParser; JapaneseParser.pretrained(words='kakari').parse('太郎は行った。')",
        "sys.argv = ['kakari', 'parse', '--words', 'kakari', '-f', 'knp', '太郎は行った。']\n"
        "from kakari.cli import main\n"
        "try: main()\n"
        "except SystemExit as error: assert not error.code",
    ],
)
def test_this_way_needs_neither_sudachi_nor_spacy(program):
    program = (
        "import sys\n"
        "for name in ('sudachipy', 'sudachidict_core', 'spacy', 'nltk', 'sklearn'): sys.modules[name] = None\n"
        f"{program}\nimport json; print(json.dumps(sorted(name for name in sys.modules if sys.modules[name])))"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    modules = set(json.loads(run.stdout.splitlines()[-1]))
    assert modules.isdisjoint({"sudachipy", "spacy", "nltk", "sklearn"})
    assert not [name for name in modules if name.startswith("kakari") and "training" in name]

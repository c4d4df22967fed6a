"""Text of any kind through the pipeline, adapters that agree, and model files."""

import json
import threading

import numpy as np
import pytest
from budgets import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from kakari.corpora import read
from kakari.models.files import ModelFileError
from kakari.parsers.japanese.model import JapaneseModel
from kakari.parsers.japanese.parser import JapaneseParser, pretrained_model
from kakari.parsers.japanese.scores import evaluate, gold_structure
from kakari.parsers.japanese.training import JapaneseSettings, LearnerSettings, ParserSettings, train
from kakari.parsers.japanese.words.from_spacy import ATTRIBUTES, table_rows
from kakari.parsers.japanese.words.sentences import sentence_spans
from kakari.parsers.japanese.words.sources import Sudachi
from kakari.parsers.limits import TextWarning

BAD_TEXTS = {
    "blank": " ",
    "white space": " \n\t　\r\n",
    "newlines inside": "太郎は\n本を\n\n読んだ。\n",
    "half-width kana": "ｶﾀｶﾅを読む。ﾊﾟｿｺﾝ",
    "emoji": "寿司🍣が👨‍👩‍👧好き😀！",
    "Latin": "This is a pen. これはpenです。",
    "unpaired brackets": "「彼は（来た。」と』言った",
    "control characters": "あ\x00い\x07う\x1b[0mえ\u200b\ufeff",
    "ligatures that expand": "㍿…㌔‥¼ﬁ",
    "spaces between": "東京 タワー　と  大阪 城 。 ",
    "leading space": "　　私は行く。",
}


@pytest.fixture(scope="module")
def parser():
    return JapaneseParser.pretrained()


def check(text, sentences):
    """Every character in exactly one bunsetsu, every head to the right, the last one the root."""
    place = 0
    for sentence in sentences:
        assert sentence.begin == place
        for index, bunsetsu in enumerate(sentence.bunsetsu):
            assert bunsetsu.begin == place < bunsetsu.end
            place = bunsetsu.end
            last = index == len(sentence.bunsetsu) - 1
            assert bunsetsu.head == -1 if last else index < bunsetsu.head < len(sentence.bunsetsu)
        assert sentence.end == place
    assert place == len(text)


@pytest.mark.parametrize("name", BAD_TEXTS)
def test_bad_text(parser, name):
    check(BAD_TEXTS[name], parser.parse(BAD_TEXTS[name]))
    check(BAD_TEXTS[name], parser.parse(BAD_TEXTS[name], one_sentence=True))


def test_no_text(parser):
    assert parser.parse("") == []
    assert list(parser.pipe([])) == []


@pytest.mark.slow
def test_very_long_sentence(parser):
    text = "太郎は花子が読んでいる本を、" * 1500
    assert len(text) > 20_000
    with pytest.warns(TextWarning, match="was cut"):
        found = parser.parse(text)
    check(text, found)
    assert all(sentence.end - sentence.begin <= 2_000 for sentence in found)
    assert all(text[sentence.end - 1] == "、" for sentence in found)
    with pytest.warns(TextWarning, match="was cut"):
        check("字" * 60_000, parser.parse("字" * 60_000, one_sentence=True))


@given(st.text(alphabet=st.sampled_from("太郎は花子が読んだ本。、「」（！？\n\t 　aZ1０ｱﾞ…🍣\x00\u0301𠮷")))
@settings(max_examples=examples(150))
def test_any_string_of_ours(parser, text):
    check(text, parser.parse(text))


@given(st.text())
@settings(max_examples=examples(100))
def test_any_string(parser, text):
    text = text.encode("utf-8", "ignore").decode()
    check(text, parser.parse(text))


def test_batches_do_not_change_results(parser):
    texts = [sentence.text for sentence in read("sample-ja")]
    together = list(parser.pipe(texts))
    assert list(parser.pipe(texts, batch_characters=1)) == together
    assert [parser.parse(text) for text in texts] == together


def test_threads(parser):
    texts = [sentence.text for sentence in read("sample-ja")] * 3
    expected = list(parser.pipe(texts))
    found = [None] * 4

    def work(place):
        found[place] = list(parser.pipe(texts))

    threads = [threading.Thread(target=work, args=(place,)) for place in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(result == expected for result in found)


def test_beam_and_kinds(parser):
    searching = JapaneseParser(parser.model, beam=3, kinds=True)
    (sentence,) = searching.parse("赤い花と青い鳥を見た。")
    assert 1 <= len(sentence.alternatives) <= 3
    assert {bunsetsu.kind for bunsetsu in sentence.bunsetsu} <= set("DPIA")


def test_sentence_spans_cover_the_text():
    text = "「行く。」と言った。本当？！ ３．５倍。\n\n終わり。」"
    spans = list(sentence_spans(text))
    assert [text[b:e] for b, e in spans] == [
        "「行く。」と言った。",
        "本当？！",
        " ３．５倍。\n\n",
        "終わり。」",
    ]


# ---- adapters ----


@pytest.fixture(scope="module")
def tokenizer():
    import warnings

    import spacy

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # spaCy calls Sudachi's old names
        return spacy.blank("ja")


@pytest.mark.parametrize("source", ["sample", "bad"])
def test_spacy_and_sudachi_agree(parser, tokenizer, source):
    texts = [s.text for s in read("sample-ja")] if source == "sample" else list(BAD_TEXTS.values())
    if source == "bad":  # spaCy drops characters of these itself
        texts = [text for text in texts if "\x00" not in text and "㍿" not in text]
    direct = Sudachi().morphemes(texts, parser.model.lexicon)
    docs = [tokenizer(text) for text in texts]
    tables = [(doc.vocab.strings, doc.to_array(ATTRIBUTES), [0]) for doc in docs if len(doc)]
    through, _, _ = table_rows(tables, parser.model.lexicon)
    assert direct.starts.tolist() == through.starts.tolist()
    assert (direct.fields == through.fields).all()
    assert (direct.begins == through.begins).all()
    assert (direct.ends == through.ends).all()


# ---- model files ----


@pytest.fixture(scope="module")
def small_model():
    learner = LearnerSettings(cutoff=1, passes=3)
    return train(read("sample-ja"), JapaneseSettings(segmenter=learner, parsers=(ParserSettings(learner=learner),)))


def test_training_is_deterministic_and_files_round_trip(small_model, tmp_path):
    learner = LearnerSettings(cutoff=1, passes=3)
    again = train(read("sample-ja"), JapaneseSettings(segmenter=learner, parsers=(ParserSettings(learner=learner),)))
    assert again.to_bytes() == small_model.to_bytes()
    small_model.save(tmp_path / "m.safetensors")
    loaded = JapaneseModel.load(tmp_path / "m.safetensors")
    assert loaded.to_bytes() == small_model.to_bytes()
    for kind in ("bunsetsu", "morphemes"):
        mine, theirs = (evaluate(m, read("sample-ja"), given=kind).as_dict() for m in (small_model, loaded))
        assert {**mine, "seconds": 0} == {**theirs, "seconds": 0}
    assert mine["segmentation_f1"] > 0.9


def test_strange_files_are_refused(small_model, tmp_path):
    path = tmp_path / "m.safetensors"
    data = small_model.to_bytes()
    cases = {
        "cut short": data[:-7],
        "not a model": b"PK\x03\x04" + data[4:],
        "other features": _with_other_schema(data),
        "format 9": data.replace(b'\\"format\\": 2', b'\\"format\\": 9', 1),
        "for 'something": data.replace(b"ja-bunsetsu-dependency", b"something-else-entire!", 1),
    }
    for reason, changed in cases.items():
        path.write_bytes(changed)
        with pytest.raises(ModelFileError, match=reason):
            JapaneseModel.load(path)
    with pytest.raises(ModelFileError, match="no such file"):
        JapaneseModel.load(tmp_path / "missing.safetensors")


def _with_other_schema(data):
    size = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + size])
    details = json.loads(header["__metadata__"]["kakari"])
    header["__metadata__"]["kakari"] = json.dumps({**details, "schema": "0"})
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text + data[8 + size :]


def test_evaluation_of_the_gold_structure_itself(small_model):
    for sentence in read("sample-ja"):
        structure = gold_structure(sentence)
        assert structure.spans[-1][1] == len(sentence.text)
        assert len(structure.arcs()) == len(sentence.bunsetsu) - 1


def test_refused_evaluation(small_model):
    assert evaluate(small_model, [], given="text").segmentation_f1 == 0.0  # with our own words
    with pytest.raises(ValueError, match="cannot be scored given morphemes"):
        evaluate(pretrained_model("ja"), [], given="morphemes")
    assert evaluate(small_model, []).dependency_accuracy == 0.0


# ---- real data ----


@pytest.mark.corpora
def test_embedded_model_on_raw_text(parser, need_corpus):
    need_corpus("kwdlc:dev")
    scores = evaluate(parser.model, read("kwdlc:dev"), given="text")
    assert scores.segmentation_f1 > 0.953
    assert scores.span_head_recall > 0.83


@pytest.mark.corpora
def test_records_of_the_corpus_cover_their_text(parser, need_corpus):
    need_corpus("wac:dev")
    sentences = list(read("wac:dev"))
    found = parser.pipe([sentence.text for sentence in sentences], one_sentence=True)
    for sentence, parsed in zip(sentences, found, strict=True):
        check(sentence.text, parsed)


def test_morphemes_are_read_only(small_model):
    from kakari.parsers.japanese.words.sources import record_morphemes

    morphemes = record_morphemes(read("sample-ja"), small_model.lexicon)
    with pytest.raises(ValueError, match="read-only"):
        morphemes.fields[0, 0] = np.int32(1)

"""CaboCha's lattice and CoNLL-U."""

import io

import pytest

from kakari.corpora import (
    CorpusError,
    conllu_to_japanese,
    format_cabocha,
    format_conllu,
    japanese_to_conllu,
    read,
    read_cabocha,
    read_conllu,
)
from kakari.corpora.records.japanese import BasePhrase, Bunsetsu, JapaneseSentence, Morpheme

LATTICE = """\
# S-ID:x-1
* 0 1D 0/1 1.234567
太郎\t名詞,固有名詞,人名,名,*,*,太郎,タロウ,タロー\tB-PERSON
は\t助詞,係助詞,*,*,*,*,は,ハ,ワ\tO
* 1 -1O 0/0 0.000000
ﾈｽﾞ\t名詞,一般,*,*,*,*,*\tO
EOS
"""


def test_cabocha_round_trip():
    (sentence,) = read_cabocha(io.StringIO(LATTICE))
    assert [(b.head, b.kind, b.text) for b in sentence.bunsetsu] == [(1, "D", "太郎は"), (-1, "O", "ﾈｽﾞ")]
    assert sentence.morphemes[0].pos == ("名詞", "固有名詞", "人名", "名")
    assert sentence.morphemes[1].reading == "ハ"
    assert format_cabocha(sentence) == LATTICE


@pytest.mark.parametrize(
    "line",
    [
        "a\t名詞",
        "a\t名詞,一般,*,*,五段・ラ行,基本形,a,ア",
        "a\t名詞,*,x,*,*,*,a,*,b,c,d,e",
        ",\t記号,読点,*,*,*,*,,,,,,",
        "a\t*,*,*,*,*,*,*",
    ],
)
def test_cabocha_columns_come_to_rest(line):
    (sentence,) = read_cabocha(io.StringIO(f"* 0 -1D 0/0 0.0\n{line}\nEOS\n"))
    once = format_cabocha(sentence)
    (again,) = read_cabocha(io.StringIO(once))
    assert again == sentence
    assert format_cabocha(again) == once


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("* 0 -1D\nEOS\n", 2, "no words"),
        ("* 1 -1D\n", 1, "numbered 1"),
        ("* zero\n", 1, "no bunsetsu line"),
        ("a\t名詞\nEOS\n", 1, "before any bunsetsu"),
        ("* 0 -1D\nno tab\nEOS\n", 2, "no tab"),
        ("* 0 -1D\n\t名詞\nEOS\n", 2, "empty"),
        ("* 0 -1D\na\t名詞\n", 2, "EOS is missing"),
        ("* 0 0D\na\t名詞\nEOS\n", 1, "itself"),
        ("* 0 -1D\na\t名詞\n# late\nEOS\n", 3, "comment"),
    ],
)
def test_cabocha_malformed(text, line, words):
    with pytest.raises(CorpusError, match=words) as caught:
        list(read_cabocha(io.StringIO(text)))
    assert caught.value.line == line


def test_a_comma_has_no_columns_of_its_own():
    word = Morpheme(",", ",", ",", ("特殊", "読点"))
    text = format_cabocha(JapaneseSentence((Bunsetsu(-1, "D", (BasePhrase(-1, "D", (word,)),)),)))
    (back,) = read_cabocha(io.StringIO(text))
    assert (back.text, format_cabocha(back)) == (",", text)


def test_a_surface_that_looks_like_a_comment():
    text = "* 0 -1D\n#\t記号,一般,*,*,*,*,#\nEOS\n"
    (sentence,) = read_cabocha(io.StringIO(text))
    assert sentence.text == "#"
    assert format_cabocha(sentence) == text


def test_knp_through_cabocha_keeps_words_and_heads():
    for sentence in read("sample-ja"):
        (back,) = read_cabocha(io.StringIO(format_cabocha(sentence)))
        assert [(b.text, b.head, b.kind) for b in back.bunsetsu] == [
            (b.text, b.head, b.kind) for b in sentence.bunsetsu
        ]
        assert [(m.surface, m.pos, m.base) for m in back.morphemes] == [
            (m.surface, m.pos, m.base) for m in sentence.morphemes
        ]


def test_knp_through_conllu_keeps_words_and_heads():
    for sentence in read("sample-ja"):
        conllu = japanese_to_conllu(sentence)
        (back,) = read_conllu(io.StringIO(format_conllu(conllu)))
        assert back == conllu
        again = conllu_to_japanese(back)
        assert [(b.text, b.head, b.kind) for b in again.bunsetsu] == [
            (b.text, b.head, b.kind) for b in sentence.bunsetsu
        ]
        assert [(m.pos, m.base, m.reading, m.conj_type, m.conj_form) for m in again.morphemes] == [
            (m.pos, m.base, m.reading, m.conj_type, m.conj_form) for m in sentence.morphemes
        ]
        assert sum(token.head == "0" for token in back.tokens) == 1


CONLLU = """\
# sent_id = 1
# text = vámonos
1-2\tvámonos\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No
1\tvamos\tir\tVERB\t_\tMood=Imp\t0\troot\t_\t_
2\tnos\tnosotros\tPRON\t_\t_\t1\tobj\t_\tA=1|Bare|Z=x=y
2.1\tya\tya\tADV\t_\t_\t_\t_\t1:advmod\t_

"""


def test_conllu_round_trip():
    (sentence,) = read_conllu(io.StringIO(CONLLU))
    assert [token.form for token in sentence.words] == ["vamos", "nos"]
    assert sentence.text == "vámonos"
    assert format_conllu(sentence) == CONLLU


def row(**changes):
    columns = {
        "id": "1",
        "form": "a",
        "lemma": "a",
        "upos": "X",
        "xpos": "_",
        "feats": "_",
        "head": "0",
        "rel": "root",
        "deps": "_",
        "misc": "_",
    }
    return "\t".join((columns | changes).values()) + "\n"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1\ta\n", "2 columns"),
        (row(form=""), "column 2 is empty"),
        (row(id="x"), "no token number"),
        (row(id="2"), "token 2 stands where token 1"),
        (row(head="7"), "head '7'"),
        (row(head="x"), "head 'x'"),
        (row(id="1-3") + row(), "range"),
        (row(misc="=v"), "no key"),
        (row() + "# late\n", "comment"),
        ("# only\n", "no sentence"),
    ],
)
def test_conllu_malformed(text, words):
    with pytest.raises(CorpusError, match=words):
        list(read_conllu(io.StringIO(text)))


def test_conllu_without_bunsetsu():
    (sentence,) = read_conllu(io.StringIO(row()))
    with pytest.raises(ValueError, match="BunsetuBILabel"):
        conllu_to_japanese(sentence)
    (sentence,) = read_conllu(io.StringIO(row(misc="BunsetuBILabel=B")))
    with pytest.raises(ValueError, match="BunsetsuHead"):
        conllu_to_japanese(sentence)


@pytest.mark.corpora
@pytest.mark.parametrize("reference", ["kwdlc:train", "kwdlc:dev", "wac:train", "wac:dev"])
def test_whole_corpora_through_cabocha_and_back(reference, need_corpus):
    """The corpora themselves are KNP files, whose round trip stands in test_counts; these lattices come from them."""
    need_corpus(reference)
    once = [format_cabocha(sentence) for sentence in read(reference, strict=False)]
    again = map(format_cabocha, read_cabocha(io.StringIO("".join(once)), strict=False))
    assert all(first == second for first, second in zip(once, again, strict=True))

"""KNP text: what is read, what is refused and in which words."""

import io

import pytest

from kakari.corpora import CorpusError, format_knp, read, read_knp, write_knp

WORD = "本 ほん 本 名詞 6 普通名詞 1 * 0 * 0 NIL"


def sentence(*structure):
    """Build KNP text: structure lines as given, a word after each one that is the last of its kind."""
    return "\n".join(["# S-ID:t-1", *structure, "EOS", ""])


def two(first, second="-1D"):
    return sentence(f"* {first}", f"+ {first}", WORD, f"* {second}", f"+ {second}", WORD)


def error_of(text, **options):
    with pytest.raises(CorpusError) as caught:
        list(read_knp(io.StringIO(text), **options))
    return caught.value


def test_fields():
    (first, *_) = read("sample-ja")
    morpheme = first.bunsetsu[2].morphemes[0]
    assert (morpheme.surface, morpheme.reading, morpheme.base) == ("読んで", "よんで", "読む")
    assert (morpheme.pos, morpheme.conj_type, morpheme.conj_form) == (
        ("動詞",),
        "子音動詞マ行",
        "タ系連用テ形",
    )
    assert morpheme.codes == (2, 0, 9, 14)
    assert [b.head for b in first.bunsetsu] == [5, 2, 3, 5, 5, -1]
    assert first.sid == "sample-ja-001"


def test_base_phrases_and_features():
    text = sentence("* 1P <文頭>", "+ 1D", WORD, '+ 2P <rel type="ノ"/>', WORD, "* -1D", "+ -1D", WORD + " <NE:A:b>")
    (read_back,) = read_knp(io.StringIO(text))
    assert [(p.head, p.kind, p.features) for p in read_back.bunsetsu[0].phrases] == [
        (1, "D", ""),
        (2, "P", '<rel type="ノ"/>'),
    ]
    assert read_back.bunsetsu[0].features == "<文頭>"
    assert read_back.morphemes[-1].features == "NIL <NE:A:b>"
    assert format_knp(read_back) == text


def test_files_without_base_phrases():
    text = sentence("* 1D", WORD, "* -1D", WORD, WORD)
    (read_back,) = read_knp(io.StringIO(text))
    assert [len(b.phrases) for b in read_back.bunsetsu] == [1, 1]
    assert format_knp(read_back, phrases=False) == text


def test_a_morpheme_may_be_a_full_width_blank_or_a_sign():
    odd = [
        "　 　 　 特殊 1 空白 6 * 0 * 0 NIL",
        "* * * 特殊 1 記号 5 * 0 * 0 NIL",
        "+ + + 特殊 1 記号 5 * 0 * 0",
    ]
    text = sentence("* -1D", "+ -1D", *odd)
    (read_back,) = read_knp(io.StringIO(text))
    assert read_back.text == "　*+"
    assert format_knp(read_back) == text


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        (two("0D"), 2, "depends on itself"),
        (two("5D"), 2, "depends on 5, which does not exist"),
        (two("-2D"), 2, "depends on -2, which does not exist"),
        (two("1D", "0D"), 5, "depends on 0, to its left and the heads run in a circle"),
        (two("1X"), 2, "one of the types"),
        (sentence("+ -1D", WORD), 2, "before any bunsetsu"),
        (sentence(WORD), 2, "before any bunsetsu"),
        (sentence("* -1D", "* -1D", WORD), 3, "no words"),
        (sentence("* -1D", "+ -1D", "+ -1D", WORD), 4, "no words"),
        (sentence("* -1D", WORD, "+ -1D", WORD), 4, "before its first '+'"),
        (sentence("* 1D", "+ 1D", WORD, "* -1D", WORD), 7, "only some"),
        (sentence("* 1D", WORD, "* -1D", "+ -1D", WORD), 7, "only some"),
        (sentence("* -1D", "+ -1D", "本 ほん 本"), 4, "3 fields"),
        (sentence("* -1D", "+ -1D", WORD.replace("6", "six")), 4, "numbers"),
        (sentence("* -1D", "+ -1D", WORD, "# new"), 5, "before EOS"),
        (sentence("* -1D", "+ -1D", "", WORD), 4, "empty line"),
        ("# S-ID:a\n* -1D\n+ -1D\n" + WORD + "\n", 4, "EOS is missing"),
        ("# S-ID:a\n", 1, "EOS is missing"),
    ],
)
def test_malformed(text, line, words):
    error = error_of(text)
    assert (error.path, error.line) == ("<input>", line)
    assert words in error.reason


@pytest.mark.parametrize("first", ["0D", "5D", "-2D"])
def test_annotation_errors_can_be_kept(first):
    (read_back,) = read_knp(io.StringIO(two(first)), strict=False)
    assert len(list(read_back.faults())) == 1
    assert format_knp(read_back) == two(first)


def test_writing_is_reading_backwards(tmp_path):
    sentences = list(read("sample-ja"))
    for name in ("a.knp", "a.knp.gz"):
        write_knp(sentences, tmp_path / name)
        assert list(read_knp(tmp_path / name)) == sentences
    assert (tmp_path / "a.knp.gz").read_bytes()[:2] == b"\x1f\x8b"
    before = (tmp_path / "a.knp.gz").read_bytes()
    write_knp(sentences, tmp_path / "a.knp.gz")
    assert (tmp_path / "a.knp.gz").read_bytes() == before

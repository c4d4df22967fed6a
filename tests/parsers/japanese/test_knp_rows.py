"""KNP text read straight into rows gives what the records give, and refuses what their reader refuses, in its words."""

import io

import numpy as np
import pytest
from budgets import FUZZ_EXAMPLES
from hypothesis import example, given, settings
from hypothesis import strategies as st

from kakari.corpora import CorpusError, format_knp, read
from kakari.corpora.formats.knp import knp_sentences
from kakari.corpora.records.textfiles import numbered_lines
from kakari.models.vocabulary import Vocabulary
from kakari.output.japanese import KnpToCabocha, write_sentences
from kakari.parsers.japanese.parser import JapaneseParser, pretrained_model
from kakari.parsers.japanese.words.from_knp import KnpRows
from kakari.parsers.japanese.words.morphemes import Lexicon
from kakari.parsers.japanese.words.sources import record_morphemes

WORD, OTHER = "本 ほん 本 名詞 6 普通名詞 1 * 0 * 0 NIL", "を を を 助詞 9 格助詞 1 * 0 * 0"
LINES = [WORD, OTHER, "* 1D", "* -1D <文頭>", "+ 1P", "+ -1D", "EOS", "# S-ID:x", "# ", ""]
LINES += [
    " ",
    "* 1",
    "* 1X",
    "* 1D<",
    "+ 1234567890D",
    "*",
    "# ＃",
    "E",
    "本 ほん 本 名詞 6",
    "* * * 特殊 1 記号 5 * 0 * 0",
]
LINES += ["本 ほん 本 名詞 x 普通名詞 1 * 0 * 0", "+ -D", "* 12D ", "EOS "]
SAMPLE = "".join(map(format_knp, list(read("sample-ja"))[:4])).splitlines()


def by_records(lines):
    """The definition: read records, then take their morphemes."""
    lexicon = Lexicon(Vocabulary(), "juman")
    records = list(knp_sentences("x", lines, strict=False))
    notes = [morpheme.surface + morpheme.features for record in records for morpheme in record.morphemes]
    return record_morphemes(records, lexicon), [list(record.comments) for record in records], notes


def by_rows(lines):
    reader = KnpRows(Lexicon(Vocabulary(), "juman"), lambda morpheme: morpheme.surface + morpheme.features)
    return reader.read("x", iter(lines))


def told(way, lines):
    """What a way gives, in a form that can be compared; an error is its text."""
    try:
        morphemes, comments, notes = way(list(enumerate(lines, 1)))
    except CorpusError as error:
        return str(error)
    arrays = (morphemes.fields, morphemes.begins, morphemes.ends, morphemes.starts)
    return [array.tolist() for array in arrays], comments, notes


@given(st.lists(st.sampled_from(LINES), max_size=14))
@settings(max_examples=FUZZ_EXAMPLES, deadline=None)
@example(["* -1D", WORD, "+ -1D", "EOS"])
@example(["* 1D", "+ 1D", WORD, "* -1D", WORD, "EOS"])
@example(["* 1D", WORD, "* -1D", "+ -1D", WORD, "EOS"])
@example(["* -1D", "* * * 特殊 1 記号 5 * 0 * 0", "EOS", "* -1D", WORD, "EOS"])
def test_any_order_of_lines(lines):
    assert told(by_rows, lines) == told(by_records, lines)


@given(st.integers(0, len(SAMPLE) - 1), st.sampled_from(["drop", "double", *LINES]))
@settings(max_examples=FUZZ_EXAMPLES, deadline=None)
def test_a_file_with_one_line_changed(place, change):
    new = {"drop": [], "double": 2 * [SAMPLE[place]]}.get(change, [change])
    lines = [*SAMPLE[:place], *new, *SAMPLE[place + 1 :]]
    assert told(by_rows, lines) == told(by_records, lines)


def test_words_are_remembered_and_forgotten(monkeypatch):
    import kakari.parsers.japanese.words.from_knp as module

    monkeypatch.setattr(module, "REMEMBERED_LINES", 1)
    assert told(by_rows, SAMPLE) == told(by_records, SAMPLE)


def written_both_ways(text):
    parser = JapaneseParser(pretrained_model("ja-juman"))
    lines = list(numbered_lines(io.StringIO(text)))
    records = list(knp_sentences("x", lines, strict=False))
    return KnpToCabocha(parser).write("x", lines), write_sentences(parser, records, "cabocha")


def test_the_sample_as_cabocha():
    fast, plain = written_both_ways("".join(map(format_knp, read("sample-ja"))) + "# only\nEOS\n")
    assert fast == plain


@pytest.mark.corpora
def test_the_corpus_as_cabocha():
    records = list(read("kwdlc:dev"))
    fast, plain = written_both_ways("".join(map(format_knp, records)))
    assert fast == plain
    lexicon = Lexicon(Vocabulary(), "juman")
    lines = "".join(map(format_knp, records)).split("\n")[:-1]
    rows, _, _ = KnpRows(lexicon, str).read("x", enumerate(lines, 1))
    assert np.array_equal(rows.fields, record_morphemes(records, lexicon).fields)

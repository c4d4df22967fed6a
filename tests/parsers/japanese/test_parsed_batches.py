"""Batches without objects hold what the objects hold, and what is written from them is the same."""

import pickle
import threading

import pytest
from budgets import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from kakari.corpora import read
from kakari.corpora.formats.cabocha import format_cabocha
from kakari.corpora.records.content_words import word_class
from kakari.output.japanese import write_texts
from kakari.output.japanese_records import to_record
from kakari.parsers.japanese.parser import JapaneseParser
from kakari.parsers.japanese.words.morphemes import check_end
from kakari.parsers.japanese.words.sources import Sudachi

ODD = [
    "",
    " ",
    "\n",
    "　",
    "1万2千345人が。",
    "ｗｗｗ😀",
    "\ud800壊れた",
    "「行く。」「来る。」",
    "a b  c",
    "徳島（とくしま）県",
    "ㇰ゙がか゛",
]
TEXTS = [record.text for record in read("sample-ja")][::9]
texts = st.lists(
    st.one_of(st.sampled_from([*ODD, *TEXTS]), st.text("本を読む。1２３ \n　aｱー゛", max_size=12)), max_size=6
)
PARSERS = {
    "ja": JapaneseParser.pretrained(),
    "ja-juman": JapaneseParser.pretrained(words="kakari"),
    "kinds": JapaneseParser.pretrained(kinds=True, boundaries=True),
    "gsd": JapaneseParser.pretrained(standard="gsd"),
}


@pytest.mark.parametrize("name", PARSERS)
@given(texts, st.booleans())
@settings(deadline=None, max_examples=examples(40))
def test_lattices_are_those_of_the_records(name, texts, one_sentence):
    parser, expected = PARSERS[name], []
    for text, found in zip(texts, parser.pipe_words(texts, one_sentence=one_sentence), strict=True):
        size = len(expected)
        for sentence, words in found:
            if not text[sentence.begin : sentence.end].isspace():
                expected.append(format_cabocha(to_record(sentence, words), [b.score for b in sentence.bunsetsu]))
        if one_sentence and len(expected) == size:
            expected.append("EOS\n")
    assert write_texts(parser, texts, "cabocha", one_sentence=one_sentence) == "".join(expected)


@given(texts)
@settings(deadline=None, max_examples=examples(60))
def test_words_are_where_sudachi_says(texts):
    sudachi, parser = PARSERS["ja"].source, PARSERS["ja"]
    kept = [text for text in texts if text]
    morphemes = sudachi.morphemes(kept, parser.model.lexicon)
    for number, text in enumerate(kept):
        begin, end = morphemes.starts[number : number + 2]
        told = [(m.begin(), m.end()) for m in sudachi.tokenize(text) if m.surface() and not m.surface().isspace()]
        if not told:
            told = [(0, len(text))]
        # White space belongs to the word before it, or to the first one.
        ends = [*(own for own, _ in told[1:]), len(text)]
        begins = [0, *(own for own, _ in told[1:])]
        assert morphemes.begins[begin:end].tolist() == begins
        assert morphemes.ends[begin:end].tolist() == ends


def test_words_with_a_gap_are_refused():
    class Word:
        def end(self):
            return 3

    check_end([Word()], 3)
    check_end([], 0)
    with pytest.raises(RuntimeError, match="do not cover"):
        check_end([Word()], 2)


def test_notes_of_two_writers_do_not_mix():
    sudachi, lexicon = Sudachi(), PARSERS["ja"].model.lexicon
    writers = [lambda word: word.base, lambda word: word.reading, lambda word: int(word_class(word.pos, word.base))]
    expected, found = [], [[] for _ in writers]
    for writer in writers:
        notes = []
        sudachi.morphemes(TEXTS, lexicon, records := [])
        sudachi.morphemes(TEXTS, lexicon, notes, writer)
        expected.append([[writer(word) for word in own] for own in records])
        assert notes == expected[-1]

    def run(number):
        for _ in range(20):
            notes = []
            Sudachi().morphemes(TEXTS, lexicon, notes, writers[number])
            found[number].append(notes)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(len(writers))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(one == expected[number] for number, own in enumerate(found) for one in own)


def test_a_converter_is_pickled():
    converter = JapaneseParser.pretrained(universal=True).converter
    again = pickle.loads(pickle.dumps(converter))
    parser = PARSERS["ja"]
    morphemes = parser.source.morphemes(TEXTS, parser.model.lexicon)
    opens = parser.model.segment(morphemes)
    heads, _ = parser.model.parse(morphemes, opens)
    assert again.convert(morphemes, opens, heads) == converter.convert(morphemes, opens, heads)

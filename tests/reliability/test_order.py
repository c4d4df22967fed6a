"""The same text gives the same analysis, whatever was parsed before it, and however texts are put together.

Texts are drawn in any order and number and written in every format, in batches of any size, in threads and in other
processes; the bytes are those of each text parsed alone, by a parser that has seen nothing.
"""

import json
import random
import re
from concurrent.futures import ThreadPoolExecutor
from functools import cache

import pytest
from budgets import examples
from command_line import run
from hypothesis import given, settings
from hypothesis import strategies as st

import kakari
from kakari.corpora import read
from kakari.output import english, japanese
from kakari.parsers.arguments.model import pretrained_arguments
from kakari.parsers.japanese.model import JapaneseModel

pytestmark = pytest.mark.thorough

JAPANESE = ("tree", "cabocha", "knp", "conllu", "json", "svg", "html")
ENGLISH = tuple(english.FORMATS)
# Words whose reading or tag hangs on what stands beside them.
TRICKY = [
    "三つ買った。 三番目に来た。",
    "三番目に来た。三つ買った。",
    "二十日に二十人が来た。",
    "12人と12日",
    "何人か何本",
    "一日中、一日に",
]


@cache
def texts(language):
    if language == "ja":
        return [*TRICKY, *(sentence.text for sentence in read("sample-ja"))][:16]
    return [" ".join(sentence.tree.leaves()) for sentence in read("sample-en")][:12]


def fresh(language):
    """Return what writes texts in a format, with a parser that has parsed nothing."""
    if language == "ja":
        state = kakari.JapaneseParser.pretrained().model.to_bytes()
        parser = kakari.JapaneseParser(JapaneseModel.from_bytes(state))
        return lambda given, output: japanese.write_texts(parser, given, output)
    parser, arguments = kakari.EnglishParser.pretrained(), pretrained_arguments()
    return lambda given, output: english.write_texts(parser, given, output, arguments=arguments)


@cache
def alone(language, output):
    """Return what is written of each text by a parser that has seen nothing else."""
    return [fresh(language)([text], output) for text in texts(language)]


CASES = [("ja", output) for output in JAPANESE] + [("en", output) for output in ENGLISH]


@pytest.mark.parametrize(("language", "output"), CASES)
@settings(max_examples=examples(5))
@given(data=st.data())
def test_order_and_batches_change_nothing(language, output, data):
    given_texts, expected = texts(language), alone(language, output)
    places = data.draw(st.lists(st.integers(0, len(given_texts) - 1), max_size=40))
    size = data.draw(st.integers(1, 50))
    write = fresh(language)
    batches = [places[start : start + size] for start in range(0, len(places), size)]
    found = [write([given_texts[place] for place in batch], output) for batch in batches]
    if output == "conll":  # sentences are numbered through a file
        found, expected = list(map(unnumbered, found)), list(map(unnumbered, expected))
    assert found == ["".join(expected[place] for place in batch) for batch in batches]


def unnumbered(text):
    """Return lines of CoNLL-2012 without the numbers of their sentences."""
    return re.sub(r"^(\S+\t)\d+", r"\1", text, flags=re.MULTILINE)


@pytest.mark.parametrize("language", ["ja", "en"])
def test_hundreds_of_texts_at_once_change_no_bit_of_a_score(language):
    """Large batches remember partial sums, which small ones do not."""
    places = [random.Random(0).randrange(len(texts(language))) for _ in range(450)]
    found = fresh(language)([texts(language)[place] for place in places], "json")
    assert found == "".join(alone(language, "json")[place] for place in places)


def test_scores_do_not_hang_on_the_batch():
    parser = kakari.JapaneseParser.pretrained()
    given_texts = texts("ja") * 10
    assert list(parser.pipe(given_texts)) == [parser.parse(text) for text in given_texts]


@pytest.mark.parametrize(("language", "output"), [("ja", "cabocha"), ("en", "conll")])
def test_threads_change_nothing(language, output):
    write = fresh(language)
    order = [random.Random(1).randrange(len(texts(language))) for _ in range(60)]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda place: write([texts(language)[place]], output), order))
    assert found == [alone(language, output)[place] for place in order]


@pytest.mark.parametrize(
    ("language", "output"),
    [
        ("ja", "cabocha"),
        pytest.param("ja", "json", marks=pytest.mark.slow),
        pytest.param("en", "json", marks=pytest.mark.slow),
    ],
)
def test_processes_change_nothing(language, output, tmp_path):
    file = tmp_path / "long.txt"
    lines = [line for line in texts(language) if "\n" not in line]
    random.Random(2).shuffle(lines)
    file.write_text("\n".join(lines * (60_000 // len("".join(lines)) + 1)), encoding="utf-8")
    one, three = (run("parse", "-l", language, "-f", output, "-j", jobs, str(file)) for jobs in ("1", "3"))
    assert one.returncode == three.returncode == 0
    assert one.stdout == three.stdout


@pytest.mark.parametrize("language", ["ja", "en"])
def test_documents_do_not_hang_on_what_came_before(language):
    def told(doc):
        return json.dumps(doc.to_json()["tokens"]), dict(doc.user_data), dict(doc.cats), doc.text

    given_texts = texts(language)
    first = [told(kakari.load(language)(text)) for text in given_texts[:8]]
    nlp = kakari.load(language)
    backwards = [told(doc) for doc in nlp.pipe(given_texts[7::-1], batch_size=3)]
    assert backwards[::-1] == first
    assert [told(doc) for doc in nlp.pipe(given_texts[:8], n_process=2, batch_size=2)] == first

"""Readers meet what no corpus should hold; they may refuse it with a CorpusError and nothing else.

KAKARI_FUZZ_EXAMPLES sets how many inputs each test tries (`make fuzz` for a long run).
"""

import contextlib
import gzip
import io

import pytest
from budgets import FUZZ_EXAMPLES
from hypothesis import given, settings
from hypothesis import strategies as st

from kakari.corpora import (
    CorpusError,
    catalogue,
    format_cabocha,
    format_conllu,
    format_knp,
    format_propbank,
    japanese_to_conllu,
    read,
)
from kakari.corpora.formats.pairs import COLUMNS
from kakari.corpora.formats.registry import FORMATS

SAMPLES = catalogue.find("sample-ja")

UNIVERSAL = (
    "# sent_id = 1\n# text = Don't, he said\n1-2\tDon't\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No|A=1\n"
    "1\tDo\tdo\tAUX\tVB\tMood=Imp|VerbForm=Fin\t5\tccomp\t5:ccomp\t_\n2\tn't\tnot\tPART\tRB\t_\t1\tadvmod\t_\tB=\n"
    "2.1\tgo\tgo\tVERB\tVB\t_\t_\t_\t1:conj\t_\n3\t,\t,\tPUNCT\t,\t_\t1\tpunct\t_\t_\n"
    "4\the\the\tPRON\tPRP\tPerson=3\t5\tnsubj\t_\t_\n5\tsaid\tsay\tVERB\tVBD\t_\t0\troot\t_\tflag\n\n"
)


def seed_texts():
    japanese = list(read("sample-ja"))[:6]
    questions = (SAMPLES / "questions.tsv").read_text(encoding="utf-8")
    trees = "\n".join(line.split("\t")[3] for line in questions.splitlines()[:12])
    return {
        "knp": "".join(map(format_knp, japanese)),
        "cabocha": "".join(map(format_cabocha, japanese)),
        "arcs": "犬か:1P 猫を:2 飼う。:-1\n本を:1 読んだ。:-1\n",
        "conllu": "".join(format_conllu(japanese_to_conllu(sentence)) for sentence in japanese) + UNIVERSAL,
        "conllx": "1\tJa\tja\tI\tIx\t_\t2\tsubj\t_\t_\n2\tsover\tsove\tV\tVx\ta=b|c\t0\tROOT\t0\tROOT\n\n"
        "1\t.\t_\t_\t_\t_\t_\t_\t_\t_\n",
        "propbank": "".join(map(format_propbank, list(read("sample-en"))[:6])),
        "brackets": trees.replace(") (", ")\n(") + "\n( (S (NP-SBJ (-NONE- *)) (VP (VB Go))) )",
        "qc": "HUM:ind Who wrote it ?\nLOC:city Where ?\n",
        "question-trees": "".join(questions.splitlines(keepends=True)[:12]),
        "svmlight": "+1 1:1 7:0.5 # a\n-1 qid:3 2:1e-3\n",
        "klp": "food |BT:t| (S (N b)) |ET| |BV| b:1.0 _,:2 |EV||BDV:d| 0.1,-2e-3 |EDV| |BS| a b |ES|\n"
        "m |<| |BT| (A(b)) |ET| |,| x |BS| s |ES| |>| |BV| o:0.5 |EV|\n",
        "svmlight-tk": "+1 |BT| (A (b)(C c)) |BT| |ET| 1:1 |BV| 2:2 |EV|\n-1\t|BT| (A a) |ET| 3:1 |EV|\n1 4:1\n",
        "named": "spam\tword=cheap\tfrom=unknown\nham\n",
        "pairs": "".join((SAMPLES / "hyponymy-dev.tsv").read_text(encoding="utf-8").splitlines(keepends=True)[:8]),
        "pair-counts": "paris\tcity\t7\nrose\tflower\t3\n",
        "wikipedia": '{"title": "日本", "text": "== 都市 ==\\n* [[東京]]\\n"}\n{"title": "国", "text": ""}\n',
        "columns": "a DT B-NP\nb NN I-NP\n\nc VB B-VP\n",
    }


SEEDS = seed_texts()
SPICE = [
    "\n",
    "\r\n",
    "\t",
    " ",
    "*",
    "+",
    "-1D",
    "(",
    ")",
    "|BT|",
    "|ET|",
    "|BV|",
    "|EV|",
    ":",
    "#",
    "EOS",
    "1-2",
    "1.1",
]
SPICE += [
    "９",
    "²",
    "",
    "-",
    "_",
    "\u3000",
    "\u2028",
    "\x0b",
    "\x1c",
    "99999999999999999999",
    "1e999",
    "=",
    "/",
    ",",
]


@st.composite
def damaged(draw, text):
    """A seed with a few cuts, doublings and insertions at random places."""
    for _ in range(draw(st.integers(1, 6))):
        start = draw(st.integers(0, len(text)))
        end = draw(st.integers(start, min(len(text), start + draw(st.sampled_from([1, 3, 30, 300])))))
        middle = draw(st.sampled_from(["", text[start:end] * 2]) | st.sampled_from(SPICE) | st.text(max_size=5))
        text = text[:start] + middle + text[end:]
    return text


def read_all(name, source):
    """Read, and write whatever could be read."""
    entry = FORMATS[name]
    with contextlib.suppress(CorpusError):
        for record in entry.read(source):
            entry.format(record)


def test_every_format_is_fuzzed():
    assert set(SEEDS) == set(FORMATS)
    for name, text in SEEDS.items():
        assert list(FORMATS[name].read(io.StringIO(text))), name


@pytest.mark.parametrize("name", FORMATS)
@settings(max_examples=FUZZ_EXAMPLES)
@given(data=st.data())
def test_damaged_text(name, data):
    read_all(name, io.StringIO(data.draw(damaged(SEEDS[name]))))


@pytest.mark.parametrize("name", FORMATS)
@settings(max_examples=FUZZ_EXAMPLES)
@given(data=st.binary(max_size=200))
def test_random_bytes(name, data):
    read_all(name, io.BytesIO(data))


@pytest.mark.parametrize("name", ["knp", "brackets"])
@settings(max_examples=FUZZ_EXAMPLES)
@given(data=st.data())
def test_damaged_gzip(name, data):
    packed = bytearray(gzip.compress(SEEDS[name].encode()))
    for _ in range(data.draw(st.integers(1, 3))):
        packed[data.draw(st.integers(0, len(packed) - 1))] = data.draw(st.integers(0, 255))
    read_all(name, io.BytesIO(bytes(packed[: data.draw(st.integers(0, len(packed)))])))


@pytest.mark.parametrize("name", FORMATS)
@settings(max_examples=FUZZ_EXAMPLES)
@given(data=st.data())
def test_what_was_written_is_read_again(name, data):
    """Reading, writing and reading gives the same records: normalisation comes to rest after one round."""
    entry = FORMATS[name]
    try:
        records = list(entry.read(io.StringIO(data.draw(damaged(SEEDS[name])))))
    except CorpusError:
        return
    head = "\t".join(COLUMNS) + "\n" if name == "pairs" else ""  # the one format whose files begin with a head
    text = "".join(map(entry.format, records))
    again = "".join(map(entry.format, entry.read(io.StringIO(head + text))))
    assert again == text

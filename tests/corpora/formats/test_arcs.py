"""Bunsetsu with heads on one line."""

import io
from pathlib import Path

import pytest

from kakari.corpora import read
from kakari.corpora.catalogue import find
from kakari.corpora.formats.knp import format_arcs, read_arcs
from kakari.corpora.records.errors import CorpusError

TABLE = Path(__file__).parents[2] / "quality" / "ja.tsv"


def test_the_sample_is_written_back_byte_for_byte():
    text = (find("sample-ja-complaints") / "ja-complaints.arcs").read_text(encoding="utf-8")
    assert "".join(map(format_arcs, read("sample-ja-complaints"))) == text


def test_the_sample_is_sound_and_has_nothing_of_the_quality_table():
    sentences = list(read("sample-ja-complaints"))
    table = {line.split("\t")[0] for line in TABLE.read_text(encoding="utf-8").splitlines()}
    assert len({sentence.text for sentence in sentences}) == len(sentences) >= 400
    assert not table & {sentence.text for sentence in sentences}
    assert not any(sentence.crossing() for sentence in sentences)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("本を 読んだ。:-1", "should look like"),
        ("本を:1  読んだ。:-1", "should look like"),
        ("本を:7 読んだ。:-1", "does not exist"),
        ("本を:0 読んだ。:-1", "depends on itself"),
        ("本を:1 読んだ。:0", "circle"),
        ("本を:-1 読んだ。:-1", "the last bunsetsu, and no other"),
        ("本を:1X 読んだ。:-1", "should look like"),
    ],
)
def test_a_damaged_line_is_told_with_its_number(line, reason):
    with pytest.raises(CorpusError, match=f"2: .*{reason}"):
        list(read_arcs(io.StringIO(f"本を:1 読んだ。:-1\n{line}\n")))

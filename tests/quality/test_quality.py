"""Every row of a quality table: text, expected structure, why the row exists, and the issue if it is known to fail."""

from pathlib import Path

import pytest

from kakari.parsers.japanese.parser import JapaneseParser

ROWS = [line.split("\t") for line in Path(__file__).with_name("ja.tsv").read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def parser():
    return JapaneseParser.pretrained()


def structure(parser, text):
    (sentence,) = parser.parse(text, one_sentence=True)
    return " ".join(f"{text[b.begin : b.end]}:{b.head}" for b in sentence.bunsetsu)


def test_the_table_is_sound():
    assert len(ROWS) >= 80
    for text, expected, reason, _ in ROWS:
        pieces = [piece.rsplit(":", 1) for piece in expected.split(" ")]
        assert "".join(surface for surface, _ in pieces) == text
        heads = [int(head) for _, head in pieces]
        assert heads[-1] == -1
        assert all(index < head < len(heads) for index, head in enumerate(heads[:-1]))
        assert reason
    assert sum(status == "-" for *_, status in ROWS) >= 70


@pytest.mark.parametrize(("text", "expected", "reason", "status"), ROWS, ids=[row[2] for row in ROWS])
def test_row(parser, text, expected, reason, status, request):
    if status == "known":
        request.applymarker(pytest.mark.xfail(reason="known to fail", strict=False))
    assert structure(parser, text) == expected, reason

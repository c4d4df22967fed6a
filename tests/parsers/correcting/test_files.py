"""The user's file: each line one correction, appended whole or not at all, whatever happens to the writer."""

import gzip
import os
import signal
import subprocess
import sys
import time

import pytest
from budgets import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from kakari.corpora.records.errors import CorpusError
from kakari.parsers.correcting.files import append_correction, read_corrections, remove_last
from kakari.parsers.correcting.records import KINDS, Correction, CorrectionError

TEXT = "太郎は本を読む。"
ARC = Correction(TEXT, "arc", (0, 3), (5, 8))
SPANS = st.tuples(st.integers(0, 3), st.integers(4, 8))


@settings(max_examples=examples(100), deadline=None)
@given(
    st.text(st.characters(exclude_categories=["Cs"]), min_size=8).filter(str.strip),
    st.sampled_from(KINDS),
    SPANS,
    SPANS,
    st.text(st.characters(exclude_categories=["Cs"]), max_size=5),
)
def test_a_line_is_read_back(text, kind, at, other, name):
    values = {
        "boundary": True,
        "arc": None if other == at else other,
        "class": "HUM",
        "argument": None,
    }
    one = Correction(
        text, kind, 1 if kind == "boundary" else at, values[kind], other if kind == "argument" else None, name, name
    )
    assert "\n" not in one.line()
    assert Correction.from_line(one.line()) == one


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("", "not a line of JSON"),
        ("[1]", "a JSON object"),
        ("[" * 100_000, "not a line of JSON"),
        ('{"kind": "arc", "is": null}', "needs 'text'"),
        ('{"text": "ab", "kind": "arc", "at": [0, 1]}', "needs 'is'"),
        ('{"text": "ab", "kind": "arc", "at": [0, 1], "is": null, "id": 3}', "nothing is known of 'id'"),
        ('{"text": "ab", "text": "ab", "kind": "arc", "at": [0, 1], "is": null}', "twice"),
        ('{"text": " ", "kind": "class", "is": "HUM"}', "needs a text"),
        ('{"text": 7, "kind": "class", "is": "HUM"}', "needs a text"),
        ('{"text": "\\ud800x", "kind": "class", "is": "HUM"}', "half a character"),
        ('{"text": "ab", "kind": "color", "is": "HUM"}', "one of boundary, arc"),
        ('{"text": "ab", "kind": "boundary", "at": 0, "is": true}', "between 1 and 1"),
        ('{"text": "ab", "kind": "boundary", "at": 2, "is": true}', "between 1 and 1"),
        ('{"text": "ab", "kind": "boundary", "at": true, "is": true}', "between 1 and 1"),
        ('{"text": "ab", "kind": "boundary", "at": 1, "is": 1}', "true or false"),
        ('{"text": "ab", "kind": "arc", "at": [0, 3], "is": null}', "no span"),
        ('{"text": "ab", "kind": "arc", "at": [1, 1], "is": null}', "no span"),
        ('{"text": "ab", "kind": "arc", "at": [-1, 1], "is": null}', "no span"),
        ('{"text": "ab", "kind": "arc", "at": [0, 1], "is": [0, 1]}', "on itself"),
        ('{"text": "ab", "kind": "arc", "at": [0, 1], "is": "b"}', "no span"),
        ('{"text": "ab", "kind": "class", "is": ""}', "a name"),
        ('{"text": "ab", "kind": "argument", "at": [0, 1], "is": "ARG0"}', "'of'"),
        ('{"text": "ab", "kind": "argument", "at": [0, 1], "of": [1, 2], "is": 3}', "a role or null"),
        ('{"text": "ab", "kind": "class", "is": "HUM", "when": 7}', "'when' is a text"),
    ],
)
def test_what_is_no_correction_is_told_with_its_line(tmp_path, line, reason):
    path = tmp_path / "mine.jsonl"
    path.write_text(f"{ARC.line()}\n\n{line or 'x'}\n", "utf-8")
    with pytest.raises(CorpusError, match=r"mine\.jsonl:3: ") as told:
        read_corrections(path)
    assert reason in str(told.value)


def test_what_contradicts_an_earlier_line_is_refused(tmp_path):
    path = tmp_path / "mine.jsonl"
    other = Correction(TEXT, "arc", (0, 3), (3, 5))
    append_correction(path, ARC)
    with pytest.raises(CorrectionError, match="contradicts line 1"):
        append_correction(path, other)
    assert append_correction(path, ARC) == 2  # said twice is no contradiction
    path.write_text(f"{ARC.line()}\n{other.line()}\n", "utf-8")
    with pytest.raises(CorpusError, match=r"mine\.jsonl:2: this contradicts line 1 \(太郎は → 読む。\)"):
        read_corrections(path)


def test_lines_of_the_user_stay_as_they_are(tmp_path):
    path = tmp_path / "mine.jsonl"
    own = '{ "kind":"class",  "is":"HUM:ind", "text":"Who?" }'  # and no line end
    path.write_text(own, "utf-8")
    assert append_correction(path, ARC) == 2
    assert path.read_text("utf-8") == f"{own}\n{ARC.line()}\n"
    assert remove_last(path) == ARC
    assert path.read_text("utf-8") == f"{own}\n"
    remove_last(path)
    assert read_corrections(path) == []
    with pytest.raises(CorpusError, match="no correction to take back"):
        remove_last(path)


def test_files_that_cannot_be_read_or_written(tmp_path):
    with pytest.raises(CorpusError, match="no such file"):
        read_corrections(tmp_path / "none")
    with pytest.raises(CorpusError, match="cannot be written"):
        append_correction(tmp_path / "none" / "mine.jsonl", ARC)
    packed = tmp_path / "mine.jsonl.gz"
    packed.write_bytes(gzip.compress(f"{ARC.line()}\n".encode()))
    assert read_corrections(packed) == [ARC]
    with pytest.raises(CorpusError, match="compressed"):
        append_correction(packed, ARC)


WRITER = """
import sys
from kakari.parsers.correcting.files import append_correction
from kakari.parsers.correcting.records import Correction
for number in range(int(sys.argv[2]), 100000):
    append_correction(sys.argv[1], Correction("Who is it? " + "x" * 20000, "class", (0, number + 1), "HUM:ind"))
    print(number, flush=True)
"""


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL on Windows")
def test_a_killed_writer_leaves_what_it_had_said(tmp_path):
    path = tmp_path / "mine.jsonl"
    said = -1
    for delay in (0.02, 0.05, 0.11):
        with subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path), str(said + 1)], stdout=subprocess.PIPE, text=True
        ) as writer:
            first = writer.stdout.readline()
            time.sleep(delay)
            os.kill(writer.pid, signal.SIGKILL)
            numbers = [first, *writer.stdout]
        told = max(int(number) for number in numbers if number.endswith("\n"))
        kept = read_corrections(path)
        assert len(kept) in (told + 1, told + 2)  # the one that was being written is there or it is not
        said = len(kept) - 1


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such locks")
def test_two_writers_lose_nothing(tmp_path):
    path = tmp_path / "mine.jsonl"
    code = WRITER.replace("range(int(sys.argv[2]), 100000)", "range(int(sys.argv[2]), int(sys.argv[2]) + 30)")
    writers = [
        subprocess.Popen([sys.executable, "-c", code, str(path), start], stdout=subprocess.DEVNULL)
        for start in ("0", "1000")
    ]
    assert [writer.wait() for writer in writers] == [0, 0]
    assert len(read_corrections(path)) == 60

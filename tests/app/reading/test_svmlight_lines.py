"""The quick reader of svmlight lines reads what the plain one reads, and refuses what it refuses, in the same words."""

import gzip

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kakari.corpora.formats.vectors import read_svmlight
from kakari.corpora.records.errors import CorpusError
from kakari.kernels.sets.featuresets import FeatureSetError
from kakari.kernels.sets.svmlight_lines import binary_lines
from kakari.reading import examples as reading

LINES = "+1 3:1 11:1\n-1 2:1\n1\n+1 7:1 9:1 12:1\n"
PIECES = [
    b"+1",
    b"-1",
    b" ",
    b"\n",
    b"3:1",
    b"3:0.5",
    b"0:1",
    b"#",
    b"qid:3",
    b":",
    b"\r",
    b"\t",
    b"1e3",
    b"\xff",
    b"-0",
]


def outcome(path):
    """Return what a file says: labels and sets, or the reason why it is refused."""
    try:
        loaded = reading.load_examples(str(path))
    except (CorpusError, FeatureSetError) as refused:
        return str(refused)
    return loaded.labels, loaded.sets.tolist()


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, len(LINES)), st.integers(0, 3), st.sampled_from(PIECES)), max_size=4),
    st.booleans(),
)
def test_mutated_files_are_read_or_refused_alike(tmp_path_factory, changes, compressed):
    content = LINES.encode()
    for place, dropped, piece in changes:
        content = content[:place] + piece + content[place + dropped :]
    path = tmp_path_factory.mktemp("lines") / "data.svm"
    path.write_bytes(gzip.compress(content) if compressed else content)
    quick = outcome(path)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(reading, "binary_lines", lambda content: None)
        assert outcome(path) == quick


@given(st.text("+-01239:\n #q", max_size=30))
def test_whatever_is_read_quickly_is_what_the_definition_reads(text):
    found = binary_lines(text.encode())
    if found is None:
        return
    labels, offsets, ids = found
    vectors = list(read_svmlight(iter_bytes(text)))
    assert labels.tolist() == [vector.label for vector in vectors]
    assert [ids[a:b].tolist() for a, b in zip(offsets, offsets[1:], strict=False)] == [
        list(vector.vector.ids) for vector in vectors
    ]


def iter_bytes(text):
    import io

    return io.BytesIO(text.encode())


def test_plain_lines_are_read_without_the_other_reader(tmp_path, monkeypatch):
    path = tmp_path / "data.svm"
    path.write_text(LINES)
    monkeypatch.setattr(reading, "read_svmlight", None)
    loaded = reading.load_examples(str(path))
    assert loaded.labels == ["1", "-1", "1", "1"]
    assert loaded.sets.tolist() == [[3, 11], [2], [], [7, 9, 12]]


def test_lines_may_lack_labels_where_none_are_needed(tmp_path):
    path = tmp_path / "data.svm"
    path.write_text("3:1 11:1\n\n2:1 # a comment\n")
    loaded = reading.load_examples(str(path), labelled=False)
    assert loaded.sets.tolist() == [[3, 11], [2]]
    with pytest.raises(CorpusError, match="3:1"):
        reading.load_examples(str(path))

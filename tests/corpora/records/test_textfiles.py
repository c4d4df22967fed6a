"""Everything that can be wrong with a file as a file, for every format at once."""

import gzip
import io
import os
import sys
from pathlib import Path

import pytest

from kakari.corpora import CorpusError, catalogue, read_knp
from kakari.corpora.formats.registry import FORMATS
from kakari.corpora.records.textfiles import blank_line_blocks, numbered_lines, replaced_file, write_text

READERS = [pytest.param(entry.read, id=entry.name) for entry in FORMATS.values()]
SAMPLE = (catalogue.find("sample-ja") / "ja.knp").read_bytes()


@pytest.mark.parametrize("read", READERS)
class TestEveryReader:
    def test_empty(self, read, tmp_path):
        (tmp_path / "empty").touch()
        (tmp_path / "empty.gz").write_bytes(gzip.compress(b""))
        assert list(read(tmp_path / "empty")) == []
        assert list(read(tmp_path / "empty.gz")) == []

    def test_no_such_file(self, read, tmp_path):
        with pytest.raises(CorpusError, match="no such file"):
            list(read(tmp_path / "none"))

    def test_folder(self, read, tmp_path):
        with pytest.raises(CorpusError, match="folder"):
            list(read(tmp_path))

    def test_nul(self, read):
        with pytest.raises(CorpusError, match="NUL") as caught:
            list(read(io.BytesIO(b"\0\n")))
        assert caught.value.line is not None

    def test_not_utf8(self, read):
        with pytest.raises(CorpusError, match=r":1: this is not UTF-8 text: byte 0xff at position 3"):
            list(read(io.BytesIO(b"ab\xff\n")))

    @pytest.mark.slow
    def test_ten_megabytes_on_one_line(self, read):
        for line in (b"a" * 10_000_000, b"(" * 1_000_000 + b"a" * 9_000_000, b"1 " + b"2:1 " * 2_500_000):
            try:
                list(read(io.BytesIO(line)))
            except CorpusError as error:
                assert len(str(error)) < 300


def test_permission(tmp_path, monkeypatch):
    path = tmp_path / "secret.knp"
    path.write_bytes(SAMPLE)
    path.chmod(0)
    if os.access(path, os.R_OK):  # root may read anything: let the system call itself refuse

        def refuse(self, *_):
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(CorpusError, match="permission denied"):
        list(read_knp(path))


def test_truncated_and_damaged_gzip(tmp_path):
    packed = gzip.compress(SAMPLE)
    (tmp_path / "cut.gz").write_bytes(packed[: len(packed) // 2])
    with pytest.raises(CorpusError, match="cut short"):
        list(read_knp(tmp_path / "cut.gz"))
    damaged = bytearray(packed)
    damaged[len(packed) // 2] ^= 0xFF
    (tmp_path / "bad.gz").write_bytes(damaged)
    with pytest.raises(CorpusError):
        list(read_knp(tmp_path / "bad.gz"))
    (tmp_path / "magic").write_bytes(b"\x1f\x8bnot gzip at all")
    with pytest.raises(CorpusError, match="damaged"):
        list(read_knp(tmp_path / "magic"))


def test_line_ends_and_byte_order_mark():
    dos = b"\xef\xbb\xbf" + SAMPLE.replace(b"\n", b"\r\n")
    assert list(read_knp(io.BytesIO(dos))) == list(read_knp(io.BytesIO(SAMPLE)))
    text = io.StringIO("\ufeff" + SAMPLE.decode().replace("\n", "\r\n"), newline="")
    assert list(read_knp(text)) == list(read_knp(io.BytesIO(SAMPLE)))


def test_sources(tmp_path, monkeypatch):
    expected = list(read_knp(io.BytesIO(SAMPLE)))
    path = tmp_path / "a.knp"
    path.write_bytes(SAMPLE)
    with path.open("rb") as binary, path.open(encoding="utf-8") as text:
        assert list(read_knp(binary)) == list(read_knp(text)) == expected
    assert list(read_knp(str(path))) == expected
    assert list(read_knp(io.BytesIO(gzip.compress(SAMPLE)))) == expected
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(SAMPLE)))
    assert list(read_knp("-")) == expected


def test_only_line_feeds_end_lines():
    text = "a\x0bb\u2028c\x85d\re\nf"
    assert [line for _, line in numbered_lines(io.BytesIO(text.encode()))] == ["a\x0bb\u2028c\x85d\re", "f"]


def test_line_ends_that_were_converted_twice_come_to_rest():
    entry = FORMATS["named"]
    for source in (io.BytesIO(b"spam\two\r\r\nham\n"), io.StringIO("spam\two\r\r\nham\n", newline="")):
        assert "".join(map(entry.format, entry.read(source))) == "spam\two\nham\n"


def test_text_in_a_wrong_encoding(tmp_path):
    (tmp_path / "x").write_bytes(b"\xff\xfe")
    with (tmp_path / "x").open(encoding="utf-8") as file, pytest.raises(CorpusError, match="encoding"):
        list(numbered_lines(file))


def test_blocks():
    assert [len(block) for block in blank_line_blocks(io.StringIO("\n\na\n \t\nb\nc"))] == [1, 2]


def test_a_failed_write_leaves_the_old_file(tmp_path):
    path = tmp_path / "a"
    path.write_text("old")

    def chunks():
        yield "new"
        raise RuntimeError("power cut")

    with pytest.raises(RuntimeError):
        write_text(chunks(), path)
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["a"]


def test_written_files_have_the_usual_permissions(tmp_path):
    write_text(["x"], tmp_path / "a")
    (tmp_path / "b").touch()
    assert (tmp_path / "a").stat().st_mode == (tmp_path / "b").stat().st_mode


def test_writing_where_nothing_can_be_written(tmp_path):
    with pytest.raises(CorpusError, match="cannot be written"), replaced_file(tmp_path / "no" / "such"):
        pass


def test_a_full_disk_and_a_folder_in_the_way(tmp_path):
    def full():
        yield "begun"
        raise OSError(28, "No space left on device")

    with pytest.raises(CorpusError, match="cannot be written: No space left on device"):
        write_text(full(), tmp_path / "a")
    with pytest.raises(CorpusError, match="this is a folder"):
        write_text(["x"], tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_errors_survive_pickling():
    import pickle

    error = pickle.loads(pickle.dumps(CorpusError("a", 3, "why")))
    assert (str(error), error.line) == ("a:3: why", 3)

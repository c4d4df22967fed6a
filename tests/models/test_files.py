"""Model files: what is written comes back, and nothing else is believed."""

import contextlib
import json
import struct

import numpy as np
import pytest
from budgets import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from kakari.kernels.stored import Contents
from kakari.models.files import FILE_FORMAT, ModelFileError, model_task, read_model, write_model

ARRAYS = {
    "a": np.arange(5, dtype=np.int32),
    "b": np.array([[1.5, 2.5]]),
    "c": np.array([], dtype=np.uint8),
    "d": np.array([1, 2, 3], dtype=np.int8),
    "e": np.array([1, 2], dtype=np.float16),
    "f": np.zeros((10, 20), dtype=np.int32),  # gets smaller
}


@pytest.fixture(params=[False, True], ids=["plain", "compressed"])
def compressed(request):
    return request.param


@pytest.fixture
def file(tmp_path, compressed):
    path = tmp_path / "model.safetensors"
    write_model(path, "toy", Contents(ARRAYS, {"degree": 3, "名": "値"}), compressed=compressed)
    return path


def test_round_trip(file):
    contents = read_model(file, "toy")
    assert {name: (array.dtype, array.tolist()) for name, array in contents.arrays.items()} == {
        name: (array.dtype, array.tolist()) for name, array in ARRAYS.items()
    }
    assert (contents.integer("degree", 1, 4), contents.text("名")) == (3, "値")
    assert model_task(file) == "toy"
    assert not any(array.flags.writeable for array in contents.arrays.values())


def test_same_content_same_bytes(file, tmp_path, compressed):
    told = Contents(dict(reversed(ARRAYS.items())), {"名": "値", "degree": 3})
    write_model(tmp_path / "again", "toy", told, compressed=compressed)
    assert (tmp_path / "again").read_bytes() == file.read_bytes()


def test_safetensors_reads_it_too(file, compressed):
    from safetensors.numpy import load_file

    assert load_file(file)["a"].tolist() == [0, 1, 2, 3, 4]


@pytest.mark.parametrize(
    "told",
    [[], {"f": []}, {"f": ["I32", 4]}, {"f": ["int32", 200]}, {"x": ["I32", 5]}, {"a": ["I32", 5]}, {"f": [[], 5]}],
)
def test_a_wrong_word_on_compressed_arrays_is_refused(tmp_path, told):
    path = tmp_path / "model"
    write_model(path, "toy", Contents(ARRAYS), compressed=True)
    with_metadata(path, compressed=told)
    with pytest.raises(ModelFileError, match=r"compressed array"):
        read_model(path)


def test_every_cut_is_refused(file, tmp_path):
    content = file.read_bytes()
    cut = tmp_path / "cut"
    for length in range(len(content)):
        cut.write_bytes(content[:length])
        with pytest.raises(ModelFileError, match="cut"):
            read_model(cut)


@settings(max_examples=examples(300))
@given(place=st.integers(0, 10_000), byte=st.integers(0, 255), compressed=st.booleans())
def test_damaged_headers_never_crash(tmp_path_factory, place, byte, compressed):
    path = tmp_path_factory.mktemp("damage") / "m"
    write_model(path, "toy", Contents(ARRAYS), compressed=compressed)
    content = bytearray(path.read_bytes())
    content[place % len(content)] = byte
    path.write_bytes(content)
    with contextlib.suppress(ModelFileError):
        read_model(path)


def with_metadata(path, **changes):
    content = path.read_bytes()
    (length,) = struct.unpack("<Q", content[:8])
    header = json.loads(content[8 : 8 + length])
    told = json.loads(header["__metadata__"]["kakari"]) | changes
    header["__metadata__"]["kakari"] = json.dumps(told)
    text = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + content[8 + length :])


def test_newer_and_foreign_files(file, tmp_path):
    with_metadata(file, format=FILE_FORMAT + 1, kakari="9.9")
    with pytest.raises(ModelFileError, match=r"made by kakari 9\.9.*upgrade"):
        read_model(file)
    from safetensors.numpy import save_file

    save_file({"a": np.zeros(2)}, tmp_path / "foreign")
    with pytest.raises(ModelFileError, match="not made by kakari"):
        read_model(tmp_path / "foreign")
    (tmp_path / "text").write_text("just text, long enough to have a length in front")
    with pytest.raises(ModelFileError, match="not a model"):
        read_model(tmp_path / "text")
    for name, content in (("empty", b""), ("pickle", b"\x80\x04\x95\x00")):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(ModelFileError, match="not a model"):
            read_model(tmp_path / name)


def test_wrong_places(file, tmp_path):
    with pytest.raises(ModelFileError, match="no such file"):
        read_model(tmp_path / "none")
    with pytest.raises(ModelFileError, match="folder"):
        read_model(tmp_path)
    with pytest.raises(ModelFileError, match="for 'toy', not for 'other'"):
        read_model(file, "other")
    with pytest.raises(ModelFileError, match="cannot be written"):
        write_model(tmp_path / "no" / "folder", "toy", Contents())


def test_longer_than_it_says(file):
    file.write_bytes(file.read_bytes() + b"x")
    with pytest.raises(ModelFileError, match="longer"):
        read_model(file)


def test_a_folder_in_the_way(tmp_path):
    with pytest.raises(ModelFileError, match="this is a folder"):
        write_model(tmp_path, "toy", Contents(ARRAYS))
    assert list(tmp_path.parent.glob(f".{tmp_path.name}*")) == []

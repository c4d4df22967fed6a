"""What a stranger's model file may not do: each finding of the attack, and a short attack of its own."""

import json
import os
import random
import struct
import zlib

import numpy as np
import pytest
from budgets import examples
from command_line import run_here
from component_mutants import STRANGE, components, strange_bytes
from model_kinds import all_kinds
from model_mutants import ModelParts, file_of, mutant

from kakari.models.files import ModelFileError
from kakari.models.layout import LONGEST_HEADER

MUTANTS = int(os.environ.get("KAKARI_FUZZ_MODELS", examples(400)))


@pytest.fixture(scope="session")
def kinds():
    return all_kinds()


def rebuilt(parts):
    header, data = parts.header()
    return file_of(header, parts.metadata, data)


def refused(kind, content):
    with pytest.raises(ModelFileError) as error:
        kind.from_bytes(content)
    assert "\n" not in str(error.value)
    return str(error.value)


@pytest.mark.parametrize("slots", ["segment_slots", "pair_slots"])
@pytest.mark.parametrize("slot", [100, 1_000_000, -1, 2**40, 1.5, "1", True, None])
def test_slots_that_no_feature_has(kinds, tmp_path, slots, slot):
    parts = ModelParts(kinds["ja"][0].to_bytes())
    parts.metadata["contents"]["settings"][slots].append(slot)
    (tmp_path / "m").write_bytes(rebuilt(parts))
    result = run_here("evaluate", str(tmp_path / "m"), "sample-ja", "--given", "morphemes")
    assert result.returncode == 1 and f"'{slots}' is " in result.stderr and result.stderr.count("\n") == 1


def test_a_posting_list_names_a_support_vector_once(kinds):
    model = kinds["classify-inverted"][0]
    parts = ModelParts(model.to_bytes())
    name = "0/frozen/postings"
    postings, starts = parts.array(name), parts.array("0/frozen/posting_starts")
    repeated = np.repeat(postings, 70_000 // len(postings) + 1)
    parts.set(name, repeated)
    parts.set("0/frozen/posting_starts", starts * (len(repeated) // len(postings)))
    assert "stands in it twice" in refused(type(model), rebuilt(parts))


@pytest.mark.parametrize("dtype", [np.uint64, np.float64, np.int32, np.float32])
def test_a_vocabulary_is_of_the_type_that_is_used(kinds, dtype):
    model = kinds["classify-exact"][0]
    parts = ModelParts(model.to_bytes())
    parts.set("vocabulary/starts", parts.array("vocabulary/starts").astype(dtype))
    assert "'vocabulary/starts' is" in refused(type(model), rebuilt(parts))
    assert "vocabulary/slots" not in parts.arrays  # a table of a stranger's is not followed


@pytest.mark.parametrize(
    ("name", "value"),
    [("columns", 1 << 30), ("columns", -5), ("starts", 1 << 40), ("starts", -1), ("values", np.nan), ("width", -3),
     ("width", 0), ("width", 2**70)],
)  # fmt: skip
def test_sparse_rows_are_checked_before_scipy_sees_them(kinds, name, value):
    model = kinds["kernel-svm-rbf"][0]
    parts = ModelParts(model.to_bytes())
    if name == "width":
        below = parts.metadata["contents"]["parts"]["support"]["parts"]["examples"]["parts"]["rows"]
        below["settings"]["width"] = value
    else:
        array = parts.array(f"support/examples/rows/{name}")
        array[1] = value
        parts.set(f"support/examples/rows/{name}", array)
    refused(type(model), rebuilt(parts))


@pytest.mark.parametrize(
    ("name", "dtype", "value"),
    [("counts", np.int8, -1), ("places", np.int8, -1), ("counts", np.uint8, 200), ("places", np.uint8, 250)],
)
def test_linear_tables_count_from_0_on(kinds, name, dtype, value):
    model = kinds["en-arguments"][0]
    parts = ModelParts(model.to_bytes())
    array = parts.array(f"roles/table/weights/{name}").astype(dtype)
    array[0] = value
    parts.set(f"roles/table/weights/{name}", array)
    refused(type(model), rebuilt(parts))


@pytest.mark.parametrize(
    "actions",
    [["shift", "="], ["shift", "=", "L"], ["shift", "=", "R NOTHING"], ["shift", "=", "X NP"], ["shift", "=", "U"],
     ["shift", "=", "L S S"], ["shift", "=", ""], ["=", "shift", "L S"]],
)  # fmt: skip
def test_actions_of_a_grammar_are_checked(kinds, actions):
    model = kinds["en"][0]
    parts = ModelParts(model.to_bytes())
    grammar = parts.metadata["contents"]["parts"]["parser"]["parts"]["grammar"]["settings"]
    grammar["actions"] = actions
    parts.set("parser/grammar/seen", np.zeros((0, 3), dtype=np.int16))
    weights = [name for name in parts.arrays if name.startswith("parser/weights/")]
    assert weights
    for name in ("counts", "checks", "places", "amounts"):
        parts.set(f"parser/weights/{name}", parts.array(f"parser/weights/{name}")[:0])
    parts.set("parser/weights/sizes", np.zeros(1, dtype=np.uint16))
    refused(type(model), rebuilt(parts))


def test_decompression_ends_at_what_was_declared(kinds):
    model = kinds["classify-exact"][0]
    parts = ModelParts(model.to_bytes())
    for declared, size in ((2**36, 1 << 20), (1 << 27, 1 << 27), (10, 1 << 24)):
        name = "vocabulary/text"
        parts.arrays[name] = ["U8", [0], zlib.compress(bytes(size))]
        parts.arrays[name][1] = [len(parts.arrays[name][2])]
        header, data = parts.header()
        metadata = {**parts.metadata, "compressed": {name: ["U8", declared]}}
        assert "compressed" in refused(type(model), file_of(header, metadata, data))


@pytest.mark.parametrize(("part", "name"), [(None, "tagger_beam"), ("parser", "beam")])
@pytest.mark.parametrize("beam", [0, -1, 10**9, 2**40, 1.5, "8"])
def test_beams_are_no_wider_than_memory(kinds, part, name, beam):
    model = kinds["en"][0]
    parts = ModelParts(model.to_bytes())
    outline = parts.metadata["contents"] if part is None else parts.metadata["contents"]["parts"][part]
    outline["settings"][name] = beam
    assert "beam' is" in refused(type(model), rebuilt(parts))


def headers(content):
    parts = ModelParts(content)
    header, data = parts.header()
    names = list(header)
    one, other = header[names[0]], header[names[1]]
    yield "overlap", file_of({**header, names[1]: {**other, "data_offsets": one["data_offsets"]}}, parts.metadata, data)
    gap = {**header, "gap": {"dtype": "U8", "shape": [1], "data_offsets": [len(data) + 8, len(data) + 9]}}
    yield "gap", file_of(gap, parts.metadata, data + bytes(9))
    yield "deep header", file_of("[" * 200_000, "", data)
    yield "deep metadata", file_of(header, "[" * 200_000, data)
    yield (
        "deep settings",
        file_of(
            header,
            json.dumps(parts.metadata).replace('"information": {', '"information": {"x": ' + "[" * 5000, 1),
            data,
        ),
    )
    for number in ("1e999", "NaN", "-Infinity", "1" * 5000):
        yield (
            number,
            file_of(header, json.dumps(parts.metadata).replace('"bias": ', f'"bias": {number}, "x": ', 1), data),
        )
    yield "dimensions", file_of({**header, names[0]: {**one, "shape": [1] * 69 + one["shape"]}}, parts.metadata, data)
    for strange in (3, "x", None, [], [[]], {}, [1.5], [True], ["1"], [-1], [2**70]):
        for key in ("shape", "data_offsets", "dtype"):
            yield f"{key} {strange}", file_of({**header, names[0]: {**one, key: strange}}, parts.metadata, data)
        yield f"entry {strange}", file_of({**header, names[0]: strange}, parts.metadata, data)
        for key in parts.metadata:
            yield f"{key} {strange}", file_of(header, {**parts.metadata, key: strange}, data)
    yield "long", struct.pack("<Q", LONGEST_HEADER + 1) + bytes(LONGEST_HEADER + 1)


def test_headers_that_are_not_ours(kinds):
    model = kinds["classify-exact"][0]
    for name, content in headers(model.to_bytes()):
        try:
            type(model).from_bytes(content)
        except ModelFileError as error:
            assert "\n" not in str(error), name
        else:
            assert name.startswith(("kakari ", "schema None")), name  # who wrote it is told, not believed


def test_a_file_that_is_cut_short_under_a_process_hurts_nobody(kinds, tmp_path):
    path = tmp_path / "m"
    model, use = kinds["classify-splitting"]
    model.save(path)
    loaded = type(model).load(path)
    os.truncate(path, 100)
    use(loaded)


def test_what_is_frozen_is_not_frozen_again(kinds, tmp_path):
    kinds["classify-splitting"][0].save(tmp_path / "m")
    result = run_here("freeze", str(tmp_path / "m"), "-o", str(tmp_path / "n"))
    assert result.returncode == 1 and "frozen already" in result.stderr and result.stderr.count("\n") == 1


def test_support_vectors_of_a_checkpoint_appear_in_order(kinds):
    """An update of a vector before its first one wrote beyond the coefficients: found by the sanitizers."""
    state, go_on = kinds["checkpoint"]
    parts = ModelParts(state.to_bytes())
    parts.set("learner/update_vectors", parts.array("learner/update_vectors")[::-1])
    with pytest.raises(ModelFileError, match="in the order of their numbers"):
        go_on(type(state)(rebuilt(parts)))


def test_identical_runs_give_identical_files(tmp_path):
    lines = "".join(f"{'+1' if i % 2 else '-1'} {i % 5 + 1}:1 {i % 7 + 6}:1\n" for i in range(60))
    for name in ("one", "another"):
        (tmp_path / name).write_text(lines)
        assert run_here("train", "classify", str(tmp_path / name), "-o", str(tmp_path / f"{name}.m")).returncode == 0
    assert (tmp_path / "one.m").read_bytes() == (tmp_path / "another.m").read_bytes()


def test_every_kind_can_be_loaded_as_it_is(kinds):
    """A kind whose file is refused unchanged would make every attack on it idle."""
    for model, use in kinds.values():
        use(type(model).from_bytes(model.to_bytes()))


def test_a_short_attack(kinds):
    """The long one runs in children with limits: tests/attacks/model_files.py."""
    draw = random.Random(7)
    names = list(kinds)
    contents = {name: kinds[name][0].to_bytes() for name in names}
    for number in range(MUTANTS):
        name = names[number % len(names)]
        model, use = kinds[name]
        try:
            with np.errstate(all="ignore"):
                use(type(model).from_bytes(mutant(contents[name], draw)))
        except ModelFileError as error:
            assert "\n" not in str(error)


def test_bytes_of_components_that_are_none():
    """445 of 1,031 raised whatever msgpack and spaCy met; the long attack is tests/attacks/component_bytes.py."""
    for name, component, state in components():
        draw = random.Random(name)
        for data in [*STRANGE, *(strange_bytes(state, draw) for _ in range(25))]:
            try:
                component.from_bytes(data)
            except ModelFileError as error:
                assert "\n" not in str(error)

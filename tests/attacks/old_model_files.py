"""Model files as strangers change them, of any version of kakari; old_findings.py runs these attacks."""

from __future__ import annotations

import contextlib
import json
import re
import signal
import struct
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

KAKARI = [sys.executable, "-W", "ignore", "-m", "kakari"]
PATIENCE = 20  # seconds of a command that takes one
TYPES = {"F64": "f8", "F32": "f4", "I64": "i8", "I32": "i4", "I16": "i2", "I8": "i1", "U64": "u8", "U32": "u4"}
TYPES |= {"U16": "u2", "U8": "u1", "BOOL": "?"}
NAMES = {np.dtype(kind): name for name, kind in TYPES.items()}
Found = tuple[bool, str]
FINDINGS: dict[str, Callable[[Path], list[Found]]] = {}


def finding(function: Callable[[Path], list[Found]]) -> Callable[[Path], list[Found]]:
    """Register what tries a finding."""
    FINDINGS[function.__name__] = function
    return function


# ---- commands ----


def run(*arguments: object, given: str | None = None) -> subprocess.CompletedProcess[str] | None:
    """Run a command of kakari; None if it does not end."""
    with contextlib.suppress(subprocess.TimeoutExpired):
        return subprocess.run(
            [*KAKARI, *map(str, arguments)], capture_output=True, text=True, input=given, timeout=PATIENCE, check=False
        )
    return None


def made(*arguments: object, given: str | None = None) -> None:
    """Run a command that must succeed: it makes what is attacked."""
    found = run(*arguments, given=given)
    if found is None or found.returncode:
        raise SystemExit(f"{arguments}: {found and found.stderr}")


def told(found: subprocess.CompletedProcess[str] | None) -> str:
    """Return how a command ended."""
    if found is None:
        return f"still at work after {PATIENCE} s"
    if found.returncode < 0:
        return signal.Signals(-found.returncode).name
    lines = found.stderr.strip().splitlines() or [""]
    return f"exit {found.returncode}" + (f", {len(lines)} lines, {lines[-1][:90]}" if lines[-1] else "")


def refusal(*arguments: object, given: str | None = None) -> Found:
    """Run a command that must say in one line what is wrong."""
    found = run(*arguments, given=given)
    right = found is not None and found.returncode in (1, 2) and len(found.stderr.strip().splitlines()) == 1
    return right, told(found)


def success(*arguments: object, given: str | None = None) -> Found:
    """Run a command that must do its work."""
    found = run(*arguments, given=given)
    return found is not None and found.returncode == 0, told(found)


# ---- model files of any version ----


class File:
    """A model file in pieces."""

    def __init__(self, path: Path) -> None:
        content = path.read_bytes()
        (size,) = struct.unpack("<Q", content[:8])
        header = json.loads(content[8 : 8 + size])
        self.metadata = json.loads(header.pop("__metadata__")["kakari"])
        compressed = self.metadata.pop("compressed", {})
        self.arrays: dict[str, np.ndarray[Any, Any]] = {}
        for name, entry in header.items():
            begin, end = entry["data_offsets"]
            raw, (kind, *shape) = content[8 + size + begin : 8 + size + end], (entry["dtype"], *entry["shape"])
            if name in compressed:
                raw, (kind, *shape) = zlib.decompress(raw), compressed[name]
            self.arrays[name] = np.frombuffer(raw, dtype=TYPES.get(kind, kind)).reshape(shape).copy()

    def settings(self, name: str, value: Any = None) -> list[dict[str, Any]]:
        """Return every table of the metadata that has a setting of this name."""
        value = self.metadata if value is None else value
        below = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        found = [one for part in below if isinstance(part, (dict, list)) for one in self.settings(name, part)]
        return [value, *found] if isinstance(value, dict) and name in value else found

    def named(self, pattern: str) -> list[str]:
        """Return the names of arrays that a pattern finds; there must be one."""
        found = [name for name in self.arrays if re.search(pattern, name)]
        assert found, (pattern, list(self.arrays))
        return found

    def header(self) -> tuple[dict[str, Any], bytes]:
        """Return a header that fits, and the bytes."""
        header, data = {}, b""
        for name, array in sorted(self.arrays.items(), key=lambda one: -one[1].dtype.itemsize):
            offsets = [len(data), len(data) + array.nbytes]
            header[name] = {"dtype": NAMES[array.dtype], "shape": list(array.shape), "data_offsets": offsets}
            data += array.tobytes()
        return header, data

    def write(self, path: Path, header: Any = None, metadata: Any = None, data: bytes | None = None) -> Path:
        """Write the file, with another header if one is given."""
        own, content = self.header()
        text = metadata if isinstance(metadata, str) else json.dumps(metadata or self.metadata)
        whole = header if isinstance(header, str) else json.dumps({"__metadata__": {"kakari": text}, **(header or own)})
        raw = whole.encode() + b" " * (-len(whole.encode()) % 8)
        path.write_bytes(struct.pack("<Q", len(raw)) + raw + (content if data is None else data))
        return path


def examples(folder: Path) -> Path:
    """Return a file of examples with names."""
    path = folder / "examples.tsv"
    path.write_text("".join(f"{'yes' if i % 2 else 'no'}\ta{i % 5}\tb{i % 7}\n" for i in range(60)), "utf-8")
    return path


def classifier(folder: Path, kind: str | None = None) -> Path:
    """Return a classifier, frozen or not."""
    made("train", "classify", examples(folder), "-o", folder / "exact")
    if kind is None:
        return folder / "exact"
    made("freeze", folder / "exact", "-o", folder / kind, "--kind", kind)
    return folder / kind


def embedded(name: str) -> Path:
    """Return the file of an embedded model."""
    from importlib import resources

    return Path(str(resources.files("kakari.models") / "pretrained" / f"{name}.safetensors"))


def japanese(folder: Path) -> File:
    """Return a Japanese model of the sample."""
    made("train", "ja-dependency", "sample-ja", "-o", folder / "ja")
    return File(folder / "ja")


# ---- memory errors from a model file ----


@finding
def slots_out_of_range(folder: Path) -> list[Found]:
    """1. A slot that no feature has."""
    found = []
    for name, slot in (("segment_slots", 100), ("pair_slots", 1_000_000), ("segment_slots", 1_000_000)):
        model = japanese(folder)
        for table in model.settings(name):
            table[name].append(slot)
        path = model.write(folder / "bad")
        found.append(refusal("parse", "-l", "ja", "--model", path, given="太郎は花子が読んでいる本を次郎に渡した。"))
    return found


@finding
def repeated_postings(folder: Path) -> list[Found]:
    """2. A support vector that stands in a posting list 70,000 times."""
    model = File(classifier(folder, "inverted"))
    (postings,), (starts,) = model.named("postings$"), model.named("posting_starts$")
    times = 70_000 // len(model.arrays[postings]) + 1
    model.arrays[postings] = np.repeat(model.arrays[postings], times)
    model.arrays[starts] = model.arrays[starts] * times
    return [refusal("predict", model.write(folder / "bad"), examples(folder))]


@finding
def vocabulary_of_another_type(folder: Path) -> list[Found]:
    """3. Starts that wrap, and whatever else finds strings as floats."""
    found = []
    for pattern, kind in ((r"vocabulary.slots$|vocabulary.starts$", "f8"), (r"vocabulary.starts$", "u8")):
        model = File(classifier(folder))
        for name in sorted(model.named(pattern))[:1]:  # the slots of a version that stores them
            model.arrays[name] = model.arrays[name].astype(kind)
            if kind == "u8":
                model.arrays[name][1:-1] = 2**64 - 2**20
            else:
                model.arrays[name] = np.where(model.arrays[name] < 0, -0.5, model.arrays[name])
        found.append(refusal("predict", model.write(folder / "bad"), examples(folder)))
    return found


@finding
def sparse_rows(folder: Path) -> list[Found]:
    """4. Columns and starts of sparse rows that SciPy follows."""
    data = folder / "trees.txt"
    lines = [
        f"{'+1' if i % 2 else '-1'} |BT| (S (N a{i % 4})) |ET| {i % 3 + 1}:1 {i % 5 + 4}:2 |EV|" for i in range(20)
    ]
    data.write_text("\n".join(lines) + "\n", "utf-8")
    made("train", "trees", data, "-o", folder / "m", *KERNEL)
    found = []
    for pattern, value in ((r"rows.columns$", -5), (r"rows.starts$", 1 << 40), (r"rows.starts$", -1)):
        model = File(folder / "m")
        for name in model.named(pattern):
            model.arrays[name][1] = min(value, np.iinfo(model.arrays[name].dtype).max)
        found.append(refusal("predict", model.write(folder / "bad"), data))
    return found


KERNEL = ("--vector", "rbf")


@finding
def negative_counts(folder: Path) -> list[Found]:
    """5. Linear tables with negative counts and places."""
    found = []
    for name in ("counts", "places"):
        model = File(embedded("en-arguments"))
        (own,) = model.named(rf"roles\b.*{name}$")
        array = model.arrays[own].astype(np.int8)
        array[:2000] = -1
        model.arrays[own] = array
        path = model.write(folder / "bad")
        found.append(refusal("evaluate", path, "sample-en"))
    return found


@finding
def grammar_without_actions(folder: Path) -> list[Found]:
    """6. A grammar whose beam has no legal action."""
    made("train", "en-constituency", "sample-en", "-o", folder / "en")
    model = File(folder / "en")
    for table in model.settings("actions"):
        table["actions"] = table["actions"][:2]
    for name in model.named(r"parser\b.*(counts|checks|places|amounts|sizes)$"):
        own = model.arrays[name]
        new = np.zeros(1, dtype=np.uint16) if name.endswith("sizes") else own[:0]
        packed = own.dtype == np.uint8 and bytes(own[:1]) == b"x" and not name.endswith("checks")  # of version 0.1
        model.arrays[name] = np.frombuffer(zlib.compress(new.tobytes()), dtype=np.uint8) if packed else new
    for name in model.named("seen$"):
        model.arrays[name] = model.arrays[name][:0]
    path = model.write(folder / "bad")
    return [refusal("parse", "-l", "en", "--model", path, "-f", "ptb", given="He gave her a book.")]


@finding
def bombs_and_beams(folder: Path) -> list[Found]:
    """7. Two megabytes that become two gigabytes, and a beam of 10^9; in 1.5 GB of memory."""
    model = File(classifier(folder))
    (name,) = model.named(r"vocabulary.text$")
    packed = zlib.compress(bytes(2**31), 9)
    kind = "U8" if "contents" in model.metadata else "uint8"
    model.arrays[name] = np.frombuffer(packed, dtype=np.uint8)
    bomb = model.write(folder / "bomb", metadata={**model.metadata, "compressed": {name: [kind, 2**31]}})
    wide = File(embedded("en"))
    for key in ("beam", "tagger_beam"):
        for table in wide.settings(key):
            table[key] = 10**9
    beam = wide.write(folder / "wide")
    return [
        refusal("predict", bomb, examples(folder)),
        refusal("parse", "-l", "en", "--model", beam, "-f", "ptb", given="He gave her a book."),
    ]


@finding
def headers(folder: Path) -> list[Found]:
    """8. Overlaps, deep JSON, numbers without end, 70 dimensions, wrong types."""
    model = File(classifier(folder))
    header, data = model.header()
    one, other = list(header)[:2]
    begin, end = header[other]["data_offsets"]
    strange = {
        "overlap": {**header, other: {**header[other], "data_offsets": [0, end - begin]}},
        "deep": "[" * 200_000,
        "dimensions": {**header, one: {**header[one], "shape": [1] * 69 + header[one]["shape"]}},
        "types": {**header, one: {**header[one], "shape": 1.5}},
    }
    files = [model.write(folder / name, header=own, data=data) for name, own in strange.items()]
    text = re.sub(r'"bias": ?[-0-9.e]+', '"bias": 1e999', json.dumps(model.metadata))
    files += [model.write(folder / "endless", metadata=text), model.write(folder / "deeper", metadata="[" * 200_000)]
    return [refusal("predict", file, examples(folder)) for file in files]

"""Mutants of model files: headers, types, shapes, contents, compression and settings, changed where it matters.

A file is taken apart into its metadata and its arrays; a mutation changes one of them, and the file is put together
again, so that most mutants pass the outer checks and reach the inner ones.
"""

from __future__ import annotations

import copy
import json
import random
import struct
import zlib
from functools import cache
from typing import Any

import numpy as np

TYPES = {"F64": "f8", "F32": "f4", "I64": "i8", "I32": "i4", "I16": "i2", "I8": "i1", "U64": "u8", "U32": "u4"}
TYPES |= {"U16": "u2", "U8": "u1", "BOOL": "?", "F16": "f2"}
NUMBERS = (
    -1,
    0,
    1,
    2,
    3,
    7,
    100,
    255,
    256,
    65_535,
    65_536,
    1_000_000,
    2**31 - 1,
    2**31,
    2**32,
    2**63 - 1,
    2**64,
    10**40,
)
VALUES: tuple[Any, ...] = (
    *NUMBERS, -(2**31), 0.5, -1.5, 1e-300, 1e300, "", "x", "ovo", None, True, False, [], [[]], {}, [1, "x"], {"a": {}},
)  # fmt: skip


class ModelParts:
    """A model file in pieces: metadata, and the bytes of each array with type and shape."""

    def __init__(self, content: bytes) -> None:
        (size,) = struct.unpack("<Q", content[:8])
        header = json.loads(content[8 : 8 + size])
        self.metadata = json.loads(header.pop("__metadata__")["kakari"])
        self.arrays: dict[str, list[Any]] = {}
        for name, entry in header.items():
            begin, end = entry["data_offsets"]
            self.arrays[name] = [entry["dtype"], entry["shape"], content[8 + size + begin : 8 + size + end]]
        self.compressed = self.metadata.pop("compressed", {})
        for name, (dtype, *shape) in self.compressed.items():
            self.arrays[name] = [dtype, shape, zlib.decompress(self.arrays[name][2])]

    def header(self) -> tuple[dict[str, Any], bytes]:
        """Return a header that fits the arrays, and all their bytes."""
        header, data = {}, b""
        for name, (dtype, shape, content) in self.arrays.items():
            header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [len(data), len(data) + len(content)]}
            data += content
        return header, data

    def array(self, name: str) -> np.ndarray[Any, Any]:
        """Return an array that can be changed."""
        dtype, shape, content = self.arrays[name]
        return np.frombuffer(content, dtype=TYPES[dtype]).reshape(shape).copy()

    def set(self, name: str, array: np.ndarray[Any, Any]) -> None:
        """Put an array in the place of another."""
        names = {np.dtype(kind): dtype for dtype, kind in TYPES.items()}
        self.arrays[name] = [names[array.dtype], list(array.shape), np.ascontiguousarray(array).tobytes()]


def file_of(header: Any, metadata: Any, data: bytes) -> bytes:
    """Put a file together, however it is; text stands as it is."""
    text = metadata if isinstance(metadata, str) else json.dumps(metadata)
    whole = header if isinstance(header, str) else json.dumps({"__metadata__": {"kakari": text}, **header})
    raw = whole.encode("utf-8", "surrogatepass")
    return struct.pack("<Q", len(raw)) + raw + data


def mutant(content: bytes, draw: random.Random) -> bytes:
    """Return a mutant of a model file."""
    if draw.random() < 0.05:
        return raw_mutant(content, draw)
    parts = ModelParts(content)
    for _ in range(draw.choice((1, 1, 1, 2, 3))):
        draw.choice((change_values, change_values, change_values, change_shape, change_type, change_setting,
                     change_setting, change_setting, change_names))(parts, draw)  # fmt: skip
    header, data = parts.header()
    chance = draw.random()
    if chance < 0.12:
        header, data = changed_header(header, data, draw)
    elif chance < 0.3:
        return compressed_mutant(parts, draw)
    if draw.random() < 0.03:
        return file_of(header, strange_text(parts.metadata, draw), data)
    return file_of(header, parts.metadata, data)


def raw_mutant(content: bytes, draw: random.Random) -> bytes:
    """Return a file with changed, missing or further bytes."""
    found = bytearray(content)
    for _ in range(draw.randint(1, 4)):
        place = draw.randrange(len(found) + 1) if draw.random() < 0.5 else draw.randrange(min(len(found), 3000) + 1)
        kind = draw.randrange(4)
        if kind == 0 and place < len(found):
            found[place] = draw.randrange(256)
        elif kind == 1:
            del found[place:]
        elif kind == 2:
            found[place:place] = draw.randbytes(draw.choice((1, 8, 100)))
        else:
            del found[place : place + draw.choice((1, 8, 64))]
    return bytes(found)


def change_values(parts: ModelParts, draw: random.Random) -> None:
    """Change some values of an array, or their order."""
    name = draw.choice(list(parts.arrays))
    array = parts.array(name)
    flat = array.reshape(-1)
    if not flat.size:
        return
    kind = draw.randrange(8)
    if kind < 4:
        for _ in range(draw.choice((1, 1, 3, 20))):
            flat[draw.randrange(flat.size)] = strange_value(array, draw)
    elif kind == 4:
        flat[:] = strange_value(array, draw)
    elif kind == 5:
        flat[:] = flat[::-1].copy()
    elif kind == 6:
        np.random.default_rng(draw.randrange(2**32)).shuffle(flat)
    else:
        begin = draw.randrange(flat.size)
        flat[begin : begin + 50] = flat[draw.randrange(flat.size)]
    parts.set(name, array)


def strange_value(array: np.ndarray[Any, Any], draw: random.Random) -> Any:
    """Return a value that the array's type can hold and its reader may not expect."""
    if array.dtype.kind == "f":
        return draw.choice((0.0, -1.0, 1e30, -1e30, np.inf, -np.inf, np.nan, 5e-324))
    if array.dtype.kind == "b":
        return draw.random() < 0.5
    info = np.iinfo(array.dtype)
    near = int(array.flat[draw.randrange(array.size)]) + draw.choice((-1, 1, 0, 2))
    value = draw.choice((info.min, info.max, 0, 1, -1, array.size, array.size - 1, near, draw.randint(-300, 300)))
    return min(max(value, info.min), info.max)


def change_shape(parts: ModelParts, draw: random.Random) -> None:
    """Make an array shorter, longer or of other dimensions, with a header that fits."""
    name = draw.choice(list(parts.arrays))
    array = parts.array(name)
    kind = draw.randrange(6)
    if kind == 0 and array.ndim:
        array = array[: max(0, array.shape[0] - draw.choice((1, 2, 10)))]
    elif kind == 1 and array.ndim:
        array = np.concatenate([array, array[: draw.choice((1, 5))]])
    elif kind == 2:
        array = array.reshape(-1)[:0]
    elif kind == 3:
        array = array.reshape(1, -1)
    elif kind == 4:
        array = array.reshape((1,) * draw.choice((5, 20)) + (-1,))
    elif array.size:
        array = np.resize(array, draw.choice((1, 2, 64, 65, 1000)))
    parts.set(name, array)


def change_type(parts: ModelParts, draw: random.Random) -> None:
    """Convert an array to another type, or read its bytes as one."""
    name = draw.choice(list(parts.arrays))
    array = parts.array(name)
    dtype = np.dtype(TYPES[draw.choice(list(TYPES))])
    if draw.random() < 0.7:
        with np.errstate(all="ignore"):
            parts.set(name, array.astype(dtype))
    elif array.size and array.nbytes % dtype.itemsize == 0:
        parts.set(name, np.frombuffer(array.tobytes(), dtype="u1").view("u1" if dtype.kind == "b" else dtype))


def places(value: Any, found: list[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    """List every place of a JSON value as container and key."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, below in items:
        found.append((value, key))
        places(below, found)
    return found


def change_setting(parts: ModelParts, draw: random.Random) -> None:
    """Change, remove or add a setting."""
    settings = [place for place in places(parts.metadata["contents"], []) if place[1] != "details"]
    if not settings:
        return
    container, key = draw.choice(settings)
    kind = draw.randrange(8)
    if kind < 5:
        container[key] = draw.choice(VALUES)
    elif kind == 5:
        del container[key]
    elif kind == 6 and isinstance(container, list):
        container.append(copy.deepcopy(container[key]))
    elif isinstance(container, dict):
        container[f"{key}x"] = container[key]


def change_names(parts: ModelParts, draw: random.Random) -> None:
    """Remove, rename or swap arrays, or change task, schema and format."""
    names = list(parts.arrays)
    kind = draw.randrange(5)
    if kind == 0:
        del parts.arrays[draw.choice(names)]
    elif kind == 1:
        parts.arrays[draw.choice(names) + draw.choice(("x", "/x", "/"))] = ["U8", [2], b"ab"]
    elif kind < 4:
        one, other = draw.choice(names), draw.choice(names)
        parts.arrays[one], parts.arrays[other] = parts.arrays[other], parts.arrays[one]
    else:
        parts.metadata[draw.choice(("format", "kakari", "task", "schema", "contents"))] = draw.choice(VALUES)


def changed_header(header: Any, data: bytes, draw: random.Random) -> tuple[Any, bytes]:
    """Return a header that does not fit, overlaps or is no table."""
    name = draw.choice(list(header))
    kind = draw.randrange(8)
    if kind == 0:
        header[name]["data_offsets"] = [draw.choice(NUMBERS), draw.choice(NUMBERS)]
    elif kind == 1:
        header[name]["data_offsets"] = list(header[draw.choice(list(header))]["data_offsets"])
    elif kind == 2:
        header[name]["shape"] = [draw.choice(NUMBERS) for _ in range(draw.choice((1, 2, 70)))]
    elif kind == 3:
        header[name]["dtype"] = draw.choice((*TYPES, "F8", "", None, 3, ["F32"]))
    elif kind == 4:
        header[name] = draw.choice(VALUES)
    elif kind == 5:
        header[name][draw.choice(("dtype", "shape", "data_offsets"))] = draw.choice(VALUES)
    elif kind == 6:
        data = data + b"\0" * draw.choice((1, 8, 4096))
    else:
        return "[" * draw.choice((10, 100_000)), data
    return header, data


@cache
def zeros(size: int) -> bytes:
    """Return so many zeros, compressed."""
    return zlib.compress(bytes(size), 1)


def compressed_mutant(parts: ModelParts, draw: random.Random) -> bytes:
    """Return a file with compressed arrays, most of them honest."""
    told: dict[str, Any] = {}
    for name, (dtype, shape, content) in parts.arrays.items():
        if draw.random() < 0.5:
            told[name] = [dtype, *shape]
            parts.arrays[name] = ["U8", [0], zlib.compress(content, 1)]
    name = draw.choice(list(parts.arrays))
    kind = draw.randrange(6)
    if kind == 0:
        told[name] = [draw.choice((*TYPES, "x", 3)), *(draw.choice(NUMBERS) for _ in range(draw.choice((0, 1, 2, 70))))]
    elif kind == 1:
        told[name] = draw.choice(VALUES)
    elif kind == 2:  # a bomb
        size = draw.choice((1 << 16, 1 << 24, 1 << 26))
        told[name] = ["U8", draw.choice((size, size // 2, 2**40))]
        parts.arrays[name][2] = zeros(size)
    elif kind == 3 and name in told:
        content = parts.arrays[name][2]
        parts.arrays[name][2] = content[: draw.randrange(len(content))] + draw.randbytes(draw.choice((0, 4)))
    for entry in parts.arrays.values():
        if entry[1] == [0] and entry[0] == "U8":
            entry[1] = [len(entry[2])]
    header, data = parts.header()
    return file_of(header, {**parts.metadata, "compressed": told}, data)


def strange_text(metadata: Any, draw: random.Random) -> str:
    """Return the metadata as a text that is hardly JSON."""
    text = json.dumps(metadata)
    kind = draw.randrange(5)
    if kind == 0:
        return "[" * 100_000
    if kind == 1:
        return text.replace(": 1", ": 1e999", 1)
    if kind == 2:
        return text.replace(": 1", f": {draw.choice(('NaN', 'Infinity', '1' * 5000, '-0.0', '1E400'))}", 1)
    if kind == 3:
        return text[: draw.randrange(len(text))]
    return text.replace('"settings"', '"settings": {}, "settings"', 1)

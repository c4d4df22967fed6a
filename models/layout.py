"""The bytes of a model file: a safetensors header, one JSON text of metadata in it, and the arrays one after another.

Any input may be hostile. The header is JSON of bounded size and depth without infinite numbers; the arrays lie end to
end, without gaps or overlaps; the declared size of an array must be that of its bytes, and that of a compressed array
one that its bytes can expand to. All arrays together are at most four times as large as the file plus 64 MB: `written`
keeps to that, and `parsed` refuses the rest before any memory is taken.
"""

from __future__ import annotations

import json
import math
import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

Arrays = dict[str, NDArray[Any]]
METADATA_KEY = "kakari"
COMPRESSED = "compressed"  # in the metadata: type and shape of each compressed array
LONGEST_HEADER = 1 << 24
MOST_DIMENSIONS = 8
GROWTH, ROOM = 4, 1 << 26  # all arrays together have at most GROWTH times the size of their file plus ROOM bytes
DENSEST = 1032  # bytes that one byte of zlib data can expand to
WORTHWHILE = 0.95  # an array is compressed if it shrinks to less than this share
TYPES: dict[str, Any] = {
    "F64": np.float64,
    "F32": np.float32,
    "F16": np.float16,
    "I64": np.int64,
    "I32": np.int32,
    "I16": np.int16,
    "I8": np.int8,
    "U64": np.uint64,
    "U32": np.uint32,
    "U16": np.uint16,
    "U8": np.uint8,
    "BOOL": np.bool_,
}
NAMES = {np.dtype(dtype): name for name, dtype in TYPES.items()}


class LayoutError(ValueError):
    """Bytes that are not those of a model file; the text says why."""


def written(arrays: Mapping[str, Any], metadata: Mapping[str, Any], *, compressed: bool) -> bytes:
    """Return arrays and metadata as the bytes of a file; the same content gives the same bytes.

    Examples
    --------
    >>> arrays, metadata = parsed(np.frombuffer(written({"x": np.arange(3)}, {"n": 1}, compressed=True), np.uint8))
    >>> arrays["x"].tolist(), metadata["n"]
    ([0, 1, 2], 1)
    """
    from safetensors.numpy import save

    told = dict(metadata)
    held = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
    if compressed:
        told[COMPRESSED], held = _compressed(held)
    text = json.dumps(told, ensure_ascii=False, sort_keys=True, allow_nan=False)
    if len(text.encode("utf-8", "surrogatepass")) > LONGEST_HEADER // 2:
        raise LayoutError(f"the settings are longer than {LONGEST_HEADER // 2} bytes")
    # One key of metadata only: safetensors does not keep the order of several.
    return save(held, {METADATA_KEY: text})


def parsed(content: NDArray[np.uint8]) -> tuple[Arrays, dict[str, Any]]:
    """Return the arrays of a file, read-only and as they were before any compression, and its metadata."""
    header, start = _header(content)
    metadata = _metadata(header.pop("__metadata__", None))
    data = content[start:]
    arrays = _arrays(header, data)
    compressed = metadata.pop(COMPRESSED, {})
    if not isinstance(compressed, dict):
        raise LayoutError("what the file says of its compressed arrays is damaged")
    return _inflated(arrays, compressed, content.size), metadata


def parsed_metadata(content: NDArray[np.uint8]) -> dict[str, Any]:
    """Return the metadata alone."""
    header, _ = _header(content)
    metadata = _metadata(header.get("__metadata__"))
    metadata.pop(COMPRESSED, None)
    return metadata


def header_size(beginning: bytes) -> int:
    """Return how many bytes the header has, its length included, by the first eight of them."""
    if beginning.startswith(b"\x1f\x8b"):
        raise LayoutError("this is a gzip file, not a model: unpack it first")
    length = int.from_bytes(beginning, "little") if len(beginning) == 8 else 0
    if not 2 <= length <= LONGEST_HEADER:
        raise LayoutError("this is not a model: it does not start like a safetensors file")
    return 8 + length


def _header(content: NDArray[np.uint8]) -> tuple[dict[str, Any], int]:
    start = header_size(content[:8].tobytes())
    if start > content.size:
        raise LayoutError("the file is cut short, or not a model")
    header = _json(content[8:start].tobytes(), "this is not a model: its header is not JSON")
    if not isinstance(header, dict):
        raise LayoutError("this is not a model: its header is no table")
    return header, start


def _metadata(found: Any) -> dict[str, Any]:
    if not isinstance(found, dict) or not isinstance(found.get(METADATA_KEY), str):
        raise LayoutError("this safetensors file was not made by kakari")
    metadata = _json(found[METADATA_KEY], "the file's metadata is damaged")
    if not isinstance(metadata, dict):
        raise LayoutError("the file's metadata is damaged")
    return metadata


def _json(text: str | bytes, reason: str) -> Any:
    """Return a JSON value without infinite numbers and repeated names."""
    try:
        return json.loads(text, parse_float=_finite, parse_constant=_finite, object_pairs_hook=_once)
    except (ValueError, RecursionError):
        raise LayoutError(reason) from None


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(text)
    return number


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name stands there twice")
    return found


def _arrays(header: Mapping[str, Any], data: NDArray[np.uint8]) -> Arrays:
    """Return the arrays, which must lie end to end."""
    places = {name: _place(name, entry) for name, entry in header.items()}
    at = 0
    for name in sorted(places, key=lambda name: places[name][2:]):
        begin, end = places[name][2:]
        if begin != at:
            raise LayoutError(f"the array '{name}' does not begin where the one before it ends")
        at = end
    if at > data.size:
        raise LayoutError("the file is cut short: not all arrays are complete")
    if at < data.size:
        raise LayoutError("the file is longer than its header says")
    return {name: _view(data[begin:end], dtype, shape) for name, (dtype, shape, begin, end) in places.items()}


def _place(name: str, entry: Any) -> tuple[Any, tuple[int, ...], int, int]:
    if not isinstance(entry, dict) or entry.keys() != {"dtype", "shape", "data_offsets"}:
        raise LayoutError(f"the description of the array '{name}' is damaged")
    kind, offsets = entry["dtype"], entry["data_offsets"]
    if not isinstance(kind, str) or kind not in TYPES or not _whole(offsets) or len(offsets) != 2:
        raise LayoutError(f"the description of the array '{name}' is damaged")
    dtype = np.dtype(TYPES[kind])
    shape = _shape(name, entry["shape"])
    begin, end = offsets
    if begin > end or end - begin != math.prod(shape) * dtype.itemsize:
        raise LayoutError(f"the array '{name}' does not have the size that its shape needs")
    return dtype, shape, begin, end


def _shape(name: str, shape: Any) -> tuple[int, ...]:
    if not _whole(shape) or len(shape) > MOST_DIMENSIONS:
        raise LayoutError(f"the shape of the array '{name}' is damaged")
    return tuple(shape)


def _whole(values: Any) -> bool:
    """Return whether this is a list of whole numbers that can be sizes of an array."""
    return isinstance(values, list) and all(type(value) is int and 0 <= value < 2**48 for value in values)


def _view(piece: NDArray[np.uint8], dtype: Any, shape: tuple[int, ...]) -> NDArray[Any]:
    if piece.ctypes.data % dtype.alignment:
        piece = piece.copy()
    array: NDArray[Any] = np.asarray(piece).view(dtype).reshape(shape)
    if dtype == np.bool_ and array.size and piece.max() > 1:
        raise LayoutError("an array of truth values has others")
    array.flags.writeable = False
    return array


def _compressed(arrays: Arrays) -> tuple[dict[str, list[Any]], Arrays]:
    """Compress the arrays that get smaller; return types and shapes of these, and all arrays."""
    told: dict[str, list[Any]] = {}
    held = dict(arrays)
    for name, array in arrays.items():
        small = zlib.compress(array.tobytes(), 9)
        if len(small) < WORTHWHILE * array.nbytes:
            told[name] = [NAMES[array.dtype], *array.shape]
            held[name] = np.frombuffer(small, dtype=np.uint8)
    saved = sorted(told, key=lambda name: held[name].nbytes - arrays[name].nbytes)
    while saved and not _fits(sum(array.nbytes for array in arrays.values()), sum(a.nbytes for a in held.values())):
        name = saved.pop(0)
        del told[name]
        held[name] = arrays[name]
    return told, held


def _fits(size: int, file_size: int) -> bool:
    return size <= GROWTH * file_size + ROOM


def _inflated(arrays: Arrays, compressed: Mapping[str, Any], file_size: int) -> Arrays:
    """Return the arrays with those decompressed that were compressed; sizes are checked before that."""
    declared: dict[str, tuple[Any, tuple[int, ...], int]] = {}
    for name, told in compressed.items():
        known = isinstance(told, list) and told and isinstance(told[0], str) and told[0] in TYPES
        if name not in arrays or not known:
            raise LayoutError("what the file says of its compressed arrays is damaged")
        dtype, shape = np.dtype(TYPES[told[0]]), _shape(name, told[1:])
        size = math.prod(shape) * dtype.itemsize
        stored = arrays[name]
        if stored.dtype != np.uint8 or stored.ndim != 1 or size > DENSEST * stored.size:
            raise LayoutError(f"the compressed array '{name}' cannot have the size that its shape needs")
        declared[name] = dtype, shape, size
    if not _fits(sum(size for _, _, size in declared.values()), file_size):
        raise LayoutError("the compressed arrays would need too much memory for a file of this size")
    made = dict(arrays)
    for name, (dtype, shape, size) in declared.items():
        made[name] = _view(np.frombuffer(_decompressed(name, arrays[name], size), dtype=np.uint8), dtype, shape)
    return made


def _decompressed(name: str, content: NDArray[np.uint8], size: int) -> bytes:
    """Return as many bytes as were declared; more or fewer of them are an error."""
    stream = zlib.decompressobj()
    try:
        found = stream.decompress(content.data, size) if size else b""
        rest = stream.decompress(stream.unconsumed_tail if size else content.data, 1)
    except zlib.error as error:
        raise LayoutError(f"the compressed array '{name}' is damaged ({error})") from None
    if len(found) != size or rest or not stream.eof or stream.unused_data:
        raise LayoutError(f"the compressed array '{name}' does not have the size that its shape needs")
    return found

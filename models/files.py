"""Model files: safetensors with one JSON text of metadata, mapped into memory when read.

The metadata always says `format` (of this file), `kakari` (the version that wrote it) and `task`; the rest belongs
to the task. Arrays may be compressed, each by itself: such a file is smaller, and read rather than mapped. A file is
written beside its target and renamed. What is cut short, foreign or newer is refused with the reason. Nothing is ever
unpickled.
"""

from __future__ import annotations

import json
import math
import os
import tempfile
import zlib
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

Arrays = dict[str, NDArray[Any]]
FILE_FORMAT = 1
METADATA_KEY = "kakari"
COMPRESSED = "compressed"  # in the metadata: type and shape of each compressed array
LONGEST_HEADER = 100_000_000  # as in safetensors itself
TYPES = {
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


class ModelFileError(ValueError):
    """A model file that cannot be used; the text names the file and the reason."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(path, reason)
        self.path = path
        self.reason = reason

    def __str__(self) -> str:
        return f"{self.path}: {self.reason}"


def model_bytes(
    task: str, arrays: Mapping[str, Any], metadata: Mapping[str, Any], *, compressed: bool = False
) -> bytes:
    """Return the bytes of a model file; the same content gives the same bytes."""
    from safetensors.numpy import save

    told = {**metadata, "format": FILE_FORMAT, "kakari": version("kakari"), "task": task}
    held = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
    if compressed:
        told[COMPRESSED] = {name: [str(array.dtype), *array.shape] for name, array in held.items()}
        held = {name: deflated(array) for name, array in held.items()}
    text = json.dumps(told, ensure_ascii=False, sort_keys=True)
    # One key of metadata only: safetensors does not keep the order of several.
    return save(held, {METADATA_KEY: text})


def write_model(
    path: str | os.PathLike[str],
    task: str,
    arrays: Mapping[str, Any],
    metadata: Mapping[str, Any],
    *,
    compressed: bool = False,
) -> None:
    """Write a model file, on demand with compressed arrays.

    Examples
    --------
    >>> path = Path(tempfile.mkdtemp(), "x.safetensors")
    >>> write_model(path, "toy", {"weights": np.arange(3)}, {"degree": 2}, compressed=True)
    >>> arrays, metadata = read_model(path, "toy")
    >>> arrays["weights"].tolist(), metadata["degree"]
    ([0, 1, 2], 2)
    """
    content = model_bytes(task, arrays, metadata, compressed=compressed)
    target = Path(path)
    if target.is_dir():
        raise ModelFileError(str(path), "this is a folder, and no model can be written in its place")
    try:
        descriptor, beside = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    except OSError as error:
        raise ModelFileError(str(path), f"the file cannot be written: {error.strerror}") from None
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
        umask = os.umask(0)
        os.umask(umask)
        Path(beside).chmod(0o666 & ~umask)
        Path(beside).replace(target)
    except OSError as error:  # a full disk
        Path(beside).unlink(missing_ok=True)
        raise ModelFileError(str(path), f"the file cannot be written: {error.strerror}") from None
    except BaseException:
        Path(beside).unlink(missing_ok=True)
        raise


def read_model(path: str | os.PathLike[str], task: str | None = None) -> tuple[Arrays, dict[str, Any]]:
    """Map a model file; give its arrays, read-only and as they were before any compression, and its metadata.

    Raises
    ------
    ModelFileError
        If the file is missing, cut short, foreign, newer, or made for another task than asked for.
    """
    name = os.fspath(path)
    try:
        content = np.memmap(name, dtype=np.uint8, mode="r")
    except FileNotFoundError:
        raise ModelFileError(name, "there is no such file") from None
    except IsADirectoryError:
        raise ModelFileError(name, "this is a folder, not a model") from None
    except PermissionError:
        raise ModelFileError(name, "the file may not be read (permission denied)") from None
    except (OSError, ValueError) as error:  # ValueError: an empty file cannot be mapped
        raise ModelFileError(name, f"this is not a model: {error}") from None
    return _parsed(name, content, task)


def read_model_bytes(content: bytes, task: str | None = None) -> tuple[Arrays, dict[str, Any]]:
    """Read a model from the bytes of its file, without copying them.

    Examples
    --------
    >>> arrays, metadata = read_model_bytes(model_bytes("toy", {"weights": np.arange(3)}, {}))
    >>> arrays["weights"].tolist(), metadata["task"]
    ([0, 1, 2], 'toy')
    """
    return _parsed("<bytes>", np.frombuffer(content, dtype=np.uint8), task)


def deflated(array: NDArray[Any], level: int = 9) -> NDArray[np.uint8]:
    """Compress an array to bytes, which a model file holds in its place; level 1 is fast, 9 makes it smallest.

    Examples
    --------
    >>> inflated(deflated(np.arange(3, dtype=np.int16)), np.int16).tolist()
    [0, 1, 2]
    """
    return np.frombuffer(zlib.compress(np.ascontiguousarray(array).tobytes(), level), dtype=np.uint8)


def inflated(content: NDArray[np.uint8], dtype: DTypeLike) -> NDArray[Any]:
    """Return the array that `deflated` compressed."""
    try:
        return np.frombuffer(zlib.decompress(content.tobytes()), dtype=dtype)
    except zlib.error as error:
        raise ValueError(f"a compressed array is damaged ({error})") from None


def _parsed(name: str, content: NDArray[np.uint8], task: str | None) -> tuple[Arrays, dict[str, Any]]:
    header, start = _header(name, content)
    metadata = _metadata(name, header.pop("__metadata__", None), task)
    arrays = {key: _array(name, content[start:], key, entry) for key, entry in header.items()}
    ends = [entry["data_offsets"][1] for entry in header.values()]
    if max(ends, default=0) != content.size - start:
        raise ModelFileError(name, "the file is longer than its header says")
    compressed = metadata.pop(COMPRESSED, {})
    try:
        for key, (dtype, *shape) in compressed.items():
            arrays[key] = inflated(arrays[key], dtype).reshape(shape)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ModelFileError(name, f"what the file says of its compressed arrays is damaged: {error}") from None
    return arrays, metadata


def _header(name: str, content: NDArray[np.uint8]) -> tuple[dict[str, Any], int]:
    length = int.from_bytes(content[:8].tobytes(), "little") if content.size >= 8 else 0
    if not 2 <= length <= LONGEST_HEADER:
        raise ModelFileError(name, "this is not a model: it does not start like a safetensors file")
    if 8 + length > content.size:
        raise ModelFileError(name, "the file is cut short, or not a model")
    try:
        header = json.loads(content[8 : 8 + length].tobytes())
    except ValueError:
        raise ModelFileError(name, "this is not a model: its header is not JSON") from None
    if not isinstance(header, dict):
        raise ModelFileError(name, "this is not a model: its header is no table")
    return header, 8 + length


def _metadata(name: str, found: Any, task: str | None) -> dict[str, Any]:
    if not isinstance(found, dict) or METADATA_KEY not in found:
        raise ModelFileError(name, "this safetensors file was not made by kakari")
    try:
        metadata = json.loads(found[METADATA_KEY])
        own_format, own_task = int(metadata["format"]), str(metadata["task"])
    except (ValueError, KeyError, TypeError):
        raise ModelFileError(name, "the file's metadata is damaged") from None
    if own_format > FILE_FORMAT:
        raise ModelFileError(
            name,
            f"the file has format {own_format}, made by kakari {metadata.get('kakari')}; this version reads up to"
            f" {FILE_FORMAT}: upgrade kakari",
        )
    if task is not None and own_task != task:
        raise ModelFileError(name, f"this is a model for '{own_task}', not for '{task}'")
    return dict(metadata)


def _array(name: str, data: NDArray[np.uint8], key: str, entry: Any) -> NDArray[Any]:
    try:
        dtype = np.dtype(TYPES[entry["dtype"]])
        shape = tuple(int(size) for size in entry["shape"])
        begin, end = (int(offset) for offset in entry["data_offsets"])
    except (KeyError, TypeError, ValueError):
        raise ModelFileError(name, f"the description of the array '{key}' is damaged") from None
    if min(shape, default=0) < 0 or not 0 <= begin <= end or end - begin != math.prod(shape) * dtype.itemsize:
        raise ModelFileError(name, f"the array '{key}' does not have the size that its shape needs")
    if end > data.size:
        raise ModelFileError(name, f"the file is cut short: the array '{key}' is not complete")
    piece = data[begin:end]
    if piece.ctypes.data % dtype.alignment:
        piece = piece.copy()
    array = np.asarray(piece).view(dtype).reshape(shape)
    array.flags.writeable = False
    return array


def named(arrays: Mapping[str, NDArray[Any]], prefix: str) -> dict[str, NDArray[Any]]:
    """Return the arrays whose names begin like this, without that beginning.

    Examples
    --------
    >>> named({"a.x": np.zeros(1), "b.x": np.ones(1)}, "b.")
    {'x': array([1.])}
    """
    return {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}

"""Model files: flat arrays in `safetensors`, everything else in its JSON header.

A file names its format, its version, the kakari that wrote it and the task, so that a foreign, newer or
truncated file is refused with its reason. It is written beside its place and renamed: a reader never sees
half of one.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

MAGIC = "kakari-model"
FORMAT = 1


class ModelFileError(ValueError):
    """A file that is no model we can read, or a place where none can be written; the text says why."""


def save_model(
    path: str | os.PathLike[str], task: str, arrays: Mapping[str, NDArray[Any]], details: Mapping[str, Any]
) -> None:
    """Write a model; the same arrays and details give the same bytes."""
    target = Path(path)
    data = model_bytes(task, arrays, details)
    try:
        descriptor, beside = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    except OSError as error:
        raise ModelFileError(f"{target}: the model cannot be written: {error.strerror}") from None
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        umask = os.umask(0)
        os.umask(umask)
        Path(beside).chmod(0o666 & ~umask)
        Path(beside).replace(target)
    except BaseException:
        Path(beside).unlink(missing_ok=True)
        raise


def model_bytes(task: str, arrays: Mapping[str, NDArray[Any]], details: Mapping[str, Any]) -> bytes:
    """Give a model as the bytes of its file."""
    from safetensors.numpy import save

    header = {
        "magic": MAGIC,
        "format": str(FORMAT),
        "kakari": version("kakari"),
        "task": task,
        "details": json.dumps(details, ensure_ascii=False, sort_keys=True),
    }
    return _in_order(
        save({name: np.ascontiguousarray(arrays[name]) for name in sorted(arrays)}, metadata=header)
    )


def _in_order(data: bytes) -> bytes:
    """Write the header's keys in order: safetensors itself leaves the order of metadata to chance."""
    size = int.from_bytes(data[:8], "little")
    header = json.dumps(json.loads(data[8 : 8 + size]), ensure_ascii=False, sort_keys=True).encode()
    header += b" " * (-len(header) % 8)
    return len(header).to_bytes(8, "little") + header + data[8 + size :]


def load_model(path: str | os.PathLike[str], task: str) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
    """Read a model's arrays and details, after making sure that it is one for the task."""
    name = os.fspath(path)
    try:
        data = Path(path).read_bytes()
    except FileNotFoundError:
        raise ModelFileError(f"{name}: there is no such file") from None
    except OSError as error:
        raise ModelFileError(f"{name}: the model cannot be read: {error.strerror}") from None
    return read_model_bytes(data, task, name)


def read_model_bytes(
    data: bytes, task: str, name: str = "<bytes>"
) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
    """Read what `model_bytes` gave.

    Examples
    --------
    >>> data = model_bytes("toy", {"weights": np.zeros(2)}, {"degree": 2})
    >>> arrays, details = read_model_bytes(data, "toy")
    >>> arrays["weights"].tolist(), details
    ([0.0, 0.0], {'degree': 2})
    >>> read_model_bytes(data[:-1], "toy", "x.safetensors")
    Traceback (most recent call last):
    ...
    kakari.models.flatfiles.ModelFileError: x.safetensors: this is no model file, or it is cut short
    """
    from safetensors import SafetensorError
    from safetensors.numpy import load

    header = _header(data, name)
    if header.get("magic") != MAGIC:
        raise ModelFileError(f"{name}: this is a safetensors file, but no model of kakari")
    if header.get("format") != str(FORMAT):
        raise ModelFileError(
            f"{name}: a model of format {header.get('format')}, written by kakari {header.get('kakari')};"
            f" this version reads format {FORMAT}"
        )
    if header.get("task") != task:
        raise ModelFileError(f"{name}: a model for {header.get('task')}, not for {task}")
    try:
        return load(data), json.loads(header["details"])
    except (SafetensorError, ValueError, KeyError):
        raise ModelFileError(f"{name}: this is no model file, or it is cut short") from None


def _header(data: bytes, name: str) -> dict[str, str]:
    """Read the safetensors header: its length in eight bytes, then JSON."""
    size = int.from_bytes(data[:8], "little")
    try:
        header = json.loads(data[8 : 8 + size])
        known = header.get("__metadata__", {})
        ends = [entry["data_offsets"][1] for key, entry in header.items() if key != "__metadata__"]
    except (ValueError, AttributeError, KeyError, TypeError):
        raise ModelFileError(f"{name}: this is no model file, or it is cut short") from None
    if len(data) != 8 + size + max(ends, default=0) or not isinstance(known, dict):
        raise ModelFileError(f"{name}: this is no model file, or it is cut short")
    return known

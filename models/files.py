"""Model files: the one way in which a model is saved and loaded.

A file is safetensors with one JSON text of metadata: `format` (of this file), `kakari` (the version that wrote it),
`task`, `schema` (of the features, where a model depends on them) and `contents` (the settings of all parts). A part's
arrays are named after it, with / between. Arrays can be compressed. A file is written beside its target, synced and
renamed. It is read whole, not mapped, so that a process is safe if a file it uses is cut short. A file that is cut
short, from another program, hostile or newer is refused with the reason. Nothing is ever unpickled.
"""

from __future__ import annotations

import os
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import lru_cache, wraps
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from kakari.kernels.stored import Contents, StoredError
from kakari.models.layout import LayoutError, header_size, parsed, parsed_metadata, written

FILE_FORMAT = 2
BYTES = "<bytes>"  # the name for messages of a model that is not in a file
Restored = TypeVar("Restored")
Model = TypeVar("Model", bound="StoredModel")


class ModelFileError(ValueError):
    """A model file that cannot be used; the text names the file and the reason."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(path, reason)
        self.path = path
        self.reason = reason

    def __str__(self) -> str:
        return f"{self.path}: {self.reason}"


class StoredModel(ABC):
    """A model that can be saved: `contents` and `from_contents` define what its file holds.

    Attributes
    ----------
    task : str
        What the model is for.
    """

    task: ClassVar[str]

    @abstractmethod
    def contents(self) -> Contents:
        """Return the saved form of the model."""

    @classmethod
    @abstractmethod
    def from_contents(cls: type[Model], contents: Contents) -> Model:
        """Rebuild the model; what does not fit is a `ValueError`."""

    @classmethod
    def schema(cls) -> str | None:
        """Return the name of the features that this version extracts, if the model depends on them."""
        return None

    def save(self, path: str | os.PathLike[str], *, compressed: bool = False) -> None:
        """Write the model to a file; `compressed` makes it two to four times smaller, and takes longer to write."""
        write_model(path, self.task, self.contents(), schema=self.schema(), compressed=compressed)

    def to_bytes(self, *, compressed: bool = False) -> bytes:
        """Return the model as the bytes of its file."""
        return model_bytes(self.task, self.contents(), schema=self.schema(), compressed=compressed)

    @classmethod
    def load(cls: type[Model], path: str | os.PathLike[str]) -> Model:
        """Read a model from a file."""
        return load_model(path, cls.task, cls.from_contents, schema=cls.schema())

    @classmethod
    def from_bytes(cls: type[Model], data: bytes) -> Model:
        """Read a model from the bytes of a file."""
        return load_model_bytes(data, cls.task, cls.from_contents, schema=cls.schema())


def model_bytes(task: str, contents: Contents, *, schema: str | None = None, compressed: bool = False) -> bytes:
    """Return the bytes of a model file; the same content gives the same bytes."""
    metadata = {
        "format": FILE_FORMAT,
        "kakari": kakari_version(),
        "task": task,
        "schema": schema,
        "contents": contents.outline(),
    }
    return written(dict(contents.flat_arrays()), metadata, compressed=compressed)


def write_model(
    path: str | os.PathLike[str],
    task: str,
    contents: Contents,
    *,
    schema: str | None = None,
    compressed: bool = False,
) -> None:
    """Write a model file, optionally with compressed arrays.

    Examples
    --------
    >>> path = Path(tempfile.mkdtemp(), "x.safetensors")
    >>> write_model(path, "toy", Contents({"weights": np.arange(3)}, {"degree": 2}), compressed=True)
    >>> contents = read_model(path, "toy")
    >>> contents.array("weights", np.int64).tolist(), contents.integer("degree", 1, 4)
    ([0, 1, 2], 2)
    """
    try:
        content = model_bytes(task, contents, schema=schema, compressed=compressed)
    except LayoutError as error:
        raise ModelFileError(os.fspath(path), str(error)) from None
    write_bytes(path, content)


def write_bytes(path: str | os.PathLike[str], content: bytes) -> None:
    """Write a file whole or not at all: beside its target, synced, then renamed."""
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
            file.flush()
            os.fsync(file.fileno())
        umask = os.umask(0)
        os.umask(umask)
        Path(beside).chmod(0o666 & ~umask)
        Path(beside).replace(target)
        _sync_folder(target.parent)
    except OSError as error:  # a full disk
        Path(beside).unlink(missing_ok=True)
        raise ModelFileError(str(path), f"the file cannot be written: {error.strerror}") from None
    except BaseException:
        Path(beside).unlink(missing_ok=True)
        raise


def _sync_folder(folder: Path) -> None:
    """Sync a folder, so that a renaming in it is permanent; Windows cannot open folders."""
    if hasattr(os, "O_DIRECTORY"):
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def load_model(
    path: str | os.PathLike[str],
    task: str,
    restore: Callable[[Contents], Restored],
    *,
    schema: str | None = None,
) -> Restored:
    """Read a model file and rebuild what it holds.

    Raises
    ------
    ModelFileError
        If the file cannot be read (see `read_model`), or its contents are not what `restore` takes.
    """
    return _restored(os.fspath(path), read_model(path, task, schema=schema), restore)


def load_model_bytes(
    data: bytes, task: str, restore: Callable[[Contents], Restored], *, schema: str | None = None
) -> Restored:
    """Rebuild a model from the bytes of its file."""
    return _restored(BYTES, read_model_bytes(data, task, schema=schema), restore)


def _restored(name: str, contents: Contents, restore: Callable[[Contents], Restored]) -> Restored:
    try:
        made = restore(contents)
        contents.refuse_leftovers()
    except ModelFileError:
        raise
    except ValueError as error:  # every error of the engine is one
        raise ModelFileError(name, f"the model does not fit together: {error}") from None
    return made


def read_model(path: str | os.PathLike[str], task: str | None = None, *, schema: str | None = None) -> Contents:
    """Read the contents of a model file.

    Raises
    ------
    ModelFileError
        If the file is missing, cut short, newer, of another program, or made for another task or for other features.
    """
    name = os.fspath(path)
    return _parsed(name, _read(name), task, schema)


def read_model_bytes(data: bytes, task: str | None = None, *, schema: str | None = None) -> Contents:
    """Read the contents of a model file's bytes, without copying them.

    Examples
    --------
    >>> contents = read_model_bytes(model_bytes("toy", Contents({"weights": np.arange(3)})), "toy")
    >>> contents.array("weights", np.int64).tolist()
    [0, 1, 2]
    """
    return _parsed(BYTES, np.frombuffer(data, dtype=np.uint8), task, schema)


def model_task(path: str | os.PathLike[str]) -> str:
    """Return the task of a model, read from the beginning of its file."""
    return str(model_metadata(path)["task"])


def bytes_task(data: bytes) -> str:
    """Return the task of a model, from the bytes of its file.

    Examples
    --------
    >>> bytes_task(model_bytes("toy", Contents({"weights": np.arange(3)})))
    'toy'
    """
    try:
        start = np.frombuffer(data[: header_size(data[:8])], dtype=np.uint8)
        return str(_checked(BYTES, parsed_metadata(start), None, None)["task"])
    except LayoutError as error:
        raise ModelFileError(BYTES, str(error)) from None


def model_metadata(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Return format, version, task, schema and contents of a file; only its beginning is read."""
    name = os.fspath(path)
    try:
        return _checked(name, parsed_metadata(_read(name, beginning=True)), None, None)
    except LayoutError as error:
        raise ModelFileError(name, str(error)) from None


def _parsed(name: str, content: NDArray[np.uint8], task: str | None, schema: str | None) -> Contents:
    try:
        arrays, metadata = parsed(content)
        return Contents.from_flat(arrays, _checked(name, metadata, task, schema)["contents"])
    except (LayoutError, StoredError) as error:
        raise ModelFileError(name, str(error)) from None


def _checked(name: str, metadata: dict[str, Any], task: str | None, schema: str | None) -> dict[str, Any]:
    """Return the metadata, refused if it does not fit the task and the schema."""
    own_format, own_task = metadata.get("format"), metadata.get("task")
    if type(own_format) is not int or not isinstance(own_task, str):
        raise ModelFileError(name, "the file's metadata is damaged")
    if own_format > FILE_FORMAT:
        reason = f"the file has format {own_format}, made by kakari {str(metadata.get('kakari'))[:20]}"
        raise ModelFileError(name, f"{reason}; this version reads {FILE_FORMAT}: upgrade kakari")
    if own_format < FILE_FORMAT:
        reason = f"the file has format {own_format} of an earlier kakari; this version reads {FILE_FORMAT}"
        raise ModelFileError(name, f"{reason}: train the model again")
    if metadata.keys() != {"format", "kakari", "task", "schema", "contents"}:
        raise ModelFileError(name, "the file's metadata is damaged")
    if task is not None and own_task != task:
        raise ModelFileError(name, f"this is a model for '{own_task}', not for '{task}'")
    if task is not None and metadata["schema"] != schema:
        raise ModelFileError(name, "the model was trained with other features than this version extracts")
    return metadata


def _read(name: str, *, beginning: bool = False) -> NDArray[np.uint8]:
    """Return the content of a file, or that of its header."""
    if "\0" in name:
        raise ModelFileError(name, "no file has such a name")
    try:
        with Path(name).open("rb", buffering=0) as file:
            size = os.fstat(file.fileno()).st_size
            if beginning:
                start = file.read(8)
                return np.frombuffer(start + file.read(header_size(start) - 8), dtype=np.uint8)
            content = np.empty(size, dtype=np.uint8)
            place = 0
            while place < size and (read := file.readinto(content.data[place:])):
                place += read
    except FileNotFoundError:
        raise ModelFileError(name, "there is no such file") from None
    except IsADirectoryError:
        raise ModelFileError(name, "this is a folder, not a model") from None
    except PermissionError:
        raise ModelFileError(name, "the file may not be read (permission denied)") from None
    except OSError as error:
        raise ModelFileError(name, f"the file cannot be read: {error.strerror}") from None
    if place < size:
        raise ModelFileError(name, "the file was cut short while it was read")
    return content


def loaded_once(load: Callable[..., Restored]) -> Callable[..., Restored]:
    """Make `load(name, …)` cache what it loaded until the file of that name changes.

    The name alone is not enough as a key: a file may be replaced, and a relative path means another file after a change
    of the working folder.

    Examples
    --------
    >>> read = loaded_once(lambda name: Path(name).read_text())
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "model")
    ...     for text in ("old", "newer"):
    ...         _ = path.write_text(text)
    ...         print(read(path), read(path) is read(path))
    old True
    newer True
    """

    @lru_cache(maxsize=8)
    def remembered(stamp: tuple[int, ...] | None, name: str, *settings: Any) -> Restored:
        return load(name, *settings)

    @wraps(load)
    def loaded(name: str, *settings: Any) -> Restored:
        try:
            found = Path(name).stat()
        except OSError:  # an embedded model's name, or `load` says what is wrong
            return remembered(None, name, *settings)
        return remembered((found.st_dev, found.st_ino, found.st_mtime_ns, found.st_size), name, *settings)

    return loaded


def kakari_version() -> str:
    """Return the version of kakari. Only writing needs it, so the slow import of importlib.metadata waits for that."""
    from importlib.metadata import version

    return version("kakari")

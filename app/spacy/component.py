"""Base of our spaCy components: a model, serialisation, and the training contract without Thinc."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar, Protocol

import srsly
from spacy import util
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example

from kakari.models.files import ModelFileError

MODEL_FILE = "model.safetensors"  # "model" in `exclude`


class TrainedModel(Protocol):
    """A model that is a file."""

    def save(self, path: Any) -> None:
        """Write it to a file."""

    def to_bytes(self) -> bytes:
        """Return the bytes of its file."""


class ModelComponent(ABC):
    """A component with one of our models.

    Attributes
    ----------
    embedded : str
        The name of the model in the package.
    """

    model = None
    is_trainable = True
    embedded: ClassVar[str]

    def __init__(self, nlp: Language, name: str, model_name: str, scorer: Callable[..., dict[str, Any]] | None) -> None:
        self.name = name
        self.vocab = nlp.vocab
        self.scorer = scorer
        self.cfg: dict[str, Any] = {"model": model_name}
        self._model: Any = None
        self.register_extensions()

    @staticmethod
    @abstractmethod
    def register_extensions() -> None:
        """Register what the component shows."""

    @staticmethod
    @abstractmethod
    def load_model(name: str) -> TrainedModel:
        """Return the embedded model, or the one of a file."""

    @staticmethod
    @abstractmethod
    def read_model(data: bytes) -> TrainedModel:
        """Return the model of a file's bytes."""

    @property
    def trained(self) -> Any:
        """The trained model; the embedded one, or the one at a path, is loaded on first use."""
        if self._model is None:
            self._model = self.load_model(self.cfg["model"])
        return self._model

    def __call__(self, doc: Doc) -> Doc:
        """Annotate one document."""
        self._annotate([doc])
        return doc

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 128) -> Iterator[Doc]:
        """Annotate many documents, a batch at a time."""
        waiting = iter(stream)
        while documents := list(islice(waiting, batch_size)):
            self._annotate(documents)
            yield from documents

    @abstractmethod
    def predict(self, documents: Sequence[Doc]) -> Any:
        """Find what the component finds, leaving the documents as they are (sentences are marked where none are)."""

    @abstractmethod
    def set_annotations(self, documents: Sequence[Doc], found: Any) -> None:
        """Put what `predict` found into the documents."""

    def _annotate(self, documents: Sequence[Doc]) -> None:
        self.set_annotations(documents, self.predict(documents))

    def update(
        self,
        examples: Iterable[Example],
        *,
        drop: float = 0.0,
        sgd: Any = None,
        losses: dict[str, float] | None = None,
    ) -> dict[str, float]:
        """Learn from a batch of examples, if the component learns beyond `initialize`, and add up the loss."""
        losses = {} if losses is None else losses
        losses[self.name] = losses.get(self.name, 0.0) + self._learn([example.reference for example in examples])
        return losses

    def _learn(self, documents: Sequence[Doc]) -> float:
        """Learn from annotated documents and return the loss: nothing by default, as `initialize` learned it all."""
        return 0.0

    def finish_update(self, sgd: Any) -> None:
        """Do nothing: there are no gradients."""
        return

    def score(self, examples: Iterable[Example], **options: Any) -> dict[str, Any]:
        """Score annotated examples."""
        return {} if self.scorer is None else self.scorer(examples, **options)

    def to_bytes(self, *, exclude: Iterable[str] = ()) -> bytes:
        """Return the component's state, the model included unless `exclude` names it."""
        parts: dict[str, Callable[[], Any]] = {"cfg": lambda: self.cfg, "model": lambda: self.trained.to_bytes()}
        return util.to_bytes(parts, exclude)

    def from_bytes(self, data: bytes, *, exclude: Iterable[str] = ()) -> ModelComponent:
        """Take over a state."""
        parts: dict[str, Callable[[Any], None]] = {
            "cfg": self._set_config,
            "model": lambda state: self._set_model(self.read_model(state)),
        }
        try:
            util.from_bytes(data, parts, exclude)
        except ModelFileError:
            raise
        except (ValueError, TypeError, KeyError, AttributeError, IndexError, OverflowError, RecursionError) as error:
            # spaCy hands on whatever its decoder of msgpack met.
            raise ModelFileError("<bytes>", f"these are not the bytes of a component: {error}") from None
        return self

    def to_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> None:
        """Write the component's folder."""
        parts: dict[str, Callable[[Path], None]] = {
            "cfg": lambda file: srsly.write_json(file, self.cfg),
            MODEL_FILE: lambda file: self.trained.save(file),
        }
        util.to_disk(path, parts, exclude)

    def from_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> ModelComponent:
        """Read the component's folder."""
        parts: dict[str, Callable[[Path], None]] = {
            "cfg": lambda file: self._set_config(dict(srsly.read_json(file))),
            MODEL_FILE: lambda file: self._set_model(self.load_model(str(file))),
        }
        util.from_disk(path, parts, exclude)
        return self

    def _set_config(self, config: dict[str, Any]) -> None:
        if not isinstance(config, dict) or config.keys() != self.cfg.keys():
            raise ModelFileError("<bytes>", "the settings of the component are damaged")
        if any(type(config[name]) is not type(value) for name, value in self.cfg.items()):
            raise ModelFileError("<bytes>", "the settings of the component are damaged")
        self.cfg = config

    def _set_model(self, model: TrainedModel) -> None:
        self._model = model

    def _is_embedded(self) -> bool:
        """Return whether another process would load the same model by its name."""
        return self.cfg["model"] == self.embedded and self._model is self.load_model(self.embedded)

    def __getstate__(self) -> dict[str, Any]:
        state = dict(self.__dict__)
        state["_model"] = None if self._model is None or self._is_embedded() else self._model.to_bytes()
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        model = state.pop("_model")
        self.__dict__.update(state)
        self._model = None if model is None else self.read_model(model)
        self.register_extensions()

"""The saved corrections of a model: the corrections in their order, and the layers that were learned from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from kakari.kernels.stored import Contents


class Layer(Protocol):
    """A layer that corrections add to one classifier."""

    def contents(self) -> Contents:
        """Return the saved form of the layer."""


Kind = TypeVar("Kind", bound=Layer)


@dataclass(frozen=True)
class Corrections(Generic[Kind]):
    """The history of a corrected model.

    The model itself is unchanged: saved without its corrections, it has the same bytes as before.

    Attributes
    ----------
    history : tuple of str
        The corrections in the order in which they were learned, each as its line in the user's file.
    layers : dict
        The layer that they add to each classifier.

    Examples
    --------
    >>> from kakari.models.correcting.kernel_layer import KernelLayer
    >>> made = Corrections(('{"text": "本を読む。"}',), {"parser": KernelLayer.empty(2)})
    >>> again = Corrections.from_contents(made.contents(), KernelLayer.from_contents)
    >>> again.history, sorted(again.layers)
    (('{"text": "本を読む。"}',), ['parser'])
    """

    history: tuple[str, ...] = ()
    layers: Mapping[str, Kind] = field(default_factory=dict)

    def contents(self) -> Contents:
        """Return the saved form of the corrections."""
        parts = {f"layer-{name}": layer.contents() for name, layer in sorted(self.layers.items())}
        return Contents.joined(parts, {"history": list(self.history), "layers": sorted(self.layers)})

    @staticmethod
    def from_contents(contents: Contents, restore: Callable[[Contents], Kind]) -> Corrections[Kind]:
        """Rebuild corrections from their `contents()`; `restore` rebuilds a layer."""
        names = contents.texts("layers", distinct=True)
        layers = {name: restore(contents.part(f"layer-{name}")) for name in names}
        return Corrections(tuple(contents.texts("history")), layers)

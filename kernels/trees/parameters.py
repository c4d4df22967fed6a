"""Kernels show their options as scikit-learn's estimators do, so that a grid can search over `kernel__decay`."""

from __future__ import annotations

import inspect
from typing import Any, ClassVar

from kakari.kernels.stored.contents import Contents


class Parameters:
    """Gives `get_params` and `set_params` to a class that stores every argument of its constructor by name.

    Examples
    --------
    >>> from kakari.kernels.trees.tree_kernel import TreeKernel
    >>> TreeKernel("st").get_params()["kind"], TreeKernel("st").set_params(decay=1.0).decay
    ('st', 1.0)
    """

    type_name: ClassVar[str]  # what a file calls kernels of this class

    def contents(self) -> Contents:
        """Return what a file holds of the kernel: its options."""
        options = self.get_params(deep=False)
        parts = {name: part.contents() for name, part in options.items() if isinstance(part, Parameters)}
        settings = {name: value for name, value in options.items() if name not in parts}
        return Contents.joined(parts, {"type": self.type_name, **settings})

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the options by name, those of parts as `part__option` if `deep`."""
        names = [name for name in inspect.signature(type(self)).parameters if name != "self"]
        options = {name: getattr(self, name) for name in names}
        if deep:
            parts = [(name, part) for name, part in options.items() if hasattr(part, "get_params")]
            for name, part in parts:
                options.update({f"{name}__{option}": value for option, value in part.get_params().items()})
        return options

    def set_params(self, **options: Any) -> Parameters:
        """Change options, checked as by the constructor."""
        known = self.get_params(deep=False)
        for name, value in options.items():
            part, divided, option = name.partition("__")
            if part not in known:
                raise ValueError(f"{type(self).__name__} has no option {part!r}: take one of {', '.join(known)}")
            known[part] = type(known[part])(**{**known[part].get_params(False), option: value}) if divided else value
        type(self).__init__(self, **known)
        return self

"""kakari reads raw text and finds its structure with kernel machines at the speed of linear models."""

from importlib.metadata import version as _version

__version__ = _version("kakari")

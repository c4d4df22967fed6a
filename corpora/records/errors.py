"""The one error that reading a corpus can raise."""

from __future__ import annotations


class CorpusError(ValueError):
    """Input that cannot be read, with the place and the reason in words.

    Attributes
    ----------
    path : str
        The file's name, `<stdin>` for standard input.
    line : int or None
        The line number, counted from 1; None where the whole file is meant.
    reason : str
        What is wrong.

    Examples
    --------
    >>> str(CorpusError("a.knp", 7, "the sentence does not end with EOS"))
    'a.knp:7: the sentence does not end with EOS'
    >>> str(CorpusError("a.knp", None, "there is no such file"))
    'a.knp: there is no such file'
    """

    def __init__(self, path: str, line: int | None, reason: str) -> None:
        super().__init__(path, line, reason)  # all three, so that pickling between processes works
        self.path = path
        self.line = line
        self.reason = reason

    def __str__(self) -> str:
        place = self.path if self.line is None else f"{self.path}:{self.line}"
        return f"{place}: {self.reason}"

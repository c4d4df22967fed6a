"""Limits of size: beyond them sentences are cut, or arguments are not looked for, and a warning says so.

Every path from text takes time linear in the text as long as sentences are bounded; no sentence that people wrote
comes near these limits. `docs/reliability.md` has the figures.
"""

from __future__ import annotations

import re
import warnings

LONGEST_JAPANESE = 2_000  # characters of a sentence; KWDLC's longest has 121
LONGEST_ENGLISH = 500  # tokens of a sentence
LONGEST_RUN = 500  # characters of English without a blank: addresses of pages may be as long
LONGEST_MARKS = 200  # characters of English without a blank, letter or digit
MOST_PREDICATES = 36  # of a sentence, whose arguments are looked for; one of EWT has 35

SURROGATES = re.compile("[\ud800-\udfff]")  # lone ones, which neither Sudachi nor spaCy takes
LONG_RUN = re.compile(rf"\S{{{LONGEST_MARKS},}}")
MARKS = re.compile(rf"[\W_]{{{LONGEST_MARKS}}}")


class TextWarning(UserWarning):
    """Text that was not analysed as it stands; the message says what was done instead."""


def tell(message: str) -> None:
    """Warn of text that is beyond a limit; a message says nothing of the text, since Python remembers all messages.

    Examples
    --------
    >>> with warnings.catch_warnings(record=True) as told:
    ...     warnings.simplefilter("always")
    ...     tell("a sentence was cut")
    >>> str(told[0].message)
    'a sentence was cut'
    """
    warnings.warn(message, TextWarning, stacklevel=2)


def run_cuts(text: str) -> list[int]:
    """Return the places where runs without blanks are cut: none for ordinary text.

    spaCy's rules take marks off both ends of such a run, one at a time, and look at all that is left after each: 8,000
    opening brackets take seconds, a megabyte of them days.

    Examples
    --------
    >>> run_cuts("one two"), run_cuts("a " + "(" * 450), run_cuts("a" * 1_200)
    ([], [202, 402], [500, 1000])
    """
    places: list[int] = []
    for run in LONG_RUN.finditer(text):
        begin, end = run.span()
        while begin < end:
            marks = MARKS.search(text, begin, min(end, begin + LONGEST_RUN))
            begin = marks.end() if marks else begin + LONGEST_RUN
            if begin < end:
                places.append(begin)
    return places

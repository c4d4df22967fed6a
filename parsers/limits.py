"""What text may cost: beyond these sizes sentences are cut, or arguments are not looked for, and a warning says so.

Every path from text takes time linear in the text as long as sentences are bounded; no sentence that people wrote
comes near these limits. `docs/reliability.md` has the figures.
"""

from __future__ import annotations

import warnings

LONGEST_JAPANESE = 2_000  # characters of a sentence; KWDLC's longest has 121
LONGEST_ENGLISH = 500  # tokens of a sentence
MOST_PREDICATES = 48  # of a sentence, whose arguments are looked for


class TextWarning(UserWarning):
    """Text that was not analysed as it stands; the message says what was done instead."""


def tell(message: str) -> None:
    """Warn of text that is beyond a limit; a message says nothing of the text, since Python remembers all messages.

    Examples
    --------
    >>> with warnings.catch_warnings(record=True) as told:
    ...     tell("a sentence was cut")
    >>> str(told[0].message)
    'a sentence was cut'
    """
    warnings.warn(message, TextWarning, stacklevel=2)

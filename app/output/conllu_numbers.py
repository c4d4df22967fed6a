"""Numbers of sentences in CoNLL-U text that several processes wrote."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

SENT_ID = re.compile("^# sent_id = ", re.MULTILINE)


def numbered(pieces: Iterable[str]) -> Iterator[str]:
    """Write the number of each sentence of CoNLL-U text that has none."""
    number = 0
    for piece in pieces:
        blocks = [block for block in piece.split("\n\n") if block]
        lines = [
            block if SENT_ID.search(block) else f"# sent_id = {number + place}\n{block}"
            for place, block in enumerate(blocks, 1)
        ]
        yield "".join(f"{block}\n\n" for block in lines)
        number += len(blocks)

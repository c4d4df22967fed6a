"""The features of a decision about a boundary, in words.

S0 is the morpheme before which a bunsetsu may begin, S1, S2 and S3 are those before it, T1 and T2 those behind it.
"""

from __future__ import annotations

from collections.abc import Sequence

from kakari.parsers.japanese.bunsetsu.segmentation import SegmentSlot
from kakari.parsers.japanese.words.shapes import shape_name

STRINGS = ("SURFACE", "POS", "FORM", "BASE", "FINE", "TYPE", "CHAR")
KIND_BITS = ("verb", "adjective", "copula", "particle", "auxiliary", "comma", "noun")  # from bit 5 of the kinds on
NUMBERS = ("SINCE", "LAST_LENGTH", "POINT_AHEAD")
WORDS = {
    "S1_KINDS": ("no space", "a space"),
    "BRACKETS": ("none open", "open"),
    "POINT": ("none yet", "one bunsetsu", "a boundary"),
}


def feature_name(width: int, feature: int, strings: Sequence[str]) -> str:
    """Return the name of a feature id.

    Examples
    --------
    >>> feature_name(300, 300 * SegmentSlot.SINCE + 2, []), feature_name(300, 300 * SegmentSlot.S1_KINDS + 1, [])
    ('SINCE=2', 'S1_KINDS=a space')
    >>> feature_name(300, 300 * SegmentSlot.S0_POS + 1, ["名詞", "助詞"])
    'S0_POS=助詞'
    """
    slot, value = divmod(int(feature), int(width))
    name = SegmentSlot(slot).name or str(slot)
    if name in WORDS and value < len(WORDS[name]):
        return f"{name}={WORDS[name][value]}"
    if name == "CHUNK_KINDS":
        return f"{name}={'+'.join(kind for bit, kind in enumerate(KIND_BITS) if value >> bit & 1) or '(none)'}"
    if name.endswith("SHAPE"):
        return f"{name}={shape_name(value)}"
    if name not in NUMBERS and name.endswith(STRINGS) and value < len(strings):
        return f"{name}={strings[value]}"
    return f"{name}={value}"

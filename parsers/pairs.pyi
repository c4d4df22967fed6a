from collections.abc import Iterable, Sequence
from enum import IntFlag

class Slot(IntFlag):
    D_HEAD_SURFACE = ...

GROUPS: dict[str, str]
SMALLEST_WIDTH: int

def slots_of(groups: Iterable[str]) -> list[int]: ...
def feature_name(width: int, feature: int, strings: Sequence[str]) -> str: ...

class Sentence:
    def __init__(self, width: int, slots: Iterable[int]) -> None: ...

"""Japanese sentences with bunsetsu, for training and evaluation."""

from __future__ import annotations

from kakari.corpora import catalogue
from kakari.corpora.records.errors import CorpusError
from kakari.corpora.records.japanese import JapaneseSentence


def read_japanese(reference: str) -> list[JapaneseSentence]:
    """Read the sentences of a corpus or file that has bunsetsu.

    As in `kakari corpora show`, a head in a file that does not exist or points to the left is refused. Corpora of the
    catalogue that are known to hold a few of these annotation errors are read as they are.

    Examples
    --------
    >>> read_japanese("sample-ja")[0].bunsetsu[0].text
    '太郎は'
    """
    entry = catalogue.format_in(reference)
    if entry.name not in ("knp", "cabocha"):
        raise CorpusError(reference, None, f"bunsetsu stand in KNP and CaboCha files; here are {entry.title}")
    sentences = list(catalogue.read(reference))
    if not sentences:
        raise CorpusError(reference, None, "there are no Japanese sentences with bunsetsu in it")
    return sentences

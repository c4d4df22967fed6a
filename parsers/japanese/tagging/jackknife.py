"""Words of training sentences as a segmenter finds them that has not seen these sentences.

What is trained behind a segmenter meets its errors later. It must meet them in training as well, and as often: each
fold of the sentences is cut by a model of the other folds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from kakari.corpora.records.japanese import JapaneseSentence
from kakari.parsers.japanese.tagging.entries import Entry
from kakari.parsers.japanese.tagging.model import FoundWord
from kakari.parsers.japanese.tagging.settings import WordsSettings
from kakari.parsers.japanese.tagging.training import BLOCK, train

FOLDS = 5


def jackknifed_words(
    sentences: Sequence[JapaneseSentence],
    dictionary: Iterable[Entry] = (),
    settings: WordsSettings | None = None,
    *,
    folds: int = FOLDS,
    report: Callable[[str], object] = lambda line: None,
) -> list[list[FoundWord]]:
    """Return the words of each sentence, found by a model of the other folds.

    Parameters
    ----------
    folds : int
        How many parts; sentences that stand together stay together in blocks, as neighbours share words.

    Examples
    --------
    >>> from kakari.corpora.catalogue import read
    >>> sentences = list(read("sample-ja"))
    >>> found = jackknifed_words(sentences, settings=WordsSettings(passes=1, tag_passes=1, learners=1), folds=2)
    >>> all("".join(word.surface for word in own) == one.text for own, one in zip(found, sentences))
    True
    """
    if not 2 <= folds <= len(sentences):
        raise ValueError(f"{len(sentences)} sentences cannot be put into {folds} folds, of which there are at least 2")
    block = min(BLOCK, -(-len(sentences) // folds))
    known = list(dictionary)
    found: list[list[FoundWord]] = [[] for _ in sentences]
    for fold in range(folds):
        inside = [place // block % folds == fold for place in range(len(sentences))]
        model = train([one for one, held in zip(sentences, inside, strict=True) if not held], known, settings)
        places = [place for place, held in enumerate(inside) if held]
        for place, words in zip(places, model.pipe(sentences[place].text for place in places), strict=True):
            found[place] = words
        report(f"fold {fold + 1} of {folds}: {len(places)} sentences cut")
    return found

"""Jack-knifed words: words of training sentences, found by a segmenter that has not seen these sentences.

A parser meets the errors of its segmenter in use. It must meet them as often in training: each fold of the sentences
is segmented by a model of the other folds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from kakari.corpora.records.japanese import JapaneseSentence, Morpheme
from kakari.models.reporting import Report, silent
from kakari.parsers.japanese.tagging.entries import Entry
from kakari.parsers.japanese.tagging.model import FoundWord
from kakari.parsers.japanese.tagging.settings import WordsSettings
from kakari.parsers.japanese.tagging.source import words_as_morphemes
from kakari.parsers.japanese.tagging.training import BLOCK, train
from kakari.parsers.japanese.words.morphemes import Lexicon, Morphemes

FOLDS = 5


class HeldWords:
    """Words that were found before, as a source of morphemes: those of each text.

    A text that occurs in several folds has the words of the last one.

    Examples
    --------
    >>> from kakari.parsers.japanese.tagging.model import pretrained_words
    >>> held = HeldWords({"本を": pretrained_words().analyse("本を")})
    >>> [word.surface for word in held.records("本を")]
    ['本', 'を']
    """

    def __init__(self, words: Mapping[str, Sequence[FoundWord]]) -> None:
        self.words = words

    def morphemes(self, texts: Iterable[str], lexicon: Lexicon) -> Morphemes:
        """Return the words of sentences."""
        return words_as_morphemes([self.words[text] for text in texts], lexicon)

    def records(self, text: str) -> list[Morpheme]:
        """Return the words of a sentence as records; white space left out."""
        return [word.to_morpheme() for word in self.words[text] if not word.surface.isspace()]


def jackknifed_words(
    sentences: Sequence[JapaneseSentence],
    dictionary: Iterable[Entry] = (),
    settings: WordsSettings | None = None,
    *,
    folds: int = FOLDS,
    report: Report = silent,
) -> list[list[FoundWord]]:
    """Return the words of each sentence, found by a model of the other folds.

    Parameters
    ----------
    folds : int
        Number of parts; neighbouring sentences, which share words, stay together in blocks.

    Examples
    --------
    >>> from kakari.corpora.catalogue import read
    >>> sentences = list(read("sample-ja"))
    >>> found = jackknifed_words(sentences, settings=WordsSettings(passes=1, tag_passes=1, learners=1), folds=2)
    >>> all("".join(word.surface for word in own) == one.text for own, one in zip(found, sentences))
    True
    """
    if not 2 <= folds <= len(sentences):
        raise ValueError(f"{len(sentences)} sentences cannot be put into {folds} folds: take 2 to {len(sentences)}")
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

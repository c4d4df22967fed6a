"""The spaCy pipelines that `kakari.load` returns, with embedded models."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spacy.language import Language

JAPANESE = {"nlp": {"tokenizer": {"@tokenizers": "kakari.JapaneseTokenizer.v1"}}}
OWN_WORDS = {"nlp": {"tokenizer": {"@tokenizers": "kakari.JapaneseWords.v1"}}}
ENGLISH = {"nlp": {"tokenizer": {"@tokenizers": "kakari.EnglishTokenizer.v1"}}}
PIPELINES: dict[str, tuple[str, ...]] = {
    "ja": ("kakari_bunsetsu", "kakari_dependency"),
    "en": (
        "kakari_tagger",
        "kakari_constituency",
        "kakari_parser",
        "kakari_question",
        "kakari_arguments",
        "kakari_sequence",
    ),
}


# The components that take a model of each task.
TAKERS: dict[str, dict[str, tuple[str, ...]]] = {
    "ja": {"ja-bunsetsu-dependency": PIPELINES["ja"]},
    "en": {
        "en-constituency": ("kakari_tagger", "kakari_constituency"),
        "dependency": ("kakari_parser",),
        "en-questions": ("kakari_question",),
        "en-arguments": ("kakari_arguments",),
        "sequence": ("kakari_sequence",),
    },
}


def load(language: str, *, words: str | None = None, model: str | os.PathLike[str] | None = None) -> Language:
    """Return a spaCy pipeline with the embedded models; nothing is downloaded.

    Parameters
    ----------
    language : str
        "ja": Japanese, with the components `kakari_bunsetsu` and `kakari_dependency`, which sets Universal
        Dependencies (`token.head`, `token.dep_`, `token.pos_`) as well; "en": English, with
        `kakari_tagger`, `kakari_constituency`, `kakari_parser` (Universal Dependencies), `kakari_question`,
        `kakari_arguments` and `kakari_sequence` (`doc.spans["kakari.chunks"]`).
    words : "sudachi" or "kakari", optional
        What finds the words of Japanese text: Sudachi, or our own model of JUMAN's units, which needs no other
        package. With the latter, tags are JUMAN's and there are no Universal Dependencies.
    model : path, optional
        A model file that is taken in the place of the embedded model of its task: one that you trained, or corrected
        (`kakari correct`).

    Examples
    --------
    >>> doc = load("ja")("太郎は京都大学に行った。")
    >>> [bunsetsu.text for bunsetsu in doc._.bunsetsu]
    ['太郎は', '京都大学に', '行った。']
    >>> [(token.text, token.pos_, token.dep_, token.head.text) for token in doc][:3]
    [('太郎', 'PROPN', 'nsubj', '行っ'), ('は', 'ADP', 'case', '太郎'), ('京都', 'PROPN', 'compound', '大学')]
    >>> [chunk.text for chunk in doc.noun_chunks]
    ['太郎', '京都大学']
    >>> [(token.text, token.tag_) for token in load("ja", words="kakari")("本を読んだ")]
    [('本', '名詞-普通名詞'), ('を', '助詞-格助詞'), ('読んだ', '動詞')]
    """
    if language not in PIPELINES:
        raise ValueError(f"there is no pipeline for {language!r}; there are {' and '.join(map(repr, PIPELINES))}")
    if words is not None and language != "ja":
        raise ValueError(f"words are chosen for Japanese, not for {language!r}")
    takers = () if model is None else _takers(language, model)
    if language == "ja":
        return _japanese(words, model)
    nlp = _english()
    for name in PIPELINES[language]:
        nlp.add_pipe(name, config={"model": os.fspath(model)} if model is not None and name in takers else {})
    return nlp


def _takers(language: str, model: str | os.PathLike[str]) -> tuple[str, ...]:
    """Return the components that take a model file."""
    from kakari.models.files import ModelFileError, model_task

    task, known = model_task(model), TAKERS[language]
    if task not in known:
        reason = f"a pipeline for {language!r} has no place for a model for '{task}'; it has for {', '.join(known)}"
        raise ModelFileError(os.fspath(model), reason)
    return known[task]


def _japanese(words: str | None, file: str | os.PathLike[str] | None) -> Language:
    from kakari.parsers.japanese.parser import model_for
    from kakari.spacy.processes import JapanesePipeline

    own, model = words == "kakari", model_for(words)
    if file is not None:
        from kakari.parsers.japanese.model import JapaneseModel, UnfitModelError
        from kakari.parsers.japanese.parser import WORDS_WITH

        known = WORDS_WITH[JapaneseModel.load(file).lexicon.tagset]
        if words is not None and words != known:
            raise UnfitModelError(f"this model knows the words of {known}, not those of {words}")
        own, model = known == "kakari", os.fspath(file)
    nlp = JapanesePipeline.from_config(OWN_WORDS if own else JAPANESE)
    nlp.add_pipe("kakari_bunsetsu", config={"model": model})
    nlp.add_pipe("kakari_dependency", config={"model": model, "tokens": not own})
    return nlp


def _english() -> Language:
    import kakari.spacy.english_tokenizer  # noqa: F401  (it registers the tokenizer)
    from kakari.spacy.processes import EnglishPipeline

    return EnglishPipeline.from_config(ENGLISH)

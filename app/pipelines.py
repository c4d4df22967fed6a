"""The spaCy pipelines that `kakari.load` returns, with embedded models."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spacy.language import Language

JAPANESE = {"nlp": {"tokenizer": {"@tokenizers": "kakari.JapaneseTokenizer.v1"}}}
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


def load(language: str) -> Language:
    """Return a spaCy pipeline with the embedded models; nothing is downloaded.

    Parameters
    ----------
    language : str
        "ja": Japanese, with the components `kakari_bunsetsu` and `kakari_dependency`, which sets Universal
        Dependencies (`token.head`, `token.dep_`, `token.pos_`) as well; "en": English, with
        `kakari_tagger`, `kakari_constituency`, `kakari_parser` (Universal Dependencies), `kakari_question`,
        `kakari_arguments` and `kakari_sequence` (`doc.spans["kakari.chunks"]`).

    Examples
    --------
    >>> doc = load("ja")("太郎は京都大学に行った。")
    >>> [bunsetsu.text for bunsetsu in doc._.bunsetsu]
    ['太郎は', '京都大学に', '行った。']
    >>> [(token.text, token.pos_, token.dep_, token.head.text) for token in doc][:3]
    [('太郎', 'PROPN', 'nsubj', '行っ'), ('は', 'ADP', 'case', '太郎'), ('京都', 'PROPN', 'compound', '大学')]
    >>> [chunk.text for chunk in doc.noun_chunks]
    ['太郎', '京都大学']
    """
    if language not in PIPELINES:
        raise ValueError(f"there is no pipeline for {language!r}; there are {' and '.join(map(repr, PIPELINES))}")
    nlp = _blank(language)
    for name in PIPELINES[language]:
        nlp.add_pipe(name, config={"tokens": True} if name == "kakari_dependency" else {})
    return nlp


def _blank(language: str) -> Language:
    if language == "ja":
        from kakari.spacy.processes import JapanesePipeline

        return JapanesePipeline.from_config(JAPANESE)
    import kakari.spacy.english_tokenizer  # noqa: F401  (it registers the tokenizer)
    from kakari.spacy.processes import EnglishPipeline

    return EnglishPipeline.from_config(ENGLISH)

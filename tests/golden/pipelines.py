"""Prints all that the spaCy pipelines say of texts, one JSON object a line: `python pipelines.py ja|en FILE...`.

Uses the documented interface only: `kakari.load`, spaCy's own attributes, and the extensions that the README names.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import kakari


def tell_tokens(doc: Any) -> list[list[object]]:
    """List what each token carries."""
    return [
        [t.text, t.whitespace_, t.lemma_, t.norm_, t.pos_, t.tag_, str(t.morph), t.dep_, t.head.i, t.is_sent_start]
        for t in doc
    ]


def tell_bunsetsu(doc: Any) -> list[list[object]]:
    """List each bunsetsu with its head, content word and function word."""
    return [
        [b.text, b.start, b._.head.start, b._.content_token.text, b._.function_token.text, b[0]._.bunsetsu.start]
        for b in doc._.bunsetsu
    ]


def tell_sentence(sentence: Any) -> dict[str, object]:
    """Describe an English sentence: its tree, the labels of its constituents and its question class."""
    return {
        "parse": sentence._.parse_string,
        "labels": [[c.text, *c._.labels] for c in sentence._.constituents],
        "question": sentence._.question_class,
    }


def tell_predicates(doc: Any) -> list[list[object]]:
    """List predicates with their arguments."""
    return [[p.token.i, p.lemma, [[a.start, a.end, a.label_] for a in p.arguments]] for p in doc._.predicates]


def tell(doc: Any, language: str) -> dict[str, object]:
    """Describe a document."""
    told: dict[str, object] = {
        "text": doc.text,
        "tokens": tell_tokens(doc),
        "sentences": [[s.start, s.end] for s in doc.sents],
        "spans": {name: [[s.start, s.end, s.label_] for s in group] for name, group in doc.spans.items()},
    }
    if language == "ja":
        return told | {"bunsetsu": tell_bunsetsu(doc)}
    return told | {
        "trees": [tell_sentence(sentence) for sentence in doc.sents],
        "predicates": tell_predicates(doc),
        "questions": [span.text for span in doc._.questions],
        "cats": doc.cats,
    }


def say(value: object) -> None:
    """Print one JSON value on one line."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False) + "\n")


def main(language: str, *files: str) -> None:
    """Print the pipeline's description, then every line of the files by itself, then each file as one text."""
    nlp = kakari.load(language)
    say({name: sorted(nlp.get_factory_meta(name).assigns) for name in nlp.pipe_names})
    for file in files:
        text = Path(file).read_text(encoding="utf-8")
        for doc in nlp.pipe(text.split("\n")):
            say(tell(doc, language))
        doc = nlp(text)
        again = kakari.load(language).from_bytes(nlp.to_bytes())(text)
        say(
            {
                "sentences": [s.text for s in doc.sents],
                "same after to_bytes": tell(doc, language) == tell(again, language),
            }
        )


if __name__ == "__main__":
    main(*sys.argv[1:])

"""Parse with GiNZA and with kakari in one process, each with its own tokenizer and components."""

from importlib import metadata

import ginza
import spacy

import kakari

TEXT = "太郎は京都大学に行った。"


def main() -> None:
    """Raise or assert where one of them does not work beside the other."""
    theirs, ours = spacy.load("ja_ginza"), kakari.load("ja")
    for _ in range(2):  # the second time, each has seen the other at work
        spans = [span.text for span in ginza.bunsetu_spans(theirs(TEXT))]
        arcs = [(b.text, b._.head.text) for b in ours(TEXT)._.bunsetsu]
        assert spans == ["太郎は", "京都大学に", "行った。"], spans
        assert arcs == [("太郎は", "行った。"), ("京都大学に", "行った。"), ("行った。", "行った。")], arcs
    theirs.add_pipe("kakari_bunsetsu")
    theirs.add_pipe("kakari_dependency")
    arcs = [(b.text, b._.head.text) for b in theirs(TEXT)._.bunsetsu]
    assert arcs[0] == ("太郎は", "行った。"), arcs
    versions = {name: metadata.version(name) for name in ("kakari", "ginza", "ja_ginza", "spacy", "sudachipy")}
    print(" ".join(f"{name} {version}" for name, version in versions.items()))  # noqa: T201
    print("bunsetsu of GiNZA:", " ".join(spans))  # noqa: T201
    print("arcs of kakari in GiNZA's pipeline:", " ".join("→".join(arc) for arc in arcs))  # noqa: T201


if __name__ == "__main__":
    main()

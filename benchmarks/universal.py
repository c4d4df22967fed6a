"""Universal Dependencies of Japanese from text: kakari in folds beside GiNZA, on the same sentences, counted alike.

python benchmarks/universal.py [--ginza PYTHON] [--folds 10]

PYTHON is that of an environment with GiNZA and ja_ginza. Words are compared by their characters, heads by the words
they are, relations without subtypes. kakari's conversion is trained on the other folds of ud-japanese:dev; GiNZA as it
comes.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import time

from kakari.corpora import read
from kakari.output.console import print_table
from kakari.parsers.japanese.parser import JapaneseParser
from kakari.parsers.japanese.universal_scores import cross_validated
from kakari.parsers.japanese.universal_training import text_of, word_spans

GINZA = """
import json, sys, spacy
nlp = spacy.load("ja_ginza")
for line in sys.stdin:
    doc = nlp(json.loads(line))
    print(json.dumps([[t.idx, t.idx + len(t), t.pos_, t.head.i, t.dep_] for t in doc if not t.is_space]))
"""


def ginza_scores(python: str, sentences: list) -> tuple[float, float, float, float]:
    """Score GiNZA; its heads count all tokens, so places are looked up."""
    texts = [text_of(sentence) for sentence in sentences]
    given = "".join(json.dumps(text) + "\n" for text in texts)
    done = subprocess.run(
        [python, "-W", "ignore", "-c", GINZA], input=given, capture_output=True, text=True, check=True
    )
    counts = [0] * 6
    for text, sentence, line in zip(texts, sentences, done.stdout.splitlines(), strict=True):
        gold = {span: place for place, span in enumerate(word_spans(text, sentence))}
        found = json.loads(line)
        places = [gold.get((begin, end)) for begin, end, *_ in found]
        counts[0] += len(gold)
        counts[1] += len(found)
        for number, ((_, _, part, head, relation), place) in enumerate(zip(found, places, strict=True)):
            if place is None:
                continue
            word = sentence.words[place]
            own = -1 if head == number else places[head] if head < len(places) else None
            attached = own is not None and own == int(word.head) - 1
            counts[2] += 1
            counts[3] += part == word.upos
            counts[4] += attached
            counts[5] += attached and relation.partition(":")[0].lower() == word.deprel.partition(":")[0]
    gold_words, found_words, *right = counts
    return tuple(2 * count / (gold_words + found_words) for count in right)


def main() -> None:
    """Print one table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ginza", metavar="PYTHON")
    parser.add_argument("--folds", type=int, default=10)
    options = parser.parse_args()
    sentences = list(read("ud-japanese:dev"))
    began = time.process_time()
    own = cross_validated(JapaneseParser.pretrained(), sentences, folds=options.folds)
    rows = [("kakari, folds", *own, time.process_time() - began)]
    if options.ginza:
        rows.append(("GiNZA", *ginza_scores(options.ginza, sentences), 0.0))
    told = [(name, *(f"{100 * score:.2f}" for score in scores), f"{seconds:.0f}") for name, *scores, seconds in rows]
    print_table(("from text", "words F1", "UPOS", "UAS", "LAS", "CPU s"), told)


if __name__ == "__main__":
    main()

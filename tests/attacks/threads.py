"""Eight threads analyse the same sentences with one pipeline, each in an order of its own, beside the answers of one.

    python tests/attacks/threads.py [--sentences 20000] [--threads 8] [--languages ja en] [--longest CHARACTERS]

Prints, for each language, how many analyses were made and how many differ from those of a single thread. With
`--longest` only sentences of at most so many characters are taken, which is faster.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import sys
import threading
import time
from itertools import cycle, islice
from typing import Any

import kakari
from kakari.corpora import read

CORPORA = {"ja": ("kwdlc:train", "wac:train"), "en": ("ewt:train", "gum:train")}
PORTION = 50


def texts_of(language: str, count: int, longest: int = 10_000) -> list[str]:
    """Return so many sentences of the corpora; where there are fewer, some come again."""
    found: list[str] = []
    for name in CORPORA[language]:
        for record in read(name):
            text = record.text if language == "ja" else " ".join(tree_of(record).leaves())
            if len(text) <= longest:
                found.append(text)
            if len(found) == count:
                return found
    return list(islice(cycle(found), count))


def tree_of(record: Any) -> Any:
    """Return the tree of a record of a treebank."""
    return getattr(record, "tree", record)


def told(doc: Any) -> bytes:
    """Return a digest of everything that was found in a document."""
    tokens = [(t.text, t.lemma_, t.tag_, t.pos_, str(t.morph), t.dep_, t.head.i, t.is_sent_start) for t in doc]
    state = json.dumps([tokens, sorted(doc.user_data.items(), key=str), doc.cats], default=str)
    return hashlib.blake2b(state.encode(), digest_size=12).digest()


def attack(language: str, count: int, threads: int, longest: int) -> int:
    """Return how many analyses differ."""
    texts, nlp = texts_of(language, count, longest), kakari.load(language)
    kinds, characters = len(set(texts)), max(map(len, texts))
    print(f"{language}: {kinds:,} different sentences of at most {characters} characters", flush=True)
    expected = [told(doc) for doc in nlp.pipe(texts, batch_size=PORTION)]
    done, differences = [0] * threads, [0] * threads

    def work(number: int) -> None:
        starts = list(range(0, count, PORTION))
        random.Random(number).shuffle(starts)
        for start in starts:
            own = texts[start : start + PORTION]
            for place, doc in enumerate(nlp.pipe(own, batch_size=7 + number), start):
                differences[number] += told(doc) != expected[place]
                done[number] += 1

    workers = [threading.Thread(target=work, args=(number,), daemon=True) for number in range(threads)]
    for worker in workers:
        worker.start()
    while any(worker.is_alive() for worker in workers):
        time.sleep(10)
        print(f"  {language}: {sum(done):,} analyses, {sum(differences)} differences", file=sys.stderr, flush=True)
    print(
        f"{language}: {threads} threads x {count:,} sentences, {sum(done):,} analyses, {sum(differences)} differences"
    )
    return sum(differences)


def main() -> None:
    """Attack each language."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sentences", type=int, default=20_000)
    parser.add_argument("--threads", type=int, default=8)
    parser.add_argument("--languages", nargs="+", default=["ja", "en"])
    parser.add_argument("--longest", type=int, default=10_000, help="characters of a sentence")
    options = parser.parse_args()
    sys.setswitchinterval(1e-5)
    given = options.sentences, options.threads, options.longest
    sys.exit(bool(sum(attack(language, *given) for language in options.languages)))


if __name__ == "__main__":
    main()

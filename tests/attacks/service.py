"""Memory of a service: many different texts through `nlp.pipe` in one process.

    python tests/attacks/service.py [--texts 300000] [--longest 40] [--languages ja en]

Texts are short sentences of the corpora with numbers and names in them that never come again. With `nlp.memory_zone()`
around each thousand, spaCy gives the strings of a zone back; without, its `StringStore` keeps every new word. The
table has the memory after each tenth.
"""

from __future__ import annotations

import argparse
import gc
import sys
from itertools import islice
from pathlib import Path

import kakari

sys.path.insert(0, str(Path(__file__).parent))
from threads import texts_of

ZONE = 1_000


def megabytes() -> str:
    """Return the memory that this process has now, and how much of it is its own (the rest are mapped files)."""
    lines = Path("/proc/self/status").read_text("utf-8").splitlines()
    kilobytes = {name: int(size.split()[0]) for name, size in (line.split(":") for line in lines if "Rss" in line)}
    return f"{sum(kilobytes.values()) / 1000:.0f} MB, {kilobytes['RssAnon'] / 1000:.1f} of them its own"


def main() -> None:
    """Print the memory after each tenth."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--texts", type=int, default=300_000)
    parser.add_argument("--longest", type=int, default=40, help="characters of a sentence")
    parser.add_argument("--languages", nargs="+", default=["ja", "en"])
    parser.add_argument("--no-zone", action="store_true", help="leave spaCy's memory zones out")
    options = parser.parse_args()
    for language in options.languages:
        nlp = kakari.load(language)
        seeds = texts_of(language, 5_000, options.longest)
        texts = (f"{seeds[number % len(seeds)]} {number}x{number:x}" for number in range(options.texts))
        print(f"{language}: {megabytes()}, at the beginning", flush=True)
        for tenth in range(1, 11):
            for _ in range(options.texts // 10 // ZONE):
                portion = list(islice(texts, ZONE))
                if options.no_zone:
                    work(nlp, portion)
                else:
                    with nlp.memory_zone():
                        work(nlp, portion)
            gc.collect()
            print(f"{language}: {tenth * options.texts // 10:,} texts, {megabytes()}", flush=True)


def work(nlp: object, texts: list[str]) -> None:
    """Analyse some texts and forget them."""
    for _ in nlp.pipe(texts, batch_size=100):  # type: ignore[attr-defined]
        pass


if __name__ == "__main__":
    main()

"""How fast corpora are read, and that memory stays flat while they stream.

    python benchmarks/reading.py [CORPUS …]

One row a corpus: records, CPU seconds of one core for reading all of it, the same for merely unpacking and
splitting its lines at white space (what any reader must do at least), their ratio, and the process's peak
memory after a tenth of the records and after all of them. NLTK's import is done before the clock starts.
"""

import argparse
import gzip
import resource
import subprocess
import sys
import time

from kakari.corpora import read
from kakari.corpora.catalogue import find, parse_reference

DEFAULT = ["kwdlc:train", "wac:train", "ewt:train", "gum:train", "ontonotes:train", "dep-examples:train"]


def peak_megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def measure(reference: str, records: int) -> str:
    """Measure one corpus of so many records, in this process."""
    from nltk.tree import Tree  # noqa: F401

    start = time.process_time()
    early = 0.0
    for number, _ in enumerate(read(reference), 1):
        if number == records // 10:
            early = peak_megabytes()
    seconds = time.process_time() - start
    late = peak_megabytes()
    floor = time.process_time()
    corpus, (split,) = parse_reference(reference)
    for pattern in corpus.splits[split]:
        for path in find(corpus.name).glob(pattern):
            with gzip.open(path, "rt", encoding="utf-8") as file:
                for line in file:
                    line.split()
    floor = time.process_time() - floor
    return f"{reference:20} {number:8,} {seconds:8.2f} {floor:8.2f} {seconds / floor:6.1f} {early:9.1f} {late:9.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("corpus", nargs="*", default=DEFAULT)
    parser.add_argument("--measure", type=int, metavar="RECORDS", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.measure is not None:
        print(measure(chosen.corpus[0], chosen.measure))
        return
    print(
        f"{'corpus':20} {'records':>8} {'read s':>8} {'split s':>8} {'ratio':>6} {'MB at 10%':>9} {'MB at end':>9}",
        flush=True,
    )
    for reference in chosen.corpus:
        if find(reference.partition(":")[0]) is None:
            print(f"{reference:20} not on this machine")
            continue
        records = sum(1 for _ in read(reference))
        # A process of its own, so that one corpus's memory is not counted for the next.
        subprocess.run([sys.executable, __file__, "--measure", str(records), reference], check=True)


if __name__ == "__main__":
    main()

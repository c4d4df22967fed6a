"""Every corpus is read from end to end and holds what its README states; what round-trips is identical."""

import gzip
import io

import pytest

from kakari.corpora import count_records, read
from kakari.corpora.catalogue import corpus_named, find
from kakari.corpora.corpus_list import CORPORA
from kakari.corpora.formats.registry import FORMATS

COUNTS = {
    "kwdlc:train": {
        "documents": 3915,
        "blocks": 12271,
        "sentences": 11745,
        "bunsetsu": 72739,
        "base_phrases": 92971,
        "morphemes": 194489,
        "heads not to the right": 1,
        "blocks with crossing arcs": 14,
        "blocks of one bunsetsu": 440,
        "type A": 1,
        "type D": 67726,
        "type I": 89,
        "type P": 4923,
    },
    "kwdlc:dev": {
        "documents": 512,
        "blocks": 1585,
        "sentences": 1536,
        "bunsetsu": 8986,
        "base_phrases": 11019,
        "morphemes": 22625,
        "blocks of one bunsetsu": 103,
        "type A": 1,
        "type D": 8368,
        "type I": 20,
        "type P": 597,
    },
    "wac:train": {
        "documents": 3679,
        "blocks": 14684,
        "sentences": 8716,
        "bunsetsu": 77470,
        "base_phrases": 111921,
        "morphemes": 211262,
        "heads not to the right": 43,
        "heads that do not exist": 2,
        "blocks with crossing arcs": 73,
        "blocks of one bunsetsu": 4456,
        "type A": 15,
        "type D": 67754,
        "type I": 394,
        "type P": 9307,
    },
    "wac:dev": {
        "documents": 100,
        "blocks": 443,
        "sentences": 248,
        "bunsetsu": 2293,
        "base_phrases": 3402,
        "morphemes": 6353,
        "blocks of one bunsetsu": 137,
        "type D": 2009,
        "type I": 11,
        "type P": 273,
    },
    "ewt:train": {
        "documents": 540,
        "sentences": 12527,
        "tokens": 204322,
        "predicates": 40445,
        "arguments": 81303,
    },
    "ewt:dev": {"documents": 297, "sentences": 1970, "tokens": 24915, "predicates": 4966, "arguments": 9570},
    "wsj:train": {
        "documents": 1411,
        "sentences": 30060,
        "tokens": 731677,
        "predicates": 106352,
        "arguments": 223719,
    },
    "wsj:dev": {"documents": 44, "sentences": 1083, "tokens": 26595, "predicates": 4228, "arguments": 8509},
    "wsj:extra": {
        "documents": 199,
        "sentences": 4232,
        "tokens": 103811,
        "predicates": 14949,
        "arguments": 31431,
    },
    "ontonotes:train": {
        "documents": 4421,
        "sentences": 81044,
        "tokens": 1365460,
        "predicates": 207806,
        "arguments": 424992,
    },
    "gum:train": {"trees": 10224, "tokens": 177410},
    "gum:dev": {"trees": 1575, "tokens": 28119},
    "questionbank:train": {"trees": 3142, "tokens": 30671},
    "questionbank:dev": {"trees": 350, "tokens": 3360},
    "questionbank:test": {"trees": 508, "tokens": 3812},
    "qc-trees:train": {
        "questions": 5419,
        "class ABBR": 86,
        "class DESC": 1154,
        "class ENTY": 1246,
        "class HUM": 1217,
        "class LOC": 831,
        "class NUM": 885,
    },
    "qc-trees:test": {
        "questions": 500,
        "class ABBR": 9,
        "class DESC": 138,
        "class ENTY": 94,
        "class HUM": 65,
        "class LOC": 81,
        "class NUM": 113,
    },
    "srl-svmlighttk:all": {"examples": 5000, "positive": 246, "trees": 5000},
    "dep-examples:train": {"examples": 68874, "positive": 35211},
    "dep-examples:dev": {"examples": 8554, "positive": 4376},
    "adult:train": {"examples": 32561, "positive": 7841, "nonzeros": 451592},
    "adult:test": {"examples": 16281, "positive": 3846, "nonzeros": 225731},
    "ud-english:train": {
        "sentences": 12544,
        "words": 204577,
        "ranges": 2614,
        "empty_nodes": 37,
        "sentences with crossing arcs": 288,
    },
    "ud-english:dev": {
        "sentences": 2001,
        "words": 25147,
        "ranges": 359,
        "empty_nodes": 4,
        "sentences with crossing arcs": 31,
    },
    "ud-english-gum:train": {
        "sentences": 10224,
        "words": 177410,
        "ranges": 3147,
        "empty_nodes": 92,
        "sentences with crossing arcs": 296,
    },
    "ud-english-gum:dev": {
        "sentences": 1575,
        "words": 28119,
        "ranges": 517,
        "empty_nodes": 12,
        "sentences with crossing arcs": 54,
    },
    "ud-portuguese:train": {"sentences": 7018, "words": 171776, "ranges": 12790, "sentences with crossing arcs": 610},
    "ud-portuguese:dev": {"sentences": 1172, "words": 28447, "ranges": 2063, "sentences with crossing arcs": 102},
    "ud-turkish:train": {"sentences": 3435, "words": 37522, "ranges": 1082, "sentences with crossing arcs": 171},
    "ud-turkish:dev": {"sentences": 1100, "words": 10542, "ranges": 279, "sentences with crossing arcs": 41},
    "hyponymy-en:train": {"pairs": 39466, "hyponyms": 9867},
    "hyponymy-en:dev": {"pairs": 5256, "hyponyms": 1324},
    "hearst-counts:all": {"pairs": 431684},
    "jawiki-country:all": {"articles": 206},
    "ud-japanese:dev": {"sentences": 507, "words": 12287, "sentences with crossing arcs": 4},
    "danish:train": {"sentences": 3504, "words": 54870, "sentences with crossing arcs": 471},
    "danish:dev": {"sentences": 391, "words": 7310, "sentences with crossing arcs": 65},
    "qc:train": {"questions": 5452},
    "qc:test": {"questions": 500},
    "treebank:all": {"trees": 3914, "tokens": 100676},
    "conll2000:train": {"sentences": 8936},
    "conll2000:test": {"sentences": 2012},
    "dependency-treebank:all": {"sentences": 3914},
    "conll2007:esp-train": {"sentences": 2949},
    "conll2007:esp-test": {"sentences": 563},
    "conll2007:eus-train": {"sentences": 2595, "words": 40032, "sentences with several roots": 1007},
    "conll2007:eus-test": {"sentences": 580},
}

pytestmark = pytest.mark.corpora


def test_no_corpus_is_forgotten():
    parts = {f"{corpus.name}:{split}" for corpus in CORPORA.values() for split in corpus.splits}
    assert {part for part in parts - set(COUNTS) if not part.startswith("sample-")} == set()


@pytest.mark.parametrize("reference", COUNTS)
def test_counts_and_round_trip(reference, need_corpus):
    need_corpus(reference)
    counts = count_records(compared(reference, read(reference)))
    expected = COUNTS[reference]
    assert {key: counts[key] for key in expected} == expected
    if "type D" in expected:  # nothing is wrong beyond what the README states
        assert set(counts) == set(expected)


def compared(reference, records):
    """Let the records by, and compare what they are written as with the file, line by line."""
    name, split = reference.split(":")
    corpus = corpus_named(name)
    # Pairs are written with all columns, articles without what only their file knows.
    if corpus.kind != "corpora" or name in ("hyponymy-en", "jawiki-country"):
        yield from records
        return
    (path,) = (path for pattern in corpus.splits[split] for path in find(name).glob(pattern))
    parts_of_one_file = name == "questionbank"  # each split leaves lines out; that all together are 4,000 is counted
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        for record in records:
            yield record
            for line in io.StringIO(FORMATS[corpus.format].format(record), newline=""):
                original = file.readline()
                while parts_of_one_file and original and line != original:
                    original = file.readline()
                # Documented: blanks at the end of an svmlight line and a missing last line end are mended.
                assert line == original or line == original.rstrip(" \n") + "\n"
        assert parts_of_one_file or file.read() == ""

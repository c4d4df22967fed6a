"""The entries of the catalogue. To add a corpus, add one here, and its counts in tests/corpora."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class Corpus:
    """A corpus of the catalogue.

    Attributes
    ----------
    kind : str
        Where it is looked for: "corpora", "nltk" or "embedded".
    folder : str
        Its folder there (for NLTK's packages also the zip file's name).
    splits : mapping of str to tuple of str
        The parts, each with the patterns of its files.
    options, split_options : mappings
        Options for its reader.
    obtain : str
        How to get the corpus, shown to users who lack it.
    """

    name: str
    title: str
    licence: str
    format: str
    kind: Literal["corpora", "nltk", "embedded"]
    folder: str
    splits: Mapping[str, tuple[str, ...]]
    obtain: str
    options: Mapping[str, Any] = field(default_factory=dict)
    split_options: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


def _in_folder(
    name: str,
    title: str,
    licence: str,
    format_name: str,
    folder: str,
    splits: dict[str, str],
    source: str,
    **options: Any,
) -> Corpus:
    files = {split: (file, f"{file}.gz") for split, file in splits.items()}
    obtain = (
        f"Get it from {source} and put {', '.join(dict.fromkeys(splits.values()))} (also with .gz) into a folder"
        f" {folder} inside a folder that KAKARI_CORPORA names."
    )
    return Corpus(name, title, licence, format_name, "corpora", folder, files, obtain, options)


def _from_nltk(name: str, title: str, licence: str, format_name: str, splits: dict[str, str], **more: Any) -> Corpus:
    files = {split: (pattern,) for split, pattern in splits.items()}
    obtain = f"Run `kakari corpora fetch {name}`, or point NLTK_DATA at a folder that has it."
    return Corpus(name, title, licence, format_name, "nltk", more.pop("folder", name), files, obtain, **more)


def _embedded(name: str, title: str, format_name: str, file: str) -> Corpus:
    return Corpus(name, title, "MIT (ours)", format_name, "embedded", ".", {"all": (file,)}, "It is in the package.")


def _universal(name: str, title: str, licence: str, folder: str, treebank: str, parts: str = "train dev") -> Corpus:
    """Describe a treebank of Universal Dependencies; a part `dev-gum` of a folder is the part `dev` of the corpus."""
    files = {part.split("-")[0]: f"{part}.conllu" for part in parts.split()}
    return _in_folder(name, title, licence, "conllu", folder, files, f"the public repository {treebank}")


_PROPBANK = "the public repository propbank/propbank-release"

CORPORA: Mapping[str, Corpus] = {
    corpus.name: corpus
    for corpus in (
        _embedded("sample-ja", "Japanese sentences with bunsetsu and heads", "knp", "ja.knp"),
        _embedded(
            "sample-ja-complaints",
            "Japanese sentences of classes that users complained about",
            "arcs",
            "ja-complaints.arcs",
        ),
        _embedded("sample-en", "English sentences with trees, predicates and arguments", "propbank", "en.conll"),
        _embedded("sample-ud", "English sentences in Universal Dependencies", "conllu", "en.conllu"),
        _embedded("sample-questions", "Questions with classes and trees", "question-trees", "questions.tsv"),
        Corpus(
            "sample-hyponymy",
            "Japanese candidate pairs from Wikipedia's articles on countries, annotated",
            "labels MIT (ours); names from Wikipedia, CC BY-SA",
            "pairs",
            "embedded",
            ".",
            {"train": ("hyponymy-train.tsv",), "dev": ("hyponymy-dev.tsv",)},
            "It is in the package.",
        ),
        Corpus(
            "sample-hyponymy-second",
            "A tenth of sample-hyponymy, annotated a second time",
            "labels MIT (ours); names from Wikipedia, CC BY-SA",
            "pairs",
            "embedded",
            ".",
            {"all": ("hyponymy-second.tsv",)},
            "It is in the package.",
        ),
        _in_folder(
            "kwdlc",
            "Kyoto University Web Document Leads Corpus",
            "for research; no licence file",
            "knp",
            "kwdlc",
            {"train": "train.knp", "dev": "dev.knp"},
            "the public repository ku-nlp/KWDLC",
            strict=False,
        ),
        _in_folder(
            "wac",
            "Wikipedia Annotated Corpus (Kyoto University)",
            "CC BY-SA 4.0",
            "knp",
            "wac",
            {"train": "train.knp", "dev": "dev.knp"},
            "the public repository ku-nlp/WikipediaAnnotatedCorpus",
            strict=False,
        ),
        _in_folder(
            "ewt",
            "English Web Treebank with PropBank roles",
            "CC BY-SA 4.0",
            "propbank",
            "ewt_propbank",
            {"train": "train.conll", "dev": "dev.conll"},
            f"{_PROPBANK} and UniversalDependencies/UD_English-EWT",
        ),
        _in_folder(
            "wsj",
            "Wall Street Journal, PropBank skeletons without words",
            "CC BY-SA 4.0",
            "propbank",
            "wsj_propbank_skel",
            {"train": "train.conll", "dev": "dev.conll", "extra": "extra.conll"},
            _PROPBANK,
        ),
        _in_folder(
            "ontonotes",
            "OntoNotes without WSJ, PropBank skeletons without words",
            "CC BY-SA 4.0",
            "propbank",
            "ontonotes_propbank_skel",
            {"train": "train.conll"},
            _PROPBANK,
        ),
        _in_folder(
            "gum",
            "Georgetown University Multilayer corpus, constituency trees",
            "CC BY 4.0; texts vary",
            "brackets",
            "gum_ptb",
            {"train": "train.mrg", "dev": "dev.mrg"},
            "the public repository amir-zeldes/gum",
        ),
        _in_folder(
            "questionbank",
            "QuestionBank, constituency trees of questions",
            "for research",
            "brackets",
            "questionbank",
            {"train": "4000qs.mrg", "dev": "4000qs.mrg", "test": "4000qs.mrg"},
            "its authors (Judge, Cahill and van Genabith 2006)",
        ),
        _in_folder(
            "qc-trees",
            "TREC question classes with constituency trees",
            "for research and education",
            "question-trees",
            "qc_trees",
            {"train": "train.tsv", "test": "test.tsv"},
            "the public repository iKernels/RelTextRank",
        ),
        _in_folder(
            "srl-svmlighttk",
            "Argument boundaries as SVM-Light-TK lines",
            "none stated; local tests only",
            "svmlight-tk",
            "srl_svmlighttk",
            {"all": "dataset_5000.dat"},
            "the public repository kopchik/perftest",
        ),
        _in_folder(
            "dep-examples",
            "Japanese dependency decisions as feature ids",
            "as kwdlc",
            "svmlight",
            "dep_examples",
            {"train": "train.svm", "dev": "dev.svm"},
            "the developers of kakari",
        ),
        _in_folder(
            "adult",
            "UCI Adult in its a9a form",
            "none stated",
            "svmlight",
            "adult",
            {"train": "a9a", "test": "a9a.t"},
            "the LIBSVM data sets",
        ),
        _universal(
            "ud-english",
            "English Web Treebank in Universal Dependencies",
            "CC BY-SA 4.0",
            "ud_english",
            "UniversalDependencies/UD_English-EWT",
        ),
        _universal(
            "ud-english-gum",
            "Georgetown University Multilayer corpus in Universal Dependencies",
            "CC BY 4.0; texts vary",
            "ud_english",
            "amir-zeldes/gum",
            "train-gum dev-gum",
        ),
        _universal(
            "ud-portuguese",
            "Bosque in Universal Dependencies",
            "CC BY-SA 4.0",
            "ud_portuguese",
            "UniversalDependencies/UD_Portuguese-Bosque",
        ),
        _universal(
            "ud-turkish",
            "IMST (Turkish) in Universal Dependencies",
            "CC BY-NC-SA",
            "ud_turkish",
            "UniversalDependencies/UD_Turkish-IMST",
        ),
        _universal(
            "ud-japanese",
            "GSD (Japanese) in Universal Dependencies",
            "CC BY-SA 4.0",
            "ud_japanese",
            "UniversalDependencies/UD_Japanese-GSD",
            "dev",
        ),
        _in_folder(
            "danish",
            "Copenhagen Dependency Treebank, Danish",
            "MIT, CC BY-SA 4.0 or GPL",
            "conllx",
            "cdt_danish",
            {"train": "train.conll", "dev": "dev.conll"},
            "the public repository mbkromann/copenhagen-dependency-treebank",
        ),
        _from_nltk(
            "qc",
            "TREC question classes (Li and Roth)",
            "none stated",
            "qc",
            {"train": "train.txt", "test": "test.txt"},
            options={"encoding": "iso-8859-2"},
        ),
        _in_folder(
            "hyponymy-en",
            "English pairs, hypernym and hyponym or not (from hypernymysuite)",
            "CC BY-NC 4.0",
            "pairs",
            "hyponymy",
            {"train": "pairs-train.tsv", "dev": "pairs-dev.tsv"},
            "the public repository facebookresearch/hypernymysuite",
        ),
        _in_folder(
            "hearst-counts",
            "How often text called one English word a kind of another (Hearst patterns)",
            "CC BY-NC 4.0",
            "pair-counts",
            "hyponymy",
            {"all": "hearst_counts.txt"},
            "the public repository facebookresearch/hypernymysuite",
        ),
        _in_folder(
            "jawiki-country",
            "Japanese Wikipedia's articles on 206 countries, as wikitext",
            "CC BY-SA",
            "wikipedia",
            "hyponymy",
            {"all": "jawiki-country.json"},
            "the public repository siseru/100knock",
        ),
        _from_nltk(
            "treebank",
            "Penn Treebank sample (WSJ 0001-0199), trees with traces",
            "non-commercial use",
            "brackets",
            {"all": "combined/*.mrg"},
        ),
        _from_nltk(
            "conll2000",
            "CoNLL-2000 chunks",
            "none stated",
            "columns",
            {"train": "train.txt", "test": "test.txt"},
        ),
        _from_nltk(
            "dependency-treebank",
            "Penn Treebank sample with unlabelled heads",
            "non-commercial use",
            "columns",
            {"all": "*.dp"},
            folder="dependency_treebank",
        ),
        _from_nltk(
            "conll2007",
            "CoNLL-2007 Spanish and Basque dependencies",
            "CC BY-NC-ND",
            "conllx",
            {
                "esp-train": "esp.train",
                "esp-test": "esp.test",
                "eus-train": "eus.train",
                "eus-test": "eus.test",
            },
            split_options={split: {"encoding": "iso-8859-1"} for split in ("eus-train", "eus-test")},
        ),
    )
}

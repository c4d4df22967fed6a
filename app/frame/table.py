"""The table of commands: the module and the function of each, and the heading under which help lists it.

Only the requested command is imported, so that no command waits for the libraries of the others.
"""

from __future__ import annotations

from typing import NamedTuple

TEXT, MODELS, DATA = "Analyse text", "Train and use models", "Data, models, experiments"
JAPANESE, ENGLISH, ANY = "Japanese", "English", "Any language, any data"


class Command(NamedTuple):
    """A command: its function `place` ("module:function" below `commands/`), its heading and a line of help."""

    place: str
    heading: str
    summary: str | None = None  # the first sentence of the function's docstring if it is None


COMMANDS = {
    "parse": Command("parse:parse_cli", TEXT, "Find the structure of Japanese or English text."),
    "wrap": Command("japanese.wrap:wrap_cli", TEXT, "Break lines of Japanese between bunsetsu, in text or HTML."),
    "words": Command("sequences.words:words_cli", TEXT),
    "ask": Command("ask:ask_cli", TEXT, "Print the kind of answer that a question asks for."),
    "hyponyms": Command("hyponymy.finding:hyponyms_cli", TEXT, "Find hypernyms and hyponyms in Wikipedia articles."),
    "serve": Command(
        "serving.serve:serve_cli", TEXT, "Show structures and their reasons on a page, and as a JSON API."
    ),
    "train": Command("", MODELS, "Train a model."),
    "predict": Command("classifying:predict_cli", MODELS, "Print the prediction of a classifier for each example."),
    "evaluate": Command("evaluate:evaluate_cli", MODELS, "Measure a model on annotated data."),
    "explain": Command("explain:explain_cli", MODELS, "Print the weights that add up to a decision."),
    "correct": Command("correcting.correct:correct_cli", MODELS, "Let a model learn what you corrected."),
    "freeze": Command("classifying:freeze_cli", MODELS, "Make a classifier smaller and faster."),
    "models": Command("models:models_cli", DATA, "List the embedded models, or describe a model."),
    "corpora": Command("", DATA, "List corpora; show and count their contents."),
    "convert": Command(
        "convert:convert_cli", DATA, "Write analysed Japanese or SVM-Light-TK's models in other formats."
    ),
    "kernel": Command("kernel:kernel_cli", DATA, "Print the tree kernel of two trees."),
    "reproduce": Command("", DATA, "Run the papers' experiments again."),
}

# The commands of a group.
GROUPS = {
    "train": {
        "ja-words": Command("train.sequence:words_cli", JAPANESE),
        "ja-bunsetsu": Command("train.japanese:bunsetsu_cli", JAPANESE),
        "ja-dependency": Command("train.japanese:dependency_cli", JAPANESE),
        "hyponymy": Command("train.hyponymy:hyponymy_cli", JAPANESE),
        "en-tagger": Command("train.english:tagger_cli", ENGLISH),
        "en-constituency": Command("train.english:constituency_cli", ENGLISH),
        "en-chunks": Command("train.sequence:chunks_cli", ENGLISH),
        "en-arguments": Command("arguments:arguments_cli", ENGLISH),
        "en-boundary": Command("train.boundary:boundary_cli", ENGLISH),
        "questions": Command("train.kernels:questions_cli", ENGLISH),
        "dependency": Command("train.dependency:dependency_cli", ANY),
        "reranking": Command("train.reranking:reranking_cli", ANY),
        "sequence": Command("train.sequence:sequence_cli", ANY),
        "classify": Command("train.classify:classify_cli", ANY),
        "trees": Command("train.kernels:trees_cli", ANY),
    },
    "reproduce": {
        "all": Command("reproduce.everything:all_cli", "All papers"),
        "slicing": Command("reproduce.slicing:slicing_cli", "2010: kernel slicing"),
        "pke": Command("reproduce.slicing:pke_cli", "2003: PKI and PKE"),
        "synthetic": Command("reproduce.online:synthetic_cli", "2011: online learning for structural kernels"),
        "adult": Command("reproduce.online:adult_cli", "2011: online learning for structural kernels"),
        "questions": Command("reproduce.online:questions_cli", "2011: online learning for structural kernels"),
        "linearization": Command("reproduce.linearization:linearization_cli", "2013: linearisation of tree kernels"),
        "corrections": Command("reproduce.corrections:corrections_cli", "Our own"),
        "reranking": Command("reproduce.reranking:reranking_cli", "2015: template kernels"),
    },
    "corpora": {
        "show": Command("corpora:show_cli", "Commands"),
        "count": Command("corpora:count_cli", "Commands"),
        "fetch": Command("corpora:fetch_cli", "Commands"),
    },
}

# Commands whose plain command lines are read without typer (`shortcut`): the names, and the command.
PLAIN: dict[tuple[str, ...], Command] = {(name,): COMMANDS[name] for name in ("parse", "ask", "predict")}
PLAIN.update({("train", name): GROUPS["train"][name] for name in ("classify", "trees", "questions")})

"""`kakari convert`: between formats of analysed Japanese, and between models of SVM-Light-TK and kakari."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

from kakari.corpora.provenance import source_names
from kakari.models.files import model_task
from kakari.models.machines.kernel_classifier import KernelClassifier
from kakari.output.console import note
from kakari.parsers.questions.kernel_model import QuestionClassifier
from kakari.reading.svm_models import first_bytes
from kakari.reading.svmlight_tk import load_svmlight_tk, save_svmlight_tk
from kakari.reading.tagged_names import SUFFIXES, kind_of

MAGIC = b"SVM-light"


class Version(str, Enum):
    """Versions of SVM-Light-TK that read a written model."""

    newer = "V5.01-TK-1.5"
    older = "V5.01-TK-1.2"


class Format(str, Enum):
    """Formats for analysed Japanese."""

    cabocha = "cabocha"
    knp = "knp"
    conllu = "conllu"
    json = "json"
    tree = "tree"
    svg = "svg"
    html = "html"


def convert_cli(
    models: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE|MODEL", help="Analysed Japanese; or a model of either kind, or CLASS=MODEL for each class."
        ),
    ],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="File for the result. [default for text: stdout]"),
    ] = None,
    version: Annotated[Version, typer.Option(help="Version of SVM-Light-TK to write for.")] = Version.newer,
    target: Annotated[
        Format | None,
        typer.Option("--format", "-f", help="Japanese: output format. [default: by FILE]", show_default=False),
    ] = None,
    source: Annotated[
        str | None,
        typer.Option("--input", help="Japanese: input format. [default: by the file's name]", show_default=False),
    ] = None,
) -> None:
    """Write analysed Japanese (KNP, CaboCha, CoNLL-U, JSON) in another format without parsing it again.

    Or convert a model of SVM-Light-TK to kakari, or back, with the same decision values. With three or more classes,
    SVM-Light-TK has one model a class: pass CLASS=MODEL … to read them; they are written as FILE.CLASS.
    """
    wanted = target.value if target is not None else kind_of(str(output)) if kind_of(models[0]) else None
    if wanted is not None:
        from kakari.commands.japanese.convert import WRITTEN, converted
        from kakari.corpora.records.textfiles import write_text

        if wanted not in WRITTEN:
            raise typer.BadParameter(f"{wanted} is read, not written", param_hint="--output")
        if source is not None and source not in SUFFIXES:
            raise typer.BadParameter(f"it is one of {', '.join(SUFFIXES)}", param_hint="--input")
        write_text(converted(models, source, wanted), "-" if output is None else output)
        return
    if output is None:
        raise typer.BadParameter("say where the result goes: -o FILE, or for Japanese -f FORMAT", param_hint="--output")
    if len(models) > 1 or "=" in models[0]:
        named = dict(_named(given) for given in models)
        if len(named) == 2:
            raise typer.BadParameter("two classes are one model: give that of the positive class", param_hint="MODEL")
        _save(load_svmlight_tk(named), output, models)
    elif _is_svmlight(models[0]):
        _save(load_svmlight_tk(models[0]), output, models)
    else:
        paths = write_machines(models[0], output, version.value)
        note(f"Written: {', '.join(map(str, paths))}.")


def _save(classifier: KernelClassifier, output: Path, sources: list[str]) -> None:
    support = classifier.support
    classifier.information |= {
        "data": source_names(sources),
        "support_vectors": 0 if support is None else int(support.coefficients.shape[0]),
    }
    classifier.save(output)
    note(f"The model is in {output}.")


def _named(given: str) -> tuple[str, str]:
    name, equals, path = given.partition("=")
    if not (name and equals and path):
        raise typer.BadParameter(f"'{given}' should look like HUM=hum.model", param_hint="MODEL")
    return name, path


def _is_svmlight(path: str) -> bool:
    return Path(path).is_file() and first_bytes(path).startswith(MAGIC)


def write_machines(path: str, output: Path, version: str) -> list[Path]:
    """Write each machine of a model for SVM-Light-TK; return the files."""
    if model_task(path) == "questions":
        questions = QuestionClassifier.load(path)
        classifiers = list(questions.machines.values())
        for classifier in classifiers:
            classifier.treebank = questions.treebank
    else:
        classifiers = [KernelClassifier.load(path)]
    written = []
    for classifier in classifiers:
        names = [str(name) for name in classifier.classes.tolist()]
        machines = [""] if len(names) == 2 else [f".{name}" for name in names]
        if classifier.scheme == "ovo" and len(names) > 2:
            machines = [f".{first}-{second}" for i, first in enumerate(names) for second in names[i + 1 :]]
        for number, name in enumerate(machines):
            target = output.with_name(output.name + name.replace("/", "_"))
            save_svmlight_tk(classifier, target, machine=number, version=version)
            written.append(target)
    return written

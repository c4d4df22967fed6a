"""`kakari ask`: the kind of answer that a question asks for, and the reasons for it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kakari.corpora.records.origins import Origin
from kakari.output.console import note, print_json
from kakari.reading.portions import text_chunks

if TYPE_CHECKING:
    from kakari.parsers.questions.compact_model import Answer, AskedSentence, QuestionReader


def ask_cli(
    texts: Annotated[
        list[str] | None,
        typer.Argument(metavar="TEXT|FILE", help="Questions, or files with one a line; - or nothing reads a pipe."),
    ] = None,
    explain: Annotated[bool, typer.Option(help="List the features and tree fragments that decided.")] = False,
    top: Annotated[
        int, typer.Option(min=1, help="Number of features and fragments to print; the rest is summed up in one line.")
    ] = 12,
    every: Annotated[bool, typer.Option("--all", help="Treat every sentence as a question.")] = False,
    one_sentence_per_line: Annotated[bool, typer.Option(help="Treat each line as one sentence.")] = False,
    model: Annotated[str, typer.Option(metavar="MODEL", help="A question model, or en.")] = "en",
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object per sentence.")] = False,
) -> None:
    """Print the kind of answer that a question wants: HUM:ind for a person, NUM:date for a date."""
    from kakari.parsers.limits import SURROGATES

    reader = reader_of(model)
    for text, origin, sentence in sentences_of(reader, texts or ["-"], one_sentence_per_line):
        shown = SURROGATES.sub("\ufffd", text[sentence.begin : sentence.end])
        answer = sentence.answer if not every else reader.model.answer([sentence.tree])[0]
        reasons = reasons_for(reader, sentence, top) if explain and answer is not None else None
        if as_json:
            print_json(told(shown, sentence, answer, reasons, origin))
        elif answer is None:
            note(f"no question: {shown}")
        else:
            write_answer(shown, answer, reasons)


def reader_of(model: str) -> QuestionReader:
    """Return a reader with the embedded question model or that of a file."""
    from kakari.parsers.english.parser import EnglishParser
    from kakari.parsers.questions.compact_model import QuestionReader

    if model == "en":
        return QuestionReader.pretrained()
    from kakari.parsers.questions.kernel_answers import load_questions

    return QuestionReader(EnglishParser.pretrained(), load_questions(model))


def sentences_of(
    reader: QuestionReader, arguments: list[str], one_sentence: bool
) -> Iterator[tuple[str, Origin, AskedSentence]]:
    """Yield the sentences of all arguments, each with its text and the place of the text in the input."""
    for argument in arguments:
        for chunk in text_chunks(argument, one_sentence):
            texts = zip(chunk, chunk.origins, reader.pipe(chunk, one_sentence=one_sentence), strict=True)
            yield from ((text, origin, sentence) for text, origin, found in texts for sentence in found)


def reasons_for(reader: QuestionReader, sentence: AskedSentence, top: int) -> list[dict[str, Any]]:
    """Return the weights that add up to the margin: the largest ones, and the sum of the rest."""
    from kakari.parsers.questions.kernel_answers import KernelAnswers, as_question

    if isinstance(reader.model, KernelAnswers):
        from kakari.commands.questions import explain_question

        *_, last = explain_question(reader.model.model, as_question(sentence.tree), top)
        return [{"what": item["conjunction"], "weight": item["weight"]} for item in last["items"]]
    _, parts = reader.model.explain(sentence.tree)
    rows = [{"what": name, "weight": weight} for name, weight in parts[:top]]
    if parts[top:]:
        rows.append({"what": f"({len(parts) - top} others)", "weight": sum(weight for _, weight in parts[top:])})
    return rows


def told(text: str, sentence: AskedSentence, answer: Answer | None, reasons: Any, origin: Origin) -> dict[str, Any]:
    """Describe a sentence for programs; `origin` is the place of its text in the file."""
    begin, end = origin.span(sentence.begin, sentence.end)
    found: dict[str, Any] = {
        "text": text,
        "start": begin,
        "end": end,
        "question": sentence.answer is not None,
    }
    if answer is not None:
        found |= {"coarse": answer.coarse, "fine": answer.fine, "margin": answer.margin, "second": answer.second}
    return found if reasons is None else {**found, "reasons": reasons}


def write_answer(text: str, answer: Answer, reasons: list[dict[str, Any]] | None) -> None:
    """Write an answer for people: coarse class, fine class, margin and question between tabs; then the reasons."""
    fine = answer.fine.partition(":")[2]
    sys.stdout.write(f"{answer.coarse}\t{fine}\t{answer.margin:.3f}\t{text}\n")
    for row in reasons or ():
        sys.stdout.write(f"  {row['weight']:+.3f}  {row['what']}\n")
    if reasons is not None:
        sys.stdout.write(f"  {sum(row['weight'] for row in reasons):+.3f}  {answer.fine} before {answer.second}\n")

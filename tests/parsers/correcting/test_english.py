"""English corrections: classes of questions, arguments, arcs; learned, saved, taken back, refused."""

import pytest

import kakari
from kakari.parsers.arguments.model import ArgumentModel, pretrained_arguments
from kakari.parsers.correcting.checking import check
from kakari.parsers.correcting.dependency import bent
from kakari.parsers.correcting.learning import apply_corrections, history, original, undo
from kakari.parsers.correcting.records import Correction, CorrectionError
from kakari.parsers.dependency.model import DependencyModel
from kakari.parsers.dependency.model import pretrained_model as pretrained_dependency
from kakari.parsers.dependency.parser import DependencyParser
from kakari.parsers.english.parser import EnglishParser
from kakari.parsers.questions.compact_model import LinearQuestions, QuestionReader, pretrained_questions

pytestmark = pytest.mark.thorough

HAMLET = Correction("Who wrote Hamlet?", "class", None, "HUM:gr")
STATED = Correction("I like it. Name the king.", "class", (11, 25), "HUM:desc")
LETTER = Correction("Mary wrote the letter.", "argument", (11, 21), "ARG2", of=(5, 10))
NOTHING = Correction("He sold the car to John.", "argument", (8, 15), None, of=(3, 7))
MAN = Correction("I saw the man with a telescope.", "arc", (21, 30), (10, 13))
ROOT = Correction("Dogs bark loudly.", "arc", (0, 4), None)
CASES = [
    pytest.param(pretrained_questions, LinearQuestions, (HAMLET, STATED), id="questions"),
    pytest.param(pretrained_arguments, ArgumentModel, (LETTER, NOTHING), id="arguments"),
    pytest.param(pretrained_dependency, DependencyModel, (MAN, ROOT), id="dependency"),
]


def test_a_reranker_that_prefers_another_tree_gives_way():
    to = Correction("Who wrote the letter that Mary sent to the president?", "arc", (36, 38), (14, 20))
    assert [(one.before, one.now) for one in apply_corrections(pretrained_dependency(), [to]).outcomes] == [
        (False, True)
    ]


@pytest.mark.parametrize(("pretrained", "kind", "corrections"), CASES)
def test_corrections_hold_and_are_taken_back(pretrained, kind, corrections, tmp_path):
    model = pretrained()
    done = apply_corrections(model, corrections)
    assert [(one.before, one.now) for one in done.outcomes] == [(False, True), (False, True)]
    done.model.save(tmp_path / "model.safetensors")
    again = kind.load(tmp_path / "model.safetensors")
    assert history(again) == list(corrections)
    assert [one.now for one in apply_corrections(again, corrections).outcomes] == [True, True]
    once = apply_corrections(model, corrections[:1]).model
    assert undo(again).model.to_bytes() == once.to_bytes()
    assert apply_corrections(once, corrections).model.to_bytes() == done.model.to_bytes()
    assert original(again).to_bytes() == model.to_bytes()


@pytest.mark.parametrize(("pretrained", "kind", "corrections"), CASES)
def test_little_else_changes(pretrained, kind, corrections):
    assert len(check(apply_corrections(pretrained(), corrections).model)) <= 2


def test_the_readers_see_it():
    asked = QuestionReader(
        EnglishParser.pretrained(), apply_corrections(pretrained_questions(), [HAMLET, STATED]).model
    )
    assert asked.ask(HAMLET.text)[0].answer.fine == "HUM:gr"
    assert asked.ask(STATED.text)[1].answer.fine == "HUM:desc"
    answer, reasons = asked.model.explain(asked.ask(HAMLET.text)[0].tree)
    assert sum(value for _, value in reasons) == pytest.approx(answer.margin)
    assert "(corrections)" in dict(reasons)


def test_a_corrected_embedded_parser_keeps_its_tags(tmp_path):
    done = apply_corrections(pretrained_dependency(), [MAN]).model
    done.save(tmp_path / "ud.safetensors")
    text = "The old man the boats. She sells sea shells by the sea shore."
    first, second = DependencyParser.pretrained(), DependencyParser.load(tmp_path / "ud.safetensors")
    assert [one.tree.words for one in first.parse(text)] == [one.tree.words for one in second.parse(text)]
    assert second.parse(MAN.text)[0].tree.heads[6] == 4


@pytest.mark.parametrize(
    ("pretrained", "correction", "reason"),
    [
        (pretrained_questions, MAN, "learns classes"),
        (pretrained_questions, Correction("Who?", "class", None, "HUM"), "there is no class 'HUM'; there are HUM:desc"),
        (pretrained_questions, Correction("Who? Where?", "class", None, "HUM:ind"), "say which one"),
        (pretrained_arguments, HAMLET, "learns arguments"),
        (pretrained_arguments, Correction("Dogs bark.", "argument", (0, 4), "ARG9", of=(5, 9)), "no role 'ARG9'"),
        (pretrained_arguments, Correction("Mary wrote it.", "argument", (5, 10), "ARG0", of=(0, 4)), "no predicate"),
        (pretrained_arguments, Correction("Mary wrote it.", "argument", (0, 3), "ARG0", of=(5, 10)), "begin and end"),
        (pretrained_arguments, Correction("Mary wrote it.", "argument", (0, 10), "ARG0", of=(5, 10)), "no constituent"),
        (pretrained_dependency, HAMLET, "learns arcs"),
        (pretrained_dependency, Correction("Dogs bark.", "arc", (0, 3), (5, 9)), "not a word"),
        (pretrained_dependency, Correction("Go. Stop.", "arc", (0, 2), (4, 8)), "different sentences"),
    ],
)
def test_what_cannot_be_is_refused(pretrained, correction, reason):
    with pytest.raises(CorrectionError, match=reason):
        apply_corrections(pretrained(), [correction])


def test_arcs_in_a_circle_are_refused():
    circle = [Correction(MAN.text, "arc", (10, 13), (21, 30)), MAN]
    with pytest.raises(CorrectionError, match="no tree has this arc"):
        apply_corrections(pretrained_dependency(), circle)


def test_bent_trees():
    assert bent([2, 0, 2, 3], {4: 2}) == [2, 0, 2, 2]
    assert bent([2, 0, 2, 3], {3: 4}) == [2, 0, 4, 2]
    assert bent([2, 0, 2, 3], {3: 0}) == [2, 3, 0, 3]


def test_pipelines_take_corrected_models(tmp_path):
    for model, corrections in ((pretrained_questions(), [HAMLET]), (pretrained_dependency(), [MAN])):
        apply_corrections(model, corrections).model.save(tmp_path / f"{model.task}.safetensors")
    doc = kakari.load("en", model=tmp_path / "en-questions.safetensors")(HAMLET.text)
    assert max(doc.cats, key=doc.cats.get).startswith("HUM")
    assert doc.cats["HUM:gr"] > doc.cats["HUM:ind"]
    doc = kakari.load("en", model=tmp_path / "dependency.safetensors")(MAN.text)
    assert doc[6].head.text == "man"
    with pytest.raises(ValueError, match="has no place for a model for 'dependency'"):
        kakari.load("ja", model=tmp_path / "dependency.safetensors")


def test_the_japanese_pipeline_takes_a_corrected_model(tmp_path):
    from kakari.parsers.japanese.parser import pretrained_model

    one = Correction("昨日買った本を読む。", "arc", (0, 2), (7, 10))
    apply_corrections(pretrained_model(), [one]).model.save(tmp_path / "ja.safetensors")
    doc = kakari.load("ja", model=tmp_path / "ja.safetensors")(one.text)
    assert doc._.bunsetsu[0]._.head.text == "読む。"
    with pytest.raises(ValueError, match="the words of sudachi"):
        kakari.load("ja", words="kakari", model=tmp_path / "ja.safetensors")

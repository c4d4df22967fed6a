"""English on the command line as a user meets it: one answer everywhere."""

import json

import pytest
from command_line import run, run_here

from kakari.corpora import parse_brackets
from kakari.output.constituency_tree import draw_tree
from kakari.output.english import to_json
from kakari.parsers.arguments.candidates.frames import read_frames
from kakari.parsers.arguments.model import pretrained_arguments
from kakari.parsers.english.parser import EnglishParser
from kakari.parsers.english.words.detokenising import detokenised
from kakari.parsers.english.words.flat_trees import FlatTree, bracketed
from kakari.parsers.english.words.treebank_trees import read_trees
from kakari.spacy.english import span_flat_tree

TEXT = "Who wrote Hamlet?"
BRACKETS = "(TOP (SBARQ (WHNP (WP Who)) (SQ (VP (VBD wrote) (NP (NNP Hamlet)))) (. ?)))"
DRAWING = """\
SBARQ┬WHNP─WP Who
     ├SQ─VP┬VBD wrote
     │     └NP─NNP Hamlet
     └. ?
wrote: ARG0 [Who], ARG1 [Hamlet]
"""


@pytest.fixture
def kakari():
    return run_here


@pytest.fixture(scope="module")
def nlp():
    from kakari import load

    return load("en")


def test_the_golden_question_is_the_same_everywhere(tmp_path, kakari):
    assert run("parse", TEXT).stdout == DRAWING + "\n"
    assert kakari("parse", "-l", "en", "-f", "ptb", stdin=TEXT).stdout == BRACKETS + "\n"
    (tmp_path / "x.txt").write_text(f"{TEXT}\n\n{TEXT} Nobody sneezed.\n", encoding="utf-8")
    lines = kakari("parse", "-f", "ptb", str(tmp_path / "x.txt")).stdout.splitlines()
    assert lines == [BRACKETS, BRACKETS, "(TOP (S (NP (NN Nobody)) (VP (VBD sneezed)) (. .)))"]
    (found,) = EnglishParser.pretrained().parse(TEXT)
    assert found.brackets == BRACKETS
    assert found.to_nltk() == parse_brackets(BRACKETS)
    told = json.loads(kakari("parse", "-l", "en", "-f", "json", TEXT).stdout)
    assert told == to_json(TEXT, found, pretrained_arguments().find([found.tree])[0].frames)
    assert [TEXT[one["start"] : one["end"]] for one in told["tokens"]] == ["Who", "wrote", "Hamlet", "?"]


def test_predicates_are_shown_in_every_format(tmp_path, kakari):
    text = "The board approved the plan that Mary sent on Friday."
    drawn = kakari("parse", "-l", "en", text).stdout
    assert "approved: ARG0 [The board], ARG1 [the plan that Mary sent on Friday]\n" in drawn
    columns = kakari("parse", "-l", "en", "-f", "conll", text + " (Nobody sneezed.)").stdout
    (tmp_path / "x.conll").write_text(columns, encoding="utf-8")
    first, second = read_frames(str(tmp_path / "x.conll"))
    assert [(frame.token, frame.lemma) for frame in first.frames] == [(2, "approve"), (7, "send")]
    assert first.frames[0].spans == ((0, 2), (3, 10)) and first.frames[0].roles == ("ARG0", "ARG1")
    assert [frame.lemma for frame in second.frames] == ["sneeze"] and second.tree.words[0] == "("
    told = json.loads(kakari("parse", "-l", "en", "-f", "json", text).stdout)
    assert [one["lemma"] for one in told["predicates"]] == ["approve", "send"]
    for argument in told["predicates"][1]["arguments"]:
        assert text[argument["start"] : argument["end"]] == argument["text"]
    assert kakari("parse", "-l", "en", "-f", "conll", "").stdout == ""


def test_arguments_are_trained_and_scored(tmp_path, kakari):
    model = str(tmp_path / "arguments.safetensors")
    told = json.loads(kakari("train", "en-arguments", "sample-en", "-o", model, "--json").stdout)
    assert told["sentences"] == 89 and told["roles"] > 1
    cases = ((model, "trees", 0.98), (model, "tokens", 0.5), ("en", "text", 0.5), ("en", "tags", 0.5))
    for name, given, least in cases:
        found = kakari("evaluate", name, "sample-en", "--task", "arguments", "--given", given, "--json")
        scores = json.loads(found.stdout)
        assert scores["span_f1"] > least and scores["candidates"] > 100 and scores["seconds"] > 0
        assert {"span_precision", "span_recall", "node_f1", "labelled_f1", "predicate_f1"} < set(scores)


def test_the_sample_corpus_has_the_same_trees_everywhere(tmp_path, kakari, nlp):
    """The command line, Python and spaCy, also where spaCy's tokens are cut or joined."""
    texts = [detokenised(tree)[0] for tree in read_trees("sample-en")]
    texts += ["He and/or she flew an F-16 over Y2K-land!!! Why?! Well-known e-mails ...", '(and/or) "F-16"']
    (tmp_path / "x.txt").write_text("".join(text + "\n" for text in texts), encoding="utf-8")
    printed = kakari("parse", "-l", "en", "-f", "ptb", str(tmp_path / "x.txt")).stdout.splitlines()
    python = [found.brackets for found_here in EnglishParser.pretrained().pipe(texts) for found in found_here]
    in_spacy = [bracketed(span_flat_tree(sentence)) for doc in nlp.pipe(texts) for sentence in doc.sents]
    assert len(printed) >= 91
    assert printed == python == in_spacy


def test_lines_are_sentences_if_the_user_says_so(kakari):
    text = "He left. She stayed.\nYes."
    assert len(kakari("parse", "-l", "en", "-f", "ptb", "--one-sentence-per-line", stdin=text).stdout.splitlines()) == 2
    assert len(kakari("parse", "-l", "en", "-f", "ptb", stdin=text).stdout.splitlines()) == 3


def test_japanese_is_told_by_its_script(kakari):
    assert "NN" not in kakari("parse", "本を読む。").stdout
    assert kakari("parse", "-l", "en", "-f", "ptb", "本を読む。").stdout.startswith("(TOP ")


@pytest.mark.slow
def test_processes_keep_the_order(tmp_path, kakari):
    (tmp_path / "x.txt").write_text("".join(f"Dog number {i} barks loudly .\n" for i in range(1500)), encoding="utf-8")
    one = kakari("parse", "-l", "en", "-f", "ptb", str(tmp_path / "x.txt")).stdout
    assert one == kakari("parse", "-l", "en", "-f", "ptb", "-j", "2", str(tmp_path / "x.txt")).stdout
    assert one.count("\n") == 1500


@pytest.mark.slow
def test_a_model_is_trained_and_scored(tmp_path, kakari):
    model = str(tmp_path / "en.safetensors")
    told = json.loads(kakari("train", "en-constituency", "sample-en", "-o", model, "--passes", "4", "--json").stdout)
    assert told["sentences"] == 89
    for given, task in (("text", "trees"), ("tokens", "trees"), ("tags", "trees"), ("text", "tags")):
        run_ = kakari("evaluate", model, "sample-en", "--task", task, "--given", given, "--json")
        scores = json.loads(run_.stdout)
        assert scores["tag_accuracy"] > 0.9 and scores["sentences"] == 89 and scores["seconds"] > 0
        assert ("bracket_f1" in scores) == (task == "trees")
    assert kakari("parse", "-f", "ptb", "--model", model, "Nobody sneezed.").stdout.startswith("(TOP ")


def test_a_tagger_alone_says_what_it_cannot_do(tmp_path, kakari):
    model = str(tmp_path / "t.safetensors")
    assert kakari("train", "en-tagger", "sample-en", "-o", model).returncode == 0
    assert json.loads(kakari("evaluate", model, "sample-en", "--json").stdout)["task"] == "tags"
    refused = kakari("evaluate", model, "sample-en", "--task", "trees")
    assert refused.returncode == 1 and "tagger only" in refused.stderr
    refused = kakari("parse", "-l", "en", "--model", model, TEXT)
    assert refused.returncode == 1 and "tagger only" in refused.stderr and "Traceback" not in refused.stderr


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("parse", "-l", "en", "-f", "knp", "x"), 2),
        (("parse", "-l", "ja", "-f", "ptb", "本"), 2),
        (("parse", "-l", "ja", "-f", "conll", "本"), 2),
        (("evaluate", "en", "sample-en", "--given", "trees"), 2),
        (("evaluate", "en", "sample-en", "--task", "arguments", "--given", "morphemes"), 2),
        (("evaluate", "en", "sample-ja", "--task", "arguments"), 1),
        (("train", "en-arguments", "sample-ja", "-o", "x.safetensors"), 1),
        (("evaluate", "en", "sample-en", "--given", "bunsetsu"), 2),
        (("evaluate", "en", "sample-en", "--task", "tags", "--given", "tags"), 2),
        (("evaluate", "en", "sample-ja"), 1),
        (("train", "en-tagger", "sample-ja", "-o", "x.safetensors"), 1),
    ],
)
def test_wrong_usage_is_told(arguments, code, kakari):
    found = kakari(*arguments)
    assert found.returncode == code
    assert found.stdout == "" and "Traceback" not in found.stderr and found.stderr.strip()


def test_a_drawing_has_a_line_for_each_word():
    nodes = (("S", 0, 4), ("NP", 0, 2), ("NP", 0, 1), ("VP", 2, 4), ("X", 2, 4))
    lines = draw_tree(FlatTree(("a", "b", "c\n", "d"), ("A", "B", "C", "D"), nodes))
    assert lines == ["S┬NP┬NP─A a", " │  └B b", " └VP─X┬C c ", "      └D d"]
    assert draw_tree(FlatTree(("a", "b"), ("A", "B"), ())) == ["A a", "B b"]

"""English on the command line as a user meets it: one answer everywhere."""

import json

import pytest
from command_line import run, run_here

from kakari.corpora import parse_brackets
from kakari.english_output import to_json
from kakari.parsers.english import EnglishParser
from kakari.parsers.english_text import detokenised
from kakari.parsers.english_trees import FlatTree, bracketed, read_trees
from kakari.spacy_english import span_flat_tree
from kakari.tree_drawing import draw_tree

TEXT = "Who wrote Hamlet?"
BRACKETS = "(TOP (SBARQ (WHNP (WP Who)) (SQ (VP (VBD wrote) (NP (NNP Hamlet)))) (. ?)))"
DRAWING = """\
SBARQ┬WHNP─WP Who
     ├SQ─VP┬VBD wrote
     │     └NP─NNP Hamlet
     └. ?
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
    assert told == to_json(TEXT, found)
    assert [TEXT[one["start"] : one["end"]] for one in told["tokens"]] == ["Who", "wrote", "Hamlet", "?"]


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


def test_processes_keep_the_order(tmp_path, kakari):
    (tmp_path / "x.txt").write_text("".join(f"Dog number {i} barks loudly .\n" for i in range(1500)), encoding="utf-8")
    one = kakari("parse", "-l", "en", "-f", "ptb", str(tmp_path / "x.txt")).stdout
    assert one == kakari("parse", "-l", "en", "-f", "ptb", "-j", "2", str(tmp_path / "x.txt")).stdout
    assert one.count("\n") == 1500


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

"""`kakari ask`, and question models from raw text, on the command line."""

import gzip
import json

import pytest
from command_line import run, run_here

from kakari.parsers.english import recipe as english_pretraining
from kakari.parsers.questions import recipe as question_pretraining


def test_questions_are_answered():
    told = run("ask", "Who wrote Hamlet?", "He left.")
    assert told.stdout.startswith("HUM\tind\t") and told.stdout.endswith("\tWho wrote Hamlet?\n")
    assert told.stderr == "no question: He left.\n" and told.returncode == 0


def test_pipes_files_and_json(tmp_path):
    (tmp_path / "q.txt").write_text("Where is Kyoto?\nI like it.\n", encoding="utf-8")
    lines = [json.loads(line) for line in run_here("ask", "--json", str(tmp_path / "q.txt")).stdout.splitlines()]
    assert [(one["question"], one.get("coarse")) for one in lines] == [(True, "LOC"), (False, None)]
    assert run_here("ask", stdin="Where is Kyoto?").stdout.startswith("LOC\t")
    assert run_here("ask", stdin="").stdout == "" and run_here("ask", "").returncode == 0
    every = run_here("ask", "--all", "I like it.").stdout
    assert every.endswith("\tI like it.\n")


def test_reasons_sum_to_the_margin():
    (told,) = map(
        json.loads, run_here("ask", "--explain", "--json", "--top", "5", "Who wrote Hamlet?").stdout.splitlines()
    )
    assert sum(part["weight"] for part in told["reasons"]) == pytest.approx(told["margin"])
    assert len(told["reasons"]) == 6 and told["reasons"][-1]["what"].endswith("others)")
    text = run_here("ask", "--explain", "--top", "500", "Who wrote Hamlet?").stdout
    assert "  asked=who\n" in text and "(WHNP (WP who))" in text
    assert text.splitlines()[-1].endswith(f"HUM:ind before {told['second']}")


def test_a_model_of_raw_text_is_trained_and_scored(tmp_path):
    model, corpus = str(tmp_path / "m"), tmp_path / "x.tsv.gz"
    corpus.write_bytes(gzip.compress(b"HUM\tind\tWho won ?\nLOC\tcity\tWhat city is it ?\nNUM\tdate\tWhen was it ?\n"))
    trained = run_here("train", "questions", str(corpus), "-o", model, "--given", "text", "--compact", "--json")
    assert json.loads(trained.stdout)["classes"] == 3
    for name in (model, "en"):
        scores = json.loads(
            run_here("evaluate", name, str(corpus), "--task", "questions", "--given", "text", "--json").stdout
        )
        assert scores["accuracy"] == 1.0 and scores["fine_accuracy"] == 1.0
        assert scores["sentences"] == 3 and scores["seconds"] > 0
    assert run_here("ask", "--model", model, "Who won?").stdout.startswith("HUM\tind\t")
    refused = run_here("train", "questions", str(corpus), "-o", model, "--compact")
    assert refused.returncode == 1 and "--given text" in refused.stderr
    refused = run_here("evaluate", "en", str(corpus), "--task", "questions", "--given", "tags")
    assert refused.returncode == 1 and "Traceback" not in refused.stderr
    refused = run_here("evaluate", "en", str(corpus), "--task", "questions", "--given", "trees")
    assert refused.returncode == 1 and "without trees" in refused.stderr


def test_a_kernel_machine_of_raw_text(tmp_path):
    model = str(tmp_path / "m")
    told = run_here("train", "questions", "sample-questions", "-o", model, "--given", "text", "--labels", "coarse")
    assert told.returncode == 0, told.stderr
    scores = json.loads(run_here("evaluate", model, "sample-questions", "--given", "text", "--json").stdout)
    assert scores["given"] == "text" and scores["accuracy"] > 0.9


def test_the_questions_of_the_test_set_are_learned_from_nowhere():
    learned = (*english_pretraining.CORPORA, question_pretraining.QUESTIONS, *question_pretraining.TREEBANKS)
    learned += question_pretraining.ALL_QUESTIONS
    assert all(":" in name or name == "treebank" for name in learned)  # a whole corpus would bring its test part
    assert not any(name.endswith(":test") for name in learned)


@pytest.mark.corpora
def test_the_embedded_model_on_raw_questions(need_corpus):
    need_corpus("qc:test")
    told = json.loads(run_here("evaluate", "en", "qc:test", "--task", "questions", "--given", "text", "--json").stdout)
    assert told["accuracy"] >= 0.92 and told["fine_accuracy"] >= 0.855 and told["sentences"] == 500

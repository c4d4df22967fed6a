"""Dependencies, chunks and questions of all of sample-en: the command line, Python and spaCy say the same.

Trees, predicates, senses and arguments are compared in test_arguments.py.
"""

import json

import pytest
from command_line import run_here

import kakari
from kakari.parsers.dependency.parser import DependencyParser
from kakari.parsers.english.chunks.chunker import Chunker
from kakari.parsers.english.words.detokenising import detokenised
from kakari.parsers.english.words.treebank_trees import read_trees
from kakari.parsers.questions.compact_model import QuestionReader


@pytest.fixture(scope="module")
def texts():
    return [detokenised(tree)[0] for tree in read_trees("sample-en")]


@pytest.fixture(scope="module")
def documents(texts):
    return list(kakari.load("en").pipe(texts))


@pytest.fixture
def file(texts, tmp_path):
    (tmp_path / "sample.txt").write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    return str(tmp_path / "sample.txt")


def rows_of(printed):
    """The columns of the words of each sentence of CoNLL-U."""
    blocks = [block.splitlines() for block in printed.strip().split("\n\n")]
    rows = [[line.split("\t") for line in block if line[0] != "#"] for block in blocks]
    return [[row for row in own if "-" not in row[0]] for own in rows]


def test_dependencies(texts, documents, file):
    printed = rows_of(run_here("parse", "-l", "en", "-f", "conllu", file).stdout)
    python = [found.tree for trees in DependencyParser.pretrained().pipe(texts) for found in trees]
    assert [[row[1:6] for row in rows] for rows in printed] == [
        [[form, lemma, coarse, fine, features] for form, lemma, coarse, fine, features in tree.words] for tree in python
    ]
    assert [[(int(row[6]), row[7]) for row in rows] for rows in printed] == [
        list(zip(tree.heads, tree.relations, strict=True)) for tree in python
    ]
    compared = 0
    sentences = [sentence for doc in documents for sentence in doc.sents]
    assert len(printed) == len(sentences) >= len(texts)
    for rows, sentence in zip(printed, sentences, strict=True):
        if [row[1] for row in rows] != [token.text for token in sentence]:
            continue  # a token that the treebanks cut or join: each has its own row there
        compared += 1
        for row, token in zip(rows, sentence, strict=True):
            head = 0 if token.head is token or token.head.i == token.i else token.head.i - sentence.start + 1
            relation = "root" if token.dep_ == "ROOT" else token.dep_
            assert row[2:8] == [token.lemma_, token.pos_, token.tag_, str(token.morph) or "_", str(head), relation]
    assert compared > 0.9 * len(sentences)


def test_chunks(texts, documents, file):
    printed = run_here("parse", "-l", "en", "-f", "chunks", file).stdout.splitlines()
    python = [sentence.brackets for found in Chunker.pretrained().pipe(texts) for sentence in found]
    assert [line for line in printed if line] == python
    in_spacy = []
    for doc in documents:
        for sentence in doc.sents:
            own = [span for span in doc.spans["kakari.chunks"] if sentence.start <= span.start < sentence.end]
            in_spacy.append([(span.label_, span.text.replace(" ", "")) for span in own])
    assert [chunks_of(line) for line in printed if line] == in_spacy
    assert sum(map(len, in_spacy)) > 300


def chunks_of(line):
    """The chunks of a printed line, `[NP Mary] [VP wrote] .`, each with its label; blanks inside do not count."""
    inside = [part.partition("]")[0] for part in line.split("[")[1:]]
    return [(part.partition(" ")[0], part.partition(" ")[2].replace(" ", "")) for part in inside]


def test_questions(texts, documents):
    reader = QuestionReader.pretrained()
    python = [one.answer.fine if one.answer else "" for found in reader.pipe(texts) for one in found]
    in_spacy = [sentence._.question_class for doc in documents for sentence in doc.sents]
    printed = [json.loads(line).get("fine", "") for line in run_here("ask", "--json", *texts).stdout.splitlines()]
    assert in_spacy == python == printed
    assert sum(map(bool, python)) > 5

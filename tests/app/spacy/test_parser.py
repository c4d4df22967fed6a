"""`kakari_parser`: trees on tokens, in any pipeline, trained by spaCy, the same as the command line's."""

import io
import json
import pickle
import subprocess
import sys
from itertools import islice

import pytest
import spacy
from command_line import run_here as run
from spacy import displacy
from spacy.tokens import Doc, DocBin
from spacy.training import Example

import kakari
from kakari.corpora import read_conllu
from kakari.corpora.records.arcs import reaches_root
from kakari.parsers.dependency import TreeSentence, read_treebank
from kakari.parsers.dependency.parser import DependencyParser
from kakari.spacy.dependency import doc_trees, score_parses

TEXT = "Mary's dog didn't chase the two old cats and/or birds of Paris.\n\n  Who can't see it? (Nobody!)"


@pytest.fixture(scope="module")
def nlp():
    return kakari.load("en")


@pytest.fixture(scope="module")
def only_parser():
    nlp = spacy.blank("en")
    nlp.add_pipe("kakari_parser")
    return nlp


def rows(doc):
    return [(t.text, t.tag_, t.pos_, t.lemma_, str(t.morph), t.dep_, t.head.i, t.is_sent_start) for t in doc]


def gold_docs(nlp, count, treebank="sample-ud"):
    """Documents of a treebank, the sample by default."""
    found = []
    for sentence in islice(read_treebank(treebank), count):
        heads = [place if head == 0 else head - 1 for place, head in enumerate(sentence.heads)]
        deps = ["ROOT" if head == 0 else r for head, r in zip(sentence.heads, sentence.relations, strict=True)]
        columns = list(zip(*sentence.words, strict=True))
        morphs = ["" if features == "_" else features for features in columns[4]]
        found.append(
            Doc(nlp.vocab, words=columns[0], spaces=sentence.spaces, lemmas=columns[1], pos=columns[2],
                tags=columns[3], morphs=morphs, heads=heads, deps=deps)
        )  # fmt: skip
    return found


def test_every_attribute_is_set(nlp):
    doc = nlp("The children were chasing Mary's dogs.")
    assert [t.dep_ for t in doc] == ["det", "nsubj", "aux", "ROOT", "nmod:poss", "case", "obj", "punct"]
    assert [
        t.head.text for t in doc if t.dep_ != "ROOT"
    ] == "children chasing chasing dogs Mary chasing chasing".split()
    assert [t.pos_ for t in doc] == ["DET", "NOUN", "AUX", "VERB", "PROPN", "PART", "NOUN", "PUNCT"]
    assert (doc[1].lemma_, doc[3].lemma_, doc[6].tag_) == ("child", "chase", "NNS")
    assert doc[1].morph.get("Number") == ["Plur"]
    assert [chunk.text for chunk in doc.noun_chunks] == ["The children", "Mary's dogs"]
    assert [t.is_sent_start for t in doc] == [True] + [False] * 7


def test_displacy_draws_the_tree(nlp):
    svg = displacy.render(nlp("She reads books."), style="dep")
    assert all(word in svg for word in ("nsubj", "obj", "books"))


def test_sentences_are_trees_whatever_the_tokens_are(nlp, only_parser):
    for pipeline in (nlp, only_parser):
        for text in (TEXT, "", " ", "\n\n", "x", "  a\n\n\n b ", "?!", "(" * 40, "a/b/c and/or d"):
            doc = pipeline(text)
            assert doc.text == text
            for sentence in doc.sents:
                assert len([t for t in sentence if t.head.i == t.i]) == 1
                assert all(t.head in sentence for t in sentence)
            assert [t.text for t in doc if t.is_space] == [t.text for t in doc if t.pos_ == "SPACE"]


def test_words_and_tags_are_those_of_the_constituents(nlp):
    doc = nlp(TEXT)
    leaves = [leaf for sent in doc.sents for leaf in sent._.parse_string.split(")") if " " in leaf]
    assert len(leaves) >= len([t for t in doc if not t.is_space])
    tree_tags = {leaf.split(" ")[-1]: leaf.split("(")[-1].split(" ")[0] for leaf in leaves}
    assert all(tree_tags[t.text] == t.tag_ for t in doc if t.text in tree_tags)


def test_command_line_python_and_spacy_agree(nlp):
    text = "Mary's dog didn't chase the two old cats. Who can see it?"
    done = run("parse", "-l", "en", "-f", "conllu", text)
    assert done.returncode == 0, done.stderr
    written = [word for sentence in read_conllu(io.StringIO(done.stdout)) for word in sentence.words]
    parsed = [
        (form, xpos, upos, lemma, feats, relation)
        for sentence in DependencyParser.pretrained().parse(text)
        for (form, lemma, upos, xpos, feats), relation in zip(sentence.tree.words, sentence.tree.relations, strict=True)
    ]
    assert [(w.form, w.xpos, w.upos, w.lemma, w.feats, w.deprel) for w in written] == parsed
    tokens = [
        (t.text, t.tag_, t.pos_, t.lemma_, str(t.morph) or "_", t.dep_.replace("ROOT", "root")) for t in nlp(text)
    ]
    assert tokens == parsed
    heads = [int(w.head) for w in written]
    assert [0 if t.head.i == t.i else t.head.i - t.sent.start + 1 for t in nlp(text)] == heads


def test_command_line_writes_valid_universal_dependencies():
    done = run("parse", "-f", "conllu", TEXT)
    sentences = list(read_conllu(io.StringIO(done.stdout)))
    assert [s.comments[0] for s in sentences] == [f"# sent_id = {n}" for n in range(1, len(sentences) + 1)]
    inventory = set("ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X".split())
    for sentence in sentences:
        heads = [int(word.head) for word in sentence.words]
        assert reaches_root(heads)
        assert [word.deprel for word in sentence.words if word.head == "0"] == ["root"]
        assert {word.upos for word in sentence.words} <= inventory
        for word in sentence.words:
            names = [item.split("=")[0].lower() for item in word.feats.split("|")]
            assert names == sorted(names)
            assert all("=" in item for item in word.feats.split("|")) or word.feats == "_"
        shown = [t for t in sentence.tokens if t.is_range or not any(_inside(t, r) for r in sentence.tokens)]
        rebuilt = "".join(t.form + " " * t.space_after for t in shown).rstrip()
        assert rebuilt == sentence.text
    assert any(token.form == "didn't" and token.is_range for token in sentences[0].tokens)


def _inside(token, other):
    if not other.is_range:
        return False
    first, last = map(int, other.id.split("-"))
    return first <= int(token.id) <= last


def test_formats_of_the_embedded_model():
    drawn = run("parse", "--model", "en-ud", "-f", "tree", "She reads books.")
    assert drawn.stdout == "reads VERB root\n├─She PRON nsubj\n├─books NOUN obj\n└─. PUNCT punct\n\n"
    told = json.loads(run("parse", "--model", "en-ud", "-f", "json", "--beam", "3", "I saw the man with a dog.").stdout)
    assert len(told["trees"]) == 3
    assert [tree["score"] for tree in told["trees"]] == sorted((t["score"] for t in told["trees"]), reverse=True)
    assert told["trees"][0]["heads"] == [token["head"] for token in told["tokens"]]
    assert all(0 < token["probability"] < 1 for token in told["tokens"])
    misc = run("parse", "-l", "en", "-f", "conllu", "--beam", "2", "Dogs bark.").stdout
    assert "ArcProbability=0." in misc
    assert run("parse", "--model", "en-ud", "-f", "ptb", "x").returncode == 2


def test_probabilities_only_if_asked(nlp, only_parser):
    assert {token._.arc_probability for token in nlp("Dogs bark.")} == {None}
    sure = spacy.blank("en")
    sure.add_pipe("kakari_parser", config={"beam": 4})
    doc = sure("I saw the man with a dog. ")
    assert all(0 < token._.arc_probability <= 1 for token in doc)
    assert rows(doc) == rows(only_parser("I saw the man with a dog. "))


def test_batches_processes_and_pickles_change_nothing(nlp):
    texts = [TEXT, "", "Dogs bark.", " "] * 3
    one = [rows(nlp(text)) for text in texts]
    assert [rows(doc) for doc in nlp.pipe(texts, batch_size=5)] == one
    assert [rows(doc) for doc in nlp.pipe(texts, n_process=2, batch_size=3)] == one
    assert rows(pickle.loads(pickle.dumps(nlp))(TEXT)) == one[0]


def test_saved_pipelines_and_documents(only_parser, tmp_path):
    only_parser.to_disk(tmp_path / "nlp")
    again = spacy.load(tmp_path / "nlp")
    assert rows(again(TEXT)) == rows(only_parser(TEXT))
    copy = spacy.blank("en")
    copy.add_pipe("kakari_parser")
    copy.from_bytes(only_parser.to_bytes())
    assert rows(copy("Dogs bark.")) == rows(only_parser("Dogs bark."))
    doc = Doc(only_parser.vocab).from_bytes(only_parser(TEXT).to_bytes())
    assert [chunk.text for chunk in doc.noun_chunks] == [chunk.text for chunk in only_parser(TEXT).noun_chunks]


def test_another_language_is_learned_and_scored():
    nlp = spacy.blank("da")
    component = nlp.add_pipe("kakari_parser")
    docs = gold_docs(nlp, 12)
    nlp.initialize(lambda: [Example(nlp.make_doc(doc.text), doc) for doc in docs])
    assert component.trained.language == "da"
    bare = [Doc(nlp.vocab, words=[t.text for t in doc], spaces=[bool(t.whitespace_) for t in doc]) for doc in docs]
    examples = [Example(nlp(given), doc) for given, doc in zip(bare, docs, strict=True)]
    figures = nlp.evaluate(examples)
    assert figures["dep_uas"] > 0.6
    assert figures["tag_acc"] > 0.9
    assert score_parses([]).keys() >= {"dep_uas", "dep_las"}


def test_documents_without_trees_train_nothing():
    nlp = spacy.blank("en")
    nlp.add_pipe("kakari_parser")
    doc = nlp.make_doc("Dogs bark.")
    assert doc_trees(doc) == []
    with pytest.raises(ValueError, match="no training document has dependency trees"):
        nlp.initialize(lambda: [Example(doc, doc)])


def test_trees_of_documents(nlp):
    (tree,) = doc_trees(nlp("She  reads books."))
    assert isinstance(tree, TreeSentence)
    assert (tree.heads, tree.relations) == ((2, 0, 2, 2), ("nsubj", "root", "obj", "punct"))


CONFIG = """
[paths]
train = null
dev = null
[nlp]
lang = "en"
pipeline = ["kakari_parser"]
[components]
[components.kakari_parser]
factory = "kakari_parser"
[corpora]
[corpora.train]
@readers = "spacy.Corpus.v1"
path = ${paths.train}
[corpora.dev]
@readers = "spacy.Corpus.v1"
path = ${paths.dev}
[training]
max_steps = 1
eval_frequency = 1
[initialize]
[initialize.components]
[initialize.components.kakari_parser]
passes = 3
folds = 2
"""


def trained_by_spacy(folder, train, dev):
    """Train with the command line of spaCy; return the pipeline and its scores."""
    (folder / "base.cfg").write_text(CONFIG)
    DocBin(docs=train).to_disk(folder / "train.spacy")
    DocBin(docs=dev).to_disk(folder / "dev.spacy")
    files = [str(folder / name) for name in ("base.cfg", "c.cfg", "out", "train.spacy", "dev.spacy")]
    spacy_cli = [sys.executable, "-m", "spacy"]
    subprocess.run([*spacy_cli, "init", "fill-config", *files[:2]], check=True, capture_output=True)
    options = ["--output", files[2], "--paths.train", files[3], "--paths.dev", files[4]]
    done = subprocess.run([*spacy_cli, "train", files[1], *options], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    meta = json.loads((folder / "out" / "model-best" / "meta.json").read_text())
    return spacy.load(folder / "out" / "model-best"), meta["performance"]


@pytest.mark.slow
def test_spacy_train(tmp_path):
    docs = gold_docs(spacy.blank("en"), 20)
    trained, scores = trained_by_spacy(tmp_path, docs, docs)
    assert trained("Dogs bark.")[0].dep_
    assert scores["dep_uas"] > 0.6


@pytest.mark.corpora
def test_spacy_train_on_the_english_web_treebank(tmp_path, need_corpus):
    need_corpus("ud-english")
    docs = gold_docs(spacy.blank("en"), 500, "ud-english:train")
    trained, scores = trained_by_spacy(tmp_path, docs[:400], docs[400:])
    assert scores["dep_uas"] > 0.6 and scores["dep_las"] > 0.5 and scores["tag_acc"] > 0.75
    doc = trained("The dog chased the two old cats.")
    assert [chunk.text for chunk in doc.noun_chunks] == ["The dog", "the two old cats"]
    assert "nsubj" in displacy.render(doc, style="dep")

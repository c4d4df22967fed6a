"""`train dependency`, `evaluate` and `parse` with the model it makes; what is wrong is told in one line."""

import io
import json
from itertools import islice

import pytest
from command_line import run_here as run

from kakari.corpora import read_conllu
from kakari.corpora.records.arcs import reaches_root
from kakari.parsers.dependency import DependencyModel, read_treebank

SENTENCE = """\
# text = {subject} see the dogs.
1\t{subject}\t{lemma}\tNOUN\tNNS\tNumber=Plur\t2\tnsubj\t_\t_
2\tsee\tsee\tVERB\tVBP\tTense=Pres\t0\troot\t_\t_
3\tthe\tthe\tDET\tDT\t_\t4\tdet\t_\t_
4\tdogs\tdog\tNOUN\tNNS\tNumber=Plur\t2\tobj\t_\tSpaceAfter=No
5\t.\t.\tPUNCT\t.\t_\t2\tpunct\t_\t_

"""


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    folder = tmp_path_factory.mktemp("dependency")
    text = "".join(
        SENTENCE.format(subject=word.title() + "s", lemma=word) for word in ("cat", "girl", "boy", "bird") * 5
    )
    (folder / "train.conllu").write_text(text)
    done = run("train", "dependency", str(folder / "train.conllu"), "-o", str(folder / "m.safetensors"), "--json")
    assert done.returncode == 0, done.stderr
    figures = json.loads(done.stdout)
    assert figures["sentences"] == 20
    assert figures["lifted"] == 0
    return folder


@pytest.mark.parametrize("given", ["text", "tokens", "tags"])
def test_evaluate(model, given):
    done = run("evaluate", str(model / "m.safetensors"), str(model / "train.conllu"), "--given", given, "--json")
    assert done.returncode == 0, done.stderr
    figures = json.loads(done.stdout)
    assert all(figures[name] == 1.0 for name in ("uas", "las", "upos", "xpos", "lemma", "clas", "words"))


def test_parse_writes_valid_universal_dependencies(model):
    done = run("parse", "--model", str(model / "m.safetensors"), "-f", "conllu", "Cats see the dogs. Boys see it!")
    assert done.returncode == 0, done.stderr
    sentences = list(read_conllu(io.StringIO(done.stdout)))
    assert [s.comments[0] for s in sentences] == ["# sent_id = 1", "# sent_id = 2"]
    assert [s.text for s in sentences] == ["Cats see the dogs.", "Boys see it!"]
    for sentence in sentences:
        heads = [int(word.head) for word in sentence.words]
        assert reaches_root(heads)
        assert [word.deprel for word in sentence.words if word.head == "0"] == ["root"]
        rebuilt = "".join(word.form + " " * word.space_after for word in sentence.words).rstrip()
        assert rebuilt == sentence.text


def test_a_tree_is_drawn_and_told(model):
    path = str(model / "m.safetensors")
    drawn = run("parse", "--model", path, "Cats see the dogs.").stdout
    assert drawn.splitlines()[:3] == ["see VERB root", "├─Cats NOUN nsubj", "├─dogs NOUN obj"]
    told = json.loads(run("parse", "--model", path, "-f", "json", "--beam", "3", "Cats see the dogs.").stdout)
    assert [token["head"] for token in told["tokens"]] == told["trees"][0]["heads"] == [2, 0, 4, 2, 2]
    assert [tree["score"] for tree in told["trees"]] == sorted((t["score"] for t in told["trees"]), reverse=True)
    assert all(0 < token["probability"] < 1 for token in told["tokens"])
    assert "ArcProbability=" in run("parse", "--model", path, "-f", "conllu", "--beam", "1", "Cats see it.").stdout


def test_empty_text_gives_nothing(model):
    done = run("parse", "--model", str(model / "m.safetensors"), "-f", "conllu", "")
    assert (done.returncode, done.stdout) == (0, "")


def test_wrong_options_are_refused(model):
    path = str(model / "m.safetensors")
    assert run("parse", "--model", path, "-f", "ptb", "x").returncode == 2
    assert run("parse", "--model", path, "--beam", "2", "x").returncode == 2
    assert run("parse", "--model", path, "-f", "conllu", "-l", "en", "x").returncode == 2
    assert run("evaluate", path, str(model / "train.conllu"), "--given", "trees").returncode == 2


def test_what_is_no_tree_is_told(model):
    (model / "bad.conllu").write_text("1\ta\t_\tX\t_\t_\t1\tdep\t_\t_\n")
    done = run("train", "dependency", str(model / "bad.conllu"), "-o", str(model / "x.safetensors"))
    assert done.returncode == 1
    assert "sentence 1 ('a') is no tree" in done.stderr
    (model / "empty.conllu").write_text("")
    done = run("train", "dependency", str(model / "empty.conllu"), "-o", str(model / "x.safetensors"))
    assert done.returncode == 1
    assert "no sentences" in done.stderr
    assert not (model / "x.safetensors").exists()


@pytest.mark.corpora
def test_basque_sentences_with_several_roots(tmp_path, need_corpus):
    need_corpus("conll2007")
    basque = list(islice(read_treebank("conll2007:eus-train"), 500))
    for name, part in (("train", basque[:400]), ("held_back", basque[400:])):
        (tmp_path / f"{name}.conllx").write_text("".join(map(conllx, part)))
    trained = run("train", "dependency", str(tmp_path / "train.conllx"), "-o", str(tmp_path / "m"), "--passes", "3")
    assert trained.returncode == 0, trained.stderr
    done = run("evaluate", str(tmp_path / "m"), str(tmp_path / "held_back.conllx"), "--given", "tokens", "--json")
    assert json.loads(done.stdout)["uas"] > 0.6, done.stderr
    found = DependencyModel.load(tmp_path / "m").parse([s.forms for s in basque[400:]])
    assert all(reaches_root(tree.heads) for tree in found)
    several, wanted = (sum(tree.heads.count(0) > 1 for tree in trees) for trees in (found, basque[400:]))
    assert wanted > 20 and several > wanted / 4


def conllx(sentence):
    """Write a sentence as CoNLL-X."""
    lines = [
        "\t".join((str(place), *word, str(head), relation, "_", "_"))
        for place, (word, head, relation) in enumerate(
            zip(sentence.words, sentence.heads, sentence.relations, strict=True), 1
        )
    ]
    return "\n".join(lines) + "\n\n"

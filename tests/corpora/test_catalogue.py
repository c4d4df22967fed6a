"""Where corpora are looked for, and what is said when they are not there."""

import zipfile

import pytest

from kakari.corpora import CorpusError, catalogue, parse_brackets, read
from kakari.corpora.corpus_list import CORPORA
from kakari.corpora.formats.registry import FORMATS, format_of
from kakari.corpora.questionbank import letters_and_digits, questions_of_split


@pytest.fixture
def nowhere(tmp_path, monkeypatch):
    """A machine without any corpus."""
    (tmp_path / "home" / "work").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "home" / "work")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for variable in ("KAKARI_CORPORA", "NLTK_DATA", "XDG_DATA_HOME"):
        monkeypatch.delenv(variable, raising=False)
    return tmp_path


def test_entries_are_complete():
    for corpus in CORPORA.values():
        assert corpus.format in FORMATS
        assert corpus.title and corpus.licence and corpus.obtain and corpus.splits


def test_samples_are_everywhere(nowhere):
    for name in ("sample-ja", "sample-en", "sample-questions"):
        assert next(read(name)) is not None


def test_absence_is_told_with_the_remedy(nowhere):
    assert catalogue.find("kwdlc") is None
    with pytest.raises(CorpusError, match=r"^kwdlc:dev: this corpus is not on this machine. Get it from .*KWDLC"):
        next(read("kwdlc:dev"))
    with pytest.raises(CorpusError, match="kakari corpora fetch qc"):
        next(read("qc"))


def test_variables_come_first(nowhere, monkeypatch):
    for place in ("a", "b"):
        folder = nowhere / place / "adult"
        folder.mkdir(parents=True)
        (folder / "a9a").write_text(f"+1 {ord(place)}:1\n")
    monkeypatch.setenv("KAKARI_CORPORA", f"{nowhere / 'b'}:{nowhere / 'a'}")
    assert next(read("adult:train")).vector.ids == (ord("b"),)


def test_the_folder_beside_the_working_folder(nowhere):
    folder = nowhere / "home" / "shared" / "corpora" / "adult"
    folder.mkdir(parents=True)
    assert catalogue.find("adult") == folder
    with pytest.raises(CorpusError, match=r"there is no a9a or a9a\.gz in"):
        next(read("adult:train"))


def test_nltk_packages_are_read_zipped_and_unpacked(nowhere, monkeypatch):
    corpora = nowhere / "data" / "corpora"
    corpora.mkdir(parents=True)
    monkeypatch.setenv("NLTK_DATA", str(nowhere / "data"))
    with zipfile.ZipFile(corpora / "qc.zip", "w") as archive:
        archive.writestr("qc/train.txt", "HUM:ind Who ?\n")
        archive.writestr("qc/test.txt", "bad line\n")
    assert [question.text for question in read("qc:train")] == ["Who ?"]
    with pytest.raises(CorpusError, match=r"qc\.zip/qc/test\.txt:1:"):
        next(read("qc:test"))
    (corpora / "qc").mkdir()
    (corpora / "qc" / "train.txt").write_bytes("HUM:ind Kdo je Škoda ?\n".encode("iso-8859-2"))
    assert [question.text for question in read("qc:train")] == ["Kdo je Škoda ?"]


def test_unknown_names():
    with pytest.raises(CorpusError, match="no corpus has this name"):
        catalogue.corpus_named("kwdlcc")
    with pytest.raises(CorpusError, match=r"has no part 'tset' \(it has: train, dev\)"):
        next(read("kwdlc:tset"))


def test_files_by_their_ending(tmp_path):
    (tmp_path / "x.svm").write_text("+1 3:1\n")
    assert next(read(str(tmp_path / "x.svm"))).vector.ids == (3,)
    (tmp_path / "x.unknown").write_text("+1 3:1\n")
    assert next(read(str(tmp_path / "x.unknown"), format_name="svmlight")).vector.ids == (3,)
    with pytest.raises(CorpusError, match="tells no format"):
        format_of("x.unknown")


def test_questions_of_the_test_set_are_set_apart():
    """By letters and digits, whatever the spelling of quotes, blanks and capitals."""
    texts = ["Who 's he ?", "What is it ?", "Why 2 ?", "How ?"]
    trees = [catalogue_tree(text) for text in texts]
    split = {
        name: [" ".join(tree.leaves()) for tree in questions_of_split(trees, ["WHY2", "who`s HE"], name)]
        for name in ("train", "dev", "test")
    }
    assert split == {"test": ["Who 's he ?", "Why 2 ?"], "dev": ["What is it ?"], "train": ["How ?"]}
    with pytest.raises(CorpusError, match="no questions"):
        list(questions_of_split(trees, [], "train"))


def catalogue_tree(text):
    return parse_brackets("(S " + " ".join(f"(X {word})" for word in text.split()) + ")")


@pytest.mark.corpora
def test_no_question_of_qc_test_is_learned_from(need_corpus):
    need_corpus("questionbank")
    need_corpus("qc")
    tested = {letters_and_digits(question.text) for question in read("qc:test")}
    sizes = {}
    for split in ("train", "dev", "test"):
        keys = [letters_and_digits("".join(tree.leaves())) for tree in read(f"questionbank:{split}")]
        assert all((key in tested) == (split == "test") for key in keys)
        sizes[split] = len(keys)
    assert sizes == {"train": 3142, "dev": 350, "test": 508}

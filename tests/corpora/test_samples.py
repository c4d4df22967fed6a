"""The embedded samples are what they claim to be; every invariant of a correct corpus is checked."""

import re
from collections import Counter

import pytest

from kakari.corpora import count_records, format_knp, format_propbank, format_question_tree, read
from kakari.corpora.catalogue import find
from kakari.corpora.formats.propbank import PREDICATE_ITSELF

PHRASES = frozenset(
    """
    TOP ROOT S SBAR SBARQ SINV SQ ADJP ADVP CONJP FRAG INTJ LST NAC NML NP NX PP PRN PRT QP RRC UCP VP WHADJP
    WHADVP WHNP WHPP X
    """.split()
)
TAGS = frozenset(
    """
    CC CD DT EX FW IN JJ JJR JJS LS MD NN NNS NNP NNPS PDT POS PRP PRP$ RB RBR RBS RP SYM TO UH VB VBD VBG VBN
    VBP VBZ WDT WP WP$ WRB HYPH ADD AFX GW NFP -LRB- -RRB- `` '' , . : $ #
    """.split()
)
ROLES = re.compile(
    r"(?:[RC]-)?(?:ARG[0-5A]|ARGM-(?:ADJ|ADV|CAU|COM|CXN|DIR|DIS|DSP|EXT|GOL|LOC|LVB|MNR|MOD|NEG|PRD|PRP|PRR|REC|TMP))"
    r"|V|C-V"
)
CLASSES = {
    "ABBR": "abb exp",
    "DESC": "def desc manner reason",
    "ENTY": "animal body color cremat currency dismed event food instru lang letter other plant product"
    " religion sport substance symbol techmeth termeq veh word",
    "HUM": "desc gr ind title",
    "LOC": "city country mount other state",
    "NUM": "code count date dist money ord other perc period speed temp volsize weight",
}


def spans(tree):
    """All (start, end) of nodes, preterminals included."""
    found = set()

    def walk(node, start):
        if isinstance(node, str):
            return start + 1
        end = start
        for child in node:
            end = walk(child, end)
        found.add((start, end))
        return end

    walk(tree, 0)
    return found


@pytest.fixture(scope="module")
def japanese():
    return list(read("sample-ja"))


@pytest.fixture(scope="module")
def english():
    return list(read("sample-en"))


@pytest.fixture(scope="module")
def questions():
    return list(read("sample-questions"))


def test_sizes_and_bytes(japanese, english, questions):
    assert len(japanese) >= 60
    assert len(english) >= 60
    assert len(questions) >= 120
    folder = find("sample-ja")
    assert "".join(map(format_knp, japanese)) == (folder / "ja.knp").read_text(encoding="utf-8")
    assert "".join(map(format_propbank, english)) == (folder / "en.conll").read_text(encoding="utf-8")
    assert "".join(map(format_question_tree, questions)) == (folder / "questions.tsv").read_text(encoding="utf-8")


def test_japanese_heads(japanese):
    for sentence in japanese:
        assert not list(sentence.faults()), sentence.sid
        assert not sentence.crossing(), sentence.sid
        assert [b.head for b in sentence.bunsetsu].index(-1) == len(sentence.bunsetsu) - 1, sentence.sid
        assert sentence.bunsetsu[-1].kind == "D"


def test_japanese_base_phrases(japanese):
    for sentence in japanese:
        owner = [index for index, b in enumerate(sentence.bunsetsu) for _ in b.phrases]
        phrases = [phrase for b in sentence.bunsetsu for phrase in b.phrases]
        for index, phrase in enumerate(phrases):
            last = index + 1 == len(phrases) or owner[index + 1] != owner[index]
            if not last:
                assert phrase.head == index + 1, sentence.sid
            elif phrase.head == -1:
                assert sentence.bunsetsu[owner[index]].head == -1
            else:  # the base phrase leans on one in the bunsetsu that its bunsetsu leans on
                assert phrase.head > index
                assert owner[phrase.head] == sentence.bunsetsu[owner[index]].head, sentence.sid


def test_japanese_variety_and_words(japanese):
    kinds = Counter(b.kind for s in japanese for b in s.bunsetsu)
    assert kinds["P"] >= 6 and kinds["I"] >= 1 and kinds["A"] >= 1
    assert set(kinds) == set("DPIA")
    lengths = [len(sentence.bunsetsu) for sentence in japanese]
    assert min(lengths) == 1 and max(lengths) >= 16
    texts = [sentence.text for sentence in japanese]
    assert len(set(texts)) == len(texts)
    assert "太郎は花子が読んでいる本を次郎に渡した。" in texts
    assert "太郎は京都大学に行った。" in texts
    for sentence in japanese:
        for morpheme in sentence.morphemes:
            assert len(morpheme.pos) in (1, 2)
            assert bool(morpheme.conj_type) == bool(morpheme.conj_form)
            assert morpheme.features == "NIL"


def test_japanese_codes_are_consistent(japanese):
    """One name has one number throughout, as in JUMAN's tables."""
    seen = {}
    for sentence in japanese:
        for m in sentence.morphemes:
            pos, subpos = (*m.pos, "")[:2]
            names = (
                ("pos", pos),
                ("sub", pos, subpos),
                ("type", m.conj_type),
                ("form", m.conj_type, m.conj_form),
            )
            for name, code in zip(names, m.codes, strict=True):
                assert seen.setdefault(name, code) == code, (sentence.sid, m)


def check_tree(tree, root):
    assert tree.label() == root
    for node in tree.subtrees():
        if all(isinstance(child, str) for child in node):
            assert len(node) == 1
            assert node.label() in TAGS, node
        else:
            assert not any(isinstance(child, str) for child in node), node
            assert node.label() in PHRASES, node


def test_english_trees(english):
    texts = [tuple(sentence.words) for sentence in english]
    assert len(set(texts)) == len(texts)
    assert any(" ".join(words).startswith("Who wrote the letter that Mary sent") for words in texts)
    for number, sentence in enumerate(english):
        assert sentence.number == str(number)
        check_tree(sentence.tree, "TOP")


def test_english_arguments_are_constituents(english):
    for sentence in english:
        nodes = spans(sentence.tree)
        for predicate in sentence.predicates:
            assert predicate.roleset.split(".")[0].split("_")[0] == predicate.lemma
            inside = [s for s in predicate.spans if s.label == "V" and s.start <= predicate.token < s.end]
            assert len(inside) == 1, (sentence.words, predicate)
            covered = Counter(i for span in predicate.spans for i in range(span.start, span.end))
            assert max(covered.values()) == 1, (sentence.words, predicate)
            for argument in predicate.arguments:
                assert ROLES.fullmatch(argument.label), argument
                assert argument.label not in PREDICATE_ITSELF
                assert (argument.start, argument.end) in nodes, (sentence.words, argument)
                assert not argument.start <= predicate.token < argument.end


def test_english_variety(english):
    counts = count_records(english)
    assert counts["predicates"] >= 120 and counts["arguments"] >= 200
    labels = Counter(a.label for s in english for p in s.predicates for a in p.arguments)
    assert {"ARG0", "ARG1", "ARG2", "ARGM-TMP", "ARGM-LOC", "ARGM-NEG", "R-ARG0", "R-ARG1"} <= set(labels)
    assert any(not sentence.predicates for sentence in english)


def test_questions(questions):
    texts = [re.sub(r"\W", "", question.text).lower() for question in questions]
    assert len(set(texts)) == len(texts)
    for question in questions:
        assert question.fine in CLASSES[question.coarse].split(), question.text
        check_tree(question.tree, "ROOT")
        words = question.text.replace("(", "-LRB-").replace(")", "-RRB-").split(" ")
        assert question.tree.leaves() == words
    classes = {(question.coarse, question.fine) for question in questions}
    assert len(classes) == 50
    assert min(Counter(question.coarse for question in questions).values()) >= 8

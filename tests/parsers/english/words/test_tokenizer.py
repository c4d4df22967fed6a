"""Our tokenizer has spaCy's rules and gives spaCy's tokens. `python test_tokenizer.py FILE` writes the rules anew."""

import json
import re
import sys
from importlib import resources
from pathlib import Path

import pytest
import spacy
from hypothesis import example, given
from hypothesis import strategies as st
from spacy.attrs import ORTH

from kakari.parsers.english.words.detokenising import detokenised
from kakari.parsers.english.words.tokenizer import ALONE, MOST_REMEMBERED, Tokenizer, english_tokenizer
from kakari.parsers.english.words.treebank_trees import read_trees

SPACY = spacy.blank("en").tokenizer


def spacy_rules():
    """Take the rules from spaCy; its exceptions for white space say that it is one token, as it is anyway."""
    patterns = {"prefix": "prefix_search", "suffix": "suffix_search", "infix": "infix_finditer", "url": "url_match"}
    cut = [[token[ORTH] for token in tokens] for text, tokens in SPACY.rules.items() if not text.isspace()]
    rules = {name: getattr(SPACY, attribute).__self__.pattern for name, attribute in patterns.items()}
    return {**rules, "exceptions": sorted(" ".join(tokens) for tokens in cut)}


def read_rules():
    return json.loads((resources.files("kakari.parsers.english.words") / "tokenizer_rules.json").read_text("utf-8"))


def assert_same(text):
    doc, found = SPACY(text), english_tokenizer()(text)
    assert found.texts == [token.text for token in doc]
    assert found.begins == [token.idx for token in doc]
    assert found.spaces == [bool(token.whitespace_) for token in doc]


def test_the_rules_are_spacys():
    assert read_rules() == spacy_rules()
    assert SPACY.token_match is None


EXCEPTIONS = sorted(text for text in SPACY.rules if not text.isspace())
PIECES = st.sampled_from([
    *EXCEPTIONS, "F-16", "303-832-8160", "http://a.b/c?d=e)", "x@y.com", "$5.00", "10km", "U.S.", "日本", "ñandú",
])  # fmt: skip
MARKS = st.sampled_from([*".,;:!?'\"()[]{}-–—…/\\@#$%^&*_+=<>|~` \t\n\u00a0\u3000\x1c😀’“”´aZ9", "  ", " \n"])


@given(st.lists(PIECES | MARKS, max_size=15).map("".join))
@example(": ) :) (:)")
@example(" \n a  ")
def test_exceptions_and_marks_are_cut_as_by_spacy(text):
    assert_same(text)


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=40))
def test_any_text_is_cut_as_by_spacy(text):
    assert_same(text)


def test_sample_text_is_cut_as_by_spacy():
    for tree in read_trees("sample-en"):
        assert_same(detokenised(tree)[0])


def test_what_is_remembered_does_not_grow_for_ever():
    small = Tokenizer(**read_rules())
    small(" ".join(str(number) for number in range(2 * MOST_REMEMBERED + 5)))
    assert len(small._remembered) == 5


ENDINGS = st.lists(
    st.sampled_from([*"()[]{}\"'.,;:!?-_/*&%$#@+=<>|~`^…°aAsS19", "..", "." * 11, "US$", "km²", "اكواب", "°C.", "👍"]),
    max_size=20,
).map("".join)  # fmt: skip


@given(ENDINGS)
def test_the_quick_ends_of_a_run_are_those_of_the_rules(text):
    """The rules ask at every character; ours look at the last ones first, and know brackets without asking."""
    rules = read_rules()
    prefix, suffix = re.search(rules["prefix"], text), re.search(rules["suffix"], text)
    before = 0 if prefix is None else prefix.end() - prefix.start()
    behind = 0 if suffix is None else suffix.end() - suffix.start()
    tokenizer = english_tokenizer()
    assert (tokenizer._prefix(text), tokenizer._suffix(text)) == (before, behind)
    if text and text[0] in ALONE:
        assert before == 1
    if text and text[-1] in ALONE:
        assert behind == 1


def test_a_run_of_brackets_asks_no_rule(monkeypatch):
    """Each bracket of a run asked all rules about all that was left of it: 18 times the work of ordinary text."""
    tokenizer = english_tokenizer()
    for name in ("_prefix", "_suffix"):
        monkeypatch.setattr(tokenizer, name, lambda text: pytest.fail("a rule was asked"))
    assert tokenizer._cut("([{\"'" * 30) == tuple("([{\"'" * 30)


if __name__ == "__main__":
    lines = [f"{json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}" for name, value in spacy_rules().items()]
    Path(sys.argv[1]).write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")

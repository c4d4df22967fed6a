"""What a question asks for, its features, and the classifier over both."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kakari import corpora
from kakari.corpora.formats.questions import Question
from kakari.models.files import ModelFileError
from kakari.models.machines.learners import LearnerOptions
from kakari.parsers.questions.features import question_features, tagged_words
from kakari.parsers.questions.focus import find_focus
from kakari.parsers.questions.kernel_model import QuestionClassifier, QuestionError, QuestionOptions

SAMPLE = list(corpora.read("sample-questions"))
TAGS = "WP WDT WRB NN NNS NNP JJ VBZ VBD VB DT IN POS RB CD , . MD TO".split()
WORDS = "what which how many when is did name city 's of kind the X , ?".split()


def focus_of(tagged):
    words = [tuple(piece.rsplit("/", 1)) for piece in tagged.split()]
    focus = find_focus(words)
    named = {
        role: None if getattr(focus, role) is None else words[getattr(focus, role)][0]
        for role in ("noun", "verb", "object", "subject", "owned", "owner")
    }
    return focus.question_word, {role: word for role, word in named.items() if word}


@pytest.mark.parametrize(
    ("tagged", "asked", "roles"),
    [
        ("What/WP kind/NN of/IN food/NN is/VBZ it/PRP ?/.", "what", {"noun": "food"}),
        ("In/IN what/WDT city/NN is/VBZ it/PRP ?/.", "what", {"noun": "city"}),
        ("How/WRB many/JJ big/JJ dogs/NNS bark/VBP ?/.", "how-many", {"noun": "dogs"}),
        ("How/WRB come/VBP it/PRP rains/VBZ ?/.", "why", {}),
        ("Who/WP wrote/VBD the/DT song/NN ?/.", "who", {"verb": "wrote", "object": "song"}),
        ("What/WP does/VBZ CPU/NNP mean/VB ?/.", "what", {"verb": "mean", "subject": "CPU"}),
        ("What/WP is/VBZ the/DT tallest/JJS tree/NN ?/.", "what", {"noun": "tree"}),
        ("What/WP is/VBZ the/DT man/NN 's/POS name/NN ?/.", "what", {"noun": "name", "owner": "man"}),
        ("What/WP singer/NN 's/POS hit/NN won/VBD ?/.", "what", {"noun": "singer", "owned": "hit"}),
        ("What/WP sport/VB features/VBZ a/DT ball/NN ?/.", "what", {"noun": "sport"}),
        ("When/WRB it/PRP rains/VBZ ,/, what/WP river/NN floods/VBZ ?/.", "what", {"noun": "river"}),
        ("Name/VB the/DT planets/NNS ./.", "name!", {"noun": "planets"}),
        ("List/VB it/PRP ./.", "list!", {}),
    ],
)
def test_what_is_asked_for(tagged, asked, roles):
    assert focus_of(tagged) == (asked, roles)


@given(st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from(TAGS)), max_size=12))
def test_any_words_have_a_focus_and_features(words):
    focus = find_focus(words)
    places = [getattr(focus, role) for role in ("noun", "modifier", "verb", "object", "subject", "owned", "owner")]
    assert all(place is None or 0 <= place < len(words) for place in (*places, *focus.light))
    features = question_features(words)
    assert len(features) == len(set(features)) and f"asked={focus.question_word}" in features


def test_features_name_the_kind_of_thing():
    question = next(q for q in SAMPLE if q.text.startswith("Which abbreviation"))
    features = question_features(tagged_words(question.tree))
    assert {"noun=abbreviation", "noun.sense=abbreviation|which", "w2=which abbreviation"} <= set(features)


@pytest.fixture(scope="module")
def model():
    return QuestionClassifier.train(SAMPLE)


def test_fine_and_coarse_answers_agree(model, tmp_path):
    answers = model.predict(SAMPLE)
    assert all(fine.startswith(f"{coarse}:") for coarse, fine in answers)
    assert np.mean([fine == f"{q.coarse}:{q.fine}" for (_, fine), q in zip(answers, SAMPLE, strict=True)]) > 0.95
    model.save(tmp_path / "model")
    again = QuestionClassifier.load(tmp_path / "model")
    for labelling, values in model.decision_functions(SAMPLE[:9]).items():
        np.testing.assert_allclose(again.decision_functions(SAMPLE[:9])[labelling], values, atol=1e-12)
    assert again.predict([]) == []
    arrays_missing = tmp_path / "cut"
    arrays_missing.write_bytes((tmp_path / "model").read_bytes()[:-100])
    with pytest.raises(ModelFileError, match="cut short"):
        QuestionClassifier.load(arrays_missing)


@pytest.mark.parametrize(
    ("options", "learner"),
    [
        (QuestionOptions(features="none", labels="coarse"), LearnerOptions("averaged", passes=3)),
        (QuestionOptions(tree="none", features="bigrams", labels="coarse"), LearnerOptions("svm", multiclass="ovo")),
        (QuestionOptions(features="words", operation="*", labels="coarse"), LearnerOptions("pa-1", passes=2)),
        (QuestionOptions(tree="ptk", labels="coarse", vector="polynomial"), LearnerOptions("projectron++")),
    ],
)
def test_any_learner_and_kernel(options, learner, tmp_path):
    model = QuestionClassifier.train(SAMPLE, options, learner)
    assert np.mean([coarse == q.coarse for (coarse, _), q in zip(model.predict(SAMPLE), SAMPLE, strict=True)]) > 0.8
    assert model.support_vectors > 0
    model.save(tmp_path / "model")
    assert QuestionClassifier.load(tmp_path / "model").predict(SAMPLE) == model.predict(SAMPLE)


def test_words_without_trees():
    plain = [Question(q.coarse, q.fine, q.text) for q in SAMPLE]
    options = QuestionOptions(tree="none", features="words", labels="coarse")
    assert len(QuestionClassifier.train(plain, options).predict(plain[:3])) == 3
    with pytest.raises(QuestionError, match="has no tree"):
        QuestionClassifier.train(plain)


def test_nothing_to_compare():
    with pytest.raises(QuestionError, match="neither trees nor features"):
        QuestionOptions(tree="none", features="none").kernel()

"""Japanese corrections: learned at once, the same bytes by every way, refused where they cannot be."""

import pytest
from budgets import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from kakari.parsers.correcting.checking import check
from kakari.parsers.correcting.japanese import bent
from kakari.parsers.correcting.learning import apply_corrections, history, undo
from kakari.parsers.correcting.records import Correction, CorrectionError
from kakari.parsers.japanese.model import JapaneseModel
from kakari.parsers.japanese.parser import JapaneseParser, pretrained_model

TEXT = "太郎は花子が読んでいる本を次郎に渡した。"
ARC = Correction(TEXT, "arc", (0, 3), (6, 11), when="2026-11-18T05:10:00Z")
BOUNDARY = Correction("太郎は京都大学に行った。", "boundary", 5, True)
SURE = Correction("本を読む。", "boundary", 1, True)  # 本|を: parts of speech alone would decide
SECOND = Correction("行く。昨日買った本を読む。", "arc", (3, 5), (10, 13))


@pytest.fixture(scope="module")
def model():
    return pretrained_model()


def heads(model, text):
    return [
        (text[b.begin : b.end], text[s.bunsetsu[b.head].begin : s.bunsetsu[b.head].end] if b.head >= 0 else None)
        for s in JapaneseParser(model).parse(text)
        for b in s.bunsetsu
    ]


@pytest.mark.parametrize("one", [ARC, BOUNDARY, SURE, SECOND], ids=["arc", "boundary", "sure", "second sentence"])
def test_a_correction_holds_afterwards(model, one):
    done = apply_corrections(model, [one])
    assert [(found.before, found.now) for found in done.outcomes] == [(False, True)]
    assert done.broken == []


def test_the_parser_sees_it(model):
    done = apply_corrections(model, [ARC, SURE, SECOND]).model
    assert ("太郎は", "読んでいる") in heads(done, TEXT)
    assert heads(done, "本を読む。")[:2] == [("本", "を"), ("を", "読む。")]
    assert ("昨日", "読む。") in heads(done, SECOND.text)
    assert heads(model, TEXT)[0] == ("太郎は", "渡した。")  # the model that was given is as it was


def test_other_sentences_stay(model):
    right = Correction("警官が自転車で逃げた泥棒を追いかけた。", "arc", (0, 3), (13, 19))
    done = apply_corrections(model, [right])
    assert [(found.before, found.now) for found in done.outcomes] == [(False, True)]
    assert check(done.model) == []
    # The arc that the other tests teach is wrong, and may take a sentence of the sample with it: it is told which.
    assert len(check(apply_corrections(model, [ARC]).model)) <= 1


def test_every_way_gives_the_same_bytes(model, tmp_path):
    together = apply_corrections(model, [ARC, BOUNDARY, SECOND]).model
    step = apply_corrections(apply_corrections(model, [ARC]).model, [ARC, BOUNDARY]).model
    step.save(tmp_path / "step.safetensors")
    loaded = JapaneseModel.load(tmp_path / "step.safetensors")
    assert apply_corrections(loaded, [ARC, BOUNDARY, SECOND]).model.to_bytes() == together.to_bytes()
    assert apply_corrections(apply_corrections(model, [SURE]).model, [ARC, BOUNDARY, SECOND]).model.to_bytes() == (
        together.to_bytes()
    )
    assert undo(together).model.to_bytes() == step.to_bytes()
    assert apply_corrections(together, []).model.to_bytes() == model.to_bytes()
    assert history(JapaneseModel.from_bytes(together.to_bytes())) == [ARC, BOUNDARY, SECOND]


def test_there_is_nothing_to_take_back(model):
    with pytest.raises(CorrectionError, match="no correction to take back"):
        undo(model)


@pytest.mark.parametrize(
    ("corrections", "reason"),
    [
        ([Correction(TEXT, "class", None, "HUM")], "boundaries and arcs"),
        ([Correction(TEXT, "arc", (0, 3), None)], "only the last one"),
        ([Correction(TEXT, "arc", (3, 6), (0, 3))], "on a later one"),
        ([Correction(TEXT, "boundary", 1, True)], "no word begins at character 1"),
        ([Correction(TEXT, "arc", (0, 2), (6, 10))], "no word begins"),
        ([Correction("行く。来る。", "boundary", 3, False)], "a sentence begins there"),
        ([Correction("行く。来る。", "arc", (0, 3), (3, 6))], "not in the sentence"),
        ([ARC, Correction(TEXT, "arc", (3, 6), (16, 20))], "crosses"),
        ([ARC, Correction(TEXT, "boundary", 8, True)], "cut bunsetsu otherwise"),
        ([ARC, Correction(TEXT, "boundary", 3, False)], "cut bunsetsu otherwise"),
    ],
)
def test_what_cannot_be_is_refused(model, corrections, reason):
    with pytest.raises(CorrectionError, match=reason):
        apply_corrections(model, corrections)


def test_the_rest_of_a_corrected_sentence_is_held_in_its_place(model):
    text = "昨日買った本を読む。"
    one = Correction(text, "arc", (0, 2), (7, 10))
    layers = apply_corrections(model, [one]).model.corrections.layers
    assert {name: layer.degree for name, layer in layers.items()} == {"segmenter": 3, "parser": 4, "ranker": 4}
    # 昨日 asks 買った and 本を and is refused; 買った asks 本を: all that the parser asks on its way are examples.
    assert len(layers["parser"]) == 3 and layers["parser"].labels.tolist() == [-1, 1, -1]


def test_two_corrections_of_a_sentence_hold_together(model):
    two = [ARC, Correction(TEXT, "arc", (13, 16), (16, 20)), Correction(TEXT, "arc", (11, 13), (13, 16))]
    assert apply_corrections(model, two).broken == []


@st.composite
def trees(draw):
    """Draw a tree without crossing arcs, as heads from right to left."""
    found = [-1]
    for _ in range(draw(st.integers(0, 7))):
        chain = [0]
        while found[chain[-1]] >= 0:
            chain.append(found[chain[-1]])
        found = [draw(st.sampled_from(chain)) + 1, *(head + 1 if head >= 0 else -1 for head in found)]
    return found


def crossing(found):
    arcs = [(d, h) for d, h in enumerate(found) if h >= 0]
    return any(a < c < b < d for a, b in arcs for c, d in arcs)


@settings(max_examples=examples(200), deadline=None)
@given(trees(), st.data())
def test_a_bent_tree_has_the_fixed_arcs_and_crosses_none(given_heads, data):
    other = data.draw(
        trees().filter(lambda tree: len(tree) == len(given_heads)) if len(given_heads) < 4 else st.just(None)
    )
    source = other or [
        min(d + 1, len(given_heads) - 1) if d < len(given_heads) - 1 else -1 for d in range(len(given_heads))
    ]
    chosen = data.draw(st.sets(st.integers(0, max(0, len(given_heads) - 2))))
    fixed = {d: source[d] for d in chosen if source[d] > d}
    found = bent(given_heads, fixed)
    assert all(found[d] == h for d, h in fixed.items())
    assert all(d < h < len(found) for d, h in enumerate(found[:-1]))
    assert found[-1] == -1
    assert not crossing(found)
    if all(given_heads[d] == h for d, h in fixed.items()):
        assert found == given_heads

"""Pictures: arcs that do not cross, text that is never markup, and what notebooks show."""

from xml.etree import ElementTree

import pytest
from budgets import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from kakari import EnglishParser, JapaneseParser
from kakari.parsers.arguments.model import pretrained_arguments
from kakari.parsers.dependency.parser import DependencyParser
from kakari.parsers.japanese.explaining import explain_arcs
from kakari.parsers.pictures.arcs import Drawing, draw_svg, levels
from kakari.parsers.pictures.stairs import draw_stairs

HOSTILE = "<b>&'\"]]>\x00\ud7ff"


@st.composite
def any_heads(draw):
    """Heads of any direction; -1 is a root."""
    count = draw(st.integers(1, 8))
    return [draw(st.integers(-1, count - 1).filter(lambda head, place=place: head != place)) for place in range(count)]


@given(any_heads())
@settings(max_examples=examples(80))
def test_an_arc_is_higher_than_what_it_spans(heads):
    found = levels(heads)
    for one, head in enumerate(heads):
        assert (found[one] > 0) == (head >= 0)
        for other, above in enumerate(heads):
            if head >= 0 and above >= 0 and one != other:
                (a, b), (c, d) = sorted((one, head)), sorted((other, above))
                if max(a, c) < min(b, d):  # they stand over a common gap
                    assert found[one] != found[other]
                if a <= c and d <= b and (a, b) != (c, d):
                    assert found[one] > found[other]


@given(any_heads(), st.lists(st.sampled_from([HOSTILE, "本を", "a"]), min_size=8, max_size=8), st.booleans())
@settings(max_examples=examples(60))
def test_whatever_is_drawn_is_svg(heads, words, universal):
    count = len(heads)
    drawing = Drawing(words[:count], heads, [HOSTILE] * count, [0.5] * count, [HOSTILE] * count, universal)
    for drawn in (draw_svg([drawing]), draw_svg([drawing], styled=False), draw_stairs(drawing)):
        root = ElementTree.fromstring(drawn)
        tags = {element.tag.rpartition("}")[2] for element in root.iter()}
        assert tags <= {"svg", "g", "path", "rect", "text", "title", "style"}
    assert sum(
        element.get("data-from") is not None for element in ElementTree.fromstring(draw_svg([drawing])).iter()
    ) == (count if universal else sum(head >= 0 for head in heads))


def notebook_objects():
    english = EnglishParser.pretrained().parse("Dogs <bark> at Mary.")[0]
    return {
        "Japanese": JapaneseParser.pretrained().parse("行く。太郎は<本>を読む。")[1],
        "constituents": english,
        "frames": pretrained_arguments().find([english.tree])[0],
        "dependencies": DependencyParser.pretrained().parse("Dogs <bark> at Mary.")[0],
    }


@pytest.mark.parametrize("name", ["Japanese", "constituents", "frames", "dependencies"])
def test_parses_draw_themselves(name):
    drawn = notebook_objects()[name]._repr_svg_()
    shown = "".join(ElementTree.fromstring(drawn).itertext())
    assert "<" in shown and ("読む" in shown if name == "Japanese" else "Mary" in shown)


def test_a_sentence_without_its_text_draws_nothing():
    from kakari.parsers.japanese.parser import ParsedSentence

    assert ParsedSentence(0, 0, ())._repr_svg_() is None


def test_explanations_draw_themselves():
    told = explain_arcs("太郎は<本>を昨日読む。", "ja", 5)
    for one in told:
        shown = one._repr_html_()
        assert shown.count("<tr>") == len(one["items"]) + 1 and "<本>" not in shown

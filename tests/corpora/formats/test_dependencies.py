"""CoNLL-U and CoNLL-X: what was read is written back, and what is wrong is told with file and line."""

import io
from itertools import product

import pytest

from kakari.corpora import CorpusError, count_records, format_conllu, format_conllx, read_conllu, read_conllx
from kakari.corpora.records.arcs import crossing_arcs, reaches_root

UNIVERSAL = """\
# newdoc id = x
# text = Don't  go
1-2\tDon't\t_\t_\t_\t_\t_\t_\t_\tSpacesAfter=\\s\\s|Anchor=1
1\tDo\tdo\tAUX\tVB\tMood=Imp\t3\taux\t3:aux\tZ=1|A=2|A=1|flag
2\tn't\tnot\tPART\tRB\t_\t3\tadvmod\t3:advmod\tB=|C==
2.1\tplease\t_\t_\t_\t_\t_\t_\t3:dep\t_
3\tgo away\tgo\tVERB\tVB\t_\t0\troot\t0:root\tSpaceAfter=No

1\tYes\t_\t_\t_\t_\t_\t_\t_\t_

"""


def test_universal_dependencies_come_back_byte_for_byte():
    sentences = list(read_conllu(io.StringIO(UNIVERSAL)))
    assert "".join(map(format_conllu, sentences)) == UNIVERSAL
    assert [token.id for token in sentences[0].tokens if token.is_range] == ["1-2"]
    assert [word.space_after for word in sentences[0].words] == [True, True, False]
    assert count_records(sentences) == {
        "sentences": 2,
        "words": 4,
        "ranges": 1,
        "empty_nodes": 1,
        "sentences without heads": 1,
    }


def test_conllx_comes_back_byte_for_byte():
    text = (
        "1\ta\t_\tN\tNC\tx=y|z\t2\tsubj\t_\t_\n2\tb\tb\tV\tV\t_\t0\tROOT\t0\tROOT\n\n1\tc\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
    )
    assert "".join(map(format_conllx, read_conllx(io.StringIO(text)))) == text


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("1\ta", "2 columns"),
        ("2\ta\t_\t_\t_\t_\t0\t_\t_\t_", "token '2' stands where token 1"),
        ("1\ta\t_\t_\t_\t_\t7\t_\t_\t_", "head '7'"),
        ("1\ta\t_\t_\t_\t_\t-1\t_\t_\t_", "head '-1'"),
        ("1\ta\t\t_\t_\t_\t0\t_\t_\t_", "column 3 is empty"),
    ],
)
def test_what_is_wrong_is_told(line, reason):
    with pytest.raises(CorpusError, match="<input>:1: .*" + reason):
        list(read_conllx(io.StringIO(line)))


def test_arcs_are_what_their_definition_says():
    for length in range(5):
        for heads in product(range(length + 1), repeat=length):
            paths = [leads(heads, token) for token in range(1, length + 1)]
            assert reaches_root(heads) == all(path[-1] == 0 for path in paths)
            if reaches_root(heads):
                crossing = any(
                    head not in leads(heads, between)
                    for token, head in enumerate(heads, 1)
                    for between in range(min(head, token) + 1, max(head, token))
                )
                assert bool(crossing_arcs(heads)) == crossing


def leads(heads, token):
    """The tokens on the way from one to the root, or round a cycle once."""
    path = [token]
    while path[-1] and len(path) <= len(heads):
        path.append(heads[path[-1] - 1])
    return path

"""KeLP's data files: round trips, what they mean for machines of ours, and what is refused."""

import io

import numpy as np
import pytest
from command_line import run_here

from kakari import CombinedKernel, KernelSVC, TreeKernel, VectorKernel, Vocabulary
from kakari.corpora.formats.klp import KelpExample, Representation, format_klp, read_klp, sparse_text, write_klp
from kakari.corpora.records.errors import CorpusError
from kakari.reading.kelp import kelp_examples

LINES = (
    "told |BT:parse| (S(N(dogs))(V(bark))) |ET| |BV:words| 1:1 2:1 |EV| |BS| dogs bark |ES|\n"
    "asked |BT:parse| (Q(W(who))(V(barks))) |ET| |BV:words| 3:1 4:0.5 |EV| |BS| who barks |ES|\n"
)


def test_lines_come_back(tmp_path):
    examples = list(read_klp(io.StringIO(LINES)))
    assert "".join(map(format_klp, examples)) == LINES
    write_klp(examples, tmp_path / "x.klp.gz")
    assert list(read_klp(tmp_path / "x.klp.gz")) == examples
    assert examples[1].named("words").features() == {"3": 1.0, "4": 0.5}
    assert sparse_text({"3": 1.0, "4": 0.5}) == examples[1].named("words").text


def test_pairs_within_pairs():
    line = "yes |<| |<| |BS| a |ES| |,| |BS| b |ES| |>| |,| x |BS| c |ES| |>| |BV| o:1 |EV|\n"
    [example] = read_klp(io.StringIO(line))
    first, second = example.pair
    assert [one.representations[0].text for one in first.pair] == ["a", "b"]
    assert second == KelpExample(("x",), (Representation("S", "", "c"),))
    assert format_klp(example) == line


def test_machines_learn_from_them(tmp_path):
    kernel = CombinedKernel(TreeKernel("stk"), VectorKernel("linear"))
    examples, labels = kelp_examples(kernel, io.StringIO(LINES))
    assert KernelSVC(kernel).fit(examples, labels).predict(examples).tolist() == ["told", "asked"]
    named, _ = kelp_examples(VectorKernel("linear"), io.StringIO(LINES.replace(" 1:1", " dogs:1")), Vocabulary())
    assert np.array_equal(named.toarray() if named.shape[1] < 99 else named.data, [1, 1, 1, 0.5])


def test_the_command_line_takes_them(tmp_path):
    (tmp_path / "train.klp").write_text(LINES * 4)
    model = str(tmp_path / "model")
    for options in ([], ["--vector", "linear"]):
        assert run_here("train", "trees", str(tmp_path / "train.klp"), "-o", model, *options).returncode == 0
        told = run_here("predict", model, str(tmp_path / "train.klp"), "--output", "classes").stdout.split()
        assert told == ["told", "asked"] * 4


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("food", "no representation"),
        ("a |BT| (S", "not ended"),
        ("a |BT| (S |ET|", "not closed"),
        ("a |BV| x |EV|", "feature:value"),
        ("a |BV| x:inf |EV|", "finite"),
        ("a |BDV| 1,b |EDV|", "not a number"),
        ("a |BT| (S) |ET| b", "outside"),
        ("a |BS:x| 1 |ES| |BS:x| 2 |ES|", "same name"),
        ("a |<| |BS| 1 |ES| |>|", "only one"),
        ("a |<| |BS| 1 |ES| |,| |BS| 1 |ES|", "not closed by"),
        ("a " + "|<| " * 30, "not closed"),
    ],
)
def test_damaged_lines_are_refused(line, reason):
    with pytest.raises(CorpusError, match=rf":1: .*{reason}".replace("|", "[|]")):
        list(read_klp(io.StringIO(f"{line}\n")))


def test_what_machines_cannot_take_is_said():
    for line, reason in (
        ("a b |BT| (S) |ET|", "2 labels"),
        ("a |<| |BS| 1 |ES| |,| |BS| 1 |ES| |>|", "is a pair"),
        ("a |BV| bread:1 |EV|", "has a name"),
    ):
        with pytest.raises(CorpusError, match=reason):
            kelp_examples(VectorKernel("linear"), io.StringIO(line))

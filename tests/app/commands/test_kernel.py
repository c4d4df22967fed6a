"""`kakari kernel` prints the values that were worked out by hand, and says where a tree is wrong."""

import pytest
from command_line import run_here

PAIRS = [
    ("(S (NP (D the)(N dog))(VP (V barks)))", "(S (NP (D the)(N cat))(VP (V barks)))"),
    ("(NP (NP (NP (N a)))(NP (N a)))", "(NP (NP (N a))(NP (NP (N a))))"),
    ("(A (b)(C c))", "(A (b)(C d))"),
]
TEXT = "".join(f"{first}\t{second}\n" for first, second in PAIRS)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ([], [2.89344, 4.864, 0.4]),
        (["--normalize"], [0.791159176816, 0.888016451673, 0.416666666667]),
        (["--normalize", "--decay", "1"], [0.625, 0.592592592593, 0.333333333333]),
        (["--normalize", "--kind", "ptk"], [0.877781987847, 0.998797687116, 0.708990629819]),
    ],
)
def test_known_values(options, expected):
    result = run_here("kernel", *options, stdin=TEXT)
    assert result.returncode == 0, result.stderr
    assert [float(line) for line in result.stdout.splitlines()] == pytest.approx(expected, abs=1e-12)


def test_two_trees_and_a_file_give_the_same(tmp_path):
    options = ("--kind", "ptk", "--mu", "0.7", "--max-children", "1")
    (tmp_path / "pairs").write_text(f"{PAIRS[0][0]}\t{PAIRS[0][1]}\n\n")
    from_file = run_here("kernel", str(tmp_path / "pairs"), *options)
    from_arguments = run_here("kernel", *PAIRS[0], *options)
    assert from_file.stdout == from_arguments.stdout != run_here("kernel", *PAIRS[0], "--kind", "ptk").stdout


@pytest.mark.parametrize(
    ("arguments", "stdin", "message"),
    [
        (["(A a)", "(B (C c)"], None, "second tree, character 0: the tree that starts here is not closed"),
        ([], "(A a)\t(A a)\n(A a))\t(A a)\n", "<stdin>:2: first tree, character 5: a bracket closes"),
        ([], "(A a) (A a)\n", "<stdin>:1: the line has 1 columns"),
        (["(A a)", "(A a)", "--decay", "1.5"], None, "the decay must be above 0 and at most 1, not 1.5"),
    ],
)
def test_bad_input_is_one_line(arguments, stdin, message):
    result = run_here("kernel", *arguments, stdin=stdin or "")
    assert (result.returncode, result.stderr.count("\n")) == (1, 1)
    assert message in result.stderr


def test_one_tree_is_wrong_usage():
    assert run_here("kernel", "(A a)").returncode == 2

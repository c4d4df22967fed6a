"""Questions and SVM-Light-TK's data from the command line."""

import json

import pytest
from command_line import run_here

LINES = [
    "+1 |BT| (S (N dogs)(V bark)) |ET| 1:1 |EV|",
    "+1 |BT| (S (N cats)(V purr)) |ET| 1:0.5 |EV|",
    "-1 |BT| (Q (W who)) |ET| 2:1 |EV|",
    "-1 |BT| (Q (W what)) |ET| 2:1 3:1 |EV|",
]


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = str(tmp_path_factory.mktemp("questions") / "model")
    result = run_here("train", "questions", "sample-questions", "-o", path, "--json")
    assert result.returncode == 0, result.stderr
    figures = json.loads(result.stdout)
    assert figures["examples"] == 154 and figures["support_vectors"] > 0 and figures["classes"]["coarse"] == 6
    return path


def test_evaluation(model):
    told = json.loads(run_here("evaluate", model, "sample-questions", "--json").stdout)
    assert {"accuracy", "macro_f1", "f1", "fine_accuracy", "support_vectors", "seconds"} <= set(told)
    assert told["accuracy"] > 0.95 and set(told["f1"]) == {"ABBR", "DESC", "ENTY", "HUM", "LOC", "NUM"}
    assert told["macro_f1"] == pytest.approx(sum(told["f1"].values()) / 6)
    fine = json.loads(run_here("evaluate", model, "sample-questions", "--labels", "fine", "--json").stdout)
    assert fine["accuracy"] == told["fine_accuracy"] and "ABBR:exp" in fine["f1"]
    assert "ABBR:exp" in run_here("evaluate", model, "sample-questions", "--labels", "fine").stdout


def test_answers_and_reasons(model):
    lines = run_here("predict", model, "sample-questions").stdout.splitlines()
    assert lines[0] == "ABBR:abb\tWhat is the abbreviation for the European Space Agency ?"
    told = json.loads(run_here("explain", model, "sample-questions", "--line", "1", "--json").stdout)
    assert [part["machine"] for part in told] == ["ABBR", "ABBR:abb"]
    for part in told:
        assert sum(item["weight"] for item in part["items"]) == pytest.approx(part["margin"])
    assert any("abbreviation" in item["conjunction"] for item in told[0]["items"])
    result = run_here("explain", model, "sample-questions", "--line", "999")
    assert (result.returncode, result.stderr) == (1, "sample-questions: there are 154 questions, so no number 999\n")


def test_coarse_labels_by_an_online_learner(tmp_path):
    path = str(tmp_path / "m")
    options = ("--labels", "coarse", "--learner", "self-tuned-forgetron", "--budget", "20", "--features", "none")
    result = run_here("train", "questions", "sample-questions", "-o", path, *options, "--json")
    assert json.loads(result.stdout)["support_vectors"] <= 6 * 20
    assert "fine_accuracy" not in json.loads(run_here("evaluate", path, "sample-questions", "--json").stdout)
    result = run_here("evaluate", path, "sample-questions", "--labels", "fine")
    assert (result.returncode, "no fine classes" in result.stderr) == (1, True)


@pytest.mark.parametrize("kernel", [(), ("--vector", "linear"), ("--kind", "none", "--vector", "polynomial")])
def test_data_of_svm_light_tk(tmp_path, kernel):
    data, path = tmp_path / "train.dat", str(tmp_path / "m")
    data.write_text("\n".join(LINES) + "\n")
    assert run_here("train", "trees", str(data), "-o", path, *kernel).returncode == 0
    told = json.loads(run_here("evaluate", path, str(data), "--json").stdout)
    assert told["accuracy"] == 1.0 and set(told["f1"]) == {"-1", "1"}
    margins = [float(line) for line in run_here("predict", path, str(data)).stdout.split()]
    assert [margin > 0 for margin in margins] == [True, True, False, False]


def test_models_of_svm_light_tk_and_back(tmp_path):
    data, ours, theirs, again = (str(tmp_path / name) for name in ("train.dat", "ours", "theirs", "again"))
    (tmp_path / "train.dat").write_text("\n".join(LINES) + "\n")
    assert run_here("train", "trees", data, "-o", ours, "--cost", "0.7").returncode == 0
    assert run_here("convert", ours, "-o", theirs).returncode == 0
    assert (tmp_path / "theirs").read_text().startswith("SVM-light Version V5.01-TK-1.5\n")
    assert run_here("convert", theirs, "-o", again).returncode == 0
    margins = [[float(line) for line in run_here("predict", model, data).stdout.split()] for model in (ours, again)]
    assert margins[0] == pytest.approx(margins[1], abs=1e-9)
    assert run_here("convert", f"A={theirs}", f"B={theirs}", f"C={theirs}", "-o", again).returncode == 0
    assert len(run_here("predict", again, data).stdout.splitlines()[0].split("\t")) == 3
    assert run_here("convert", data, "-o", again).returncode == 1


def test_a_question_model_for_svm_light_tk(tmp_path):
    model = str(tmp_path / "m")
    options = ("--features", "none", "--labels", "coarse")
    assert run_here("train", "questions", "sample-questions", "-o", model, *options).returncode == 0
    assert run_here("convert", model, "-o", str(tmp_path / "tk"), "--version", "V5.01-TK-1.2").returncode == 0
    assert {path.name for path in tmp_path.glob("tk.*")} == {f"tk.{c}" for c in "ABBR DESC ENTY HUM LOC NUM".split()}


@pytest.mark.parametrize(
    ("text", "arguments", "message"),
    [
        ("HUM\tind\tWho won ?\n", (), "has no tree"),
        ("HUM\tind\tWho won ?\nHUM\tind\tWho ?\n", ("--kind", "none", "--features", "words"), "class"),
        ("HUM\tind\tWho won ?\t(S\n", (), ":1:"),
        ("HUM\tind\tWho won ?\t(S a)\n", ("--kind", "none", "--features", "none"), "neither trees nor features"),
    ],
)
def test_bad_questions(tmp_path, text, arguments, message):
    (tmp_path / "q.tsv").write_text(text)
    result = run_here("train", "questions", str(tmp_path / "q.tsv"), "-o", str(tmp_path / "m"), *arguments)
    assert (result.returncode, result.stderr.count("\n")) == (1, 1), result.stderr
    assert message in result.stderr
    assert not (tmp_path / "m").exists()


@pytest.mark.parametrize("option", [("--learner", "wizard"), ("--eta", "x"), ("--labels", "none")])
def test_wrong_usage(tmp_path, option):
    assert run_here("train", "questions", "sample-questions", "-o", str(tmp_path / "m"), *option).returncode == 2

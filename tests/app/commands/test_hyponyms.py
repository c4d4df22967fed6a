"""`kakari hyponyms`, and training, scoring and explaining of its models from the command line."""

import json
import subprocess
import time
from pathlib import Path

import pytest
from command_line import COMMAND, run_here

from kakari.commands.hyponymy.finding import found_lines

pytestmark = pytest.mark.thorough

ARTICLE = {
    "title": "日本",
    "text": "== 主な都市 ==\n* [[札幌市]]\n* [[大阪市]]\n* [[堺市]]\n== 関連項目 ==\n* [[桜]]\n",
}


@pytest.fixture
def dump(tmp_path):
    file = tmp_path / "ja.json"
    file.write_text(json.dumps(ARTICLE) + "\n", encoding="utf-8")
    return str(file)


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    model = str(tmp_path_factory.mktemp("hyponymy") / "model")
    done = run_here("train", "hyponymy", "sample-hyponymy:train", "-o", model, "--folds", "4", "--json")
    assert done.returncode == 0, done.stderr
    return model, json.loads(done.stdout)


def test_pairs_are_printed_as_tsv_and_json(dump):
    lines = run_here("hyponyms", dump).stdout.splitlines()
    assert [line.split("\t")[:2] for line in lines] == [["都市", name] for name in ("札幌市", "大阪市", "堺市")]
    assert lines[0].endswith("\t日本: heading > bullet")
    records = [json.loads(line) for line in run_here("hyponyms", "-f", "json", dump).stdout.splitlines()]
    assert list(records[0]) == ["hypernym", "hyponym", "probability", "where"]
    assert all(record["probability"] >= 0.5 for record in records)
    assert len(run_here("hyponyms", "--minimum", "0", dump).stdout.splitlines()) == 10


def test_a_folder_of_results_is_resumed_and_the_same_in_processes(dump, tmp_path):
    other = tmp_path / "b.json"
    other.write_text("")
    one = run_here("hyponyms", dump, str(other), "-o", str(tmp_path / "one"))
    assert (one.returncode, "2 of 2 files" in one.stderr) == (0, True), one.stderr
    again = run_here("hyponyms", dump, str(other), "-o", str(tmp_path / "one"))
    assert "0 of 2 files" in again.stderr
    two = run_here("hyponyms", dump, str(other), "-o", str(tmp_path / "two"), "-j", "2")
    assert two.returncode == 0, two.stderr
    for name in ("ja.json.tsv", "b.json.tsv"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
    assert (tmp_path / "one" / "ja.json.tsv").read_text(encoding="utf-8") == "".join(
        found_lines(dump, ("ja-hyponymy", "tsv", False, 0.5))
    )


def test_a_model_is_trained_scored_explained_and_used(trained, dump, tmp_path):
    model, figures = trained
    assert figures["cross_validated_f1"] > 0.8
    told = json.loads(run_here("evaluate", model, "sample-hyponymy:dev", "--json").stdout)
    assert {"accuracy", "f1", "precision", "recall", "average_precision"} <= set(told)
    assert 0.8 < told["f1"] < 1
    file = tmp_path / "own.tsv"
    file.write_text("hypernym\thyponym\tlabel\n県\t千葉県\tTrue\n歴史\t1990年\tFalse\n", encoding="utf-8")
    assert json.loads(run_here("evaluate", model, str(file), "--json").stdout)["accuracy"] == 1.0
    assert run_here("predict", model, str(file)).stdout.splitlines()[0].startswith("県\t千葉県\t")
    (machine,) = json.loads(run_here("explain", model, str(file), "--line", "2", "--json").stdout)
    assert machine["machine"] == "1990年 < 歴史"
    assert sum(item["weight"] for item in machine["items"]) == pytest.approx(machine["margin"], abs=1e-5)
    assert "札幌市" in run_here("hyponyms", "--model", model, dump).stdout
    assert json.loads(run_here("evaluate", "ja-hyponymy", str(file), "--json").stdout)["accuracy"] == 1.0
    assert run_here("explain", "ja-hyponymy", str(file)).returncode == 0


def test_english_pairs_need_counts(tmp_path):
    pairs, counts, model = (str(tmp_path / name) for name in ("p.tsv", "c.txt", "model"))
    Path(pairs).write_text(
        "word1\tword2\tlabel\nparis\tcity\tTrue\nrome\tcity\tTrue\ncity\tparis\tFalse\nrome\tparis\tFalse\n"
    )
    Path(counts).write_text("paris\tcity\t7\nrome\tcity\t5\n")
    done = run_here("train", "hyponymy", pairs, "-o", model, "--counts", counts, "--folds", "2", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(run_here("evaluate", model, pairs, "--json").stdout)["accuracy"] == 1.0
    refused = run_here("hyponyms", "--model", model, pairs)
    assert (refused.returncode, "judges English pairs" in refused.stderr) == (1, True)


@pytest.mark.parametrize(
    ("arguments", "code", "reason"),
    [
        (("hyponyms", "none.xml"), 1, "none.xml: there is no such file"),
        (("hyponyms", "x.json", "-j", "2"), 2, "-o DIR"),
        (("hyponyms", "x.json", "--scheduler", "tcp://x:1"), 2, "-o DIR"),
        (("hyponyms", "x.json", "--model", "none"), 1, "none: there is no such file"),
        (("evaluate", "ja-hyponymy", "sample-questions"), 1, "no pairs of hypernym"),
        (("explain", "ja-hyponymy", "sample-hyponymy-second", "--line", "999"), 1, "there are 280 pairs"),
        (("train", "hyponymy", "sample-hyponymy:train", "-o", "m", "--counts", "x"), 2, "English"),
    ],
)
def test_refusals(arguments, code, reason):
    done = run_here(*arguments)
    assert (done.returncode, reason in done.stderr) == (code, True), done.stderr


@pytest.mark.slow
def test_a_killed_run_on_a_cluster_is_resumed(cluster, tmp_path):
    address, _, _ = cluster
    files = [tmp_path / f"{name}.json" for name in "abcdef"]
    for number, file in enumerate(files):
        article = ARTICLE | {"title": f"国{number}", "text": ARTICLE["text"] * 400}
        file.write_text((json.dumps(article) + "\n") * 5, encoding="utf-8")
    folder = tmp_path / "cluster"
    arguments = ("hyponyms", *map(str, files), "-o", str(folder), "--scheduler", address)
    process = subprocess.Popen([COMMAND, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while process.poll() is None and not list(folder.glob("*.tsv")):
        time.sleep(0.01)
    process.kill()
    process.wait()
    done = len(list(folder.glob("*.tsv")))
    assert 0 < done < len(files)
    again = run_here(*arguments)
    assert again.returncode == 0, again.stderr
    assert {path.name for path in folder.iterdir()} == {f"{file.name}.tsv" for file in files}
    for file in files:
        lines = "".join(found_lines(str(file), ("ja-hyponymy", "tsv", False, 0.5)))
        assert (folder / f"{file.name}.tsv").read_text(encoding="utf-8") == lines != ""

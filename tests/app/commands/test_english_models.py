"""Whatever `kakari train` makes for English, the other commands and spaCy take: tasks × commands."""

import json

import pytest
from command_line import run_here

pytestmark = pytest.mark.thorough

QUESTIONS = (
    "HUM:ind Who won the race ?\nLOC:city Which city hosts it ?\nNUM:date When was it built ?\nHUM:ind Who sang ?\n"
)
TEXT = "Who wrote the letter that Mary sent?"


COLUMNS = "Dogs NNS B-NP\nbark VBP B-VP\n\nThe DT B-NP\nbaker NN I-NP\nslept VBD B-VP\n\n" * 6
# What `kakari train` makes for English: its arguments, commands that take the model (M), the component and its text.
TASKS = {
    "questions": ("questions q.qc --given text", (), "kakari_question"),
    "compact": ("questions sample-questions --given text --compact", (), "kakari_question"),
    "arguments": ("en-arguments sample-en", ("explain --model M Dogs barked.",), "kakari_arguments"),
    "boundary": ("en-boundary sample-en --model mf", ("explain M sample-en",), "kakari_arguments"),
    "constituency": (
        "en-constituency sample-en --passes 2",
        ("parse --model M Dogs barked.", "evaluate M sample-en", "explain --constituent 1 3 --model M Dogs barked."),
        "kakari_constituency",
    ),
    "tagger": ("en-tagger sample-en --passes 2", ("evaluate M sample-en --task tags",), "kakari_tagger"),
    "chunks": ("en-chunks c.txt", ("evaluate M c.txt", "predict M c.txt"), "kakari_sequence"),
    "sequence": ("sequence c.txt", ("evaluate M c.txt", "predict M c.txt"), None),
    "dependency": (
        "dependency sample-ud --passes 1 --order 1",
        ("parse --model M -f conllu Dogs barked.", "evaluate M sample-ud --given tags"),
        "kakari_parser",
    ),
}


def placed(line, folder, model=""):
    """Return the words of a command, with the paths of files in place of their names; a text is the last word."""
    names = {"q.qc": str(folder / "q.qc"), "c.txt": str(folder / "c.txt"), "M": model}
    words = line.replace("Dogs barked.", "Dogs\0barked.").split(" ")
    return [names.get(word, word.replace("\0", " ")) for word in words]


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    (folder / "q.qc").write_text(QUESTIONS * 4, encoding="utf-8")
    (folder / "c.txt").write_text(COLUMNS, encoding="utf-8")
    for name, (options, _, _) in TASKS.items():
        told = run_here("train", *placed(options, folder), "-o", str(folder / name))
        assert told.returncode == 0, (name, told.stderr)
    return folder


def test_every_task_is_in_the_table():
    shown = run_here("train", "--help").stdout
    english = shown[shown.index("English:") : shown.index("Any language")]
    tasks = {line.split()[0] for line in english.splitlines() if line.startswith("  ") and line[2] != " "}
    assert {options.split()[0] for options, _, _ in TASKS.values()} >= tasks and len(tasks) == 6


@pytest.mark.parametrize(("name", "line"), [(name, line) for name, (_, lines, _) in TASKS.items() for line in lines])
def test_commands_take_what_train_made(models, name, line):
    told = run_here(*placed(line, models, str(models / name)))
    assert told.returncode == 0 and told.stdout.strip(), told.stderr


@pytest.mark.parametrize("name", [name for name, (_, _, component) in TASKS.items() if component])
def test_components_take_what_train_made(models, name):
    import spacy

    nlp = spacy.blank("en")
    component = TASKS[name][2]
    if component == "kakari_arguments":
        nlp.add_pipe("kakari_constituency")
    if component == "kakari_sequence":
        nlp.add_pipe("kakari_tagger")
    own = nlp.add_pipe(component, config={"model": str(models / name)})
    doc = nlp("Dogs barked.")
    assert doc.text == "Dogs barked."
    again = spacy.blank("en").add_pipe(component).from_bytes(own.to_bytes())
    assert type(again.trained) is type(own.trained)


@pytest.mark.parametrize("name", ["questions", "compact"])
def test_question_models_are_asked_scored_and_explained(models, name):
    model, corpus = str(models / name), str(models / "q.qc")
    told = run_here("ask", "--json", "--model", model, "Who won the race?")
    assert told.returncode == 0, told.stderr
    assert json.loads(told.stdout)["coarse"] == "HUM"
    assert "reasons" in run_here("ask", "--json", "--explain", "--model", model, "Who won the race?").stdout
    scored = run_here("evaluate", model, corpus, "--json")
    assert scored.returncode == 0 and json.loads(scored.stdout)["given"] == "text", scored.stderr
    lines = run_here("predict", model, corpus)
    assert lines.returncode == 0 and len(lines.stdout.splitlines()) == 16, lines.stderr
    explained = run_here("explain", model, corpus, "--json")
    assert explained.returncode == 0 and json.loads(explained.stdout), explained.stderr


@pytest.mark.parametrize("name", ["questions", "compact"])
def test_the_component_takes_question_models(models, name):
    import spacy

    nlp = spacy.blank("en")
    component = nlp.add_pipe("kakari_question", config={"model": str(models / name)})
    (sentence,) = nlp("Who won the race?")._.questions
    assert sentence._.question["coarse"] == "HUM" and 0 < sentence._.question["share"] <= 1
    again = spacy.blank("en").add_pipe("kakari_question").from_bytes(component.to_bytes())
    assert type(again.trained) is type(component.trained)


@pytest.mark.parametrize("name", ["arguments", "boundary"])
def test_argument_models_parse_and_are_scored(models, name):
    model = str(models / name)
    drawn = run_here("parse", "--model", model, TEXT)
    assert drawn.returncode == 0 and "sent: " in drawn.stdout, drawn.stderr
    assert json.loads(run_here("parse", "-f", "json", "--model", model, TEXT).stdout)["predicates"]
    refused = run_here("parse", "-f", "ptb", "--model", model, TEXT)
    assert refused.returncode == 2 and "shows no arguments" in refused.stderr
    assert run_here("evaluate", model, "sample-en", "--json").returncode == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--beam", "4"), "--beam"),
        (("--kinds",), "--kinds"),
        (("--nominal", "-f", "ptb"), "shows no predicates"),
    ],
)
def test_options_that_would_do_nothing_are_refused(options, message):
    told = run_here("parse", "-l", "en", *options, TEXT)
    assert told.returncode == 2 and message in told.stderr


def test_several_trees_with_shares_and_probabilities():
    text = "He saw the dog that Mary painted near the old mill."
    best = run_here("parse", "-l", "en", "-f", "ptb", text).stdout
    lines = [
        line.split("\t") for line in run_here("parse", "-l", "en", "-f", "ptb", "--beam", "3", text).stdout.splitlines()
    ]
    assert lines[0][1] + "\n" == best and len({tree for _, tree in lines}) == 3
    shares = [float(share) for share, _ in lines]
    assert shares == sorted(shares, reverse=True) and 0 < sum(shares) <= 1.0001
    told = json.loads(run_here("parse", "-l", "en", "-f", "json", "--beam", "3", text).stdout)
    assert [one["tree"] for one in told["trees"]] == [tree for _, tree in lines]
    sure = [one["probability"] for one in told["constituents"]]
    assert all(0 < value < 1 for value in sure) and len(set(sure)) > 1
    sure = [argument["probability"] for one in told["predicates"] for argument in one["arguments"]]
    assert len(sure) > 3 and all(0 < value < 1 for value in sure) and len(set(sure)) > 1
    plain = json.loads(run_here("parse", "-l", "en", "-f", "json", text).stdout)
    assert "trees" not in plain and "probability" not in plain["constituents"][0]
    assert "probability" not in plain["predicates"][0]["arguments"][0]


def test_nominal_predicates_on_request():
    text = "The decision of the board surprised us."
    assert "decision: " not in run_here("parse", "-l", "en", text).stdout
    assert "decision: " in run_here("parse", "-l", "en", "--nominal", text).stdout
    assert run_here("parse", "--nominal", "本を読む。").returncode == 2


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_offsets_and_numbers_are_the_files(tmp_path, end):
    lines = ["Dogs barked. Cats slept.", "", "Mary sent a letter."]
    content = end.join([*lines, ""])
    (tmp_path / "my file.txt").write_bytes(content.encode())
    path = str(tmp_path / "my file.txt")
    for line in run_here("parse", "-l", "en", "-f", "json", path).stdout.splitlines():
        told = json.loads(line)
        assert content[told["start"] : told["end"]] == told["text"]
        for token in told["tokens"]:
            assert content[token["start"] : token["end"]] == token["text"]
        for predicate in told["predicates"]:
            for argument in predicate["arguments"]:
                assert content[argument["start"] : argument["end"]] == argument["text"]
    blocks = run_here("parse", "-l", "en", "-f", "conll", path).stdout.split("\n\n")[:-1]
    assert [block.split("\t")[:2] for block in blocks] == [["my_file.txt", str(number)] for number in range(3)]
    asked = run_here("ask", "--all", "--json", path).stdout.splitlines()
    assert [content[told["start"] : told["end"]] for told in map(json.loads, asked)] == [
        "Dogs barked.",
        "Cats slept.",
        "Mary sent a letter.",
    ]


@pytest.mark.parametrize(
    ("text", "japanese"),
    [
        ("The sign said 東京 in red.", False),
        ("I live in 東京", False),
        ("東京", True),
        ("Microsoft Officeを買う。", True),
        ("She said ありがとう and left.", False),
    ],
)
def test_the_language_of_a_text(text, japanese):
    drawn = run_here("parse", "-f", "json", text).stdout
    assert ("bunsetsu" in drawn) is japanese


def test_messages_name_the_fault():
    told = run_here("evaluate", "en", "nocorpus:dev")
    assert told.returncode == 1 and "there is no such corpus" in told.stderr
    told = run_here("explain", "The cat sat.", "a", "b")
    assert told.returncode == 2 and "kakari ask --explain" in told.stderr
    shown = run_here("models", "show", "en").stdout
    assert "{" not in shown and "bracket_f1" in shown


def test_arguments_of_a_text_are_explained():
    told = json.loads(run_here("explain", "--json", "--top", "500", "Mary wrote the letter. Dogs barked.").stdout)
    titles = [one["machine"] for one in told]
    assert titles[0] == "Mary: argument of wrote" and "the letter: argument of wrote" in titles
    assert any(title.startswith("Dogs: ARG0 before ") for title in titles)
    for one in told:
        assert sum(item["weight"] for item in one["items"]) == pytest.approx(one["margin"])
    pair = json.loads(run_here("explain", "--json", "--pair", "6", "7", "Mary wrote the letter. Dogs barked.").stdout)
    assert [one["machine"] for one in pair] == [title for title in titles if title.startswith("Dogs")]
    none = run_here("explain", "--pair", "2", "1", "Mary wrote the letter.")
    assert none.returncode == 1 and "word 2 is in no argument of word 1: 1:Mary 2:wrote" in none.stderr


def test_tags_of_a_text_are_explained():
    (told,) = json.loads(run_here("explain", "--json", "--tag", "2", "Mary wrote the letter.").stdout)
    assert told["machine"].startswith("VBD “wrote”, before: ") and told["margin"] > 0
    none = run_here("explain", "--tag", "9", "Mary wrote the letter.")
    assert none.returncode == 1 and "1:Mary" in none.stderr
    assert run_here("explain", "--tag", "2", "本を読む。").returncode == 2
    assert run_here("explain", "--tag", "2", "--constituent", "2", "3", "Mary wrote the letter.").returncode == 2


def test_constituents_of_a_text_are_explained(models):
    told = json.loads(run_here("explain", "--json", "--constituent", "3", "4", "Mary wrote the letter.").stdout)
    assert "join to NP" in told[0]["machine"]
    assert sum(item["weight"] for item in told[0]["items"]) == pytest.approx(told[0]["margin"])
    none = run_here("explain", "--constituent", "2", "3", "Mary wrote the letter.")
    assert none.returncode == 1 and "no constituent has the words 2 to 3: 1:Mary 2:wrote" in none.stderr
    assert run_here("explain", "--constituent", "2", "3", "本を読む。").returncode == 2


def test_pictures_show_words_labels_and_roles(tmp_path):
    drawn = run_here("parse", "-l", "en", "-f", "svg", "Dogs <bark> at Mary.").stdout
    assert drawn.startswith("<svg") and "&lt;" in drawn and ">NP<" in drawn
    page = run_here("parse", "-l", "en", "-f", "html", "Mary sent a letter. Dogs barked.").stdout
    assert page.startswith("<!DOCTYPE html>") and page.count("<svg") == 2 and ">ARG0<" in page
    from xml.etree import ElementTree

    ElementTree.fromstring(drawn)

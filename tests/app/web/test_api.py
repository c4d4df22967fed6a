"""The JSON API of `kakari serve`: the same analyses as the command line's, and refusals in one line."""

import json
import re

import pytest
from command_line import run_here
from web_client import ENGLISH, JAPANESE, client_of, parsed

from kakari.web.limits import collect_warnings
from kakari.web.settings import Settings

HOSTILE = "<img src=x onerror=alert(1)> & </svg><script>alert(2)</script> 本を読む。"


@pytest.fixture(scope="module")
def client():
    with client_of() as made:
        yield made


@pytest.mark.parametrize(("text", "language"), [(JAPANESE, "ja"), (ENGLISH, "en"), ("行く。来る。", "ja")])
def test_sentences_are_those_of_the_command_line(client, text, language):
    told = [json.loads(line) for line in run_here("parse", "-f", "json", text).stdout.splitlines()]
    (result,) = parsed(client, text=text)
    assert result["language"] == language
    own = result["sentences"]
    for sentence in own:
        assert sentence.pop("language") == language
    # The command line finds arc types only on demand.
    for sentence in (*own, *told):
        for bunsetsu in sentence.get("bunsetsu", ()):
            bunsetsu.pop("type")
    assert own == told


@pytest.mark.parametrize(
    ("text", "name"),
    [(JAPANESE, name) for name in ("conllu", "tree", "knp")]
    + [(ENGLISH, name) for name in ("conllu", "ptb", "conll", "chunks", "tree", "svg")],
)
def test_exports_are_those_of_the_command_line(client, text, name):
    answer = client.post("/api/export", json={"text": text, "format": name})
    written = answer.text if name != "knp" else re.sub(r"D(?= |$)|(?<=\d)[PIA](?= |$)", "D", answer.text)
    assert written.strip() == run_here("parse", "-f", name, text).stdout.strip()


@pytest.mark.parametrize("name", ["cabocha", "json", "html", "svg"])
def test_other_exports_have_every_word(client, name):
    answer = client.post("/api/export", json={"text": JAPANESE, "format": name})
    assert answer.status_code == 200 and "渡し" in answer.text


def test_a_format_of_the_other_language_is_refused(client):
    answer = client.post("/api/export", json={"text": JAPANESE, "format": "ptb"})
    assert answer.status_code == 422 and answer.json()["error"].startswith("Japanese is written as")


def test_everything_that_can_be_included(client):
    include = ["universal", "dependencies", "chunks", "question", "pictures"]
    first, second = parsed(client, texts=[JAPANESE, ENGLISH], include=include, alternatives=4)
    (own,), (other,) = first["sentences"], second["sentences"]
    assert own["universal"][0] == {"text": "太郎", "upos": "PROPN", "head": 12, "deprel": "nsubj"}
    assert {*own["pictures"]} == {"stairs", "arcs", "universal"}
    assert own["alternatives"][0]["heads"] == [b["head"] for b in own["bunsetsu"]]
    assert all(0 <= one.get("probability", 0.5) <= 1 for one in own["alternatives"])
    assert len({tuple(one["heads"]) for one in own["alternatives"]}) == len(own["alternatives"]) > 1
    assert {*other["pictures"]} == {"constituents", "predicates", "dependencies"}
    trees = other["constituent_alternatives"]
    assert len(trees) == len(other["trees"]) == 4 and "pictures" not in trees[0]
    assert all("class='node" in one["pictures"]["constituents"] for one in trees[1:])
    assert all(0 < one["probability"] <= 1 for one in (*trees, *other["constituents"]))
    assert [(token["deprel"], 0 < token["probability"] <= 1) for token in other["dependencies"]][1] == ("root", True)
    assert other["question"]["fine"] == "HUM:ind"
    assert sum(one["share"] for one in other["question"]["classes"]) <= 1.0001
    assert other["chunks"][0] == {"type": "NP", "first": 0, "last": 0}


def test_pictures_are_drawn_of_the_first_sentences_only(client):
    (result,) = parsed(client, text="行く。" * 30, include=["pictures"])
    assert ["pictures" in sentence for sentence in result["sentences"]] == [True] * 20 + [False] * 10


@pytest.mark.parametrize("text", [HOSTILE, HOSTILE + " and more <b>English</b> words than that, see?"])
def test_text_is_never_markup(client, text):
    from xml.etree import ElementTree

    (result,) = parsed(client, text=text, include=["pictures", "universal", "dependencies"], alternatives=3)
    for sentence in result["sentences"]:
        others = [*sentence.get("alternatives", ()), *sentence.get("dependency_alternatives", ())]
        for picture in [
            *sentence["pictures"].values(),
            *(p for one in others for p in one.get("pictures", {}).values()),
        ]:
            tags = {element.tag.rpartition("}")[2] for element in ElementTree.fromstring(picture).iter()}
            assert tags <= {"svg", "g", "path", "rect", "text", "title"}


def test_reasons_add_up(client):
    for request in (
        {"text": JAPANESE, "what": "arc", "first": 0, "second": 5},
        {"text": JAPANESE, "what": "arc", "first": 1, "second": 2},
        {"text": ENGLISH, "what": "question"},
        {"text": ENGLISH, "what": "argument", "first": 0, "second": 1},
        {"text": ENGLISH, "what": "dependency", "first": 3},
        {"text": ENGLISH, "what": "constituent", "first": 2, "second": 4, "label": "NP"},
        {"text": JAPANESE, "what": "boundary", "first": 3},
        {"text": JAPANESE, "what": "boundary", "first": 5},
    ):
        told = client.post("/api/explain", json=request).json()["explanations"]
        decided = [one for one in told if one["items"]]
        assert decided
        for one in decided:
            assert sum(item["weight"] for item in one["items"]) == pytest.approx(one["margin"], abs=1e-6)


@pytest.mark.parametrize(
    ("request_", "status", "said"),
    [
        ({"text": "", "what": "question"}, 422, "nothing to explain"),
        ({"text": JAPANESE, "what": "arc", "first": 3, "second": 1}, 422, "I must be before J"),
        ({"text": JAPANESE, "what": "why"}, 422, "what: "),
        ({"text": ENGLISH, "what": "argument", "first": 9}, 422, "there is no argument"),
        ({"text": JAPANESE, "what": "arc", "top": 10**9}, 422, "top: "),
        ({"text": JAPANESE, "what": "boundary", "first": 1}, 422, "no word that could begin a bunsetsu"),
        ({"text": ENGLISH, "what": "dependency", "first": 99}, 422, "there is no word 100"),
        ({"text": "", "what": "dependency"}, 422, "nothing to explain"),
        (
            {"text": ENGLISH, "what": "constituent", "first": 0, "second": 3, "label": "VP"},
            422,
            "no tree that was found",
        ),
    ],
)
def test_reasons_that_are_not_there(client, request_, status, said):
    answer = client.post("/api/explain", json=request_)
    assert answer.status_code == status and said in answer.json()["error"]


def test_a_stream_has_a_line_for_each_text(client):
    texts = [JAPANESE, "", ENGLISH, "行く。"]
    with client.stream("POST", "/api/stream", json={"texts": texts, "include": ["question"]}) as answer:
        lines = [json.loads(line) for line in answer.iter_lines()]
    assert answer.headers["content-type"].startswith("application/x-ndjson")
    assert lines == parsed(client, texts=texts, include=["question"])
    assert [len(line["sentences"]) for line in lines] == [1, 0, 1, 1]


def test_warnings_about_text_are_told(client):
    collect_warnings()  # pytest forgets filters between tests
    (result,) = parsed(client, text="長い文" * 1_000)
    assert len(result["warnings"]) == 1 and "cut" in result["warnings"][0]
    assert "warnings" not in parsed(client, text="短い文。")[0]


def test_lone_surrogates_are_replaced(client):
    answer = client.post(
        "/api/parse", content=b'{"text": "\\ud800\xe6\x9c\xac"}', headers={"content-type": "application/json"}
    )
    assert answer.status_code in (200, 422)
    answer.text.encode("utf-8")


def test_health_metrics_and_description(client):
    assert client.get("/api/health").json()["status"] == "ok"
    before = client.get("/api/metrics").text
    parsed(client, text=JAPANESE)
    after = client.get("/api/metrics").text
    count = re.compile(r"^kakari_sentences_total (\d+)", re.MULTILINE)
    assert int(count.search(after)[1]) == int(count.search(before)[1]) + 1
    assert 'kakari_request_seconds_bucket{le="+Inf"}' in after
    told = client.get("/api/openapi.json").json()
    assert {"/api/parse", "/api/stream", "/api/explain", "/api/export", "/api/health", "/api/metrics"} <= {
        *told["paths"]
    }
    assert "ParseRequest" in told["components"]["schemas"]
    assert client.get("/api/about").json()["limits"]["characters"] == Settings().most_characters

"""Corrections through the API: tried, kept, used at once, taken back; files that survive whatever happens."""

import pytest
from web_client import client_of, parsed

from kakari.parsers.correcting.files import read_corrections
from kakari.parsers.japanese.parser import JapaneseParser

TEXT = "昨日買った本を読む。"
WANTED = {"text": TEXT, "kind": "arc", "at": [0, 2], "is": [7, 10]}
TASK = "ja-bunsetsu-dependency"


def heads(client):
    return [bunsetsu["head"] for bunsetsu in parsed(client, text=TEXT)[0]["sentences"][0]["bunsetsu"]]


def post(client, what, **body):
    return client.post(f"/api/corrections/{what}", json=body)


def test_try_keep_use_and_undo(tmp_path):
    folder = tmp_path / "mine"
    with client_of(corrections=str(folder)) as client:
        before = heads(client)
        assert before[0] == 1
        told = post(client, "try", language="ja", corrections=[WANTED]).json()
        assert told["corrections"] == [{"told": "昨日 → 読む。", "before": False, "now": True}]
        assert heads(client) == before and not folder.exists()
        assert post(client, "keep", language="ja", corrections=[WANTED]).status_code == 200
        assert heads(client)[0] == 3
        assert [one["told"] for one in client.get("/api/corrections").json()["corrections"]] == ["昨日 → 読む。"]
        assert read_corrections(folder / f"{TASK}.jsonl")[0].value == (7, 10)
        # Every command takes the new file.
        model = folder / f"{TASK}.safetensors"
        assert JapaneseParser.load(model).parse(TEXT)[0].heads[0] == 3
        assert "3" in str(client.get("/api/about").json()["limits"])
    with client_of(corrections=str(folder)) as client:  # a new server finds it
        assert heads(client)[0] == 3
        assert post(client, "undo", task=TASK).json() == {"undone": "昨日 → 読む。"}
        assert heads(client) == before
        assert client.get("/api/corrections").json() == {"corrections": []}
        assert post(client, "undo", task=TASK).status_code == 422


def test_another_worker_sees_the_new_model(tmp_path):
    folder = str(tmp_path / "mine")
    with client_of(corrections=folder) as first, client_of(corrections=folder) as second:
        before = heads(second)
        post(first, "keep", language="ja", corrections=[WANTED])
        assert heads(second) == heads(first) != before
        post(first, "undo", task=TASK)
        assert heads(second) == before


def test_a_model_that_was_left_behind_is_made_again(tmp_path):
    folder = tmp_path / "mine"
    with client_of(corrections=str(folder)) as client:
        post(client, "keep", language="ja", corrections=[WANTED])
    whole = (folder / f"{TASK}.safetensors").read_bytes()
    (folder / f"{TASK}.safetensors").unlink()  # killed between the line and the model
    with client_of(corrections=str(folder)) as client:
        assert heads(client)[0] == 3
    assert (folder / f"{TASK}.safetensors").read_bytes() == whole


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"language": "ja", "corrections": []}, "1 to 50"),
        ({"language": "ja", "corrections": [{}]}, "needs 'text'"),
        ({"language": "ja", "corrections": [{**WANTED, "at": [0, 1]}]}, ""),
        ({"language": "ja", "corrections": [{**WANTED, "is": [7, 1_000]}]}, "no span"),
        ({"language": "ja", "corrections": [{**WANTED, "mode": 1}]}, "nothing is known"),
        (
            {"language": "ja", "corrections": [{**WANTED, "kind": "relation", "is": "obj"}]},
            "the kind of a correction is one of",
        ),
        ({"language": "xx", "corrections": [WANTED]}, "language"),
    ],
)
def test_corrections_that_say_nothing_are_refused(tmp_path, body, said):
    with client_of(corrections=str(tmp_path / "mine")) as client:
        for what in ("try", "keep"):
            answer = post(client, what, **body)
            assert answer.status_code == 422 and said in answer.json()["error"]
        assert not (tmp_path / "mine" / f"{TASK}.jsonl").exists()


def test_a_contradiction_is_refused_and_nothing_is_written(tmp_path):
    with client_of(corrections=str(tmp_path)) as client:
        assert post(client, "keep", language="ja", corrections=[WANTED]).status_code == 200
        lines = (tmp_path / f"{TASK}.jsonl").read_bytes()
        answer = post(client, "keep", language="ja", corrections=[{**WANTED, "is": [2, 5]}])
        assert answer.status_code == 422 and "another correction" in answer.json()["error"]
        assert (tmp_path / f"{TASK}.jsonl").read_bytes() == lines


def test_a_server_that_only_reads_offers_no_corrections():
    with client_of() as client:
        assert post(client, "keep", language="ja", corrections=[WANTED]).status_code in (404, 405)
        assert client.get("/api/about").json()["correctable"] == {"ja": [], "en": []}

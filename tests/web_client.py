"""A client of the web application, without a network."""

import warnings
from dataclasses import replace

import pytest

pytest.importorskip("fastapi", reason="the extra `web` is not installed")
with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # starlette's about the client that it stands on
    from starlette.testclient import TestClient

from kakari.web.application import make_app
from kakari.web.settings import Settings

JAPANESE = "太郎は花子が読んでいる本を次郎に渡した。"
ENGLISH = "Who wrote the letter that Mary sent?"


def client_of(**settings):
    """Return a client of an application with these settings; it lives within `with`."""
    app = make_app(replace(Settings(), **settings))
    return TestClient(app, base_url="http://127.0.0.1:8765", raise_server_exceptions=False)


def parsed(client, **request):
    """Return the results of a request that is answered."""
    answer = client.post("/api/parse", json=request)
    assert answer.status_code == 200, answer.text
    return answer.json()["results"]

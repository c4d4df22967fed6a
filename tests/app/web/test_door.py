"""Refusals of `kakari serve`: strangers, other pages, too much, too deep, too slow."""

import asyncio
import gzip
import json
import socket
import threading
import time

import pytest
from web_client import JAPANESE, client_of, parsed

from kakari.web import guard, server
from kakari.web.settings import Settings, is_loopback

JSON = {"content-type": "application/json"}


@pytest.fixture(scope="module")
def client():
    with client_of() as made:
        yield made


def refused(answer, status, said):
    assert answer.status_code == status, answer.text
    assert said in answer.json()["error"]
    assert "\n" not in answer.json()["error"] and "Traceback" not in answer.text


def test_other_names_and_other_pages_are_refused(client):
    body = json.dumps({"text": JAPANESE})
    refused(client.post("/api/parse", content=body, headers={**JSON, "host": "evil.example"}), 421, "not called")
    refused(client.get("/", headers={"host": "evil.example:8765"}), 421, "not called")
    refused(
        client.post("/api/parse", content=body, headers={**JSON, "origin": "http://evil.example"}), 403, "other pages"
    )
    refused(client.post("/api/parse", content=body, headers={"content-type": "text/plain"}), 415, "JSON")
    own = client.post("/api/parse", content=body, headers={**JSON, "origin": "http://127.0.0.1:8765"})
    assert own.status_code == 200


def test_a_token_is_asked_for():
    with client_of(token="geheim") as client:
        assert client.get("/").status_code == 200
        assert client.get("/api/health").status_code == 200
        refused(client.get("/api/about"), 401, "token")
        refused(client.post("/api/parse", json={"text": "x"}), 401, "token")
        refused(client.get("/api/about", headers={"authorization": "Bearer falsch"}), 401, "token")
        refused(
            client.get("/api/about", headers={"authorization": "Bearer gehe\u00efm".encode("latin-1")}), 401, "token"
        )
        assert client.get("/api/about", headers={"authorization": "Bearer geheim"}).status_code == 200


@pytest.mark.parametrize(
    ("host", "own"), [("127.0.0.1", True), ("::1", True), ("192.168.1.2", False), ("", False), ("example.org", False)]
)
def test_what_is_loopback(host, own):
    assert is_loopback(host) == own


def test_too_much(client):
    refused(client.post("/api/parse", json={"text": "本" * 200_001}), 413, "characters")
    refused(client.post("/api/parse", json={"texts": ["a"] * 1_001}), 413, "texts")
    refused(client.post("/api/parse", json={"text": "a", "alternatives": 1_000}), 422, "alternatives")
    refused(client.post("/api/parse", content=b" " * 2_000_001, headers=JSON), 413, "bytes")

    def endless():
        for _ in range(100):
            yield b" " * 100_000

    refused(client.post("/api/parse", content=endless(), headers=JSON), 413, "bytes")
    refused(client.post("/api/export", json={"text": "a" * 200_001, "format": "json"}), 413, "characters")


def test_compressed_bodies_are_refused(client):
    bomb = gzip.compress(b" " * 10_000_000)
    for name in ("gzip", "br", "deflate", "zstd", "gzip, gzip"):
        refused(client.post("/api/parse", content=bomb, headers={**JSON, "content-encoding": name}), 415, "compressed")


@pytest.mark.parametrize(
    "body",
    [
        b"", b"{", b"[]", b"null", b"\xff\xfe", b'{"text": 3}', b'{"text": "a", "texts": ["b"]}', b"{}",
        b'{"text": "a", "mode": 1}', b'{"text": NaN}', b'{"alternatives": 1e999, "text": "a"}',
        b'{"alternatives": ' + b"9" * 5_000 + b', "text": "a"}', b'{"texts": "abc"}',
        b'{"text": "a", "language": "fr"}',
        b"[" * 100_000, b'{"text":' * 50_000, b'{"include": ' + b"[" * 900_000 + b"]" * 900_000 + b"}",
    ],
)  # fmt: skip
def test_malformed_and_deep_json_is_refused(client, body):
    answer = client.post("/api/parse", content=body, headers=JSON)
    assert answer.status_code in (400, 413, 422), answer.text
    assert 0 < len(answer.json()["error"]) <= 300
    assert parsed(client, text=JAPANESE)


@pytest.mark.parametrize(
    "path",
    [
        "/static/../settings.py",
        "/static/..%2f..%2fsettings.py",
        "/static//etc/passwd",
        "/static/%2e%2e/x",
        "/etc/passwd",
        "/docs/../../etc/passwd",
        "/static/index.html%00.css",
        "/docs/..%2f..%2f..%2fetc%2fpasswd",
        "/static/",
        "//etc/passwd",
    ],
)
def test_no_other_file_can_be_read(client, path):
    answer = client.get(path)
    assert answer.status_code == 404 and "root:" not in answer.text


def test_documentation_is_served_from_its_folder(tmp_path):
    folder = tmp_path / "html"
    folder.mkdir()
    (folder / "index.html").write_text("<p>welcome", "utf-8")
    (tmp_path / "secret.html").write_text("secret", "utf-8")
    (folder / "link.html").symlink_to(tmp_path / "secret.html")
    with client_of(docs=str(folder)) as client:
        assert "welcome" in client.get("/docs").text
        assert client.get("/docs/index.html").status_code == 200
        for path in ("/docs/link.html", "/docs/..%2fsecret.html"):
            assert client.get(path).status_code == 404
    with pytest.raises(ValueError, match=r"no index\.html"):
        client_of(docs=str(tmp_path))


def test_headers_of_every_answer(client):
    for path in ("/", "/static/main.js", "/api/health", "/nothing"):
        headers = client.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy and "script-src 'self'" in policy and "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"


def test_the_time_of_an_answer_is_limited():
    with client_of(seconds=0.0) as client:
        refused(client.post("/api/parse", json={"text": JAPANESE}), 503, "longer than")
        lines = client.post("/api/stream", json={"texts": [JAPANESE]}).text.splitlines()
        assert "longer than" in json.loads(lines[-1])["error"]


def test_too_many_waiting_requests_are_refused():
    with client_of(waiting=0) as client:
        refused(client.post("/api/parse", json={"text": JAPANESE}), 503, "waiting")


@pytest.fixture
def running(monkeypatch):
    """A real server in a thread, impatient."""
    import uvicorn

    monkeypatch.setattr(server, "HEADER_SECONDS", 0.4)
    from dataclasses import replace

    from kakari.web.application import make_app

    opened = server.open_socket("127.0.0.1", 0)
    app = make_app(replace(Settings(), body_seconds=0.4))
    made = uvicorn.Server(uvicorn.Config(app, http=server.PatientProtocol, ws="none", log_level="critical"))
    thread = threading.Thread(target=lambda: asyncio.run(made.serve(sockets=[opened])), daemon=True)
    thread.start()
    while not made.started:
        time.sleep(0.01)
    yield opened.getsockname()[1]
    made.should_exit = True
    thread.join(10)
    opened.close()


def talk(port, *pieces, pause=0.0):
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        for piece in pieces:
            connection.sendall(piece)
            time.sleep(pause)
        heard = b""
        while part := connection.recv(65536):
            heard += part
    return heard.decode()


def test_slow_clients_are_cut_off(running):
    start = b"POST /api/parse HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    assert " 408 " in talk(running)  # says nothing at all
    assert " 408 " in talk(running, b"POST /api/parse HTT")  # no end of the headers
    heard = talk(running, start + b"Content-Length: 100\r\n\r\n{")  # no end of the body
    assert " 408 " in heard and "did not arrive" in heard
    body = json.dumps({"text": "本"}).encode()
    good = start + b"Connection: close\r\nContent-Length: " + str(len(body)).encode() + b"\r\n\r\n" + body
    assert " 200 " in talk(running, good)


def test_headers_without_end_are_refused(running):
    assert " 400 " in talk(running, b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + b"a" * 100_000)


def test_a_port_in_use_is_one_line():
    opened = server.open_socket("127.0.0.1", 0)
    opened.listen()
    try:
        with pytest.raises(ValueError, match="cannot be used"):
            server.open_socket("127.0.0.1", opened.getsockname()[1])
    finally:
        opened.close()
    with pytest.raises(ValueError, match="no such address"):
        server.open_socket("no.such.host.invalid", 0)


def test_a_mistake_of_ours_is_one_line_with_all_headers(client, monkeypatch, caplog):
    def broken(store, texts, **options):
        if texts == [JAPANESE]:  # and not what the application warms up with, perhaps still at it
            raise ZeroDivisionError("secret")
        return []

    monkeypatch.setattr("kakari.web.application.analysed", broken)
    caplog.set_level("ERROR", logger=guard.LOG.name)
    guard.LOG.addHandler(caplog.handler)  # uvicorn, once it ran, no longer passes its messages on
    try:
        answer = client.post("/api/parse", json={"text": JAPANESE})
    finally:
        guard.LOG.removeHandler(caplog.handler)
    refused(answer, 500, "mistake")
    assert "secret" not in answer.text and "content-security-policy" in answer.headers
    assert "ZeroDivisionError" in caplog.text

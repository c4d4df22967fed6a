"""The door of the server: who may ask, how much, how fast; and what browsers are told to allow.

Everything is decided before a body is read, or while it is: sizes are counted as bytes arrive, encoded bodies (and with
them zip bombs) are refused, and a client that sends or takes its bytes too slowly is cut off. Every refusal is one line
of JSON.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import logging
import time
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from kakari.web.counters import Counters
from kakari.web.limits import RefusedError
from kakari.web.settings import Settings

LOG = logging.getLogger("uvicorn.error")
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[MutableMapping[str, Any], Receive, Send], Awaitable[None]]

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self';"
    " font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
DOCS_POLICY = POLICY.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'").replace(
    "script-src 'self'", "script-src 'self' 'unsafe-inline'"
)
HEADERS = [
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
]
OPEN = ("/api/health",)  # what a token is not asked for, beside the page itself, which knows nothing


class Guard:
    """Lets requests through to an application, or refuses them."""

    def __init__(self, app: App, settings: Settings, counters: Counters) -> None:
        self.app, self.settings, self.counters = app, settings, counters

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        """Answer a request of ASGI."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        start = time.perf_counter()
        sent = _Sent(send, scope["path"], start, self.settings.body_seconds)
        counted = scope["path"].startswith("/api/") and scope["path"] not in ("/api/health", "/api/metrics")
        self.counters.add("requests", counted)
        try:
            self.check(scope)
            # Read here, since the framework takes any trouble with a body for bad JSON.
            await self.app(scope, _Given(await whole_body(receive, self.settings), receive), sent)
        except RefusedError as error:
            self.counters.add("refused")
            if not sent.begun:
                await refuse(sent, error.status, str(error))
        except Exception:  # here, so that this answer has its headers too
            self.counters.add("failed")
            LOG.exception("a request failed")
            if not sent.begun:
                await refuse(sent, 500, "the server made a mistake; its log has the details")
        finally:
            if counted:
                self.counters.took(time.perf_counter() - start)

    def check(self, scope: MutableMapping[str, Any]) -> None:
        """Refuse what can be refused by the headers alone."""
        headers = {}
        for name, value in scope["headers"]:
            headers[name.decode("latin-1")] = value.decode("latin-1")
        host = headers.get("host", "")
        if host_name(host) not in self.settings.hosts:
            raise RefusedError(421, f"this server is not called {host[:100]!r}: start it with --host, or --allow NAME")
        origin = headers.get("origin")
        if origin is not None and origin.partition("://")[2] != host:
            raise RefusedError(403, "other pages may not ask this server")
        if headers.get("content-encoding", "identity").strip().lower() not in ("", "identity"):
            raise RefusedError(415, "bodies are taken as they are, not compressed")
        length = headers.get("content-length", "0")
        if not length.isdecimal():
            raise RefusedError(400, "the length of the body is no number")
        if int(length) > self.settings.most_bytes:
            raise RefusedError(413, f"a request has at most {self.settings.most_bytes:,} bytes")
        if scope["path"].startswith("/api/"):
            self._check_api(scope, headers)

    def _check_api(self, scope: MutableMapping[str, Any], headers: dict[str, str]) -> None:
        if self.settings.token is not None and scope["path"] not in OPEN:
            kind, _, shown = headers.get("authorization", "").partition(" ")
            known = self.settings.token.encode("utf-8")
            if kind.lower() != "bearer" or not hmac.compare_digest(shown.strip().encode("latin-1"), known):
                raise RefusedError(401, "this server asks for its token: Authorization: Bearer TOKEN")
        # A form of another page can send plain text without being asked, but no JSON.
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        if scope["method"] == "POST" and kind not in ("application/json", "application/x-ndjson"):
            raise RefusedError(415, "a request is JSON: Content-Type: application/json")


def host_name(host: str) -> str:
    """Return a Host header without its port.

    Examples
    --------
    >>> host_name("localhost:8000"), host_name("[::1]:8000"), host_name("127.0.0.1")
    ('localhost', '::1', '127.0.0.1')
    """
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0].lower()


async def refuse(send: Send, status: int, reason: str) -> None:
    """Answer with one line of JSON."""
    body = json.dumps({"error": reason}, ensure_ascii=False).encode("utf-8")
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),
    ]
    if status == 401:
        headers.append((b"www-authenticate", b"Bearer"))
    if status == 503:
        headers.append((b"retry-after", b"1"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def whole_body(receive: Receive, settings: Settings) -> bytes:
    """Read a body, counted and timed."""
    pieces, size = [], 0
    end = time.monotonic() + settings.body_seconds
    while True:
        try:
            message = await asyncio.wait_for(receive(), max(0.001, end - time.monotonic()))
        except asyncio.TimeoutError:
            reason = f"the request did not arrive within {settings.body_seconds:g} seconds"
            raise RefusedError(408, reason) from None
        pieces.append(message.get("body", b""))
        size += len(pieces[-1])
        if size > settings.most_bytes:
            raise RefusedError(413, f"a request has at most {settings.most_bytes:,} bytes")
        if not message.get("more_body", False):
            return b"".join(pieces)


class _Given:
    """A body that was read before, as an application asks for it; later it hears whether the client goes away."""

    def __init__(self, body: bytes, receive: Receive) -> None:
        self.body: bytes | None = body
        self.receive = receive

    async def __call__(self) -> Message:
        if self.body is None:
            return await self.receive()
        body, self.body = self.body, None
        return {"type": "http.request", "body": body, "more_body": False}


class _Sent:
    """Messages to a client, with the headers of every answer; one that does not take it is left."""

    def __init__(self, send: Send, path: str, start: float, seconds: float) -> None:
        self.send, self.path, self.start, self.seconds = send, path, start, seconds
        self.begun = False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.begun = True
            policy = DOCS_POLICY if self.path.startswith("/docs") else POLICY
            took = f"app;dur={1000 * (time.perf_counter() - self.start):.1f}"
            message["headers"] = [
                *message.get("headers", []),
                *HEADERS,
                (b"content-security-policy", policy.encode()),
                (b"server-timing", took.encode()),
            ]
        try:
            await asyncio.wait_for(self.send(message), self.seconds)
        except asyncio.TimeoutError:
            raise RefusedError(408, f"the answer was not taken within {self.seconds:g} seconds") from None

"""The server process: its socket, its workers, and connections that are too slow."""

from __future__ import annotations

import asyncio
import json
import shutil
import socket
import tempfile
from dataclasses import replace
from typing import Any

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from kakari.corpora.records.errors import CorpusError
from kakari.web.settings import Settings

HEADER_SECONDS = 10.0
MOST_CONNECTIONS = 1_000
BACKLOG = 2_048


class PatientProtocol(H11Protocol):
    """HTTP whose headers must arrive within some seconds: uvicorn itself would wait for ever."""

    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the clock."""
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        """Read, and look whether the headers are there."""
        super().data_received(data)
        self._watch()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        super().on_response_complete()
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the clock."""
        self._stop()
        super().connection_lost(exc)

    def _watch(self) -> None:
        """Start the clock where headers are waited for, and stop it where they are there."""
        waiting = self.conn.their_state is h11.IDLE and not self.transport.is_closing()
        if waiting and self._timer is None and self.timeout_keep_alive_task is None:
            self._timer = self.loop.call_later(HEADER_SECONDS, self._too_slow)
        elif not waiting:
            self._stop()

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _too_slow(self) -> None:
        body = json.dumps({"error": f"the request did not arrive within {HEADER_SECONDS:g} seconds"}).encode()
        head = (
            b"HTTP/1.1 408 Request Timeout\r\ncontent-type: application/json\r\nconnection: close\r\n"
            b"content-length: " + str(len(body)).encode() + b"\r\n\r\n"
        )
        if not self.transport.is_closing():
            self.transport.write(head + body)
            self.transport.close()


def open_socket(host: str, port: int) -> socket.socket:
    """Bind the server's address; port 0 takes a free one."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except OSError as error:
        raise CorpusError(host, None, f"there is no such address: {error.strerror}") from None
    family, kind, protocol, _, address = found[0]
    opened = socket.socket(family, kind, protocol)
    opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        opened.bind(address)
        opened.listen(BACKLOG)  # whoever comes while models are loaded waits
    except OSError as error:
        opened.close()
        raise CorpusError(f"{host}:{port}", None, f"the address cannot be used: {error.strerror}") from None
    opened.set_inheritable(True)
    return opened


def run(settings: Settings, opened: socket.socket, workers: int = 1) -> None:
    """Serve until the process is told to end."""
    folder = tempfile.mkdtemp(prefix="kakari-serve-")
    settings = replace(settings, counters=folder)
    options: dict[str, Any] = {
        "http": PatientProtocol,
        "ws": "none",
        "loop": "asyncio",
        "lifespan": "on",
        "log_level": "warning",
        "access_log": False,
        "server_header": False,
        "limit_concurrency": MOST_CONNECTIONS,
        "backlog": BACKLOG,
        "timeout_keep_alive": 15,
        "timeout_graceful_shutdown": 1,
        "h11_max_incomplete_event_size": 32_768,
    }
    try:
        if workers == 1:
            from kakari.web.application import make_app

            uvicorn.Server(uvicorn.Config(make_app(settings), **options)).run(sockets=[opened])
        else:
            settings.to_environment()
            place = "kakari.web.application:make_app"
            uvicorn.run(place, factory=True, workers=workers, fd=opened.fileno(), **options)
    finally:
        opened.close()
        shutil.rmtree(folder, ignore_errors=True)

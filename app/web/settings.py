"""Settings of a server; workers get them through their environment."""

from __future__ import annotations

import ipaddress
import json
import os
from dataclasses import asdict, dataclass
from typing import Any

VARIABLE = "KAKARI_SERVE"


@dataclass(frozen=True)
class Settings:
    """Limits, models and doors of a server.

    Attributes
    ----------
    hosts : tuple of str
        Names that a browser may call the server by, without ports; others are refused, so that no foreign name can be
        pointed at this machine.
    token : str, optional
        What requests to the API must show.
    models : tuple of str
        Model files that take the place of embedded ones, by their tasks.
    docs : str, optional
        The folder of the built documentation.
    corrections : str, optional
        The folder for corrections and corrected models; without one nothing can be corrected.
    most_bytes, most_characters, most_texts, most_alternatives : int
        Of a request.
    seconds : float
        For the answer to a request.
    body_seconds : float
        For a client to send a request, or to take a portion of the answer.
    threads : int
        Requests that are worked on at the same time in a process.
    waiting : int
        Requests that may wait for that.
    counters : str, optional
        The folder in which workers count together.
    """

    hosts: tuple[str, ...] = ("127.0.0.1", "localhost", "::1")
    token: str | None = None
    models: tuple[str, ...] = ()
    docs: str | None = None
    corrections: str | None = None
    most_bytes: int = 2_000_000
    most_characters: int = 200_000
    most_texts: int = 1_000
    most_alternatives: int = 10
    seconds: float = 30.0
    body_seconds: float = 10.0
    threads: int = 2
    waiting: int = 256
    counters: str | None = None

    def to_environment(self) -> None:
        """Hand the settings to worker processes."""
        os.environ[VARIABLE] = json.dumps(asdict(self))

    @staticmethod
    def from_environment() -> Settings:
        """Return what the parent process handed over."""
        told: dict[str, Any] = json.loads(os.environ.get(VARIABLE, "{}"))
        given: dict[str, Any] = {name: tuple(one) if isinstance(one, list) else one for name, one in told.items()}
        return Settings(**given)


def is_loopback(host: str) -> bool:
    """Return whether a server at this address can be reached from this machine only.

    Examples
    --------
    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False

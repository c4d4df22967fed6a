"""`kakari serve`: a page to look at, and the JSON API behind it."""

from __future__ import annotations

import secrets
import sys
from pathlib import Path
from typing import Annotated

import typer

from kakari.output.console import note

MISSING = "this needs the packages of the extra `web`: pip install 'kakari[web]'"


class MissingPackagesError(ValueError):
    """Packages that a command needs are not installed."""


def serve_cli(
    host: Annotated[
        str, typer.Option(help="Address to listen at; an address that other machines can reach requires a token.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port to listen at; 0 takes a free one.")] = 8765,
    token: Annotated[
        str | None,
        typer.Option(help="Token of requests. [default: a random one if --host requires it]", show_default=False),
    ] = None,
    allow: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Another host name of this server, to be accepted.", show_default=False),
    ] = None,
    model: Annotated[
        list[str] | None,
        typer.Option(metavar="MODEL", help="A model file to use instead of the embedded one.", show_default=False),
    ] = None,
    docs: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder of the built documentation to serve at /docs.")
    ] = None,
    corrections: Annotated[
        Path, typer.Option(metavar="DIR", help="Folder for corrections and corrected models, made when it is needed.")
    ] = Path("kakari-corrections"),
    read_only: Annotated[bool, typer.Option("--read-only", help="Take no corrections and write nothing.")] = False,
    workers: Annotated[int, typer.Option(min=1, help="Number of processes.")] = 1,
    threads: Annotated[
        int, typer.Option(min=1, help="Number of requests that a process answers at the same time.")
    ] = 2,
    most_characters: Annotated[int, typer.Option(min=1, help="Largest number of characters in a request.")] = 200_000,
    seconds: Annotated[float, typer.Option(min=0.1, help="Time limit of an answer, in seconds.")] = 30.0,
    browser: Annotated[bool, typer.Option("--open", help="Open the page in a browser.")] = False,
) -> None:
    """Serve a page that shows the structure of a text and the reasons for each decision; and the same as a JSON API.

    Example: kakari serve --open
    """
    try:
        from kakari.web.server import open_socket, run
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("fastapi", "uvicorn", "starlette", "pydantic", "h11"):
            raise
        raise MissingPackagesError(MISSING) from None
    from kakari.web.settings import Settings, is_loopback
    from kakari.web.store import Store

    reachable = not is_loopback(host)
    if reachable and token is None:
        token = secrets.token_urlsafe(18)
    Store(tuple(model or ()))  # an invalid model file is reported before the server listens
    opened = open_socket(host, port)
    name, taken = opened.getsockname()[:2]
    settings = Settings(
        hosts=tuple(dict.fromkeys([*Settings.hosts, host, str(name), *(allow or ())])),
        token=token,
        models=tuple(model or ()),
        docs=None if docs is None else str(docs),
        corrections=None if read_only else str(corrections),
        most_characters=most_characters,
        most_bytes=max(Settings.most_bytes, 8 * most_characters),
        seconds=seconds,
        threads=threads,
    )
    shown = f"[{host}]" if ":" in host else host
    address = f"http://{shown}:{taken}/" + (f"#token={token}" if token else "")
    sys.stdout.write(f"{address}\n")
    sys.stdout.flush()
    note("Ctrl-C ends the server")
    if browser:
        import webbrowser

        webbrowser.open(address)
    run(settings, opened, workers)

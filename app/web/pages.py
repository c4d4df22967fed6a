"""The files that a browser may have: those of the page, read once, and the documentation's, if it is served.

A path is looked up in a table, never in the file system: no other file can be asked for.
"""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from fastapi.responses import RedirectResponse, Response

from kakari.models.files import ModelFileError
from kakari.web.limits import RefusedError

if TYPE_CHECKING:
    from fastapi import FastAPI

    from kakari.web.settings import Settings

TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".txt": "text/plain; charset=utf-8",
    ".woff2": "font/woff2",
    ".inv": "application/octet-stream",
}


def page_files() -> dict[str, bytes]:
    """Read the files of the page."""
    folder = resources.files("kakari.web") / "static"
    return {file.name: file.read_bytes() for file in folder.iterdir() if Path(file.name).suffix in TYPES}


def docs_files(folder: str) -> dict[str, Path]:
    """List the files of built documentation by their names in it; links that lead out of the folder are left out."""
    root = Path(folder).resolve()
    if not (root / "index.html").is_file():
        raise ModelFileError(folder, "there is no index.html in it: build the documentation first (`make docs`)")
    return {
        path.relative_to(root).as_posix(): path
        for path in root.rglob("*")
        if path.is_file() and path.suffix in TYPES and path.resolve().is_relative_to(root)
    }


class Pages:
    """Serves files by name."""

    def __init__(self, settings: Settings) -> None:
        self.own = page_files()
        self.docs = docs_files(settings.docs) if settings.docs is not None else {}

    def add_to(self, app: FastAPI) -> None:
        """Add the ways to the files."""

        @app.get("/", include_in_schema=False)
        async def index() -> Response:
            return self._answer("index.html", self.own["index.html"])

        @app.get("/static/{name}", include_in_schema=False)
        async def static(name: str) -> Response:
            if name not in self.own:
                raise RefusedError(404, "there is no such file")
            return self._answer(name, self.own[name])

        @app.get("/docs", include_in_schema=False)
        async def docs_root() -> Response:
            return RedirectResponse("/docs/index.html")

        @app.get("/docs/{name:path}", include_in_schema=False)
        async def docs(name: str) -> Response:
            path = self.docs.get(name or "index.html")
            if path is None:
                raise RefusedError(404, "there is no such page of the documentation")
            return self._answer(path.name, path.read_bytes())

    def _answer(self, name: str, content: bytes) -> Response:
        return Response(content, media_type=TYPES[Path(name).suffix], headers={"cache-control": "no-cache"})
